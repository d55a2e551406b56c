//! All columns of a table to codes of 16 bits ([`super::spread`]), in the order in which a holder wants its rows.
//!
//! What takes long is to read the table, so each part of it is read once. The order consists of a few runs of ascending
//! rows, one for each class: a thread takes a window of the table and codes what every run has of it while it is near. And
//! where the numbers of a row lie together, they are read so, and become columns on the way.

use super::spread::{Coder, Number};
use crate::Result;
use crate::data::strided::{Floats, Strided};
use crate::data::survey::{BLOCK, by_rows};
use crate::simd::{Isa, multiversion};
use crate::sys::pool;
use crate::sys::pool::Cancel;

/// Rows of the table that one thread takes at a time: few enough to stay in the cache until all runs were coded.
const WINDOW: usize = 1 << 11;
/// An order of more runs has no windows that are worth it.
const MOST_RUNS: usize = 1 << 6;
/// Columns that are read together: a cache line of single precision.
const TOGETHER: usize = 16;

/// Codes all rows, in the order given, a column of `out` for each column.
pub fn code_all(
    columns: &[Strided<'_>],
    coders: &[Coder],
    order: &[u32],
    out: Vec<&mut [u16]>,
    threads: usize,
    cancel: &Cancel,
) -> Result<()> {
    let (isa, matrix) = (Isa::detect(), by_rows(columns));
    let done = pool::each(threads, windows(order, out), |pieces| -> Result<()> {
        cancel.check()?;
        for (rows, mut codes) in pieces {
            match matrix {
                Some((Floats::Single(values), step)) => code_rows(isa, (values, step), coders, rows, &mut codes),
                Some((Floats::Double(values), step)) => code_rows(isa, (values, step), coders, rows, &mut codes),
                None => code_columns(isa, columns, coders, rows, &mut codes),
            }
        }
        Ok(())
    })?;
    done.into_iter().collect()
}

/// What a run has of a window: rows, and where their codes go, column by column.
type Piece<'p> = (&'p [u32], Vec<&'p mut [u16]>);

/// The pieces of each window. Where rows stand in no order, each window is a piece of the order.
fn windows<'p>(order: &'p [u32], out: Vec<&'p mut [u16]>) -> Vec<Vec<Piece<'p>>> {
    let mut runs: Vec<&[u32]> = order.chunk_by(|a, b| a <= b).take(MOST_RUNS + 1).collect();
    let ordered = runs.len() <= MOST_RUNS;
    if !ordered {
        runs = order.chunks(WINDOW).collect();
    }
    let mut windows = Vec::new();
    // The window of each piece and its number there, in the order of places.
    let mut places = Vec::new();
    for (number, mut rest) in runs.into_iter().enumerate() {
        while let Some(&first) = rest.first() {
            let of = |row: u32| if ordered { row as usize / WINDOW } else { number };
            let window = of(first);
            let (rows, behind) = rest.split_at(rest.partition_point(|&row| of(row) == window));
            windows.resize_with(windows.len().max(window + 1), Vec::new);
            places.push((window, windows[window].len()));
            windows[window].push((rows, Vec::with_capacity(out.len())));
            rest = behind;
        }
    }
    for mut rest in out {
        for &(window, number) in &places {
            let (rows, places) = &mut windows[window][number];
            let (codes, behind) = rest.split_at_mut(rows.len());
            places.push(codes);
            rest = behind;
        }
    }
    windows
}

/// Codes some rows column by column.
fn code_columns(isa: Isa, columns: &[Strided<'_>], coders: &[Coder], rows: &[u32], codes: &mut [&mut [u16]]) {
    for (block, rows) in rows.chunks(BLOCK).enumerate() {
        let span = block * BLOCK..block * BLOCK + rows.len();
        for ((column, coder), codes) in columns.iter().zip(coders).zip(&mut *codes) {
            coder.encode(isa, column, rows, &mut codes[span.clone()]);
        }
    }
}

/// Codes some rows of a matrix whose rows lie together, `step` numbers apart.
fn code_rows<N: Number>(
    isa: Isa,
    (values, step): (&[N], usize),
    coders: &[Coder],
    rows: &[u32],
    codes: &mut [&mut [u16]],
) {
    let mut numbers = [[N::default(); BLOCK]; TOGETHER];
    for (block, rows) in rows.chunks(BLOCK).enumerate() {
        let span = block * BLOCK..block * BLOCK + rows.len();
        for (first, coders) in (0..).step_by(TOGETHER).zip(coders.chunks(TOGETHER)) {
            turn(isa, values, (step, first), rows, &mut numbers[..coders.len()]);
            for ((coder, numbers), codes) in coders.iter().zip(&numbers).zip(&mut codes[first..]) {
                coder.encode_numbers(isa, &numbers[..rows.len()], &mut codes[span.clone()]);
            }
        }
    }
}

multiversion! {
    /// Reads columns from the first on, row by row.
    fn turn<N: Number>(values: &[N], place: (usize, usize), rows: &[u32], numbers: &mut [[N; BLOCK]]) {
        match <&mut [[N; BLOCK]; TOGETHER]>::try_from(&mut *numbers) {
            // The same loop: compilers unroll it where they know its length.
            Ok(whole_line) => read_rows(values, place, rows, whole_line),
            Err(_) => read_rows(values, place, rows, numbers),
        }
    }
}

#[inline(always)]
fn read_rows<N: Number>(values: &[N], (step, first): (usize, usize), rows: &[u32], numbers: &mut [[N; BLOCK]]) {
    for (i, &row) in rows.iter().enumerate().take(BLOCK) {
        let cells = &values[row as usize * step + first..][..numbers.len()];
        for (column, &cell) in numbers.iter_mut().zip(cells) {
            column[i] = cell;
        }
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::data::survey::survey;

    /// The codes of a matrix of so many columns, read by rows and read by columns.
    fn both(floats: Floats<'_>, width: usize, order: &[u32]) -> [Vec<u16>; 2] {
        let (rows, cancel) = (order.len(), Cancel::default());
        let columns: Vec<Strided<'_>> =
            (0..width).map(|i| Strided::new(floats, i, width as isize, rows).unwrap()).collect();
        let summaries = survey(&columns, rows, 1, &cancel).unwrap();
        let coders: Vec<Coder> = columns
            .iter()
            .zip(&summaries)
            .map(|(column, summary)| match summary.finite {
                true => Coder::new(column, summary, false, &cancel).unwrap(),
                false => Coder::new(column, &crate::data::survey::Summary::known(column), true, &cancel).unwrap(),
            })
            .collect();
        let mut all = vec![0; rows * width];
        code_all(&columns, &coders, order, all.chunks_mut(rows).collect(), 2, &cancel).unwrap();
        let mut single = vec![0; rows * width];
        for (i, codes) in single.chunks_mut(rows).enumerate() {
            code_columns(Isa::PORTABLE, &columns[i..=i], &coders[i..=i], order, &mut [codes]);
        }
        [all, single]
    }

    #[test]
    fn rows_are_coded_wherever_they_stand() {
        let noise = |i: u32| i.wrapping_mul(2_654_435_761) >> 8;
        for (rows, width) in [(1, 1), (300, 16), (5000, 35), (9000, 7)] {
            let cell = |i: u32| match i % width % 4 {
                0 => f64::from(noise(i) % 1000),
                1 => f64::from(noise(i)) / 977.0 - 5000.0,
                2 if noise(i) % 7 == 0 => f64::NAN,
                _ => f64::from(noise(i) % 50) / 10.0,
            };
            let doubles: Vec<f64> = (0..rows * width).map(cell).collect();
            let singles: Vec<f32> = doubles.iter().map(|x| *x as f32).collect();
            // All rows; the rows of three classes; the rows in no order.
            let mut orders = vec![(0..rows).collect::<Vec<u32>>(); 3];
            orders[1].sort_by_key(|row| noise(row + 9) % 3);
            orders[2].sort_by_key(|row| noise(*row));
            for order in &orders {
                for floats in [Floats::Double(&doubles), Floats::Single(&singles)] {
                    let [all, single] = both(floats, width as usize, order);
                    assert!(all == single);
                }
            }
        }
    }
}
