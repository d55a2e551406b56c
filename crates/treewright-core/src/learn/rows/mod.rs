//! How the rows of a node are held, searched and divided. The growing loop knows only this trait.

pub mod entries;
pub mod fractions;

use super::choose::Candidate;
use crate::model::tree::Leaf;

/// A way to hold rows.
pub trait Rows {
    /// The rows of one node, and what is worth remembering about them until it is split.
    type Node;

    /// How many numbers a node says.
    fn outputs(&self) -> usize;
    /// All rows.
    fn root(&mut self) -> crate::Result<Self::Node>;
    /// What the node is as a leaf; `value` has room for its outputs and holds the parent's when it comes in, which is
    /// what a node without rows says.
    fn leaf<'v>(&self, node: &Self::Node, value: &'v mut [f64]) -> Leaf<'v>;
    /// The best split of each column that has one, in the order of the columns.
    fn candidates(&mut self, node: &Self::Node, out: &mut Vec<Candidate>);
    /// Divides the node's rows among the children of a candidate that it offered.
    fn divide(&mut self, node: Self::Node, chosen: &Candidate) -> Vec<Self::Node>;
}
