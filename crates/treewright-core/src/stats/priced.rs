//! Classes that count unlike each other: entropy and Gini's index with a factor for each class.
//!
//! Two factors. The first says how much a row of the class counts in everything, as a weight or a prior does. The second
//! steers growing alone (the altered priors of Breiman et al. 1984, 4.4): classes that are costly to miss cost more to
//! mix, but weights and shares stay what they are.
//!
//! Statistics are the plain weights, so they stay integers, and a row of weight two is the row twice; the factors come in
//! when a set is judged.

use super::criterion::{Classes, Criterion, n_log_n};

/// Which impurity is multiplied.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Impurity {
    /// Entropy in bits.
    Entropy,
    /// Gini's index.
    Gini,
}

/// Entropy or Gini's index of classes with factors.
#[derive(Clone, Debug)]
pub struct Priced<'a> {
    classes: Classes<'a>,
    impurity: Impurity,
    counts: Vec<f64>,
    grows: Vec<f64>,
}

impl<'a> Priced<'a> {
    /// With the factor of each class in everything, and its factor while growing; an empty list is 1 for each.
    pub fn new(classes: Classes<'a>, impurity: Impurity, counts: &[f64], prices: &[f64]) -> Priced<'a> {
        let full = |list: &[f64]| if list.is_empty() { vec![1.0; classes.classes] } else { list.to_vec() };
        let counts: Vec<f64> = full(counts).iter().map(|factor| factor * classes.unit).collect();
        let grows = counts.iter().zip(full(prices)).map(|(count, price)| count * price).collect();
        Priced { classes, impurity, counts, grows }
    }

    /// Which impurity is multiplied.
    pub fn impurity(&self) -> Impurity {
        self.impurity
    }

    /// By how much one unit of a class counts while growing.
    pub fn factor(&self, class: u32) -> f64 {
        self.grows[class as usize]
    }

    /// The smallest of these factors.
    pub fn least_factor(&self) -> f64 {
        self.grows.iter().copied().fold(f64::INFINITY, f64::min)
    }

    /// What a set costs whose classes count so much, in the order of the classes; those that do not occur may be left
    /// out.
    pub fn cost_of(&self, counts: impl Iterator<Item = f64> + Clone) -> f64 {
        let total: f64 = counts.clone().sum();
        if total == 0.0 {
            return 0.0;
        }
        // Of a pure set the total is the one weight itself, so both differences are exactly 0.
        match self.impurity {
            Impurity::Gini => counts.map(|n| n * ((total - n) / total)).sum(),
            Impurity::Entropy => (n_log_n(total) - counts.map(n_log_n).sum::<f64>()).max(0.0),
        }
    }
}

/// The weights of the classes times their factors, in the order of the classes.
fn times<'s>(stats: &'s [u64], factors: &'s [f64]) -> impl Iterator<Item = f64> + Clone + 's {
    stats.iter().zip(factors).map(|(&n, factor)| n as f64 * factor)
}

impl Criterion for Priced<'_> {
    type Stat = u64;

    fn width(&self) -> usize {
        self.classes.classes
    }

    fn outputs(&self) -> usize {
        self.classes.classes
    }

    #[inline]
    fn add(&self, stats: &mut [u64], row: usize, weight: u64) {
        stats[self.classes.target[row] as usize] += weight;
    }

    fn weight(&self, stats: &[u64]) -> f64 {
        times(stats, &self.counts).sum()
    }

    fn cost(&self, stats: &[u64]) -> f64 {
        self.cost_of(times(stats, &self.grows))
    }

    fn value(&self, stats: &[u64], out: &mut [f64]) {
        let total = self.weight(stats);
        out.iter_mut().zip(times(stats, &self.counts)).for_each(|(share, n)| *share = n / total);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stats::criterion::{Entropy, Gini};

    const CLASSES: Classes<'_> = Classes { target: &[], classes: 3, unit: 0.5 };

    #[test]
    fn factors_of_one_change_nothing() {
        let (gini, entropy) = (Gini(CLASSES), Entropy(CLASSES));
        for stats in [[3u64, 5, 0], [1, 1, 1], [0, 0, 7]] {
            let priced = |impurity| Priced::new(CLASSES, impurity, &[], &[1.0; 3]).cost(&stats);
            assert!((priced(Impurity::Gini) - gini.cost(&stats)).abs() < 1e-14);
            assert!((priced(Impurity::Entropy) - entropy.cost(&stats)).abs() < 1e-14);
            assert_eq!(Priced::new(CLASSES, Impurity::Gini, &[], &[]).weight(&stats), gini.weight(&stats));
        }
    }

    #[test]
    fn a_factor_is_a_weight_and_a_price_is_not() {
        let whole = Gini(CLASSES);
        let weighed = Priced::new(CLASSES, Impurity::Gini, &[2.0, 1.0, 3.0], &[]);
        assert!((weighed.cost(&[3, 5, 1]) - whole.cost(&[6, 5, 3])).abs() < 1e-14);
        assert_eq!(weighed.weight(&[3, 5, 1]), 7.0);
        let priced = Priced::new(CLASSES, Impurity::Gini, &[], &[2.0, 1.0, 3.0]);
        assert_eq!(priced.cost(&[3, 5, 1]), weighed.cost(&[3, 5, 1]));
        assert_eq!(priced.weight(&[3, 5, 1]), 4.5);
        let mut shares = [0.0; 3];
        priced.value(&[3, 5, 2], &mut shares);
        assert_eq!(shares, [0.3, 0.5, 0.2]);
    }

    #[test]
    fn a_pure_set_costs_nothing_whatever_its_factor() {
        for factor in [1e-4, 0.3, 1.0 / 3.0, 1e3] {
            for impurity in [Impurity::Gini, Impurity::Entropy] {
                let law = Priced::new(CLASSES, impurity, &[1.0, factor, 1.0], &[]);
                assert!((1..50).all(|n| law.cost(&[0, n, 0]) == 0.0));
            }
        }
    }
}
