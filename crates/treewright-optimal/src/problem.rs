//! What is asked: the least cost of a tree of at most some depth.

use crate::bits::BitMatrix;
use treewright_core::prelude::Cancel;
use treewright_core::{Error, Result};

/// The sum of all weights stays below this, so that costs fit 32 bits.
pub const MAX_WEIGHT: u64 = 1 << 30;
/// No tree is deeper: a path of 2^30 rows needs no more.
pub const MAX_DEPTH: usize = 30;

/// The columns that a tree may ask about.
#[derive(Clone, Copy, Debug)]
pub enum Columns<'a> {
    /// Zeros and ones: zeros go left.
    Bits(&'a BitMatrix),
    /// Finite numbers, column after column: what is at most the cut goes left.
    Numbers(&'a [&'a [f64]]),
}

/// What a tree is to predict.
#[derive(Clone, Copy, Debug)]
pub enum Target<'a> {
    /// The class of each row; the cost of a leaf is the weight of the rows of other classes than its own.
    Classes {
        /// The class of each row, below `classes`.
        codes: &'a [u32],
        /// The number of classes.
        classes: usize,
    },
    /// A finite number for each row; the cost of a leaf is the sum of squared distances from its mean.
    Numbers(&'a [f64]),
}

/// Called with (seconds since the start, cost of the best tree, lower bound of the cost) whenever one of them improves.
pub type Report<'a> = &'a (dyn Fn(f64, f64, f64) + Sync);

/// A table, a target, and what a tree may cost.
#[derive(Clone, Copy)]
pub struct Problem<'a> {
    /// The columns that a tree may ask about.
    pub columns: Columns<'a>,
    /// What it is to predict.
    pub target: Target<'a>,
    /// A weight for each row, or 1 for all of them. Rows of weight 0 are left out.
    pub weights: Option<&'a [u32]>,
    /// The most questions on a path.
    pub max_depth: usize,
    /// What each leaf costs, in units of an error of weight 1 (or of a squared distance of 1). For classes it is rounded
    /// to 1/1024 of an error, and taken to be at most the weight of all rows, where a tree is a leaf anyway.
    pub leaf_cost: f64,
    /// The fewest rows in a leaf, whatever their weights.
    pub min_leaf: usize,
    /// The number of threads (0: all). It does not change the tree.
    pub threads: usize,
    /// The most seconds to search.
    pub time_limit: Option<f64>,
    /// The most bytes of the table of solved nodes. It does not change the tree. None: as many as are useful.
    pub table_bytes: Option<usize>,
    /// Ends the search early; the best tree so far is the answer.
    pub cancel: &'a Cancel,
    /// Hears of progress.
    pub report: Option<Report<'a>>,
}

/// The error of a table with more columns than sums for every pair of them have room for.
pub fn too_many_columns(columns: usize, most: usize) -> Error {
    let message = format!(
        "{columns} different splits are too many for trees of depth 2 or more; the most here is {most}\n\
         try: binarize=\"quantiles\", which searches at most 32 thresholds of a column, or fewer columns"
    );
    Error::data("optimal.too-large", message)
}

impl<'a> Problem<'a> {
    /// The problem with the usual options: depth 4, no cost of leaves, one thread, no limits.
    pub fn new(columns: Columns<'a>, target: Target<'a>, cancel: &'a Cancel) -> Problem<'a> {
        Problem {
            columns,
            target,
            weights: None,
            max_depth: 4,
            leaf_cost: 0.0,
            min_leaf: 1,
            threads: 1,
            time_limit: None,
            table_bytes: None,
            cancel,
            report: None,
        }
    }

    /// The number of rows.
    pub fn rows(&self) -> usize {
        match self.target {
            Target::Classes { codes, .. } => codes.len(),
            Target::Numbers(numbers) => numbers.len(),
        }
    }

    /// The weight of a row.
    #[inline]
    pub fn weight(&self, row: usize) -> u32 {
        self.weights.map_or(1, |weights| weights[row])
    }

    /// The weight of all rows.
    pub fn total_weight(&self) -> u64 {
        match self.weights {
            Some(weights) => weights.iter().map(|&weight| u64::from(weight)).sum(),
            None => self.rows() as u64,
        }
    }

    /// An error where the values do not fit together: the solvers index without asking again.
    pub fn check(&self) -> Result<()> {
        let rows = self.rows();
        let same_lengths = match self.columns {
            Columns::Bits(bits) => bits.rows() == rows || bits.columns() == 0,
            Columns::Numbers(columns) => columns.iter().all(|column| column.len() == rows),
        };
        if !same_lengths || self.weights.is_some_and(|weights| weights.len() != rows) {
            return Err(Error::data("data.lengths", "columns, target or weights differ in length"));
        }
        if rows == 0 {
            return Err(Error::data("data.no-rows", "the table has no rows"));
        }
        self.check_numbers()?;
        self.check_options()
    }

    fn check_numbers(&self) -> Result<()> {
        let finite = |values: &[f64]| values.iter().all(|value| value.is_finite());
        let columns_are_finite = match self.columns {
            Columns::Bits(_) => true,
            Columns::Numbers(columns) => columns.iter().all(|column| finite(column)),
        };
        let target_is_finite = match self.target {
            Target::Numbers(numbers) => finite(numbers),
            Target::Classes { codes, classes } => {
                if codes.iter().any(|&code| code as usize >= classes) {
                    return Err(Error::data("data.codes", "the target holds a code that is not a class"));
                }
                true
            }
        };
        if columns_are_finite && target_is_finite {
            Ok(())
        } else {
            Err(Error::data("data.not-finite", "columns and target of an optimal tree must hold finite numbers"))
        }
    }

    fn check_options(&self) -> Result<()> {
        if self.total_weight() >= MAX_WEIGHT {
            let message = format!("the weights add up to {}; the most is {}", self.total_weight(), MAX_WEIGHT - 1);
            return Err(Error::data("data.weights", message));
        }
        if !(self.leaf_cost >= 0.0 && self.leaf_cost.is_finite()) {
            return Err(Error::data(
                "data.negative",
                format!("the cost of a leaf is {}; it must be finite and not negative", self.leaf_cost),
            ));
        }
        if self.max_depth > MAX_DEPTH {
            return Err(Error::data(
                "data.too-large",
                format!("depth {} asked for; the most is {MAX_DEPTH}", self.max_depth),
            ));
        }
        Ok(())
    }
}
