//! Does a tree spare enough rows of this table? Numbers alone do not tell: twenty columns may hide three. So a few rows
//! are asked for, and the work of both searches is counted, in operations on whole registers:
//!
//! * a leaf of 64 points: two for each column and register, and about [`LEAF_BESIDES`] for its box, its place in the
//!   walk and the points that are taken from it;
//! * products with 64 rows: one for each register and column, or word of four columns, and [`PRODUCTS_BESIDES`].
//!
//! The shares of leaves that are opened, and the ratio of these counts, are the same on every machine; with them the
//! search that is quicker is chosen but for the cases where both take about as long.

use super::distance::Power;
use super::rows::Rows;
use super::shortlist::Shortlist;
use super::tree::Tree;
use super::tree_walk::TreeWalk;
use crate::Result;
use crate::simd::{Isa, multiversion};
use crate::sys::pool::Cancel;

/// Samples of so many rows are searched.
const SAMPLES: [usize; 2] = [1 << 11, 1 << 13];
/// By so many of its rows.
const QUERIES: usize = 32;
/// For so many neighbors.
const K: usize = 10;

/// Operations for a leaf beside those on its points.
const LEAF_BESIDES: usize = 70;
/// Operations for products beside the products.
const PRODUCTS_BESIDES: usize = 14;
/// Registers for 64 rows.
const REGISTERS: usize = 4;
/// With so few columns the tree is always quicker.
const FEW_COLUMNS: usize = 6;

/// Whether a tree answers queries quicker than products of numbers, or of bytes.
pub fn is_worth_it(rows: &Rows, bytes: bool, isa: Isa, cancel: &Cancel) -> Result<bool> {
    let columns = rows.columns().0;
    if columns <= FEW_COLUMNS {
        return Ok(true);
    }
    let words = if bytes { columns.div_ceil(4) } else { columns };
    let leaf = 2 * REGISTERS * columns + LEAF_BESIDES;
    let products = REGISTERS * words + PRODUCTS_BESIDES;
    Ok(opened(rows, isa, cancel)? * leaf as f64 <= products as f64)
}

/// The share of a tree's leaves that a search opens. It falls with the number of rows like a power of it, which two
/// samples tell.
fn opened(rows: &Rows, isa: Isa, cancel: &Cancel) -> Result<f64> {
    let [small, large] = SAMPLES;
    let share = opened_of(rows, large, isa, cancel)?;
    if rows.len() <= large {
        return Ok(share);
    }
    let falls = libm::log2(opened_of(rows, small, isa, cancel)? / share) / libm::log2(large as f64 / small as f64);
    Ok(share * libm::pow(large as f64 / rows.len() as f64, falls.max(0.0)))
}

/// The share that a search among a sample opens.
fn opened_of(rows: &Rows, size: usize, isa: Isa, cancel: &Cancel) -> Result<f64> {
    let step = rows.len().div_ceil(size);
    let numbers: Vec<f64> = (0..rows.len()).step_by(step).flat_map(|row| rows.numbers_of(row)).copied().collect();
    let sample = Rows::new(numbers.len() / rows.columns().0, numbers, &[])?;
    let tree = Tree::new(&sample, true, isa, cancel)?;
    let queries: Vec<&[f64]> =
        (0..sample.len()).step_by(sample.len().div_ceil(QUERIES)).map(|row| sample.numbers_of(row)).collect();
    Ok(count_leaves(isa, &tree, &queries) as f64 / (queries.len() * tree.leaves()) as f64)
}

multiversion! {
    /// How many leaves some queries open.
    fn count_leaves<S: Simd>(simd: S, tree: &Tree, queries: &[&[f64]]) -> usize {
        let (mut walker, mut leaves) = (TreeWalk::new(tree.columns), 0);
        for query in queries {
            leaves += walker.walk(simd, Power::Two, tree, query, &mut Shortlist::new(simd, K, tree.grow));
        }
        leaves
    }
}
