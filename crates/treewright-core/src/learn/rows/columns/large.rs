//! Searching a node of many rows: count the codes of each column into bins, estimate every cut between bins and bound
//! every cut inside one, then look closely only where a bound reaches the best cut.

use super::bins::{Bins, wanted};
use super::contest::{Contest, Record, Top};
use super::kernels::codes::{range, select};
use super::kernels::histogram::{at_least, largest};
use super::node::{Cut, Live};
use super::search::{Column, cuts_among};
use super::tally::{Scan, Set, Tally};

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
    scan: Scan,
    /// The largest bound.
    peak: f32,
}

/// Scratch of one thread.
#[derive(Debug)]
pub struct Bench<T: Tally> {
    tally: T::Bench,
    part: T::Part,
    items: Vec<(u16, u32)>,
    looks: Vec<(usize, usize)>,
    found: Vec<u32>,
}

impl<T: Tally> Default for Bench<T> {
    fn default() -> Bench<T> {
        Bench {
            tally: T::Bench::default(),
            part: T::Part::default(),
            items: Vec::new(),
            looks: Vec::new(),
            found: Vec::new(),
        }
    }
}

impl Search {
    /// Begins with what the parent knew.
    pub fn begin(&mut self, live: &Live) {
        self.top = None;
        self.constant = false;
        self.codes = (live.low, live.high);
        self.peak = -1.0;
    }

    /// The largest bound that is still open.
    pub fn peak(&self) -> f32 {
        self.peak
    }

    /// Counts into bins; offers the best cuts between bins.
    pub fn coarse<T: Tally>(
        &mut self,
        tally: &T,
        set: &Set<'_, T>,
        column: &Column<'_>,
        record: &Record,
        bench: &mut Bench<T>,
    ) {
        let two = column.exact && self.codes.1 - self.codes.0 == 1;
        if (set.len >= RANGED || column.exact) && !two {
            self.codes = range(set.isa, column.codes);
        }
        let (low, high) = self.codes;
        if low == high {
            self.constant = column.exact;
            self.bins = Bins::new(low, high, 1);
            self.peak = if column.exact { -1.0 } else { f32::INFINITY };
            self.scan.begin(1, true);
            self.scan.room().bounds[0] = self.peak;
            return;
        }
        if column.exact && high - low == 1 {
            return self.only_cut(tally, set, column, record, bench);
        }
        let wanted = wanted(set.len);
        self.bins = Bins::new(low, high, if column.exact { 2 * wanted } else { wanted });
        // Where a bin is one number, no cut lies inside.
        let settled = column.exact && self.bins.single();
        self.scan.begin(self.bins.count(), !settled);
        tally.scan(set, column.codes, &self.bins, &mut bench.tally, &mut self.scan);
        self.offer_edges(tally, set, column, record, bench);
        self.peak = if settled { -1.0 } else { largest(set.isa, self.scan.bounds()) };
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
        if set.allows(left) {
            let cut = Cut { code: self.codes.0, within: None };
            Contest::new(record, &mut self.top).offer(tally.saved(set, &bench.part), left as u32, cut);
        }
    }

    fn offer_edges<T: Tally>(
        &mut self,
        tally: &T,
        set: &Set<'_, T>,
        column: &Column<'_>,
        record: &Record,
        bench: &mut Bench<T>,
    ) {
        let most = largest(set.isa, self.scan.edges());
        let floor = record.floor().max(most - most.abs() * 4e-6 - 2.0 * tally.noise(set));
        if most < 0.0 || most < floor {
            return;
        }
        let mut contest = Contest::new(record, &mut self.top);
        bench.found.clear();
        at_least(set.isa, self.scan.edges(), floor, &mut bench.found);
        for edge in bench.found.iter().map(|&edge| edge as usize) {
            tally.at_edge(set, column.codes, &self.bins, edge, &bench.tally, &mut bench.part);
            let saved = tally.saved(set, &bench.part);
            let cut = Cut { code: self.bins.last(edge), within: None };
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
    ) {
        let floor = record.floor();
        if self.peak < floor {
            return;
        }
        let mut looks = std::mem::take(&mut bench.looks);
        looks.clear();
        bench.found.clear();
        at_least(set.isa, self.scan.bounds(), floor, &mut bench.found);
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
            if largest(set.isa, &self.scan.bounds()[first..=last]) >= record.floor() {
                let codes = (self.bins.first(first), self.bins.last(last));
                look(tally, set, column, codes, &mut Contest::new(record, &mut self.top), bench);
            }
        }
        bench.looks = looks;
        self.peak = -1.0;
    }
}

/// Looks at every cut among the rows whose codes are in a range.
fn look<T: Tally>(
    tally: &T,
    set: &Set<'_, T>,
    column: &Column<'_>,
    codes: (u16, u16),
    contest: &mut Contest<'_>,
    bench: &mut Bench<T>,
) {
    bench.items.clear();
    select(set.isa, column.codes, codes.0, codes.1, &mut bench.items);
    bench.items.sort_unstable();
    tally.below(set, column.codes, codes.0, &mut bench.part);
    cuts_among(tally, set, column, &bench.items, bench.part.clone(), contest);
}
