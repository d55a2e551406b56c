//! How often each range of numbers or each category of a column occurs, by class.

use crate::failure::{Failure, Result};
use crate::table::{Cells, OpenTable, TargetColumn, text_levels};
use serde::Serialize;
use treewright_core::prelude::columns::TypedValues;

/// Ranges of numbers.
const MAX_RANGES: usize = 24;
/// Categories that are listed; the rest is added up.
const MAX_LEVELS: usize = 12;

/// How often values occur.
#[derive(Debug, Serialize, PartialEq)]
pub struct Distribution {
    #[serde(skip_serializing_if = "Option::is_none")]
    edges: Option<Vec<f64>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    levels: Option<Vec<String>>,
    counts: Vec<Vec<usize>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    others: Option<Vec<usize>>,
    missing: Vec<usize>,
}

/// The distribution of a column of the file, over the rows that have a target.
pub fn distribution(table: &OpenTable, column: usize) -> Result<Distribution> {
    let place = table.file.table.sources.iter().position(|&source| source == column);
    let Some(read) = place.and_then(|place| table.file.table.columns.get(place)) else {
        return Err(Failure::new("data.no-such-column", format!("the table has no column {column}")));
    };
    let cells = match &read.column.values {
        TypedValues::Numbers(numbers) => Cells::Numbers(numbers.to_vec()),
        TypedValues::Codes(codes, levels) => Cells::Codes(codes.to_vec(), text_levels(levels)),
    };
    let cells = cells.take(&table.positions);
    let classes = table.rows.target.classes().len().max(1);
    let class = |row: usize| match &table.rows.target {
        TargetColumn::Classes(codes, _) => codes[row] as usize,
        TargetColumn::Numbers(_) => 0,
    };
    Ok(match cells {
        Cells::Numbers(numbers) => of_numbers(&numbers, classes, class),
        Cells::Codes(codes, levels) => {
            let names = levels.iter().map(crate::level::Level::label).collect();
            of_codes(&codes, names, classes, class)
        }
    })
}

fn of_numbers(numbers: &[f64], classes: usize, class: impl Fn(usize) -> usize) -> Distribution {
    let known = || numbers.iter().copied().filter(|number| number.is_finite());
    let (least, most) = known().fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), x| (low.min(x), high.max(x)));
    let ranges = if least < most { MAX_RANGES } else { 1 };
    let (least, most) = if least <= most { (least, most) } else { (0.0, 0.0) };
    // Halves first: the difference of two large numbers may be infinite.
    let edge = |i: usize| {
        let share = i as f64 / ranges as f64;
        if i == ranges { most } else { least * (1.0 - share) + most * share }
    };
    let edges: Vec<f64> = (0..=ranges).map(edge).collect();
    let mut counts = vec![vec![0; classes]; ranges];
    let mut missing = vec![0; classes];
    for (row, number) in numbers.iter().enumerate() {
        if number.is_nan() {
            missing[class(row)] += 1;
        } else {
            let range = edges[1..ranges].partition_point(|edge| edge <= number);
            counts[range][class(row)] += 1;
        }
    }
    Distribution { edges: Some(edges), levels: None, counts, others: None, missing }
}

fn of_codes(codes: &[u32], names: Vec<String>, classes: usize, class: impl Fn(usize) -> usize) -> Distribution {
    let mut all = vec![vec![0; classes]; names.len()];
    let mut missing = vec![0; classes];
    for (row, &code) in codes.iter().enumerate() {
        all.get_mut(code as usize).unwrap_or(&mut missing)[class(row)] += 1;
    }
    let mut order: Vec<usize> = (0..names.len()).collect();
    order.sort_by_key(|&level| std::cmp::Reverse(all[level].iter().sum::<usize>()));
    let (first, rest) = order.split_at(order.len().min(MAX_LEVELS));
    let sum = |class: usize| rest.iter().map(|&level| all[level][class]).sum();
    Distribution {
        edges: None,
        levels: Some(first.iter().map(|&level| names[level].clone()).collect()),
        counts: first.iter().map(|&level| all[level].clone()).collect(),
        others: (!rest.is_empty()).then(|| (0..classes).map(sum).collect()),
        missing,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_row_is_counted_once() {
        let found = of_numbers(&[1.0, 2.0, 25.0, f64::NAN, 25.0], 2, |row| row % 2);
        assert_eq!(found.counts.iter().flatten().sum::<usize>(), 4);
        assert_eq!(found.missing, [0, 1]);
        assert_eq!(found.counts[23], [2, 0]);
        let same = of_numbers(&[3.0, 3.0], 1, |_| 0);
        assert_eq!(same.counts, [[2]]);
        let codes = of_codes(&[0, 1, 1, u32::MAX], vec!["a".into(), "b".into()], 1, |_| 0);
        assert_eq!(codes.levels.as_deref(), Some(&["b".to_owned(), "a".to_owned()][..]));
        assert_eq!(codes.missing, [1]);
    }
}
