//! Rows whose classes are known, for pruners that look at rows: which way each goes is asked of the tree itself.

use crate::Result;
use crate::data::table::Table;
use crate::model::tree::Tree;
use crate::model::walk::answer;
use crate::rows::deal::{Dealt, deal, present};
use crate::rows::entries::Entry;
use crate::stats::criterion::Criterion;
use crate::stats::weights::Weights;
use crate::sys::memory::filled;
use crate::sys::pool::Cancel;

/// Rows, their weights, and what is added up over them.
#[derive(Clone, Copy, Debug)]
pub struct Sample<'a, C> {
    /// The columns.
    pub table: &'a Table<'a>,
    /// What is added up; it knows the classes.
    pub law: &'a C,
    /// Fine weights ([`Weights::fine`]), since rows may be divided.
    pub weights: &'a Weights,
}

impl<C: Criterion<Stat = u64>> Sample<'_, C> {
    /// All rows.
    pub fn all(&self) -> Result<Vec<Entry>> {
        present(self.weights)
    }

    /// The class weights of a set of entries.
    pub fn stats(&self, entries: &[Entry]) -> Result<Vec<u64>> {
        let mut stats = filled(0, self.law.width())?;
        entries.iter().for_each(|entry| self.law.add(&mut stats, entry.row as usize, entry.weight));
        Ok(stats)
    }

    /// Sends entries on their ways from a branch.
    pub fn deal(&self, tree: &Tree, node: usize, entries: &[Entry], cancel: &Cancel) -> Result<Dealt> {
        let columns = self.table.columns();
        deal(tree.n_children[node], entries, |row| answer(tree, node, columns, row as usize), cancel)
    }
}
