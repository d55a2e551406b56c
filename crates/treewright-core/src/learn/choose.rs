//! Choosing among the candidate splits of a node. Knows gains, not rows.

use crate::model::tree::Way;

/// Gains that differ by no more than this, per unit of weight, are tied, and ties go to the first column.
///
/// Two columns of mathematically equal gain are computed by different additions; without a tolerance the last bit
/// of their rounding would decide, and the slow twin in `reference.py` would decide otherwise.
pub const TIE: f64 = 1e-9;

/// A column's best split and what it would save.
#[derive(Clone, Debug, PartialEq)]
pub struct Candidate {
    /// The column.
    pub feature: u32,
    /// What the split saves, per unit of the node's weight.
    pub gain: f64,
    /// The question it asks.
    pub way: Way,
}

/// How the split of a node is chosen.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Chooser {
    /// The largest gain; with a threshold, only if the gain is above it.
    Gain {
        /// A gain that is not above this makes the node a leaf; None accepts every split.
        min_gain: Option<f64>,
    },
}

impl Chooser {
    /// The position of the chosen one, or None where the node should stay a leaf.
    pub fn choose(&self, candidates: &[Candidate]) -> Option<usize> {
        let Chooser::Gain { min_gain } = *self;
        let better = |best: usize, next: usize| {
            if candidates[next].gain > candidates[best].gain + TIE { next } else { best }
        };
        let best = (0..candidates.len()).reduce(better)?;
        min_gain.is_none_or(|least| candidates[best].gain > least + TIE).then_some(best)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn choose(gains: &[f64], min_gain: Option<f64>) -> Option<usize> {
        let candidate = |gain: &f64| Candidate { feature: 0, gain: *gain, way: Way::levels(2, false) };
        let candidates: Vec<_> = gains.iter().map(candidate).collect();
        Chooser::Gain { min_gain }.choose(&candidates)
    }

    #[test]
    fn ties_go_to_the_first_and_noise_is_a_tie() {
        assert_eq!(choose(&[0.1, 0.3, 0.3 + 1e-12, 0.2], None), Some(1));
        assert_eq!(choose(&[0.0, 0.0], None), Some(0));
        assert_eq!(choose(&[], None), None);
    }

    #[test]
    fn the_threshold_must_be_exceeded() {
        assert_eq!(choose(&[1e-12, 0.0], Some(0.0)), None);
        assert_eq!(choose(&[0.1, 0.2], Some(0.2)), None);
        assert_eq!(choose(&[0.1, 0.2], Some(0.15)), Some(1));
    }
}
