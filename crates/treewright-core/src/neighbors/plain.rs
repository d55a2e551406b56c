//! Every row, one after the other: the clear search, for every distance and all numbers, and the oracle of the others.

use super::best::{Best, Near};
use super::careful;
use super::distance::Power;
use super::job::{Job, Request};
use super::rows::largest;
use crate::Result;
use rayon::prelude::*;

/// Answers queries.
pub fn search(request: Request<'_>, mut jobs: Vec<Job<'_>>) -> Result<()> {
    let Request { rows, distance, queries, k, cancel } = request;
    jobs.par_iter_mut().try_for_each_init(
        || Best::new(k),
        |best, job| {
            best.clear();
            let size = rows.size().max(largest(queries.numbers_of(job.query)));
            let simple = !matches!(distance.power, Power::Any(_)) && careful::is_sane(size) && !job.doubtful;
            let unit = careful::unit(size);
            for row in 0..rows.len() {
                if row % (1 << 14) == 0 {
                    cancel.check()?;
                }
                let key = match simple {
                    true => distance.key(rows, row, queries, job.query),
                    false => careful::key(unit, distance, rows, row, queries, job.query, best.limit()),
                };
                best.offer(Near { key, row: row as u32 });
            }
            job.write(best, |key| if simple { distance.of(key) } else { careful::distance_of(unit, distance, key) });
            Ok(())
        },
    )
}
