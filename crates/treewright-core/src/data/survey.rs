//! One look at every number of a table: what coding must know about its columns before it begins.
//!
//! A matrix whose rows lie together is read row by row, all columns at once. Anything else is read a block of rows at a
//! time and within it a column at a time, which is kind to either order.

use super::strided::{Floats, Strided};
use crate::Result;
use crate::simd::{Isa, multiversion};
use crate::sys::pool;
use crate::sys::pool::Cancel;
use std::ops::Range;

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
    pub integral: bool,
    /// Whether all are finite: none missing, none infinite.
    pub finite: bool,
}

impl Summary {
    const NOTHING: Summary = Summary { low: f64::INFINITY, high: f64::NEG_INFINITY, integral: true, finite: true };

    /// Of the numbers that are not missing.
    pub fn known(column: &Strided<'_>) -> Summary {
        Summary::of((0..column.len()).map(|row| column.at(row)).filter(|x| !x.is_nan()))
    }

    fn join(self, other: Summary) -> Summary {
        Summary {
            low: self.low.min(other.low),
            high: self.high.max(other.high),
            integral: self.integral && other.integral,
            finite: self.finite && other.finite,
        }
    }

    fn of(values: impl Iterator<Item = f64>) -> Summary {
        let one = |x: f64| Summary { low: x, high: x, integral: x == x.trunc(), finite: x.is_finite() };
        values.map(one).fold(Summary::NOTHING, Summary::join)
    }
}

/// Summaries of all columns.
pub fn survey(columns: &[Strided<'_>], rows: usize, threads: usize, cancel: &Cancel) -> Result<Vec<Summary>> {
    let (starts, isa) = ((0..rows).step_by(CHUNK).collect(), Isa::detect());
    let chunks = pool::each(threads, starts, |start| -> Result<Vec<Summary>> {
        cancel.check()?;
        let rows = start..(start + CHUNK).min(rows);
        Ok(match by_rows(columns) {
            Some((Floats::Single(values), step)) => singles(isa, columns, values, step, rows),
            Some((Floats::Double(values), step)) => doubles(isa, columns, values, step, rows),
            None => by_columns(columns, rows),
        })
    })?;
    let mut all = vec![Summary::NOTHING; columns.len()];
    for summaries in chunks {
        all.iter_mut().zip(summaries?).for_each(|(summary, more)| *summary = summary.join(more));
    }
    Ok(all)
}

fn by_columns(columns: &[Strided<'_>], rows: Range<usize>) -> Vec<Summary> {
    let mut summaries = vec![Summary::NOTHING; columns.len()];
    for first in rows.clone().step_by(BLOCK) {
        let block = first..(first + BLOCK).min(rows.end);
        for (summary, column) in summaries.iter_mut().zip(columns) {
            *summary = summary.join(Summary::of(block.clone().map(|row| column.at(row))));
        }
    }
    summaries
}

/// The numbers from the first row on, and the step to the next, where the numbers of a row lie together.
pub(crate) fn by_rows<'a>(columns: &[Strided<'a>]) -> Option<(Floats<'a>, usize)> {
    let (floats, first, step) = columns.first()?.parts();
    let step = usize::try_from(step).ok().filter(|step| *step >= columns.len())?;
    let place = |floats: &Floats<'_>| match floats {
        Floats::Single(values) => values.as_ptr().addr(),
        Floats::Double(values) => values.as_ptr().addr(),
    };
    let together = (first..).zip(columns).all(|(start, column)| {
        let (others, at, gap) = column.parts();
        place(&others) == place(&floats) && at == start && usize::try_from(gap) == Ok(step)
    });
    let behind = match floats {
        Floats::Single(values) => Floats::Single(values.get(first..)?),
        Floats::Double(values) => Floats::Double(values.get(first..)?),
    };
    together.then_some((behind, step))
}

macro_rules! row_by_row {
    ($name:ident, $float:ty) => {
        multiversion! {
            fn $name(columns: &[Strided<'_>], values: &[$float], step: usize, rows: Range<usize>) -> Vec<Summary> {
                let width = columns.len();
                let (mut low, mut high) = (vec![<$float>::INFINITY; width], vec![<$float>::NEG_INFINITY; width]);
                // Sums of things that are 0 while all is well: they can be added up without a branch.
                let (mut broken, mut odd) = (vec![0.0; width], vec![0.0; width]);
                for row in rows {
                    let numbers = &values[row * step..row * step + width];
                    let (low, high) = (&mut low[..width], &mut high[..width]);
                    let (broken, odd) = (&mut broken[..width], &mut odd[..width]);
                    for i in 0..width {
                        let x = numbers[i];
                        low[i] = if x < low[i] { x } else { low[i] };
                        high[i] = if x > high[i] { x } else { high[i] };
                        broken[i] += x * 0.0;
                        odd[i] += (x - x.trunc()).abs();
                    }
                }
                let one = |i: usize| Summary {
                    low: low[i].into(),
                    high: high[i].into(),
                    integral: odd[i] == 0.0,
                    finite: broken[i] == 0.0,
                };
                (0..width).map(one).collect()
            }
        }
    };
}

row_by_row!(singles, f32);
row_by_row!(doubles, f64);

/// Whether a number of some rows is infinite.
pub(crate) fn has_infinite(columns: &[Strided<'_>], rows: &Range<usize>) -> bool {
    let isa = Isa::detect();
    let any = |column: &Strided<'_>| rows.clone().any(|row| column.at(row).is_infinite());
    let Some(last) = rows.clone().next_back() else { return false };
    if let Some((floats, step)) = by_rows(columns) {
        let all = rows.start * step..last * step + columns.len();
        let finite = match floats {
            Floats::Single(values) => finite_singles(isa, &values[all]),
            Floats::Double(values) => finite_doubles(isa, &values[all]),
        };
        return !finite && columns.iter().any(any);
    }
    columns.iter().any(|column| match column.parts() {
        (Floats::Single(values), first, 1) => !finite_singles(isa, &values[first..][rows.clone()]) && any(column),
        (Floats::Double(values), first, 1) => !finite_doubles(isa, &values[first..][rows.clone()]) && any(column),
        _ => any(column),
    })
}

macro_rules! whether_finite {
    ($name:ident, $float:ty) => {
        multiversion! {
            /// Whether all numbers are finite, as quickly as they can be read.
            fn $name(values: &[$float]) -> bool {
                // Zero times a finite number is zero; times any other it is not.
                let mut sums = [0.0; 64];
                let (parts, rest) = values.as_chunks::<64>();
                parts.iter().for_each(|part| sums.iter_mut().zip(part).for_each(|(sum, x)| *sum += x * 0.0));
                sums.iter_mut().zip(rest).for_each(|(sum, x)| *sum += x * 0.0);
                sums.iter().fold(true, |all, sum| all & (*sum == 0.0))
            }
        }
    };
}

whether_finite!(finite_singles, f32);
whether_finite!(finite_doubles, f64);

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    fn summaries(columns: &[Strided<'_>]) -> Vec<Summary> {
        survey(columns, columns[0].len(), 2, &Cancel::default()).unwrap()
    }

    #[test]
    fn every_number_is_seen() {
        let mut values: Vec<f64> = (0..100_000).map(|i| f64::from(i % 977)).collect();
        let summary = |values: &[f64]| summaries(&[Strided::of_slice(values)])[0];
        assert_eq!(summary(&values), Summary { low: 0.0, high: 976.0, integral: true, finite: true });
        values[77_777] = -0.5;
        assert_eq!(summary(&values), Summary { low: -0.5, high: 976.0, integral: false, finite: true });
        for bad in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
            values[99_999] = bad;
            assert!(!summary(&values).finite);
        }
    }

    #[test]
    fn rows_and_columns_see_the_same() {
        let (rows, width) = (20_000, 7);
        let values: Vec<f64> =
            (0..rows * width).map(|i| ((i * 7919 % 10_007) as f64 - 5000.0) / (1 + i % 3) as f64).collect();
        let singles: Vec<f32> = values.iter().map(|x| *x as f32).collect();
        for floats in [Floats::Double(&values), Floats::Single(&singles)] {
            let columns: Vec<Strided<'_>> =
                (0..width).map(|i| Strided::new(floats, i, width as isize, rows).unwrap()).collect();
            assert!(by_rows(&columns).is_some());
            assert_eq!(summaries(&columns), by_columns(&columns, 0..rows));
        }
        let turned: Vec<Strided<'_>> =
            (0..width).map(|i| Strided::new(Floats::Double(&values), i * rows, 1, rows).unwrap()).collect();
        assert!(by_rows(&turned).is_none());
    }
}
