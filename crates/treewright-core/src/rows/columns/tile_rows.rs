//! The rows of a node that has few of them, and of everything below it: a holder of its own.
//!
//! A node is a set of these rows, so that nothing is moved and a node takes no memory of its own. It is searched and
//! divided as any other; its codes are gathered from where the tile stands.

use super::Columns;
use super::node::{Live, Node, Split};
use super::tally::ColumnTally;
use super::tile::all;
use crate::Result;
use crate::model::tree::Leaf;
use crate::rows::Rows;
use crate::split::choose::Candidate;
use crate::split::monotone::Bounds;
use crate::split::sampling::child_key;
use crate::stats::criterion::Criterion;
use std::sync::Arc;

/// A node: some rows of the tile.
#[derive(Clone, Copy, Debug)]
pub struct TileNode {
    /// Which rows.
    members: u64,
    /// What they weigh.
    weight: f64,
    /// What they cost as a leaf.
    cost: f64,
    /// See [`crate::split::sampling`].
    key: u64,
    /// What its answers, and those below it, must not leave.
    bounds: Bounds,
    /// Where its total stands in [`TileBuffers::totals`].
    total: usize,
    /// Where its columns stand in [`TileBuffers::live`].
    live: usize,
}

/// Buffers, kept from tile to tile.
#[derive(Debug)]
pub struct TileBuffers<T: ColumnTally> {
    /// What the nodes of the tile add up to, and how many of these are in use.
    totals: Vec<T::Total>,
    used: usize,
    /// Lists of columns that nodes may ask about.
    live: Vec<Arc<[Live]>>,
    /// How the node that was searched last is divided.
    split: Split<T::Total>,
}

impl<T: ColumnTally> Default for TileBuffers<T> {
    fn default() -> TileBuffers<T> {
        TileBuffers { totals: Vec::new(), used: 0, live: Vec::new(), split: Split::default() }
    }
}

impl<T: ColumnTally> TileBuffers<T> {
    /// Keeps a total, in exchange for one that is not needed any more; tells where.
    fn keep(&mut self, total: &mut T::Total) -> usize {
        if self.used == self.totals.len() {
            self.totals.push(T::Total::default());
        }
        std::mem::swap(&mut self.totals[self.used], total);
        self.used += 1;
        self.used - 1
    }
}

/// The rows of a tile.
#[derive(Debug)]
pub struct TileRows<'c, 'a, 'b, T: ColumnTally> {
    columns: &'c mut Columns<'a, 'b, T>,
    root: TileNode,
    /// The node at hand, as searches see it.
    node: Node<T::Total>,
    buffers: TileBuffers<T>,
}

impl<'c, 'a, 'b, T: ColumnTally> TileRows<'c, 'a, 'b, T> {
    /// The rows of a node, which stand where they belong.
    pub fn new(columns: &'c mut Columns<'a, 'b, T>, node: &Node<T::Total>) -> TileRows<'c, 'a, 'b, T> {
        let mut buffers = std::mem::take(&mut columns.scratch.tile_buffers);
        buffers.used = 0;
        buffers.live.clear();
        buffers.live.push(Arc::clone(&node.live));
        let total = buffers.keep(&mut node.total.clone());
        let Node { weight, cost, key, bounds, .. } = *node;
        let root = TileNode { members: all(node.len), weight, cost, key, bounds, total, live: 0 };
        columns.scratch.search.numbers.begin(node.start, node.len);
        columns.scratch.search.small.begin_tile(node.start, node.len);
        TileRows { columns, root, node: node.without_split(), buffers }
    }

    /// Gives the buffers back.
    pub fn end(self) {
        self.columns.scratch.tile_buffers = self.buffers;
    }
}

impl<T: ColumnTally> Rows for TileRows<'_, '_, '_, T> {
    type Node = TileNode;

    fn outputs(&self) -> usize {
        self.columns.settings.tally.criterion().outputs()
    }

    fn root(&mut self) -> Result<TileNode> {
        Ok(self.root)
    }

    fn leaf<'v>(&self, node: &TileNode, value: &'v mut [f64]) -> Leaf<'v> {
        self.columns.settings.tally.say(&self.buffers.totals[node.total], value);
        node.bounds.clip(value);
        Leaf { value, weight: node.weight, count: u64::from(node.members.count_ones()), cost: node.cost }
    }

    fn candidates(&mut self, node: &mut TileNode, out: &mut Vec<Candidate>) -> Result<()> {
        let TileNode { members, weight, cost, key, bounds, total, live } = *node;
        let at_hand = &mut self.node;
        (at_hand.members, at_hand.len) = (members, members.count_ones() as usize);
        (at_hand.weight, at_hand.cost, at_hand.key, at_hand.bounds) = (weight, cost, key, bounds);
        if !Arc::ptr_eq(&at_hand.live, &self.buffers.live[live]) {
            at_hand.live = Arc::clone(&self.buffers.live[live]);
        }
        std::mem::swap(&mut at_hand.total, &mut self.buffers.totals[total]);
        let best = self.columns.find_split(at_hand, &mut self.buffers.split);
        std::mem::swap(&mut at_hand.total, &mut self.buffers.totals[total]);
        if !Arc::ptr_eq(&at_hand.live, &self.buffers.live[live]) {
            node.live = self.buffers.live.len();
            self.buffers.live.push(Arc::clone(&at_hand.live));
        }
        out.extend(best?);
        Ok(())
    }

    /// Divides the node that was searched last: trees with tiles grow depth first.
    fn divide(&mut self, node: TileNode, chosen: &Candidate) -> Result<Vec<TileNode>> {
        let mut split = std::mem::take(&mut self.buffers.split);
        let bounds = self.columns.settings.bounds(node.bounds, chosen, &split.sides);
        let mut children = Vec::with_capacity(3);
        let sides = split.sides.iter_mut().zip(bounds).chain(split.apart.iter_mut().map(|side| (side, node.bounds)));
        for (place, (side, bounds)) in sides.enumerate() {
            let total = self.buffers.keep(&mut side.total);
            let (members, weight, cost, key) = (side.members, side.weight, side.cost, child_key(node.key, place));
            children.push(TileNode { members, weight, cost, key, bounds, total, live: node.live });
        }
        self.buffers.split = split;
        Ok(children)
    }
}
