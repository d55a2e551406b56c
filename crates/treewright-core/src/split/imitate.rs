//! Surrogates: how well one column's question can send rows the way another column's question sends them.
//!
//! Glossary: a row is *sent* by the node's own question to child 0 or 1, or not at all; it is *counted* for a column if
//! it was sent and the column's value is known. To *agree* is to send a counted row the same way.

use crate::Result;
use crate::data::table::MISSING;
use crate::model::spares::{SURROGATE, Spare};
use crate::model::tree::{Question, STOP};
use crate::rows::entries::Coded;
use crate::split::threshold::midpoint;
use crate::sys::memory::{filled, room};

/// A row of a node, with the weight of its case and the child that the node's own question sends it to, or [`STOP`].
#[derive(Clone, Copy, Debug)]
pub struct Sent {
    /// The row of the table.
    pub row: u32,
    /// Its weight in units.
    pub weight: u64,
    /// Where it was sent.
    pub side: u16,
}

/// What a surrogate must do.
#[derive(Clone, Copy, Debug)]
pub struct Terms {
    /// Agreement is a share of the counted rows of the column, else of all rows that were sent.
    pub of_known: bool,
    /// A question about levels must disagree with at least two rows; a perfect imitation is not taken.
    pub imperfect: bool,
}

/// Rows on either side that a cut must leave, and rows that levels must agree with.
const LEAST_ROWS: u32 = 2;
/// An imitation that is not this much better than sending everything to the heavier side is none.
const LEAST: f64 = 1e-10;

/// The best imitation by one column; None where it does no better than the heavier side.
pub fn best(feature: u32, column: &Coded<'_>, sent: &[Sent], terms: Terms) -> Result<Option<Spare>> {
    let question = if column.values().is_empty() {
        levels(column, sent, terms.imperfect)?.map(|(route, agree)| (Question::Route(route), 0, agree))
    } else {
        cut(column, sent)?.map(|(cut, below, agree)| (Question::Threshold(cut), below, agree))
    };
    let Some((question, below, agree)) = question else { return Ok(None) };
    let mut sides = [0u64; 2];
    for row in sent {
        let known = column.codes()[row.row as usize] != MISSING;
        if let (Some(side), true) = (sides.get_mut(row.side as usize), known || !terms.of_known) {
            *side += row.weight;
        }
    }
    let (all, most) = (sides[0] + sides[1], sides[0].max(sides[1]));
    let adjusted = (agree as f64 - most as f64) / (all - most) as f64;
    let merit = agree as f64 / all as f64;
    let spare = Spare { role: SURROGATE, feature, question, below, merit, adjusted, count: 0 };
    Ok((adjusted > LEAST).then_some(spare))
}

/// The cut that agrees most, the child of numbers up to it, and the agreeing weight. The first best.
fn cut(column: &Coded<'_>, sent: &[Sent]) -> Result<Option<(f64, u16, u64)>> {
    let mut order: Vec<(u32, u64, u16)> = room(sent.len())?;
    let (mut total, mut rows) = ([0u64; 2], 0);
    for row in sent {
        let code = column.codes()[row.row as usize];
        if code != MISSING {
            order.push((code, row.weight, row.side));
            if let Some(side) = total.get_mut(row.side as usize) {
                *side += row.weight;
                rows += 1;
            }
        }
    }
    order.sort_unstable();
    let mut most = total[0].max(total[1]);
    let (mut low, mut low_rows, mut best) = ([0u64; 2], 0, None);
    for pair in order.windows(2) {
        let (code, weight, side) = pair[0];
        if let Some(side) = low.get_mut(side as usize) {
            *side += weight;
            low_rows += 1;
        }
        if code == pair[1].0 || low_rows < LEAST_ROWS || rows - low_rows < LEAST_ROWS {
            continue;
        }
        for below in [0, 1] {
            let agree = low[below] + total[1 - below] - low[1 - below];
            if agree > most {
                most = agree;
                best = Some((code, pair[1].0, below as u16));
            }
        }
    }
    let between = |low: u32, high: u32| midpoint(column.values()[low as usize], column.values()[high as usize]);
    Ok(best.map(|(low, high, below)| (between(low, high), below, most)))
}

/// Each level to the side where it has more weight, and the agreeing weight; levels without counted rows answer nothing.
fn levels(column: &Coded<'_>, sent: &[Sent], imperfect: bool) -> Result<Option<(Vec<u16>, u64)>> {
    let mut tally = filled([(0u64, 0u32); 2], column.levels() as usize)?;
    let mut total = [0u64; 2];
    for row in sent {
        let code = column.codes()[row.row as usize];
        if code != MISSING && row.side != STOP {
            let (weight, rows) = &mut tally[code as usize][row.side as usize];
            *weight += row.weight;
            *rows += 1;
            total[row.side as usize] += row.weight;
        }
    }
    let heavier = u16::from(total[1] >= total[0]);
    let (mut agree, mut agreeing, mut others) = (0, 0, 0);
    let route = tally.iter().map(|sides| {
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
    Ok((agreeing >= LEAST_ROWS && (others >= LEAST_ROWS || !imperfect)).then_some((route, agree)))
}
