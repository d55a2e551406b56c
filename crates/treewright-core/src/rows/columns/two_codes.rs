//! Columns of two codes in small nodes, under Gini's index. Such a column has one cut, for which bits are counted: one word
//! tells which rows of a tile have the lower code, and for every node of the tile it is joined with the node's rows. So the
//! codes of a column are read once a tile.

use super::contest::{Contest, Record, Top};
use super::kernels::Isa;
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

    /// Which rows of the tile have the lower code of a column, of which these are the codes from the tile's first row on.
    pub fn lower(&mut self, isa: Isa, codes: &[u16], live: &Live) -> u64 {
        let (column, rows) = (live.column as usize, self.rows.min(codes.len()));
        if self.words.len() <= column {
            self.words.resize(column + 1, None);
        }
        *self.words[column].get_or_insert_with(|| {
            let mut mask = [0; 2];
            at_most(isa, &codes[..rows], live.low, &mut mask[..rows.div_ceil(32)]);
            u64::from(mask[1]) << 32 | u64::from(mask[0])
        })
    }
}

/// The only cut of a column of two codes, where it matters. `left` tells how often each class counts below it, `sides` how
/// many rows it leaves on both sides.
pub fn only_cut(
    shape: &Shape<'_>,
    left: &[u32],
    (sides, min_leaf): ([usize; 2], usize),
    code: u16,
    record: &Record,
) -> Option<Top> {
    if estimate(shape, left) < record.floor() || sides[0] < min_leaf || sides[1] < min_leaf {
        return None;
    }
    let mut top = None;
    Contest::new(record, &mut top).offer(gini::saved(shape, left), sides[0] as u32, Cut::behind(code));
    top
}

/// About what a cut saves that has each class so often on its left; see [`gini`].
fn estimate(shape: &Shape<'_>, left: &[u32]) -> f32 {
    let (n, m) = (shape.rows as f32, left.iter().sum::<u32>() as f32);
    // Products of such small counts are exact.
    let squares = shape.classes.iter().zip(left).fold(0.0, |sum, (&total, &l)| {
        let e = l as f32 * n - m * total as f32;
        sum + e * e
    });
    squares / (m * (n - m) * n * shape.cost as f32)
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
        let lower = self.lower(view, live);
        if lower == 0 || lower == tile::all(self.rows) {
            return (true, None);
        }
        let mut counts = [0; tile::MOST];
        let left = &mut counts[..self.shape.classes.len()];
        add_members(self.shape.isa, self.shape.segments, lower, left);
        let rows = lower.count_ones() as usize;
        let limits = ([rows, self.rows - rows], self.min_leaf);
        (false, only_cut(&self.shape, left, limits, live.low, record))
    }

    /// Which rows of the node have the lower code: bit `i` is its `i`-th row.
    fn lower(&mut self, view: &View<'_, '_>, live: &Live) -> u64 {
        let codes = &view.block.codes[live.column as usize];
        if view.start != self.bits.start {
            // How many rows that tile has is not known any more; those behind it do no harm.
            self.bits.begin(view.start, (codes.len() - view.start).min(tile::MOST));
        }
        let word = self.bits.lower(view.isa, &codes[view.start..], live);
        match view.tile {
            Some((members, _)) => places_of(view.isa, word & members, members),
            None => word & tile::all(view.end - view.start),
        }
    }
}
