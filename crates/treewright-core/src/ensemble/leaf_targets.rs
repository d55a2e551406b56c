//! The targets of the training rows in each leaf of a forest, and the quantiles that follow from them.
//!
//! A forest predicts the mean of what its trees say. The rows of the leaves that a new row reaches say more: weighed by
//! their share of their leaf and averaged over the trees, they are the distribution of the target there (Meinshausen,
//! Quantile Regression Forests, 2006). All training rows are in every tree, whether or not its sample had them.
//!
//! Glossary. A *place* is one of the different pairs of target and weight, in ascending order; equal rows share one.

use crate::data::table::Table;
use crate::model::forest::Forest;
use crate::model::tree::Tree;
use crate::model::walk::reach;
use crate::stats::weights::Weights;
use crate::sys::memory::{collected, filled, room};
use crate::sys::pool::{self, Cancel};
use crate::{Error, Result};
use std::ops::Range;

/// Rows whose quantiles one thread computes without a look at the others.
const BLOCK: usize = 256;
/// What a tree contributes to the distribution of a row, in whole units: sums do not depend on their order.
const TREE: u64 = 1 << 40;

/// The targets of the rows in each node of each tree.
#[derive(Clone, Debug, PartialEq)]
pub struct LeafTargets {
    /// The target of each place.
    pub(super) values: Vec<f64>,
    /// The weight of each place in whole units; empty where every row counts once.
    pub(super) weights: Vec<u64>,
    /// Where the rows of each node begin among `members`: all nodes of the first tree, of the second, ..., and the end.
    pub(super) starts: Vec<u64>,
    /// The place of each row, ascending in each node.
    pub(super) members: Vec<u32>,
}

impl LeafTargets {
    /// The targets of the rows of a table, on up to so many threads.
    pub fn new(
        forest: &Forest,
        table: &Table<'_>,
        numbers: &[f64],
        weights: Option<&[f64]>,
        threads: usize,
        cancel: &Cancel,
    ) -> Result<LeafTargets> {
        forest.check_columns(table)?;
        let fits = numbers.len() == table.rows() && numbers.len() <= u32::MAX as usize && !numbers.is_empty();
        if !fits || numbers.iter().any(|y| !y.is_finite()) || weights.is_some_and(|w| w.len() != numbers.len()) {
            return Err(Error::data("data.target", "the target does not fit the table"));
        }
        let units = weights.map(Weights::new).transpose()?.map(|weights| weights.units);
        let (values, weights, places) = find_places(numbers, units.as_deref())?;
        // Rows in the order of their places: each node then lists them in this order.
        let mut order: Vec<u32> = collected(0..numbers.len() as u32)?;
        order.sort_unstable_by_key(|&row| (places[row as usize], row));
        let trees = (0..forest.trees().len()).collect();
        let grown = pool::each(threads, trees, |tree| {
            let nodes = forest.apply(tree, table, cancel)?;
            group(&nodes, forest.trees()[tree].len(), &order, &places)
        })?;
        let mut starts = room(forest.nodes() + 1)?;
        let mut members: Vec<u32> = room(numbers.len() * forest.trees().len())?;
        for tree in grown {
            let (counts, rows) = tree?;
            let mut start = members.len() as u64;
            for count in counts {
                starts.push(start);
                start += u64::from(count);
            }
            members.extend_from_slice(&rows);
        }
        starts.push(members.len() as u64);
        Ok(LeafTargets { values, weights, starts, members })
    }

    /// Whether these are targets of the nodes of a forest.
    pub fn fit(&self, forest: &Forest) -> bool {
        self.starts.len() == forest.nodes() + 1
    }

    /// The quantiles of each row, one for each share: the least target at or below which that share of the distribution
    /// lies.
    pub fn quantiles(
        &self,
        forest: &Forest,
        table: &Table<'_>,
        shares: &[f64],
        threads: usize,
        cancel: &Cancel,
    ) -> Result<Vec<f64>> {
        forest.check_columns(table)?;
        if !self.fit(forest) || shares.iter().any(|share| !(0.0..=1.0).contains(share)) {
            return Err(Error::data("recipe.quantiles", "the targets do not fit the forest, or a share is none"));
        }
        let mut first = 0;
        let offsets: Vec<usize> = collected(forest.trees().iter().map(|tree| {
            first += tree.len();
            first - tree.len()
        }))?;
        let blocks = (0..table.rows()).step_by(BLOCK).map(|row| row..(row + BLOCK).min(table.rows())).collect();
        let parts = pool::each(threads, blocks, |rows: Range<usize>| -> Result<Vec<f64>> {
            cancel.check()?;
            let mut sums = Distribution { sums: filled(0, self.values.len())?, touched: Vec::new(), total: 0 };
            let mut out = room(rows.len() * shares.len())?;
            for row in rows {
                for (tree, &offset) in forest.trees().iter().zip(&offsets) {
                    self.add(tree, offset, reach(tree, table.columns(), row), &mut sums);
                }
                sums.read(&self.values, shares, &mut out);
            }
            Ok(out)
        })?;
        let mut out = room(table.rows() * shares.len())?;
        for part in parts {
            out.extend_from_slice(&part?);
        }
        Ok(out)
    }

    /// Adds the rows of a node, and of all nodes below it where a value never seen stopped the row, each with its share of
    /// their weight.
    fn add(&self, tree: &Tree, offset: usize, node: usize, sums: &mut Distribution) {
        let spans = |each: &mut dyn FnMut(&[u32])| {
            let mut open = vec![node];
            while let Some(node) = open.pop() {
                each(&self.members[self.starts[offset + node] as usize..self.starts[offset + node + 1] as usize]);
                open.extend(tree.children(node));
            }
        };
        let mut total = 0;
        if self.weights.is_empty() {
            spans(&mut |places| total += places.len() as u128);
            let units = (u128::from(TREE) / total.max(1)) as u64;
            spans(&mut |places| places.iter().for_each(|&place| sums.add(place, units)));
            return;
        }
        let weight = |place: u32| u128::from(self.weights[place as usize]);
        spans(&mut |places| total += places.iter().map(|&place| weight(place)).sum::<u128>());
        let units = |place: u32| (u128::from(TREE) * weight(place) / total.max(1)) as u64;
        spans(&mut |places| places.iter().for_each(|&place| sums.add(place, units(place))));
    }
}

/// The distribution of one row's target, in whole units.
struct Distribution {
    sums: Vec<u64>,
    /// Places with a sum, in any order.
    touched: Vec<u32>,
    total: u64,
}

impl Distribution {
    fn add(&mut self, place: u32, units: u64) {
        let sum = &mut self.sums[place as usize];
        if *sum == 0 {
            self.touched.push(place);
        }
        *sum += units;
        self.total += units;
    }

    /// Appends the quantiles and begins anew.
    fn read(&mut self, values: &[f64], shares: &[f64], out: &mut Vec<f64>) {
        // A sum of 0 units may have been touched twice.
        self.touched.sort_unstable();
        self.touched.dedup();
        for share in shares {
            let enough = share * self.total as f64;
            let mut below = 0;
            let reached = self.touched.iter().find(|&&place| {
                below += self.sums[place as usize];
                below as f64 >= enough && below > 0
            });
            let place = reached.or(self.touched.last());
            out.push(place.map_or(f64::NAN, |&place| values[place as usize]));
        }
        self.touched.drain(..).for_each(|place| self.sums[place as usize] = 0);
        self.total = 0;
    }
}

/// Targets and weights of all places, and the place of each row.
fn find_places(numbers: &[f64], units: Option<&[u64]>) -> Result<(Vec<f64>, Vec<u64>, Vec<u32>)> {
    let unit = |row: u32| units.map_or(1, |units| units[row as usize]);
    // Adding 0 makes the negative zero an ordinary one.
    let number = |row: u32| numbers[row as usize] + 0.0;
    let mut order: Vec<u32> = collected(0..numbers.len() as u32)?;
    order.sort_unstable_by(|&a, &b| number(a).total_cmp(&number(b)).then(unit(a).cmp(&unit(b))));
    let (mut values, mut weights): (Vec<f64>, Vec<u64>) = (Vec::new(), Vec::new());
    let mut places = filled(0, numbers.len())?;
    for row in order {
        if values.last() != Some(&number(row)) || weights.last() != Some(&unit(row)) {
            values.push(number(row));
            weights.push(unit(row));
        }
        places[row as usize] = values.len() as u32 - 1;
    }
    if units.is_none() {
        weights.clear();
    }
    Ok((values, weights, places))
}

/// How many rows each node has, and their places node by node; `order` are the rows by their places.
fn group(nodes: &[u32], count: usize, order: &[u32], places: &[u32]) -> Result<(Vec<u32>, Vec<u32>)> {
    let mut counts: Vec<u32> = filled(0, count)?;
    nodes.iter().for_each(|&node| counts[node as usize] += 1);
    let mut next = 0;
    let mut ends: Vec<u32> = collected(counts.iter().map(|count| {
        next += count;
        next - count
    }))?;
    let mut members = filled(0, nodes.len())?;
    for &row in order {
        let end = &mut ends[nodes[row as usize] as usize];
        members[*end as usize] = places[row as usize];
        *end += 1;
    }
    Ok((counts, members))
}
