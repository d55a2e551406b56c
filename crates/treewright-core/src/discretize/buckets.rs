//! The buckets of 1-R: R. C. Holte, "Very simple classification rules perform well on most commonly used datasets",
//! Machine Learning 11, 1993.
//!
//! From the least number on, a bucket grows until its most frequent class has `least` rows and the next number has
//! another most frequent class. Neighboring buckets with the same most frequent class are then one. Of equally frequent
//! classes the first counts.

use super::classes::{add, totals};
use super::rows::Row;
use crate::codes::sorted::Keyed;

/// How many rows lie below each cut, ascending.
pub fn buckets<R: Row>(entries: &[Keyed<R>], classes: usize, least: u64) -> Vec<usize> {
    let runs: Vec<&[Keyed<R>]> = entries.chunk_by(|a, b| a.key == b.key).collect();
    let mut counts = vec![0; classes];
    let mut ends: Vec<(usize, usize)> = Vec::new();
    let mut end = 0;
    let mut next = runs.first().map_or(0, |run| top_of(run, classes));
    for (i, run) in runs.iter().enumerate() {
        add(&mut counts, run);
        end += run.len();
        next = runs.get(i + 1).map_or(next, |run| top_of(run, classes));
        let top = top(&counts);
        if i + 1 == runs.len() || (counts[top] >= least && next != top) {
            ends.push((end, top));
            counts.fill(0);
        }
    }
    ends.windows(2).filter(|pair| pair[0].1 != pair[1].1).map(|pair| pair[0].0).collect()
}

/// The most frequent class, the first of equals.
fn top(counts: &[u64]) -> usize {
    counts.iter().enumerate().fold(0, |top, (class, n)| if *n > counts[top] { class } else { top })
}

/// The most frequent class of a run.
fn top_of<R: Row>(run: &[Keyed<R>], classes: usize) -> usize {
    match run {
        [only] => only.row.class(),
        _ => top(&totals(run, classes)),
    }
}
