//! Thresholds that are told when the tree is grown.
//!
//! A question lies halfway between two numbers of the table. Reading them when the question is found means to wait for
//! memory at every node; reading those of all questions at once hardly waits at all. Until then a question holds a
//! *promise* in place of its threshold: something that is not a number and says which one it will be.

use super::store::Source;
use crate::codes::ordered::midpoint;
use crate::model::tree::Tree;

/// Promises that were given.
#[derive(Debug, Default)]
pub struct DeferredThresholds {
    /// The column, and the rows of the table with the greatest number on the left and the least on the right.
    between: Vec<(u32, u32, u32)>,
}

/// Numbers are asked for so many nodes before they are read.
const AHEAD: usize = 32;

/// The bits of a quiet NaN that no computation gives.
const PROMISE: u64 = 0x7ffc_5eed << 32;

impl DeferredThresholds {
    /// A promise of the number halfway between two rows of a column.
    pub fn defer(&mut self, column: u32, below: u32, above: u32) -> f64 {
        let Ok(place) = u32::try_from(self.between.len()) else { return f64::NAN };
        self.between.push((column, below, above));
        f64::from_bits(PROMISE | u64::from(place))
    }

    /// Keeps the promises in a tree.
    pub fn keep(&mut self, source: &Source<'_>, tree: &mut Tree) {
        let promised = |threshold: &f64| {
            let bits = threshold.to_bits();
            (bits >> 32 == PROMISE >> 32).then(|| self.between.get(bits as u32 as usize)).flatten()
        };
        for node in 0..tree.threshold.len() {
            if let Some(&(column, below, above)) = tree.threshold.get(node + AHEAD).and_then(promised) {
                let numbers = &source.columns[column as usize];
                numbers.ask(below as usize);
                numbers.ask(above as usize);
            }
            if let Some(&(column, below, above)) = promised(&tree.threshold[node]) {
                let numbers = &source.columns[column as usize];
                tree.threshold[node] = midpoint(numbers.at(below as usize) + 0.0, numbers.at(above as usize) + 0.0);
            }
        }
        self.between.clear();
    }
}
