//! Trees of samples, grown beside each other: one thread a tree, so no tree depends on how many threads there are.

use super::sample::Samples;
use crate::Result;
use crate::sys::pool;
use crate::sys::pool::Cancel;
use std::ops::Range;
use std::sync::atomic::{AtomicUsize, Ordering};

/// How many trees are done; somebody may look while others grow.
#[derive(Debug, Default)]
pub struct Progress(AtomicUsize);

impl Progress {
    /// Trees that are done.
    pub fn done(&self) -> usize {
        self.0.load(Ordering::Relaxed)
    }

    /// One more is done.
    pub fn step(&self) {
        self.0.fetch_add(1, Ordering::Relaxed);
    }
}

/// Grows some trees of a forest; `grow` is told the number of a tree and how often each row counts in it.
pub fn bag<T: Send>(
    samples: &Samples,
    trees: Range<u32>,
    threads: usize,
    progress: &Progress,
    cancel: &Cancel,
    grow: impl Fn(u32, &[u32]) -> Result<T> + Sync,
) -> Result<Vec<T>> {
    let grown = pool::each(threads, trees.collect(), |tree| -> Result<T> {
        cancel.check()?;
        let grown = grow(tree, &samples.times(tree)?)?;
        progress.step();
        Ok(grown)
    })?;
    grown.into_iter().collect()
}
