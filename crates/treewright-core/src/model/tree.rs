//! The node table: one tree as parallel columns. Learners write it, everybody else reads it.
//!
//! Row `i` of every column is node `i`; node 0 is the root. The children of a node are consecutive rows and stand
//! after it, so depths and paths are a forward loop, subtree sums a backward one, and nothing recurses.
//!
//! Glossary. A *question* is asked by a branch node about one feature: `x <= threshold` (yes is child 0), or for
//! categories `route[route_start + code]`. A *child* is a position among a node's children, 0 for the first;
//! [`STOP`] in its place ends the walk at the node itself, [`SHARE`] divides the row among all children.

use super::alternatives::AlternativeSplits;
pub use crate::data::table::Kind;
use crate::sys::memory::copied;
use crate::{Error, Result};

/// In place of a child: the walk ends here and this node answers.
pub const STOP: u16 = u16::MAX - 1;
/// In place of a child: the row goes to every child, in proportion to their training weight.
pub const SHARE: u16 = u16::MAX;
/// The most children a node may have; the numbers above are words.
pub const MAX_CHILDREN: usize = u16::MAX as usize - 15;

/// A tree without room for another node makes room for this many at the least.
const FEW_NODES: usize = 8;

/// One tree. The columns are described in the module's text; all have one entry a node unless said otherwise.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Tree {
    /// How many numbers a node says: classes, or 1.
    pub outputs: usize,
    /// Row of the first child; 0 for a leaf, since the root is nobody's child.
    pub first_child: Vec<u32>,
    /// 0 for a leaf, else at least 2.
    pub n_children: Vec<u16>,
    /// The feature that is asked about; 0 for a leaf.
    pub feature: Vec<u32>,
    /// The cut of a numeric question, infinite where known values are told from missing ones; NaN for a categorical
    /// question and for a leaf.
    pub threshold: Vec<f64>,
    /// Where a categorical question's children begin in `route`; else 0.
    pub route_start: Vec<u32>,
    /// The child of a row whose value is missing, or [`STOP`], or [`SHARE`].
    pub missing: Vec<u16>,
    /// What the node says, branches too: `outputs` numbers a node.
    pub value: Vec<f64>,
    /// Training weight that came here.
    pub weight: Vec<f64>,
    /// Training rows that came here.
    pub count: Vec<u64>,
    /// What the node costs as a leaf, in the criterion's unit times weight.
    pub cost: Vec<f64>,
    /// What the question saves, in the same unit; 0 for a leaf.
    pub gain: Vec<f64>,
    /// The children of all categorical questions, one entry a level, end to end: a child or a word.
    pub route: Vec<u16>,
    /// The questions that nodes have beside their own; few trees have any.
    pub spares: Option<Box<AlternativeSplits>>,
}

/// What a node is before anybody asks a question of it.
#[derive(Clone, Copy, Debug)]
pub struct Leaf<'a> {
    /// What the node says.
    pub value: &'a [f64],
    /// Training weight.
    pub weight: f64,
    /// Training rows.
    pub count: u64,
    /// Cost as a leaf.
    pub cost: f64,
}

/// A question and where each answer leads.
#[derive(Clone, Debug, PartialEq)]
pub struct SplitRule {
    /// What is asked.
    pub question: Question,
    /// How many children there are.
    pub children: u16,
    /// The child of a missing value, or [`STOP`], or [`SHARE`].
    pub missing: u16,
}

/// What is asked of a value.
#[derive(Clone, Debug, PartialEq)]
pub enum Question {
    /// `x <= threshold` leads to child 0, greater to child 1; a third child is that of missing values alone.
    Threshold(f64),
    /// Child, [`STOP`] or [`SHARE`] for each level of the feature.
    Route(Vec<u16>),
}

impl SplitRule {
    /// How many levels the question knows.
    pub fn n_levels(&self) -> usize {
        match &self.question {
            Question::Route(route) => route.len(),
            Question::Threshold(_) => 0,
        }
    }

    /// A child for each level, and one more for missing values where asked for.
    pub fn levels(levels: u16, missing: bool) -> SplitRule {
        SplitRule {
            question: Question::Route((0..levels).collect()),
            children: levels + u16::from(missing),
            missing: if missing { levels } else { STOP },
        }
    }

    /// Two children, below and above a cut.
    pub fn threshold(cut: f64, missing: u16) -> SplitRule {
        SplitRule { question: Question::Threshold(cut), children: 2, missing }
    }

    /// The child of a level.
    pub fn child_of(&self, code: u32) -> u16 {
        match &self.question {
            Question::Route(route) => route.get(code as usize).copied().unwrap_or(self.missing),
            Question::Threshold(_) => self.missing,
        }
    }
}

/// The class that shares answer: the first of the largest.
pub fn first_largest(shares: &[f64]) -> usize {
    (0..shares.len()).reduce(|best, next| if shares[next] > shares[best] { next } else { best }).unwrap_or(0)
}

impl Tree {
    /// A tree without nodes, whose nodes will say `outputs` numbers each.
    pub fn new(outputs: usize) -> Tree {
        Tree { outputs, ..Tree::default() }
    }

    /// The same with room for so many nodes, so that pushing them moves nothing.
    pub fn with_room(outputs: usize, nodes: usize) -> Result<Tree> {
        let mut tree = Tree::new(outputs);
        tree.make_room(nodes)?;
        Ok(tree)
    }

    /// Makes sure that so many nodes can be pushed, and that a question with so many levels can be asked, without asking
    /// for memory: whoever grows trees from data calls this first, since [`Tree::push`] cannot say that there is none.
    pub fn reserve(&mut self, nodes: usize, levels: usize) -> Result<()> {
        self.route.try_reserve(levels)?;
        let (len, value) = (self.len(), self.value.len());
        if self.n_children.capacity() - len < nodes || self.value.capacity() - value < nodes * self.outputs {
            // Twice as many as there are: pushing costs a constant time on average.
            self.make_room(nodes.max(len).max(FEW_NODES))?;
        }
        Ok(())
    }

    /// Makes room for so many more nodes.
    fn make_room(&mut self, nodes: usize) -> Result<()> {
        self.first_child.try_reserve_exact(nodes)?;
        self.n_children.try_reserve_exact(nodes)?;
        self.feature.try_reserve_exact(nodes)?;
        self.threshold.try_reserve_exact(nodes)?;
        self.route_start.try_reserve_exact(nodes)?;
        self.missing.try_reserve_exact(nodes)?;
        self.value.try_reserve_exact(nodes.checked_mul(self.outputs).ok_or(Error::Memory)?)?;
        self.weight.try_reserve_exact(nodes)?;
        self.count.try_reserve_exact(nodes)?;
        self.cost.try_reserve_exact(nodes)?;
        self.gain.try_reserve_exact(nodes)?;
        Ok(())
    }

    /// The same tree once more.
    pub fn copied(&self) -> Result<Tree> {
        Ok(Tree {
            outputs: self.outputs,
            first_child: copied(&self.first_child)?,
            n_children: copied(&self.n_children)?,
            feature: copied(&self.feature)?,
            threshold: copied(&self.threshold)?,
            route_start: copied(&self.route_start)?,
            missing: copied(&self.missing)?,
            value: copied(&self.value)?,
            weight: copied(&self.weight)?,
            count: copied(&self.count)?,
            cost: copied(&self.cost)?,
            gain: copied(&self.gain)?,
            route: copied(&self.route)?,
            spares: self.spares.clone(),
        })
    }

    /// The number of nodes.
    pub fn len(&self) -> usize {
        self.n_children.len()
    }

    /// Whether there is no node.
    pub fn is_empty(&self) -> bool {
        self.n_children.is_empty()
    }

    /// Adds a leaf and returns its row.
    pub fn push(&mut self, leaf: Leaf<'_>) -> usize {
        debug_assert_eq!(leaf.value.len(), self.outputs);
        let node = self.len();
        self.first_child.push(0);
        self.n_children.push(0);
        self.feature.push(0);
        self.threshold.push(f64::NAN);
        self.route_start.push(0);
        self.missing.push(STOP);
        self.value.extend_from_slice(leaf.value);
        self.weight.push(leaf.weight);
        self.count.push(leaf.count);
        self.cost.push(leaf.cost);
        self.gain.push(0.0);
        node
    }

    /// Turns a leaf into a branch. Its children must be the next rows pushed.
    pub fn ask(&mut self, node: usize, feature: u32, way: &SplitRule, gain: f64) {
        debug_assert_eq!(self.n_children[node], 0);
        self.first_child[node] = self.len() as u32;
        self.n_children[node] = way.children;
        self.feature[node] = feature;
        self.missing[node] = way.missing;
        self.gain[node] = gain;
        match &way.question {
            Question::Threshold(threshold) => self.threshold[node] = *threshold,
            Question::Route(route) => {
                self.route_start[node] = self.route.len() as u32;
                self.route.extend_from_slice(route);
            }
        }
    }

    /// What a node says.
    pub fn value_of(&self, node: usize) -> &[f64] {
        &self.value[node * self.outputs..(node + 1) * self.outputs]
    }

    /// The question that a branch asks and the ways on from it.
    pub fn way(&self, node: usize, kinds: &[Kind]) -> SplitRule {
        let question = match kinds[self.feature[node] as usize] {
            Kind::Numeric => Question::Threshold(self.threshold[node]),
            Kind::Categorical(levels) => {
                let start = self.route_start[node] as usize;
                Question::Route(self.route[start..start + levels as usize].to_vec())
            }
        };
        SplitRule { question, children: self.n_children[node], missing: self.missing[node] }
    }

    /// How many levels the question of a branch knows.
    pub fn levels(&self, node: usize, kinds: &[Kind]) -> usize {
        match kinds[self.feature[node] as usize] {
            Kind::Numeric => 0,
            Kind::Categorical(levels) => levels as usize,
        }
    }

    /// The rows of a node's children.
    pub fn children(&self, node: usize) -> std::ops::Range<usize> {
        let first = self.first_child[node] as usize;
        first..first + self.n_children[node] as usize
    }

    /// Checks everything that a walk relies on, so that any table, also one from a hostile file, is safe to use.
    ///
    /// After this a walk ends (children stand after their parent) and never indexes outside a column.
    pub fn check(&self, kinds: &[Kind]) -> Result<()> {
        self.check_lengths()?;
        let mut parents = vec![false; self.len()];
        let mut routed = vec![false; self.route.len()];
        for node in 0..self.len() {
            self.check_numbers(node)?;
            if self.n_children[node] == 0 {
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
