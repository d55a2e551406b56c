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
    /// All rows that have a number.
    pub known: Part<S>,
    /// The rows that have none.
    pub missing: Part<S>,
}

impl<'a, S, F> Sweep<'a, S, F>
where
    S: Copy + Default + AddAssign + SubAssign,
    F: Fn(&mut [S], usize, Entry),
{
    /// Gathers the rows of a node. `add` adds the entry at a position to the statistics of a set, `width` integers.
    pub fn new(codes: &[u32], entries: &'a [Entry], width: usize, add: F) -> Result<Sweep<'a, S, F>> {
        let mut order = room(entries.len())?;
        let (mut known, mut missing) = (Part::empty(width)?, Part::empty(width)?);
        for (position, &entry) in entries.iter().enumerate() {
            let code = codes[entry.row as usize];
            let part = if code == MISSING { &mut missing } else { &mut known };
            add(&mut part.stats, position, entry);
            part.count += 1;
            if code != MISSING {
                order.push(u64::from(code) << 32 | position as u64);
            }
        }
        Ok(Sweep { entries, add, order, known, missing })
    }

    /// Puts the rows into the order of their codes.
    pub fn sort(&mut self) {
        self.order.sort_unstable();
    }

    /// Visits each place between two different codes, ascending: the codes around it, the rows below and those above.
    pub fn run(&self, mut visit: impl FnMut([u32; 2], &Part<S>, &Part<S>) -> ControlFlow<()>) -> Result<()> {
        let width = self.known.stats.len();
        let (mut low, mut high) = (Part::empty(width)?, Part::empty(width)?);
        for pair in self.order.windows(2) {
            let position = pair[0] as u32 as usize;
            (self.add)(&mut low.stats, position, self.entries[position]);
            low.count += 1;
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
