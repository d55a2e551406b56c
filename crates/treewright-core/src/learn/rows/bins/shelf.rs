//! The threads that add up histograms, and histograms that were used before: a tree makes dozens, and zeroing is cheaper
//! than asking for memory.
//!
//! Many rows are divided among threads: each has histograms of its own, which are then merged. Few rows are not, but their
//! columns are: each thread adds up and searches its part of them.

use super::packed::Sum;
use super::scan::merge;
use crate::pool::{self, Cancel};
use crate::wide::Isa;
use std::ops::{Deref, DerefMut};
use std::sync::{Arc, Mutex, PoisonError};

/// Below so many cells one thread is done before others have begun.
const WORTHWHILE: usize = 1 << 18;
/// Below so many cells and places of histograms this is true of columns too.
const WORTH_DIVIDING: usize = 1 << 16;

type Shelf = Arc<Mutex<Vec<Vec<Sum>>>>;

/// The histograms of a node; they go back to the shelf when it is done with.
#[derive(Debug)]
pub struct Sums {
    sums: Vec<Sum>,
    shelf: Shelf,
}

impl Deref for Sums {
    type Target = [Sum];

    fn deref(&self) -> &[Sum] {
        &self.sums
    }
}

impl DerefMut for Sums {
    fn deref_mut(&mut self) -> &mut [Sum] {
        &mut self.sums
    }
}

impl Drop for Sums {
    fn drop(&mut self) {
        let sums = std::mem::take(&mut self.sums);
        self.shelf.lock().unwrap_or_else(PoisonError::into_inner).push(sums);
    }
}

/// Threads of the pool that the caller runs in.
#[derive(Debug)]
pub struct Team {
    threads: usize,
    columns: usize,
    isa: Isa,
    shelf: Shelf,
}

impl Team {
    /// So many threads, for a table of so many columns.
    pub fn new(threads: usize, columns: usize, isa: Isa) -> Team {
        Team { threads, columns, isa, shelf: Shelf::default() }
    }

    /// How many threads.
    pub fn threads(&self) -> usize {
        self.threads
    }

    /// Whether so many rows are divided among threads.
    pub fn shares_rows(&self, rows: u32) -> bool {
        self.workers(rows, self.columns) > 1
    }

    fn workers(&self, rows: u32, cells: usize) -> usize {
        if rows as usize * cells >= WORTHWHILE { self.threads } else { 1 }
    }

    /// Does something with every chunk of a node of so many rows.
    pub fn each(&self, chunks: usize, rows: u32, cancel: &Cancel, work: impl Fn(usize) + Sync) {
        // About four columns' worth of work a row.
        pool::claim(self.workers(rows, 4), chunks, cancel, |_, chunk| work(chunk));
    }

    /// Histograms of so many places to which every chunk has added its rows.
    pub fn sums(
        &self,
        places: usize,
        chunks: usize,
        rows: u32,
        cancel: &Cancel,
        add: impl Fn(usize, &mut [Sum]) + Sync,
    ) -> Sums {
        let workers = self.workers(rows, self.columns).min(chunks);
        if workers <= 1 {
            let mut sums = self.zeros(places);
            (0..chunks).for_each(|chunk| add(chunk, &mut sums));
            return sums;
        }
        // Each worker has its own, made when it begins.
        let parts: Vec<Mutex<Option<Sums>>> = (0..workers).map(|_| Mutex::new(None)).collect();
        pool::claim(workers, chunks, cancel, |worker, chunk| {
            let mut part = parts[worker].lock().unwrap_or_else(PoisonError::into_inner);
            add(chunk, part.get_or_insert_with(|| self.zeros(places)));
        });
        let parts = parts.into_iter().filter_map(|part| part.into_inner().unwrap_or_else(PoisonError::into_inner));
        let joined = parts.reduce(|mut all, part| {
            merge(self.isa, &mut all, &part);
            all
        });
        joined.unwrap_or_else(|| self.zeros(places))
    }

    /// Does something with each of several parts of the columns of a node of so many rows, whose histograms have so many
    /// places. What it gives stands in the order of the parts.
    pub fn parts<P: Send, R: Send>(
        &self,
        parts: Vec<P>,
        rows: u32,
        places: usize,
        work: &(impl Fn(P) -> R + Sync),
    ) -> Vec<R> {
        if self.threads > 1 && rows as usize * self.columns + places >= WORTH_DIVIDING {
            joined(parts, work)
        } else {
            parts.into_iter().map(work).collect()
        }
    }

    /// Histograms of so many places that hold anything.
    pub fn blank(&self, places: usize) -> Sums {
        let used = self.shelf.lock().unwrap_or_else(PoisonError::into_inner).pop();
        let mut sums = used.unwrap_or_default();
        sums.resize(places, 0);
        Sums { sums, shelf: Arc::clone(&self.shelf) }
    }

    fn zeros(&self, places: usize) -> Sums {
        let mut sums = self.blank(places);
        sums.fill(0);
        sums
    }
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
