//! The best cut of a column among the rows that have a number there: one pass over them in order.
//!
//! What a cut saves is estimated while it moves; only cuts that may be the best are judged by the criterion itself. So the
//! cut and what it saves are those of [`crate::split::threshold`] to the last bit.

use crate::Result;
use crate::rows::list::ListNode;
use crate::rows::sorted::item::{key_of, place_of};
use crate::split::contest::{Contest, DivisionRules, Part, Winner};
use crate::stats::criterion::Criterion;
use crate::stats::entry::Entry;

/// What a cut saves, about, while it passes the rows of a column.
pub trait Estimate<C: Criterion> {
    /// Whether [`Estimate::saved`] takes less time than a wrong guess of the processor.
    const IS_CHEAP: bool;

    /// Adds rows to the statistics of a set.
    fn add(&self, stats: &mut [C::Stat], items: &[u64]);
    /// Puts all known rows of a column above the cut; they add up to `known`.
    fn begin(&mut self, items: &[u64], known: &[C::Stat]);
    /// The cut passes a row.
    fn pass(&mut self, item: u64);
    /// The cut passes rows if it surely saves less than the bar all the way; else it stays, and the answer is false.
    fn pass_poor_cuts(&mut self, _: &[u64], _bar: f64) -> bool {
        false
    }
    /// The cut passes rows, at most [`BLOCK`] and no fewer than [`FEWEST_OF_A_BLOCK`], and tells about what it saves behind
    /// each; where that is no faster than one by one, it stays, and the answer is None.
    fn pass_block(&mut self, _: &[u64]) -> Option<[f64; BLOCK]> {
        None
    }
    /// About what the present cut saves.
    fn saved(&self) -> f64;
    /// How far that may be from the truth in a column whose known rows cost so much.
    fn error(&self, cost: f64) -> f64;
}

/// Memory to judge cuts.
#[derive(Debug)]
pub struct CutScratch<S> {
    known: Part<S>,
    low: Part<S>,
    high: Part<S>,
    /// Cuts that may be the best, by how many rows are below them, and what they save, about.
    likely: Vec<(usize, f64)>,
}

impl<S: Copy + Default + std::ops::AddAssign + std::ops::SubAssign> CutScratch<S> {
    /// For sets that so many integers describe.
    pub fn new(width: usize) -> Result<CutScratch<S>> {
        let [known, low, high] = [Part::empty(width)?, Part::empty(width)?, Part::empty(width)?];
        Ok(CutScratch { known, low, high, likely: Vec::new() })
    }
}

/// The best cut among the known rows of a node given in order, told by how many are below it, and what the rows cost
/// before it.
pub fn best_cut<C: Criterion>(
    (criterion, node): (&C, &ListNode<C::Stat>),
    items: &[u64],
    estimate: &mut impl Estimate<C>,
    scratch: &mut CutScratch<C::Stat>,
    rules: impl FnOnce(f64) -> DivisionRules,
) -> Result<Option<(Winner<usize>, f64)>> {
    if items.len() < 2 {
        return Ok(None);
    }
    let CutScratch { known, low, high, likely } = scratch;
    if items.len() == node.entries.len() {
        known.stats.copy_from_slice(&node.stats);
    } else {
        known.reset(criterion.width())?;
        estimate.add(&mut known.stats, items);
    }
    known.count = items.len() as u32;
    let cost = criterion.cost(&known.stats);
    let rules = rules(cost);
    let least = rules.min_leaf.max(1) as usize;
    if items.len() < 2 * least {
        return Ok(None);
    }
    estimate.begin(items, &known.stats);
    let bar = list_cuts(items, estimate, least, ESTIMATES_APART * estimate.error(cost), likely)?;
    let none = Part::default();
    let mut contest = Contest::new(criterion, rules, &none)?;
    low.reset(criterion.width())?;
    let mut added = 0;
    for &(below, _) in likely.iter().filter(|(_, saved)| is_near(*saved, bar)) {
        estimate.add(&mut low.stats, &items[added..below]);
        (added, low.count) = (below, below as u32);
        high.clone_from(known);
        high.leave(low);
        contest.offer(low, high, || below);
        if contest.least() == 0.0 {
            // Nothing costs less.
            break;
        }
    }
    Ok(contest.winner().map(|winner| (winner, cost)))
}

/// Two estimates of equal savings differ by two errors at most; costs that rounding makes differ are close by.
const ESTIMATES_APART: f64 = 3.0;

/// Rows that are passed at once where no cut among them is worth a look.
pub const BLOCK: usize = 32;

/// What a block saves is computed for all places of a block: fewer rows are quicker looked at one by one.
const FEWEST_OF_A_BLOCK: usize = 20;

/// Whether an estimate reaches a bar; one that is no number might.
#[inline]
fn is_near(saved: f64, bar: f64) -> bool {
    saved >= bar || saved.is_nan()
}

/// Lists the cuts that may be the best and others, with at least so many rows on either side. Tells the bar that the
/// estimates of the former reach: the largest of all, less the margin.
fn list_cuts<C: Criterion, E: Estimate<C>>(
    items: &[u64],
    estimate: &mut E,
    least: usize,
    margin: f64,
    likely: &mut Vec<(usize, f64)>,
) -> Result<f64> {
    likely.clear();
    items[..least - 1].iter().for_each(|item| estimate.pass(*item));
    let mut bar = f64::NEG_INFINITY;
    for start in (least..=items.len() - least).step_by(BLOCK) {
        let pairs = &items[start - 1..(start + BLOCK).min(items.len() - least + 1)];
        if bar > f64::NEG_INFINITY && estimate.pass_poor_cuts(&pairs[..pairs.len() - 1], bar) {
            continue;
        }
        if pairs.len() > FEWEST_OF_A_BLOCK
            && let Some(savings) = estimate.pass_block(&pairs[..pairs.len() - 1])
        {
            bar = list_cuts_of_block(start, pairs, savings, (bar, margin), likely)?;
            continue;
        }
        for (below, pair) in (start..).zip(pairs.windows(2)) {
            estimate.pass(pair[0]);
            let is_cut = key_of(pair[0]) != key_of(pair[1]);
            if !E::IS_CHEAP && !is_cut {
                continue;
            }
            let saved = estimate.saved();
            if is_near(saved, bar) && is_cut {
                likely.try_reserve(1)?;
                likely.push((below, saved));
                // (The larger one, where the other is no number.)
                bar = bar.max(saved - margin);
            }
        }
    }
    Ok(bar)
}

/// The same for the cuts of one block, whose savings are known; tells the new bar.
fn list_cuts_of_block(
    start: usize,
    pairs: &[u64],
    mut savings: [f64; BLOCK],
    (mut bar, margin): (f64, f64),
    likely: &mut Vec<(usize, f64)>,
) -> Result<f64> {
    let mut most = f64::NEG_INFINITY;
    for (saved, pair) in savings.iter_mut().zip(pairs.windows(2)) {
        // No branch that a processor would have to guess.
        let is_cut = key_of(pair[0]) != key_of(pair[1]);
        *saved = if is_cut { *saved } else { f64::NEG_INFINITY };
        most = most.max(*saved);
    }
    bar = bar.max(most - margin);
    for (below, saved) in (start..).zip(&savings[..pairs.len() - 1]) {
        if is_near(*saved, bar) && *saved != f64::NEG_INFINITY {
            likely.try_reserve(1)?;
            likely.push((below, *saved));
        }
    }
    Ok(bar)
}

/// No estimate: every cut is judged.
#[derive(Debug)]
pub struct Unestimated<'a, C> {
    /// The criterion.
    pub criterion: &'a C,
    /// The rows by their places.
    pub entries: &'a [Entry],
}

impl<C: Criterion> Estimate<C> for Unestimated<'_, C> {
    const IS_CHEAP: bool = true;

    fn add(&self, stats: &mut [C::Stat], items: &[u64]) {
        for item in items {
            let entry = self.entries[place_of(*item) as usize];
            self.criterion.add(stats, entry.row as usize, entry.weight);
        }
    }

    fn begin(&mut self, _: &[u64], _: &[C::Stat]) {}

    fn pass(&mut self, _: u64) {}

    fn saved(&self) -> f64 {
        f64::INFINITY
    }

    fn error(&self, _: f64) -> f64 {
        0.0
    }
}
