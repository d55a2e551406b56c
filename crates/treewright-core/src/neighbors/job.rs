//! One query and the place of its answer: a search may take queries in any order.

use super::best::Best;

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
    pub fn list(k: usize, rows: &'a mut [u32], distances: &'a mut [f64]) -> Vec<Job<'a>> {
        let places = rows.chunks_exact_mut(k).zip(distances.chunks_exact_mut(k));
        places.enumerate().map(|(query, (rows, distances))| Job { query, doubtful: false, rows, distances }).collect()
    }

    /// The answer so far.
    pub fn answer(&self) -> (&[u32], &[f64]) {
        (self.rows, self.distances)
    }

    /// Writes the answer; `of` makes distances of keys.
    pub fn write(&mut self, best: &mut Best, of: impl Fn(f64) -> f64) {
        let places = self.rows.iter_mut().zip(self.distances.iter_mut());
        for (near, (row, apart)) in best.sorted().iter().zip(places) {
            (*row, *apart) = (near.row, of(near.key));
        }
    }
}

/// The jobs in another order, in which each place occurs once.
pub fn reorder<'a>(jobs: Vec<Job<'a>>, order: &[u32]) -> Vec<Job<'a>> {
    let mut jobs: Vec<Option<Job<'a>>> = jobs.into_iter().map(Some).collect();
    order.iter().filter_map(|&i| jobs[i as usize].take()).collect()
}
