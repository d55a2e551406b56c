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
use crate::model::tree::{Kind, Leaf, Tree};

/// The tree in which the marked nodes are leaves, numbered as if it had been grown so: depth first, first child first.
pub fn cut(tree: &Tree, kinds: &[Kind], is_leaf: &[bool]) -> Result<Tree> {
    cut_and_trace(tree, kinds, is_leaf).map(|(tree, _)| tree)
}

/// The same, and the node that each of its nodes was before.
pub fn cut_and_trace(tree: &Tree, kinds: &[Kind], is_leaf: &[bool]) -> Result<(Tree, Vec<usize>)> {
    let mut out = Tree::new(tree.outputs);
    out.reserve(1, 0)?;
    push(&mut out, tree, 0);
    let mut before = vec![0];
    let mut open = vec![(0usize, 0usize)];
    while let Some((from, to)) = open.pop() {
        if is_leaf[from] || tree.n_children[from] == 0 {
            continue;
        }
        out.reserve(tree.children(from).len(), tree.levels(from, kinds))?;
        out.ask(to, tree.feature[from], &tree.way(from, kinds), tree.gain[from]);
        let first = open.len();
        for child in tree.children(from) {
            let copy = push(&mut out, tree, child);
            before.push(child);
            open.push((child, copy));
        }
        open[first..].reverse();
    }
    if let Some(spares) = &tree.spares {
        let branches = (0..out.len()).filter(|&node| out.n_children[node] > 0);
        let pairs: Vec<(usize, usize)> = branches.map(|node| (before[node], node)).collect();
        out.spares = spares.moved(out.len(), &pairs);
    }
    Ok((out, before))
}

fn push(out: &mut Tree, tree: &Tree, node: usize) -> usize {
    out.push(Leaf {
        value: tree.value_of(node),
        weight: tree.weight[node],
        count: tree.count[node],
        cost: tree.cost[node],
    })
}

/// The training errors of each node as a leaf: the weight of the classes it does not answer.
pub fn leaf_errors(tree: &Tree) -> Vec<f64> {
    let largest = |node: usize| tree.value_of(node).iter().copied().fold(0.0, f64::max);
    (0..tree.len()).map(|node| tree.weight[node] * (1.0 - largest(node))).collect()
}
