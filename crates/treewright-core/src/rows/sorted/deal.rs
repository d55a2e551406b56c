//! Dealing the columns of a node to its children: every child gets its numbers in their order.

use super::columns::{NOWHERE, SortedColumns, SpareItems};
use super::deal_two::deal_to_two;
use super::item::{moved, place_of};
use crate::Result;
use crate::simd::Isa;
use crate::sys::memory::{collected, filled, room};
use crate::sys::pool::{self, Cancel};

/// Where the rows of a node go.
#[derive(Debug)]
pub struct Deal {
    /// The child of each row; more than there are children for rows that go to none, or are shared.
    pub child_of: Vec<u16>,
    /// The place of each row in its child; for rows that are shared, their position among those.
    pub place_of: Vec<u32>,
    /// The places of the rows that are shared, one for each child; empty where none is.
    pub shared: Vec<u32>,
}

impl Deal {
    /// The numbers of the children of a node, for each of which it is told how many rows it has, or 0 where it is not
    /// searched. Columns that do not vary are left out.
    pub fn columns(
        &self,
        numbers: &SortedColumns,
        rows: impl Iterator<Item = usize>,
        spares: &SpareItems,
        threads: usize,
        cancel: &Cancel,
    ) -> Result<Vec<SortedColumns>> {
        let positions = numbers.varying();
        let child = |rows: usize| match rows {
            0 => Ok(SortedColumns::default()),
            _ => SortedColumns::new(positions.len(), rows, spares),
        };
        let mut children = rows.map(child).collect::<Result<Vec<_>>>()?;
        if children.iter().all(|child| child.items.is_empty()) {
            return Ok(children);
        }
        let (width, places) = (children.len(), self.places_in_two(children.len())?);
        // For each column the lists of all children, and how many items they have then.
        let (mut lists, mut known) = (room(positions.len() * width)?, filled(0, positions.len() * width)?);
        let mut chunks: Vec<_> = children.iter_mut().map(|child| child.items.chunks_mut(child.stride.max(1))).collect();
        for _ in &positions {
            lists.extend(chunks.iter_mut().map(|chunks| chunks.next().unwrap_or_default()));
        }
        let one = |((position, lists), known): ((&usize, &mut [&mut [u64]]), &mut [usize])| -> Result<()> {
            cancel.check()?;
            let items = numbers.items_of(*position);
            match (&places, lists) {
                (Some(places), [low, high]) => {
                    known.copy_from_slice(&deal_to_two(Isa::detect(), items, places, [low, high]));
                }
                (_, lists) => self.deal_to_many(items, lists, known),
            }
            Ok(())
        };
        let jobs = positions.iter().zip(lists.chunks_mut(width)).zip(known.chunks_mut(width)).collect();
        pool::each(threads, jobs, one)?.into_iter().collect::<Result<()>>()?;
        for (which, child) in children.iter_mut().enumerate().filter(|(_, child)| !child.items.is_empty()) {
            let known = known.iter().skip(which).step_by(width);
            let column = |(&position, &known): (&usize, &usize)| (numbers.columns[position].0, known as u32);
            child.columns = positions.iter().zip(known).map(column).collect();
        }
        Ok(children)
    }

    /// The place of each row with its child in the lowest bit, where each row goes to one of two children.
    fn places_in_two(&self, children: usize) -> Result<Option<Vec<u32>>> {
        if children != 2 || self.child_of.iter().any(|child| *child > 1) {
            return Ok(None);
        }
        let pairs = self.child_of.iter().zip(&self.place_of);
        collected(pairs.map(|(child, place)| place << 1 | u32::from(*child))).map(Some)
    }

    /// Each item to one of the children, to several, or to none; tells how many items the children have that have room for
    /// them.
    fn deal_to_many(&self, items: &[u64], lists: &mut [&mut [u64]], known: &mut [usize]) {
        // Lists beside their lengths, which other threads' lengths would slow down if they stood beside those.
        let mut children: Vec<(&mut [u64], usize)> = lists.iter_mut().map(|list| (&mut **list, 0)).collect();
        for old in items {
            let place = place_of(*old) as usize;
            let new = self.place_of[place];
            if let Some(child) = children.get_mut(self.child_of[place] as usize) {
                push(child, moved(*old, new));
            } else if !self.shared.is_empty() {
                let places = &self.shared[new as usize * children.len()..];
                for (child, place) in children.iter_mut().zip(places).filter(|(_, place)| **place != NOWHERE) {
                    push(child, moved(*old, *place));
                }
            }
        }
        known.iter_mut().zip(children).for_each(|(known, (_, len))| *known = len);
    }
}

/// Adds an item to the list of a child; one that is not searched has no room.
#[inline]
fn push((list, len): &mut (&mut [u64], usize), item: u64) {
    if let Some(next) = list.get_mut(*len) {
        *next = item;
        *len += 1;
    }
}
