//! The whole table of a search: every column as codes, and its rows in the order of every column.

use super::codes::Code;
use crate::cost::Costs;
use crate::problem::{Problem, Target};
use treewright_core::prelude::memory;
use treewright_core::{Error, Result};

/// A table of numbers as codes.
pub struct Table<T> {
    /// The distinct numbers of each column that has more than one, ascending.
    pub values: Vec<Vec<f64>>,
    /// The column of the caller that each column here was.
    pub names: Vec<usize>,
    /// The code of each row in each column.
    pub codes: Vec<Vec<T>>,
    /// The rows in the order of each column.
    pub order: Vec<Vec<u32>>,
    /// What errors and leaves cost.
    pub rules: Rules,
    /// The class of each row.
    pub class: Vec<u32>,
    /// The weight of each row.
    pub weight: Vec<u32>,
}

/// What a tree may be and what it costs.
#[derive(Clone, Copy, Debug)]
pub struct Rules {
    /// An error of weight 1.
    pub unit: i64,
    /// A leaf.
    pub leaf: i64,
    /// The fewest rows of a leaf, at least 1.
    pub min_leaf: usize,
    /// The number of classes.
    pub classes: usize,
    /// Whether signs of rows tell all: two classes, no weights, leaves of any size.
    pub signs: bool,
}

/// The numbers of a column: (its distinct numbers, the place of each row's number among them, the rows in order).
type Ranked = (Vec<f64>, Vec<u32>, Vec<u32>);

/// Sorts the kept rows of a column. -0 and 0 are one number.
fn rank(column: &[f64], used: &[u32]) -> Result<Ranked> {
    // The numbers beside their rows: comparing them by way of the rows would take twice the time.
    let numbers = used.iter().map(|&row| column[row as usize]).zip(0u32..);
    let mut numbers: Vec<(f64, u32)> = memory::collected(numbers)?;
    numbers.sort_unstable_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
    let mut places = memory::filled(0, used.len())?;
    let mut values: Vec<f64> = Vec::new();
    for &(number, row) in &numbers {
        if values.last().is_none_or(|&last| last != number) {
            values.push(number);
        }
        places[row as usize] = values.len() as u32 - 1;
    }
    Ok((values, places, memory::collected(numbers.into_iter().map(|(_, row)| row))?))
}

/// The columns of the rows whose weight is not 0.
pub struct RankedColumns {
    used: Vec<u32>,
    columns: Vec<(usize, Ranked)>,
}

impl RankedColumns {
    /// Sorts the columns; one with a single number is left out.
    pub fn new(problem: &Problem<'_>, columns: &[&[f64]]) -> Result<RankedColumns> {
        let rows = 0..problem.rows() as u32;
        let used: Vec<u32> = memory::collected(rows.filter(|&row| problem.weight(row as usize) > 0))?;
        let mut ranked = Vec::new();
        for (name, column) in columns.iter().enumerate() {
            let sorted = rank(column, &used)?;
            if sorted.0.len() > 1 {
                ranked.push((name, sorted));
            }
        }
        Ok(RankedColumns { used, columns: ranked })
    }

    /// The most distinct numbers in one column.
    pub fn most_values(&self) -> usize {
        self.columns.iter().map(|(_, (values, ..))| values.len()).max().unwrap_or(0)
    }

    /// The table in codes that are wide enough.
    pub fn into_table<T: Code>(self, problem: &Problem<'_>) -> Result<Table<T>> {
        let Target::Classes { codes: class, classes } = problem.target else {
            return Err(Error::data("data.target", "trees over all cuts predict classes"));
        };
        let costs = Costs::of(problem);
        let min_leaf = problem.min_leaf.max(1);
        let weight: Vec<u32> = memory::collected(self.used.iter().map(|&row| problem.weight(row as usize)))?;
        let signs = classes <= 2 && min_leaf == 1 && weight.iter().all(|&weight| weight == 1);
        let rules = Rules { unit: i64::from(costs.unit), leaf: i64::from(costs.leaf), min_leaf, classes, signs };
        let mut table = Table {
            values: Vec::new(),
            names: Vec::new(),
            codes: Vec::new(),
            order: Vec::new(),
            rules,
            class: memory::collected(self.used.iter().map(|&row| class[row as usize]))?,
            weight,
        };
        for (name, (values, places, order)) in self.columns {
            table.values.push(values);
            table.names.push(name);
            table.codes.push(memory::collected(places.iter().map(|&place| T::new(place as usize)))?);
            table.order.push(order);
        }
        Ok(table)
    }
}

impl<T: Code> Table<T> {
    /// The number of columns.
    pub fn columns(&self) -> usize {
        self.codes.len()
    }

    /// The number of rows.
    pub fn rows(&self) -> usize {
        self.class.len()
    }

    /// The weight of each class among some rows.
    pub fn class_weights(&self, rows: &[u32]) -> Vec<i64> {
        let mut weights = vec![0; self.rules.classes.max(1)];
        for &row in rows {
            weights[self.class[row as usize] as usize] += i64::from(self.weight[row as usize]);
        }
        weights
    }

    /// The cost of one leaf for some rows.
    pub fn leaf_cost(&self, rows: &[u32]) -> i64 {
        let weights = self.class_weights(rows);
        let wrong = weights.iter().sum::<i64>() - weights.iter().copied().max().unwrap_or(0);
        self.rules.leaf + self.rules.unit * wrong
    }
}
