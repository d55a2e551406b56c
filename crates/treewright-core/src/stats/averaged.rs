//! Several targets at once: a set of rows costs the mean of what it costs for each of them.

use super::criterion::Criterion;

/// Criteria of the same kind, one for each target. Their statistics stand one behind the other.
#[derive(Clone, Debug)]
pub struct Averaged<C>(pub Vec<C>);

impl<C: Criterion> Averaged<C> {
    /// Each criterion with its part of the statistics.
    fn parts<'s>(&'s self, stats: &'s [C::Stat]) -> impl Iterator<Item = (&'s C, &'s [C::Stat])> {
        self.0.iter().scan(stats, |rest, part| {
            let (own, others) = rest.split_at(part.width());
            *rest = others;
            Some((part, own))
        })
    }
}

impl<C: Criterion> Criterion for Averaged<C> {
    type Stat = C::Stat;

    fn width(&self) -> usize {
        self.0.iter().map(Criterion::width).sum()
    }

    fn outputs(&self) -> usize {
        self.0.iter().map(Criterion::outputs).sum()
    }

    fn add(&self, stats: &mut [Self::Stat], row: usize, weight: u64) {
        let mut rest = stats;
        for part in &self.0 {
            let (own, others) = rest.split_at_mut(part.width());
            part.add(own, row, weight);
            rest = others;
        }
    }

    fn weight(&self, stats: &[Self::Stat]) -> f64 {
        self.0.first().map_or(0.0, |part| part.weight(&stats[..part.width()]))
    }

    fn cost(&self, stats: &[Self::Stat]) -> f64 {
        self.parts(stats).map(|(part, own)| part.cost(own)).sum::<f64>() / self.0.len() as f64
    }

    fn value(&self, stats: &[Self::Stat], out: &mut [f64]) {
        let mut rest = out;
        for (part, own) in self.parts(stats) {
            let (value, others) = rest.split_at_mut(part.outputs());
            part.value(own, value);
            rest = others;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stats::criterion::{ClassCriterion, Classes, Impurity};

    #[test]
    fn the_cost_is_the_mean_and_values_stand_in_order() {
        let (first, second) = ([0u32, 0, 1, 1], [2u32, 2, 2, 0]);
        let of = |target, classes| ClassCriterion::new(Impurity::Gini, Classes { target, classes, unit: 1.0 });
        let both = Averaged(vec![of(&first[..], 2), of(&second[..], 3)]);
        let mut stats = vec![Default::default(); both.width()];
        (0..4).for_each(|row| both.add(&mut stats, row, 1));
        let mut value = [0.0; 5];
        both.value(&stats, &mut value);
        assert_eq!(value, [0.5, 0.5, 0.25, 0.0, 0.75]);
        assert_eq!((both.weight(&stats), both.cost(&stats)), (4.0, (2.0 + 1.5) / 2.0));
    }
}
