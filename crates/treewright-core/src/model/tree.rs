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

    /// Whether a node asks nothing.
    #[inline]
    pub fn is_leaf(&self, node: usize) -> bool {
        self.n_children[node] == 0
    }

    /// The nodes that ask a question, in the order of the table.
    pub fn branches(&self) -> impl DoubleEndedIterator<Item = usize> + Clone + '_ {
        (0..self.len()).filter(|&node| !self.is_leaf(node))
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

    /// Adds a node of another tree as a leaf and returns its row.
    pub fn push_leaf_of(&mut self, other: &Tree, node: usize) -> usize {
        let (weight, count, cost) = (other.weight[node], other.count[node], other.cost[node]);
        self.push(Leaf { value: other.value_of(node), weight, count, cost })
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

    /// The nodes from the root to a node.
    pub fn path(&self, node: usize) -> Vec<usize> {
        let mut path = vec![node];
        let mut below = node;
        // Parents stand before their children: one backward pass finds them all.
        for above in (0..node).rev() {
            if self.children(above).contains(&below) {
                path.push(above);
                below = above;
            }
        }
        path.reverse();
        path
    }
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

    /// Checks that it can be asked of a column.
    pub fn check(&self, kind: Kind) -> Result<()> {
        let is_child = |child: u16| child < self.children || child >= STOP;
        let fits = match (&self.question, kind) {
            (Question::Threshold(cut), Kind::Numeric) => !cut.is_nan() && (2..=3).contains(&self.children),
            (Question::Route(route), Kind::Categorical(levels)) => {
                route.len() == levels as usize && self.children >= 2 && route.iter().all(|&child| is_child(child))
            }
            _ => false,
        };
        match fits && is_child(self.missing) {
            true => Ok(()),
            false => Err(Error::data("grow.rule", "this question cannot be asked of the column")),
        }
    }
}
