//! The best cut of a numeric column when a cut must leave enough rows on both sides and pay for being chosen.
//!
//! Candidates lie between neighboring known numbers of the node. Their price, the bits it takes to name one of them, is
//! the same for all cuts of a column, so it moves the column's rank but never the cut.

use super::contest::Part;
use super::cuts::{Cut, Cuts};
use super::shared::{ShareRules, SharedSplit, ThresholdAt, split_info};
use super::sweep::Sweep;
use crate::Result;
use crate::codes::ordered::{from_ordered_bits, midpoint, ordered_bits};
use crate::codes::ranks::RankedColumn;
use crate::model::tree::{SHARE, SplitRule};
use crate::peers::Peers;
use crate::stats::criterion::Criterion;
use crate::stats::entry::Entry;
use crate::sys::memory::{collected, room};
use crate::tolerance::PAID_PRICE;
use std::ops::ControlFlow;

/// Numbers closer than this are not told apart by a cut.
const MIN_GAP: f64 = 1e-5;

/// Whether a cut tells two numbers of single precision apart.
#[inline(always)]
pub fn are_singles_apart(low: f32, high: f32) -> bool {
    low < high - MIN_GAP as f32
}

/// Whether a cut tells two numbers of double precision apart.
#[inline(always)]
pub fn are_doubles_apart(low: f64, high: f64) -> bool {
    low + MIN_GAP < high
}

/// Whether a number is not above the middle of two others, for thresholds at numbers.
pub fn is_up_to_middle(low: f64, high: f64, rules: &ShareRules) -> impl Fn(f64) -> bool {
    let single = rules.compare_as_f32;
    let middle = if single { f64::from((low as f32 + high as f32) / 2.0) } else { (low + high) / 2.0 };
    let end = if single { middle } else { middle + rules.tolerance };
    move |number| if single { number <= end } else { number < end }
}

/// A numeric column and how its numbers are compared.
#[derive(Clone, Copy)]
struct Numbers<'a> {
    column: &'a RankedColumn<'a>,
    rules: &'a ShareRules,
}

impl Numbers<'_> {
    /// The number of a rank as it is compared: rounded to single precision where the rules say so.
    fn compared(&self, rank: u32) -> f64 {
        self.seen(self.column.values()[rank as usize])
    }

    fn seen(&self, number: f64) -> f64 {
        if self.rules.compare_as_f32 { f64::from(number as f32) } else { number }
    }

    /// Whether a cut tells two neighboring ranks apart.
    fn are_apart(&self, low: u32, high: u32) -> bool {
        let (low, high) = (self.compared(low), self.compared(high));
        match self.rules.compare_as_f32 {
            true => are_singles_apart(low as f32, high as f32),
            false => are_doubles_apart(low, high),
        }
    }

    /// The number that a question between two neighboring ranks of the node compares with.
    fn threshold(&self, low: u32, high: u32) -> f64 {
        let (low, high) = (self.column.values()[low as usize], self.column.values()[high as usize]);
        threshold_between(numbers_around(self.column, low, high, self.rules), self.rules)
    }
}

/// What a column knows of the threshold between two neighboring numbers of a node: as ordered bits the greatest number
/// below it, and the inverse of those of the least above it; 0 where it has none. The maximum over the parts of a column
/// is that of the whole.
fn numbers_around(column: &RankedColumn<'_>, low: f64, high: f64, rules: &ShareRules) -> [u64; 2] {
    let numbers = Numbers { column, rules };
    let (low, high) = (numbers.seen(low), numbers.seen(high));
    let is_below = is_up_to_middle(low, high, rules);
    let is_low = |x: f64| x <= low || (rules.threshold == ThresholdAt::Value && x < high && is_below(x));
    let below = column.values().partition_point(|&x| is_low(numbers.seen(x)));
    let above = column.values().partition_point(|&x| numbers.seen(x) < high);
    let greatest = below.checked_sub(1).map_or(0, |rank| ordered_bits(column.greatest(rank as u32)));
    [greatest, column.values().get(above).map_or(0, |&least| !ordered_bits(least))]
}

/// The thresholds between pairs of neighboring numbers of nodes, each with its column, given the columns of this process.
pub fn thresholds_everywhere(
    columns: &[RankedColumn<'_>],
    cuts: impl Iterator<Item = (u32, (f64, f64))>,
    rules: &ShareRules,
    peers: &dyn Peers,
) -> Result<Vec<f64>> {
    let around = |(feature, (low, high)): (u32, _)| numbers_around(&columns[feature as usize], low, high, rules);
    let mut words: Vec<u64> = cuts.flat_map(around).collect();
    peers.max(&mut words)?;
    collected(words.chunks_exact(2).map(|pair| threshold_between([pair[0], pair[1]], rules)))
}

/// The threshold, given what the whole column knows of it.
fn threshold_between([below, above]: [u64; 2], rules: &ShareRules) -> f64 {
    match rules.threshold {
        ThresholdAt::Value => from_ordered_bits(below),
        ThresholdAt::Midpoint => midpoint(from_ordered_bits(below), from_ordered_bits(!above)),
    }
}

/// The best cut of a node of this weight; None where no admissible cut is worth its price.
pub fn best<C: Criterion>(
    criterion: &C,
    column: &RankedColumn<'_>,
    entries: &[Entry],
    weight: f64,
    rules: &ShareRules,
) -> Result<Option<SharedSplit>> {
    let (mut saved, mut best) = (0.0, None);
    let sweep = Search { criterion, numbers: Numbers { column, rules }, weight }.run(entries, |cut| {
        if best.is_none() || cut.saved > saved + rules.tolerance * weight {
            (saved, best) = (cut.saved, Some(cut));
        }
    })?;
    let (Some(cut), Some(tried)) = (best, sweep) else { return Ok(None) };
    let weights = CutWeights { all: weight, known: tried.known, below: cut.below };
    let figures = gain_and_split_info(saved, tried.tries, weights, rules);
    let way = || SplitRule::threshold(Numbers { column, rules }.threshold(cut.codes[0], cut.codes[1]), SHARE);
    Ok(figures.map(|(gain, split_info)| SharedSplit { gain, split_info, way: way() }))
}

/// Every admissible cut of a node of this weight, ascending, and the price of choosing among them.
pub fn all<C: Criterion>(
    criterion: &C,
    column: &RankedColumn<'_>,
    entries: &[Entry],
    weight: f64,
    rules: &ShareRules,
) -> Result<Cuts> {
    let (numbers, mut admissible) = (Numbers { column, rules }, room(entries.len())?);
    let Some(tried) = Search { criterion, numbers, weight }.run(entries, |cut| admissible.push(cut))? else {
        return Ok(Cuts::default());
    };
    let list = admissible.into_iter().map(|AdmissibleCut { codes: [low, high], saved, .. }| Cut {
        below: numbers.compared(low),
        above: numbers.compared(high),
        threshold: numbers.threshold(low, high),
        gain: saved / weight,
    });
    let list: Vec<Cut> = collected(list)?;
    Ok(Cuts { price: tried.price, tries: tried.tries, admissible: list.len(), least: tried.least, list })
}

/// A search for cuts in a node of this weight, rows with a missing value included.
struct Search<'a, C> {
    criterion: &'a C,
    numbers: Numbers<'a>,
    weight: f64,
}

/// One admissible cut.
struct AdmissibleCut {
    /// The codes around it.
    codes: [u32; 2],
    /// What it saves of the cost of the known rows.
    saved: f64,
    /// The weight below it.
    below: f64,
}

/// What a search went through.
struct Tried {
    /// The weight of the rows with a number.
    known: f64,
    /// The weight that each side must have.
    least: f64,
    /// How many cuts were tried.
    tries: u32,
    /// The bits it takes to name one of them, per unit of the node's weight.
    price: f64,
}

impl<C: Criterion> Search<'_, C> {
    /// Visits all admissible cuts, ascending; None where the known rows are too few.
    fn run(&self, entries: &[Entry], mut visit: impl FnMut(AdmissibleCut)) -> Result<Option<Tried>> {
        let (criterion, rules) = (self.criterion, self.numbers.rules);
        let add = |stats: &mut [C::Stat], _: usize, entry: Entry| {
            criterion.add(stats, entry.row as usize, entry.weight);
            criterion.rows_of(entry.row as usize)
        };
        let mut sweep = Sweep::new(self.numbers.column.codes(), entries, criterion.width(), add)?;
        let (known, before) = (criterion.weight(&sweep.known.stats), criterion.cost(&sweep.known.stats));
        if known < 2.0 * rules.min_cases - rules.tolerance {
            return Ok(None);
        }
        sweep.sort();
        let least = least_weight(known, criterion.width(), rules);
        let mut tries = 0;
        sweep.run(|codes, low: &Part<C::Stat>, high| {
            let below = criterion.weight(&low.stats);
            if below > known - least + rules.tolerance {
                return ControlFlow::Break(());
            }
            if below < least - rules.tolerance || !self.numbers.are_apart(codes[0], codes[1]) {
                return ControlFlow::Continue(());
            }
            tries += 1;
            if below.min(known - below) >= rules.min_cases - rules.tolerance {
                let saved = before - criterion.cost(&low.stats) - criterion.cost(&high.stats);
                visit(AdmissibleCut { codes, saved, below });
            }
            ControlFlow::Continue(())
        })?;
        Ok(Some(Tried { known, least, tries, price: price(tries, self.weight) }))
    }
}

/// The weight that each side of a cut must have, given that of the rows with a number: a tenth of an even share of each
/// class, but no less than `min_cases` and no more than 25.
pub fn least_weight(known: f64, classes: usize, rules: &ShareRules) -> f64 {
    let tenth = 0.1 * known / classes as f64;
    if tenth <= rules.min_cases { rules.min_cases } else { tenth.min(25.0) }
}

/// The weights that a cut divides.
#[derive(Clone, Copy, Debug)]
pub struct CutWeights {
    /// All rows of the node.
    pub all: f64,
    /// Rows with a number.
    pub known: f64,
    /// Rows below the cut.
    pub below: f64,
}

/// The gain of a column's best cut, less the price of choosing it among so many, and the information of the split; None
/// where it is not worth its price.
pub fn gain_and_split_info(saved: f64, tries: u32, weights: CutWeights, rules: &ShareRules) -> Option<(f64, f64)> {
    let CutWeights { all, known, below } = weights;
    let gain = saved / all - price(tries, all);
    (gain > rules.tolerance).then(|| (gain, split_info([all - known, below, known - below].into_iter(), all)))
}

/// A cut that saves no more than this is not worth its price: no less than rounding takes off [`gain_and_split_info`].
pub fn least_saved(tries: u32, weight: f64, rules: &ShareRules) -> f64 {
    (price(tries, weight) + rules.tolerance) * weight * PAID_PRICE
}

/// The bits it takes to name one of so many cuts, per unit of a node's weight.
fn price(tries: u32, weight: f64) -> f64 {
    if tries > 1 { libm::log2(f64::from(tries)) / weight } else { 0.0 }
}
