//! Cells become ordered codes: a smaller code is a smaller number. No targets, no nodes.
//!
//! Three codings, from the finest to the coarsest:
//!
//! | coding | bits | one code is | for |
//! | --- | --- | --- | --- |
//! | [`ranks`] | 32 | one number of the column | lists of rows |
//! | [`spread`] | 16 | one number, or several that lie side by side | columns of codes |
//! | [`bins`] | 8 | the numbers between two cuts | boosting |
//!
//! [`all_columns`] codes a whole table with the second of them.

pub mod all_columns;
pub mod bins;
pub mod cuts;
pub mod distinct;
pub mod ordered;
pub mod ranks;
pub mod sorted;
pub mod spread;
#[cfg(test)]
mod tests;

use crate::data::strided::Floats;
use crate::data::table::Column;
use crate::simd::Isa;

/// How the cells of one column become codes.
pub trait Coding: Sync {
    /// A code; codes stand in the order of the numbers, that of a missing value behind all others.
    type Code: Copy + Ord + Default;

    /// Codes some rows of the column that the coding was made for.
    fn encode(&self, isa: Isa, column: &Column<'_>, rows: Pick<'_>, out: &mut [Self::Code]);
    /// The code of missing values; None where the column has none.
    fn missing(&self) -> Option<Self::Code>;
}

/// Which rows of a column are read.
#[derive(Clone, Copy, Debug)]
pub enum Pick<'a> {
    /// These, in this order.
    These(&'a [u32]),
    /// Those from a row on, as many as there is room for.
    From(usize),
}

/// Reads the numbers of some rows, each with its place in `out`. A column of categories has none.
#[inline(always)]
fn for_each_number<T>(column: &Column<'_>, rows: Pick<'_>, out: &mut [T], mut each: impl FnMut(f64, &mut T)) {
    let (floats, start, step) = match column {
        Column::Numeric(values) => (Floats::Double(values), 0, 1),
        Column::Strided(values) => values.parts(),
        Column::Sparse(values) => match rows {
            Pick::These(rows) => {
                return rows.iter().zip(out).for_each(|(&row, out)| each(values.at(row as usize), out));
            }
            Pick::From(first) => {
                let end = first + out.len();
                out.iter_mut().for_each(|out| each(0.0, out));
                return values.stored(first..end).for_each(|(place, value)| each(value, &mut out[place]));
            }
        },
        Column::Categorical { .. } => return,
    };
    let place = |row: usize| start.wrapping_add_signed(step.wrapping_mul(row as isize));
    match (floats, rows) {
        (Floats::Single(values), Pick::These(rows)) => {
            rows.iter().zip(out).for_each(|(&row, out)| each(f64::from(values[place(row as usize)]), out));
        }
        (Floats::Double(values), Pick::These(rows)) => {
            rows.iter().zip(out).for_each(|(&row, out)| each(values[place(row as usize)], out));
        }
        (Floats::Single(values), Pick::From(first)) => {
            (first..).zip(out).for_each(|(row, out)| each(f64::from(values[place(row)]), out));
        }
        (Floats::Double(values), Pick::From(first)) => {
            (first..).zip(out).for_each(|(row, out)| each(values[place(row)], out));
        }
    }
}
