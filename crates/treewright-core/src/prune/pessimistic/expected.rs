//! The errors to expect of a branch in its parent's place, where it would get the rows of its siblings as well.
//!
//! Its own rows end where they ended before, so only those of its siblings are sent through it, unless rows are divided:
//! then their parts depend on all rows of a node.

use super::questions::ROWS_TOGETHER;
use super::{BranchRows, Pruner};
use crate::Result;
use crate::prune::sample::ROWS_OF_A_THREAD;
use crate::stats::criterion::{Criterion, merge};
use crate::stats::entry::Entry;
use crate::sys::memory::{copied, filled};
use crate::sys::pool;

/// Rows between two looks at the cancel flag.
const ROWS_BETWEEN_LOOKS: usize = 1 << 12;

impl<C: Criterion<Stat = u64>> Pruner<'_, C> {
    /// The errors to expect of a branch if it met these rows of its parent; nothing in it changes.
    pub(super) fn expected_in_place(&mut self, branch: usize, rows: &BranchRows) -> Result<f64> {
        let sum = match &rows.others {
            Some(others) if self.is_undivided(branch) => self.expected_of_whole_rows(branch, others, true)?,
            _ => self.expected_of_whole_rows(branch, &rows.entries, false)?,
        };
        match sum {
            Some(sum) => Ok(sum),
            None => self.expected_of_parts(branch, &rows.entries),
        }
    }

    /// The same where each row goes to one leaf; else None. `are_more` says whether the rows come in addition to those that
    /// the branch has.
    fn expected_of_whole_rows(&mut self, node: usize, entries: &[Entry], are_more: bool) -> Result<Option<f64>> {
        let (width, nodes) = (self.rows.criterion.width(), self.tree.len());
        let mut stats = std::mem::take(&mut self.leaf_stats);
        if stats.is_empty() {
            stats = filled(0, nodes * width)?;
        }
        let threads = pool::bounded(entries.len() / ROWS_OF_A_THREAD + 1);
        let all_whole = if threads == 1 {
            self.send_to_leaves(node, entries, &mut stats)?
        } else {
            let part = |entries: &[Entry]| -> Result<Option<Vec<u64>>> {
                let mut stats = filled(0, nodes * width)?;
                Ok(self.send_to_leaves(node, entries, &mut stats)?.then_some(stats))
            };
            let chunks = entries.chunks(entries.len().div_ceil(threads)).collect();
            let mut all_whole = true;
            for part in pool::each(threads, chunks, part)? {
                match part? {
                    Some(part) => merge(&mut stats, &part),
                    None => all_whole = false,
                }
            }
            all_whole
        };
        let mut divided = [u64::from(!all_whole)];
        self.rows.peers.max(&mut divided)?;
        let all_whole = divided[0] == 0;
        let leaves = self.leaves_below(node);
        if all_whole {
            self.add_those_of_others(&leaves, &mut stats)?;
        }
        let sum = self.sum_of_leaves(&leaves, &mut stats, are_more);
        self.leaf_stats = stats;
        Ok(all_whole.then_some(sum))
    }

    /// The leaves below a node, the last first.
    fn leaves_below(&self, node: usize) -> Vec<usize> {
        let (mut leaves, mut open) = (Vec::new(), vec![node]);
        while let Some(node) = open.pop() {
            match self.asks[node].branch() {
                Some(from) => open.extend(self.tree.children(from)),
                None => leaves.push(node),
            }
        }
        leaves
    }

    /// Adds the rows that come to leaves in the other processes.
    fn add_those_of_others(&self, leaves: &[usize], stats: &mut [u64]) -> Result<()> {
        if self.rows.peers.size() == 1 {
            return Ok(());
        }
        let width = self.rows.criterion.width();
        let mut sums: Vec<u64> =
            leaves.iter().flat_map(|leaf| stats[leaf * width..][..width].iter().copied()).collect();
        self.rows.peers.add(&mut sums)?;
        let sums = leaves.iter().zip(sums.chunks_exact(width));
        sums.for_each(|(leaf, sums)| stats[leaf * width..][..width].copy_from_slice(sums));
        Ok(())
    }

    /// Adds rows to the statistics of the leaves that they reach from a node; false where one does not reach a leaf whole.
    fn send_to_leaves(&self, node: usize, entries: &[Entry], stats: &mut [u64]) -> Result<bool> {
        let (criterion, width) = (self.rows.criterion, self.rows.criterion.width());
        for entries in entries.chunks(ROWS_BETWEEN_LOOKS) {
            self.cancel.check()?;
            let mut coming = entries.chunks(ROWS_TOGETHER).skip(1);
            for entries in entries.chunks(ROWS_TOGETHER) {
                coming
                    .next()
                    .unwrap_or_default()
                    .iter()
                    .for_each(|entry| self.questions.ask_memory(entry.row as usize));
                let rows = entries.iter().map(|entry| entry.row as usize);
                let Some(ends) = self.questions.walk_together(node, rows, &self.asks) else {
                    return Ok(false);
                };
                for (node, entry) in ends.into_iter().zip(entries) {
                    criterion.add(&mut stats[node * width..][..width], entry.row as usize, entry.weight);
                }
            }
        }
        Ok(true)
    }

    /// The errors to expect of leaves, given the statistics of the rows that come to them, which are taken away.
    fn sum_of_leaves(&self, leaves: &[usize], comers: &mut [u64], are_more: bool) -> f64 {
        let (mut sum, width) = (0.0, self.rows.criterion.width());
        for &node in leaves {
            let stats = &mut comers[node * width..][..width];
            if stats.iter().any(|weight| *weight > 0) {
                if are_more {
                    merge(stats, self.stats_of(node));
                }
                sum += self.leaf(stats, self.class_of(stats, self.nodes[node].class));
                stats.fill(0);
            } else if are_more {
                sum += self.nodes[node].estimate;
            }
        }
        sum
    }

    /// The same with rows that may be divided.
    fn expected_of_parts(&self, node: usize, entries: &[Entry]) -> Result<f64> {
        let mut sum = 0.0;
        let mut open = vec![(node, copied(entries)?)];
        while let Some((node, entries)) = open.pop() {
            self.cancel.check()?;
            match self.asks[node].branch() {
                None => {
                    let (stats, _) = self.rows.sums(&entries)?;
                    sum += self.leaf(&stats, self.class_of(&stats, self.nodes[node].class));
                }
                Some(from) => {
                    let sent = self.distribute(from, &entries)?;
                    sum += self.stopped_errors(&sent.stopped)?;
                    let has_rows = self.rows.has_rows(&sent.children)?;
                    let children = self.tree.children(from).zip(sent.children).zip(has_rows);
                    open.extend(children.filter(|(_, has_rows)| *has_rows).map(|(child, _)| child));
                }
            }
        }
        Ok(sum)
    }
}
