//! Nodes of few rows, which are not moved any more. A node of a tile is a set of the tile's rows (see [`Node`]); what a
//! search reads of them is gathered from where the tile stands, which costs less than moving all columns for the sake of
//! those that are looked at.

use super::kernels::Isa;
use super::kernels::partition::{Movable, SLOP};
use super::node::Node;
use super::store::{Block, Source};
use super::team::View;

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
