//! The weakest link: which subtree to cut first, which next, and the price of a leaf at which each cut begins to pay.
//!
//! The cost of a tree is the risk of its leaves plus a price for each. As the price rises, the cheapest tree shrinks, and
//! each is a part of the one before. A node's *link* is the price at which the tree no longer asks its question.
//!
//! Children first: below a node the cuts are known, each with its price, what it costs in risk and how many leaves it
//! saves. The node starts from its children as leaves, takes back the dearest cuts while they are dearer than its own
//! price, and what is left is its link. Every cut is made once and taken back at most once, so the whole path costs
//! O(n log n) whatever the shape of the tree.
//!
//! rpart does not take cuts back: what a node has cut below itself stays cut for all nodes above it, and no node outlives
//! its parent. On some trees its prices are a little lower; [`shallow_path`] gives them.

use crate::Result;
use crate::codes::ordered::{ordered_bits, sort_by_value};
use crate::model::tree::Tree;
use crate::sys::memory::filled;
use crate::sys::pool::Cancel;
use crate::tolerance::RISK;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// The trees that are the cheapest at some price, the largest first.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Path {
    /// The price at which each begins to be the cheapest; the first is 0.
    pub price: Vec<f64>,
    /// Its leaves.
    pub leaves: Vec<u32>,
    /// The risk of its leaves.
    pub risk: Vec<f64>,
    /// The price at which each node of the tree becomes a leaf; 0 for leaves.
    pub link: Vec<f64>,
}

/// The whole path; `risk` is the risk of each node as a leaf.
pub fn path(tree: &Tree, risk: &[f64], cancel: &Cancel) -> Result<Path> {
    let mut link = filled(0.0, tree.len())?;
    let mut effects = filled((0.0, 0), tree.len())?;
    // The nodes that are cut below each node, by their prices: the dearest first, of equal ones the first node.
    let mut below: Vec<BinaryHeap<(u64, Reverse<usize>)>> = filled(BinaryHeap::new(), tree.len())?;
    for node in (0..tree.len()).rev() {
        look(node, cancel)?;
        if !tree.is_leaf(node) {
            let mut cuts = BinaryHeap::new();
            tree.children(node).for_each(|child| cuts.append(&mut std::mem::take(&mut below[child])));
            (link[node], effects[node]) = weakest(tree, risk, node, &mut cuts, &link, &effects);
            cuts.push((ordered_bits(link[node]), Reverse(node)));
            below[node] = cuts;
        }
    }
    let cuts = std::mem::take(&mut below[0]).into_sorted_vec();
    Ok(trees(tree, risk, cuts.into_iter().map(|(_, Reverse(node))| node), &effects, link))
}

/// Looks at the cancel flag now and then.
fn look(node: usize, cancel: &Cancel) -> Result<()> {
    if node.is_multiple_of(4096) { cancel.check() } else { Ok(()) }
}

/// The path as rpart finds it.
pub fn shallow_path(tree: &Tree, risk: &[f64], cancel: &Cancel) -> Result<Path> {
    let mut link: Vec<f64> = filled(0.0, tree.len())?;
    let slack = RISK * risk[0].abs();
    let mut below: Vec<(f64, u32)> = risk.iter().map(|&risk| (risk, 0)).collect();
    let saved = |node: usize, below: &[(f64, u32)]| {
        let (left, splits) =
            tree.children(node).fold((0.0, 0), |(r, s), child| (r + below[child].0, s + below[child].1));
        (((risk[node] - left) / f64::from(splits + u32::from(tree.n_children[node]) - 1)).max(0.0), left, splits)
    };
    for node in tree.branches().rev() {
        look(node, cancel)?;
        let mut children: Vec<usize> = tree.children(node).collect();
        sort_by_value(&mut children, &link);
        let (mut price, mut left, mut splits) = saved(node, &below);
        for child in children {
            if price <= link[child] + slack {
                break;
            }
            below[child] = (risk[child], 0);
            (price, left, splits) = saved(node, &below);
        }
        link[node] = price;
        below[node] = (left, splits + u32::from(tree.n_children[node]) - 1);
    }
    for node in 0..tree.len() {
        for child in tree.children(node).filter(|&child| !tree.is_leaf(child)) {
            link[child] = link[child].min(link[node]);
        }
    }
    // Each node is a leaf from its own price to that of its parent.
    let mut cuts: Vec<usize> = tree.branches().collect();
    cuts.sort_unstable_by_key(|&node| (ordered_bits(link[node]), Reverse(node)));
    let effect = |node: usize| {
        let left: f64 = tree.children(node).map(|child| risk[child]).sum();
        (risk[node] - left, u32::from(tree.n_children[node]).saturating_sub(1))
    };
    let effects: Vec<(f64, u32)> = (0..tree.len()).map(effect).collect();
    Ok(trees(tree, risk, cuts.into_iter(), &effects, link))
}

/// The price of a node and the effect of its cut; the cuts that it makes needless are taken out of `cuts`.
fn weakest(
    tree: &Tree,
    risk: &[f64],
    node: usize,
    cuts: &mut BinaryHeap<(u64, Reverse<usize>)>,
    link: &[f64],
    effects: &[(f64, u32)],
) -> (f64, (f64, u32)) {
    let mut left: f64 = tree.children(node).map(|child| risk[child]).sum();
    let mut leaves = u32::from(tree.n_children[node]) - 1;
    loop {
        // Rounding may leave a question that saves nothing a hair below 0.
        let price = ((risk[node] - left) / f64::from(leaves)).max(0.0);
        match cuts.peek() {
            Some(&(_, Reverse(dearest))) if link[dearest] >= price => {
                left -= effects[dearest].0;
                leaves += effects[dearest].1;
                cuts.pop();
            }
            _ => return (price, (risk[node] - left, leaves)),
        }
    }
}

/// The trees of a path from the nodes that are cut, the cheapest first, and the effects of their cuts.
fn trees(tree: &Tree, risk: &[f64], cuts: impl Iterator<Item = usize>, effects: &[(f64, u32)], link: Vec<f64>) -> Path {
    let ends = (0..tree.len()).filter(|&node| tree.is_leaf(node));
    let mut path = Path { link, ..Path::default() };
    let (mut leaves, mut left) = ends.fold((0, 0.0), |(n, sum), node| (n + 1, sum + risk[node]));
    let slack = RISK * risk[0].abs();
    path.push(0.0, leaves, left);
    for node in cuts {
        let (price, (added, saved)) = (path.link[node], effects[node]);
        leaves -= saved;
        left += added;
        let last = path.price.len() - 1;
        if price > path.price[last] + slack {
            path.push(price, leaves, left);
        } else {
            // Equal prices are one step; it has the dearest of them, so that cutting at it makes all its cuts.
            (path.price[last], path.leaves[last], path.risk[last]) = (price, leaves, left);
        }
    }
    path
}

impl Path {
    fn push(&mut self, price: f64, leaves: u32, risk: f64) {
        self.price.push(price);
        self.leaves.push(leaves);
        self.risk.push(risk);
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::model::tree::{Leaf, SplitRule};

    /// A binary tree from its branches in the order in which they are asked.
    fn tree(questions: &[usize]) -> Tree {
        let mut tree = Tree::new(1);
        let leaf = |tree: &mut Tree| tree.push(Leaf { value: &[0.0], weight: 1.0, count: 1, cost: 1.0 });
        leaf(&mut tree);
        for &node in questions {
            tree.ask(node, 0, &SplitRule::threshold(0.0, 0), 1.0);
            leaf(&mut tree);
            leaf(&mut tree);
        }
        tree
    }

    #[test]
    fn a_dear_cut_below_a_cheap_one_is_never_made() {
        // The root saves 1 alone and its child 9: together 10 for two leaves, so both go at 5.
        let path_of_trees = path(&tree(&[0, 1]), &[10.0, 9.0, 0.0, 0.0, 0.0], &Cancel::default()).unwrap();
        assert_eq!(
            (path_of_trees.price, path_of_trees.leaves, path_of_trees.risk),
            (vec![0.0, 5.0], vec![3, 1], vec![0.0, 10.0])
        );
        assert_eq!(path_of_trees.link, vec![5.0, 9.0, 0.0, 0.0, 0.0]);
    }

    #[test]
    fn a_shallow_look_does_not_take_cuts_back() {
        // 0 asks (1, 2), 1 asks (3, 4), 3 asks (5, 6), and saves 8. Above it 10 could be saved by one question, but the
        // root saves only 1: all three go together, for 19 by 3. A cut of 3 below 1 that stays makes it 11 by 2.
        let risk = [20.0, 19.0, 0.0, 9.0, 0.0, 1.0, 0.0];
        let questions = tree(&[0, 1, 3]);
        assert_eq!(path(&questions, &risk, &Cancel::default()).unwrap().price, vec![0.0, 19.0 / 3.0]);
        let path_of_trees = shallow_path(&questions, &risk, &Cancel::default()).unwrap();
        assert_eq!(
            (path_of_trees.price, path_of_trees.leaves, path_of_trees.risk),
            (vec![0.0, 5.5], vec![4, 1], vec![1.0, 20.0])
        );
    }

    #[test]
    fn equal_prices_are_one_step_and_free_cuts_come_with_the_first_tree() {
        let risk = [20.0, 4.0, 12.0, 1.0, 1.0, 5.0, 5.0, 2.5, 2.5];
        let path_of_trees = path(&tree(&[0, 1, 2, 5]), &risk, &Cancel::default()).unwrap();
        assert_eq!(
            (path_of_trees.price, path_of_trees.leaves, path_of_trees.risk),
            (vec![0.0, 2.0, 4.0], vec![4, 2, 1], vec![12.0, 16.0, 20.0])
        );
    }
}
