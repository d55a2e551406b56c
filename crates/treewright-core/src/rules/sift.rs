//! Choosing among the rules of one class: the set whose message is the shortest.
//!
//! Up to ten rules all sets are tried. Of more, eleven searches start from random sets, ever larger ones, and flip one rule
//! at a time, in or out, as long as that saves bits. What a flip would change is kept up to date for every rule: a flip
//! costs the rows that it touches times the rules that cover them, not all rules times all rows.

use super::Rows;
use super::bill::{exceptions, log2_factorial, theory};
use super::draws::Draws;
use crate::Result;
use crate::sys::pool::Cancel;
use crate::tolerance::RULE_BITS;

/// The most rules of which all sets are tried.
const FEW: usize = 10;

/// A set of some rules of one class, and what follows from it.
pub struct RuleSet<'a> {
    /// The rows that each rule covers.
    covers: Vec<Vec<u32>>,
    /// The bits of each rule.
    bits: Vec<f64>,
    class: u32,
    training: Rows<'a>,
    /// The rules that cover each row, end to end, and where each row's begin.
    covering: Vec<u32>,
    starts: Vec<usize>,
    /// The weight of all rows, and of those of the class.
    all: u64,
    of_class: u64,
    chosen: Vec<bool>,
    count: u32,
    rule_bits: f64,
    /// How many chosen rules cover each row.
    times: Vec<u32>,
    /// The weight of covered rows, and of those of the class among them.
    fires: u64,
    right: u64,
    /// The same of the rows that would be covered, or no longer be, if a rule were flipped.
    swing: Vec<(u64, u64)>,
    factorial: Vec<f64>,
}

impl<'a> RuleSet<'a> {
    /// The empty set.
    pub fn new(covers: Vec<Vec<u32>>, bits: Vec<f64>, class: u32, training: Rows<'a>) -> RuleSet<'a> {
        let count = training.target.len();
        let mut starts = vec![0usize; count + 1];
        covers.iter().flatten().for_each(|&row| starts[row as usize + 1] += 1);
        for row in 0..count {
            starts[row + 1] += starts[row];
        }
        let mut ends = starts.clone();
        let mut covering = vec![0; starts[count]];
        for (rule, rows) in covers.iter().enumerate() {
            for &row in rows {
                covering[ends[row as usize]] = rule as u32;
                ends[row as usize] += 1;
            }
        }
        let weigh = |rows: &Vec<u32>| {
            let parts = rows.iter().map(|&row| part(training, class, row));
            parts.fold((0, 0), |(weight, right), part| (weight + part.0, right + part.1))
        };
        let units = training.weights.units.iter();
        let of_class = units.clone().zip(training.target).filter(|(_, of_row)| **of_row == class);
        RuleSet {
            covering,
            starts,
            all: units.sum(),
            of_class: of_class.map(|(units, _)| units).sum(),
            chosen: vec![false; covers.len()],
            count: 0,
            rule_bits: 0.0,
            times: vec![0; count],
            fires: 0,
            right: 0,
            swing: covers.iter().map(weigh).collect(),
            factorial: (0..=covers.len() as u32 + 1).map(log2_factorial).collect(),
            covers,
            bits,
            class,
            training,
        }
    }

    fn add(&mut self, rule: usize, row: u32) {
        let (weight, right) = part(self.training, self.class, row);
        self.swing[rule].0 += weight;
        self.swing[rule].1 += right;
    }

    fn take(&mut self, rule: usize, row: u32) {
        let (weight, right) = part(self.training, self.class, row);
        self.swing[rule].0 -= weight;
        self.swing[rule].1 -= right;
    }

    /// The bits of the chosen rules, how many they are, and what the rows they cover weigh, with a rule flipped.
    fn flipped(&self, rule: usize) -> (f64, u32, u64, u64) {
        let (weight, part) = self.swing[rule];
        if self.chosen[rule] {
            (self.rule_bits - self.bits[rule], self.count - 1, self.fires - weight, self.right - part)
        } else {
            (self.rule_bits + self.bits[rule], self.count + 1, self.fires + weight, self.right + part)
        }
    }

    /// The bits of the message with a rule flipped; with none for None.
    fn message_bits(&self, flip: Option<usize>) -> f64 {
        let unchanged = (self.rule_bits, self.count, self.fires, self.right);
        let (bits, count, fires, right) = flip.map_or(unchanged, |rule| self.flipped(rule));
        let real = |units: u64| units as f64 * self.training.weights.unit;
        theory(bits, self.factorial[count as usize])
            + exceptions(real(self.all), real(fires), real(fires - right), real(self.of_class - right))
    }

    fn flip(&mut self, rule: usize) {
        (self.rule_bits, self.count, self.fires, self.right) = self.flipped(rule);
        let leaving = self.chosen[rule];
        self.chosen[rule] = !leaving;
        for i in 0..self.covers[rule].len() {
            let row = self.covers[rule][i];
            let times = &mut self.times[row as usize];
            let before = *times;
            *times = if leaving { before - 1 } else { before + 1 };
            match (leaving, before) {
                // The first to cover it: no other rule would change it any more.
                (false, 0) => self.others(rule, row, |_| true, RuleSet::take),
                // It was one rule's alone.
                (false, 1) => self.others(rule, row, |chosen| chosen, RuleSet::take),
                (true, 1) => self.others(rule, row, |_| true, RuleSet::add),
                (true, 2) => self.others(rule, row, |chosen| chosen, RuleSet::add),
                _ => {}
            }
        }
    }

    /// Changes what other rules that cover a row would change.
    fn others(&mut self, rule: usize, row: u32, which: impl Fn(bool) -> bool, change: fn(&mut Self, usize, u32)) {
        for i in self.starts[row as usize]..self.starts[row as usize + 1] {
            let other = self.covering[i] as usize;
            if other != rule && which(self.chosen[other]) {
                change(self, other, row);
            }
        }
    }

    fn set(&mut self, wanted: impl Fn(usize) -> bool) {
        for rule in 0..self.chosen.len() {
            if self.chosen[rule] != wanted(rule) {
                self.flip(rule);
            }
        }
    }
}

/// What a row weighs, and what of it is of the class.
fn part(training: Rows<'_>, class: u32, row: u32) -> (u64, u64) {
    let weight = training.weights.units[row as usize];
    (weight, if training.target[row as usize] == class { weight } else { 0 })
}

/// Which rules are chosen.
pub fn sift(mut set: RuleSet<'_>, draws: &mut Draws, cancel: &Cancel) -> Result<Vec<bool>> {
    if set.covers.len() <= FEW { Ok(try_all(&mut set)) } else { search(&mut set, draws, cancel) }
}

/// Sets are counted like binary numbers whose lowest digit is the first rule; the first of equals wins.
fn try_all(set: &mut RuleSet<'_>) -> Vec<bool> {
    let mut best = (f64::INFINITY, set.chosen.clone());
    for number in 0u32..1 << set.chosen.len() {
        set.set(|rule| number >> rule & 1 == 1);
        let bits = set.message_bits(None);
        if bits < best.0 - RULE_BITS {
            best = (bits, set.chosen.clone());
        }
    }
    best.1
}

fn search(set: &mut RuleSet<'_>, draws: &mut Draws, cancel: &Cancel) -> Result<Vec<bool>> {
    let mut best = (f64::INFINITY, set.chosen.clone());
    for tenth in 0..=10 {
        let start: Vec<bool> = set.chosen.iter().map(|_| draws.draw() < f64::from(tenth) * 0.1).collect();
        set.set(|rule| start[rule]);
        loop {
            cancel.check()?;
            let bits = set.message_bits(None);
            if bits < best.0 - RULE_BITS {
                best = (bits, set.chosen.clone());
            }
            let flips = (0..set.chosen.len()).map(|rule| (rule, bits - set.message_bits(Some(rule))));
            match flips.reduce(|best, next| if next.1 > best.1 { next } else { best }) {
                Some((rule, saved)) if saved > RULE_BITS => set.flip(rule),
                _ => break,
            }
        }
    }
    Ok(best.1)
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::data::table::{Column, Table};
    use crate::stats::weights::Weights;

    #[test]
    fn flips_keep_what_other_flips_would_change() {
        let weights = Weights { units: (1..=40).collect(), unit: 1.0 };
        let target: Vec<u32> = (0..40).map(|row| u32::from(row % 3 == 0)).collect();
        let mut draws = Draws::new(7);
        let covers: Vec<Vec<u32>> = (0..12).map(|_| (0..40).filter(|_| draws.draw() < 0.3).collect()).collect();
        let numbers = [0.0; 40];
        let table = Table::new(vec![Column::Numeric(&numbers)], 40).unwrap();
        let training = Rows { table: &table, target: &target, classes: 2, weights: &weights };
        let empty = || RuleSet::new(covers.clone(), vec![5.0; 12], 1, training);
        let mut state = empty();
        for _ in 0..200 {
            state.flip((draws.draw() * 12.0) as usize);
            let mut fresh = empty();
            let chosen = state.chosen.clone();
            fresh.set(|rule| chosen[rule]);
            assert_eq!((&state.swing, &state.times), (&fresh.swing, &fresh.times));
            for rule in 0..12 {
                let mut flipped = empty();
                flipped.set(|other| chosen[other] != (other == rule));
                assert!((state.message_bits(Some(rule)) - flipped.message_bits(None)).abs() < 1e-9);
            }
        }
    }
}
