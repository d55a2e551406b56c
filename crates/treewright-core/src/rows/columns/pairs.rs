//! Searching a node of at most 128 rows of two classes under Gini's index: as [`super::small`] does, with a kernel that
//! counts both classes at once.

use super::contest::{Contest, Gap, Record, Top};
use super::kernels::codes::select;
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
        (codes, gaps): (&[u16], u128),
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

    fn offer_lanes(&mut self, mut hits: u128, turned: u16, contest: &mut Contest<'_>) {
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
    fn tied(&self, column: &Column<'_>, gaps: u128, before: (u16, usize), contest: &mut Contest<'_>) {
        let codes = &column.codes[..self.query.rows];
        let (mut filter, mut group) = (CodeFilter::default(), Vec::new());
        for (place, &code) in codes.iter().enumerate().filter(|(place, _)| gaps >> place & 1 == 0) {
            if !filter.may_have(code) {
                continue;
            }
            group.clear();
            select(self.shape.isa, codes, code, code, &mut group);
            // A group is looked at when the second of its rows is met.
            if group.get(1).is_some_and(|&(_, second)| second as usize == place) {
                self.within_bound(column, &group, before, contest);
            }
        }
    }

    /// Looks at the rows of one code, if what a cut among them could save matters.
    fn within_bound(&self, column: &Column<'_>, group: &[(u16, u32)], before: (u16, usize), contest: &mut Contest<'_>) {
        let code = group[0].0;
        let (mut left, mut rows) = before;
        for (&other, weight) in column.codes[..self.query.rows].iter().zip(&self.query.weights.0) {
            // All bits or none, in place of a branch.
            let inside = u16::from(other < code).wrapping_neg();
            (left, rows) = (left + (weight & inside), rows + usize::from(inside & 1));
        }
        let after = left + group.iter().map(|&(_, place)| self.query.weights.0[place as usize]).sum::<u16>();
        let bound = gini::bound(&self.shape, &unpacked(left), &unpacked(after));
        if bound as f32 >= contest.floor() {
            self.within(column, group, (left, rows), contest);
        }
    }

    /// Looks at the cuts between different numbers of one code, behind what counts and as many rows as `before` says.
    fn within(&self, column: &Column<'_>, group: &[(u16, u32)], before: (u16, usize), contest: &mut Contest<'_>) {
        let (mut left, mut rows) = before;
        // Each number is read once: another thread may be writing to it.
        let mut numbers = [(0.0, 0); PAIRS];
        let numbers = &mut numbers[..group.len()];
        numbers
            .iter_mut()
            .zip(group)
            .for_each(|(number, &(_, place))| *number = (column.number(place as usize), place));
        numbers.sort_unstable_by(|a, b| a.0.total_cmp(&b.0));
        for pair in numbers.windows(2) {
            left += self.query.weights.0[pair[0].1 as usize];
            rows += 1;
            if pair[0].0 < pair[1].0 && rows >= self.query.min_leaf && rows + self.query.min_leaf <= self.query.rows {
                let cut = Cut { ties: Ties::Between(pair[0].0, pair[1].0), ..Cut::behind(group[0].0) };
                self.offer(left, cut, contest);
            }
        }
    }
}

/// Which codes have been met, as far as their lowest bits tell.
#[derive(Default)]
struct CodeFilter([u64; 16]);

impl CodeFilter {
    /// Whether a code may have been met before; it is from now on.
    fn may_have(&mut self, code: u16) -> bool {
        let (word, bit) = (&mut self.0[usize::from(code >> 6 & 15)], 1 << (code & 63));
        let met = *word & bit != 0;
        *word |= bit;
        met
    }
}

/// How often both classes count.
fn unpacked(left: u16) -> [u32; 2] {
    [u32::from((left & 255) - (left >> 8)), u32::from(left >> 8)]
}
