//! Dealing the columns of a node to its children: every child gets its numbers in their order.

use super::columns::{NOWHERE, SortedColumns, SpareItems};
use super::deal_two::deal_to_two;
use super::item::{moved, place_of};
use crate::Result;
use crate::simd::Isa;
use crate::sys::memory::{collected, filled, room};
use crate::sys::pool::{self, Cancel};
use std::cell::Cell;

/// A child of fewer rows than this part of what there is room for moves to memory of its own.
const MOST_ROOM: usize = 4;

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
    /// searched. Columns that do not vary are left out. The largest of two children stays in the memory of the node, where
    /// that is not far too much.
    pub fn columns(
        &self,
        mut numbers: SortedColumns,
        rows: &[usize],
        spares: &SpareItems,
        threads: usize,
        cancel: &Cancel,
    ) -> Result<Vec<SortedColumns>> {
        let (positions, places) = (numbers.varying(), self.places_in_two(rows.len())?);
        let largest = (0..rows.len()).max_by_key(|child| rows[*child]).filter(|child| rows[*child] > 0);
        let stays = largest.filter(|child| {
            places.is_some() && positions.len() == numbers.columns.len() && rows[*child] >= numbers.stride / MOST_ROOM
        });
        let child = |(child, rows): (usize, &usize)| match rows {
            0 => Ok(SortedColumns::default()),
            _ if stays == Some(child) => Ok(SortedColumns::default()),
            rows => SortedColumns::new(positions.len(), *rows, spares),
        };
        let mut children = rows.iter().enumerate().map(child).collect::<Result<Vec<_>>>()?;
        if largest.is_some() {
            let known =
                self.deal_columns(&mut numbers, &positions, (&places, stays), &mut children, (threads, cancel))?;
            for (which, child) in children.iter_mut().enumerate().filter(|(which, _)| rows[*which] > 0) {
                if stays == Some(which) {
                    (child.items, child.stride) = (std::mem::take(&mut numbers.items), numbers.stride);
                }
                let known = known.iter().skip(which).step_by(rows.len());
                let column = |(&position, &known): (&usize, &usize)| (numbers.columns[position].0, known as u32);
                child.columns = positions.iter().zip(known).map(column).collect();
            }
        }
        spares.give(numbers.items);
        Ok(children)
    }

    /// Deals the columns at these positions to children that have room for them, but for one that `stays` in its place.
    /// Tells for each column how many items the children have then.
    fn deal_columns(
        &self,
        numbers: &mut SortedColumns,
        positions: &[usize],
        (places, stays): (&Option<Vec<u32>>, Option<usize>),
        children: &mut [SortedColumns],
        (threads, cancel): (usize, &Cancel),
    ) -> Result<Vec<usize>> {
        let width = children.len();
        let (mut lists, mut known) = (room(positions.len() * width)?, filled(0, positions.len() * width)?);
        let mut chunks: Vec<_> = children.iter_mut().map(|child| child.items.chunks_mut(child.stride.max(1))).collect();
        for _ in positions {
            lists.extend(chunks.iter_mut().map(|chunks| chunks.next().unwrap_or_default()));
        }
        let columns = numbers.columns.iter().zip(numbers.items.chunks_mut(numbers.stride.max(1))).enumerate();
        let varying = columns.filter(|(position, _)| positions.binary_search(position).is_ok());
        let jobs: Vec<_> = varying.zip(lists.chunks_mut(width)).zip(known.chunks_mut(width)).collect();
        let dealt = pool::each(threads, jobs, |(((_, ((_, count), items)), lists), known)| -> Result<()> {
            cancel.check()?;
            match (places, lists) {
                (Some(places), [low, high]) => {
                    let items = Cell::from_mut(items).as_slice_of_cells();
                    let mut lists = [low, high].map(|list| Cell::from_mut(&mut **list).as_slice_of_cells());
                    if let Some(child) = stays {
                        lists[child] = items;
                    }
                    known.copy_from_slice(&deal_to_two(Isa::detect(), &items[..*count as usize], places, lists));
                }
                (_, lists) => self.deal_to_many(&items[..*count as usize], lists, known),
            }
            Ok(())
        })?;
        dealt.into_iter().collect::<Result<()>>()?;
        Ok(known)
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
