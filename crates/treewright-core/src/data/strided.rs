//! One column of a matrix, read where it lies: numbers of either precision, any step apart.
//!
//! It spares a copy: a matrix of a million rows is read once to be coded, and afterwards only here and there. The values
//! may be another thread's to write. Nobody may rely on reading the same one twice; everybody must be content with any
//! number.

use crate::simd::prefetch;
use crate::{Error, Result};

/// Numbers of either precision.
#[derive(Clone, Copy, Debug)]
pub enum Floats<'a> {
    /// 32 bits each.
    Single(&'a [f32]),
    /// 64 bits each.
    Double(&'a [f64]),
}

impl Floats<'_> {
    fn len(&self) -> usize {
        match self {
            Floats::Single(values) => values.len(),
            Floats::Double(values) => values.len(),
        }
    }
}

/// Where the number of a row lies in its slice. Cannot overflow for rows of a column: the last one's place was checked.
#[inline(always)]
pub fn place(start: usize, step: isize, row: usize) -> usize {
    start.wrapping_add_signed(step.wrapping_mul(row as isize))
}

/// Every `step`-th number of a slice; NaN is missing.
#[derive(Clone, Copy, Debug)]
pub struct Strided<'a> {
    floats: Floats<'a>,
    start: usize,
    step: isize,
    len: usize,
}

impl<'a> Strided<'a> {
    /// `len` numbers, the first at `start`, the next `step` further (or back, or at the same place).
    pub fn new(floats: Floats<'a>, start: usize, step: isize, len: usize) -> Result<Strided<'a>> {
        let last = isize::try_from(len.saturating_sub(1)).ok().and_then(|steps| steps.checked_mul(step));
        let last = last.and_then(|way| start.checked_add_signed(way));
        if len > 0 && (start >= floats.len() || last.is_none_or(|last| last >= floats.len())) {
            return Err(Error::data("data.lengths", "a column reaches beyond its matrix"));
        }
        Ok(Strided { floats, start, step, len })
    }

    /// The numbers of a slice.
    pub fn of_slice(values: &'a [f64]) -> Strided<'a> {
        Strided { floats: Floats::Double(values), start: 0, step: 1, len: values.len() }
    }

    /// The number of rows.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether there are no rows.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// The number of a row. `row` must be below the length.
    #[inline]
    pub fn at(&self, row: usize) -> f64 {
        let place = place(self.start, self.step, row);
        match self.floats {
            Floats::Single(values) => f64::from(values[place]),
            Floats::Double(values) => values[place],
        }
    }

    /// Asks for the number of a row, which will be read soon.
    #[inline]
    pub fn ask(&self, row: usize) {
        let place = place(self.start, self.step, row);
        match self.floats {
            Floats::Single(values) => prefetch(values.as_ptr().wrapping_add(place)),
            Floats::Double(values) => prefetch(values.as_ptr().wrapping_add(place)),
        }
    }

    /// Whether the numbers of both columns lie in one cache line, in the first row at least.
    pub fn is_beside(&self, other: &Strided<'_>) -> bool {
        let line = |column: &Strided<'_>| match column.floats {
            Floats::Single(values) => values.as_ptr().wrapping_add(column.start) as usize / 64,
            Floats::Double(values) => values.as_ptr().wrapping_add(column.start) as usize / 64,
        };
        self.step == other.step && line(self) == line(other)
    }

    /// The numbers of the rows from `first` on, as many as there is room for.
    pub fn read(&self, first: usize, out: &mut [f64]) {
        fn read<F: Copy + Into<f64>>(values: &[F], (start, step): (usize, isize), first: usize, out: &mut [f64]) {
            out.iter_mut().zip(first..).for_each(|(out, row)| *out = values[place(start, step, row)].into());
        }
        let place = (self.start, self.step);
        match self.floats {
            Floats::Single(values) => read(values, place, first, out),
            Floats::Double(values) => read(values, place, first, out),
        }
    }

    /// The numbers of some rows; 0 is never negative.
    pub fn gather(&self, rows: &[u32], out: &mut [f64]) {
        fn read<F: Copy + Into<f64>>(values: &[F], (start, step): (usize, isize), rows: &[u32], out: &mut [f64]) {
            for (out, &row) in out.iter_mut().zip(rows) {
                *out = values[place(start, step, row as usize)].into() + 0.0;
            }
        }
        let place = (self.start, self.step);
        match self.floats {
            Floats::Single(values) => read(values, place, rows, out),
            Floats::Double(values) => read(values, place, rows, out),
        }
    }

    /// The slice that the numbers lie in, the place of the first, and the step.
    pub fn parts(&self) -> (Floats<'a>, usize, isize) {
        (self.floats, self.start, self.step)
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn columns_of_a_matrix_are_beside_each_other_in_its_rows() {
        let values = vec![0f32; 4096];
        let column = |start, step| Strided::new(Floats::Single(&values), start, step, 3).unwrap();
        // Of 16 numbers that follow each other, the cache line ends behind one at the most.
        let ends = (0..15).filter(|&start| !column(start, 28).is_beside(&column(start + 1, 28))).count();
        assert!(ends <= 1);
        assert!(!column(0, 28).is_beside(&column(16, 28)) && !column(0, 1).is_beside(&column(1, 28)));
        column(5, 28).ask(2);
    }

    #[test]
    fn any_step_is_followed_and_none_leads_outside() {
        let values: Vec<f64> = (0..12).map(f64::from).collect();
        let column = |start, step, len| Strided::new(Floats::Double(&values), start, step, len);
        let read = |column: Strided<'_>| (0..column.len()).map(|row| column.at(row)).collect::<Vec<_>>();
        assert_eq!(read(column(1, 4, 3).unwrap()), vec![1.0, 5.0, 9.0]);
        assert_eq!(read(column(11, -5, 3).unwrap()), vec![11.0, 6.0, 1.0]);
        assert_eq!(read(column(3, 0, 2).unwrap()), vec![3.0, 3.0]);
        assert!(column(12, 1, 0).unwrap().is_empty());
        let (mut out, single) = ([9.0; 4], [-0.0f32, 1.5, 3.0]);
        column(11, -5, 3).unwrap().gather(&[2, 0], &mut out);
        assert_eq!(out, [1.0, 11.0, 9.0, 9.0]);
        Strided::new(Floats::Single(&single), 0, 1, 3).unwrap().gather(&[0, 2, 1], &mut out);
        assert_eq!((out, out[0].is_sign_positive()), ([0.0, 3.0, 1.5, 9.0], true));
        for (start, step, len) in [(0, 4, 4), (12, 1, 1), (4, -5, 2), (0, isize::MAX, 3), (0, 1, usize::MAX)] {
            assert!(column(start, step, len).is_err());
        }
    }
}
