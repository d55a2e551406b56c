//! Going on after some rounds: the rows are led through the trees that there are, by their codes.

use super::Boosting;
use crate::codes::bins::Coder;
use crate::model::tree::Tree;
use crate::rows::bins::chunk::{self, Chunk, Span, Spans};
use crate::rows::bins::sides::Side;
use crate::rows::bins::store::Store;
use crate::sys::pool::Cancel;
use crate::{Error, Result};

impl Boosting {
    /// Goes on after these trees of a run with the same rows and the same plan, and with the losses that were noted then:
    /// what follows is what would have followed there.
    pub(super) fn resume(&mut self, trees: Vec<Tree>, losses: &[Vec<f64>], cancel: &Cancel) -> Result<()> {
        let sums = self.plan.loss.sums();
        let rounds = trees.len() / sums;
        let sets = self.training.held_sets().len();
        let fits = trees.len().is_multiple_of(sums)
            && losses.len() == rounds + 1
            && losses.iter().all(|losses| losses.len() > sets)
            && trees.iter().all(|tree| self.can_ask(tree));
        if !fits {
            return Err(Error::data("recipe.boost", "the trees to go on from are not those of the run"));
        }
        for losses in losses {
            self.progress.judge(losses[..=sets].to_vec());
        }
        let (store, plan) = (&self.store, &self.plan);
        let sides: Vec<Vec<Option<Side>>> = trees.iter().map(|tree| sides_of(store, tree)).collect();
        self.team.each(self.chunks.len(), store.rows as u64, cancel, |chunk| {
            let mut chunk = chunk::write(&self.chunks[chunk]);
            for (number, (tree, sides)) in trees.iter().zip(&sides).enumerate() {
                let spans = lead(&mut chunk, store, plan.rules.isa, tree, sides);
                for leaf in (0..tree.len()).filter(|&node| tree.n_children[node] == 0) {
                    chunk.add_to_scores(number % sums, spans[leaf], plan.rate * tree.value[leaf]);
                }
            }
        });
        cancel.check()?;
        self.trees = trees;
        self.round = rounds as u32;
        Ok(())
    }

    /// Whether the questions of a tree are about the columns of the run.
    fn can_ask(&self, tree: &Tree) -> bool {
        let is_known = |node: usize| {
            let feature = self.store.features.get(tree.feature[node] as usize);
            feature.is_some_and(|feature| match &feature.coder {
                Coder::Cuts { .. } => !tree.threshold[node].is_nan(),
                Coder::Levels { codes, .. } => tree.route.len() >= tree.route_start[node] as usize + codes.len(),
            })
        };
        (0..tree.len()).all(|node| tree.n_children[node] == 0 || (tree.n_children[node] == 2 && is_known(node)))
    }
}

/// Which codes go to the first child of each node; None for leaves.
fn sides_of(store: &Store, tree: &Tree) -> Vec<Option<Side>> {
    let side = |node: usize| {
        if tree.n_children[node] == 0 {
            return None;
        }
        let feature = &store.features[tree.feature[node] as usize];
        let missing = feature.coder.missing().filter(|_| tree.missing[node] == 0);
        Some(match &feature.coder {
            Coder::Cuts { cuts, .. } => {
                let last = cuts.partition_point(|cut| *cut < tree.threshold[node]) as u8;
                Side::UpTo { last, also: missing.unwrap_or(last) }
            }
            Coder::Levels { codes, .. } => {
                let route = &tree.route[tree.route_start[node] as usize..];
                let first = codes.iter().zip(route).filter(|(_, child)| **child == 0).map(|(code, _)| *code);
                let mut bits = [0u64; 4];
                first.chain(missing).for_each(|code| bits[usize::from(code) / 64] |= 1 << (code % 64));
                Side::Set(bits)
            }
        })
    };
    (0..tree.len()).map(side).collect()
}

/// Where the rows of a chunk are in each node of a tree.
fn lead(chunk: &mut Chunk, store: &Store, isa: crate::simd::Isa, tree: &Tree, sides: &[Option<Side>]) -> Vec<Spans> {
    let mut spans = vec![Spans::default(); tree.len()];
    spans[0] = chunk.assign_all_to_root();
    for node in 0..tree.len() {
        let Some(side) = &sides[node] else { continue };
        let all = spans[node];
        let front = chunk.divide(store, isa, tree.feature[node] as usize, side, all);
        let first = tree.first_child[node] as usize;
        spans[first] = front;
        spans[first + 1] = [0, 1].map(|party| Span { start: front[party].end, end: all[party].end });
    }
    spans
}
