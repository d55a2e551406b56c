//! The close look at a column of a large node: only where the bound of a bin reaches the best cut so far.

use super::contest::{Contest, Gap};
use super::kernels::codes::select;
use super::kernels::histogram::{at_least, largest};
use super::known::Frame;
use super::large::{LargeScratch, LargeSearch};
use super::node::Kind;
use super::search::{Job, cuts_among};
use super::tally::{ColumnTally, SidePart, Which};
use crate::Result;

/// Bins that are looked at closely are taken together when no more than this many lie between them.
const GAP: usize = 3;
/// More separate looks than this are not worth it: one look takes all in.
const LOOKS: usize = 32;

impl LargeSearch {
    /// Looks closely wherever a bound reaches the best cut.
    pub fn fine<T: ColumnTally>(&mut self, job: &Job<'_, T>, scratch: &mut LargeScratch<T>) -> Result<()> {
        let Job { context, column, record } = *job;
        let searched = self.done || column.trend.is_some() || matches!(column.kind, Kind::Levels(_));
        if let (Some(frame), false) = (self.frame, searched) {
            return self.fine_known(job, frame, scratch);
        }
        let nothing = searched || self.absent as usize == context.len;
        if nothing || self.peak() < record.floor() {
            return Ok(());
        }
        if self.absent > 0 {
            context.tally.part(context, Which::Missing(column.codes), &mut scratch.absent);
        }
        for left in [false, true].into_iter().take(1 + usize::from(self.absent > 0)) {
            if self.peaks[usize::from(left)] >= record.floor() {
                self.fine_on(left, job, scratch)?;
            }
        }
        self.peaks = [-1.0; 2];
        Ok(())
    }

    /// The same among the known rows, where the others stand aside.
    fn fine_known<T: ColumnTally>(
        &mut self,
        job: &Job<'_, T>,
        frame: Frame,
        scratch: &mut LargeScratch<T>,
    ) -> Result<()> {
        let Job { context, column, record } = *job;
        let inner = record.within(&frame);
        if self.peaks[0] < inner.floor() {
            return Ok(());
        }
        let mut known = std::mem::take(&mut scratch.known);
        let absent = std::mem::take(&mut self.absent);
        known.rows.gather(context, column.codes, Some(column.rows))?;
        let (rows, column) = (known.rows.context(context), known.rows.column(column));
        let done = self.fine_on(false, &Job { context: &rows, column: &column, record: &inner }, scratch);
        (self.absent, self.peaks) = (absent, [-1.0; 2]);
        scratch.known = known;
        self.take_note(frame, record);
        done
    }

    /// The same for one side of rows without a number.
    fn fine_on<T: ColumnTally>(&mut self, left: bool, job: &Job<'_, T>, scratch: &mut LargeScratch<T>) -> Result<()> {
        let (isa, record) = (job.context.isa, job.record);
        let (scan, gap) = (&self.scans[usize::from(left)], self.gap(left));
        let mut looks = std::mem::take(&mut scratch.looks);
        looks.clear();
        scratch.places.clear();
        at_least(isa, scan.bounds(), record.floor(), &mut scratch.places);
        for bin in scratch.places.iter().map(|&bin| bin as usize) {
            match looks.last_mut() {
                Some(look) if bin <= look.1 + GAP => look.1 = bin,
                _ => looks.push((bin, bin)),
            }
        }
        if looks.len() > LOOKS {
            let (first, last) = (looks[0].0, looks[looks.len() - 1].1);
            looks.clear();
            looks.push((first, last));
        }
        for &(first, last) in &looks {
            if largest(isa, &scan.bounds()[first..=last]) >= record.floor() {
                let codes = (self.bins.first(first), self.bins.last(last));
                let contest = &mut Contest::new(record, &mut self.top).beside(gap);
                look_at(job, codes, gap, contest, scratch)?;
            }
        }
        scratch.looks = looks;
        Ok(())
    }
}

/// Looks at every cut among the rows whose codes are in a range.
fn look_at<T: ColumnTally>(
    job: &Job<'_, T>,
    codes: (u16, u16),
    gap: Gap,
    contest: &mut Contest<'_>,
    scratch: &mut LargeScratch<T>,
) -> Result<()> {
    let Job { context, column, .. } = *job;
    scratch.items.clear();
    scratch.items.try_reserve(context.len)?;
    select(context.isa, column.codes, codes.0, codes.1, &mut scratch.items);
    scratch.items.sort_unstable_by_key(|item| item.0);
    context.tally.part(context, Which::Below(column.codes, codes.0), &mut scratch.part);
    if gap.left {
        scratch.part.join(&scratch.absent);
    }
    cuts_among(context, column, &scratch.items, scratch.part.clone(), contest);
    Ok(())
}
