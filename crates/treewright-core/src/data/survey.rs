//! One look at every number of a table: what coding must know about its columns before it begins.
//!
//! Numbers are read a block of rows at a time and within it a column at a time, which is kind to matrices of either order.

use super::strided::{Floats, Strided};
use crate::Result;
use crate::pool::{self, Cancel};

/// Rows that are read together: few enough for their cache lines to stay near while each column takes its number.
pub const BLOCK: usize = 128;
/// Rows that one thread takes at a time.
const CHUNK: usize = 1 << 14;

/// What the numbers of a column are like.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Summary {
    /// The least number; infinite where there is none.
    pub low: f64,
    /// The greatest number.
    pub high: f64,
    /// Whether all are whole.
    pub whole: bool,
    /// Whether all are finite: none missing, none infinite.
    pub finite: bool,
}

impl Summary {
    const NOTHING: Summary = Summary { low: f64::INFINITY, high: f64::NEG_INFINITY, whole: true, finite: true };

    fn join(self, other: Summary) -> Summary {
        Summary {
            low: self.low.min(other.low),
            high: self.high.max(other.high),
            whole: self.whole && other.whole,
            finite: self.finite && other.finite,
        }
    }

    #[inline]
    fn of(values: impl Iterator<Item = f64>) -> Summary {
        let (mut low, mut high, mut whole, mut finite) = (f64::INFINITY, f64::NEG_INFINITY, true, true);
        for x in values {
            low = if x < low { x } else { low };
            high = if x > high { x } else { high };
            whole &= x == x.trunc();
            finite &= x.is_finite();
        }
        Summary { low, high, whole, finite }
    }
}

/// Summaries of all columns.
pub fn survey(columns: &[Strided<'_>], rows: usize, threads: usize, cancel: &Cancel) -> Result<Vec<Summary>> {
    let starts: Vec<usize> = (0..rows).step_by(CHUNK).collect();
    let chunks = pool::each(threads, starts, |start| -> Result<Vec<Summary>> {
        cancel.check()?;
        let mut found = vec![Summary::NOTHING; columns.len()];
        let end = (start + CHUNK).min(rows);
        for first in (start..end).step_by(BLOCK) {
            let block = first..(first + BLOCK).min(end);
            for (summary, column) in found.iter_mut().zip(columns) {
                *summary = summary.join(look(column, block.clone()));
            }
        }
        Ok(found)
    })?;
    let mut all = vec![Summary::NOTHING; columns.len()];
    for found in chunks {
        all.iter_mut().zip(found?).for_each(|(summary, more)| *summary = summary.join(more));
    }
    Ok(all)
}

fn look(column: &Strided<'_>, rows: std::ops::Range<usize>) -> Summary {
    let (floats, start, step) = column.parts();
    let place = |row: usize| start.wrapping_add_signed(step.wrapping_mul(row as isize));
    match floats {
        Floats::Single(values) => Summary::of(rows.map(|row| f64::from(values[place(row)]))),
        Floats::Double(values) => Summary::of(rows.map(|row| values[place(row)])),
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn every_number_is_seen() {
        let mut values: Vec<f64> = (0..100_000).map(|i| f64::from(i % 977)).collect();
        let summary =
            |values: &[f64]| survey(&[Strided::whole(values)], values.len(), 2, &Cancel::default()).unwrap()[0];
        assert_eq!(summary(&values), Summary { low: 0.0, high: 976.0, whole: true, finite: true });
        values[77_777] = -0.5;
        assert_eq!(summary(&values), Summary { low: -0.5, high: 976.0, whole: false, finite: true });
        values[99_999] = f64::NAN;
        assert!(!summary(&values).finite);
        values[99_999] = f64::INFINITY;
        assert!(!summary(&values).finite);
    }
}
