//! AdaBoost with stumps: SAMME (Zhu, Zou, Rosset and Hastie 2009), of two classes the AdaBoost of Freund and Schapire.
//!
//! Each round takes the best stump of the weighted rows. Its vote is `rate (ln((1 - e) / e) + ln(K - 1))`, where `e` is
//! the weight of the rows that it misses, as a share; these rows then weigh `exp(vote)` times as much. A stump that
//! misses nothing, or is no better than chance, is the last.
//!
//! Weights are numbers, and for all sums integers of [`ONE`] to the whole weight of the first round: nothing depends on
//! the order of the rows. They are not made to add up to 1 after each round, which changes none of their shares.

use super::bag::Progress;
use super::merged_stumps::MergedStumps;
use super::stumps::{Change, FindStump, Stump, Stumps};
use crate::data::table::Table;
use crate::model::tree::{Leaf, SplitRule, Tree, first_largest};
use crate::peers::{Alone, Peers};
use crate::stats::criterion::{ClassCriterion, Classes, Criterion, Impurity};
use crate::stats::numbers::ExactSum;
use crate::stats::portable::add_everywhere;
use crate::sys::pool;
use crate::sys::pool::Cancel;
use crate::{Error, Result};

/// What comes of boosting.
#[derive(Clone, Debug, Default)]
pub struct Boosted {
    /// The stumps.
    pub trees: Vec<Tree>,
    /// The vote of each.
    pub votes: Vec<f64>,
    /// The share of the weight that each misses.
    pub errors: Vec<f64>,
    /// For each stump a bit a row, eight to a byte, the first the highest: the rows that it misses, whose weight grows.
    pub missed: Vec<Vec<u8>>,
}

/// How stumps are boosted.
#[derive(Clone, Copy, Debug)]
pub struct Rounds<'a> {
    /// The class of each row.
    pub target: &'a [u32],
    /// How many classes there are.
    pub classes: usize,
    /// What the rows weigh at first; None for the same.
    pub weights: Option<&'a [f64]>,
    /// The most stumps, those of an earlier run included.
    pub rounds: usize,
    /// By how much votes are shrunk.
    pub rate: f64,
    /// How many threads; 0 for all.
    pub threads: usize,
    /// Rounds of an earlier run that this one goes on with: their votes, and the rows that they missed as in [`Boosted`].
    pub before: &'a [(f64, Vec<u8>)],
}

/// The integer of the whole weight at first, and the sum at which weights are scaled down again.
const ONE: f64 = (1u64 << 50) as f64;
const MOST: u64 = 1 << 58;
/// Rows that one thread reweighs at a time; a multiple of 8.
const CHUNK: usize = 1 << 13;

/// The weights of the rows.
struct RowWeights {
    weights: Vec<f64>,
    units: Vec<u64>,
    /// The sum of the units.
    total: u64,
}

/// Boosts stumps; None where a column is not one of finite numbers.
pub fn adaboost(table: &Table<'_>, plan: &Rounds<'_>, progress: &Progress, cancel: &Cancel) -> Result<Option<Boosted>> {
    let threads = if table.rows().saturating_mul(table.columns().len()) < 1 << 15 { 1 } else { plan.threads };
    let stumps = Stumps::new(table, plan.target, plan.classes, threads, cancel)?;
    let Some(stumps) = stumps else { return Ok(None) };
    boost(stumps, plan, threads, &Alone, progress, cancel).map(Some)
}

/// The same for rows of which this process has these; the stumps are those of all rows, `missed` are rows of this process.
pub fn adaboost_merged(
    table: &Table<'_>,
    plan: &Rounds<'_>,
    peers: &dyn Peers,
    progress: &Progress,
    cancel: &Cancel,
) -> Result<Option<Boosted>> {
    let Some(stumps) = MergedStumps::new(table, plan.classes, peers, cancel)? else { return Ok(None) };
    boost(stumps, plan, plan.threads, peers, progress, cancel).map(Some)
}

/// Boosts stumps that are found in one way or another.
fn boost(
    mut stumps: impl FindStump,
    plan: &Rounds<'_>,
    threads: usize,
    peers: &dyn Peers,
    progress: &Progress,
    cancel: &Cancel,
) -> Result<Boosted> {
    let mut rows = [plan.target.len() as u64];
    peers.add(&mut rows)?;
    let mut row_weights = RowWeights::new(rows[0], plan, peers)?;
    let mut boosted = Boosted::default();
    let (mut changes, mut afresh) = (Vec::new(), true);
    for (vote, missed) in plan.before {
        cancel.check()?;
        let changes = row_weights.raise(missed, libm::exp(*vote), plan.target, threads)?;
        row_weights.shrink(&changes, peers)?;
    }
    for _ in plan.before.len()..plan.rounds {
        cancel.check()?;
        let stump = stumps.next(&changes, afresh, &row_weights.units, plan.target, cancel)?;
        let (tree, says, error) = plant_stump(stump.as_ref(), stumps.total(), rows[0], plan);
        let side = |row: usize| stump.as_ref().map_or(0, |stump| usize::from(!stumps.is_left(stump, row)));
        let missed = find_missed(&says, plan, threads, &side)?;
        let chance = 1.0 - 1.0 / plan.classes as f64;
        if error >= chance && !(boosted.trees.is_empty() && plan.before.is_empty()) {
            break;
        }
        let last = error <= 0.0 || error >= chance;
        let vote = if last { 1.0 } else { vote(error, plan) };
        boosted.trees.push(tree);
        boosted.votes.push(vote);
        boosted.errors.push(error);
        if !last {
            changes = row_weights.raise(&missed, libm::exp(vote), plan.target, threads)?;
            afresh = row_weights.shrink(&changes, peers)?;
        }
        boosted.missed.push(missed);
        progress.step();
        if last {
            break;
        }
    }
    Ok(boosted)
}

/// The vote of a stump that misses this share of the weight.
fn vote(error: f64, plan: &Rounds<'_>) -> f64 {
    plan.rate * (libm::log((1.0 - error) / error) + libm::log(plan.classes as f64 - 1.0))
}

/// The tree of a stump, or of the root alone, what its leaves answer, and the share of the weight that they miss.
fn plant_stump(stump: Option<&Stump>, total: &[u64], rows: u64, plan: &Rounds<'_>) -> (Tree, Vec<u32>, f64) {
    // Weights are shares of the whole.
    let all = total.iter().sum::<u64>();
    let classes = Classes { target: plan.target, classes: plan.classes, unit: 1.0 / all as f64 };
    let criterion = ClassCriterion::new(Impurity::Gini, classes);
    let mut tree = Tree::new(plan.classes);
    let mut shares = vec![0.0; plan.classes];
    let mut push = |tree: &mut Tree, stats: &[u64], count: u64| {
        criterion.value(stats, &mut shares);
        tree.push(Leaf { value: &shares, weight: criterion.weight(stats), count, cost: criterion.cost(stats) });
        first_largest(&shares)
    };
    let root = push(&mut tree, total, rows);
    let error = |right: u64| (all - right) as f64 / all as f64;
    let Some(stump) = stump else { return (tree, vec![root as u32], error(total[root])) };
    let right: Vec<u64> = total.iter().zip(&stump.left).map(|(total, left)| total - left).collect();
    let (low, high) = (criterion.weight(&stump.left), criterion.weight(&right));
    let gain = criterion.cost(total) - (criterion.cost(&stump.left) + criterion.cost(&right));
    tree.ask(0, stump.column as u32, &SplitRule::threshold(stump.threshold, u16::from(high >= low)), gain.max(0.0));
    let (low, high) = (push(&mut tree, &stump.left, stump.rows), push(&mut tree, &right, rows - stump.rows));
    (tree, vec![low as u32, high as u32], error(stump.left[low] + right[high]))
}

/// A bit for each row whose leaf answers another class.
fn find_missed(
    says: &[u32],
    plan: &Rounds<'_>,
    threads: usize,
    side: &(impl Fn(usize) -> usize + Sync),
) -> Result<Vec<u8>> {
    let chunks = (0..plan.target.len()).step_by(CHUNK).zip(plan.target.chunks(CHUNK)).collect();
    let parts = pool::each(threads, chunks, |(start, target): (usize, &[u32])| {
        let byte = |(i, eight): (usize, &[u32])| {
            let bit = |(j, &class): (usize, &u32)| u8::from(says[side(start + 8 * i + j)] != class) << (7 - j);
            eight.iter().enumerate().map(bit).fold(0, |bits, bit| bits | bit)
        };
        target.chunks(8).enumerate().map(byte).collect::<Vec<u8>>()
    })?;
    Ok(parts.concat())
}

impl RowWeights {
    /// Of the rows of this process, of so many in all.
    fn new(all_rows: u64, plan: &Rounds<'_>, peers: &dyn Peers) -> Result<RowWeights> {
        let (rows, weights) = (plan.target.len(), plan.weights);
        let total = match weights {
            Some(weights) => ExactSum::of_all(weights.iter().copied(), peers)?,
            None => all_rows as f64,
        };
        if !(total > 0.0 && total.is_finite()) {
            return Err(Error::data("data.weights", "the weights add up to nothing, or to too much"));
        }
        let mut own = Vec::new();
        own.try_reserve_exact(rows)?;
        own.extend((0..rows).map(|row| weights.map_or(1.0, |weights| weights[row]) / total));
        let mut units = Vec::new();
        units.try_reserve_exact(rows)?;
        units.extend(own.iter().map(|&weight| unit(weight)));
        let mut row_weights = RowWeights { weights: own, units, total: 0 };
        row_weights.add_up(peers)?;
        Ok(row_weights)
    }

    /// Sets the sum of the units of all processes.
    fn add_up(&mut self, peers: &dyn Peers) -> Result<()> {
        let mut total = [self.units.iter().sum()];
        peers.add(&mut total)?;
        self.total = total[0];
        Ok(())
    }

    /// Makes some rows weigh so many times as much, and tells what has changed, chunk by chunk.
    fn raise(&mut self, missed: &[u8], factor: f64, target: &[u32], threads: usize) -> Result<Vec<Vec<Change>>> {
        let rows = self.weights.chunks_mut(CHUNK).zip(self.units.chunks_mut(CHUNK));
        let chunks: Vec<_> =
            rows.zip(target.chunks(CHUNK)).zip(missed.chunks(CHUNK / 8)).zip((0u32..).step_by(CHUNK)).collect();
        pool::each(threads, chunks, |((((weights, units), target), missed), start)| {
            let mut changes = Vec::with_capacity(missed.iter().map(|byte| byte.count_ones() as usize).sum());
            for (i, mut bits) in missed.iter().copied().enumerate() {
                while bits != 0 {
                    let j = bits.leading_zeros() as usize;
                    bits &= !(0x80 >> j);
                    let place = 8 * i + j;
                    weights[place] *= factor;
                    let (old, new) = (units[place], unit(weights[place]));
                    units[place] = new;
                    changes.push((start + place as u32, target[place], new.wrapping_sub(old) as i64));
                }
            }
            changes
        })
    }

    /// Makes all weights add up to 1 again where integers become too large; whether it did.
    fn shrink(&mut self, changes: &[Vec<Change>], peers: &dyn Peers) -> Result<bool> {
        let mut more = [changes.iter().flatten().map(|change| i128::from(change.2)).sum::<i128>()];
        add_everywhere(peers, &mut more)?;
        self.total = (i128::from(self.total) + more[0]) as u64;
        if self.total < MOST {
            return Ok(false);
        }
        let scale = self.total as f64 / ONE;
        self.weights.iter_mut().for_each(|weight| *weight /= scale);
        self.units.iter_mut().zip(&self.weights).for_each(|(units, &weight)| *units = unit(weight));
        self.add_up(peers)?;
        Ok(true)
    }
}

fn unit(weight: f64) -> u64 {
    libm::rint(weight * ONE) as u64
}
