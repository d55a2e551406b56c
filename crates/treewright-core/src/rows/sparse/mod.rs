//! Rows of a sparse table: trees of two answers, of which only stored numbers are visited.
//!
//! A node searches lists of stored cells, column by column in the order of the numbers, which it shares with its ancestors:
//! a map tells which of their rows are its own. What the cells do not tell is the zeros, whose statistics are those of the
//! node less those of the cells; statistics are integers, so nothing is lost. A node that has much less than its lists hold
//! has lists made of its own.
//!
//! Dividing moves only rows whose number is stored; the child that zeros go to keeps the node's number in the map.

pub mod ranks;
mod search;
pub mod stored;

use self::ranks::RankedTable;
use self::search::SparseScratch;
use self::stored::{ColumnLists, lower, upper};
use super::Rows;
use super::list::SearchRules;
use crate::data::table::MISSING;
use crate::model::tree::{Leaf, Question};
use crate::split::choose::Candidate;
use crate::split::monotone::Bounds;
use crate::split::sampling::{FeatureSampler, FeatureSampling, ROOT, child_key};
use crate::stats::criterion::{Criterion, remove};
use crate::stats::weights::Weights;
use crate::sys::memory::{filled, room};
use crate::sys::pool;
use crate::sys::pool::Cancel;
use crate::{Error, Result};
use std::sync::Arc;

/// The rows of one node.
#[derive(Debug)]
pub struct SparseNode<S> {
    /// Its number in the map of rows.
    id: u32,
    /// Lists that hold the items of its rows, and of others.
    lists: Arc<ColumnLists>,
    /// Its rows, where they are listed; else those of its lists that the map gives it.
    rows: Option<Vec<u32>>,
    count: u32,
    /// How many items its rows have.
    stored: usize,
    stats: Vec<S>,
    /// What it costs as a leaf.
    cost: f64,
    weight: f64,
    bounds: Bounds,
    /// See [`crate::split::sampling`].
    key: u64,
}

/// All rows, and the node of each.
#[derive(Debug)]
pub struct SparseRows<'a, C: Criterion> {
    table: &'a RankedTable,
    criterion: &'a C,
    weights: &'a Weights,
    rules: SearchRules,
    /// How many threads search a large node.
    threads: usize,
    /// The node of each row; [`ABSENT`] for rows without weight.
    node_of: Vec<u32>,
    next_id: u32,
    sampler: FeatureSampler,
    /// A place for each column, all 0.
    counts: Vec<u32>,
    scratch: SparseScratch<C::Stat>,
    cancel: &'a Cancel,
}

/// The node of rows that are not there.
const ABSENT: u32 = u32::MAX;
/// A node has lists made of its own where those that it is in hold so many times its items.
const SHRINK: usize = 4;
/// Lists of more items are searched by several threads.
const SHARED: usize = 1 << 14;

impl<'a, C: Criterion> SparseRows<'a, C> {
    /// All rows with a weight above 0.
    pub fn new(
        table: &'a RankedTable,
        criterion: &'a C,
        weights: &'a Weights,
        rules: SearchRules,
        threads: usize,
        cancel: &'a Cancel,
    ) -> Result<SparseRows<'a, C>> {
        let node_of = weights.units.iter().map(|&weight| if weight > 0 { 0 } else { ABSENT }).collect();
        Ok(SparseRows {
            table,
            criterion,
            weights,
            rules,
            threads,
            node_of,
            next_id: 1,
            sampler: FeatureSampler::new(table.stored.width()),
            counts: filled(0, table.stored.width())?,
            scratch: SparseScratch::default(),
            cancel,
        })
    }

    /// Gives a node lists of its own where those that it is in hold much more.
    fn shrink_lists(&mut self, node: &mut SparseNode<C::Stat>) -> Result<()> {
        if node.stored.saturating_mul(SHRINK) > node.lists.len() {
            return Ok(());
        }
        let is_own = |row: &u32| self.node_of[*row as usize] == node.id;
        let rows = match node.rows.take() {
            Some(rows) => rows,
            None if node.lists.rows.is_empty() => (0..self.table.stored.rows() as u32).filter(is_own).collect(),
            None => node.lists.rows.iter().copied().filter(is_own).collect(),
        };
        node.lists = Arc::new(self.table.stored.gather(rows, &mut self.counts)?);
        Ok(())
    }

    /// The candidates of all columns from a place among the node's lists on.
    fn search_columns(
        &self,
        node: &SparseNode<C::Stat>,
        places: std::ops::Range<usize>,
        scratch: &mut SparseScratch<C::Stat>,
        out: &mut Vec<Candidate>,
    ) -> Result<()> {
        let mut best = f64::NEG_INFINITY;
        for place in places {
            if place % 64 == 0 {
                self.cancel.check()?;
            }
            let (column, items) = node.lists.at(place);
            if let Some(candidate) = self.candidate(node, column, items, best, scratch)? {
                best = best.max(candidate.gain);
                out.push(candidate);
            }
        }
        Ok(())
    }

    fn search_all(&mut self, node: &SparseNode<C::Stat>, out: &mut Vec<Candidate>) -> Result<()> {
        let width = node.lists.width();
        if self.threads <= 1 || node.lists.len() < SHARED {
            let mut scratch = std::mem::take(&mut self.scratch);
            let done = self.search_columns(node, 0..width, &mut scratch, out);
            self.scratch = scratch;
            return done;
        }
        let size = width.div_ceil(8 * self.threads).max(1);
        let parts = (0..width).step_by(size).map(|first| first..(first + size).min(width)).collect();
        let this = &*self;
        let parts = pool::each(self.threads, parts, |places| -> Result<Vec<Candidate>> {
            let mut candidates = Vec::new();
            this.search_columns(node, places, &mut SparseScratch::default(), &mut candidates)?;
            Ok(candidates)
        })?;
        for candidates in parts {
            out.append(&mut candidates?);
        }
        Ok(())
    }

    /// The same for columns in random order, until there are enough and one of them has a split.
    fn search_drawn(
        &mut self,
        sampling: FeatureSampling,
        node: &SparseNode<C::Stat>,
        out: &mut Vec<Candidate>,
    ) -> Result<()> {
        let (mut words, mut wanted) = (sampling.feature_words(node.key), sampling.columns);
        let mut scratch = std::mem::take(&mut self.scratch);
        while wanted > 0 || out.is_empty() {
            let Some(column) = self.sampler.next(&mut words) else { break };
            wanted = wanted.saturating_sub(1);
            let items = node.lists.of(column);
            if !items.is_empty() {
                out.extend(self.candidate(node, column, items, f64::NEG_INFINITY, &mut scratch)?);
            }
        }
        self.sampler.reset();
        self.scratch = scratch;
        Ok(())
    }

    /// A child of no rows yet.
    fn child(&self, node: &SparseNode<C::Stat>, place: usize, id: u32) -> Result<SparseNode<C::Stat>> {
        Ok(SparseNode {
            id,
            lists: node.lists.clone(),
            rows: Some(Vec::new()),
            count: 0,
            stored: 0,
            stats: filled(C::Stat::default(), self.criterion.width())?,
            cost: 0.0,
            weight: 0.0,
            bounds: node.bounds,
            key: child_key(node.key, place),
        })
    }

    /// The rows of a node among its children: those whose number is stored are moved, and the others stay.
    fn distribute(&mut self, node: SparseNode<C::Stat>, chosen: &Candidate) -> Result<Vec<SparseNode<C::Stat>>> {
        let cut = if let Question::Threshold(cut) = chosen.way.question { cut } else { f64::INFINITY };
        let above = self.table.numbers(chosen.feature).partition_point(|&number| number <= cut) as u32;
        let side = |code: u32| match code {
            MISSING => usize::from(chosen.way.missing),
            code => usize::from(code >= above),
        };
        let rest = side(self.table.stored.zero(chosen.feature));
        let mut children = room(usize::from(chosen.way.children))?;
        for place in 0..usize::from(chosen.way.children) {
            let id = if place == rest { node.id } else { self.next_id };
            self.next_id += u32::from(place != rest);
            children.push(self.child(&node, place, id)?);
        }
        for &item in node.lists.of(chosen.feature) {
            let (row, place) = (lower(item), side(upper(item)));
            if place == rest || self.node_of[row as usize] != node.id {
                continue;
            }
            let child = &mut children[place];
            self.node_of[row as usize] = child.id;
            self.criterion.add(&mut child.stats, row as usize, self.weights.units[row as usize]);
            child.count += 1;
            child.stored += self.table.stored.items_of(row).len();
            if let Some(rows) = &mut child.rows {
                rows.push(row);
            }
        }
        self.keep_rest(node, &mut children, rest);
        Ok(children)
    }

    /// Gives a child what is left of a node.
    fn keep_rest(&self, node: SparseNode<C::Stat>, children: &mut [SparseNode<C::Stat>], rest: usize) {
        let SparseNode { id, mut rows, mut count, mut stored, mut stats, .. } = node;
        for child in children.iter().filter(|child| child.id != id) {
            remove(&mut stats, &child.stats);
            count -= child.count;
            stored -= child.stored;
        }
        if let Some(rows) = &mut rows {
            rows.retain(|&row| self.node_of[row as usize] == id);
        }
        let child = &mut children[rest];
        (child.rows, child.count, child.stored, child.stats) = (rows, count, stored, stats);
        for child in children {
            (child.cost, child.weight) = (self.criterion.cost(&child.stats), self.criterion.weight(&child.stats));
        }
    }
}

impl<C: Criterion> Rows for SparseRows<'_, C> {
    type Node = SparseNode<C::Stat>;

    fn outputs(&self) -> usize {
        self.criterion.outputs()
    }

    fn root(&mut self) -> Result<Self::Node> {
        let (mut stats, mut count, mut stored) = (filled(C::Stat::default(), self.criterion.width())?, 0, 0);
        for (row, &weight) in (0u32..).zip(&self.weights.units).filter(|(_, weight)| **weight > 0) {
            self.criterion.add(&mut stats, row as usize, weight);
            count += 1;
            stored += self.table.stored.items_of(row).len();
        }
        if count == 0 {
            return Err(Error::data("data.empty", "no row has a weight above zero"));
        }
        let (lists, bounds) = (self.table.stored.lists().clone(), Bounds::default());
        let (cost, weight) = (self.criterion.cost(&stats), self.criterion.weight(&stats));
        Ok(SparseNode { id: 0, lists, rows: None, count, stored, stats, cost, weight, bounds, key: ROOT })
    }

    fn leaf<'v>(&self, node: &Self::Node, value: &'v mut [f64]) -> Leaf<'v> {
        if node.count > 0 {
            self.criterion.value(&node.stats, value);
            node.bounds.clip(value);
        }
        Leaf { value, weight: node.weight, count: u64::from(node.count), cost: node.cost }
    }

    fn candidates(&mut self, node: &mut Self::Node, out: &mut Vec<Candidate>) -> Result<()> {
        self.shrink_lists(node)?;
        match self.rules.sampling {
            Some(sampling) => self.search_drawn(sampling, node, out),
            None => self.search_all(node, out),
        }
    }

    fn divide(&mut self, node: Self::Node, chosen: &Candidate) -> Result<Vec<Self::Node>> {
        let trend = self.rules.trend_below(chosen, node.bounds);
        let mut children = self.distribute(node, chosen)?;
        if let Some(trend) = trend {
            let bounds = trend.divide(self.criterion, &children[0].stats, &children[1].stats);
            children.iter_mut().zip(bounds).for_each(|(child, bounds)| child.bounds = bounds);
        }
        Ok(children)
    }
}
