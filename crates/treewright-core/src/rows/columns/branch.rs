//! The children of a node, two or three: rows without a number may have one of their own.

use super::kernels::codes::at_most;
use super::kernels::partition::{SLOP, members_at};
use super::node::{ABSENT, Cut, Kind, Live, Node, Side};
use super::tally::ColumnTally;
use super::{Columns, levels};
use crate::Result;
use crate::model::tree::SplitRule;

/// Both sides of a cut, and the rows that have a child of their own.
type Sides<T> = ([Side<T>; 2], Option<Side<T>>);

impl<T: ColumnTally> Columns<'_, '_, T> {
    fn side(&self, total: T::Total, len: usize, members: u64) -> Side<T::Total> {
        let (weight, cost) = (self.settings.tally.weight(&total), self.settings.tally.cost(&total));
        Side { total, weight, cost, len, members }
    }

    /// The members of a node in a tile whose bit is set; none where it is a span.
    fn members(&self, node: &Node<T::Total>, mask: &[u32]) -> u64 {
        let chosen = mask.iter().take(2).rev().fold(0, |bits, &word| bits << 32 | u64::from(word));
        if node.members == 0 { 0 } else { members_at(self.settings.isa, chosen, node.members) }
    }

    /// The two children of a node, of which the mask tells the rows of the first: so many.
    pub(super) fn two_sides(&self, node: &Node<T::Total>, left: usize) -> Result<[Side<T::Total>; 2]> {
        let mask = &self.scratch.mask;
        let targets = self.scratch.tile.targets(&self.block, node);
        let [low, high] = self.settings.tally.divide(&node.total, targets, mask)?;
        let members = self.members(node, mask);
        Ok([self.side(low, left, members), self.side(high, node.len - left, node.members ^ members)])
    }

    /// The three children of a node; the mask tells the rows of the first.
    pub(super) fn three_sides(
        &mut self,
        node: &Node<T::Total>,
        live: Live,
        cut: Cut,
        way: &SplitRule,
    ) -> Result<Sides<T::Total>> {
        let settings = self.settings;
        let first = self.members(node, &self.scratch.mask);
        let mut known = std::mem::take(&mut self.scratch.search.known.rows);
        let (tile, mut room) = (&self.scratch.tile, [0; SLOP]);
        let view = tile.view(settings.source, &self.block, node, (settings.isa, settings.monotone));
        let column = view.with_codes(live.column, view.codes(live.column, &mut room));
        let context = settings.context(
            (&node.total, node.cost, node.len),
            &self.scratch.prepared,
            tile.targets(&self.block, node),
        );
        known.gather(&context, column.codes, Some(column.rows))?;
        let mask = &mut self.scratch.mask;
        match column.kind {
            Kind::Levels(_) => levels::route(known.column(&column).codes, way, mask),
            _ => cut.route(settings.isa, &known.column(&column), mask, &mut self.scratch.search.places),
        }
        let left = mask.iter().map(|word| word.count_ones() as usize).sum::<usize>();
        let [low, high] = settings.tally.divide(&known.totals[0], known.targets(), mask)?;
        let present = self.members(node, &known.mask);
        let sides = [self.side(low, left, first), self.side(high, known.len() - left, present ^ first)];
        let apart = self.side(known.totals[1].clone(), node.len - known.len(), node.members ^ present);
        self.scratch.search.known.rows = known;
        Ok((sides, Some(apart)))
    }

    /// Notes in the mask which rows of a span have a value in a column.
    pub(super) fn mask_known(&mut self, node: &Node<T::Total>, column: u32) {
        let codes = &self.block.codes[column as usize][node.start..node.start + node.len];
        let mask = &mut self.scratch.mask;
        mask.clear();
        mask.resize(codes.len().div_ceil(32), 0);
        at_most(self.settings.isa, codes, ABSENT - 1, mask);
    }
}
