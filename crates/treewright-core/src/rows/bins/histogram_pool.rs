//! The threads that add up histograms, and a pool of histograms that were used before: a tree needs dozens, and zeroing
//! memory is cheaper than allocating it.
//!
//! Many rows are divided among threads: each has histograms of its own, which are then merged. Few rows are not, but their
//! columns are: each thread adds up and searches its part of them.

use super::packed::{AnySum, RUN, Sum, Wide};
use super::scan::{merge, widen};
use crate::simd::Isa;
use crate::sys::crew::Crew;
use crate::sys::pool::Cancel;
use std::ops::{Deref, DerefMut, Range};
use std::sync::{Arc, Mutex, PoisonError};

/// With fewer cells, histograms of each thread cost more than they save.
const MIN_CELLS_TO_SHARE_ROWS: usize = 1 << 18;
/// Below so many cells, or rows of other work, one thread is done before others have begun: a step costs about a
/// microsecond.
const MIN_CELLS: usize = 1 << 13;
const MIN_ROWS: u64 = 1 << 11;

/// Histograms that nobody uses at the moment.
type HistogramPool<S> = Arc<Mutex<Vec<Vec<S>>>>;

/// Histograms that go back to their pool when they are done with.
#[derive(Debug)]
pub struct Pooled<S> {
    sums: Vec<S>,
    pool: HistogramPool<S>,
}

impl<S> Deref for Pooled<S> {
    type Target = [S];

    fn deref(&self) -> &[S] {
        &self.sums
    }
}

impl<S> DerefMut for Pooled<S> {
    fn deref_mut(&mut self) -> &mut [S] {
        &mut self.sums
    }
}

impl<S> Drop for Pooled<S> {
    fn drop(&mut self) {
        let sums = std::mem::take(&mut self.sums);
        self.pool.lock().unwrap_or_else(PoisonError::into_inner).push(sums);
    }
}

/// The histograms of a node: wide ones where it has more than [`RUN`] rows.
#[derive(Debug)]
pub enum Histograms {
    /// Of few rows.
    Narrow(Pooled<Sum>),
    /// Of many.
    Wide(Pooled<Wide>),
}

impl Histograms {
    /// Puts a number behind the sums.
    pub fn push(&mut self, number: u64) {
        match self {
            Histograms::Narrow(sums) => sums.sums.push(number),
            Histograms::Wide(sums) => sums.sums.push(Wide::from(number)),
        }
    }

    /// Takes the number behind the sums away.
    pub fn pop(&mut self) -> u64 {
        let number = match self {
            Histograms::Narrow(sums) => sums.sums.pop(),
            Histograms::Wide(sums) => sums.sums.pop().map(|number| number as u64),
        };
        number.unwrap_or_default()
    }

    /// What some places add up to.
    pub fn total(&self, places: Range<usize>) -> Wide {
        match self {
            Histograms::Narrow(sums) => sums[places].iter().fold(0, |total: Wide, sum| total.plus(sum.widened())),
            Histograms::Wide(sums) => sums[places].iter().fold(0, |total: Wide, sum| total.plus(*sum)),
        }
    }
}

/// What one worker has added up: runs of rows, each widened before the next begins.
pub struct PartialHistogram<'t> {
    team: &'t Team,
    run: Pooled<Sum>,
    rows: u64,
    wide: Option<Pooled<Wide>>,
}

impl PartialHistogram<'_> {
    /// Sums that have room for so many more rows, at most [`RUN`].
    pub fn room_for(&mut self, rows: u64) -> &mut [Sum] {
        if self.rows + rows > RUN {
            self.widen();
        }
        self.rows += rows;
        &mut self.run
    }

    /// Ends a run.
    fn widen(&mut self) {
        let wide = self.wide.get_or_insert_with(|| self.team.wide_zeros(self.run.len()));
        widen(wide, &self.run);
        self.run.fill(0);
        self.rows = 0;
    }

    /// Adds what another worker has.
    fn join(mut self, mut other: Self) -> Self {
        if self.rows + other.rows <= RUN && self.wide.is_none() && other.wide.is_none() {
            merge(self.team.isa, &mut self.run, &other.run);
            self.rows += other.rows;
            return self;
        }
        self.widen();
        other.widen();
        if let (Some(to), Some(from)) = (&mut self.wide, &other.wide) {
            to.iter_mut().zip(from.iter()).for_each(|(a, b)| *a = a.plus(*b));
        }
        self
    }
}

/// The threads of a run.
#[derive(Debug)]
pub struct Team {
    /// They stay with the run while it grows trees.
    pub crew: Crew,
    columns: usize,
    isa: Isa,
    narrow_pool: HistogramPool<Sum>,
    wide_pool: HistogramPool<Wide>,
}

impl Team {
    /// So many threads, for a table of so many columns.
    pub fn new(threads: usize, columns: usize, isa: Isa) -> Team {
        let (narrow_pool, wide_pool) = (HistogramPool::default(), HistogramPool::default());
        Team { crew: Crew::new(threads), columns, isa, narrow_pool, wide_pool }
    }

    /// Whether so many rows are divided among threads.
    pub fn shares_rows(&self, rows: u64) -> bool {
        self.crew.threads() > 1 && rows as usize * self.columns >= MIN_CELLS_TO_SHARE_ROWS
    }

    /// Does something with every chunk of a node of so many rows.
    pub fn each(&self, chunks: usize, rows: u64, cancel: &Cancel, work: impl Fn(usize) + Sync) {
        let threads = if rows >= MIN_ROWS { self.crew.threads() } else { 1 };
        self.crew.claim(threads, chunks, cancel, |_, chunk| work(chunk));
    }

    /// What the work with every chunk of a node of so many rows gives, chunk by chunk; where the work was canceled, some of
    /// it may be missing.
    pub fn collect<T: Default + Send>(
        &self,
        chunks: usize,
        rows: u64,
        cancel: &Cancel,
        work: impl Fn(usize) -> T + Sync,
    ) -> Vec<T> {
        let results: Vec<Mutex<T>> = (0..chunks).map(|_| Mutex::default()).collect();
        self.each(chunks, rows, cancel, |chunk| {
            let result = work(chunk);
            *results[chunk].lock().unwrap_or_else(PoisonError::into_inner) = result;
        });
        results.into_iter().map(|result| result.into_inner().unwrap_or_else(PoisonError::into_inner)).collect()
    }

    /// Histograms of so many places to which every chunk adds rows of a node of `rows` rows; wide where there are
    /// more than [`RUN`].
    pub fn sums(
        &self,
        places: usize,
        rows: u64,
        chunks: usize,
        cancel: &Cancel,
        add: impl Fn(usize, &mut PartialHistogram<'_>) + Sync,
    ) -> Histograms {
        let blank = || PartialHistogram { team: self, run: self.zeros(places), rows: 0, wide: None };
        let threads = if self.shares_rows(rows) { self.crew.threads().min(chunks) } else { 1 };
        // Each thread has its own, made when it begins.
        let parts: Vec<Mutex<Option<PartialHistogram<'_>>>> = (0..threads).map(|_| Mutex::new(None)).collect();
        self.crew.claim(threads, chunks, cancel, |thread, chunk| {
            let mut part = parts[thread].lock().unwrap_or_else(PoisonError::into_inner);
            add(chunk, part.get_or_insert_with(blank));
        });
        let parts = parts.into_iter().filter_map(|part| part.into_inner().unwrap_or_else(PoisonError::into_inner));
        let mut all = parts.reduce(PartialHistogram::join).unwrap_or_else(blank);
        if all.wide.is_some() {
            all.widen();
        }
        match all.wide {
            Some(wide) => Histograms::Wide(wide),
            None => Histograms::Narrow(all.run),
        }
    }

    /// Histograms in more room.
    pub fn widened(&self, sums: Histograms) -> Histograms {
        let Histograms::Narrow(narrow) = sums else { return sums };
        let mut wide = self.wide_zeros(narrow.len());
        widen(&mut wide, &narrow);
        Histograms::Wide(wide)
    }

    /// Wide histograms of so many rows, in less room where they fit.
    pub fn fitting(&self, sums: Pooled<Wide>, rows: u64) -> Histograms {
        if rows > RUN {
            return Histograms::Wide(sums);
        }
        let mut narrow = self.blank(sums.len());
        narrow.iter_mut().zip(sums.iter()).for_each(|(to, from)| *to = Sum::narrowed(*from));
        Histograms::Narrow(narrow)
    }

    /// Does something with each of several parts of the columns of a node of so many rows, whose histograms have so many
    /// places. What it gives stands in the order of the parts.
    pub fn parts<P: Send, R: Send>(
        &self,
        parts: Vec<P>,
        rows: u64,
        places: usize,
        work: &(impl Fn(P) -> R + Sync),
    ) -> Vec<R> {
        let threads = self.crew.threads();
        if threads == 1 || parts.len() == 1 || rows as usize * self.columns + places < MIN_CELLS {
            return parts.into_iter().map(work).collect();
        }
        let parts: Vec<Mutex<(Option<P>, Option<R>)>> =
            parts.into_iter().map(|part| Mutex::new((Some(part), None))).collect();
        self.crew.claim(threads, parts.len(), &Cancel::default(), |_, i| {
            let mut part = parts[i].lock().unwrap_or_else(PoisonError::into_inner);
            part.1 = part.0.take().map(work);
        });
        // Each part has its result.
        parts.into_iter().filter_map(|part| part.into_inner().unwrap_or_else(PoisonError::into_inner).1).collect()
    }

    /// Histograms of so many places that hold anything.
    pub fn blank(&self, places: usize) -> Pooled<Sum> {
        borrow(&self.narrow_pool, places)
    }

    fn zeros(&self, places: usize) -> Pooled<Sum> {
        let mut sums = self.blank(places);
        sums.fill(0);
        sums
    }

    fn wide_zeros(&self, places: usize) -> Pooled<Wide> {
        let mut sums = borrow(&self.wide_pool, places);
        sums.fill(0);
        sums
    }
}

/// Histograms that were used before, if there are any.
fn borrow<S: AnySum>(pool: &HistogramPool<S>, places: usize) -> Pooled<S> {
    let used = pool.lock().unwrap_or_else(PoisonError::into_inner).pop();
    let mut sums = used.unwrap_or_default();
    // Where there are several processes, a number travels behind the sums.
    sums.reserve_exact((places + 1).saturating_sub(sums.len()));
    sums.resize(places, S::default());
    Pooled { sums, pool: Arc::clone(pool) }
}
