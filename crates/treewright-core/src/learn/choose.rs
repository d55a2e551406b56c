//! Choosing among the candidate splits of a node. Knows gains, not rows.

/// Gains that differ by no more than this, per unit of weight, are tied, and ties go to the first column.
///
/// Two columns of mathematically equal gain are computed by different additions; without a tolerance the last bit
/// of their rounding would decide, and the slow twin in `reference.py` would decide otherwise.
pub const TIE: f64 = 1e-9;

/// A column's split and what it would save, per unit of weight.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Candidate {
    /// The column.
    pub feature: u32,
    /// The gain per unit of weight.
    pub gain: f64,
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
    /// The chosen one, or None where the node should stay a leaf.
    pub fn choose(&self, candidates: impl Iterator<Item = Candidate>) -> Option<Candidate> {
        let Chooser::Gain { min_gain } = *self;
        let better = |best: Candidate, next: Candidate| if next.gain > best.gain + TIE { next } else { best };
        candidates.reduce(better).filter(|best| min_gain.is_none_or(|least| best.gain > least + TIE))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn choose(gains: &[f64], min_gain: Option<f64>) -> Option<u32> {
        let candidates = gains.iter().enumerate().map(|(i, &gain)| Candidate { feature: i as u32, gain });
        Chooser::Gain { min_gain }.choose(candidates).map(|c| c.feature)
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
