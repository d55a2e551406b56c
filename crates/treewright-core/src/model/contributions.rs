//! What each column contributes to what a model says of a row, before the link: those of its trees, added as the trees are.
//!
//! For every row and every sum the contributions add up to the raw sum less what is expected where nothing is known. A vote
//! counts a leaf's vote as what it says; a median is no sum of trees and has no contributions.

use super::combine::How;
use super::forest::Forest;
use super::shapley::{EdgeSums, Shapley};
use super::tree::{Tree, first_largest};
use crate::data::table::Table;
use crate::sys::memory::filled;
use crate::sys::pool::{self, Cancel};
use crate::{Error, Result};

/// Rows between two looks at the cancel flag.
const CHUNK: usize = 16;

impl Forest {
    /// The contributions of each column to the raw sums of each row, `rows * columns * sums`, and what is expected of each
    /// sum. On up to so many threads (0: all available ones).
    pub fn contributions(&self, table: &Table<'_>, threads: usize, cancel: &Cancel) -> Result<(Vec<f64>, Vec<f64>)> {
        self.check_columns(table)?;
        let combine = self.combine();
        if combine.how == How::Median {
            return Err(Error::data("data.median", "a median of trees is no sum: it has no contributions of columns"));
        }
        let raw = self.raw_outputs();
        let shapley = |(i, factor): (usize, f64)| {
            let (tree, target) = (&self.trees()[i], combine.targets.get(i).map_or(0, |&target| target as usize));
            Shapley::new(tree, self.says(tree), raw, target, factor)
        };
        let trees: Vec<Shapley<'_>> = self.factors().into_iter().enumerate().map(shapley).collect();
        let mut expected = if combine.base.is_empty() { vec![0.0; raw] } else { combine.base.clone() };
        for tree in &trees {
            let sums = expected[tree.first_sum..].iter_mut().zip(&tree.expected);
            sums.for_each(|(sum, says)| *sum += tree.factor * says);
        }
        if combine.how == How::Vote {
            expected.iter_mut().for_each(|sum| *sum -= 1.0 / (raw as f64 - 1.0));
        }
        let width = self.kinds().len() * raw;
        let length = table.rows().checked_mul(width).ok_or(Error::Memory)?;
        let mut out = filled(0.0, length)?;
        let chunks = (0..).step_by(CHUNK).zip(out.chunks_mut((CHUNK * width).max(1))).collect();
        let done = pool::each(threads, chunks, |(first, out)| -> Result<()> {
            let mut edges = EdgeSums::default();
            for (row, out) in (first..).zip(out.chunks_exact_mut(width)) {
                cancel.check()?;
                trees.iter().for_each(|tree| tree.add(table.columns(), row, &mut edges, out));
            }
            Ok(())
        })?;
        done.into_iter().collect::<Result<()>>()?;
        Ok((out, expected))
    }

    /// What the nodes of a tree give to the sums, but for a factor.
    fn says(&self, tree: &Tree) -> Vec<f64> {
        if self.combine().how != How::Vote {
            return tree.value.clone();
        }
        let mut votes = vec![0.0; tree.value.len()];
        for (votes, says) in votes.chunks_exact_mut(tree.outputs).zip(tree.value.chunks_exact(tree.outputs)) {
            votes[first_largest(says)] = 1.0;
        }
        votes
    }

    /// What each tree's word counts in a raw sum.
    fn factors(&self) -> Vec<f64> {
        let (combine, trees) = (self.combine(), 0..self.trees().len());
        let classes = self.raw_outputs() as f64;
        let total: f64 = trees.clone().map(|tree| combine.scale(tree)).sum();
        let factor = |tree: usize| match combine.how {
            How::Vote => combine.scale(tree) * classes / (classes - 1.0) / total,
            How::Mean => 1.0 / trees.len() as f64,
            _ => combine.scale(tree),
        };
        trees.clone().map(factor).collect()
    }
}
