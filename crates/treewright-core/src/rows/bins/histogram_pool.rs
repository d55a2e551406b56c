//! The threads that add up histograms, and a pool of histograms that were used before: a tree needs dozens, and zeroing
//! memory is cheaper than allocating it.
//!
//! Many rows are divided among threads: each has histograms of its own, which are then merged. Few rows are not, but their
//! columns are: each thread adds up and searches its part of them.

use super::packed::{AnySum, RUN, Sum, Wide};
use super::scan::{merge, widen};
use crate::simd::Isa;
use crate::sys::pool;
use crate::sys::pool::Cancel;
use std::ops::{Deref, DerefMut, Range};
use std::sync::{Arc, Mutex, PoisonError};

/// Below so many cells one thread is done before others have begun.
const MIN_CELLS_TO_SHARE_ROWS: usize = 1 << 18;
/// Below so many cells and places of histograms this is true of columns too.
const MIN_CELLS_TO_SHARE_COLUMNS: usize = 1 << 16;

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
struct PartialHistogram {
    run: Pooled<Sum>,
    rows: u64,
    wide: Option<Pooled<Wide>>,
}

impl PartialHistogram {
    fn new(team: &Team, places: usize) -> PartialHistogram {
        PartialHistogram { run: team.zeros(places), rows: 0, wide: None }
    }

    /// Makes room for so many more rows.
    fn reserve(&mut self, team: &Team, rows: u64) {
        if self.rows + rows > RUN {
            self.widen(team);
        }
        self.rows += rows;
    }

    /// Ends a run.
    fn widen(&mut self, team: &Team) {
        let wide = self.wide.get_or_insert_with(|| team.wide_zeros(self.run.len()));
        widen(wide, &self.run);
        self.run.fill(0);
        self.rows = 0;
    }

    /// Adds what another worker has.
    fn join(&mut self, team: &Team, mut other: PartialHistogram) {
        if self.rows + other.rows <= RUN && self.wide.is_none() && other.wide.is_none() {
            merge(team.isa, &mut self.run, &other.run);
            self.rows += other.rows;
            return;
        }
        self.widen(team);
        other.widen(team);
        if let (Some(to), Some(from)) = (&mut self.wide, &other.wide) {
            to.iter_mut().zip(from.iter()).for_each(|(a, b)| *a = a.plus(*b));
        }
    }
}

/// Threads of the pool that the caller runs in.
#[derive(Debug)]
pub struct Team {
    threads: usize,
    columns: usize,
    isa: Isa,
    narrow_pool: HistogramPool<Sum>,
    wide_pool: HistogramPool<Wide>,
}

impl Team {
    /// So many threads, for a table of so many columns.
    pub fn new(threads: usize, columns: usize, isa: Isa) -> Team {
        Team { threads, columns, isa, narrow_pool: HistogramPool::default(), wide_pool: HistogramPool::default() }
    }

    /// How many threads.
    pub fn threads(&self) -> usize {
        self.threads
    }

    /// Whether so many rows are divided among threads.
    pub fn shares_rows(&self, rows: u64) -> bool {
        self.workers(rows, self.columns) > 1
    }

    fn workers(&self, rows: u64, cells: usize) -> usize {
        if rows as usize * cells >= MIN_CELLS_TO_SHARE_ROWS { self.threads } else { 1 }
    }

    /// Does something with every chunk of a node of so many rows.
    pub fn each(&self, chunks: usize, rows: u64, cancel: &Cancel, work: impl Fn(usize) + Sync) {
        // About four columns' worth of work a row.
        pool::claim(self.workers(rows, 4), chunks, cancel, |_, chunk| work(chunk));
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

    /// Histograms of so many places to which every chunk has added its rows; `lengths` tells how many those are, at most
    /// [`RUN`] a chunk. They are wide where the caller says so, which must be where there are more rows than [`RUN`].
    pub fn sums(
        &self,
        places: usize,
        wide: bool,
        lengths: &[u64],
        cancel: &Cancel,
        add: impl Fn(usize, &mut [Sum]) + Sync,
    ) -> Histograms {
        let workers = self.workers(lengths.iter().sum(), self.columns).min(lengths.len());
        let one = |partial: &mut PartialHistogram, chunk: usize| {
            if lengths[chunk] > 0 {
                partial.reserve(self, lengths[chunk]);
                add(chunk, &mut partial.run);
            }
        };
        let mut all = if workers <= 1 {
            let mut all = PartialHistogram::new(self, places);
            (0..lengths.len()).for_each(|chunk| one(&mut all, chunk));
            all
        } else {
            // Each worker has its own, made when it begins.
            let parts: Vec<Mutex<Option<PartialHistogram>>> = (0..workers).map(|_| Mutex::new(None)).collect();
            pool::claim(workers, lengths.len(), cancel, |worker, chunk| {
                let mut part = parts[worker].lock().unwrap_or_else(PoisonError::into_inner);
                one(part.get_or_insert_with(|| PartialHistogram::new(self, places)), chunk);
            });
            let parts = parts.into_iter().filter_map(|part| part.into_inner().unwrap_or_else(PoisonError::into_inner));
            let joined = parts.reduce(|mut all, part| {
                all.join(self, part);
                all
            });
            joined.unwrap_or_else(|| PartialHistogram::new(self, places))
        };
        if wide {
            all.widen(self);
        }
        match all.wide {
            Some(wide) => Histograms::Wide(wide),
            None => Histograms::Narrow(all.run),
        }
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
        if self.threads > 1 && rows as usize * self.columns + places >= MIN_CELLS_TO_SHARE_COLUMNS {
            joined(parts, work)
        } else {
            parts.into_iter().map(work).collect()
        }
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

/// Halves the parts among threads; a thread that nobody helps does all of them.
fn joined<P: Send, R: Send>(mut parts: Vec<P>, work: &(impl Fn(P) -> R + Sync)) -> Vec<R> {
    if parts.len() <= 1 {
        return parts.into_iter().map(work).collect();
    }
    let rest = parts.split_off(parts.len() / 2);
    let (mut first, second) = rayon::join(|| joined(parts, work), || joined(rest, work));
    first.extend(second);
    first
}
