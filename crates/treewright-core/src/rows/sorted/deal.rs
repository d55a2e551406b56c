//! Dealing the columns of a node to its children: every child gets its numbers in their order.

use super::columns::{Segment, SortedColumns};
use super::deal_two::deal_to_two;
use super::item::{moved, place_of};
use super::node::NOWHERE;
use crate::Result;
use crate::simd::Isa;
use crate::sys::memory::collected;
use crate::sys::pool::{self, Cancel};

/// Where the rows of a node go.
#[derive(Clone, Copy, Debug)]
pub struct Deal<'a> {
    /// The child of each row; more than there are children for rows that go to none, or are shared.
    pub child_of: &'a [u16],
    /// The place of each row in its child; for rows that are shared, their position among those.
    pub place_of: &'a [u32],
    /// The places of the rows that are shared, one for each child; empty where none is.
    pub shared: &'a [u32],
}

/// A column of a child that is being filled.
#[derive(Debug, Default)]
struct Output<'a> {
    items: &'a mut [u64],
    len: usize,
}

impl Output<'_> {
    #[inline]
    fn push(&mut self, item: u64) {
        // (A child that is not searched has no room.)
        if let Some(next) = self.items.get_mut(self.len) {
            *next = item;
            self.len += 1;
        }
    }
}

impl Deal<'_> {
    /// Deals the numbers of the columns at these positions to children that have room for them.
    pub fn columns(
        &self,
        columns: &SortedColumns,
        positions: &[usize],
        mut children: Vec<&mut SortedColumns>,
        threads: usize,
        cancel: &Cancel,
    ) -> Result<()> {
        if children.iter().all(|child| child.items.is_empty()) {
            return Ok(());
        }
        let known = match &mut children[..] {
            [low, high] if self.child_of.iter().all(|child| *child < 2) => {
                self.columns_to_two(columns, positions, [low, high], threads, cancel)?
            }
            children => self.columns_to_many(columns, positions, children, threads, cancel)?,
        };
        let width = children.len();
        for (which, child) in children.iter_mut().enumerate().filter(|(_, child)| !child.items.is_empty()) {
            let known = known.iter().skip(which).step_by(width);
            let segment = |(&position, &known): (&usize, &usize)| Segment {
                column: columns.segments[position].column,
                known: known as u32,
            };
            child.segments = positions.iter().zip(known).map(segment).collect();
        }
        Ok(())
    }

    /// Each number to one of two children. Tells for each column how many numbers the children have that have room for them.
    fn columns_to_two(
        &self,
        columns: &SortedColumns,
        positions: &[usize],
        [low, high]: [&mut SortedColumns; 2],
        threads: usize,
        cancel: &Cancel,
    ) -> Result<Vec<usize>> {
        // The place above, the child in the lowest bit.
        let pairs = self.child_of.iter().zip(self.place_of);
        let places: Vec<u32> = collected(pairs.map(|(child, place)| place << 1 | u32::from(*child)))?;
        let [mut lows, mut highs] = [low, high].map(|child| child.items.chunks_mut(child.stride.max(1)));
        let lists = || [lows.next().unwrap_or_default(), highs.next().unwrap_or_default()];
        let jobs = positions.iter().copied().zip(std::iter::repeat_with(lists)).collect();
        let one = |(position, lists): (usize, [&mut [u64]; 2])| -> Result<[usize; 2]> {
            cancel.check()?;
            Ok(deal_to_two(Isa::detect(), columns.items_of(position), &places, lists))
        };
        let known = pool::each(threads, jobs, one)?.into_iter().collect::<Result<Vec<_>>>()?;
        Ok(known.concat())
    }

    /// The same for any number of children, and for rows that are shared.
    fn columns_to_many(
        &self,
        columns: &SortedColumns,
        positions: &[usize],
        children: &mut [&mut SortedColumns],
        threads: usize,
        cancel: &Cancel,
    ) -> Result<Vec<usize>> {
        let mut outputs: Vec<Vec<Output<'_>>> = positions.iter().map(|_| Vec::with_capacity(children.len())).collect();
        for child in children {
            let mut chunks = child.items.chunks_mut(child.stride.max(1));
            outputs.iter_mut().for_each(|list| list.push(Output { items: chunks.next().unwrap_or_default(), len: 0 }));
        }
        let one = |(position, mut outputs): (usize, Vec<Output<'_>>)| -> Result<Vec<usize>> {
            cancel.check()?;
            self.deal_to_many(columns.items_of(position), &mut outputs);
            Ok(outputs.iter().map(|output| output.len).collect())
        };
        let jobs = positions.iter().copied().zip(outputs).collect();
        let known = pool::each(threads, jobs, one)?.into_iter().collect::<Result<Vec<_>>>()?;
        Ok(known.concat())
    }

    /// Each item to one of the children, to several, or to none.
    fn deal_to_many(&self, items: &[u64], outputs: &mut [Output<'_>]) {
        for old in items {
            let place = place_of(*old) as usize;
            let new = self.place_of[place];
            if let Some(output) = outputs.get_mut(self.child_of[place] as usize) {
                output.push(moved(*old, new));
            } else if !self.shared.is_empty() {
                let places = &self.shared[new as usize * outputs.len()..];
                for (output, place) in outputs.iter_mut().zip(places).filter(|(_, place)| **place != NOWHERE) {
                    output.push(moved(*old, *place));
                }
            }
        }
    }
}
