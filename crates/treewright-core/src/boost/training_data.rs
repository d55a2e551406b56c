//! What a run of boosting learns from besides the table: targets, weights, and rows that are held out.

use crate::Result;
use crate::data::table::Table;
use crate::loss::{Loss, Truth};
use crate::stats::order;
use crate::stats::target::Target;

/// The rows of a run, whose values belong to it.
#[derive(Clone, Debug)]
pub struct TrainingData {
    /// Numbers to learn; empty where classes are.
    pub numbers: Vec<f64>,
    /// Classes to learn.
    pub classes: Vec<u32>,
    /// Weights.
    pub weights: Option<Vec<f64>>,
    /// Rows that are held out.
    pub held: Option<Vec<bool>>,
}

impl TrainingData {
    pub(super) fn truth(&self) -> Truth<'_> {
        if self.classes.is_empty() { Truth::Numbers(&self.numbers) } else { Truth::Classes(&self.classes) }
    }

    pub(super) fn rows(&self) -> usize {
        self.numbers.len().max(self.classes.len())
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
    pub(super) fn start(&self, loss: Loss) -> Result<Vec<f64>> {
        let Some(held) = &self.held else { return loss.start(self.truth(), self.weights.as_deref()) };
        fn kept<T: Copy>(values: &[T], held: &[bool]) -> Vec<T> {
            values.iter().zip(held).filter(|(_, held)| !**held).map(|(value, _)| *value).collect()
        }
        let weights = self.weights.as_ref().map(|weights| kept(weights, held));
        match self.truth() {
            Truth::Numbers(numbers) => loss.start(Truth::Numbers(&kept(numbers, held)), weights.as_deref()),
            Truth::Classes(codes) => loss.start(Truth::Classes(&kept(codes, held)), weights.as_deref()),
        }
    }
}
