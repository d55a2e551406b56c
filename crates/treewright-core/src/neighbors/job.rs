//! One query and the place of its answer: a search may take queries in any order.

use super::best::Best;
use super::distance::Distance;
use super::rows::Rows;
use crate::Result;
use crate::simd::Simd;
use crate::sys::memory::collected;
use crate::sys::pool::Cancel;

/// What is asked: the nearest of which rows, by which distance, for which queries.
#[derive(Clone, Copy, Debug)]
pub struct Request<'a> {
    /// The rows.
    pub rows: &'a Rows,
    /// Their distance.
    pub distance: &'a Distance,
    /// The queries; a search is given jobs for those that it can take.
    pub queries: &'a Rows,
    /// How many rows to find; at most as many as there are.
    pub k: usize,
    /// Asks to stop.
    pub cancel: &'a Cancel,
}

/// A query to answer.
#[derive(Debug)]
pub struct Job<'a> {
    /// Its number.
    pub query: usize,
    /// Whether a first answer may be wrong, since squares vanished.
    pub doubtful: bool,
    rows: &'a mut [u32],
    distances: &'a mut [f64],
}

impl<'a> Job<'a> {
    /// A job for each query; each has k places in both lists.
    pub fn list(k: usize, rows: &'a mut [u32], distances: &'a mut [f64]) -> Result<Vec<Job<'a>>> {
        let places = rows.chunks_exact_mut(k).zip(distances.chunks_exact_mut(k));
        collected(places.enumerate().map(|(query, (rows, distances))| Job { query, doubtful: false, rows, distances }))
    }

    /// The answer so far.
    pub fn answer(&self) -> (&[u32], &[f64]) {
        (self.rows, self.distances)
    }

    /// Asks memory for the places of the answer.
    #[inline(always)]
    pub fn fetch<S: Simd>(&self, simd: S) {
        simd.fetch(self.rows);
        simd.fetch(self.distances);
    }

    /// Writes the answer; `of` makes distances of keys.
    pub fn write(&mut self, best: &mut Best, of: impl Fn(f64) -> f64) {
        let places = self.rows.iter_mut().zip(self.distances.iter_mut());
        for (near, (row, apart)) in best.sorted().iter().zip(places) {
            (*row, *apart) = (near.row, of(near.key));
        }
    }
}

/// Puts jobs into another order, in which each place occurs once.
pub fn reorder(jobs: &mut [Job<'_>], order: &[u32]) {
    let mut goes = vec![0; order.len()];
    order.iter().zip(0..).for_each(|(&from, to)| goes[from as usize] = to);
    for i in 0..goes.len() {
        // Each exchange brings a job to its place for good.
        while goes[i] as usize != i {
            let to = goes[i] as usize;
            jobs.swap(i, to);
            goes.swap(i, to);
        }
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn every_job_goes_where_it_belongs() {
        let order: Vec<u32> = (0..1000).map(|i| i * 7 % 1000).collect();
        let (mut rows, mut distances) = (vec![0; 2000], vec![0.0; 2000]);
        let mut jobs = Job::list(2, &mut rows, &mut distances).unwrap();
        reorder(&mut jobs, &order);
        assert!(jobs.iter().zip(&order).all(|(job, &query)| job.query == query as usize));
    }
}
