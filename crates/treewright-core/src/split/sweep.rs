//! One pass of a cut through the numbers of a node, from the least to the greatest: what every search of a numeric column
//! in a list of rows does.

use super::contest::Part;
use crate::Result;
use crate::data::table::MISSING;
use crate::stats::criterion::remove;
use crate::stats::entry::Entry;
use crate::sys::memory::room;
use std::ops::{AddAssign, ControlFlow, SubAssign};

/// The rows of a node, those that have a number in the order of its codes.
#[derive(Debug)]
pub struct Sweep<'a, S, F> {
    entries: &'a [Entry],
    add: F,
    /// The code of each known row, and in the lower half its position among the entries.
    order: Vec<u64>,
    /// Room to sort them.
    spare: Vec<u64>,
    /// All rows that have a number.
    pub known: Part<S>,
    /// The rows that have none.
    pub missing: Part<S>,
}

impl<'a, S, F> Sweep<'a, S, F>
where
    S: Copy + Default + AddAssign + SubAssign,
    F: Fn(&mut [S], usize, Entry) -> u32,
{
    /// Gathers the rows of a node. `add` adds the entry at a position to the statistics of a set, `width` integers, and
    /// says how many rows it stands for.
    pub fn new(codes: &[u32], entries: &'a [Entry], width: usize, add: F) -> Result<Sweep<'a, S, F>> {
        let mut order = room(entries.len())?;
        let (mut known, mut missing) = (Part::empty(width)?, Part::empty(width)?);
        for (position, &entry) in entries.iter().enumerate() {
            let code = codes[entry.row as usize];
            let part = if code == MISSING { &mut missing } else { &mut known };
            part.count += add(&mut part.stats, position, entry);
            if code != MISSING {
                order.push(u64::from(code) << 32 | position as u64);
            }
        }
        let spare = room(order.len())?;
        Ok(Sweep { entries, add, order, spare, known, missing })
    }

    /// Puts the rows into the order of their codes.
    pub fn sort(&mut self) {
        if self.order.len() >= MIN_COUNTED {
            self.spare.resize(self.order.len(), 0);
        }
        sort_by_code(&mut self.order, &mut self.spare);
    }

    /// Visits each place between two different codes, ascending: the codes around it, the rows below and those above.
    pub fn run(&self, mut visit: impl FnMut([u32; 2], &Part<S>, &Part<S>) -> ControlFlow<()>) -> Result<()> {
        let width = self.known.stats.len();
        let (mut low, mut high) = (Part::empty(width)?, Part::empty(width)?);
        for pair in self.order.windows(2) {
            let position = pair[0] as u32 as usize;
            low.count += (self.add)(&mut low.stats, position, self.entries[position]);
            let codes = [(pair[0] >> 32) as u32, (pair[1] >> 32) as u32];
            if codes[0] < codes[1] {
                high.stats.copy_from_slice(&self.known.stats);
                remove(&mut high.stats, &low.stats);
                high.count = self.known.count - low.count;
                if visit(codes, &low, &high).is_break() {
                    break;
                }
            }
        }
        Ok(())
    }
}

/// Fewer rows are compared with each other.
const MIN_COUNTED: usize = 512;
/// The bits of a code that are looked at together.
const DIGIT: u32 = 11;

/// Sorts keys by their upper halves; keys with the same one are in the order of their lower halves, and stay so. Rows are
/// counted digit by digit, which takes a time proportional to their number. `spare` is room for as many keys.
pub fn sort_by_code(keys: &mut [u64], spare: &mut [u64]) {
    if keys.len() < MIN_COUNTED {
        keys.sort_unstable();
        return;
    }
    let digit = |key: u64, pass: usize| (key >> (32 + pass as u32 * DIGIT)) as usize & ((1 << DIGIT) - 1);
    let mut starts = [[0u32; 1 << DIGIT]; u32::BITS.div_ceil(DIGIT) as usize];
    for &key in keys.iter() {
        starts.iter_mut().enumerate().for_each(|(pass, starts)| starts[digit(key, pass)] += 1);
    }
    let (mut from, mut to, mut is_in_spare) = (&mut *keys, spare, false);
    for (pass, starts) in starts.iter_mut().enumerate() {
        if starts[digit(from[0], pass)] as usize == from.len() {
            continue;
        }
        let mut start = 0;
        starts.iter_mut().for_each(|count| start += std::mem::replace(count, start));
        for &key in from.iter() {
            let place = &mut starts[digit(key, pass)];
            to[*place as usize] = key;
            *place += 1;
        }
        (from, to, is_in_spare) = (to, from, !is_in_spare);
    }
    if is_in_spare {
        to.copy_from_slice(from);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_are_sorted_and_positions_stay_in_order() {
        for rows in [0, 1, 511, 512, 3000] {
            for most in [1, 2, 700, 5000, 1 << 13, 1 << 23, u32::MAX] {
                let code = |i: u64| (i.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32) % u64::from(most);
                let mut keys: Vec<u64> = (0..rows).map(|i| code(i) << 32 | i).collect();
                let mut expected = keys.clone();
                expected.sort_unstable();
                sort_by_code(&mut keys, &mut vec![0; rows as usize]);
                assert_eq!(keys, expected, "{rows} rows, codes below {most}");
            }
        }
    }
}
