//! Searching a node of many rows: count the codes of each column into bins, estimate every cut between bins and bound
//! every cut inside one, then look closely only where a bound reaches the best cut.

use super::bins::{Bins, wanted};
use super::contest::{Contest, Gap, Record, Top};
use super::inherited::Inherited;
use super::kernels::codes::{known_range, range, select};
use super::kernels::histogram::{at_least, largest};
use super::known::{self, Absent, Frame};
use super::levels;
use super::light::forbid_light;
use super::node::{Cut, Kind, Live};
use super::search::{Column, cuts_among, is_allowed, offer_part, sweep};
use super::tally::{Look, NodeContext, Scan, Tally};
use crate::Result;
use crate::sys::pool::Cancel;
use crate::tolerance::ESTIMATE_TIE;

/// Smaller nodes do with the range of codes that their parent knew.
const RANGED: usize = 256;
/// Bins that are looked at closely are taken together when no more than this many lie between them.
const GAP: usize = 3;
/// More separate looks than this are not worth it: one look takes all in.
const LOOKS: usize = 32;

/// The search of one column.
#[derive(Debug, Default)]
pub struct Search {
    /// The column's best cut so far.
    pub top: Option<Top>,
    /// Whether all rows have one number.
    pub constant: bool,
    /// The least and the greatest code, as far as known.
    pub codes: (u16, u16),
    bins: Bins,
    /// The histogram that the node has inherited, then the one that its children may inherit.
    pub inherited: Option<Inherited>,
    /// Whether children may inherit.
    keeps: bool,
    /// With rows without a number on the right, and on the left.
    scans: [Scan; 2],
    /// The largest bound of each.
    peaks: [f32; 2],
    /// How many rows have no number.
    absent: u32,
    /// Where these stand aside, how what is known of the others becomes what is known of the node.
    frame: Option<Frame>,
    /// Whether nothing is left to look at.
    done: bool,
}

/// Scratch of one thread.
#[derive(Debug)]
pub struct Scratch<T: Tally> {
    histogram: T::Histogram,
    part: T::Part,
    absent: T::Part,
    known: known::Scratch<T>,
    levels: levels::Scratch<T>,
    items: Vec<(u16, u32)>,
    looks: Vec<(usize, usize)>,
    found: Vec<u32>,
}

impl<T: Tally> Default for Scratch<T> {
    fn default() -> Scratch<T> {
        Scratch {
            histogram: T::Histogram::default(),
            part: T::Part::default(),
            absent: T::Part::default(),
            known: known::Scratch::default(),
            levels: levels::Scratch::default(),
            items: Vec::new(),
            looks: Vec::new(),
            found: Vec::new(),
        }
    }
}

impl<T: Tally> Scratch<T> {
    /// Room for a histogram.
    pub fn histogram(&mut self) -> &mut T::Histogram {
        &mut self.histogram
    }
}

impl Search {
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
        self.frame.map_or(peak, |frame| frame.saved(f64::from(peak)) as f32)
    }

    /// Ends the search: the best cut is told in savings of the node.
    pub fn end(&mut self) {
        if let Some(frame) = self.frame.take() {
            self.top = self.top.take().map(|top| top.of_node(&frame));
        }
    }

    /// The rows without a number on one side.
    fn gap(&self, left: bool) -> Gap {
        Gap { rows: self.absent, left }
    }

    /// Counts into bins; offers the best cuts between bins.
    pub fn coarse<T: Tally>(
        &mut self,
        tally: &T,
        context: &NodeContext<'_, T>,
        column: &Column<'_>,
        record: &Record,
        scratch: &mut Scratch<T>,
        cancel: &Cancel,
    ) -> Result<()> {
        if let Kind::Levels(levels) = column.kind {
            self.top =
                levels::search(tally, context, (0, column.codes, levels), record, &mut scratch.levels, (None, cancel))?;
            return Ok(());
        }
        if column.trend.is_none() && self.inherited.as_ref().is_some_and(Inherited::is_fine) {
            return self.count(tally, context, column, record, scratch);
        }
        self.inherited = None;
        if column.kind == Kind::Gaps && (column.trend.is_none() || context.unknowns != Absent::Side) {
            tally.absent(context, column.codes, &mut scratch.absent);
            self.absent = T::count(&scratch.absent) as u32;
            if self.absent > 0 && context.has_aside(tally, &scratch.absent) {
                let mut known = std::mem::take(&mut scratch.known);
                let done = self.coarse_known(tally, context, (column, &mut known), record, scratch, cancel);
                scratch.known = known;
                return done;
            }
            if self.absent > 0 && column.trend.is_none() {
                return self.coarse_with_gaps(tally, context, column, record, scratch);
            }
        }
        if column.trend.is_some() {
            self.top = sweep(tally, context, column, record)?;
            return Ok(());
        }
        let two = column.exact && self.codes.1 - self.codes.0 == 1;
        if (context.len >= RANGED || column.exact) && !two {
            self.codes = range(context.isa, column.codes);
        }
        let (low, high) = self.codes;
        if low == high {
            self.constant = column.exact;
            self.bins = Bins::new(low, high, 1);
            self.peaks[0] = if column.exact { -1.0 } else { f32::INFINITY };
            self.scans[0].begin(1, true);
            self.scans[0].room().bounds[0] = self.peaks[0];
            return Ok(());
        }
        if column.exact && high - low == 1 {
            self.only_cut(tally, context, column, record, scratch);
            return Ok(());
        }
        self.count(tally, context, column, record, scratch)
    }

    /// The same where rows have no number: they stand on the right of all cuts first, then on the left.
    fn coarse_with_gaps<T: Tally>(
        &mut self,
        tally: &T,
        context: &NodeContext<'_, T>,
        column: &Column<'_>,
        record: &Record,
        scratch: &mut Scratch<T>,
    ) -> Result<()> {
        self.constant = self.absent as usize == context.len;
        if self.constant {
            return Ok(());
        }
        self.codes = known_range(context.isa, column.codes);
        self.count(tally, context, column, record, scratch)
    }

    /// The same where rows without a number stand aside: all that counts are the known ones.
    fn coarse_known<T: Tally>(
        &mut self,
        tally: &T,
        context: &NodeContext<'_, T>,
        (column, aside): (&Column<'_>, &mut known::Scratch<T>),
        record: &Record,
        scratch: &mut Scratch<T>,
        cancel: &Cancel,
    ) -> Result<()> {
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
        known.gather(tally, context, column.codes, None)?;
        let frame = known.frame(tally, context);
        if column.trend.is_some() || known.is_small(tally, context) {
            self.top = known::search_small(tally, context, column, record, aside)?;
            self.done = true;
        } else {
            let inner = record.within(&frame);
            self.coarse(tally, &known.context(tally, context), &known.column(column), &inner, scratch, cancel)?;
            context.offer_known(tally, known, &inner, &mut self.top);
            self.take_note(frame, record);
        }
        (self.absent, self.constant, self.keeps) = (absent, false, keeps);
        Ok(())
    }

    /// Takes note of what was found among known rows.
    fn take_note(&mut self, frame: Frame, record: &Record) {
        self.frame = Some(frame);
        if let Some(top) = &self.top {
            record.raise(frame.saved(top.saved));
        }
    }

    /// Looks closely at the known rows.
    fn fine_known<T: Tally>(
        &mut self,
        tally: &T,
        context: &NodeContext<'_, T>,
        column: &Column<'_>,
        (frame, record): (Frame, &Record),
        scratch: &mut Scratch<T>,
    ) -> Result<()> {
        let inner = record.within(&frame);
        if self.peaks[0] < inner.floor() {
            return Ok(());
        }
        let mut known = std::mem::take(&mut scratch.known);
        let absent = std::mem::take(&mut self.absent);
        known.rows.gather(tally, context, column.codes, Some(column.rows))?;
        let (rows, column) = (known.rows.context(tally, context), known.rows.column(column));
        let done = self.fine_on(false, tally, &rows, &column, &inner, scratch);
        (self.absent, self.peaks) = (absent, [-1.0; 2]);
        scratch.known = known;
        self.take_note(frame, record);
        done
    }

    /// Counts into bins and offers edges, for either side of rows without a number.
    fn count<T: Tally>(
        &mut self,
        tally: &T,
        context: &NodeContext<'_, T>,
        column: &Column<'_>,
        record: &Record,
        scratch: &mut Scratch<T>,
    ) -> Result<()> {
        let ((low, high), wanted) = (self.codes, wanted(context.len));
        self.bins = match &self.inherited {
            Some(inherited) => inherited.bins,
            None => Bins::new(low, high, if column.exact { 2 * wanted } else { wanted }),
        };
        let look =
            Look { context, codes: column.codes, bins: &self.bins, gap: self.gap(false), absent: &scratch.absent };
        match &self.inherited {
            Some(inherited) => tally.recall(inherited, &mut scratch.histogram)?,
            None => {
                tally.histogram(&look, &mut scratch.histogram)?;
                if self.keeps && self.absent == 0 {
                    self.inherited = tally.keep(context, &self.bins, &scratch.histogram)?;
                }
            }
        }
        // Where a bin is one number, no cut lies inside.
        let settled = column.exact && self.bins.single();
        for left in [false, true].into_iter().take(1 + usize::from(self.absent > 0)) {
            let scan = &mut self.scans[usize::from(left)];
            scan.begin(self.bins.count(), !settled);
            let gap = Gap { rows: self.absent, left };
            let look = Look { context, codes: column.codes, bins: &self.bins, gap, absent: &scratch.absent };
            tally.estimate(&look, &mut scratch.histogram, scan);
            if context.min_weight > 0.0 {
                forbid_light(tally, &look, &scratch.histogram, scan);
            }
            self.peaks[usize::from(left)] = if settled { -1.0 } else { largest(context.isa, scan.bounds()) };
            self.offer_edges(tally, context, column, left, record, scratch);
        }
        Ok(())
    }

    /// A column of two codes has one cut.
    fn only_cut<T: Tally>(
        &mut self,
        tally: &T,
        context: &NodeContext<'_, T>,
        column: &Column<'_>,
        record: &Record,
        scratch: &mut Scratch<T>,
    ) {
        tally.below(context, column.codes, self.codes.1, &mut scratch.part);
        let left = T::count(&scratch.part);
        self.constant = left == 0 || left == context.len;
        let mut contest = Contest::new(record, &mut self.top);
        if context.allows(left) && is_allowed(tally, context, column.trend, &scratch.part, &contest) {
            let cut = Cut::behind(self.codes.0);
            offer_part(tally, context, &scratch.part, cut, &mut contest);
        }
    }

    fn offer_edges<T: Tally>(
        &mut self,
        tally: &T,
        context: &NodeContext<'_, T>,
        column: &Column<'_>,
        left: bool,
        record: &Record,
        scratch: &mut Scratch<T>,
    ) {
        let (scan, gap) = (&self.scans[usize::from(left)], self.gap(left));
        let most = largest(context.isa, scan.edges());
        let floor = record.floor().max(most - most.abs() * ESTIMATE_TIE - 2.0 * tally.noise(context));
        if most < 0.0 || most < floor {
            return;
        }
        let mut contest = Contest::new(record, &mut self.top).beside(gap);
        scratch.found.clear();
        at_least(context.isa, scan.edges(), floor, &mut scratch.found);
        let look = Look { context, codes: column.codes, bins: &self.bins, gap, absent: &scratch.absent };
        for edge in scratch.found.iter().map(|&edge| edge as usize) {
            tally.at_edge(&look, edge, &scratch.histogram, &mut scratch.part);
            offer_part(tally, context, &scratch.part, Cut::behind(self.bins.last(edge)), &mut contest);
        }
    }

    /// Looks closely wherever a bound reaches the best cut.
    pub fn fine<T: Tally>(
        &mut self,
        tally: &T,
        context: &NodeContext<'_, T>,
        column: &Column<'_>,
        record: &Record,
        scratch: &mut Scratch<T>,
    ) -> Result<()> {
        let whole = self.done || column.trend.is_some() || matches!(column.kind, Kind::Levels(_));
        if let (Some(frame), false) = (self.frame, whole) {
            return self.fine_known(tally, context, column, (frame, record), scratch);
        }
        let nothing = whole || self.absent as usize == context.len;
        if nothing || self.peak() < record.floor() {
            return Ok(());
        }
        if self.absent > 0 {
            tally.absent(context, column.codes, &mut scratch.absent);
        }
        for left in [false, true].into_iter().take(1 + usize::from(self.absent > 0)) {
            if self.peaks[usize::from(left)] >= record.floor() {
                self.fine_on(left, tally, context, column, record, scratch)?;
            }
        }
        self.peaks = [-1.0; 2];
        Ok(())
    }

    /// The same for one side of rows without a number.
    fn fine_on<T: Tally>(
        &mut self,
        left: bool,
        tally: &T,
        context: &NodeContext<'_, T>,
        column: &Column<'_>,
        record: &Record,
        scratch: &mut Scratch<T>,
    ) -> Result<()> {
        let (scan, gap) = (&self.scans[usize::from(left)], self.gap(left));
        let mut looks = std::mem::take(&mut scratch.looks);
        looks.clear();
        scratch.found.clear();
        at_least(context.isa, scan.bounds(), record.floor(), &mut scratch.found);
        for bin in scratch.found.iter().map(|&bin| bin as usize) {
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
            if largest(context.isa, &scan.bounds()[first..=last]) >= record.floor() {
                let codes = (self.bins.first(first), self.bins.last(last));
                let contest = &mut Contest::new(record, &mut self.top).beside(gap);
                look_at(tally, context, column, codes, gap, contest, scratch)?;
            }
        }
        scratch.looks = looks;
        Ok(())
    }
}

/// Looks at every cut among the rows whose codes are in a range.
fn look_at<T: Tally>(
    tally: &T,
    context: &NodeContext<'_, T>,
    column: &Column<'_>,
    codes: (u16, u16),
    gap: Gap,
    contest: &mut Contest<'_>,
    scratch: &mut Scratch<T>,
) -> Result<()> {
    scratch.items.clear();
    scratch.items.try_reserve(context.len)?;
    select(context.isa, column.codes, codes.0, codes.1, &mut scratch.items);
    scratch.items.sort_unstable_by_key(|item| item.0);
    tally.below(context, column.codes, codes.0, &mut scratch.part);
    if gap.left {
        T::join(&mut scratch.part, &scratch.absent);
    }
    cuts_among(tally, context, column, &scratch.items, scratch.part.clone(), contest);
    Ok(())
}
