//! The nodes that may still be split, and which of them is next.
//!
//! Depth first, first child first: a node's whole subtree is finished before its next sibling is begun, so the nodes of a
//! subtree are numbered without a gap. Best first: the open node whose question saves most is next, the lower number
//! where two save the same, until there are as many leaves as allowed.

use crate::Result;
use crate::split::choose::Candidate;
use std::cmp::Ordering;
use std::collections::BinaryHeap;

/// A node that may still be split.
#[derive(Debug)]
pub struct Open<N> {
    /// Its row in the node table.
    pub node: usize,
    /// How many questions lead to it.
    pub depth: u32,
    /// Its training rows, as their holder knows them.
    pub rows: N,
}

/// An open node with the question that it will ask.
#[derive(Debug)]
pub struct Ready<N> {
    /// The node.
    pub open: Open<N>,
    /// Its question.
    pub chosen: Candidate,
    /// What the question saves in all.
    pub gain: f64,
}

/// The open nodes of a tree.
#[derive(Debug)]
pub enum Frontier<N> {
    /// The last one is next.
    DepthFirst(Vec<Open<N>>),
    /// The most saving one is next.
    BestFirst {
        /// Nodes whose question is not known yet.
        fresh: Vec<Open<N>>,
        /// The others.
        ranked: BinaryHeap<Ready<N>>,
        /// How many more leaves there may be.
        leaves: u32,
    },
}

impl<N> Frontier<N> {
    /// One open node; best first where the number of leaves is limited.
    pub fn new(root: Open<N>, max_leaves: Option<u32>) -> Frontier<N> {
        match max_leaves {
            None => Frontier::DepthFirst(vec![root]),
            Some(leaves) => {
                Frontier::BestFirst { fresh: vec![root], ranked: BinaryHeap::new(), leaves: leaves.max(1) - 1 }
            }
        }
    }

    /// The next node that asks a question. `ask` finds the question of a node, or keeps a node that stays a leaf.
    pub fn next(&mut self, mut ask: impl FnMut(Open<N>) -> Result<Option<Ready<N>>>) -> Result<Option<Ready<N>>> {
        match self {
            Frontier::DepthFirst(stack) => {
                while let Some(open) = stack.pop() {
                    if let Some(ready) = ask(open)? {
                        return Ok(Some(ready));
                    }
                }
                Ok(None)
            }
            Frontier::BestFirst { fresh, ranked, leaves } => {
                if *leaves == 0 {
                    return Ok(None);
                }
                for open in fresh.drain(..) {
                    ranked.extend(ask(open)?);
                }
                // A question with many branches may be too large for what is left.
                while let Some(ready) = ranked.pop() {
                    let more = u32::from(ready.chosen.way.children) - 1;
                    if more <= *leaves {
                        *leaves -= more;
                        return Ok(Some(ready));
                    }
                }
                Ok(None)
            }
        }
    }

    /// The question was not asked after all: its leaves may be others'.
    pub fn give_back(&mut self, chosen: &Candidate) {
        if let Frontier::BestFirst { leaves, .. } = self {
            *leaves += u32::from(chosen.way.children) - 1;
        }
    }

    /// Adds the children of a node, in their order.
    pub fn push(&mut self, children: impl DoubleEndedIterator<Item = Open<N>>) {
        match self {
            Frontier::DepthFirst(stack) => stack.extend(children.rev()),
            Frontier::BestFirst { fresh, .. } => fresh.extend(children),
        }
    }
}

impl<N> Ord for Ready<N> {
    fn cmp(&self, other: &Self) -> Ordering {
        self.gain.total_cmp(&other.gain).then(other.open.node.cmp(&self.open.node))
    }
}

impl<N> PartialOrd for Ready<N> {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl<N> PartialEq for Ready<N> {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl<N> Eq for Ready<N> {}
