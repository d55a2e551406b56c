//! The order of a tree's nodes: copies of a tree whose nodes are numbered otherwise, as a growing loop would have numbered
//! them or in any order.

use super::tree::{Kind, Tree};
use crate::Result;
use std::cmp::{Ordering, Reverse};
use std::collections::BinaryHeap;

/// Which node a growing loop splits next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    /// Depth first, first child first.
    DepthFirst,
    /// The one whose question saves most, the lower number where two save the same.
    BestFirst,
}

/// The branches that are still to be copied.
enum Waiting {
    Stack(Vec<(usize, usize)>),
    Heap(BinaryHeap<Branch>),
}

/// A branch of the old tree and its number in the new one.
struct Branch {
    gain: f64,
    new: Reverse<usize>,
    old: usize,
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
    let mut waiting = Waiting::new(order);
    let stays = |node: usize| tree.n_children[node] > 0 && !is_leaf(node);
    waiting.extend(tree, std::iter::once((0, 0)).filter(|(old, _)| stays(*old)));
    while let Some((from, to)) = waiting.next() {
        out.reserve(tree.children(from).len(), tree.levels(from, kinds))?;
        out.ask(to, tree.feature[from], &tree.way(from, kinds), tree.gain[from]);
        let first = out.len();
        for child in tree.children(from) {
            out.push_leaf_of(tree, child);
            before.push(child);
        }
        waiting.extend(tree, tree.children(from).zip(first..).filter(|(old, _)| stays(*old)));
    }
    let branches = (0..out.len()).filter(|&node| out.n_children[node] > 0);
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

impl Waiting {
    fn new(order: Order) -> Waiting {
        match order {
            Order::DepthFirst => Waiting::Stack(Vec::new()),
            Order::BestFirst => Waiting::Heap(BinaryHeap::new()),
        }
    }

    fn next(&mut self) -> Option<(usize, usize)> {
        match self {
            Waiting::Stack(stack) => stack.pop(),
            Waiting::Heap(heap) => heap.pop().map(|branch| (branch.old, branch.new.0)),
        }
    }

    /// Adds branches, pairs of their old and new numbers, in their order.
    fn extend(&mut self, tree: &Tree, branches: impl Iterator<Item = (usize, usize)>) {
        match self {
            Waiting::Stack(stack) => {
                let first = stack.len();
                stack.extend(branches);
                stack[first..].reverse();
            }
            Waiting::Heap(heap) => {
                heap.extend(branches.map(|(old, new)| Branch { gain: tree.gain[old], new: Reverse(new), old }));
            }
        }
    }
}

impl Ord for Branch {
    fn cmp(&self, other: &Self) -> Ordering {
        self.gain.total_cmp(&other.gain).then(self.new.cmp(&other.new))
    }
}

impl PartialOrd for Branch {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Branch {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Branch {}
