//! Surrogates: how well one column's question can send rows the way another column's question sends them.
//!
//! Glossary: a row is *sent* by the node's own question to child 0 or 1, or not at all; it is *counted* for a column if
//! it was sent and the column's value is known. To *agree* is to send a counted row the same way.

use super::sweep::Sweep;
use crate::Result;
use crate::codes::ordered::midpoint;
use crate::codes::ranks::RankedColumn;
use crate::data::table::MISSING;
use crate::model::alternatives::{AlternativeSplit, SURROGATE};
use crate::model::tree::{Question, STOP};
use crate::stats::entry::Entry;
use crate::sys::memory::filled;
use crate::tolerance::SURROGATE_MERIT;
use std::ops::ControlFlow;

/// Where a row goes that neither the own question nor a surrogate can send on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Undecided {
    /// To the heavier child, the second where both weigh the same.
    Heavier,
    /// To the heavier child, and nowhere where both weigh the same.
    HeavierOrStay,
    /// Nowhere.
    Stay,
}

/// In which unit a saving must not vanish beside the largest one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SavingUnit {
    /// The criterion's own.
    Cost,
    /// Shares of the node's cost.
    Share,
}

/// The rules in which learners with surrogates differ.
#[derive(Clone, Copy, Debug)]
pub struct SurrogateRules {
    /// How many surrogates a node keeps at most.
    pub max_surrogates: usize,
    /// How many competitors a node keeps at most.
    pub max_competitors: usize,
    /// Agreement is a share of the counted rows of the column, else of all rows that were sent.
    pub of_known: bool,
    /// A question about levels must disagree with at least two rows; a perfect imitation is not taken.
    pub imperfect: bool,
    /// Where undecided rows go while the tree grows.
    pub undecided: Undecided,
    /// A split must save this share of the largest saving so far, so that rounding makes no splits; None takes all.
    pub vanishing: Option<(f64, SavingUnit)>,
}

/// Rows on either side that a cut must leave, and rows that levels must agree with.
pub const MIN_ROWS: u32 = 2;

/// The best surrogate by one column; None where it does no better than the heavier side. `sides` holds for each entry the
/// child that the node's own question sends it to, or [`STOP`].
pub fn best(
    feature: u32,
    column: &RankedColumn<'_>,
    entries: &[Entry],
    sides: &[u16],
    rules: &SurrogateRules,
) -> Result<Option<AlternativeSplit>> {
    let best = if column.is_numeric() {
        best_cut(column, entries, sides)?.map(|(cut, below, agree)| (Question::Threshold(cut), below, agree))
    } else {
        best_route(column, entries, sides, rules.imperfect)?.map(|(route, agree)| (Question::Route(route), 0, agree))
    };
    let Some((question, below, agree)) = best else { return Ok(None) };
    let mut sent = [0u64; 2];
    for (entry, &side) in entries.iter().zip(sides) {
        let known = column.codes()[entry.row as usize] != MISSING;
        if let (Some(sent), true) = (sent.get_mut(side as usize), known || !rules.of_known) {
            *sent += entry.weight;
        }
    }
    Ok(judge(feature, (question, below), agree, sent))
}

/// A question as a surrogate that agrees with so much of the weight that was sent to either side; None where it does no
/// better than the heavier side. `below` is the child of numbers up to a cut.
pub fn judge(feature: u32, (question, below): (Question, u16), agree: u64, sent: [u64; 2]) -> Option<AlternativeSplit> {
    let (all, most) = (sent[0] + sent[1], sent[0].max(sent[1]));
    let adjusted = (agree as f64 - most as f64) / (all - most) as f64;
    let merit = agree as f64 / all as f64;
    let spare = AlternativeSplit { role: SURROGATE, feature, question, below, merit, adjusted, count: 0 };
    (adjusted > SURROGATE_MERIT).then_some(spare)
}

/// The cut that agrees most, the child of numbers up to it, and the agreeing weight. The first best.
fn best_cut(column: &RankedColumn<'_>, entries: &[Entry], sides: &[u16]) -> Result<Option<(f64, u16, u64)>> {
    // The weight that was sent to each side, and how many rows were sent.
    let add = |stats: &mut [u64], position: usize, entry: Entry| {
        let side = sides[position] as usize;
        if side < 2 {
            stats[side] += entry.weight;
            stats[2] += 1;
        }
        1
    };
    let mut sweep = Sweep::new(column.codes(), entries, 3, add)?;
    sweep.sort();
    let mut most = sweep.known.stats[0].max(sweep.known.stats[1]);
    let mut best = None;
    sweep.run(|codes, low, high| {
        let (low, high) = (&low.stats, &high.stats);
        if low[2].min(high[2]) >= u64::from(MIN_ROWS) {
            for below in [0, 1] {
                let agree = low[below] + high[1 - below];
                if agree > most {
                    most = agree;
                    best = Some((codes, below as u16));
                }
            }
        }
        ControlFlow::Continue(())
    })?;
    let value = |code: u32| column.values()[code as usize];
    Ok(best.map(|([low, high], below)| (midpoint(value(low), value(high)), below, most)))
}

/// Each level to the side where it has more weight, and the agreeing weight; levels without counted rows answer nothing.
fn best_route(
    column: &RankedColumn<'_>,
    entries: &[Entry],
    sides: &[u16],
    imperfect: bool,
) -> Result<Option<(Vec<u16>, u64)>> {
    let mut sent = filled([(0u64, 0u32); 2], column.levels() as usize)?;
    let mut total = [0u64; 2];
    for (entry, &side) in entries.iter().zip(sides) {
        let code = column.codes()[entry.row as usize];
        if code != MISSING && side != STOP {
            let (weight, rows) = &mut sent[code as usize][side as usize];
            *weight += entry.weight;
            *rows += 1;
            total[side as usize] += entry.weight;
        }
    }
    let heavier = u16::from(total[1] >= total[0]);
    let (mut agree, mut agreeing, mut others) = (0, 0, 0);
    let route = sent.iter().map(|sides| {
        let side = match sides[0].0.cmp(&sides[1].0) {
            std::cmp::Ordering::Greater => 0,
            std::cmp::Ordering::Less => 1,
            std::cmp::Ordering::Equal => heavier,
        };
        agree += sides[side as usize].0;
        agreeing += sides[side as usize].1;
        others += sides[1 - side as usize].1;
        if sides[0].1 + sides[1].1 == 0 { STOP } else { side }
    });
    let route = route.collect();
    Ok((agreeing >= MIN_ROWS && (others >= MIN_ROWS || !imperfect)).then_some((route, agree)))
}
