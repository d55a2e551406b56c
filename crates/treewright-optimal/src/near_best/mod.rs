//! How many trees are nearly as good as the best one, and which columns they use.
//!
//! A tree is its questions; each leaf answers the class of most weight. A question whose two sides are leaves with the
//! same answer asks nothing, and trees that have one are not counted. For a set of rows and a depth, what trees
//! of little enough cost are made of is kept once; it is counted by cost, and again without each column.

mod rows;
#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests;
mod trees;
use crate::cost::Costs;
use crate::limits::Limits;
use crate::problem::Problem;
use crate::solution::Ending;
use rows::{Rows, Set};
use std::sync::atomic::{AtomicUsize, Ordering};
use trees::{Root, Trees};
use treewright_core::prelude::pool;
use treewright_core::{Error, Result};

/// The trees that cost no more than `most`.
#[derive(Clone, Debug, PartialEq)]
pub struct NearBest {
    /// The least cost of a tree.
    pub best: f64,
    /// The most that a counted tree may cost.
    pub most: f64,
    /// The number of trees; at least so many where it is not exact.
    pub trees: u128,
    /// Whether all of them were counted.
    pub is_exact: bool,
    /// For each column, the number of these trees that use it; None where that is not known.
    pub users: Vec<Option<u128>>,
    /// Why the count ended.
    pub ending: Ending,
}

/// So many questions are kept at most: some hundred megabytes.
const ROOM: usize = 1 << 23;

/// Counts the trees of bit columns whose cost is at most that of the best tree and a part `within` of it.
pub fn count_near_best(problem: &Problem<'_>, within: f64) -> Result<NearBest> {
    if !(within >= 0.0 && within.is_finite()) {
        return Err(Error::data("data.negative", format!("within is {within}; it must not be negative")));
    }
    let limits = Limits::start(problem);
    let rows = Rows::new(problem)?;
    let solution = crate::solve(problem)?;
    let costs = Costs::of(problem);
    let unit = f64::from(costs.unit);
    let best = (solution.cost * unit).round();
    let most = best + (within * best).floor();
    let columns = rows.columns();
    let mut answer = NearBest {
        best: best / unit,
        most: most / unit,
        trees: 0,
        is_exact: false,
        users: vec![None; columns],
        ending: solution.ending,
    };
    if solution.ending != Ending::Proven {
        return Ok(answer);
    }
    let finder =
        Finder { rows: &rows, costs, min_leaf: problem.min_leaf.max(1), limits: &limits, room: AtomicUsize::new(ROOM) };
    let trees = finder.find(&rows.all(), problem.max_depth, most as i64);
    answer.trees = trees.count_without(None, most as i64);
    answer.is_exact = !limits.is_stopped() && finder.has_room() && answer.trees < u128::MAX;
    if answer.is_exact {
        let without = pool::each(problem.threads, (0..columns).collect(), |column| {
            trees.count_without(Some(column), most as i64)
        })?;
        answer.users = without.into_iter().map(|others| Some(answer.trees - others)).collect();
    }
    answer.ending = limits.ending()?;
    Ok(answer)
}

/// Finds the trees that cost little enough.
struct Finder<'a> {
    rows: &'a Rows,
    costs: Costs,
    min_leaf: usize,
    limits: &'a Limits<'a>,
    /// How many more questions may be kept.
    room: AtomicUsize,
}

/// A leaf: its class and its cost.
#[derive(Clone, Copy)]
struct Leaf {
    class: usize,
    cost: i64,
}

impl Finder<'_> {
    fn leaf(&self, weights: &[i64]) -> Leaf {
        let most = weights.iter().copied().max().unwrap_or(0);
        let class = weights.iter().position(|&weight| weight == most).unwrap_or(0);
        let wrong = weights.iter().sum::<i64>() - most;
        Leaf { class, cost: i64::from(self.costs.leaf) + i64::from(self.costs.unit) * wrong }
    }

    fn has_room(&self) -> bool {
        self.room.load(Ordering::Relaxed) > 0
    }

    /// The trees of at most some depth for a set of rows that cost no more than `most`.
    fn find(&self, set: &Set, depth: usize, most: i64) -> Trees {
        let leaf = self.leaf(&set.weights).cost;
        let mut trees = Trees { leaf: Some(leaf).filter(|&cost| cost <= most), ..Trees::default() };
        if depth == 0 || set.rows < 2 * self.min_leaf || 2 * i64::from(self.costs.leaf) > most {
            return trees;
        }
        match depth {
            1 => self.find_questions(set, most, &mut trees),
            _ => self.find_roots(set, depth, most, &mut trees),
        }
        let questions = trees.questions.len() + trees.roots.len();
        let enough = |room: usize| Some(room.saturating_sub(questions));
        // Relaxed: only the sum matters, and whether it was used up.
        let _ = self.room.fetch_update(Ordering::Relaxed, Ordering::Relaxed, enough);
        trees
    }

    /// Questions with a leaf on either side.
    fn find_questions(&self, set: &Set, most: i64, trees: &mut Trees) {
        let mut ones = vec![0; set.weights.len()];
        let mut zeros = ones.clone();
        for column in 0..self.rows.columns() {
            let rows = self.rows.count_ones(set, column, &mut ones);
            if rows.min(set.rows - rows) < self.min_leaf {
                continue;
            }
            zeros.iter_mut().zip(&set.weights).zip(&ones).for_each(|((zeros, all), ones)| *zeros = all - ones);
            let (left, right) = (self.leaf(&zeros), self.leaf(&ones));
            if left.class != right.class && left.cost + right.cost <= most {
                trees.questions.push((column, left.cost + right.cost));
            }
        }
    }

    /// Questions with trees on either side.
    fn find_roots(&self, set: &Set, depth: usize, most: i64, trees: &mut Trees) {
        for column in 0..self.rows.columns() {
            if self.limits.look() || !self.has_room() {
                return;
            }
            let sides = self.rows.divide(set, column);
            if sides.iter().any(|side| side.rows < self.min_leaf) {
                continue;
            }
            let left = self.find(&sides[0], depth - 1, most - i64::from(self.costs.leaf));
            let Some(cheapest) = left.tally(None, most).first().map(|&(cost, _)| cost) else {
                continue;
            };
            let right = self.find(&sides[1], depth - 1, most - cheapest);
            let leaves = sides.each_ref().map(|side| self.leaf(&side.weights));
            let idle = (leaves[0].class == leaves[1].class).then(|| leaves[0].cost + leaves[1].cost);
            let root = Root { column, sides: Box::new([left, right]), idle };
            if !root.tally(None, most).is_empty() {
                trees.roots.push(root);
            }
        }
    }
}
