//! A categorical column of one node, value by value; and its split with a branch for each.

use super::shared::{ShareRules, SharedSplit, split_info};
use crate::Result;
use crate::data::table::MISSING;
use crate::model::tree::{SHARE, Way};
use crate::rows::entries::Entry;
use crate::stats::criterion::{ClassCriterion, Criterion};
use crate::sys::memory::filled;

/// The class weights of each level in a node, and the weight of its unknown rows.
#[derive(Clone, Debug)]
pub struct Values {
    /// Class weights in units, level after level.
    pub stats: Vec<u64>,
    /// How many classes there are.
    pub width: usize,
    /// The weight of the rows whose value is missing, in units.
    pub unknown: u64,
}

impl Values {
    /// Adds up the entries of a node.
    pub fn new(law: &ClassCriterion<'_>, codes: &[u32], levels: u32, entries: &[Entry]) -> Result<Values> {
        let width = law.width();
        let mut values = Values { stats: filled(0, levels as usize * width)?, width, unknown: 0 };
        for entry in entries {
            match codes[entry.row as usize] {
                MISSING => values.unknown += entry.weight,
                code => {
                    let start = code as usize * width;
                    law.add(&mut values.stats[start..start + width], entry.row as usize, entry.weight);
                }
            }
        }
        Ok(values)
    }

    /// The class weights of each level.
    pub fn each(&self) -> impl Iterator<Item = &[u64]> {
        self.stats.chunks_exact(self.width)
    }

    /// The class weights of all known rows.
    pub fn known(&self) -> Result<Vec<u64>> {
        let mut sum = filled(0, self.width)?;
        self.each().for_each(|level| crate::stats::criterion::merge(&mut sum, level));
        Ok(sum)
    }

    /// The split with a branch for each level; None unless two of them are large enough.
    pub fn each_its_own(
        &self,
        law: &ClassCriterion<'_>,
        weight: f64,
        rules: &ShareRules,
    ) -> Result<Option<SharedSplit>> {
        let levels = self.stats.len() / self.width;
        let large = self.each().filter(|level| law.weight(level) >= rules.min_cases - rules.tolerance).count();
        if large < 2 {
            return Ok(None);
        }
        let left: f64 = self.each().map(|level| law.cost(level)).sum();
        let parts = self.each().map(|level| law.weight(level));
        let unknown = std::iter::once(self.unknown as f64 * law.unit());
        let way = Way { missing: SHARE, ..Way::levels(levels as u16, false) };
        Ok(Some(SharedSplit {
            gain: (law.cost(&self.known()?) - left) / weight,
            split_info: split_info(parts.chain(unknown), weight),
            way,
        }))
    }
}
