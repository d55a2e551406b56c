//! The contest among all cuts of all columns of one node.
//!
//! The column: the first whose best cut saves as much as the best of all columns, but for a tie (see
//! [`crate::tolerance::TIE`]). Its cut: the first that saves as much as the column's best, but for rounding. Neither
//! depends on the order in which cuts are offered or on cuts that are far behind, so searches may skip what cannot win,
//! in any order and on any number of threads. Savings are shares of what the node costs.

use super::known::Frame;
use super::node::Cut;
use crate::tolerance::{ESTIMATE_SLACK, ROUNDING, TIE};
use std::sync::atomic::{AtomicU64, Ordering};

/// The most that any cut of the node has saved so far, shared by all threads.
#[derive(Debug)]
pub struct Record {
    /// The bits of a number, turned so that they compare as the number does.
    bits: AtomicU64,
    /// Columns tie whose best cuts save as much but for this.
    tie: f64,
    /// Cuts of a column tie that save as much but for this.
    rounding: f64,
}

/// Less than the turned bits of any number.
const NOTHING: u64 = 0;
const SIGN: u64 = 1 << 63;

impl Default for Record {
    fn default() -> Record {
        Record { bits: AtomicU64::new(NOTHING), tie: TIE, rounding: ROUNDING }
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
        let near = |saved: f64| saved - saved.abs() * ESTIMATE_SLACK - 2.0 * self.tie;
        self.saved().map_or(f32::NEG_INFINITY, |saved| near(saved) as f32)
    }

    /// The record for cuts among the known rows of a column.
    pub fn within(&self, frame: &Frame) -> Record {
        let rounding = if frame.of_node { ROUNDING / frame.scale } else { ROUNDING };
        let record = Record { tie: TIE / frame.scale, rounding, ..Record::default() };
        if let Some(saved) = self.saved() {
            record.raise((saved - frame.base) / frame.scale);
        }
        record
    }

    /// Takes note of what a cut saves.
    pub fn raise(&self, saved: f64) {
        let bits = saved.to_bits();
        let bits = if bits & SIGN == 0 { bits | SIGN } else { !bits };
        // Looking first is cheaper than raising in vain.
        if bits > self.bits.load(Ordering::Relaxed) {
            self.bits.fetch_max(bits, Ordering::Relaxed);
        }
    }
}

/// The best cut of one column.
#[derive(Clone, Debug, PartialEq)]
pub struct Top {
    /// The most that any cut of the column saves; this one saves as much but for rounding.
    pub saved: f64,
    /// Where it stands among the column's cuts: how many rows it leaves on the left, or see [`Contest::offer`].
    pub left: u32,
    /// Where it is.
    pub cut: Cut,
    /// What this cut saves itself.
    own: f64,
    /// Cuts that stand behind it and save more, each more than the one before it, but for rounding as much as the best:
    /// one of them wins if a cut is offered yet that saves a little more. Hardly ever there.
    behind: Vec<(f64, u32, Cut)>,
}

impl Top {
    fn new(saved: f64, left: u32, cut: Cut) -> Top {
        Top { saved, left, cut, own: saved, behind: Vec::new() }
    }

    /// The same cut, which saves nothing.
    pub fn saving_nothing(self) -> Top {
        Top::new(0.0, self.left, self.cut)
    }

    /// The same for the whole node, where it was the best among the known rows.
    pub fn of_node(self, frame: &Frame) -> Top {
        let (saved, own) = (frame.saved(self.saved), frame.saved(self.own));
        // The others have a child of their own, unless the cut tells them from the known ones.
        let cut = Cut { apart: frame.of_node && self.cut.absent.is_none(), ..self.cut };
        Top { saved, own, cut, behind: Vec::new(), ..self }
    }

    /// Takes in a cut that saves about as much as the best so far.
    fn consider(&mut self, saved: f64, left: u32, cut: Cut, rounding: f64) {
        if left >= self.left && saved <= self.own {
            return;
        }
        if left <= self.left && saved >= self.own && self.behind.is_empty() {
            // The usual tie: an earlier cut that saves as much.
            (self.own, self.left, self.cut) = (saved, left, cut);
            self.saved = self.saved.max(saved);
            return;
        }
        self.rank_near(saved, left, cut, rounding);
    }

    /// Takes in a cut where several are as good as the best but for rounding, and not in order.
    #[cold]
    fn rank_near(&mut self, saved: f64, left: u32, cut: Cut, rounding: f64) {
        let mut near = std::mem::take(&mut self.behind);
        near.extend([(self.own, self.left, self.cut), (saved, left, cut)]);
        self.saved = self.saved.max(saved);
        near.retain(|(saved, ..)| *saved >= self.saved - rounding);
        near.sort_by(|a, b| a.1.cmp(&b.1).then(b.0.total_cmp(&a.0)));
        let mut most = f64::NEG_INFINITY;
        near.retain(|(saved, ..)| {
            let better = *saved > most;
            most = most.max(*saved);
            better
        });
        (self.own, self.left, self.cut) = near.remove(0);
        self.behind = near;
    }
}

/// Rows without a number, and on which side of the cuts they stand.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Gap {
    /// How many there are.
    pub rows: u32,
    /// Whether they stand on the left.
    pub left: bool,
}

impl Gap {
    /// How many of them are on the left.
    pub fn on_left(&self) -> usize {
        if self.left { self.rows as usize } else { 0 }
    }
}

/// The contest of one column.
#[derive(Debug)]
pub struct Contest<'a> {
    record: &'a Record,
    top: &'a mut Option<Top>,
    gap: Gap,
}

impl<'a> Contest<'a> {
    /// Goes on with what was best so far.
    pub fn new(record: &'a Record, top: &'a mut Option<Top>) -> Contest<'a> {
        Contest { record, top, gap: Gap::default() }
    }

    /// The same contest for cuts beside which some rows stand that have no number.
    pub fn beside(self, gap: Gap) -> Contest<'a> {
        Contest { gap, ..self }
    }

    /// See [`Record::floor`].
    pub fn floor(&self) -> f32 {
        self.record.floor()
    }

    /// Whether a cut that leaves so many of the node's rows on the left tells known from missing numbers.
    pub fn is_apart(&self, left: usize, rows: usize) -> bool {
        self.gap.rows > 0 && !self.gap.left && left + self.gap.rows as usize == rows
    }

    /// Offers a cut that leaves so many rows on the left.
    pub fn offer(&mut self, saved: f64, left: u32, cut: Cut) {
        let (left, cut) = self.place(left, cut);
        let rounding = self.record.rounding;
        match self.top {
            Some(top) if saved < top.saved - rounding => {}
            Some(top) if saved <= top.saved + rounding => top.consider(saved, left, cut, rounding),
            _ => *self.top = Some(Top::new(saved, left, cut)),
        }
        self.record.raise(saved);
    }

    /// Where a cut stands among all. Of equal ones the first wins: that with fewer numbers on the left, then that with
    /// the missing ones on the right. (There are less than 2^31 rows.)
    fn place(&self, left: u32, cut: Cut) -> (u32, Cut) {
        match self.gap {
            Gap { rows: 0, .. } => (left, cut),
            gap => {
                let known = left - gap.on_left() as u32;
                (2 * known + u32::from(gap.left), Cut { absent: Some(gap.left), ..cut })
            }
        }
    }
}

/// The winning column among those that have a cut, in their order.
pub fn winner<'t>(record: &Record, mut tops: impl Iterator<Item = (usize, &'t Top)>) -> Option<(usize, Top)> {
    let saved = record.saved()?;
    tops.find(|(_, top)| top.saved >= saved - TIE).map(|(column, top)| (column, top.clone()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cut(code: u16) -> Cut {
        Cut::behind(code)
    }

    #[test]
    fn missing_numbers_stand_right_before_they_stand_left() {
        let (record, mut top) = (Record::default(), None);
        for (left, rows) in [(true, 8), (false, 5), (true, 7), (false, 4)] {
            Contest::new(&record, &mut top).beside(Gap { rows: 3, left }).offer(0.5, rows, cut(rows as u16));
        }
        // Four numbers on the left, missing ones on the right; then the same with missing ones on the left.
        assert_eq!(top.map(|top| (top.cut.code, top.cut.absent)), Some((4, Some(false))));
    }

    #[test]
    fn the_first_column_and_its_first_cut_win_ties_in_any_order() {
        let offers = [(0, 0.3, 9), (1, 0.4, 7), (1, 0.4 + 1e-15, 3), (2, 0.4 + 1e-12, 1), (1, 0.2, 1)];
        for turn in 0..offers.len() {
            let record = Record::default();
            let mut tops = [const { None }; 3];
            for (column, saved, left) in offers.iter().cycle().skip(turn).take(offers.len()) {
                Contest::new(&record, &mut tops[*column]).offer(*saved, *left, cut(*left as u16));
            }
            let tops = tops.iter().enumerate().filter_map(|(column, top)| top.as_ref().map(|top| (column, top)));
            assert_eq!(winner(&record, tops).map(|(column, top)| (column, top.left)), Some((1, 3)));
        }
    }

    #[test]
    fn the_first_within_rounding_of_the_best_wins_in_any_order() {
        // A chain: neighbours are within rounding of each other, the ends are not.
        let step = 0.7 * ROUNDING;
        let chain: Vec<(f64, u32)> = (0..5).map(|i| (0.5 + f64::from(i) * step, 10 * (i as u32 + 1))).collect();
        for turn in 0..120 {
            let (mut rest, mut offers, mut turn) = (chain.clone(), Vec::new(), turn);
            while !rest.is_empty() {
                offers.push(rest.remove(turn % rest.len()));
                turn /= rest.len() + 1;
            }
            let (record, mut top) = (Record::default(), None);
            for (saved, left) in &offers {
                Contest::new(&record, &mut top).offer(*saved, *left, cut(*left as u16));
            }
            let top = top.map(|top| (top.left, top.cut.code, top.saved));
            assert_eq!(top, Some((40, 40, 0.5 + 4.0 * step)), "{offers:?}");
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
            assert!(winner(&record, top.iter().map(|top| (0, top))).is_some());
        }
    }
}
