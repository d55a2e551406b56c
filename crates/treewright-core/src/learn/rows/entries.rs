//! Rows as a list of entries: the clear way, for any criterion and any column.
//!
//! A node owns a span of one shared list; dividing it reorders that span so that each child owns a part of it. The
//! order of rows within a child stays as it was. No memory is taken per node: the scratch buffers are reused.

use std::ops::Range;

/// One row of a node, with its weight in units (see [`crate::learn::weights`]).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Entry {
    /// The row of the table.
    pub row: u32,
    /// Its weight.
    pub weight: u64,
}

/// The entries of all open nodes.
#[derive(Debug)]
pub struct Entries {
    list: Vec<Entry>,
    scratch: Vec<Entry>,
    ends: Vec<usize>,
}

impl Entries {
    /// All rows with a weight above 0.
    pub fn new(units: &[u64]) -> crate::Result<Entries> {
        let rows = units.iter().filter(|&&weight| weight > 0).count();
        let mut list = Vec::new();
        let mut scratch = Vec::new();
        list.try_reserve_exact(rows)?;
        scratch.try_reserve_exact(rows)?;
        for (row, &weight) in units.iter().enumerate() {
            if weight > 0 {
                list.push(Entry { row: row as u32, weight });
            }
        }
        scratch.resize(rows, Entry { row: 0, weight: 0 });
        Ok(Entries { list, scratch, ends: Vec::new() })
    }

    /// The entries of a span.
    pub fn of(&self, span: &Range<usize>) -> &[Entry] {
        &self.list[span.clone()]
    }

    /// How many entries there are in all.
    pub fn len(&self) -> usize {
        self.list.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// Divides a span by the branch of each row, keeping their order, and returns the branches' spans.
    pub fn divide(
        &mut self,
        span: Range<usize>,
        branches: usize,
        branch_of: impl Fn(u32) -> usize,
    ) -> Vec<Range<usize>> {
        self.ends.clear();
        self.ends.resize(branches, 0);
        let (list, scratch) = (&mut self.list[span.clone()], &mut self.scratch[..span.len()]);
        list.iter().for_each(|entry| self.ends[branch_of(entry.row)] += 1);
        let mut start = 0;
        let mut spans = Vec::with_capacity(branches);
        for end in &mut self.ends {
            spans.push(span.start + start..span.start + start + *end);
            start += std::mem::replace(end, start);
        }
        // `ends` now holds where each branch begins, and moves to where it ends.
        for entry in list.iter() {
            let at = &mut self.ends[branch_of(entry.row)];
            scratch[*at] = *entry;
            *at += 1;
        }
        list.copy_from_slice(scratch);
        spans
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn dividing_is_stable_and_leaves_the_rest_alone() {
        let mut entries = Entries::new(&[1, 0, 1, 2, 1, 1, 1]).unwrap();
        let spans = entries.divide(1..5, 3, |row| row as usize % 3);
        assert_eq!(spans, vec![1..2, 2..3, 3..5]);
        let rows: Vec<u32> = entries.of(&(0..6)).iter().map(|e| e.row).collect();
        assert_eq!(rows, vec![0, 3, 4, 2, 5, 6]);
        assert_eq!(entries.of(&(1..2))[0].weight, 2);
    }
}
