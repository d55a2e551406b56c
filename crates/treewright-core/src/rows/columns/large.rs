//! Searching a node of many rows: count the codes of each column into bins, estimate every cut between bins and bound
//! every cut inside one; [`super::refine`] looks closely only where a bound reaches the best cut.

use super::bins::{Bins, wanted};
use super::contest::{Contest, Gap, Record, Top};
use super::inherited::Inherited;
use super::kernels::codes::{known_range, range};
use super::kernels::histogram::{at_least, largest};
use super::known::KnownScratch;
use super::known::{self, Absent, Frame};
use super::levels;
use super::levels::LevelScratch;
use super::light::forbid_light;
use super::node::{Cut, Kind, Live};
use super::search::{Job, is_allowed, offer_part, sweep};
use super::tally::{ColumnTally, Look, Scan, SidePart, Which};
use crate::Result;
use crate::sys::pool::Cancel;
use crate::tolerance::ESTIMATE_TIE;

/// Smaller nodes do with the range of codes that their parent knew.
const RANGED: usize = 256;

/// The search of one column.
#[derive(Debug, Default)]
pub struct LargeSearch {
    /// The column's best cut so far.
    pub top: Option<Top>,
    /// Whether all rows have one number.
    pub constant: bool,
    /// The least and the greatest code, as far as known.
    pub codes: (u16, u16),
    pub(super) bins: Bins,
    /// The histogram that the node has inherited, then the one that its children may inherit.
    pub inherited: Option<Inherited>,
    /// Whether children may inherit.
    keeps: bool,
    /// With rows without a number on the right, and on the left.
    pub(super) scans: [Scan; 2],
    /// The largest bound of each.
    pub(super) peaks: [f32; 2],
    /// How many rows have no number.
    pub(super) absent: u32,
    /// Where these stand aside, how what is known of the others becomes what is known of the node.
    pub(super) frame: Option<Frame>,
    /// Whether nothing is left to look at.
    pub(super) done: bool,
}

/// Scratch of one thread.
#[derive(Debug)]
pub struct LargeScratch<T: ColumnTally> {
    histogram: T::Histogram,
    pub(super) part: T::Part,
    pub(super) absent: T::Part,
    pub(super) known: KnownScratch<T>,
    levels: LevelScratch<T>,
    pub(super) items: Vec<(u16, u32)>,
    pub(super) looks: Vec<(usize, usize)>,
    pub(super) places: Vec<u32>,
}

impl<T: ColumnTally> Default for LargeScratch<T> {
    fn default() -> LargeScratch<T> {
        LargeScratch {
            histogram: T::Histogram::default(),
            part: T::Part::default(),
            absent: T::Part::default(),
            known: KnownScratch::default(),
            levels: LevelScratch::default(),
            items: Vec::new(),
            looks: Vec::new(),
            places: Vec::new(),
        }
    }
}

impl<T: ColumnTally> LargeScratch<T> {
    /// Room for a histogram.
    pub fn histogram(&mut self) -> &mut T::Histogram {
        &mut self.histogram
    }
}

/// The peak among known rows as one of the node. Not inlined: compilers would multiply with what a missing frame happens to
/// hold, which takes long if that is a denormal number.
#[cold]
#[inline(never)]
fn peak_of_node(frame: &Frame, peak: f32) -> f32 {
    frame.saved(f64::from(peak)) as f32
}

impl LargeSearch {
    /// Begins with what the parent knew; `keeps` says whether children may inherit histograms.
    pub fn begin(&mut self, live: &Live, keeps: bool) {
        self.top = None;
        self.keeps = keeps;
        self.inherited = None;
        self.constant = false;
        self.codes = (live.low, live.high);
        self.peaks = [-1.0; 2];
        self.absent = 0;
        self.frame = None;
        self.done = false;
    }

    /// The largest bound that is still open.
    pub fn peak(&self) -> f32 {
        let peak = self.peaks[0].max(self.peaks[1]);
        match &self.frame {
            Some(frame) => peak_of_node(frame, peak),
            None => peak,
        }
    }

    /// Ends the search: the best cut is told in savings of the node.
    pub fn end(&mut self) {
        if let Some(frame) = self.frame.take() {
            self.top = self.top.take().map(|top| top.of_node(&frame));
        }
    }

    /// The rows without a number on one side.
    pub(super) fn gap(&self, left: bool) -> Gap {
        Gap { rows: self.absent, left }
    }

    /// Counts into bins; offers the best cuts between bins.
    pub fn coarse<T: ColumnTally>(
        &mut self,
        job: &Job<'_, T>,
        scratch: &mut LargeScratch<T>,
        cancel: &Cancel,
    ) -> Result<()> {
        let Job { context, column, record } = *job;
        if let Kind::Levels(levels) = column.kind {
            let codes = (0, column.codes, levels);
            self.top = levels::search(context, codes, record, &mut scratch.levels, (None, cancel))?;
            return Ok(());
        }
        if column.trend.is_none() && self.inherited.as_ref().is_some_and(Inherited::is_fine) {
            return self.count(job, scratch);
        }
        self.inherited = None;
        if column.kind == Kind::Gaps && (column.trend.is_none() || context.unknowns != Absent::Side) {
            context.tally.part(context, Which::Missing(column.codes), &mut scratch.absent);
            self.absent = scratch.absent.rows() as u32;
            if self.absent > 0 && context.has_aside(&scratch.absent) {
                let mut known = std::mem::take(&mut scratch.known);
                let done = self.coarse_known(job, &mut known, scratch, cancel);
                scratch.known = known;
                return done;
            }
            if self.absent > 0 && column.trend.is_none() {
                return self.coarse_with_gaps(job, scratch);
            }
        }
        if column.trend.is_some() {
            self.top = sweep(context, column, record)?;
            return Ok(());
        }
        self.coarse_numbers(job, scratch)
    }

    /// The same where every row has a number.
    fn coarse_numbers<T: ColumnTally>(&mut self, job: &Job<'_, T>, scratch: &mut LargeScratch<T>) -> Result<()> {
        let Job { context, column, .. } = *job;
        let two = column.is_exact() && self.codes.1 - self.codes.0 == 1;
        if (context.len >= RANGED || column.is_exact()) && !two {
            self.codes = range(context.isa, column.codes);
        }
        let (low, high) = self.codes;
        if low == high {
            self.constant = column.is_exact();
            self.bins = Bins::new(low, high, 1);
            self.peaks[0] = if column.is_exact() { -1.0 } else { f32::INFINITY };
            self.scans[0].begin(1, true);
            self.scans[0].room().bounds[0] = self.peaks[0];
            return Ok(());
        }
        if column.is_exact() && high - low == 1 {
            self.only_cut(job, scratch);
            return Ok(());
        }
        self.count(job, scratch)
    }

    /// The same where rows have no number: they stand on the right of all cuts first, then on the left.
    fn coarse_with_gaps<T: ColumnTally>(&mut self, job: &Job<'_, T>, scratch: &mut LargeScratch<T>) -> Result<()> {
        self.constant = self.absent as usize == job.context.len;
        if self.constant {
            return Ok(());
        }
        self.codes = known_range(job.context.isa, job.column.codes);
        self.count(job, scratch)
    }

    /// The same where rows without a number stand aside: all that counts are the known ones.
    fn coarse_known<T: ColumnTally>(
        &mut self,
        job: &Job<'_, T>,
        aside: &mut KnownScratch<T>,
        scratch: &mut LargeScratch<T>,
        cancel: &Cancel,
    ) -> Result<()> {
        let Job { context, column, record } = *job;
        let absent = std::mem::take(&mut self.absent);
        // Children have other known rows: there is nothing to inherit.
        let keeps = std::mem::take(&mut self.keeps);
        self.inherited = None;
        if absent as usize == context.len {
            (self.constant, self.absent) = (true, absent);
            return Ok(());
        }
        // A search of bins reads no numbers.
        let known = &mut aside.rows;
        known.gather(context, column.codes, None)?;
        let frame = known.frame(context);
        if column.trend.is_some() || known.is_small(context) {
            self.top = known::search_small(context, column, record, aside)?;
            self.done = true;
        } else {
            let inner = record.within(&frame);
            let job = Job { context: &known.context(context), column: &known.column(column), record: &inner };
            self.coarse(&job, scratch, cancel)?;
            context.offer_known(known, &inner, &mut self.top);
            self.take_note(frame, record);
        }
        (self.absent, self.constant, self.keeps) = (absent, false, keeps);
        Ok(())
    }

    /// Takes note of what was found among known rows.
    pub(super) fn take_note(&mut self, frame: Frame, record: &Record) {
        self.frame = Some(frame);
        if let Some(top) = &self.top {
            record.raise(frame.saved(top.saved));
        }
    }

    /// Counts into bins and offers edges, for either side of rows without a number.
    fn count<T: ColumnTally>(&mut self, job: &Job<'_, T>, scratch: &mut LargeScratch<T>) -> Result<()> {
        let Job { context, column, .. } = *job;
        let ((low, high), wanted) = (self.codes, wanted(context.len));
        self.bins = match &self.inherited {
            Some(inherited) => inherited.bins,
            None => Bins::new(low, high, if column.is_exact() { 2 * wanted } else { wanted }),
        };
        self.fill_histogram(job, scratch)?;
        // Where a bin is one number, no cut lies inside.
        let is_settled = column.is_exact() && self.bins.single();
        for left in [false, true].into_iter().take(1 + usize::from(self.absent > 0)) {
            let scan = &mut self.scans[usize::from(left)];
            scan.begin(self.bins.count(), !is_settled);
            let gap = Gap { rows: self.absent, left };
            let look = Look { context, codes: column.codes, bins: &self.bins, gap, absent: &scratch.absent };
            context.tally.estimate(&look, &mut scratch.histogram, scan);
            if context.min_weight > 0.0 {
                forbid_light(&look, &scratch.histogram, scan);
            }
            self.peaks[usize::from(left)] = if is_settled { -1.0 } else { largest(context.isa, scan.bounds()) };
            self.offer_edges(job, left, scratch);
        }
        Ok(())
    }

    /// Counts rows into bins, or takes over what the parent knew; keeps a copy where children may inherit.
    fn fill_histogram<T: ColumnTally>(&mut self, job: &Job<'_, T>, scratch: &mut LargeScratch<T>) -> Result<()> {
        let Job { context, column, .. } = *job;
        if let Some(inherited) = &self.inherited {
            return context.tally.recall(inherited, &mut scratch.histogram);
        }
        let gap = self.gap(false);
        let look = Look { context, codes: column.codes, bins: &self.bins, gap, absent: &scratch.absent };
        context.tally.histogram(&look, &mut scratch.histogram)?;
        if self.keeps && self.absent == 0 {
            self.inherited = context.tally.keep(context, &self.bins, &scratch.histogram)?;
        }
        Ok(())
    }

    /// A column of two codes has one cut.
    fn only_cut<T: ColumnTally>(&mut self, job: &Job<'_, T>, scratch: &mut LargeScratch<T>) {
        let Job { context, column, record } = *job;
        context.tally.part(context, Which::Below(column.codes, self.codes.1), &mut scratch.part);
        let left = scratch.part.rows();
        self.constant = left == 0 || left == context.len;
        let mut contest = Contest::new(record, &mut self.top);
        if context.allows(left) && is_allowed(context, column.trend, &scratch.part, &contest) {
            let cut = Cut::behind(self.codes.0);
            offer_part(context, &scratch.part, cut, &mut contest);
        }
    }

    /// Offers the best cuts between bins, with rows without a number on one side.
    fn offer_edges<T: ColumnTally>(&mut self, job: &Job<'_, T>, left: bool, scratch: &mut LargeScratch<T>) {
        let Job { context, column, record } = *job;
        let (scan, gap) = (&self.scans[usize::from(left)], self.gap(left));
        let most = largest(context.isa, scan.edges());
        let floor = record.floor().max(most - most.abs() * ESTIMATE_TIE - 2.0 * context.tally.noise(context));
        if most < 0.0 || most < floor {
            return;
        }
        let mut contest = Contest::new(record, &mut self.top).beside(gap);
        scratch.places.clear();
        at_least(context.isa, scan.edges(), floor, &mut scratch.places);
        let look = Look { context, codes: column.codes, bins: &self.bins, gap, absent: &scratch.absent };
        for edge in scratch.places.iter().map(|&edge| edge as usize) {
            context.tally.at_edge(&look, edge, &scratch.histogram, &mut scratch.part);
            offer_part(context, &scratch.part, Cut::behind(self.bins.last(edge)), &mut contest);
        }
    }
}
