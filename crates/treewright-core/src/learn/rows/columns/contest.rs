//! The contest among all cuts of all columns of one node.
//!
//! The column: the first whose best cut saves as much as the best of all columns, but for a tie (see
//! [`crate::learn::choose::TIE`]). Its cut: the first that saves as much as the column's best, but for rounding. Neither
//! depends on the order in which cuts are offered or on cuts that are far behind, so searches may skip what cannot win,
//! in any order and on any number of threads. Savings are shares of what the node costs.

use super::node::Cut;
use crate::learn::choose::TIE;
use crate::learn::split::contest::ROUNDING;
use std::sync::atomic::{AtomicU64, Ordering};

/// How far below its true value an estimate of what a cut saves may lie, relative to that value.
const SLACK: f64 = 2e-6;

/// The most that any cut of the node has saved so far, shared by all threads.
#[derive(Debug)]
pub struct Record {
    /// The bits of a number, turned so that they compare as the number does.
    bits: AtomicU64,
}

/// Less than the turned bits of any number.
const NOTHING: u64 = 0;
const SIGN: u64 = 1 << 63;

impl Default for Record {
    fn default() -> Record {
        Record { bits: AtomicU64::new(NOTHING) }
    }
}

impl Record {
    /// The most that was saved; None before the first cut.
    pub fn saved(&self) -> Option<f64> {
        let bits = self.bits.load(Ordering::Relaxed);
        (bits != NOTHING).then(|| f64::from_bits(if bits & SIGN == 0 { !bits } else { bits ^ SIGN }))
    }

    /// An estimate below this belongs to a cut that cannot win.
    pub fn floor(&self) -> f32 {
        let near = |saved: f64| saved - saved.abs() * SLACK - 2.0 * TIE;
        self.saved().map_or(f32::NEG_INFINITY, |saved| near(saved) as f32)
    }

    fn raise(&self, saved: f64) {
        let bits = saved.to_bits();
        self.bits.fetch_max(if bits & SIGN == 0 { bits | SIGN } else { !bits }, Ordering::Relaxed);
    }
}

/// The best cut of one column.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Top {
    /// What it saves.
    pub saved: f64,
    /// How many rows it leaves on the left.
    pub left: u32,
    /// Where it is.
    pub cut: Cut,
}

/// The contest of one column.
#[derive(Debug)]
pub struct Contest<'a> {
    record: &'a Record,
    top: &'a mut Option<Top>,
}

impl<'a> Contest<'a> {
    /// Goes on with what was best so far.
    pub fn new(record: &'a Record, top: &'a mut Option<Top>) -> Contest<'a> {
        Contest { record, top }
    }

    /// See [`Record::floor`].
    pub fn floor(&self) -> f32 {
        self.record.floor()
    }

    /// Offers a cut.
    pub fn offer(&mut self, saved: f64, left: u32, cut: Cut) {
        match self.top {
            Some(top) if saved < top.saved - ROUNDING => {}
            Some(top) if saved <= top.saved + ROUNDING => {
                top.saved = top.saved.max(saved);
                if left < top.left {
                    (top.left, top.cut) = (left, cut);
                }
            }
            _ => *self.top = Some(Top { saved, left, cut }),
        }
        self.record.raise(saved);
    }
}

/// The winning column among those that have a cut, in their order.
pub fn winner(record: &Record, mut tops: impl Iterator<Item = (usize, Top)>) -> Option<(usize, Top)> {
    let saved = record.saved()?;
    tops.find(|(_, top)| top.saved >= saved - TIE)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cut(code: u16) -> Cut {
        Cut { code, within: None }
    }

    #[test]
    fn the_first_column_and_its_first_cut_win_ties_in_any_order() {
        let offers = [(0, 0.3, 9), (1, 0.4, 7), (1, 0.4 + 1e-15, 3), (2, 0.4 + 1e-12, 1), (1, 0.2, 1)];
        for turn in 0..offers.len() {
            let record = Record::default();
            let mut tops = [None; 3];
            for (column, saved, left) in offers.iter().cycle().skip(turn).take(offers.len()) {
                Contest::new(&record, &mut tops[*column]).offer(*saved, *left, cut(*left as u16));
            }
            let tops = tops.into_iter().enumerate().filter_map(|(column, top)| top.map(|top| (column, top)));
            assert_eq!(winner(&record, tops).map(|(column, top)| (column, top.left)), Some((1, 3)));
        }
    }

    #[test]
    fn a_cut_that_saves_nothing_is_better_than_none() {
        let record = Record::default();
        assert_eq!(record.floor(), f32::NEG_INFINITY);
        let mut top = None;
        for saved in [-1e-5, -1e-17, 0.0, 1e-17] {
            Contest::new(&record, &mut top).offer(saved, 1, cut(0));
            assert_eq!(record.saved(), Some(saved));
            assert!(record.floor() <= saved as f32);
            assert!(winner(&record, top.into_iter().map(|top| (0, top))).is_some());
        }
    }
}
