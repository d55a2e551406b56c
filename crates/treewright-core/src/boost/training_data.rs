//! What a run of boosting learns from besides the table: targets, weights, and rows that are held out.

use crate::Result;
use crate::data::table::Table;
use crate::loss::{Loss, Truth};
use crate::peers::Peers;
use crate::stats::order;
use crate::stats::target::Target;
use std::ops::Range;

/// The rows of a run, whose values belong to it.
#[derive(Clone, Debug, Default)]
pub struct TrainingData {
    /// Numbers to learn; empty where classes are.
    pub numbers: Vec<f64>,
    /// Classes to learn.
    pub classes: Vec<u32>,
    /// Weights.
    pub weights: Option<Vec<f64>>,
    /// Rows that are held out.
    pub held: Option<Vec<bool>>,
    /// The first row of each evaluation set: these rows stand behind all others and are held out. Empty where the rows that
    /// are held out, if any, are one set among the others.
    pub eval_starts: Vec<usize>,
    /// The weights of the evaluation sets' rows; those in `weights` are 0, so that they change nothing in what is learnt.
    pub eval_weights: Option<Vec<f64>>,
}

impl TrainingData {
    pub(super) fn truth(&self) -> Truth<'_> {
        if self.classes.is_empty() { Truth::Numbers(&self.numbers) } else { Truth::Classes(&self.classes) }
    }

    pub(super) fn rows(&self) -> usize {
        self.numbers.len().max(self.classes.len())
    }

    /// The rows before the evaluation sets: what is learnt depends on no others.
    pub(super) fn rows_before_sets(&self) -> usize {
        self.eval_starts.first().copied().unwrap_or_else(|| self.rows())
    }

    /// The rows of each set that is held out; without evaluation sets all rows, of which some are held.
    pub(super) fn held_sets(&self) -> Vec<Range<usize>> {
        if self.eval_starts.is_empty() {
            return self.held.iter().map(|_| 0..self.rows()).collect();
        }
        let ends = self.eval_starts.iter().skip(1).copied().chain([self.rows()]);
        self.eval_starts.iter().copied().zip(ends).map(|(start, end)| start..end).collect()
    }

    /// Whether the evaluation sets are where they should be.
    pub(super) fn sets_fit(&self) -> bool {
        let (first, rows) = (self.rows_before_sets(), self.rows());
        let held = |row: usize| self.held.as_ref().is_some_and(|held| held[row]);
        self.eval_starts.is_sorted()
            && self.eval_starts.last().is_none_or(|&last| last <= rows)
            && (first.min(rows)..rows).all(held)
            && self.eval_weights.as_ref().is_none_or(|weights| weights.len() + first == rows)
    }

    /// What a row counts in the mean loss of its set.
    pub(super) fn score_weight(&self, row: usize) -> f64 {
        let first = self.rows_before_sets();
        let weights = if row < first { self.weights.as_ref() } else { self.eval_weights.as_ref() };
        weights.map_or(1.0, |weights| weights[if row < first { row } else { row - first }])
    }

    pub(super) fn is_held(&self, row: usize) -> bool {
        self.held.as_ref().is_some_and(|held| held[row])
    }

    /// A number for each row to be drawn by, where a round learns from this share of them; none where it is all of them.
    pub(super) fn tickets(&self, table: &Table<'_>, share: f64) -> Result<Vec<u64>> {
        if share >= 1.0 {
            return Ok(Vec::new());
        }
        let target = match self.truth() {
            Truth::Numbers(numbers) => Target::Numbers(numbers),
            Truth::Classes(codes) => Target::Classes { codes, classes: 0 },
        };
        Ok(order::tickets(&order::keys(table, target)?, self.weights.as_deref(), self.held.as_deref()))
    }

    /// The constant scores that cost the training rows least.
    pub(super) fn start(&self, loss: Loss, peers: &dyn Peers) -> Result<Vec<f64>> {
        let truth = if loss.is_of_classes() { Truth::Classes(&self.classes) } else { Truth::Numbers(&self.numbers) };
        let Some(held) = &self.held else { return loss.start(peers, truth, self.weights.clone()) };
        fn kept<T: Copy>(values: &[T], held: &[bool]) -> Vec<T> {
            values.iter().zip(held).filter(|(_, held)| !**held).map(|(value, _)| *value).collect()
        }
        let weights = self.weights.as_ref().map(|weights| kept(weights, held));
        match truth {
            Truth::Numbers(numbers) => loss.start(peers, Truth::Numbers(&kept(numbers, held)), weights),
            Truth::Classes(codes) => loss.start(peers, Truth::Classes(&kept(codes, held)), weights),
        }
    }
}
