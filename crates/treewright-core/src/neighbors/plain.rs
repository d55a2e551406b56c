//! Every row, one after the other: the clear search, for every distance and all numbers, and the oracle of the others.

use super::best::{Best, Near};
use super::distance::Distance;
use super::job::Job;
use super::rows::{Rows, largest};
use crate::Result;
use crate::pool::Cancel;
use rayon::prelude::*;

/// Numbers whose powers and their sums stay in the range of f64. Others are multiplied by a power of two first.
pub const SANE: std::ops::RangeInclusive<f64> = 1e-120..=1e120;

/// Whether numbers need no unit of their own.
pub fn is_sane(largest: f64) -> bool {
    largest == 0.0 || SANE.contains(&largest)
}

/// The power of two that numbers up to this size are multiplied by.
fn unit(largest: f64) -> f64 {
    if is_sane(largest) { 1.0 } else { libm::ldexp(1.0, (-libm::frexp(largest).1).clamp(-1000, 1000)) }
}

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
            let unit = unit(size.max(largest(queries.numbers_of(job.query))));
            for row in 0..rows.len() {
                if row % (1 << 14) == 0 {
                    cancel.check()?;
                }
                let key = distance.key(rows, row, queries, job.query, unit, best.limit());
                best.offer(Near { key, row: row as u32 });
            }
            job.write(best, distance, unit);
            Ok(())
        },
    )
}
