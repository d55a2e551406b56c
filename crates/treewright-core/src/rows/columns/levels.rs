//! Searching a column of categories: its rows are added up level by level, then [`subset`] divides the levels. What it
//! costs is one addition a row; the sums, and so the answer, are those of any other holder.

use super::contest::{Contest, Record, Top};
use super::known::Absent;
use super::node::Cut;
use super::tally::{ColumnTally, NodeContext, Stat};
use crate::Result;
use crate::data::table::MISSING;
use crate::model::tree::{Question, SplitRule};
use crate::rng::Words;
use crate::split::contest::{DivisionRules, Winner};
use crate::split::subset;
use crate::split::subset::{Sides, SubsetRules};
use crate::split::unknowns::Unknowns;
use crate::stats::criterion::Criterion;
use crate::sys::pool::Cancel;
use crate::tolerance::ROUNDING;

/// Scratch of one thread.
#[derive(Debug)]
pub struct LevelScratch<T: ColumnTally> {
    /// For each level and for missing values what their rows add up to; zeros between searches.
    stats: Vec<Stat<T>>,
    /// How many rows each has.
    counts: Vec<u32>,
    /// The levels that occur.
    occurring: Vec<u16>,
    search: subset::SubsetSearch<Stat<T>>,
    /// Of the columns of a node the best division so far, the search that found it, and its column.
    best: Option<(u32, Winner<Sides>)>,
    best_search: subset::SubsetSearch<Stat<T>>,
}

impl<T: ColumnTally> Default for LevelScratch<T> {
    fn default() -> LevelScratch<T> {
        LevelScratch {
            stats: Vec::new(),
            counts: Vec::new(),
            occurring: Vec::new(),
            search: subset::SubsetSearch::default(),
            best: None,
            best_search: subset::SubsetSearch::default(),
        }
    }
}

/// Offers the best division of the levels, or a random one, to the contest of a node; None where nothing can be told apart.
pub fn search<T: ColumnTally>(
    context: &NodeContext<'_, T>,
    (column, codes, levels): (u32, &[u16], u16),
    record: &Record,
    scratch: &mut LevelScratch<T>,
    (random, cancel): (Option<Words>, &Cancel),
) -> Result<Option<Top>> {
    let Some(winner) = scratch.seek(context, codes, levels, (random, cancel))? else { return Ok(None) };
    let cost = context.tally.cost(context.total);
    let mut top = None;
    Contest::new(record, &mut top).offer((cost - winner.cost) / cost, 0, Cut::LEVELS);
    if scratch.best.as_ref().is_none_or(|(_, best)| winner.cost < best.cost) {
        scratch.keep(column, winner);
    }
    Ok(top)
}

/// The question of that division, which need not be sought again where it was the best of the node.
pub fn question<T: ColumnTally>(
    context: &NodeContext<'_, T>,
    (column, codes, levels): (u32, &[u16], u16),
    scratch: &mut LevelScratch<T>,
    (random, cancel): (Option<Words>, &Cancel),
) -> Result<Option<SplitRule>> {
    if scratch.best.as_ref().is_none_or(|(best, _)| *best != column) {
        let Some(winner) = scratch.seek(context, codes, levels, (random, cancel))? else { return Ok(None) };
        scratch.keep(column, winner);
    }
    let Some((_, winner)) = scratch.best.as_ref() else { return Ok(None) };
    scratch.best_search.way(winner, u32::from(levels), subset::Unused::Heavier).map(Some)
}

impl<T: ColumnTally> LevelScratch<T> {
    /// Begins with another node.
    pub fn begin(&mut self) {
        self.best = None;
    }

    /// Keeps what was found last.
    fn keep(&mut self, column: u32, winner: Winner<Sides>) {
        self.best = Some((column, winner));
        std::mem::swap(&mut self.search, &mut self.best_search);
    }

    fn seek(
        &mut self,
        context: &NodeContext<'_, T>,
        codes: &[u16],
        levels: u16,
        (random, cancel): (Option<Words>, &Cancel),
    ) -> Result<Option<Winner<Sides>>> {
        let criterion = context.tally.criterion();
        self.add_up(context, codes, levels)?;
        let settings = DivisionRules {
            unknowns: if context.unknowns == Absent::Branch { Unknowns::Branch } else { Unknowns::Side },
            min_leaf: context.min_levels.0,
            min_weight: context.min_levels.1,
            rounding: ROUNDING * context.tally.cost(context.total),
            ..DivisionRules::default()
        };
        match random {
            Some(words) => self.search.draw(criterion, settings, words),
            None => self.search.best(criterion, settings, SubsetRules::default(), cancel),
        }
    }

    /// Adds up the rows of each level and hands those that occur, in their order, to the search.
    fn add_up(&mut self, context: &NodeContext<'_, T>, codes: &[u16], levels: u16) -> Result<()> {
        let (width, slots) = (context.tally.criterion().width(), usize::from(levels) + 1);
        self.stats.try_reserve((slots * width).saturating_sub(self.stats.len()))?;
        self.stats.resize(self.stats.len().max(slots * width), Stat::<T>::default());
        self.counts.resize(self.counts.len().max(slots), 0);
        context.tally.by_code(context, codes, levels, &mut self.stats, &mut self.counts);
        self.occurring.clear();
        if slots <= 4 * codes.len() {
            self.occurring.extend((0..=levels).filter(|&level| self.counts[usize::from(level)] > 0));
        } else {
            self.occurring.extend(codes.iter().map(|&code| code.min(levels)));
            self.occurring.sort_unstable();
            self.occurring.dedup();
        }
        self.search.clear(width);
        for &level in &self.occurring {
            let place = usize::from(level);
            let stats = &mut self.stats[place * width..(place + 1) * width];
            let code = if level == levels { MISSING } else { u32::from(level) };
            self.search.push(code, stats, std::mem::take(&mut self.counts[place]))?;
            stats.fill(Stat::<T>::default());
        }
        Ok(())
    }
}

/// Notes in a mask which rows the first child of a question takes.
pub fn route(codes: &[u16], way: &SplitRule, mask: &mut Vec<u32>) {
    mask.clear();
    mask.resize(codes.len().div_ceil(32), 0);
    let Question::Route(route) = &way.question else { return };
    for (codes, word) in codes.chunks(32).zip(mask) {
        let first = |code: u16| route.get(usize::from(code)).copied().unwrap_or(way.missing) == 0;
        *word = codes.iter().zip(0..).fold(0, |bits, (&code, i)| bits | u32::from(first(code)) << i);
    }
}
