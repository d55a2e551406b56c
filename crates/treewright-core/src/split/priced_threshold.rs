//! The best cut of a numeric column when a cut must leave enough rows on both sides and pay for being chosen.
//!
//! Candidates lie between neighboring known numbers of the node. Their price, the bits it takes to name one of them, is
//! the same for all cuts of a column, so it moves the column's rank but never the cut.

use super::choose::Candidate;
use super::contest::Part;
use super::cuts::{Cut, Cuts};
use super::shared::{ShareRules, ThresholdAt, split_info};
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

/// A number as it is compared: rounded to single precision where the rules say so.
fn compared(number: f64, rules: &ShareRules) -> f64 {
    if rules.compare_as_f32 { f64::from(number as f32) } else { number }
}

/// The number that a question between two neighboring ranks of the node compares with.
fn threshold(column: &RankedColumn<'_>, [low, high]: [u32; 2], rules: &ShareRules) -> f64 {
    let (low, high) = (column.values()[low as usize], column.values()[high as usize]);
    threshold_between(numbers_around(column, low, high, rules), rules)
}

/// What a column knows of the threshold between two neighboring numbers of a node: as ordered bits the greatest number
/// below it, and the inverse of those of the least above it; 0 where it has none. The maximum over the parts of a column
/// is that of the whole.
fn numbers_around(column: &RankedColumn<'_>, low: f64, high: f64, rules: &ShareRules) -> [u64; 2] {
    let (low, high) = (compared(low, rules), compared(high, rules));
    let is_below = is_up_to_middle(low, high, rules);
    let is_low = |x: f64| x <= low || (rules.threshold == ThresholdAt::Value && x < high && is_below(x));
    let below = column.values().partition_point(|&x| is_low(compared(x, rules)));
    let above = column.values().partition_point(|&x| compared(x, rules) < high);
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

/// The best cut of a column, as yet without its number, in a node of this weight; None where no admissible cut is worth its
/// price.
pub fn best<C: Criterion>(
    criterion: &C,
    column: &RankedColumn<'_>,
    entries: &[Entry],
    weight: f64,
    rules: &ShareRules,
) -> Result<Option<Candidate>> {
    let mut best: Option<([u32; 2], f64, f64)> = None;
    let search = visit_cuts(criterion, column, entries, rules, |codes, saved, below| {
        if best.is_none_or(|(_, most, _)| saved > most + rules.tolerance * weight) {
            best = Some((codes, saved, below));
        }
    })?;
    let (Some((codes, saved, below)), Some((known, _, tries))) = (best, search) else { return Ok(None) };
    let parts = [weight - known, below, known - below];
    Ok(gain_and_split_info(saved, tries, parts, weight, rules).map(|(gain, split_info)| {
        let way = SplitRule::threshold(threshold(column, codes, rules), SHARE);
        Candidate { split_info, ..Candidate::new(0, gain, way) }
    }))
}

/// Every admissible cut of a node of this weight, ascending, and the price of choosing among them.
pub fn all<C: Criterion>(
    criterion: &C,
    column: &RankedColumn<'_>,
    entries: &[Entry],
    weight: f64,
    rules: &ShareRules,
) -> Result<Cuts> {
    let mut list = room(entries.len())?;
    let search = visit_cuts(criterion, column, entries, rules, |codes, saved, _| {
        let [below, above] = codes.map(|code| compared(column.values()[code as usize], rules));
        list.push(Cut { below, above, threshold: threshold(column, codes, rules), gain: saved / weight });
    })?;
    let Some((_, least, tries)) = search else { return Ok(Cuts::default()) };
    Ok(Cuts { price: price(tries, weight), tries, admissible: list.len(), least, list })
}

/// Visits all admissible cuts of a node, ascending: the codes around each, what it saves of the cost of the known rows, and
/// the weight below it. Gives the weight of the known rows, the weight that each side must have, and how many cuts were
/// tried; None where the known rows are too few.
fn visit_cuts<C: Criterion>(
    criterion: &C,
    column: &RankedColumn<'_>,
    entries: &[Entry],
    rules: &ShareRules,
    mut visit: impl FnMut([u32; 2], f64, f64),
) -> Result<Option<(f64, f64, u32)>> {
    let add = |stats: &mut [C::Stat], _: usize, entry: Entry| {
        criterion.add(stats, entry.row as usize, entry.weight);
        criterion.rows_of(entry.row as usize)
    };
    let mut sweep = Sweep::new(column.codes(), entries, criterion.width(), add)?;
    let (known, before) = (criterion.weight(&sweep.known.stats), criterion.cost(&sweep.known.stats));
    if known < 2.0 * rules.min_cases - rules.tolerance {
        return Ok(None);
    }
    let are_apart = |codes: [u32; 2]| match codes.map(|code| column.values()[code as usize]) {
        [low, high] if rules.compare_as_f32 => are_singles_apart(low as f32, high as f32),
        [low, high] => are_doubles_apart(low, high),
    };
    sweep.sort();
    let least = least_weight(known, criterion.width(), rules);
    let mut tries = 0;
    sweep.run(|codes, low: &Part<C::Stat>, high| {
        let below = criterion.weight(&low.stats);
        if below > known - least + rules.tolerance {
            return ControlFlow::Break(());
        }
        if below < least - rules.tolerance || !are_apart(codes) {
            return ControlFlow::Continue(());
        }
        tries += 1;
        if below.min(known - below) >= rules.min_cases - rules.tolerance {
            visit(codes, before - criterion.cost(&low.stats) - criterion.cost(&high.stats), below);
        }
        ControlFlow::Continue(())
    })?;
    Ok(Some((known, least, tries)))
}

/// The weight that each side of a cut must have, given that of the rows with a number: a tenth of an even share of each
/// class, but no less than `min_cases` and no more than 25.
pub fn least_weight(known: f64, classes: usize, rules: &ShareRules) -> f64 {
    let tenth = 0.1 * known / classes as f64;
    if tenth <= rules.min_cases { rules.min_cases } else { tenth.min(25.0) }
}

/// The gain of a column's best cut in a node of this weight, less the price of choosing it among so many, and the
/// information of the split; None where it is not worth its price. The parts are the rows without a number, those below the
/// cut and those above it.
pub fn gain_and_split_info(
    saved: f64,
    tries: u32,
    parts: [f64; 3],
    weight: f64,
    rules: &ShareRules,
) -> Option<(f64, f64)> {
    let gain = saved / weight - price(tries, weight);
    (gain > rules.tolerance).then(|| (gain, split_info(parts.into_iter(), weight)))
}

/// A cut that saves no more than this is not worth its price: no less than rounding takes off [`gain_and_split_info`].
pub fn least_saved(tries: u32, weight: f64, rules: &ShareRules) -> f64 {
    (price(tries, weight) + rules.tolerance) * weight * PAID_PRICE
}

/// The bits it takes to name one of so many cuts, per unit of a node's weight.
fn price(tries: u32, weight: f64) -> f64 {
    if tries > 1 { libm::log2(f64::from(tries)) / weight } else { 0.0 }
}
