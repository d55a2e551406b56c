//! Where the levels of a categorical column stand on a line, so that beginnings of their order are good sets.
//!
//! Of numbers the place is the mean, of two classes the share of the second. Of more classes it is the first principal
//! component of the levels' class shares, each level counted with its weight: the direction in which they differ most.
//!
//! The component is found by power iteration with a fixed start and fixed steps: the same bits on every machine.

use crate::Result;
use crate::stats::criterion::Criterion;
use crate::sys::memory::{collected, filled};
use crate::sys::pool::Cancel;

/// More steps change the order of levels only where their places are equal in all but name.
const MAX_STEPS: usize = 100;

/// Writes the place of each set of rows, given by their statistics one after the other.
pub fn scores<C: Criterion>(criterion: &C, stats: &[C::Stat], out: &mut Vec<f64>, cancel: &Cancel) -> Result<()> {
    let (outputs, sets) = (criterion.outputs(), stats.chunks_exact(criterion.width()));
    out.clear();
    out.try_reserve(sets.len())?;
    if outputs <= 2 {
        let mut value = [0.0; 2];
        out.extend(sets.map(|stats| {
            criterion.value(stats, &mut value[..outputs]);
            value[outputs - 1]
        }));
        return Ok(());
    }
    let mut shares = filled(0.0, sets.len() * outputs)?;
    for (stats, value) in sets.clone().zip(shares.chunks_exact_mut(outputs)) {
        criterion.value(stats, value);
    }
    let weights: Vec<f64> = collected(sets.map(|stats| criterion.weight(stats)))?;
    center(&mut shares, &weights, outputs);
    let direction = component(&shares, &weights, outputs, cancel)?;
    out.extend(shares.chunks_exact(outputs).map(|value| dot(value, &direction)));
    Ok(())
}

/// Takes the weighted mean of the rows from each of them.
fn center(rows: &mut [f64], weights: &[f64], width: usize) {
    let total: f64 = weights.iter().sum();
    for column in 0..width {
        let sum: f64 = rows.chunks_exact(width).zip(weights).map(|(row, weight)| row[column] * weight).sum();
        rows.chunks_exact_mut(width).for_each(|row| row[column] -= sum / total);
    }
}

/// The first principal component of centered rows, whose entries add up to 0 in each row.
fn component(rows: &[f64], weights: &[f64], width: usize, cancel: &Cancel) -> Result<Vec<f64>> {
    // Any start will do that is not at right angles to the component; unequal entries make that unlikely, and rounding
    // leads away from it.
    let mut direction: Vec<f64> = (1..=width).map(|i| 1.0 / i as f64).collect();
    for _ in 0..MAX_STEPS {
        cancel.check()?;
        let mut next = vec![0.0; width];
        for (row, weight) in rows.chunks_exact(width).zip(weights) {
            let scale = dot(row, &direction) * weight;
            next.iter_mut().zip(row).for_each(|(sum, x)| *sum += scale * x);
        }
        let length = dot(&next, &next).sqrt();
        if length == 0.0 {
            break;
        }
        next.iter_mut().for_each(|x| *x /= length);
        if next == direction {
            break;
        }
        direction = next;
    }
    Ok(direction)
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(x, y)| x * y).sum()
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::codes::ordered::sort_by_value;
    use crate::stats::criterion::{ClassCriterion, Classes, Impurity};

    #[test]
    fn levels_stand_in_the_direction_in_which_their_classes_differ_most() {
        let criterion = ClassCriterion::new(Impurity::Gini, Classes { target: &[], classes: 3, unit: 1.0 });
        // The first two classes trade places from level to level; the third is everywhere the same.
        let mut places = Vec::new();
        scores(
            &criterion,
            [[5, 4, 1], [9, 0, 1], [0, 9, 1], [6, 3, 1]].as_flattened(),
            &mut places,
            &Cancel::default(),
        )
        .unwrap();
        let mut order = vec![0, 1, 2, 3];
        sort_by_value(&mut order, &places);
        if order[0] == 1 {
            order.reverse();
        }
        assert_eq!(order, vec![2, 0, 3, 1]);
    }

    #[test]
    fn equal_levels_stand_at_one_place() {
        let criterion = ClassCriterion::new(Impurity::Gini, Classes { target: &[], classes: 3, unit: 1.0 });
        let mut places = Vec::new();
        scores(&criterion, [[2, 3, 4]; 3].as_flattened(), &mut places, &Cancel::default()).unwrap();
        assert!(places.iter().all(|place| *place == 0.0));
    }
}
