//! Searching a node of at most 32 rows: every row's code is compared with every other's, all at once, which tells for the
//! cut behind each row how many rows of each class (or which sum) it leaves on the left.

use super::contest::{Contest, Record, Top};
use super::kernels::LANES;
use super::kernels::codes::at_most;
use super::kernels::pairs::Pairs;
use super::node::Cut;
use super::pairs::PairSearch;
use super::search::{Column, cuts_among, offer_part};
use super::tally::{ColumnTally, LaneScan, NodeContext, Which};
use super::tile;
use super::two_codes::TileBits;
use super::two_codes::TwoCodeSearch;

/// Scratch.
#[derive(Debug, Default)]
pub struct SmallScratch {
    scan: LaneScan,
    pairs: Pairs,
    bits: TileBits,
}

impl SmallScratch {
    /// Begins with another tile.
    pub fn begin_tile(&mut self, start: usize, rows: usize) {
        self.bits.begin(start, rows);
    }
}

/// The search of one node.
#[derive(Debug)]
pub struct SmallSearch<'a, T: ColumnTally> {
    pub(super) context: &'a NodeContext<'a, T>,
    pub(super) record: &'a Record,
    pub(super) scan: &'a mut LaneScan,
    /// Where the rows are of two classes.
    pub(super) pairs: Option<PairSearch<'a>>,
    /// For columns of two codes, where bits can be counted.
    pub(super) two_codes: Option<TwoCodeSearch<'a>>,
    /// Whether estimates compare as savings do, and the largest one of the columns before.
    exact: bool,
    most: f32,
}

impl<'a, T: ColumnTally> SmallSearch<'a, T> {
    /// Begins with the first column.
    pub fn new(
        context: &'a NodeContext<'a, T>,
        record: &'a Record,
        scratch: &'a mut SmallScratch,
    ) -> SmallSearch<'a, T> {
        let SmallScratch { scan, pairs, bits } = scratch;
        let exact = context.tally.lanes_are_exact(context);
        let pairs = context.tally.pairs(context).map(|(query, shape)| PairSearch::new(query, shape, pairs));
        let shape = context.tally.gini_shape(context);
        let shape = shape.filter(|_| context.len <= tile::MOST);
        let two_codes = shape.map(|shape| TwoCodeSearch::new(shape, context.len, context.min_leaf, bits));
        SmallSearch { context, record, scan, pairs, two_codes, exact, most: f32::NEG_INFINITY }
    }

    /// Whether the last column was the same in all rows, as far as its codes tell.
    pub fn was_constant(&self) -> bool {
        self.pairs.as_ref().map_or(self.scan.constant, PairSearch::was_constant)
    }

    /// Whether no later column can save more.
    pub fn is_over(&self) -> bool {
        self.record.saved().is_some_and(|saved| saved >= 1.0)
    }

    /// The best cut of the next column, where it matters. `codes` may go on behind the node's rows; `column` tells the rest.
    #[inline]
    pub fn column<'c>(&mut self, codes: &[u16], exact: bool, column: impl FnOnce() -> Column<'c>) -> Option<Top> {
        if let Some(pairs) = &mut self.pairs {
            return pairs.column(self.record, codes, exact, column);
        }
        let floor = self.floor();
        let hits = self.context.tally.scan_lanes(self.context, codes, floor, self.scan);
        if hits == 0 && (exact || !self.has_ties()) {
            return None;
        }
        let mut top = None;
        let mut contest = Contest::new(self.record, &mut top);
        self.offer_hits(hits, 0, &mut contest);
        if !exact && self.has_ties() {
            self.tied(&column(), &mut contest);
        }
        top
    }

    /// Estimates from here on are of interest.
    pub(super) fn floor(&self) -> f32 {
        // Exact estimates must be greater than those of the columns before.
        if self.exact { self.most.next_up() } else { self.record.floor() }
    }

    /// Offers the lanes of interest; `turned` is what was added to the codes.
    pub(super) fn offer_hits(&mut self, hits: u32, turned: u16, contest: &mut Contest<'_>) {
        if self.exact {
            self.offer_largest(hits, turned, contest);
        } else {
            self.offer_each(hits, turned, contest);
        }
    }

    /// Whether two rows have the same code: then not all numbers of rows occur.
    fn has_ties(&self) -> bool {
        let places: usize = self.scan.left[..self.context.len].iter().map(|&left| left as usize).sum();
        places != self.context.len * (self.context.len + 1) / 2
    }

    /// Of lanes with equal estimates the first cut wins.
    fn offer_largest(&mut self, mut hits: u32, turned: u16, contest: &mut Contest<'_>) {
        let mut best: Option<(f32, u16, usize)> = None;
        while hits != 0 {
            let lane = hits.trailing_zeros() as usize;
            hits &= hits - 1;
            let (saved, left) = (self.scan.saved[lane], self.scan.left[lane]);
            if best.is_none_or(|(most, least, _)| saved > most || (saved == most && left < least)) {
                best = Some((saved, left, lane));
            }
        }
        if let Some((saved, _, lane)) = best {
            self.most = self.most.max(saved);
            self.offer(lane, turned, contest);
        }
    }

    /// The most promising first: what it saves spares looks at others.
    fn offer_each(&self, mut hits: u32, turned: u16, contest: &mut Contest<'_>) {
        let lanes = (0..LANES).filter(|lane| hits >> lane & 1 != 0);
        let Some(first) = lanes.max_by(|&a, &b| self.scan.saved[a].total_cmp(&self.scan.saved[b])) else { return };
        self.offer(first, turned, contest);
        let (floor, mut seen) = (contest.floor(), 1u64 << self.scan.left[first]);
        while hits != 0 {
            let lane = hits.trailing_zeros() as usize;
            hits &= hits - 1;
            let left = 1 << self.scan.left[lane];
            if seen & left == 0 && self.scan.saved[lane] >= floor {
                seen |= left;
                self.offer(lane, turned, contest);
            }
        }
    }

    fn offer(&self, lane: usize, turned: u16, contest: &mut Contest<'_>) {
        let code = self.scan.codes[lane];
        let mut rows = [0];
        at_most(self.context.isa, &self.scan.codes[..self.context.len], code, &mut rows);
        let mut part = T::Part::default();
        self.context.tally.part(self.context, Which::Chosen(u64::from(rows[0])), &mut part);
        let cut = Cut::behind(code.wrapping_sub(turned));
        offer_part(self.context, &part, cut, contest);
    }

    /// Different numbers may share a code: look at each.
    #[cold]
    fn tied(&self, column: &Column<'_>, contest: &mut Contest<'_>) {
        let mut items: Vec<(u16, u32)> = self.scan.codes[..self.context.len].iter().copied().zip(0..).collect();
        items.sort_unstable();
        let part = self.context.part(Which::Nothing);
        cuts_among(self.context, column, &items, part, contest);
    }
}
