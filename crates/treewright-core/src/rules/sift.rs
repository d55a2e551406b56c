//! Choosing among the rules of one class: the set whose message is the shortest.
//!
//! Up to ten rules all sets are tried. Of more, eleven searches start from random sets, ever larger ones, and flip one rule
//! at a time, in or out, as long as that saves bits. What a flip would change is kept up to date for every rule: a flip
//! costs the rows that it touches times the rules that cover them, not all rules times all rows.

use super::bill::{exceptions, log2_factorial, theory};
use super::draws::Draws;
use crate::Result;
use crate::stats::weights::Weights;
use crate::sys::pool::Cancel;
use crate::tolerance::RULE_BITS;

/// The most rules of which all sets are tried.
const FEW: usize = 10;

/// The rules of one class.
#[derive(Debug)]
pub struct Candidates<'a> {
    /// The rows that each covers.
    pub covers: Vec<Vec<u32>>,
    /// The bits of each.
    pub bits: Vec<f64>,
    /// The class.
    pub class: u32,
    /// The class of each row.
    pub target: &'a [u32],
    /// The weight of each row.
    pub weights: &'a Weights,
}

/// A set of rules and what follows from it.
struct State<'a> {
    from: &'a Candidates<'a>,
    /// The rules that cover each row, end to end, and where each row's begin.
    covering: Vec<u32>,
    starts: Vec<usize>,
    all: u64,
    class: u64,
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

impl<'a> State<'a> {
    fn new(from: &'a Candidates<'a>) -> State<'a> {
        let count = from.target.len();
        let mut starts = vec![0usize; count + 1];
        from.covers.iter().flatten().for_each(|&row| starts[row as usize + 1] += 1);
        for row in 0..count {
            starts[row + 1] += starts[row];
        }
        let mut ends = starts.clone();
        let mut covering = vec![0; starts[count]];
        for (rule, rows) in from.covers.iter().enumerate() {
            for &row in rows {
                covering[ends[row as usize]] = rule as u32;
                ends[row as usize] += 1;
            }
        }
        let units = from.weights.units.iter();
        let n = from.covers.len();
        let mut state = State {
            from,
            covering,
            starts,
            all: units.clone().sum(),
            class: units.zip(from.target).filter(|(_, class)| **class == from.class).map(|(units, _)| units).sum(),
            chosen: vec![false; n],
            count: 0,
            rule_bits: 0.0,
            times: vec![0; count],
            fires: 0,
            right: 0,
            swing: vec![(0, 0); n],
            factorial: (0..=n as u32 + 1).map(log2_factorial).collect(),
        };
        for (rule, rows) in from.covers.iter().enumerate() {
            rows.iter().for_each(|&row| state.add(rule, row));
        }
        state
    }

    fn part(&self, row: u32) -> (u64, u64) {
        let weight = self.from.weights.units[row as usize];
        (weight, if self.from.target[row as usize] == self.from.class { weight } else { 0 })
    }

    fn add(&mut self, rule: usize, row: u32) {
        let (weight, right) = self.part(row);
        self.swing[rule].0 += weight;
        self.swing[rule].1 += right;
    }

    fn take(&mut self, rule: usize, row: u32) {
        let (weight, right) = self.part(row);
        self.swing[rule].0 -= weight;
        self.swing[rule].1 -= right;
    }

    /// The bits of the set with a rule flipped; of the set itself for None.
    fn bits(&self, flip: Option<usize>) -> f64 {
        let (mut bits, mut count) = (self.rule_bits, self.count);
        let (mut fires, mut right) = (self.fires, self.right);
        if let Some(rule) = flip {
            let (weight, part) = self.swing[rule];
            if self.chosen[rule] {
                (bits, count) = (bits - self.from.bits[rule], count - 1);
                (fires, right) = (fires - weight, right - part);
            } else {
                (bits, count) = (bits + self.from.bits[rule], count + 1);
                (fires, right) = (fires + weight, right + part);
            }
        }
        let real = |units: u64| units as f64 * self.from.weights.unit;
        theory(bits, self.factorial[count as usize])
            + exceptions(real(self.all), real(fires), real(fires - right), real(self.class - right))
    }

    fn flip(&mut self, rule: usize) {
        let (weight, part) = self.swing[rule];
        let leaving = self.chosen[rule];
        self.chosen[rule] = !leaving;
        if leaving {
            (self.fires, self.right, self.count) = (self.fires - weight, self.right - part, self.count - 1);
            self.rule_bits -= self.from.bits[rule];
        } else {
            (self.fires, self.right, self.count) = (self.fires + weight, self.right + part, self.count + 1);
            self.rule_bits += self.from.bits[rule];
        }
        for i in 0..self.from.covers[rule].len() {
            let row = self.from.covers[rule][i];
            let times = &mut self.times[row as usize];
            let before = *times;
            *times = if leaving { before - 1 } else { before + 1 };
            match (leaving, before) {
                // The first to cover it: no other rule would change it any more.
                (false, 0) => self.others(rule, row, |_| true, State::take),
                // It was one rule's alone.
                (false, 1) => self.others(rule, row, |chosen| chosen, State::take),
                (true, 1) => self.others(rule, row, |_| true, State::add),
                (true, 2) => self.others(rule, row, |chosen| chosen, State::add),
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

/// Which rules are chosen.
pub fn sift(from: &Candidates<'_>, draws: &mut Draws, cancel: &Cancel) -> Result<Vec<bool>> {
    let mut state = State::new(from);
    if from.covers.len() <= FEW { Ok(try_all(&mut state)) } else { search(&mut state, draws, cancel) }
}

/// Sets are counted like binary numbers whose lowest digit is the first rule; the first of equals wins.
fn try_all(state: &mut State<'_>) -> Vec<bool> {
    let mut best = (f64::INFINITY, state.chosen.clone());
    for number in 0u32..1 << state.chosen.len() {
        state.set(|rule| number >> rule & 1 == 1);
        let bits = state.bits(None);
        if bits < best.0 - RULE_BITS {
            best = (bits, state.chosen.clone());
        }
    }
    best.1
}

fn search(state: &mut State<'_>, draws: &mut Draws, cancel: &Cancel) -> Result<Vec<bool>> {
    let mut best = (f64::INFINITY, state.chosen.clone());
    for tenth in 0..=10 {
        let start: Vec<bool> = state.chosen.iter().map(|_| draws.draw() < f64::from(tenth) * 0.1).collect();
        state.set(|rule| start[rule]);
        loop {
            cancel.check()?;
            let bits = state.bits(None);
            if bits < best.0 - RULE_BITS {
                best = (bits, state.chosen.clone());
            }
            let flips = (0..state.chosen.len()).map(|rule| (rule, bits - state.bits(Some(rule))));
            match flips.reduce(|best, next| if next.1 > best.1 { next } else { best }) {
                Some((rule, saved)) if saved > RULE_BITS => state.flip(rule),
                _ => break,
            }
        }
    }
    Ok(best.1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn flips_keep_what_other_flips_would_change() {
        let weights = Weights { units: (1..=40).collect(), unit: 1.0 };
        let target: Vec<u32> = (0..40).map(|row| u32::from(row % 3 == 0)).collect();
        let mut draws = Draws::new(7);
        let covers: Vec<Vec<u32>> = (0..12).map(|_| (0..40).filter(|_| draws.draw() < 0.3).collect()).collect();
        let from = Candidates { bits: vec![5.0; 12], covers, class: 1, target: &target, weights: &weights };
        let mut state = State::new(&from);
        for _ in 0..200 {
            state.flip((draws.draw() * 12.0) as usize);
            let mut fresh = State::new(&from);
            let chosen = state.chosen.clone();
            fresh.set(|rule| chosen[rule]);
            assert_eq!((&state.swing, &state.times), (&fresh.swing, &fresh.times));
            for rule in 0..12 {
                let mut flipped = State::new(&from);
                flipped.set(|other| chosen[other] != (other == rule));
                assert!((state.bits(Some(rule)) - flipped.bits(None)).abs() < 1e-9);
            }
        }
    }
}
