//! Undoing splits that save no training error.

use super::{cut, leaf_errors};
use crate::Result;
use crate::model::tree::{Kind, Tree};
use crate::tolerance::TRAINING_ERRORS;

/// In which order nodes are looked at; a node's verdict may depend on those below it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Collapse {
    /// Children first: a node is compared with what is left of its branches.
    BottomUp,
    /// Parents first: a node is compared with its branches as they were grown.
    TopDown,
}

/// The tree without splits whose branches make as many errors as the node would as a leaf.
pub fn collapse(tree: &Tree, kinds: &[Kind], order: Collapse) -> Result<Tree> {
    let mut errors = leaf_errors(tree);
    let mut is_leaf = vec![false; tree.len()];
    for node in (0..tree.len()).rev() {
        if tree.is_leaf(node) {
            continue;
        }
        let below: f64 = tree.children(node).map(|child| errors[child]).sum();
        is_leaf[node] = below >= errors[node] - TRAINING_ERRORS;
        if order == Collapse::TopDown || !is_leaf[node] {
            errors[node] = below;
        }
    }
    cut(tree, kinds, &is_leaf)
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::model::tree::{Leaf, SplitRule};

    fn leaf(tree: &mut Tree, yes: f64, no: f64) {
        let weight = yes + no;
        tree.push(Leaf { value: &[yes / weight, no / weight], weight, count: weight as u64, cost: 0.0 });
    }

    #[test]
    fn a_split_that_saves_nothing_goes_and_one_that_saves_stays() {
        let mut tree = Tree::new(2);
        leaf(&mut tree, 6.0, 4.0);
        tree.ask(0, 0, &SplitRule::threshold(1.0, 0), 0.1);
        leaf(&mut tree, 5.0, 1.0);
        leaf(&mut tree, 1.0, 3.0);
        tree.ask(1, 0, &SplitRule::threshold(0.5, 0), 0.1);
        leaf(&mut tree, 3.0, 0.0);
        leaf(&mut tree, 2.0, 1.0);
        for order in [Collapse::BottomUp, Collapse::TopDown] {
            let small = collapse(&tree, &[Kind::Numeric], order).unwrap();
            assert_eq!(small.n_children, vec![2, 0, 0]);
        }
    }
}
