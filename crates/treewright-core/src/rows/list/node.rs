//! The rows of a node, and what the way to it left.

use crate::model::alternatives::AlternativeSplit;
use crate::split::monotone::Bounds;
use crate::stats::entry::Entry;
use std::sync::Arc;

/// The rows of one node.
#[derive(Clone, Debug)]
pub struct ListNode<S> {
    /// Its rows in this process, in the order of the table.
    pub entries: Vec<Entry>,
    /// What all of them add up to, those of other processes too.
    pub stats: Vec<S>,
    /// How many rows it has, in all processes.
    pub count: u64,
    /// Where its subtree begins.
    pub start: Start,
    /// The best splits of all columns, where nodes keep some of them.
    pub competitors: Vec<AlternativeSplit>,
}

/// What the way to a node left of its columns, and what it asks of the answers below it.
#[derive(Clone, Debug)]
pub struct Start {
    /// The columns that may still be asked about, in their order.
    pub features: Arc<[u32]>,
    /// What the answers must not leave.
    pub bounds: Bounds,
    /// The key of the node, see [`crate::split::sampling`].
    pub key: u64,
}
