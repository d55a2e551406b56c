//! Searching a node of many rows: count the codes of each column into bins, estimate every cut between bins and bound
//! every cut inside one, then look closely only where a bound reaches the best cut.

use super::bins::{Bins, wanted};
use super::contest::{Contest, Gap, Record, Top};
use super::inherited::Inherited;
use super::kernels::codes::{known_range, range, select};
use super::kernels::histogram::{at_least, largest};
use super::levels;
use super::light::forbid_light;
use super::node::{Cut, Kind, Live};
use super::search::{Column, cuts_among, is_allowed, sweep};
use super::tally::{Look, Scan, Set, Tally};
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
}

/// Scratch of one thread.
#[derive(Debug)]
pub struct Bench<T: Tally> {
    histogram: T::Histogram,
    part: T::Part,
    absent: T::Part,
    levels: levels::Bench<T>,
    items: Vec<(u16, u32)>,
    looks: Vec<(usize, usize)>,
    found: Vec<u32>,
}

impl<T: Tally> Default for Bench<T> {
    fn default() -> Bench<T> {
        Bench {
            histogram: T::Histogram::default(),
            part: T::Part::default(),
            absent: T::Part::default(),
            levels: levels::Bench::default(),
            items: Vec::new(),
            looks: Vec::new(),
            found: Vec::new(),
        }
    }
}

impl<T: Tally> Bench<T> {
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
    }

    /// The largest bound that is still open.
    pub fn peak(&self) -> f32 {
        self.peaks[0].max(self.peaks[1])
    }

    /// The rows without a number on one side.
    fn gap(&self, left: bool) -> Gap {
        Gap { rows: self.absent, left }
    }

    /// Counts into bins; offers the best cuts between bins.
    pub fn coarse<T: Tally>(
        &mut self,
        tally: &T,
        set: &Set<'_, T>,
        column: &Column<'_>,
        record: &Record,
        bench: &mut Bench<T>,
        cancel: &Cancel,
    ) -> Result<()> {
        if let Kind::Levels(levels) = column.kind {
            self.top =
                levels::search(tally, set, (0, column.codes, levels), record, &mut bench.levels, (None, cancel))?;
            return Ok(());
        }
        if column.trend.is_some() {
            self.top = sweep(tally, set, column, record)?;
            return Ok(());
        }
        if self.inherited.as_ref().is_some_and(Inherited::is_fine) {
            return self.count(tally, set, column, record, bench);
        }
        self.inherited = None;
        if column.kind == Kind::Gaps {
            tally.absent(set, column.codes, &mut bench.absent);
            self.absent = T::count(&bench.absent) as u32;
            if self.absent > 0 {
                return self.coarse_with_gaps(tally, set, column, record, bench);
            }
        }
        let two = column.exact && self.codes.1 - self.codes.0 == 1;
        if (set.len >= RANGED || column.exact) && !two {
            self.codes = range(set.isa, column.codes);
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
            self.only_cut(tally, set, column, record, bench);
            return Ok(());
        }
        self.count(tally, set, column, record, bench)
    }

    /// The same where rows have no number: they stand on the right of all cuts first, then on the left.
    fn coarse_with_gaps<T: Tally>(
        &mut self,
        tally: &T,
        set: &Set<'_, T>,
        column: &Column<'_>,
        record: &Record,
        bench: &mut Bench<T>,
    ) -> Result<()> {
        self.constant = self.absent as usize == set.len;
        if self.constant {
            return Ok(());
        }
        self.codes = known_range(set.isa, column.codes);
        self.count(tally, set, column, record, bench)
    }

    /// Counts into bins and offers edges, for either side of rows without a number.
    fn count<T: Tally>(
        &mut self,
        tally: &T,
        set: &Set<'_, T>,
        column: &Column<'_>,
        record: &Record,
        bench: &mut Bench<T>,
    ) -> Result<()> {
        let ((low, high), wanted) = (self.codes, wanted(set.len, T::COARSE));
        self.bins = match &self.inherited {
            Some(inherited) => inherited.bins,
            None => Bins::new(low, high, if column.exact { 2 * wanted } else { wanted }),
        };
        let look = Look { set, codes: column.codes, bins: &self.bins, gap: self.gap(false), absent: &bench.absent };
        match &self.inherited {
            Some(inherited) => tally.recall(inherited, &mut bench.histogram)?,
            None => {
                tally.histogram(&look, &mut bench.histogram)?;
                if self.keeps && self.absent == 0 {
                    self.inherited = tally.keep(set, &self.bins, &bench.histogram)?;
                }
            }
        }
        // Where a bin is one number, no cut lies inside.
        let settled = column.exact && self.bins.single();
        for left in [false, true].into_iter().take(1 + usize::from(self.absent > 0)) {
            let scan = &mut self.scans[usize::from(left)];
            scan.begin(self.bins.count(), !settled);
            let gap = Gap { rows: self.absent, left };
            let look = Look { set, codes: column.codes, bins: &self.bins, gap, absent: &bench.absent };
            tally.estimate(&look, &mut bench.histogram, scan);
            if set.min_weight > 0.0 {
                forbid_light(tally, &look, &bench.histogram, scan);
            }
            self.peaks[usize::from(left)] = if settled { -1.0 } else { largest(set.isa, scan.bounds()) };
            self.offer_edges(tally, set, column, left, record, bench);
        }
        Ok(())
    }

    /// A column of two codes has one cut.
    fn only_cut<T: Tally>(
        &mut self,
        tally: &T,
        set: &Set<'_, T>,
        column: &Column<'_>,
        record: &Record,
        bench: &mut Bench<T>,
    ) {
        tally.below(set, column.codes, self.codes.1, &mut bench.part);
        let left = T::count(&bench.part);
        self.constant = left == 0 || left == set.len;
        let mut contest = Contest::new(record, &mut self.top);
        if set.allows(left) && is_allowed(tally, set, column.trend, &bench.part, &contest) {
            let cut = Cut::behind(self.codes.0);
            contest.offer(tally.saved(set, &bench.part), left as u32, cut);
        }
    }

    fn offer_edges<T: Tally>(
        &mut self,
        tally: &T,
        set: &Set<'_, T>,
        column: &Column<'_>,
        left: bool,
        record: &Record,
        bench: &mut Bench<T>,
    ) {
        let (scan, gap) = (&self.scans[usize::from(left)], self.gap(left));
        let most = largest(set.isa, scan.edges());
        let floor = record.floor().max(most - most.abs() * ESTIMATE_TIE - 2.0 * tally.noise(set));
        if most < 0.0 || most < floor {
            return;
        }
        let mut contest = Contest::new(record, &mut self.top).beside(gap);
        bench.found.clear();
        at_least(set.isa, scan.edges(), floor, &mut bench.found);
        let look = Look { set, codes: column.codes, bins: &self.bins, gap, absent: &bench.absent };
        for edge in bench.found.iter().map(|&edge| edge as usize) {
            tally.at_edge(&look, edge, &bench.histogram, &mut bench.part);
            let saved = tally.saved(set, &bench.part);
            let cut = Cut::behind(self.bins.last(edge));
            contest.offer(saved, T::count(&bench.part) as u32, cut);
        }
    }

    /// Looks closely wherever a bound reaches the best cut.
    pub fn fine<T: Tally>(
        &mut self,
        tally: &T,
        set: &Set<'_, T>,
        column: &Column<'_>,
        record: &Record,
        bench: &mut Bench<T>,
    ) -> Result<()> {
        let whole = column.trend.is_some() || matches!(column.kind, Kind::Levels(_));
        let nothing = whole || self.absent as usize == set.len;
        if nothing || self.peak() < record.floor() {
            return Ok(());
        }
        if self.absent > 0 {
            tally.absent(set, column.codes, &mut bench.absent);
        }
        for left in [false, true].into_iter().take(1 + usize::from(self.absent > 0)) {
            if self.peaks[usize::from(left)] >= record.floor() {
                self.fine_on(left, tally, set, column, record, bench)?;
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
        set: &Set<'_, T>,
        column: &Column<'_>,
        record: &Record,
        bench: &mut Bench<T>,
    ) -> Result<()> {
        let (scan, gap) = (&self.scans[usize::from(left)], self.gap(left));
        let mut looks = std::mem::take(&mut bench.looks);
        looks.clear();
        bench.found.clear();
        at_least(set.isa, scan.bounds(), record.floor(), &mut bench.found);
        for bin in bench.found.iter().map(|&bin| bin as usize) {
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
            if largest(set.isa, &scan.bounds()[first..=last]) >= record.floor() {
                let codes = (self.bins.first(first), self.bins.last(last));
                let contest = &mut Contest::new(record, &mut self.top).beside(gap);
                look_at(tally, set, column, codes, gap, contest, bench)?;
            }
        }
        bench.looks = looks;
        Ok(())
    }
}

/// Looks at every cut among the rows whose codes are in a range.
fn look_at<T: Tally>(
    tally: &T,
    set: &Set<'_, T>,
    column: &Column<'_>,
    codes: (u16, u16),
    gap: Gap,
    contest: &mut Contest<'_>,
    bench: &mut Bench<T>,
) -> Result<()> {
    bench.items.clear();
    bench.items.try_reserve(set.len)?;
    select(set.isa, column.codes, codes.0, codes.1, &mut bench.items);
    bench.items.sort_unstable_by_key(|item| item.0);
    tally.below(set, column.codes, codes.0, &mut bench.part);
    if gap.left {
        T::join(&mut bench.part, &bench.absent);
    }
    cuts_among(tally, set, column, &bench.items, bench.part.clone(), contest);
    Ok(())
}
