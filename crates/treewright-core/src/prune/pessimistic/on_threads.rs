//! Pruning subtrees beside each other. Nodes of many rows are counted first, each on all threads; then the subtrees below
//! them are pruned, each on one thread; then the nodes of many rows are judged, children first.
//!
//! What becomes of a subtree depends on nothing outside of it, so the tree is the same as on one thread, and so is the
//! order of the trials.

use super::{Pruner, Step, Trial};
use crate::Result;
use crate::prune::sample::ROWS_OF_A_THREAD;
use crate::stats::criterion::Criterion;
use crate::stats::entry::Entry;
use crate::sys::memory::copied;
use crate::sys::pool;
use std::collections::BTreeMap;

/// More parts than this would take more memory than they save time.
const MOST_PARTS: usize = 16;

impl<C: Criterion<Stat = u64>> Pruner<'_, C> {
    /// Prunes the whole tree.
    pub(super) fn prune_on_threads(&mut self, entries: Vec<Entry>, threads: usize) -> Result<()> {
        let rows_of_a_subtree = (entries.len() / MOST_PARTS).max(ROWS_OF_A_THREAD);
        let (mut steps, mut open) = (vec![Step::Count(0, entries)], Vec::new());
        // The trials of subtrees whose parents were not judged yet, by the subtree's root.
        let mut traces = BTreeMap::new();
        loop {
            let (mut subtrees, mut judged_next) = (Vec::new(), Vec::new());
            while let Some(step) = steps.pop() {
                self.cancel.check()?;
                match step {
                    Step::Count(node, entries) if entries.len() < rows_of_a_subtree => subtrees.push((node, entries)),
                    Step::Count(node, entries) => self.count(node, entries, &mut steps)?,
                    Step::Judge(node, rows) => judged_next.push((node, rows)),
                }
            }
            // Nodes stand behind their children here.
            open.extend(judged_next.into_iter().rev());
            self.prune_beside_each_other(subtrees, threads, &mut traces)?;
            let Some((node, rows)) = open.pop() else { break };
            let mut trace = traces.remove(&node).unwrap_or_default();
            // (A node that is judged has a question.)
            let children = self.asks[node].branch().map_or(0..0, |from| self.tree.children(from));
            children.rev().filter_map(|child| traces.remove(&child)).for_each(|mut below| trace.append(&mut below));
            self.judge(node, rows, &mut steps)?;
            trace.append(&mut self.trace);
            traces.insert(node, trace);
        }
        self.trace = traces.remove(&0).unwrap_or_default();
        Ok(())
    }

    /// Prunes some subtrees, given with their rows, none inside another.
    fn prune_beside_each_other(
        &mut self,
        subtrees: Vec<(usize, Vec<Entry>)>,
        threads: usize,
        traces: &mut BTreeMap<usize, Vec<Trial>>,
    ) -> Result<()> {
        if subtrees.is_empty() {
            return Ok(());
        }
        let prune = |subtrees: Vec<(usize, Vec<Entry>)>| -> Result<_> {
            let (mut part, mut traces) = (self.part()?, BTreeMap::new());
            for (node, entries) in subtrees {
                part.prune_below(node, entries)?;
                traces.insert(node, std::mem::take(&mut part.trace));
            }
            Ok((part, traces))
        };
        for part in pool::each(threads, in_parts(subtrees, (4 * threads).min(MOST_PARTS)), prune)? {
            let (part, mut pruned) = part?;
            pruned.keys().for_each(|root| self.take_over(*root, &part));
            traces.append(&mut pruned);
        }
        Ok(())
    }

    /// The tree as it stands, for somebody who prunes a part of it.
    fn part(&self) -> Result<Self> {
        let (asks, nodes, stats) = (copied(&self.asks)?, copied(&self.nodes)?, copied(&self.stats)?);
        Ok(Pruner { asks, nodes, stats, leaf_stats: Vec::new(), trace: Vec::new(), ..*self })
    }

    /// Takes over a subtree that was pruned in a part.
    fn take_over(&mut self, root: usize, part: &Self) {
        let (mut open, width) = (vec![root], self.rows.criterion.width());
        while let Some(node) = open.pop() {
            (self.asks[node], self.nodes[node]) = (part.asks[node], part.nodes[node]);
            let place = node * width..(node + 1) * width;
            self.stats[place.clone()].copy_from_slice(&part.stats[place]);
            open.extend(self.tree.children(node));
        }
    }
}

/// Up to so many lists of subtrees with about as many rows each.
fn in_parts(subtrees: Vec<(usize, Vec<Entry>)>, parts: usize) -> Vec<Vec<(usize, Vec<Entry>)>> {
    let rows: usize = subtrees.iter().map(|(_, entries)| entries.len()).sum();
    let (most, mut lists, mut full) = (rows.div_ceil(parts), vec![Vec::new()], 0);
    for (node, entries) in subtrees {
        if full >= most {
            lists.push(Vec::new());
            full = 0;
        }
        full += entries.len();
        if let Some(list) = lists.last_mut() {
            list.push((node, entries));
        }
    }
    lists
}
