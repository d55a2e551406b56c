//! Columns of two codes in small nodes, under Gini's index. Such a column has one cut, for which bits are counted: one word
//! tells which rows of a tile have the lower code, and for every node of the tile it is joined with the node's rows. So the
//! codes of a column are read once a tile.

use super::contest::{Contest, Record, Top};
use super::kernels::codes::at_most;
use super::kernels::gini;
use super::kernels::partition::places_of;
use super::node::{Cut, Live};
use super::segments::add_members;
use super::shape::Shape;
use super::team::View;
use super::tile;

/// Which rows of the tile at hand have the lower code.
#[derive(Debug, Default)]
pub struct TileBits {
    start: usize,
    rows: usize,
    /// A word for each column, as far as asked for.
    words: Vec<Option<u64>>,
}

impl TileBits {
    /// Begins with another tile.
    pub fn begin(&mut self, start: usize, rows: usize) {
        (self.start, self.rows) = (start, rows);
        self.words.fill(None);
    }

    /// Which rows of a node have the lower code of a column: bit `i` is the node's `i`-th row.
    fn lower(&mut self, view: &View<'_, '_>, live: &Live) -> u64 {
        let (block, column) = (&view.block.codes, live.column as usize);
        if view.start != self.start {
            // How many rows that tile has is not known any more; those behind it do no harm.
            self.begin(view.start, (block[column].len() - view.start).min(tile::MOST));
        }
        if self.words.len() < block.len() {
            self.words.resize(block.len(), None);
        }
        let (start, rows) = (self.start, self.rows);
        let word = *self.words[column].get_or_insert_with(|| {
            let mut mask = [0; 2];
            at_most(view.isa, &block[column][start..start + rows], live.low, &mut mask[..rows.div_ceil(32)]);
            u64::from(mask[1]) << 32 | u64::from(mask[0])
        });
        match view.tile {
            Some((members, _)) => places_of(view.isa, word & members, members),
            None => word & tile::all(view.end - view.start),
        }
    }
}

/// The search of one node.
#[derive(Debug)]
pub struct TwoCodeSearch<'a> {
    shape: Shape<'a>,
    rows: usize,
    min_leaf: usize,
    bits: &'a mut TileBits,
}

impl<'a> TwoCodeSearch<'a> {
    /// Begins with the first column of a node of at most 64 rows.
    pub fn new(shape: Shape<'a>, rows: usize, min_leaf: usize, bits: &'a mut TileBits) -> TwoCodeSearch<'a> {
        TwoCodeSearch { shape, rows, min_leaf, bits }
    }

    /// Whether all rows have the same code; and the only cut, where it matters. Each code of the column is one number, and
    /// there are no others than the two that `live` knows.
    pub fn column(&mut self, view: &View<'_, '_>, live: &Live, record: &Record) -> (bool, Option<Top>) {
        if live.low == live.high {
            return (true, None);
        }
        let lower = self.bits.lower(view, live);
        if lower == 0 || lower == tile::all(self.rows) {
            return (true, None);
        }
        let mut counts = [0; tile::MOST];
        let left = &mut counts[..self.shape.classes.len()];
        add_members(self.shape.isa, self.shape.segments, lower, left);
        if self.estimate(left) < record.floor() {
            return (false, None);
        }
        let rows = lower.count_ones() as usize;
        if rows < self.min_leaf || rows + self.min_leaf > self.rows {
            return (false, None);
        }
        let mut top = None;
        let saved = gini::saved(&self.shape, left);
        Contest::new(record, &mut top).offer(saved, rows as u32, Cut::behind(live.low));
        (false, top)
    }

    /// About what a cut saves that has each class so often on its left; see [`gini`].
    fn estimate(&self, left: &[u32]) -> f32 {
        let (n, m) = (self.shape.rows as f32, left.iter().sum::<u32>() as f32);
        // Products of such small counts are exact.
        let squares = self.shape.classes.iter().zip(left).fold(0.0, |sum, (&total, &l)| {
            let e = l as f32 * n - m * total as f32;
            sum + e * e
        });
        squares / (m * (n - m) * n * self.shape.cost as f32)
    }
}
