//! How the rows of a node are held, searched and divided. The growing loop knows only these traits.
//!
//! | engine | for |
//! | --- | --- |
//! | [`list`] | everything; the slow twin that the others are compared with |
//! | [`columns`] | trees of two answers: columns of 16-bit codes that are counted into bins |
//! | [`surrogates`] | trees with surrogates: lists of rows, and columns that are sorted once |
//! | [`sorted`] | C4.5 and its relatives: columns that are sorted once, rows that may be divided |
//! | [`bins`] | boosting: gradients in histograms |
//! | [`sparse`] | trees of two answers on tables that are mostly zero |

pub mod bins;
pub mod columns;
pub mod list;
pub mod sorted;
pub mod sparse;
pub mod surrogates;

use crate::Result;
use crate::model::tree::{Leaf, Tree};
use crate::split::choose::Candidate;

/// A way to hold rows.
pub trait Rows {
    /// The rows of one node, and what is worth remembering about them until it is split.
    type Node;

    /// How many numbers a node says.
    fn outputs(&self) -> usize;
    /// About how many nodes the tree will have, where that is known: they get their memory at once. 0 for an unknown number.
    fn expected_nodes(&self) -> usize {
        0
    }
    /// All rows.
    fn root(&mut self) -> Result<Self::Node>;
    /// Whether a node of this cost needs no question.
    fn is_pure(&self, cost: f64) -> bool {
        cost == 0.0
    }
    /// What the node is as a leaf; `value` has room for its outputs and holds the parent's when it comes in, which is
    /// what a node without rows says.
    fn leaf<'v>(&self, node: &Self::Node, value: &'v mut [f64]) -> Leaf<'v>;
    /// Grows everything below a node on another holder, where one is faster; tells whether it did. The root of that holder
    /// is the node. For trees that grow depth first.
    fn grow_below<G: GrowBelow>(&mut self, _: &Self::Node, _: G) -> Result<bool> {
        Ok(false)
    }
    /// The best split of each column that has one, in the order of the columns. A holder whose chooser looks at gains
    /// alone may leave out columns that the chooser cannot choose.
    fn candidates(&mut self, node: &mut Self::Node, out: &mut Vec<Candidate>) -> Result<()>;
    /// Divides the node's rows among the children of a candidate that it offered.
    fn divide(&mut self, node: Self::Node, chosen: &Candidate) -> Result<Vec<Self::Node>>;
    /// Forgets the last division, which is not made after all.
    fn forget_division(&mut self) {}
    /// Fills in what the questions of a tree were left without, once it is grown.
    fn finish(&mut self, _: &mut Tree) {}
}

/// Grows the nodes below one node.
pub trait GrowBelow {
    /// On a holder of which that node is the root.
    fn grow<R: Rows>(self, rows: &mut R) -> Result<()>;
}

/// Rows whose nodes can be given away, each to a holder of its own, and grown beside each other.
pub trait Divisible: Rows {
    /// The rows of one node.
    type Part<'p>: Rows + Send
    where
        Self: 'p;

    /// Nodes of at most so many rows are worth giving away to so many threads.
    fn small(&self, threads: usize) -> u32;
    /// A holder for each of these nodes, in their order. The nodes have no row in common.
    fn parts(&mut self, nodes: Vec<Self::Node>) -> Result<Vec<Self::Part<'_>>>;
}

/// What a set of rows is as a leaf.
#[derive(Clone, Debug, PartialEq)]
pub struct Figures {
    /// What it says.
    pub value: Vec<f64>,
    /// Its weight.
    pub weight: f64,
    /// Its rows.
    pub count: u64,
    /// Its cost.
    pub cost: f64,
}
