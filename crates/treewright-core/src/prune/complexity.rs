//! Cutting splits that do not pay: each must lower the risk of the whole tree by more than a price for one more leaf.
//!
//! The *risk* of a node is what its answer costs (see [`crate::stats::risk`]); its *complexity* is what each leaf below it saves
//! on average, after subtrees that save less are taken back. A node whose complexity is not above the price becomes a
//! leaf. Going down, a bound on what can still be saved stops early: `limit` is what a node may save at most.
//!
//! The order of events is that of rpart's growing (its left child first), so that the same nodes are leaves as there; the
//! loop keeps its own stack.

use super::cut_and_trace;
use crate::Result;
use crate::model::tree::{Kind, Tree};
use crate::tolerance::RISK;

struct Pass<'a> {
    tree: &'a Tree,
    risk: &'a [f64],
    /// Whether the second child is judged first.
    turned: &'a [bool],
    price: f64,
    slack: f64,
    is_leaf: Vec<bool>,
    /// The risk of the leaves of each subtree after its splits were judged, and its splits.
    risk_below: Vec<f64>,
    splits: Vec<f64>,
    /// What each split saves for each split of its subtree.
    complexity: Vec<f64>,
}

/// The tree without splits that do not pay `price`, and the complexity of each node that is left.
///
/// `risk` is the risk of each node as a leaf; `turned` says of each node whether its second child comes first.
pub fn prune(tree: &Tree, kinds: &[Kind], risk: &[f64], turned: &[bool], price: f64) -> Result<(Tree, Vec<f64>)> {
    let n = tree.len();
    let mut pass = Pass {
        tree,
        risk,
        turned,
        price,
        slack: RISK * risk[0],
        is_leaf: vec![false; n],
        risk_below: risk.to_vec(),
        splits: vec![0.0; n],
        complexity: vec![price; n],
    };
    pass.run();
    let (small, before) = cut_and_trace(tree, kinds, &pass.is_leaf)?;
    let complexity = before.iter().map(|&node| pass.complexity[node]).collect();
    Ok((small, complexity))
}

impl Pass<'_> {
    fn run(&mut self) {
        // Branches whose children are being judged, with their limits, and whether the first child has been.
        let mut open: Vec<(usize, f64, bool)> = Vec::new();
        // The node to go down to, with its limit.
        let mut down = Some((0, self.risk[0]));
        loop {
            if let Some((node, limit)) = down.take() {
                let limit = self.risk[node].min(limit);
                if self.tree.is_leaf(node) || limit <= self.price + self.slack {
                    self.is_leaf[node] = true;
                } else {
                    down = Some((self.child(node, 0), limit - self.price));
                    open.push((node, limit, false));
                    continue;
                }
            }
            let Some((node, limit, is_first_judged)) = open.pop() else { return };
            if is_first_judged {
                self.judge(node);
            } else {
                let (risk, first) = (self.risk[node], self.child(node, 0));
                let saved = (risk - self.risk_below[first]) / (self.splits[first] + 1.0);
                down = Some((self.child(node, 1), saved.max(risk - self.risk[first]).min(limit) - self.price));
                open.push((node, limit, true));
            }
        }
    }

    /// The first or second child in the order of judging.
    fn child(&self, node: usize, place: usize) -> usize {
        self.tree.first_child[node] as usize + (place ^ usize::from(self.turned[node]))
    }

    fn judge(&mut self, node: usize) {
        let risk = self.risk[node];
        let children = [self.child(node, 0), self.child(node, 1)];
        let mut complexity = self.saved(risk, children);
        // The child that saves less is taken back first; the second one where both save the same.
        let [first, second] = children;
        let order = if self.complexity[second] > self.complexity[first] { [first, second] } else { [second, first] };
        for child in order {
            if complexity <= self.complexity[child] + self.slack {
                break;
            }
            (self.risk_below[child], self.splits[child]) = (self.risk[child], 0.0);
            complexity = self.saved(risk, children);
        }
        self.complexity[node] = complexity;
        if complexity <= self.price + self.slack {
            self.is_leaf[node] = true;
        } else {
            self.risk_below[node] = self.risk_below[first] + self.risk_below[second];
            self.splits[node] = self.splits[first] + self.splits[second] + 1.0;
        }
    }

    /// What a split saves for each split of its subtree.
    fn saved(&self, risk: f64, [first, second]: [usize; 2]) -> f64 {
        (risk - self.risk_below[first] - self.risk_below[second]) / (self.splits[first] + self.splits[second] + 1.0)
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::model::tree::{Leaf, SplitRule};

    /// The 150 irises: petal length, then petal width, then a split that does not pay.
    #[test]
    fn irises() {
        let mut tree = Tree::new(1);
        let leaf = |tree: &mut Tree| tree.push(Leaf { value: &[0.0], weight: 1.0, count: 1, cost: 1.0 });
        leaf(&mut tree);
        for node in [0, 2, 3] {
            tree.ask(node, 0, &SplitRule::threshold(0.0, 0), 1.0);
            leaf(&mut tree);
            leaf(&mut tree);
        }
        let risk = [100.0, 0.0, 50.0, 5.0, 1.0, 4.0, 1.0];
        let (small, complexity) = prune(&tree, &[Kind::Numeric], &risk, &[false; 7], 1.0).unwrap();
        assert_eq!(small.n_children, vec![2, 0, 2, 0, 0]);
        assert_eq!(complexity, vec![50.0, 1.0, 44.0, 0.0, 1.0]);
        let (small, _) = prune(&tree, &[Kind::Numeric], &risk, &[false; 7], 44.0).unwrap();
        assert_eq!(small.n_children, vec![2, 0, 0]);
        let (small, _) = prune(&tree, &[Kind::Numeric], &risk, &[true; 7], 50.0).unwrap();
        assert_eq!(small.n_children, vec![0]);
    }
}
