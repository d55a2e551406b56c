//! The children of a node, two or three: rows without a number may have one of their own.

use super::kernels::codes::at_most;
use super::kernels::partition::{SLOP, members_at};
use super::node::{ABSENT, Kind, Live, Node, Side, Split};
use super::tally::ColumnTally;
use super::{Columns, levels};
use crate::Result;
use crate::model::tree::{Question, SplitRule};
use crate::split::choose::Candidate;

impl<T: ColumnTally> Columns<'_, '_, T> {
    /// The best split of a node; its children are written into `split`.
    pub(super) fn find_split(
        &mut self,
        node: &mut Node<T::Total>,
        split: &mut Split<T::Total>,
    ) -> Result<Option<Candidate>> {
        let Some((place, top)) = self.search(node)? else { return Ok(None) };
        let (live, cut) = (node.live[place], top.cut);
        let Some(mut way) = self.settle(node, live, cut)? else { return Ok(None) };
        let left = self.scratch.mask.iter().map(|word| word.count_ones() as usize).sum::<usize>();
        if left == 0 || left == node.len {
            // Only if another thread has changed the numbers meanwhile.
            return Ok(None);
        }
        (split.place, split.cut, split.apart) = (place, cut, None);
        match way.children {
            3 => self.three_sides(node, live, &way, split)?,
            _ => self.two_sides(node, left, &mut split.sides)?,
        }
        let rest = split.sides[0].cost + split.sides[1].cost;
        let gain = (node.cost - split.apart.as_ref().map_or(rest, |apart| rest + apart.cost)) / node.weight;
        if let (Question::Threshold(_), None, false) = (&way.question, cut.absent, cut.apart) {
            // Where nothing is missing in training, a missing value goes with the heavier side.
            way.missing = u16::from(split.sides[1].weight >= split.sides[0].weight);
        }
        Ok(Some(Candidate::new(live.column, gain, way)))
    }

    /// Notes which rows a child has, of which the total is known.
    fn note_rows(&self, side: &mut Side<T::Total>, len: usize, members: u64) {
        let tally = self.settings.tally;
        (side.weight, side.cost) = (tally.weight(&side.total), tally.cost(&side.total));
        (side.len, side.members) = (len, members);
    }

    /// The members of a node in a tile whose bit is set; none where it is a span.
    fn members(&self, node: &Node<T::Total>, mask: &[u32]) -> u64 {
        let chosen = mask.iter().take(2).rev().fold(0, |bits, &word| bits << 32 | u64::from(word));
        if node.members == 0 { 0 } else { members_at(self.settings.isa, chosen, node.members) }
    }

    /// The two children of a node, of which the mask tells the rows of the first: so many.
    fn two_sides(&self, node: &Node<T::Total>, left: usize, sides: &mut [Side<T::Total>; 2]) -> Result<()> {
        let mask = &self.scratch.mask;
        let targets = self.scratch.tile.targets(&self.block, node);
        let [low, high] = sides;
        self.settings.tally.divide(&node.total, targets, mask, [&mut low.total, &mut high.total])?;
        let members = self.members(node, mask);
        self.note_rows(low, left, members);
        self.note_rows(high, node.len - left, node.members ^ members);
        Ok(())
    }

    /// The three children of a node; the mask tells the rows of the first.
    fn three_sides(
        &mut self,
        node: &Node<T::Total>,
        live: Live,
        way: &SplitRule,
        split: &mut Split<T::Total>,
    ) -> Result<()> {
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
            _ => split.cut.route(settings.isa, &known.column(&column), mask, &mut self.scratch.search.places),
        }
        let left = mask.iter().map(|word| word.count_ones() as usize).sum::<usize>();
        let mut apart = Side::<T::Total>::default();
        let [low, high] = &mut split.sides;
        settings.tally.divide(&known.totals[0], known.targets(), mask, [&mut low.total, &mut high.total])?;
        let present = self.members(node, &known.mask);
        self.note_rows(low, left, first);
        self.note_rows(high, known.len() - left, present ^ first);
        apart.total.clone_from(&known.totals[1]);
        self.note_rows(&mut apart, node.len - known.len(), node.members ^ present);
        split.apart = Some(apart);
        self.scratch.search.known.rows = known;
        Ok(())
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
