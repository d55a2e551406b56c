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
use self::search::{Bar, Scratch};
use self::stored::{ColumnLists, lower, upper};
use super::Rows;
use crate::data::table::MISSING;
use crate::model::tree::{Leaf, Question};
use crate::split::choose::Candidate;
use crate::split::monotone::{Bounds, Trend};
use crate::split::sampling::{FeatureSampler, FeatureSampling, ROOT, child_key};
use crate::split::unknowns::Unknowns;
use crate::stats::criterion::{Criterion, remove};
use crate::stats::weights::Weights;
use crate::sys::memory::{filled, room};
use crate::sys::pool;
use crate::sys::pool::Cancel;
use crate::{Error, Result};
use std::sync::Arc;

/// Which splits are searched.
#[derive(Clone, Debug)]
pub struct SparseRules {
    /// Where rows with a missing value go: to a branch, or to a side.
    pub unknowns: Unknowns,
    /// The fewest rows of a child.
    pub min_leaf: u32,
    /// The least weight of a child.
    pub min_weight: f64,
    /// How columns and cuts are drawn; None looks at all columns for their best splits.
    pub sampling: Option<FeatureSampling>,
    /// For each column whether the answers must rise with it (above 0), fall (below 0), or neither; empty for none.
    pub monotone: Vec<i8>,
    /// How many threads search a large node.
    pub threads: usize,
}

/// The rows of one node.
#[derive(Debug)]
pub struct Node<S> {
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
    rules: SparseRules,
    /// The node of each row; [`ABSENT`] for rows without weight.
    node_of: Vec<u32>,
    next_id: u32,
    sampler: FeatureSampler,
    /// A place for each column, all 0.
    counts: Vec<u32>,
    scratch: Scratch<C::Stat>,
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
        rules: SparseRules,
        cancel: &'a Cancel,
    ) -> Result<SparseRows<'a, C>> {
        let node_of = weights.units.iter().map(|&weight| if weight > 0 { 0 } else { ABSENT }).collect();
        Ok(SparseRows {
            table,
            criterion,
            weights,
            rules,
            node_of,
            next_id: 1,
            sampler: FeatureSampler::new(table.stored.width()),
            counts: filled(0, table.stored.width())?,
            scratch: Scratch::default(),
            cancel,
        })
    }

    fn trend(&self, column: u32, bounds: Bounds) -> Option<Trend> {
        Trend::of(&self.rules.monotone, column, bounds)
    }

    /// Gives a node lists of its own where those that it is in hold much more.
    fn shrink_lists(&mut self, node: &mut Node<C::Stat>) -> Result<()> {
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

    fn bar(&self, node: &Node<C::Stat>) -> Bar {
        Bar {
            cost: self.criterion.cost(&node.stats),
            weight: self.criterion.weight(&node.stats),
            best: f64::NEG_INFINITY,
        }
    }

    /// The candidates of all columns from a place among the node's lists on.
    fn search_columns(
        &self,
        node: &Node<C::Stat>,
        places: std::ops::Range<usize>,
        scratch: &mut Scratch<C::Stat>,
        out: &mut Vec<Candidate>,
    ) -> Result<()> {
        let mut bar = self.bar(node);
        for place in places {
            if place % 64 == 0 {
                self.cancel.check()?;
            }
            let (column, items) = node.lists.at(place);
            if let Some(candidate) = self.candidate(node, column, items, bar, scratch)? {
                bar.best = bar.best.max(candidate.gain);
                out.push(candidate);
            }
        }
        Ok(())
    }

    fn search_all(&mut self, node: &Node<C::Stat>, out: &mut Vec<Candidate>) -> Result<()> {
        let width = node.lists.width();
        if self.rules.threads <= 1 || node.lists.len() < SHARED {
            let mut scratch = std::mem::take(&mut self.scratch);
            let done = self.search_columns(node, 0..width, &mut scratch, out);
            self.scratch = scratch;
            return done;
        }
        let size = width.div_ceil(8 * self.rules.threads).max(1);
        let parts = (0..width).step_by(size).map(|first| first..(first + size).min(width)).collect();
        let this = &*self;
        let parts = pool::each(self.rules.threads, parts, |places| -> Result<Vec<Candidate>> {
            let mut candidates = Vec::new();
            this.search_columns(node, places, &mut Scratch::default(), &mut candidates)?;
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
        node: &Node<C::Stat>,
        out: &mut Vec<Candidate>,
    ) -> Result<()> {
        let (mut words, mut wanted, bar) = (sampling.feature_words(node.key), sampling.columns, self.bar(node));
        let mut scratch = std::mem::take(&mut self.scratch);
        while wanted > 0 || out.is_empty() {
            let Some(column) = self.sampler.next(&mut words) else { break };
            wanted = wanted.saturating_sub(1);
            let items = node.lists.of(column);
            if !items.is_empty() {
                out.extend(self.candidate(node, column, items, bar, &mut scratch)?);
            }
        }
        self.sampler.reset();
        self.scratch = scratch;
        Ok(())
    }

    /// A child of no rows yet.
    fn child(&self, node: &Node<C::Stat>, place: usize, id: u32) -> Result<Node<C::Stat>> {
        Ok(Node {
            id,
            lists: node.lists.clone(),
            rows: Some(Vec::new()),
            count: 0,
            stored: 0,
            stats: filled(C::Stat::default(), self.criterion.width())?,
            bounds: node.bounds,
            key: child_key(node.key, place),
        })
    }

    /// The rows of a node among its children: those whose number is stored are moved, and the others stay.
    fn distribute(&mut self, node: Node<C::Stat>, chosen: &Candidate) -> Result<Vec<Node<C::Stat>>> {
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
    fn keep_rest(&self, node: Node<C::Stat>, children: &mut [Node<C::Stat>], rest: usize) {
        let Node { id, mut rows, mut count, mut stored, mut stats, .. } = node;
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
    }
}

impl<C: Criterion> Rows for SparseRows<'_, C> {
    type Node = Node<C::Stat>;

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
        Ok(Node { id: 0, lists, rows: None, count, stored, stats, bounds, key: ROOT })
    }

    fn leaf<'v>(&self, node: &Self::Node, value: &'v mut [f64]) -> Leaf<'v> {
        if node.count > 0 {
            self.criterion.value(&node.stats, value);
            node.bounds.clip(value);
        }
        Leaf {
            value,
            weight: self.criterion.weight(&node.stats),
            count: u64::from(node.count),
            cost: self.criterion.cost(&node.stats),
        }
    }

    fn candidates(&mut self, node: &mut Self::Node, out: &mut Vec<Candidate>) -> Result<()> {
        self.shrink_lists(node)?;
        match self.rules.sampling {
            Some(sampling) => self.search_drawn(sampling, node, out),
            None => self.search_all(node, out),
        }
    }

    fn divide(&mut self, node: Self::Node, chosen: &Candidate) -> Result<Vec<Self::Node>> {
        let trend = self.trend(chosen.feature, node.bounds);
        let mut children = self.distribute(node, chosen)?;
        // A cut that tells known from missing values is infinite: it says nothing about larger and smaller ones.
        if let (Some(trend), Question::Threshold(f64::MIN..=f64::MAX)) = (trend, &chosen.way.question) {
            let bounds = trend.divide(self.criterion, &children[0].stats, &children[1].stats);
            children.iter_mut().zip(bounds).for_each(|(child, bounds)| child.bounds = bounds);
        }
        Ok(children)
    }
}
