//! A measured rule: does a tree spare enough rows of this table? Numbers alone do not tell: twenty columns may hide three.

use super::best::Best;
use super::descent::{Frame, visit};
use super::norm::Squares;
use super::rows::Rows;
use super::simd::{Lanes, Simd, Work, run};
use super::tree::Tree;
use crate::Result;
use crate::pool::Cancel;

/// Samples of so many rows are searched.
const SAMPLES: [usize; 2] = [1 << 11, 1 << 13];
/// By so many of its rows.
const QUERIES: usize = 32;
/// For so many neighbours.
const K: usize = 10;

/// The share of a tree's leaves that a search opens. It falls with the number of rows like a power of it, which two
/// samples tell.
pub fn opened(rows: &Rows, lanes: Lanes, cancel: &Cancel) -> Result<f64> {
    let [small, large] = SAMPLES;
    let share = opened_of(rows, large, lanes, cancel)?;
    if rows.len() <= large {
        return Ok(share);
    }
    let falls = libm::log2(opened_of(rows, small, lanes, cancel)? / share) / libm::log2(large as f64 / small as f64);
    Ok(share * libm::pow(large as f64 / rows.len() as f64, falls.max(0.0)))
}

/// The share that a search among a sample opens.
fn opened_of(rows: &Rows, size: usize, lanes: Lanes, cancel: &Cancel) -> Result<f64> {
    let step = rows.len().div_ceil(size);
    let numbers: Vec<f64> = (0..rows.len()).step_by(step).flat_map(|row| rows.numbers_of(row)).copied().collect();
    let sample = Rows::new(numbers.len() / rows.columns().0, numbers, &[])?;
    let tree = Tree::new(&sample, cancel)?;
    let queries: Vec<&[f64]> =
        (0..sample.len()).step_by(sample.len().div_ceil(QUERIES)).map(|row| sample.numbers_of(row)).collect();
    let leaves = run(Visits { tree: &tree, queries: &queries }, lanes);
    Ok(leaves as f64 / (queries.len() * tree.leaves()) as f64)
}

struct Visits<'a> {
    tree: &'a Tree,
    queries: &'a [&'a [f64]],
}

impl Work for Visits<'_> {
    type Out = usize;

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) -> usize {
        let mut best = Best::new(K);
        let mut frames = Frame::stack();
        let mut leaves = 0;
        for query in self.queries {
            best.clear();
            leaves += visit(simd, Squares, self.tree, query, &mut frames, &mut best);
        }
        leaves
    }
}
