//! The buckets of 1-R: R. C. Holte, "Very simple classification rules perform well on most commonly used datasets",
//! Machine Learning 11, 1993.
//!
//! From the least number on, a bucket grows until its most frequent class has `least` rows and the next number has
//! another most frequent class. Neighboring buckets with the same most frequent class are then one. Of equally frequent
//! classes the first counts.

use super::rows::Row;
use crate::codes::sorted::Keyed;

/// How many rows lie below each cut, ascending.
pub fn buckets<R: Row>(entries: &[Keyed<R>], classes: usize, least: u64) -> Vec<usize> {
    let runs: Vec<&[Keyed<R>]> = entries.chunk_by(|a, b| a.key == b.key).collect();
    let mut counts = Counts::new(classes);
    let mut ends: Vec<(usize, usize)> = Vec::new();
    let mut end = 0;
    let mut next = runs.first().map_or(0, |run| Counts::top_of(classes, run));
    for (i, run) in runs.iter().enumerate() {
        counts.add(run);
        end += run.len();
        next = runs.get(i + 1).map_or(next, |run| Counts::top_of(classes, run));
        let top = counts.top();
        if i + 1 == runs.len() || (counts.0[top] >= least && next != top) {
            ends.push((end, top));
            counts = Counts::new(classes);
        }
    }
    let kept = ends.windows(2).filter(|pair| pair[0].1 != pair[1].1).map(|pair| pair[0].0);
    kept.collect()
}

/// The rows of each class.
struct Counts(Vec<u64>);

impl Counts {
    fn new(classes: usize) -> Counts {
        Counts(vec![0; classes])
    }

    fn add<R: Row>(&mut self, run: &[Keyed<R>]) {
        run.iter().for_each(|entry| self.0[entry.row.class()] += entry.row.weight());
    }

    /// The most frequent class, the first of equals.
    fn top(&self) -> usize {
        self.0.iter().enumerate().fold(0, |top, (class, n)| if *n > self.0[top] { class } else { top })
    }

    fn top_of<R: Row>(classes: usize, run: &[Keyed<R>]) -> usize {
        if let [only] = run {
            return only.row.class();
        }
        let mut counts = Counts::new(classes);
        counts.add(run);
        counts.top()
    }
}
