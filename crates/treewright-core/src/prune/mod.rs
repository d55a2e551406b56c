//! Pruners: a tree in, a smaller tree out.

pub mod alike;
pub mod along;
pub mod collapse;
pub mod complexity;
pub mod cost_complexity;
pub mod estimate;
pub mod in_parts;
pub mod pessimistic;
pub mod reduced_error;
pub mod sample;
pub mod tidy;
pub mod truth;

use crate::Result;
use crate::model::order::{Order, renumber};
use crate::model::tree::{Kind, Tree};

/// The tree in which the marked nodes are leaves, numbered as if it had been grown so: depth first, first child first.
pub fn cut(tree: &Tree, kinds: &[Kind], is_leaf: &[bool]) -> Result<Tree> {
    cut_and_trace(tree, kinds, is_leaf).map(|(tree, _)| tree)
}

/// The same, and the node that each of its nodes was before.
pub fn cut_and_trace(tree: &Tree, kinds: &[Kind], is_leaf: &[bool]) -> Result<(Tree, Vec<usize>)> {
    renumber(tree, kinds, |node| is_leaf[node], Order::DepthFirst)
}

/// The training errors of each node as a leaf: the weight of the classes it does not answer.
pub fn leaf_errors(tree: &Tree) -> Vec<f64> {
    let largest = |node: usize| tree.value_of(node).iter().copied().fold(0.0, f64::max);
    (0..tree.len()).map(|node| tree.weight[node] * (1.0 - largest(node))).collect()
}
