//! Whether a node table is sound: what every walk through it relies on, whoever wrote it.

use super::tree::{Kind, MAX_CHILDREN, SHARE, STOP, Tree};
use crate::{Error, Result};

impl Tree {
    /// Checks everything that a walk relies on, so that any table, also one from a hostile file, is safe to use.
    ///
    /// After this a walk ends (children stand after their parent) and never indexes outside a column.
    pub fn check(&self, kinds: &[Kind]) -> Result<()> {
        self.check_lengths()?;
        let mut parents = vec![false; self.len()];
        let mut routed = vec![false; self.route.len()];
        for node in 0..self.len() {
            self.check_numbers(node)?;
            if self.is_leaf(node) {
                self.check_leaf(node)?;
            } else {
                self.check_branch(node, kinds, &mut routed)?;
            }
            for child in self.children(node) {
                if std::mem::replace(&mut parents[child], true) {
                    return Err(bad(node, "shares a child with another node"));
                }
            }
        }
        if let Some(i) = parents.iter().skip(1).position(|has_parent| !has_parent) {
            return Err(bad(i + 1, "is no node's child"));
        }
        if routed.contains(&false) {
            return Err(Error::model("model.table", "the route has entries that no question reads"));
        }
        self.spares.as_ref().map_or(Ok(()), |spares| spares.check(&self.n_children, kinds))
    }

    fn check_lengths(&self) -> Result<()> {
        let n = self.len();
        let lengths = [
            self.first_child.len(),
            self.feature.len(),
            self.threshold.len(),
            self.route_start.len(),
            self.missing.len(),
            self.weight.len(),
            self.count.len(),
            self.cost.len(),
            self.gain.len(),
        ];
        if n == 0 || n >= u32::MAX as usize || self.outputs == 0 {
            return Err(Error::model("model.table", "a tree needs at least one node and one output"));
        }
        if lengths.iter().any(|&length| length != n) || Some(self.value.len()) != n.checked_mul(self.outputs) {
            return Err(Error::model("model.table", "the columns of the node table differ in length"));
        }
        Ok(())
    }

    fn check_numbers(&self, node: usize) -> Result<()> {
        let finite = [self.weight[node], self.cost[node], self.gain[node]].iter().all(|x| x.is_finite());
        if self.count[node] > i64::MAX as u64 {
            return Err(bad(node, "counts more rows than there can be"));
        }
        if !finite || self.weight[node] < 0.0 || !self.value_of(node).iter().all(|x| x.is_finite()) {
            return Err(bad(node, "holds a number that is not finite, or a negative weight"));
        }
        Ok(())
    }

    fn check_leaf(&self, node: usize) -> Result<()> {
        let plain = self.first_child[node] == 0
            && self.feature[node] == 0
            && self.threshold[node].is_nan()
            && self.route_start[node] == 0
            && self.missing[node] == STOP
            && self.gain[node] == 0.0;
        if plain { Ok(()) } else { Err(bad(node, "is a leaf but asks a question")) }
    }

    /// Also marks the entries of `route` that the node's question reads; no other question may read them.
    fn check_branch(&self, node: usize, kinds: &[Kind], routed: &mut [bool]) -> Result<()> {
        let children = self.n_children[node];
        let child = |c: u16| c < children || c == STOP || c == SHARE;
        if children < 2 || children as usize > MAX_CHILDREN {
            return Err(bad(node, "has an impossible number of children"));
        }
        let first = self.first_child[node] as usize;
        if first <= node || first > self.len() || children as usize > self.len() - first {
            return Err(bad(node, "has children outside the rows after it"));
        }
        if !child(self.missing[node]) {
            return Err(bad(node, "sends missing values to a child it does not have"));
        }
        match kinds.get(self.feature[node] as usize) {
            None => Err(bad(node, "asks about a column that the model does not have")),
            Some(Kind::Numeric) => {
                let ways = children == 2 || (children == 3 && self.missing[node] == 2);
                // An infinite cut tells known values from missing ones.
                let known = self.threshold[node] == f64::INFINITY && children == 2 && self.missing[node] == 1;
                if ways && self.route_start[node] == 0 && (known || self.threshold[node].is_finite()) {
                    Ok(())
                } else {
                    Err(bad(node, "asks a numeric question without a finite threshold or with other ways than two"))
                }
            }
            Some(Kind::Categorical(levels)) => {
                let start = self.route_start[node] as usize;
                let end = start.checked_add(*levels as usize).filter(|&end| end <= self.route.len());
                let own = end.is_some_and(|end| {
                    let unread = routed[start..end].iter_mut().all(|read| !std::mem::replace(read, true));
                    unread && self.route[start..end].iter().all(|&c| child(c))
                });
                if own && self.threshold[node].is_nan() {
                    Ok(())
                } else {
                    Err(bad(node, "asks a categorical question whose route is outside its bounds"))
                }
            }
        }
    }
}

fn bad(node: usize, what: &str) -> Error {
    Error::model("model.table", format!("node {node} {what}"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::tree::{Leaf, Question, SplitRule};

    fn leaf(tree: &mut Tree) -> usize {
        tree.push(Leaf { value: &[0.5, 0.5], weight: 2.0, count: 2, cost: 2.0 })
    }

    fn small() -> (Tree, Vec<Kind>) {
        let mut tree = Tree::new(2);
        leaf(&mut tree);
        tree.ask(0, 1, &SplitRule { question: Question::Route(vec![0, 1, STOP]), children: 2, missing: STOP }, 1.0);
        leaf(&mut tree);
        leaf(&mut tree);
        tree.ask(1, 0, &SplitRule::threshold(2.5, 1), 0.5);
        leaf(&mut tree);
        leaf(&mut tree);
        (tree, vec![Kind::Numeric, Kind::Categorical(3)])
    }

    #[test]
    fn a_tree_that_was_pushed_is_sound() {
        let (tree, kinds) = small();
        tree.check(&kinds).unwrap_or_else(|e| unreachable!("{e}"));
        assert_eq!(tree.children(1), 3..5);
    }

    #[test]
    fn each_broken_column_is_noticed() {
        let broken: Vec<fn(&mut Tree)> = vec![
            |t| t.first_child[0] = 0,
            |t| t.first_child[1] = 1,
            |t| t.first_child[1] = 4,
            |t| t.first_child[1] = u32::MAX,
            |t| t.n_children[0] = 1,
            |t| t.n_children[0] = u16::MAX,
            |t| t.n_children[1] = 0,
            |t| t.n_children[4] = 2,
            |t| t.feature[1] = 2,
            |t| t.feature[1] = 1,
            |t| t.feature[0] = 0,
            |t| t.threshold[1] = f64::NAN,
            |t| t.threshold[1] = f64::NEG_INFINITY,
            |t| (t.threshold[1], t.missing[1]) = (f64::INFINITY, 0),
            |t| t.threshold[0] = 1.0,
            |t| t.route_start[0] = 1,
            |t| t.route_start[0] = u32::MAX,
            |t| t.route[1] = 2,
            |t| t.missing[0] = 2,
            |t| t.missing[2] = 0,
            |t| t.value[3] = f64::NAN,
            |t| t.weight[2] = -1.0,
            |t| t.cost[2] = f64::INFINITY,
            |t| t.gain[2] = f64::NAN,
            |t| t.gain[2] = 1.0,
            |t| t.route.push(0),
            |t| t.route.truncate(2),
            |t| t.value.truncate(3),
            |t| t.count.truncate(3),
            |t| t.outputs = 0,
            |t| *t = Tree::new(2),
        ];
        for (i, break_it) in broken.iter().enumerate() {
            let (mut tree, kinds) = small();
            break_it(&mut tree);
            assert!(tree.check(&kinds).is_err(), "change {i} went unnoticed");
        }
    }
}
