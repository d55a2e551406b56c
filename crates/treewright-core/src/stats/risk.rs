//! What the answer of a node costs on its training rows: the weight it is wrong about, by the costs of mistakes, or for a
//! number the squared error.

use crate::model::tree::{Tree, first_largest};
use crate::tolerance::EXPECTED_COST;
use crate::tolerance::WHOLE_PRODUCT;

/// The costs of mistakes: a row for each true class and a column for each answer; empty for 1 each.
#[derive(Clone, Copy, Debug)]
pub struct Costs<'a>(pub &'a [f64]);

impl Costs<'_> {
    /// What an answer costs where a class is true.
    pub fn of(&self, truth: usize, answer: usize, classes: usize) -> f64 {
        self.0.get(truth * classes + answer).copied().unwrap_or(f64::from(truth != answer))
    }

    /// The answer that is expected to cost least, the first of equals: the most frequent class where no costs are given.
    pub fn answer(&self, shares: &[f64]) -> usize {
        if self.0.is_empty() {
            return first_largest(shares);
        }
        let classes = shares.len();
        let expected = |answer: usize| (0..classes).map(|truth| shares[truth] * self.of(truth, answer, classes)).sum();
        let expected: Vec<f64> = (0..classes).map(expected).collect();
        let least = expected.iter().copied().fold(f64::INFINITY, f64::min);
        expected.iter().position(|cost| *cost <= least * (1.0 + EXPECTED_COST)).unwrap_or(0)
    }

    /// The risk of a node that says `value`, or of one of this cost where it says a number.
    pub fn risk(&self, value: &[f64], weight: f64, cost: f64) -> f64 {
        let classes = value.len();
        if classes == 1 && self.0.is_empty() {
            return cost;
        }
        let weights: Vec<f64> = value.iter().map(|share| round_if_near(share * weight)).collect();
        let of =
            |answer: usize| (0..classes).map(|truth| weights[truth] * self.of(truth, answer, classes)).sum::<f64>();
        (0..classes).map(of).fold(f64::INFINITY, f64::min)
    }

    /// The risk of each node as a leaf.
    pub fn risks(&self, tree: &Tree) -> Vec<f64> {
        (0..tree.len()).map(|node| self.risk(tree.value_of(node), tree.weight[node], tree.cost[node])).collect()
    }
}

/// A share times a weight: whole weights come back whole.
fn round_if_near(weight: f64) -> f64 {
    let near = libm::rint(weight);
    if (weight - near).abs() <= WHOLE_PRODUCT * near.max(1.0) { near } else { weight }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_cheapest_answer_counts() {
        let shares = [0.5, 0.3, 0.2];
        assert_eq!(Costs(&[]).risk(&shares, 10.0, 7.0), 5.0);
        assert_eq!(Costs(&[]).risk(&[3.5], 10.0, 7.0), 7.0);
        // Whoever is of the third class and is not recognized costs nine.
        let costs = [0.0, 1.0, 1.0, 1.0, 0.0, 1.0, 9.0, 9.0, 0.0];
        assert_eq!(Costs(&costs).risk(&shares, 10.0, 0.0), 8.0);
        assert_eq!((Costs(&costs).answer(&shares), Costs(&[]).answer(&shares)), (2, 0));
    }
}
