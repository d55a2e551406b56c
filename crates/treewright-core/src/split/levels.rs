//! The rows of a node by the level of a categorical column, and the split with a branch for each level.

use super::choose::Candidate;
use super::shared::{ShareRules, split_info};
use crate::Result;
use crate::codes::ranks::RankedColumn;
use crate::data::table::MISSING;
use crate::model::tree::{SHARE, SplitRule};
use crate::stats::criterion::{Criterion, merge};
use crate::stats::entry::Entry;
use crate::sys::memory::filled;
use std::ops::AddAssign;

/// The statistics of each level in a node, and those of the rows with a missing value.
#[derive(Clone, Debug)]
pub struct LevelStats<S> {
    /// Level after level, missing values last.
    stats: Vec<S>,
    width: usize,
}

impl<S: Copy + Default + AddAssign> LevelStats<S> {
    /// Adds up the entries of a node.
    pub fn new<C: Criterion<Stat = S>>(
        criterion: &C,
        column: &RankedColumn<'_>,
        entries: &[Entry],
    ) -> Result<LevelStats<S>> {
        let (width, levels) = (criterion.width(), column.levels());
        let mut stats = filled(S::default(), (levels as usize + 1) * width)?;
        for entry in entries {
            let code = column.codes()[entry.row as usize];
            let start = if code == MISSING { levels } else { code } as usize * width;
            criterion.add(&mut stats[start..start + width], entry.row as usize, entry.weight);
        }
        Ok(LevelStats { stats, width })
    }

    /// From the statistics of levels, one after the other, with those of missing values at the end.
    pub fn from_stats(stats: Vec<S>, width: usize) -> LevelStats<S> {
        LevelStats { stats, width }
    }

    /// How many levels there are.
    pub fn len(&self) -> usize {
        self.stats.len() / self.width - 1
    }

    /// The statistics of each level.
    pub fn each(&self) -> impl Iterator<Item = &[S]> {
        self.stats.chunks_exact(self.width).take(self.len())
    }

    /// The statistics of the rows with a missing value.
    pub fn missing(&self) -> &[S] {
        &self.stats[self.stats.len() - self.width..]
    }

    /// The statistics of all other rows.
    pub fn known(&self) -> Result<Vec<S>> {
        let mut sum = filled(S::default(), self.width)?;
        self.each().for_each(|level| merge(&mut sum, level));
        Ok(sum)
    }

    /// What is left of a node's cost when each level has a branch of its own, and missing values one more.
    pub fn remaining_cost<C: Criterion<Stat = S>>(&self, criterion: &C) -> f64 {
        self.stats.chunks_exact(self.width).map(|branch| criterion.cost(branch)).sum()
    }

    /// The split of a column, as yet without its number, that has a branch for each level and shares out missing values, in
    /// a node of this weight; None unless two branches are large enough.
    pub fn branch_each<C: Criterion<Stat = S>>(
        &self,
        criterion: &C,
        weight: f64,
        rules: &ShareRules,
    ) -> Result<Option<Candidate>> {
        let large = self.each().filter(|level| criterion.weight(level) >= rules.min_cases - rules.tolerance).count();
        if large < 2 {
            return Ok(None);
        }
        let left: f64 = self.each().map(|level| criterion.cost(level)).sum();
        let parts = self.stats.chunks_exact(self.width).map(|part| criterion.weight(part));
        let gain = (criterion.cost(&self.known()?) - left) / weight;
        Ok(Some(Candidate { split_info: split_info(parts, weight), ..Candidate::new(0, gain, branches(self.len())) }))
    }
}

/// The question with a branch for each of so many levels that shares out missing values.
pub fn branches(levels: usize) -> SplitRule {
    SplitRule { missing: SHARE, ..SplitRule::levels(levels as u16, false) }
}
