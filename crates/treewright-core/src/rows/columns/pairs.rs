//! Searching a node of at most 64 rows of two classes under Gini's index: as [`super::small`] does, with a kernel that
//! counts both classes at once.

use super::contest::{Contest, Gap, Record, Top};
use super::kernels::gini;
use super::kernels::pairs::{PAIRS, PairQuery, Pairs, scan};
use super::node::{Cut, Ties};
use super::search::Column;
use super::shape::Shape;

/// The search of one node.
#[derive(Debug)]
pub struct PairSearch<'a> {
    query: PairQuery<'a>,
    shape: Shape<'a>,
    pairs: &'a mut Pairs,
    /// Whether estimates compare as savings do, and the largest one of the columns before.
    exact: bool,
    most: f32,
}

/// Rows may count so often for estimates to compare as savings do; see [`super::kernels::gini`].
const EXACT: u32 = 20;

impl<'a> PairSearch<'a> {
    /// Begins with the first column.
    pub fn new(query: PairQuery<'a>, shape: Shape<'a>, pairs: &'a mut Pairs) -> PairSearch<'a> {
        let exact = query.times[0] <= EXACT;
        PairSearch { query, shape, pairs, exact, most: f32::NEG_INFINITY }
    }

    /// Whether the last column was the same in all rows, as far as its codes tell.
    pub fn was_constant(&self) -> bool {
        self.pairs.constant
    }

    /// See [`super::small::SmallSearch::column`].
    #[inline]
    pub fn column<'c>(
        &mut self,
        record: &Record,
        codes: &[u16],
        exact: bool,
        column: impl FnOnce() -> Column<'c>,
    ) -> Option<Top> {
        // Exact estimates must be greater than those of the columns before.
        let floor = if self.exact { self.most.next_up() } else { record.floor() };
        let hits = scan(self.shape.isa, &self.query, codes, floor, self.pairs);
        let tied = !exact && self.pairs.tied;
        if hits == 0 && !tied {
            return None;
        }
        let mut top = None;
        let mut contest = Contest::new(record, &mut top);
        self.offer_lanes(hits, 0, &mut contest);
        if tied {
            self.tied(&column(), 0, (0, 0), &mut contest);
        }
        top
    }

    /// See [`super::small::SmallSearch::column_with_gaps`]. Some rows, but not all, have no number.
    pub fn column_with_gaps<'c>(
        &mut self,
        record: &Record,
        (codes, gaps): (&[u16], u64),
        exact: bool,
        column: impl FnOnce() -> Column<'c>,
    ) -> Option<Top> {
        let floor = if self.exact { self.most.next_up() } else { record.floor() };
        let packed = |place: usize| self.query.weights.0[place];
        let absent: u16 = (0..self.query.rows).filter(|place| gaps >> place & 1 != 0).map(packed).sum();
        let (all, gone) = (self.query.times[0], u32::from(absent & 255));
        let known = (0..self.query.rows).filter(|place| gaps >> place & 1 == 0);
        let squares: u32 = known.map(|place| u32::from(packed(place) & 255).pow(2)).sum();
        // All rows are on the left of the cut behind one without a number; the others count as if they were alone.
        let untied = ((all - gone).pow(2) + squares) / 2 + all * gone;
        let (query, mut top, mut lanes, mut tied) = (PairQuery { untied, ..self.query }, None, [0; PAIRS], false);
        for left in [false, true] {
            let turned = u16::from(left);
            lanes.iter_mut().zip(&codes[..query.rows]).for_each(|(lane, code)| *lane = code.wrapping_add(turned));
            let hits = scan(self.shape.isa, &query, &lanes, floor, self.pairs) & !gaps;
            tied |= !left && !exact && self.pairs.tied;
            self.offer_lanes(hits, turned, &mut Contest::new(record, &mut top).beside(Gap { rows: gone, left }));
        }
        if tied {
            let column = column();
            for left in [false, true] {
                let before = if left { (absent, gaps.count_ones() as usize) } else { (0, 0) };
                let contest = &mut Contest::new(record, &mut top).beside(Gap { rows: gone, left });
                self.tied(&column, gaps, before, contest);
            }
        }
        top
    }

    /// Offers the cut behind rows that count so often, packed. (As every row counts, this orders cuts as their rows do.)
    fn offer(&self, left: u16, cut: Cut, contest: &mut Contest<'_>) {
        contest.offer(gini::saved(&self.shape, &unpacked(left)), u32::from(left & 255), cut);
    }

    fn offer_lanes(&mut self, mut hits: u64, turned: u16, contest: &mut Contest<'_>) {
        let mut last = None;
        while hits != 0 {
            let lane = hits.trailing_zeros() as usize;
            hits &= hits - 1;
            let left = self.pairs.left[lane];
            if last == Some(left) || (self.exact && self.pairs.saved[lane] < self.pairs.most) {
                continue;
            }
            last = Some(left);
            self.offer(left, Cut::behind(self.pairs.codes[lane].wrapping_sub(turned)), contest);
        }
        self.most = self.most.max(self.pairs.most);
    }

    /// Different numbers may share a code: look at each, where that could matter. Some rows have no number; `before` tells
    /// what stands on the left of all cuts.
    #[cold]
    fn tied(&self, column: &Column<'_>, gaps: u64, before: (u16, usize), contest: &mut Contest<'_>) {
        let mut items = [0u32; PAIRS];
        let known = (0..self.query.rows).filter(|&place| gaps >> place & 1 == 0);
        let count = known.clone().count();
        let items = &mut items[..count];
        known.zip(items.iter_mut()).for_each(|(place, item)| {
            *item = u32::from(column.codes[place]) << 16 | place as u32;
        });
        items.sort_unstable();
        let (mut left, mut rows) = before;
        for group in items.chunk_by(|a, b| a >> 16 == b >> 16) {
            let before = left;
            left += group.iter().map(|item| self.query.weights.0[(item & 0xffff) as usize]).sum::<u16>();
            if group.len() > 1 {
                let bound = gini::bound(&self.shape, &unpacked(before), &unpacked(left));
                if bound as f32 >= contest.floor() {
                    self.within(column, group, (before, rows), contest);
                }
            }
            rows += group.len();
        }
    }

    /// Looks at the cuts between different numbers of one code, behind what counts and as many rows as `before` says.
    fn within(&self, column: &Column<'_>, group: &[u32], before: (u16, usize), contest: &mut Contest<'_>) {
        let (mut left, mut rows) = before;
        let place = |item: u32| (item & 0xffff) as usize;
        // Each number is read once: another thread may be writing to it.
        let mut numbers = [(0.0, 0); PAIRS];
        let numbers = &mut numbers[..group.len()];
        numbers.iter_mut().zip(group).for_each(|(number, &item)| *number = (column.number(place(item)), item));
        numbers.sort_unstable_by(|a, b| a.0.total_cmp(&b.0));
        for pair in numbers.windows(2) {
            left += self.query.weights.0[place(pair[0].1)];
            rows += 1;
            if pair[0].0 < pair[1].0 && rows >= self.query.min_leaf && rows + self.query.min_leaf <= self.query.rows {
                let cut = Cut { ties: Ties::Between(pair[0].0, pair[1].0), ..Cut::behind((group[0] >> 16) as u16) };
                self.offer(left, cut, contest);
            }
        }
    }
}

/// How often both classes count.
fn unpacked(left: u16) -> [u32; 2] {
    [u32::from((left & 255) - (left >> 8)), u32::from(left >> 8)]
}
