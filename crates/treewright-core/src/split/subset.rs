//! The best division of a categorical column's levels into two sets.
//!
//! Of two classes, and of numbers, the best sets are found exactly by ordering the levels by the share of the second
//! class, or by the mean, and trying every beginning of that order (Breiman et al. 1984, 4.2; for any concave cost). Of
//! more classes, every division is tried while the node has few levels; with many, the levels are ordered along the
//! first principal component of their class shares (Coppersmith, Hong and Hosking 1999), which is close to the best.
//! Where a child needs more than one row, the best admissible sets need not be a beginning of the order: then, too,
//! every division of few levels is tried.
//!
//! What must stay true: levels stand in their order, and ties keep it; the first level that occurs in the node is in
//! the first set; levels that do not occur go with the heavier set.

use super::contest::{Contest, DivisionRules, Part, Winner};
use super::principal::scores;
use super::unknowns::Unknowns;
use crate::Result;
use crate::codes::ordered::sort_by_value;
use crate::codes::ranks::RankedColumn;
use crate::data::table::MISSING;
use crate::model::tree::{Question, STOP, SplitRule};
use crate::rng::Words;
use crate::stats::criterion::{Criterion, merge, remove};
use crate::stats::entry::Entry;
use crate::sys::memory::{collected, filled};
use crate::sys::pool::Cancel;
use std::ops::{AddAssign, SubAssign};

/// What levels become that do not occur in the node.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Unused {
    /// They go with the heavier set.
    #[default]
    Heavier,
    /// The question does not answer them.
    Unanswered,
}

/// How the levels of a node are divided.
#[derive(Clone, Copy, Debug)]
pub struct SubsetRules {
    /// What becomes of levels that do not occur.
    pub unused: Unused,
    /// The most levels of which every division is tried.
    pub exhaustive: usize,
    /// Whether two classes, and numbers, are left to the order even where a child needs more than one row.
    pub ordered_only: bool,
}

impl Default for SubsetRules {
    fn default() -> SubsetRules {
        SubsetRules { unused: Unused::Heavier, exhaustive: 10, ordered_only: false }
    }
}

/// Divisions that are tried between two looks at the cancel flag.
const DIVISIONS_BETWEEN_CHECKS: u32 = 1 << 12;

/// The rows of a node by their level, those that occur in the order of the levels and perhaps missing values behind
/// them; and room to divide them.
#[derive(Debug, Default)]
pub struct SubsetSearch<S> {
    codes: Vec<u32>,
    counts: Vec<u32>,
    /// The statistics of each level, one after the other.
    stats: Vec<S>,
    width: usize,
    scores: Vec<f64>,
    /// The levels by their scores.
    order: Vec<usize>,
    sides: [Part<S>; 2],
}

/// A division of the levels.
#[derive(Clone, Debug)]
pub enum Sides {
    /// The first so many of their order are the first set.
    Beginning(usize),
    /// For each level whether it is in the second set.
    Each(Vec<bool>),
}

/// What is left of the node's cost after the best division, and the division; None where nothing can be told apart.
pub fn best<C: Criterion>(
    criterion: &C,
    column: &RankedColumn<'_>,
    entries: &[Entry],
    rules: DivisionRules,
    sets: SubsetRules,
    cancel: &Cancel,
) -> Result<Option<(f64, SplitRule)>> {
    let mut search = SubsetSearch::of(criterion, column, entries)?;
    let Some(winner) = search.best(criterion, rules, sets, cancel)? else { return Ok(None) };
    Ok(Some((winner.cost, search.way(&winner, column.levels(), sets.unused)?)))
}

/// A random division into two sets, each with a level that occurs; all such divisions are as likely.
pub fn random<C: Criterion>(
    criterion: &C,
    column: &RankedColumn<'_>,
    entries: &[Entry],
    rules: DivisionRules,
    words: Words,
) -> Result<Option<(f64, SplitRule)>> {
    let mut search = SubsetSearch::of(criterion, column, entries)?;
    let Some(winner) = search.draw(criterion, rules, words)? else { return Ok(None) };
    Ok(Some((winner.cost, search.way(&winner, column.levels(), Unused::Heavier)?)))
}

impl<S: Copy + Default + AddAssign + SubAssign> SubsetSearch<S> {
    /// Adds up the rows of each level that occurs; where the column has many levels, the time does not depend on them.
    pub fn of<C: Criterion<Stat = S>>(
        criterion: &C,
        column: &RankedColumn<'_>,
        entries: &[Entry],
    ) -> Result<SubsetSearch<S>> {
        let mut search = SubsetSearch { width: criterion.width(), ..SubsetSearch::default() };
        let (levels, width) = (column.levels() as usize, search.width);
        if (levels + 1) * width <= entries.len() {
            let mut counts = filled(0, levels + 1)?;
            let mut stats = filled(S::default(), (levels + 1) * width)?;
            for entry in entries {
                // Missing values stand behind the last level.
                let level = levels.min(column.codes()[entry.row as usize] as usize);
                counts[level] += criterion.rows_of(entry.row as usize);
                criterion.add(&mut stats[level * width..][..width], entry.row as usize, entry.weight);
            }
            for level in (0..=levels).filter(|&level| counts[level] > 0) {
                let code = if level == levels { MISSING } else { level as u32 };
                search.push(code, &stats[level * width..][..width], counts[level])?;
            }
            return Ok(search);
        }
        let mut order: Vec<(u32, Entry)> = collected(entries.iter().map(|&e| (column.codes()[e.row as usize], e)))?;
        order.sort_unstable_by_key(|(code, entry)| (*code, entry.row));
        // The code of a missing value is the greatest of all.
        for run in order.chunk_by(|a, b| a.0 == b.0) {
            let start = search.stats.len();
            search.stats.try_reserve(search.width)?;
            search.stats.resize(start + search.width, S::default());
            run.iter()
                .for_each(|(_, entry)| criterion.add(&mut search.stats[start..], entry.row as usize, entry.weight));
            search.codes.push(run[0].0);
            search.counts.push(run.iter().map(|(_, entry)| criterion.rows_of(entry.row as usize)).sum());
        }
        Ok(search)
    }

    /// The levels that occur, missing values last: the code, the statistics and the number of rows of each.
    pub fn levels(&self) -> impl Iterator<Item = (u32, &[S], u32)> {
        (0..self.codes.len()).map(|level| (self.codes[level], self.stats_of(level), self.counts[level]))
    }

    /// Draws a division of the levels; see [`random`].
    pub fn draw<C: Criterion<Stat = S>>(
        &mut self,
        criterion: &C,
        rules: DivisionRules,
        mut words: Words,
    ) -> Result<Option<Winner<Sides>>> {
        self.hold_contest(criterion, rules, |search, contest| {
            let count = search.codes.len();
            if count < 2 {
                return Ok(true);
            }
            let mut second = vec![false; count];
            while second.iter().all(|&side| side == second[0]) {
                second.iter_mut().for_each(|side| *side = words.word() >> 31 == 1);
            }
            let mut parts = [Part::empty(criterion.width())?, Part::empty(criterion.width())?];
            second.iter().enumerate().for_each(|(level, side)| search.join(level, &mut parts[usize::from(*side)]));
            contest.offer(&parts[0], &parts[1], || Sides::Each(second.clone()));
            Ok(false)
        })
    }

    /// Makes room for levels described by so many integers each.
    pub fn clear(&mut self, width: usize) {
        self.codes.clear();
        self.counts.clear();
        self.stats.clear();
        self.width = width;
    }

    /// Adds a level behind the others, or missing values behind all.
    pub fn push(&mut self, code: u32, stats: &[S], count: u32) -> Result<()> {
        self.codes.push(code);
        self.counts.push(count);
        self.stats.try_reserve(stats.len())?;
        self.stats.extend_from_slice(stats);
        Ok(())
    }

    /// The best division.
    pub fn best<C: Criterion<Stat = S>>(
        &mut self,
        criterion: &C,
        rules: DivisionRules,
        sets: SubsetRules,
        cancel: &Cancel,
    ) -> Result<Option<Winner<Sides>>> {
        self.hold_contest(criterion, rules, |search, contest| {
            search.offer_divisions(criterion, &sets, contest, cancel)?;
            Ok(true)
        })
    }

    /// Holds the contest of a column, in which `offer` offers divisions and says whether missing values may be told
    /// from all others besides.
    fn hold_contest<C: Criterion<Stat = S>>(
        &mut self,
        criterion: &C,
        rules: DivisionRules,
        offer: impl FnOnce(&mut SubsetSearch<S>, &mut Contest<'_, C, Sides>) -> Result<bool>,
    ) -> Result<Option<Winner<Sides>>> {
        let (none, mut absent) = (Part::default(), Part::default());
        let gaps = self.codes.last() == Some(&MISSING);
        if gaps {
            absent.reset(self.width)?;
            self.join(self.codes.len() - 1, &mut absent);
        }
        // A direction for missing values is one more level to place.
        let probe: Contest<'_, C, ()> = Contest::new(criterion, rules, &absent)?;
        let placed = matches!(probe.rules().unknowns, Unknowns::Side) && absent.count > 0;
        if gaps && !placed {
            self.codes.pop();
            self.counts.pop();
        }
        let mut contest = Contest::new(criterion, rules, if placed { &none } else { &absent })?;
        if offer(self, &mut contest)? && !placed && gaps {
            let mut known = Part::empty(self.width)?;
            (0..self.codes.len()).for_each(|level| self.join(level, &mut known));
            contest.offer_known(&known, || Sides::Each(vec![false; self.codes.len()]));
        }
        Ok(contest.winner())
    }

    fn join(&self, level: usize, part: &mut Part<S>) {
        merge(&mut part.stats, self.stats_of(level));
        part.count += self.counts[level];
    }

    fn leave(&self, level: usize, part: &mut Part<S>) {
        remove(&mut part.stats, self.stats_of(level));
        part.count -= self.counts[level];
    }

    fn stats_of(&self, level: usize) -> &[S] {
        &self.stats[level * self.width..(level + 1) * self.width]
    }

    /// Offers divisions.
    fn offer_divisions<C: Criterion<Stat = S>>(
        &mut self,
        criterion: &C,
        sets: &SubsetRules,
        contest: &mut Contest<'_, C, Sides>,
        cancel: &Cancel,
    ) -> Result<()> {
        let count = self.codes.len();
        if count < 2 {
            return Ok(());
        }
        let mut sides = std::mem::take(&mut self.sides);
        sides.iter_mut().try_for_each(|side| side.reset(self.width))?;
        (0..count).for_each(|level| self.join(level, &mut sides[1]));
        let ordered = criterion.outputs() <= 2 && (sets.ordered_only || contest.rules().min_leaf <= 1);
        if !ordered && count <= sets.exhaustive {
            self.offer_every_division(&mut sides, contest, cancel)?;
        } else {
            self.offer_beginnings(criterion, &mut sides, contest, cancel)?;
        }
        self.sides = sides;
        Ok(())
    }

    /// The beginnings of the order by scores; all levels are on the second side.
    fn offer_beginnings<C: Criterion<Stat = S>>(
        &mut self,
        criterion: &C,
        [low, high]: &mut [Part<S>; 2],
        contest: &mut Contest<'_, C, Sides>,
        cancel: &Cancel,
    ) -> Result<()> {
        let count = self.codes.len();
        scores(criterion, &self.stats[..count * self.width], &mut self.scores, cancel)?;
        self.order.clear();
        self.order.extend(0..count);
        sort_by_value(&mut self.order, &self.scores);
        for i in 0..count - 1 {
            self.join(self.order[i], low);
            self.leave(self.order[i], high);
            contest.offer(low, high, || Sides::Beginning(i + 1));
        }
        Ok(())
    }

    /// All divisions, in the order in which one level at a time changes sides; the last level never does.
    fn offer_every_division<C: Criterion<Stat = S>>(
        &self,
        [low, high]: &mut [Part<S>; 2],
        contest: &mut Contest<'_, C, Sides>,
        cancel: &Cancel,
    ) -> Result<()> {
        let moving = self.codes.len() - 1;
        let mut second = vec![true; self.codes.len()];
        for step in 1u32..1 << moving {
            if step % DIVISIONS_BETWEEN_CHECKS == 0 {
                cancel.check()?;
            }
            let level = step.trailing_zeros() as usize;
            let (from, to) = if second[level] { (&mut *high, &mut *low) } else { (&mut *low, &mut *high) };
            self.leave(level, from);
            self.join(level, to);
            second[level] = !second[level];
            contest.offer(low, high, || Sides::Each(second.clone()));
        }
        Ok(())
    }

    /// The question of a division that was found here.
    pub fn way(&self, winner: &Winner<Sides>, levels: u32, unused: Unused) -> Result<SplitRule> {
        match &winner.offer {
            Sides::Each(second) => way(&self.codes, second, winner, levels, unused),
            Sides::Beginning(count) => {
                let mut second = vec![true; self.codes.len()];
                self.order[..*count].iter().for_each(|&level| second[level] = false);
                way(&self.codes, &second, winner, levels, unused)
            }
        }
    }
}

/// The question of a division. `codes` may end with the missing value, which was placed like a level.
fn way(codes: &[u32], second: &[bool], winner: &Winner<Sides>, levels: u32, unused: Unused) -> Result<SplitRule> {
    // The first level that occurs is in the first set; a branch of missing values stays the third.
    let swapped = u16::from(second[0]);
    let child = |side: u16| if side < 2 { side ^ swapped } else { side };
    let sides = codes.iter().zip(second.iter().map(|&second| child(u16::from(second))));
    let heavier = winner.heavier.map_or(1, child);
    // A set of missing values alone takes no other value.
    let named = sides.clone().any(|(&code, side)| code != MISSING && side == heavier);
    let elsewhere = match unused {
        Unused::Unanswered => STOP,
        Unused::Heavier if named => heavier,
        Unused::Heavier => 1 - heavier,
    };
    let mut route = filled(elsewhere, levels as usize)?;
    let mut missing = winner.missing.map_or(heavier, child);
    for (&code, side) in sides {
        match route.get_mut(code as usize) {
            Some(entry) => *entry = side,
            None => missing = side,
        }
    }
    Ok(SplitRule { question: Question::Route(route), children: winner.children, missing })
}
