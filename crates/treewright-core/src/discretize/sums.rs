//! The division of rows with numbers to predict: counts and sums; a numeric column is cut once, where the least variance
//! is left.

use super::sorted::{Entry, sorted};
use super::{Division, is_missing, zeros};
use crate::Result;
use crate::codes::ordered::midpoint;
use crate::data::table::Column;
use crate::stats::numbers::Numbers;
use crate::sys::pool::Cancel;

/// Rows, and the sum of their numbers in units.
#[derive(Clone, Copy, Debug, Default)]
struct Sum {
    rows: u64,
    units: i128,
}

impl Sum {
    fn add(&mut self, units: i64) {
        self.rows += 1;
        self.units += i128::from(units);
    }

    /// What makes the variance that is left small.
    fn square(self) -> f64 {
        let units = self.units as f64;
        units * units / self.rows as f64
    }

    fn real(self, numbers: &Numbers) -> f64 {
        self.units as f64 * numbers.step + self.rows as f64 * numbers.centre
    }
}

/// Divides by one column.
pub fn divide(column: &Column<'_>, numbers: &Numbers, cancel: &Cancel) -> Result<Division> {
    let mut missing = Sum::default();
    let (cuts, parts) = match column {
        Column::Categorical { codes, levels } => {
            let mut parts: Vec<Sum> = zeros(*levels as usize, 1)?;
            for (&level, &units) in codes.iter().zip(&numbers.units) {
                match is_missing(level, *levels) {
                    true => missing.add(units),
                    false => parts[level as usize].add(units),
                }
            }
            (Vec::new(), parts)
        }
        _ => {
            let entries = sorted(column, &numbers.units, |units| missing.add(units), cancel)?;
            cancel.check()?;
            cut(&entries)
        }
    };
    Ok(Division {
        cuts,
        counts: parts.iter().map(|part| part.rows).collect(),
        sums: parts.iter().map(|part| part.real(numbers)).collect(),
        missing: vec![missing.rows],
        missing_sum: missing.real(numbers),
    })
}

/// The best cut, the first of equals, and the parts that it makes.
fn cut(entries: &[Entry<i64>]) -> (Vec<f64>, Vec<Sum>) {
    let mut all = Sum::default();
    entries.iter().for_each(|entry| all.add(entry.is));
    let (mut low, mut best, mut most) = (Sum::default(), None, f64::NEG_INFINITY);
    for pair in entries.windows(2) {
        low.add(pair[0].is);
        if pair[0].key != pair[1].key {
            let high = Sum { rows: all.rows - low.rows, units: all.units - low.units };
            let score = low.square() + high.square();
            if score > most {
                (best, most) = (Some((midpoint(pair[0].number(), pair[1].number()), low, high)), score);
            }
        }
    }
    match best {
        Some((cut, low, high)) => (vec![cut], vec![low, high]),
        None if entries.is_empty() => (Vec::new(), Vec::new()),
        None => (Vec::new(), vec![all]),
    }
}
