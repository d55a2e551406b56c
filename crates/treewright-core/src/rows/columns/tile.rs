//! Nodes of few rows, which are not moved any more. A node of a tile is a set of the tile's rows (see [`Node`]); what a
//! search reads of them is gathered from where the tile stands, which costs less than moving all columns for the sake of
//! those that are looked at.

use super::kernels::Isa;
use super::kernels::numbers::NumberLanes;
use super::kernels::partition::{Movable, SLOP};
use super::node::Node;
use super::store::{Block, Source};
use super::team::View;
use crate::Result;

/// The most rows of a tile.
pub const MOST: usize = SLOP;

/// What was gathered of the node at hand.
#[derive(Debug)]
pub struct Tile {
    rows: [u32; MOST],
    targets: [i64; MOST],
}

impl Default for Tile {
    fn default() -> Tile {
        Tile { rows: [0; MOST], targets: [0; MOST] }
    }
}

impl Tile {
    /// Gathers the rows and targets of a node, if it is not a span.
    pub fn take<T>(&mut self, isa: Isa, block: &Block<'_>, node: &Node<T>) {
        if node.members != 0 {
            u32::gather(isa, &block.rows[node.start..], node.members, &mut self.rows);
            if !block.targets.is_empty() {
                i64::gather(isa, &block.targets[node.start..], node.members, &mut self.targets);
            }
        }
    }

    /// The targets of the node that was taken last; empty where places tell them.
    pub fn targets<'t, T>(&'t self, block: &'t Block<'_>, node: &Node<T>) -> &'t [i64] {
        if node.members == 0 {
            block.targets.get(node.start..node.start + node.len).unwrap_or(&[])
        } else {
            self.targets.get(..if block.targets.is_empty() { 0 } else { node.len }).unwrap_or(&[])
        }
    }

    /// The node that was taken last.
    pub fn view<'t, 'b, T>(
        &'t self,
        source: &'t Source<'t>,
        block: &'t Block<'b>,
        node: &Node<T>,
        (isa, monotone): (Isa, &'t [i8]),
    ) -> View<'t, 'b> {
        let tile = (node.members != 0).then(|| (node.members, &self.rows[..node.len]));
        let monotone = (monotone, node.bounds);
        View { source, block, start: node.start, end: node.start + node.len, tile, isa, monotone }
    }
}

/// All of the first so many rows; at most [`MOST`].
pub fn all(rows: usize) -> u64 {
    if rows >= MOST { u64::MAX } else { (1 << rows) - 1 }
}

/// The lanes of a set.
#[inline]
pub fn lanes(mut set: u64) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let lane = set.trailing_zeros() as usize;
        let some = set != 0;
        set &= set.wrapping_sub(1);
        some.then_some(lane)
    })
}

/// The numbers of a tile's rows, column by column, as far as they were asked for. To read a number takes a miss of the
/// cache; here all nodes of a tile share it.
#[derive(Debug, Default)]
pub struct TileNumbers {
    /// Where the tile begins, and how many rows it has.
    tile: Option<(usize, usize)>,
    columns: Vec<NumberLanes>,
    /// Which columns were read.
    read: Vec<bool>,
    /// Columns that share no cache line with those before them.
    lines: Vec<u32>,
    /// Rows up to this place were asked for.
    asked: usize,
}

impl TileNumbers {
    /// Begins with another tile.
    pub fn begin(&mut self, start: usize, rows: usize) {
        self.tile = Some((start, rows));
        self.read.fill(false);
    }

    /// Asks for the numbers of rows that the next tiles will read, those from `start` on: until then they arrive.
    pub fn ask(&mut self, source: &Source<'_>, rows: &[u32], start: usize) {
        let end = rows.len().min(start + MOST);
        let next = self.asked.max(start);
        if next >= end {
            return;
        }
        if self.lines.is_empty() {
            let columns = &source.columns;
            // The last too: where a row begins within a line is not the same for all rows.
            let apart = |i: usize| i == 0 || i + 1 == columns.len() || !columns[i].is_beside(&columns[i - 1]);
            self.lines = (0..columns.len()).filter(|&i| apart(i)).map(|i| i as u32).collect();
        }
        for &row in &rows[next..end] {
            self.lines.iter().for_each(|&column| source.columns[column as usize].ask(row as usize));
        }
        self.asked = end;
    }

    /// Rows from this place on were moved.
    pub fn forget_asked(&mut self, start: usize) {
        self.asked = self.asked.min(start);
    }

    /// The numbers of a column, lane by lane; NaN where they are missing. `start` is where the tile begins among the rows.
    pub fn column(&mut self, source: &Source<'_>, rows: &[u32], start: usize, column: u32) -> Result<&NumberLanes> {
        let len = match self.tile {
            Some((same, len)) if same == start => len,
            _ => {
                // How many rows the tile has is not known any more; those behind it do no harm.
                let len = (rows.len() - start).min(MOST);
                self.begin(start, len);
                len
            }
        };
        let place = column as usize;
        if place >= self.columns.len() {
            let width = source.columns.len();
            self.columns.try_reserve_exact(width - self.columns.len())?;
            self.columns.resize(width, [0.0; MOST]);
            self.read.resize(width, false);
        }
        if !std::mem::replace(&mut self.read[place], true) {
            source.columns[place].gather(&rows[start..start + len], &mut self.columns[place]);
        }
        Ok(&self.columns[place])
    }

    /// The numbers of all columns; of those that were asked for in this tile.
    pub fn all(&self) -> &[NumberLanes] {
        &self.columns
    }
}
