//! The division of rows with numbers to predict: counts and sums; a numeric column is cut once, where the least variance
//! is left.

use super::rows::sort_rows;
use super::search::search;
use super::{Division, is_missing, zeros};
use crate::Result;
use crate::codes::ordered::midpoint;
use crate::codes::sorted::Keyed;
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

    fn of(entries: &[Keyed<i64>]) -> Sum {
        let mut sum = Sum::default();
        entries.iter().for_each(|entry| sum.add(entry.row));
        sum
    }

    fn less(self, part: Sum) -> Sum {
        Sum { rows: self.rows - part.rows, units: self.units - part.units }
    }

    /// What makes the variance that is left small.
    fn square(self) -> f64 {
        let units = self.units as f64;
        units * units / self.rows as f64
    }

    fn real(self, numbers: &Numbers) -> f64 {
        self.units as f64 * numbers.step + self.rows as f64 * numbers.center
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
            let entries = sort_rows(column, &numbers.units, |units| missing.add(units), cancel)?;
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
fn cut(entries: &[Keyed<i64>]) -> (Vec<f64>, Vec<Sum>) {
    let all = Sum::of(entries);
    let mut low = Sum::default();
    // The sum of squares that both parts explain: the larger, the smaller the variance that is left.
    let worth = |units: i64, is_asked: bool| {
        low.add(units);
        is_asked.then(|| low.square() + all.less(low).square())
    };
    match search(entries, worth) {
        Some((end, _)) => {
            let threshold = midpoint(entries[end - 1].number(), entries[end].number());
            let low = Sum::of(&entries[..end]);
            (vec![threshold], vec![low, all.less(low)])
        }
        None if entries.is_empty() => (Vec::new(), Vec::new()),
        None => (Vec::new(), vec![all]),
    }
}
