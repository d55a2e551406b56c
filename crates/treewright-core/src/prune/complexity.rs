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

/// A subtree after its splits were judged.
#[derive(Clone, Copy, Debug)]
struct Judged {
    /// The risk of its leaves.
    risk: f64,
    /// Its splits.
    splits: f64,
    /// What its root's split saves for each split below.
    complexity: f64,
}

/// A branch whose children are being judged.
struct Open {
    node: usize,
    limit: f64,
    left: Option<Judged>,
}

struct Pass<'a> {
    tree: &'a Tree,
    risk: &'a [f64],
    /// Whether the second child is judged first.
    turned: &'a [bool],
    price: f64,
    slack: f64,
    is_leaf: Vec<bool>,
    complexity: Vec<f64>,
}

/// The tree without splits that do not pay `price`, and the complexity of each node that is left.
///
/// `risk` is the risk of each node as a leaf; `turned` says of each node whether its second child comes first.
pub fn prune(tree: &Tree, kinds: &[Kind], risk: &[f64], turned: &[bool], price: f64) -> Result<(Tree, Vec<f64>)> {
    let n = tree.len();
    let slack = RISK * risk[0];
    let mut pass = Pass { tree, risk, turned, price, slack, is_leaf: vec![false; n], complexity: vec![price; n] };
    pass.run();
    let (small, before) = cut_and_trace(tree, kinds, &pass.is_leaf)?;
    let complexity = before.iter().map(|&node| pass.complexity[node]).collect();
    Ok((small, complexity))
}

impl Pass<'_> {
    fn run(&mut self) {
        let mut open: Vec<Open> = Vec::new();
        // The subtree that has just been judged, or the node to go down to with its limit.
        let mut down = Some((0, self.risk[0]));
        let mut judged = Judged { risk: 0.0, splits: 0.0, complexity: self.price };
        loop {
            if let Some((node, limit)) = down.take() {
                let limit = self.risk[node].min(limit);
                if self.tree.n_children[node] == 0 || limit <= self.price + self.slack {
                    self.is_leaf[node] = true;
                    judged = Judged { risk: self.risk[node], splits: 0.0, complexity: self.price };
                } else {
                    down = Some((self.child(node, 0), limit - self.price));
                    open.push(Open { node, limit, left: None });
                    continue;
                }
            }
            let Some(last) = open.last_mut() else { return };
            let node = last.node;
            match last.left {
                None => {
                    last.left = Some(judged);
                    let risk = self.risk[node];
                    let saved =
                        ((risk - judged.risk) / (judged.splits + 1.0)).max(risk - self.risk[self.child(node, 0)]);
                    down = Some((self.child(node, 1), saved.min(last.limit) - self.price));
                }
                Some(left) => {
                    open.pop();
                    judged = self.judge(node, left, judged);
                }
            }
        }
    }

    /// The first or second child in the order of judging.
    fn child(&self, node: usize, place: usize) -> usize {
        self.tree.first_child[node] as usize + (place ^ usize::from(self.turned[node]))
    }

    fn judge(&mut self, node: usize, mut left: Judged, mut right: Judged) -> Judged {
        let risk = self.risk[node];
        let saved =
            |left: &Judged, right: &Judged| (risk - left.risk - right.risk) / (left.splits + right.splits + 1.0);
        let mut complexity = saved(&left, &right);
        // The child that saves less is taken back first; the second one where both save the same.
        let order = if right.complexity > left.complexity { [0, 1] } else { [1, 0] };
        for place in order {
            let below = if place == 0 { &mut left } else { &mut right };
            if complexity <= below.complexity + self.slack {
                break;
            }
            (below.risk, below.splits) = (self.risk[self.child(node, place)], 0.0);
            complexity = saved(&left, &right);
        }
        self.complexity[node] = complexity;
        if complexity <= self.price + self.slack {
            self.is_leaf[node] = true;
            return Judged { risk, splits: 0.0, complexity };
        }
        Judged { risk: left.risk + right.risk, splits: left.splits + right.splits + 1.0, complexity }
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
