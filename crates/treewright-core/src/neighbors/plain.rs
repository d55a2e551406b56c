//! Every row, one after the other: the clear search, for every distance and all numbers, and the oracle of the others.

use super::best::{Best, Near};
use super::careful::{self, Careful};
use super::distance::{Distance, Power};
use super::job::Job;
use super::rows::Rows;
use crate::Result;
use crate::sys::pool::Cancel;
use rayon::prelude::*;

/// Answers all queries. `size` is the largest absolute number of the rows.
pub fn search(
    rows: &Rows,
    size: f64,
    distance: &Distance,
    queries: &Rows,
    k: usize,
    mut jobs: Vec<Job<'_>>,
    cancel: &Cancel,
) -> Result<()> {
    jobs.par_iter_mut().try_for_each_init(
        || Best::new(k),
        |best, job| {
            best.clear();
            let size = careful::size(size, queries, job.query);
            let simple = !matches!(distance.power, Power::Any(_)) && careful::is_sane(size) && !job.doubtful;
            let careful = Careful::new(size);
            for row in 0..rows.len() {
                if row % (1 << 14) == 0 {
                    cancel.check()?;
                }
                let key = match simple {
                    true => distance.key(rows, row, queries, job.query),
                    false => careful.key(distance, rows, row, queries, job.query, best.limit()),
                };
                best.offer(Near { key, row: row as u32 });
            }
            job.write(best, |key| if simple { distance.of(key) } else { careful.of(distance, key) });
            Ok(())
        },
    )
}
