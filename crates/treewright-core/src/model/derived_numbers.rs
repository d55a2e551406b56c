//! Numbers of a tree that follow from others, bit by bit, so that they need not travel with it.
//!
//! What a branch holds is the sum of what its children hold, Gini costs follow from counts, and gains from costs. Whether
//! that is so is looked up in each tree: other costs, odd weights and rows that go to several children travel as numbers.

use super::number_bytes::sizes_disagree;
use super::tree::Tree;
use crate::Result;
use crate::sys::memory::room;

/// The largest whole number whose neighbors are floating-point numbers, too.
const LARGEST_WHOLE: f64 = 9_007_199_254_740_992.0;

/// Which numbers follow from others.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Derived {
    /// What nodes say is a count divided by their weight.
    pub counts: bool,
    /// Rows, weights and, if there are some, counts of a branch are sums over its children.
    pub sums: bool,
    /// Costs are those of Gini's index.
    pub costs: bool,
    /// Gains are what the costs of the children leave of the cost.
    pub gains: bool,
}

impl Derived {
    /// Looks at every number of a tree, given its counts if it has some.
    pub fn of(tree: &Tree, counts: Option<&[f64]>) -> Derived {
        let mut branches = tree.branches();
        Derived {
            counts: counts.is_some(),
            sums: branches.clone().all(|node| {
                tree.count[node] == tree.children(node).map(|child| tree.count[child]).sum::<u64>()
                    && is_sum(&tree.weight, 1, tree, node)
                    && counts.is_none_or(|counts| is_sum(counts, tree.outputs, tree, node))
            }),
            costs: counts.is_some_and(|counts| {
                let costs = counts.chunks_exact(tree.outputs).zip(&tree.weight).map(|(own, &weight)| gini(own, weight));
                costs.zip(&tree.cost).all(|(own, cost)| own.to_bits() == cost.to_bits())
            }),
            gains: branches.all(|node| saved(tree, node).to_bits() == tree.gain[node].to_bits()),
        }
    }

    /// As a byte, the first in its lowest bit.
    pub fn to_byte(self) -> u8 {
        let flags = [self.counts, self.sums, self.costs, self.gains];
        (0..).zip(flags).map(|(bit, flag)| u8::from(flag) << bit).sum()
    }

    /// From a byte.
    pub fn of_byte(byte: u8) -> Derived {
        let [counts, sums, costs, gains] = [0, 1, 2, 3].map(|bit| byte >> bit & 1 == 1);
        Derived { counts, sums, costs: costs && counts, gains }
    }

    /// Calculates in a tree what follows; the rest is there. Where values follow from counts, they are counts so far.
    pub fn fill(self, tree: &mut Tree) -> Result<()> {
        if self.sums || self.gains {
            check_children(tree)?;
        }
        if self.sums {
            add_up(tree, if self.counts { tree.outputs } else { 0 });
        }
        if self.counts {
            for (node, own) in tree.value.chunks_exact_mut(tree.outputs.max(1)).enumerate() {
                let weight = tree.weight[node];
                if self.costs {
                    tree.cost[node] = gini(own, weight);
                }
                own.iter_mut().for_each(|count| *count /= weight);
            }
        }
        if self.gains {
            for node in 0..tree.len() {
                tree.gain[node] = if tree.is_leaf(node) { 0.0 } else { saved(tree, node) };
            }
        }
        Ok(())
    }
}

/// What each node says times its weight, if that is whole and gives back the bits of what it says.
pub fn counts_of(tree: &Tree) -> Result<Option<Vec<f64>>> {
    let mut counts = room(tree.value.len())?;
    for (own, &weight) in tree.value.chunks_exact(tree.outputs).zip(&tree.weight) {
        for &share in own {
            // The nearest whole number; a number that has no such neighbor fails below.
            let count = (share * weight + 0.5) as i64 as f64;
            if as_integer(count).is_none() || (count / weight).to_bits() != share.to_bits() {
                return Ok(None);
            }
            counts.push(count);
        }
    }
    Ok(Some(counts))
}

/// A number that is whole and not negative; -0 is not.
pub fn as_integer(x: f64) -> Option<u64> {
    let number = x as i64;
    (x.is_sign_positive() && x <= LARGEST_WHOLE && number as f64 == x).then_some(number as u64)
}

/// Whether each number of a branch is the sum of those of its children, `outputs` numbers a node.
fn is_sum(column: &[f64], outputs: usize, tree: &Tree, node: usize) -> bool {
    (0..outputs).all(|output| {
        let sum = tree.children(node).map(|child| column[child * outputs + output]).fold(0.0, |sum, x| sum + x);
        column[node * outputs + output].to_bits() == sum.to_bits()
    })
}

/// Adds up rows, weights and the first values of children, from the last branch to the root: children stand after their
/// parents.
fn add_up(tree: &mut Tree, values: usize) {
    let outputs = tree.outputs;
    for node in (0..tree.len()).rev() {
        for child in tree.children(node) {
            tree.count[node] = tree.count[node].wrapping_add(tree.count[child]);
            tree.weight[node] += tree.weight[child];
            for output in 0..values {
                tree.value[node * outputs + output] += tree.value[child * outputs + output];
            }
        }
    }
}

/// What Gini's index costs, as the learners calculate it.
fn gini(counts: &[f64], weight: f64) -> f64 {
    let squares = counts.iter().fold(0.0, |sum, count| sum + count * count);
    (weight * weight - squares) / weight
}

/// What a question saves, as the learners calculate it: the gain of a row times the rows.
fn saved(tree: &Tree, node: usize) -> f64 {
    let rest = tree.children(node).map(|child| tree.cost[child]).fold(0.0, |sum, cost| sum + cost);
    (tree.cost[node] - rest) / tree.weight[node] * tree.weight[node]
}

/// An error if a branch has children that do not stand after it.
fn check_children(tree: &Tree) -> Result<()> {
    let is_sound = |node: usize| tree.first_child[node] as usize > node && tree.children(node).end <= tree.len();
    let mut branches = tree.branches();
    if branches.all(is_sound) { Ok(()) } else { Err(sizes_disagree()) }
}
