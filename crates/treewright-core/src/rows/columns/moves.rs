//! Moving the rows of divided nodes.

use super::kernels::partition::{Movable, SLOP};
use super::node::{Cut, Kind, Live, Node};
use super::scratch::lengthen;
use super::settings::Settings;
use super::tally::ColumnTally;
use super::{Columns, MIN_ROWS_FOR_THREADS, inherited, levels, tile};
use crate::Result;
use crate::model::tree::SplitRule;
use std::ops::Range;

/// A span that was divided. Its rows are moved as soon as one of its children is searched: many a child is a leaf.
#[derive(Debug)]
pub struct Unmoved<T: ColumnTally> {
    pub(super) node: Node<T::Total>,
    pub(super) place: usize,
    pub(super) cut: Cut,
    pub(super) way: SplitRule,
    pub(super) left: usize,
    /// How many rows have a child of their own.
    pub(super) apart: usize,
    /// What both sides add up to, where histograms are to be divided.
    pub(super) totals: Option<[T::Total; 2]>,
}

impl<T: ColumnTally> Columns<'_, '_, T> {
    /// Moves the rows of a node's parent, if that was not done yet, and divides its histograms.
    pub(super) fn arrange(&mut self, node: &Node<T::Total>) -> Result<()> {
        let Some(Unmoved { node, place, cut, way, left, apart, totals }) =
            node.parent.and_then(|parent| self.scratch.unmoved.remove(&parent))
        else {
            return Ok(());
        };
        self.move_rows(&node, node.live[place].column, (cut, apart), &way)?;
        let (Some(totals), Some(known)) = (totals, self.scratch.histograms.remove(&node.start)) else { return Ok(()) };
        let threads = if node.len < MIN_ROWS_FOR_THREADS { 1 } else { self.threads };
        let behind = node.start + left;
        let Settings { tally, cancel, .. } = *self.settings;
        let rows = (&self.block.codes[..], &node.live[..], [node.start..behind, behind..node.start + node.len]);
        let (scratches, how) = (&self.scratch.search.of_threads, (threads, cancel));
        let [low, high] = inherited::divide(tally, (&node.total, &totals), rows, known, scratches, how)?;
        self.scratch.histograms.extend([(node.start, low), (behind, high)]);
        Ok(())
    }

    /// The same for a node whose codes nobody will look at.
    pub(super) fn arrange_rows(&mut self, node: &Node<T::Total>) -> Result<()> {
        let few = |parent: &usize| {
            self.scratch.unmoved.get(parent).is_some_and(|unmoved| {
                unmoved.apart == 0 && unmoved.left.max(unmoved.node.len - unmoved.left) <= tile::MOST
            })
        };
        let Some(parent) = node.parent.filter(few) else { return self.arrange(node) };
        if let Some(Unmoved { node, place, cut, way, .. }) = self.scratch.unmoved.remove(&parent) {
            self.mask_left(&node, node.live[place].column, cut, &way);
            self.partition(node.start..node.start + node.len, &[])?;
        }
        Ok(())
    }

    /// Moves the rows of a node: those of the first child to the front, then those of the second; so many have a child of
    /// their own.
    fn move_rows(
        &mut self,
        node: &Node<T::Total>,
        column: u32,
        (cut, apart): (Cut, usize),
        way: &SplitRule,
    ) -> Result<()> {
        let mut end = node.start + node.len;
        if apart > 0 {
            self.mask_known(node, column);
            self.partition(node.start..end, &node.live)?;
            end -= apart;
        }
        self.mask_left(&Node { len: end - node.start, ..node.without_split() }, column, cut, way);
        self.partition(node.start..end, &node.live)
    }

    /// Notes in the mask which rows of a span go left.
    fn mask_left(&mut self, node: &Node<T::Total>, column: u32, cut: Cut, way: &SplitRule) {
        let (scratch, settings) = (&mut self.scratch, self.settings);
        let view = scratch.tile.view(settings.source, &self.block, node, (settings.isa, settings.monotone));
        let column = view.column(column);
        match column.kind {
            Kind::Levels(_) => levels::route(column.codes, way, &mut scratch.mask),
            _ => cut.route(settings.isa, &column, &mut scratch.mask, &mut scratch.search.places),
        }
    }

    /// Moves the rows of a span whose bit is set in the mask to the front.
    fn partition(&mut self, span: Range<usize>, live: &[Live]) -> Result<()> {
        let (isa, cancel, len) = (self.settings.isa, self.settings.cancel, span.len());
        let scratch = &mut self.scratch;
        lengthen(&mut scratch.rows, len + SLOP)?;
        let threads = if len < MIN_ROWS_FOR_THREADS { 1 } else { self.threads };
        self.block.divide_codes(span.clone(), live, (isa, &scratch.mask[..]), &scratch.spares, threads, cancel)?;
        scratch.search.numbers.forget_asked(span.start);
        u32::partition(isa, &mut self.block.rows[span.clone()], &scratch.mask, &mut scratch.rows);
        if !self.block.targets.is_empty() {
            lengthen(&mut scratch.targets, len + SLOP)?;
            i64::partition(isa, &mut self.block.targets[span], &scratch.mask, &mut scratch.targets);
        }
        Ok(())
    }
}
