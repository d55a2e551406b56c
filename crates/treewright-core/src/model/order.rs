//! The order of a tree's nodes: copies of a tree whose nodes are numbered otherwise, as a growing loop would have numbered
//! them or in any order.

use super::tree::{Kind, Tree};
use crate::Result;
use crate::codes::ordered::ordered_bits;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// Which node a growing loop splits next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    /// Depth first, first child first.
    DepthFirst,
    /// The one whose question saves most, the lower number where two save the same.
    BestFirst,
}

/// The tree in which the marked nodes are leaves, numbered in this order, and the node that each of its nodes was before.
pub fn renumber(
    tree: &Tree,
    kinds: &[Kind],
    is_leaf: impl Fn(usize) -> bool,
    order: Order,
) -> Result<(Tree, Vec<usize>)> {
    let mut out = Tree::new(tree.outputs);
    out.reserve(1, 0)?;
    out.push_leaf_of(tree, 0);
    let mut before = vec![0];
    // The branches that are still to be copied: how urgent each is, and its numbers in the new tree and in the old one.
    let mut waiting = BinaryHeap::new();
    let wait = |waiting: &mut BinaryHeap<_>, old: usize, new: usize, siblings: usize| {
        let urgency = match order {
            // The latest children; their first number is the largest.
            Order::DepthFirst => siblings as u64,
            Order::BestFirst => ordered_bits(tree.gain[old]),
        };
        if !tree.is_leaf(old) && !is_leaf(old) {
            waiting.push((urgency, Reverse(new), old));
        }
    };
    wait(&mut waiting, 0, 0, 0);
    while let Some((_, Reverse(to), from)) = waiting.pop() {
        out.reserve(tree.children(from).len(), tree.levels(from, kinds))?;
        out.ask(to, tree.feature[from], &tree.way(from, kinds), tree.gain[from]);
        let first = out.len();
        for child in tree.children(from) {
            out.push_leaf_of(tree, child);
            before.push(child);
        }
        tree.children(from).zip(first..).for_each(|(old, new)| wait(&mut waiting, old, new, first));
    }
    let branches = out.branches();
    let pairs: Vec<(usize, usize)> = branches.map(|node| (before[node], node)).collect();
    out.spares = tree.spares.as_ref().and_then(|spares| spares.moved(out.len(), &pairs));
    Ok((out, before))
}

/// The same tree with its nodes in another order: row `i` is what was row `order[i]`. Children must stay together, and
/// behind their parents.
pub fn reorder(tree: &Tree, kinds: &[Kind], order: &[usize]) -> Result<Tree> {
    let mut out = Tree::with_room(tree.outputs, order.len())?;
    let mut place = vec![0; tree.len()];
    for (new, &old) in order.iter().enumerate() {
        out.push_leaf_of(tree, old);
        place[old] = new;
    }
    let branches = (0..order.len()).filter(|&new| tree.n_children[order[new]] > 0);
    for new in branches.clone() {
        let old = order[new];
        out.reserve(0, tree.levels(old, kinds))?;
        out.ask(new, tree.feature[old], &tree.way(old, kinds), tree.gain[old]);
        out.first_child[new] = place[tree.first_child[old] as usize] as u32;
    }
    let pairs: Vec<(usize, usize)> = branches.map(|new| (order[new], new)).collect();
    out.spares = tree.spares.as_ref().and_then(|spares| spares.moved(out.len(), &pairs));
    Ok(out)
}
