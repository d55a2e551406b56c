//! Searching a column of a small node in which numbers are missing. Every cut is looked at twice: with these rows on the
//! right, which the greatest code puts them anyway, and on the left, for which all codes move up by one and theirs
//! becomes 0.

use super::contest::{Contest, Gap, Top};
use super::node::ABSENT;
use super::search::{Column, cuts_among};
use super::small::SmallSearch;
use super::tally::{ColumnTally, Lanes, Which};

impl<T: ColumnTally> SmallSearch<'_, T> {
    /// See [`SmallSearch::column`].
    pub fn column_with_gaps<'c>(
        &mut self,
        codes: &[u16],
        exact: bool,
        column: impl FnOnce() -> Column<'c>,
    ) -> Option<Top> {
        let len = self.context.len;
        let gaps = codes[..len].iter().zip(0..).fold(0u128, |bits, (&code, i)| bits | u128::from(code == ABSENT) << i);
        let absent = gaps.count_ones();
        if absent == 0 || absent as usize == len {
            return self.column(codes, exact, column);
        }
        if let Some(pairs) = &mut self.pairs {
            return pairs.column_with_gaps(self.record, (codes, gaps), exact, column);
        }
        let gaps = gaps as u32;
        let (floor, mut top, mut lanes): (f32, Option<Top>, Lanes) = (self.floor(), None, [0; _]);
        let mut ties = false;
        for left in [false, true] {
            let turned = u16::from(left);
            lanes[..len].iter_mut().zip(codes).for_each(|(lane, code)| *lane = code.wrapping_add(turned));
            let hits = self.context.tally.scan_lanes(self.context, &lanes[..len], floor, self.scan) & !gaps;
            let mut contest = Contest::new(self.record, &mut top).beside(Gap { rows: absent, left });
            self.offer_hits(hits, turned, &mut contest);
            if !left {
                let known = len - absent as usize;
                let places = (0..len).filter(|i| gaps >> i & 1 == 0).map(|i| usize::from(self.scan.left[i]));
                ties = places.sum::<usize>() != known * (known + 1) / 2;
            }
        }
        if ties && !exact {
            self.tied_with_gaps(&column(), gaps, &mut top);
        }
        top
    }

    /// Different numbers may share a code: look at each.
    #[cold]
    fn tied_with_gaps(&self, column: &Column<'_>, gaps: u32, top: &mut Option<Top>) {
        let known = |(code, _): &(u16, u32)| *code != ABSENT;
        let mut items: Vec<(u16, u32)> = column.codes.iter().copied().zip(0..).filter(known).collect();
        items.sort_unstable();
        for left in [false, true] {
            let mut part = T::Part::default();
            self.context.tally.part(self.context, Which::Chosen(if left { u64::from(gaps) } else { 0 }), &mut part);
            let gap = Gap { rows: gaps.count_ones(), left };
            let contest = &mut Contest::new(self.record, top).beside(gap);
            cuts_among(self.context, column, &items, part, contest);
        }
    }
}
