//! The rows of a node, and what the way to it left.

use crate::model::alternatives::AlternativeSplit;
use crate::split::monotone::Bounds;
use crate::stats::entry::Entry;
use std::sync::Arc;

/// The rows of one node.
#[derive(Clone, Debug)]
pub struct Node<S> {
    pub(super) entries: Vec<Entry>,
    /// What all of them add up to, those of other processes too.
    pub(super) stats: Vec<S>,
    /// How many they are.
    pub(super) count: u64,
    pub(super) bounds: Bounds,
    /// See [`crate::split::sampling`].
    pub(super) key: u64,
    /// The columns that may still be asked about, in their order.
    pub(super) features: Arc<[u32]>,
    /// The best splits of all columns, where nodes keep some of them.
    pub(super) competitors: Vec<AlternativeSplit>,
}

impl<S> Node<S> {
    /// Its rows in this process, in the order of the table.
    pub fn entries(&self) -> &[Entry] {
        &self.entries
    }

    /// The same alone.
    pub fn into_entries(self) -> Vec<Entry> {
        self.entries
    }

    /// What they add up to.
    pub fn stats(&self) -> &[S] {
        &self.stats
    }

    /// How many rows it has, in all processes.
    pub fn count(&self) -> u64 {
        self.count
    }

    /// Where its subtree begins.
    pub fn start(&self) -> Start {
        Start { features: self.features.clone(), bounds: self.bounds, key: self.key }
    }

    /// Remembers the split of a column.
    pub fn remember(&mut self, competitor: AlternativeSplit) {
        self.competitors.push(competitor);
    }
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
