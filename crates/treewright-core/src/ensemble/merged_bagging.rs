//! Many trees of one recipe, each of its own sample, from rows that lie in several processes. They have the bytes of the
//! trees of one process with all rows.
//!
//! Samples depend on what rows hold, so every process gets a key of 8 bytes of every row, and its weight where rows have
//! one. Each draws the same samples of all rows and counts its own.

use super::bagging::{Bagging, Sampling, balancing, weighed};
use super::sample::{RowSampling, SampleSource, Samples, copies};
use crate::model::tree::Tree;
use crate::peers::Peers;
use crate::recipe::Recipe;
use crate::recipe::merged::{MergedColumns, Merging, grow_on_columns};
use crate::stats::order;
use crate::stats::target::Target;
use crate::{Error, Result};
use std::ops::Range;

impl Bagging<'_> {
    /// Grows some of the trees; every process calls this with its rows and gets all trees. Weights are there in all
    /// processes or in none.
    pub fn grow_merged(&self, target: Target<'_>, merging: Merging<'_>, trees: Range<u32>) -> Result<Vec<Tree>> {
        let Bagging { recipe, sampling, table, cancel, .. } = *self;
        target.check(table.rows(), self.weights)?;
        if !recipe.can_draw_columns() || sampling.cuts && sampling.columns.is_none() {
            return Err(Error::data("recipe.samples", "columns are drawn by trees of two answers without surrogates"));
        }
        let (samples, own, is_repeated) = self.agree_on_samples(target, merging.peers)?;
        let beside = self.weights.filter(|_| !is_repeated);
        let columns = MergedColumns::new(recipe, table, merging.peers, cancel)?;
        let grow = |tree: u32| {
            let times = samples.times(tree)?;
            let weights = weighed(&times[own.clone()], beside);
            let class_weights = match sampling.balanced {
                true => balancing(target, &weights, merging.peers)?,
                false => recipe.class_weights.clone(),
            };
            let recipe = Recipe { class_weights, ..recipe.clone() };
            let (columns, draw) = (Some(&columns), sampling.draw(tree));
            grow_on_columns(&recipe, table, target, Some(&weights), merging, columns, draw, cancel)
        };
        trees.map(grow).collect()
    }

    /// The samples of all rows, which of the rows are those of this process, and whether weights say how often a row is
    /// there, rather than multiply what was drawn.
    fn agree_on_samples(&self, target: Target<'_>, peers: &dyn Peers) -> Result<(Samples, Range<usize>, bool)> {
        let Sampling { how, draws, seed, .. } = *self.sampling;
        let keys = if how == RowSampling::All { Vec::new() } else { order::keys(self.table, target)? };
        let (keys, _) = everywhere(peers, keys.iter().copied())?;
        let (weights, _) = everywhere(peers, self.weights.unwrap_or_default().iter().map(|weight| weight.to_bits()))?;
        let weights: Vec<f64> = weights.into_iter().map(f64::from_bits).collect();
        let codes = match target {
            Target::Classes { codes, .. } if how == RowSampling::Balanced => codes,
            _ => &[],
        };
        let (codes, _) = everywhere(peers, codes.iter().map(|&code| u64::from(code)))?;
        let codes: Vec<u32> = codes.into_iter().map(|code| code as u32).collect();
        let classes = match target {
            Target::Classes { classes, .. } => Some((&codes[..], classes)),
            Target::Numbers(_) => None,
        };
        let (counts, rank) = everywhere(peers, [self.table.rows() as u64].into_iter())?;
        let first = counts[..rank].iter().sum::<u64>() as usize;
        let own = first..first + counts[rank] as usize;
        let weights = self.weights.map(|_| &weights[..]);
        let is_repeated = weights.is_none_or(|weights| copies(weights).is_some());
        let all = SampleSource { rows: counts.iter().sum::<u64>() as usize, keys, classes, weights };
        Ok((Samples::new(how, &all, draws, seed)?, own, is_repeated))
    }
}

/// The numbers of all processes, one after the other, and where those of this process begin.
fn everywhere(peers: &dyn Peers, own: impl Iterator<Item = u64>) -> Result<(Vec<u64>, usize)> {
    let bytes: Vec<u8> = own.flat_map(u64::to_le_bytes).collect();
    let (mut all, mut first) = (Vec::new(), 0);
    for (rank, bytes) in peers.gather(&bytes)?.into_iter().enumerate() {
        first = if rank == peers.rank() { all.len() } else { first };
        all.try_reserve(bytes.len() / 8)?;
        all.extend(bytes.as_chunks::<8>().0.iter().map(|bytes| u64::from_le_bytes(*bytes)));
    }
    Ok((all, first))
}
