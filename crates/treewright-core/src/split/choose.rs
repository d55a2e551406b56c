//! Choosing among the candidate splits of a node. Knows gains, not rows.

use crate::model::tree::SplitRule;
use crate::tolerance::{AVERAGE_GAIN, TIE};

/// A column's best split and what it would save.
#[derive(Clone, Debug, PartialEq)]
pub struct Candidate {
    /// The column.
    pub feature: u32,
    /// What the split saves, per unit of the node's weight.
    pub gain: f64,
    /// The question it asks.
    pub way: SplitRule,
    /// The entropy of the split itself, in bits; only ratios ask for it.
    pub split_info: f64,
    /// Whether the column has so many values that its gain says little; only ratios ask for it.
    pub wide: bool,
}

impl Candidate {
    /// A candidate for choosers that look at the gain alone; splits that share out rows add what is known of them.
    pub fn new(feature: u32, gain: f64, way: SplitRule) -> Candidate {
        Candidate { feature, gain, way, split_info: 0.0, wide: false }
    }
}

/// How the split of a node is chosen.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Chooser {
    /// The largest gain; with a threshold, only if the gain is above it.
    Gain {
        /// A gain that is not above this makes the node a leaf; None accepts every split.
        min_gain: Option<f64>,
    },
    /// The largest gain, as a share of what the node costs: ties are told by shares, whatever the unit of the cost.
    Share {
        /// A gain that is not above this makes the node a leaf; None accepts every split.
        min_gain: Option<f64>,
    },
    /// The largest ratio of gain to split information, among gains of at least the average.
    Ratio {
        /// A ratio must exceed this.
        floor: f64,
        /// Ratios that differ by no more than this are tied.
        tie: f64,
        /// Where no gain is above this, the node is a leaf; None accepts every gain.
        min_gain: Option<f64>,
        /// Where the largest ratio is not above this, the node is a leaf; None accepts every ratio.
        min_ratio: Option<f64>,
    },
}

/// How a chooser ranks candidates, before any threshold makes the node a leaf.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Ranking {
    /// The position of the best one.
    pub best: Option<usize>,
    /// The positions of those tied with the best one, the best first. It is the first column of them.
    pub tied: Vec<usize>,
    /// Whether each takes part in the comparison.
    pub competes: Vec<bool>,
    /// The average gain, where a ratio competes only with a gain of about that.
    pub average: Option<f64>,
}

impl Chooser {
    /// The position of the chosen one, or None where the node should stay a leaf. `impurity` is the node's cost per unit
    /// of its weight.
    pub fn choose(&self, candidates: &[Candidate], impurity: f64) -> Option<usize> {
        self.best(candidates, impurity).filter(|&best| self.accepts(candidates, best))
    }

    /// How the candidates compare, whether or not a threshold then makes the node a leaf.
    pub fn rank(&self, candidates: &[Candidate], impurity: f64) -> Ranking {
        let average = self.average(candidates);
        let score = |c: &Candidate| self.score(c, average);
        let competes = candidates.iter().map(|c| score(c).is_some()).collect();
        let Some(best) = self.best(candidates, impurity) else {
            return Ranking { competes, average, ..Ranking::default() };
        };
        let (top, tie) = (score(&candidates[best]), self.tie(impurity));
        let is_tied = |&i: &usize| score(&candidates[i]).zip(top).is_some_and(|(own, top)| (own - top).abs() <= tie);
        let tied = (best..candidates.len()).filter(is_tied).collect();
        Ranking { best: Some(best), tied, competes, average }
    }

    /// The position of the best one, before any threshold.
    fn best(&self, candidates: &[Candidate], impurity: f64) -> Option<usize> {
        if let Chooser::Share { .. } = self {
            // The first that is within a tie of the largest: a candidate that is further away than that can be left out
            // without changing the choice.
            let largest = candidates.iter().map(|c| c.gain).reduce(f64::max)?;
            return candidates.iter().position(|c| c.gain >= largest - self.tie(impurity));
        }
        let average = self.average(candidates);
        first_best(candidates.iter().map(|c| self.score(c, average)), self.tie(impurity))
    }

    /// Scores that differ by no more than this are tied.
    fn tie(&self, impurity: f64) -> f64 {
        match self {
            Chooser::Share { .. } => TIE * impurity,
            Chooser::Gain { .. } => TIE,
            Chooser::Ratio { tie, .. } => *tie,
        }
    }

    fn average(&self, candidates: &[Candidate]) -> Option<f64> {
        matches!(self, Chooser::Ratio { .. }).then(|| average_gain(candidates)).flatten()
    }

    /// What is compared; None for a candidate that does not compete.
    fn score(&self, c: &Candidate, average: Option<f64>) -> Option<f64> {
        let Chooser::Ratio { floor, .. } = self else { return Some(c.gain) };
        let competes = c.gain >= average? - AVERAGE_GAIN && c.split_info > AVERAGE_GAIN;
        competes.then(|| c.gain / c.split_info).filter(|ratio| ratio > floor)
    }

    /// Whether the thresholds let the node be split by the best candidate.
    fn accepts(&self, candidates: &[Candidate], best: usize) -> bool {
        let chosen = &candidates[best];
        match *self {
            Chooser::Share { min_gain } => min_gain.is_none_or(|least| chosen.gain > least),
            Chooser::Gain { min_gain } => min_gain.is_none_or(|least| chosen.gain > least + TIE),
            Chooser::Ratio { tie, min_gain, min_ratio, .. } => {
                min_gain.is_none_or(|least| candidates.iter().any(|c| c.gain > least + TIE))
                    && min_ratio.is_none_or(|least| chosen.gain / chosen.split_info > least + tie)
            }
        }
    }
}

/// The position of the largest score; a later one must exceed it by more than `tie`.
fn first_best(scores: impl Iterator<Item = Option<f64>>, tie: f64) -> Option<usize> {
    let better = |best: (usize, f64), next: (usize, f64)| if next.1 > best.1 + tie { next } else { best };
    let known = scores.enumerate().filter_map(|(i, score)| score.map(|score| (i, score)));
    known.reduce(better).map(|(i, _)| i)
}

/// The average gain of the candidates that are not wide; of none if there are only wide ones.
fn average_gain(candidates: &[Candidate]) -> Option<f64> {
    let gains = candidates.iter().filter(|c| !c.wide).map(|c| c.gain);
    let (sum, count) = gains.fold((0.0, 0u32), |(sum, count), gain| (sum + gain, count + 1));
    (count > 0).then(|| sum / f64::from(count))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn choose(gains: &[f64], min_gain: Option<f64>) -> Option<usize> {
        let candidate = |gain: &f64| Candidate::new(0, *gain, SplitRule::levels(2, false));
        let candidates: Vec<_> = gains.iter().map(candidate).collect();
        Chooser::Gain { min_gain }.choose(&candidates, 1.0)
    }

    #[test]
    fn ties_go_to_the_first_and_noise_is_a_tie() {
        assert_eq!(choose(&[0.1, 0.3, 0.3 + 1e-12, 0.2], None), Some(1));
        assert_eq!(choose(&[0.0, 0.0], None), Some(0));
        assert_eq!(choose(&[], None), None);
    }

    #[test]
    fn a_ratio_competes_only_with_at_least_the_average_gain() {
        let candidate = |gain: f64, split_info: f64, wide: bool| Candidate {
            split_info,
            wide,
            ..Candidate::new(0, gain, SplitRule::levels(2, false))
        };
        // The 14 days of tennis: outlook, temperature, humidity, wind; the day itself is wide and outside the average.
        let days = [(0.247, 1.577), (0.029, 1.557), (0.152, 1.0), (0.048, 0.985)].map(|(g, s)| candidate(g, s, false));
        let ratio = Chooser::Ratio { floor: 0.0, tie: TIE, min_gain: None, min_ratio: None };
        assert_eq!(ratio.choose(&days, 1.0), Some(0));
        let mut with_day = days.to_vec();
        with_day.push(candidate(0.94, 3.807, true));
        assert_eq!(ratio.choose(&with_day, 1.0), Some(4));
        assert_eq!(ratio.choose(&[candidate(0.0, 1.0, false)], 1.0), None);
        assert_eq!(
            Chooser::Ratio { floor: -1e-3, tie: 0.0, min_gain: None, min_ratio: None }
                .choose(&[candidate(0.0, 1.0, false)], 1.0),
            Some(0)
        );
    }

    #[test]
    fn shares_do_not_depend_on_the_unit() {
        let candidate = |gain: f64| Candidate::new(0, gain, SplitRule::levels(2, false));
        let share = Chooser::Share { min_gain: None };
        for unit in [1e-12, 1.0, 1e12] {
            let gains = [0.2, 0.3, 0.3 + 1e-6, 0.3 + 1e-6 + 1e-11].map(|gain| candidate(gain * unit));
            assert_eq!(share.choose(&gains, unit), Some(2));
        }
    }

    #[test]
    fn a_ranking_knows_ties_and_no_thresholds() {
        let candidate = |gain: f64, split_info: f64| Candidate {
            split_info,
            ..Candidate::new(0, gain, SplitRule::levels(2, false))
        };
        let candidates = [candidate(0.1, 1.0), candidate(0.9, 0.9), candidate(1.0, 1.0 + 1e-15), candidate(1.4, 1.4)];
        let ratio = Chooser::Ratio { floor: 0.0, tie: 1e-9, min_gain: Some(9.0), min_ratio: None };
        let ranking = ratio.rank(&candidates, 1.0);
        assert_eq!((ranking.best, ranking.tied), (Some(1), vec![1, 2, 3]));
        assert_eq!(ranking.competes, [false, true, true, true]);
        assert_eq!(ratio.choose(&candidates, 1.0), None);
        let gain = Chooser::Gain { min_gain: None }.rank(&candidates, 1.0);
        assert_eq!((gain.best, gain.tied, gain.average), (Some(3), vec![3], None));
    }

    #[test]
    fn ratios_have_two_thresholds() {
        let candidate = |gain: f64, split_info: f64| Candidate {
            split_info,
            ..Candidate::new(0, gain, SplitRule::levels(2, false))
        };
        let candidates = [candidate(0.3, 1.5), candidate(0.25, 1.0)];
        let choose = |min_gain, min_ratio| {
            Chooser::Ratio { floor: 0.0, tie: 1e-9, min_gain, min_ratio }.choose(&candidates, 1.0)
        };
        assert_eq!(choose(None, None), Some(0));
        assert_eq!(choose(Some(0.3), None), None);
        assert_eq!(choose(Some(0.29), None), Some(0));
        assert_eq!(choose(None, Some(0.2)), None);
        assert_eq!(choose(None, Some(0.19)), Some(0));
    }

    #[test]
    fn the_threshold_must_be_exceeded() {
        assert_eq!(choose(&[1e-12, 0.0], Some(0.0)), None);
        assert_eq!(choose(&[0.1, 0.2], Some(0.2)), None);
        assert_eq!(choose(&[0.1, 0.2], Some(0.15)), Some(1));
    }
}
