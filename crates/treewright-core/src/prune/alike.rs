//! Branches whose children all say the same: the question changes nothing, so a leaf can take its place.

use crate::model::tree::Tree;
use crate::stats::risk::Costs;

/// Which nodes become leaves: those below which, children first, every leaf gives the answer of the node itself.
///
/// An answer is the class that is expected to cost least, or the number that a node says.
pub fn alike(tree: &Tree, costs: Costs<'_>) -> Vec<bool> {
    let mut is_leaf: Vec<bool> = tree.n_children.iter().map(|&children| children == 0).collect();
    for node in tree.branches().rev() {
        is_leaf[node] = tree.children(node).all(|child| is_leaf[child] && same(tree, costs, node, child));
    }
    is_leaf
}

fn same(tree: &Tree, costs: Costs<'_>, one: usize, other: usize) -> bool {
    match (tree.value_of(one), tree.value_of(other)) {
        ([a], [b]) => a == b,
        (a, b) => costs.answer(a) == costs.answer(b),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::tree::{Leaf, SplitRule};

    #[test]
    fn only_whole_families_that_agree_with_their_parent_go() {
        let mut tree = Tree::new(2);
        let leaf = |tree: &mut Tree, yes: f64| {
            tree.push(Leaf { value: &[yes, 1.0 - yes], weight: 1.0, count: 1, cost: 0.0 });
        };
        let shares = [0.6, 0.8, 0.4, 0.9, 0.5, 0.3, 0.45];
        leaf(&mut tree, shares[0]);
        for (node, pair) in [(0, 1), (1, 3), (2, 5)] {
            tree.ask(node, 0, &SplitRule::threshold(0.0, 0), 0.1);
            leaf(&mut tree, shares[pair]);
            leaf(&mut tree, shares[pair + 1]);
        }
        assert_eq!(alike(&tree, Costs(&[])), [false, true, true, true, true, true, true]);
    }
}
