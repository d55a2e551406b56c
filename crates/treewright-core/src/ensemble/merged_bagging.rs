//! Many trees of one recipe, each of its own sample, from rows that lie in several processes. They have the bytes of the
//! trees of one process with all rows.
//!
//! Samples depend on what rows hold, so every process gets a key of 8 bytes of every row, and its weight where rows have
//! one. Each draws the same samples of all rows and counts its own.

use super::bagging::{Sampling, balancing_part, weighed};
use super::sample::{KeyedRows, RowSampling, Samples, copies};
use crate::data::table::Table;
use crate::model::tree::Tree;
use crate::recipe::Recipe;
use crate::recipe::merged::{Merging, Shared, grow_shared};
use crate::stats::order;
use crate::stats::target::Target;
use crate::sys::pool::Cancel;
use crate::{Error, Result};
use std::ops::Range;

/// Many trees, and the rows of this process.
#[derive(Debug)]
pub struct MergedBagging<'a> {
    /// The recipe of each tree.
    pub recipe: &'a Recipe,
    /// The sample of each tree.
    pub sampling: &'a Sampling,
    /// The rows of this process.
    pub table: &'a Table<'a>,
    /// What is predicted of them.
    pub target: Target<'a>,
    /// What they weigh; None for 1 each, then in all processes.
    pub weights: Option<&'a [f64]>,
    /// The processes.
    pub merging: Merging<'a>,
    /// Cancellation flag.
    pub cancel: &'a Cancel,
}

/// The samples of all rows, and which of the rows are those of this process.
struct PartOfSamples {
    samples: Samples,
    own: Range<usize>,
    /// Whether weights multiply what was drawn, rather than saying how often a row is there.
    multiply: bool,
}

impl MergedBagging<'_> {
    /// Grows some of the trees; every process calls this and gets all of them.
    pub fn grow(&self, trees: Range<u32>) -> Result<Vec<Tree>> {
        self.target.check(self.table.rows(), self.weights)?;
        if !self.recipe.can_draw_columns() || self.sampling.cuts && self.sampling.columns.is_none() {
            return Err(Error::data("recipe.samples", "columns are drawn by trees of two answers without surrogates"));
        }
        let drawn = self.samples()?;
        let shared = Shared::new(self.table, self.merging.peers, self.cancel)?;
        trees.map(|tree| self.grow_one(tree, &drawn, &shared)).collect()
    }

    fn grow_one(&self, tree: u32, drawn: &PartOfSamples, shared: &Shared<'_>) -> Result<Tree> {
        let times = drawn.samples.times(tree)?;
        let weights = weighed(&times[drawn.own.clone()], self.weights.filter(|_| drawn.multiply));
        let class_weights = match self.sampling.balanced {
            true => balancing_part(self.target, &weights, self.merging.peers)?,
            false => self.recipe.class_weights.clone(),
        };
        let recipe = Recipe { class_weights, ..self.recipe.clone() };
        let shared = Shared { draw: self.sampling.draw(tree), ..shared.clone() };
        grow_shared(&recipe, self.table, self.target, Some(&weights), self.merging, &shared, self.cancel)
    }

    /// Agrees on the samples.
    fn samples(&self) -> Result<PartOfSamples> {
        let Sampling { how, draws, seed, .. } = *self.sampling;
        let needs_keys = how != RowSampling::All;
        let keys = if needs_keys { order::keys(self.table, self.target)? } else { Vec::new() };
        let (keys, _) = self.everywhere(keys.iter().copied())?;
        let (weights, _) = self.everywhere(self.weights.unwrap_or_default().iter().map(|weight| weight.to_bits()))?;
        let weights: Vec<f64> = weights.into_iter().map(f64::from_bits).collect();
        let codes = match self.target {
            Target::Classes { codes, .. } if how == RowSampling::Balanced => codes,
            _ => &[],
        };
        let (codes, _) = self.everywhere(codes.iter().map(|&code| u64::from(code)))?;
        let codes: Vec<u32> = codes.into_iter().map(|code| code as u32).collect();
        let classes = match self.target {
            Target::Classes { classes, .. } => Some((&codes[..], classes)),
            Target::Numbers(_) => None,
        };
        let (rows, own) = self.place()?;
        let weights = self.weights.map(|_| &weights[..]);
        let multiply = weights.is_some_and(|weights| copies(weights).is_none());
        let all = KeyedRows { rows, keys: &keys, classes, weights };
        Ok(PartOfSamples { samples: Samples::of_rows(how, &all, draws, seed)?, own, multiply })
    }

    /// How many rows there are, and which of them are those of this process.
    fn place(&self) -> Result<(usize, Range<usize>)> {
        let (counts, rank) = self.everywhere([self.table.rows() as u64].into_iter())?;
        let first: u64 = counts[..rank].iter().sum();
        let last = first + counts[rank];
        Ok((counts.iter().sum::<u64>() as usize, first as usize..last as usize))
    }

    /// The numbers of all processes, one after the other, and where those of this process begin.
    fn everywhere(&self, own: impl Iterator<Item = u64>) -> Result<(Vec<u64>, usize)> {
        let peers = self.merging.peers;
        let bytes: Vec<u8> = own.flat_map(u64::to_le_bytes).collect();
        let (mut all, mut first) = (Vec::new(), 0);
        for (rank, bytes) in peers.gather(&bytes)?.into_iter().enumerate() {
            first = if rank == peers.rank() { all.len() } else { first };
            all.try_reserve(bytes.len() / 8)?;
            all.extend(bytes.as_chunks::<8>().0.iter().map(|bytes| u64::from_le_bytes(*bytes)));
        }
        Ok((all, first))
    }
}
