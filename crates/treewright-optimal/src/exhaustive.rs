//! Every tree, without any bound: slow, and easy to believe. The fast solvers are tested against it.
//!
//! Columns of zeros and ones, classes, any weights, cost of leaves and minimum leaf. Of trees of equal cost it takes the
//! leaf, then the column that comes first.

use crate::bits::BitMatrix;
use crate::cost::Costs;
use crate::limits::{Limits, Progress};
use crate::problem::{Columns, Problem, Target};
use crate::solution::{Ending, Nodes, Solution};
use treewright_core::{Error, Result};

/// The tree of least cost of all trees.
pub fn solve(problem: &Problem<'_>) -> Result<Solution> {
    solve_with(problem, Costs::of(problem))
}

/// The same with costs that were made for a larger table.
pub(crate) fn solve_with(problem: &Problem<'_>, costs: Costs) -> Result<Solution> {
    let (Columns::Bits(bits), Target::Classes { codes, classes }) = (problem.columns, problem.target) else {
        return Err(Error::data("data.target", "the exhaustive search takes bit columns and classes"));
    };
    let search = Search { problem, bits, codes, classes, costs, limits: Limits::start(problem) };
    let rows: Vec<usize> = (0..codes.len()).filter(|&row| problem.weight(row) > 0).collect();
    let best = search.best(&rows, problem.max_depth);
    let mut nodes = Nodes::default();
    search.write(&best, &rows, &mut nodes);
    let leaves = i64::from(search.costs.leaf) * nodes.leaves() as i64;
    let cost = search.costs.in_errors(best.cost);
    let ending = search.limits.ending()?;
    let lower_bound = if ending == Ending::Proven { cost } else { 0.0 };
    let progress = Progress::new(problem);
    progress.note(&search.limits, cost, lower_bound);
    Ok(Solution {
        nodes,
        cost,
        errors: search.costs.in_errors(best.cost - leaves),
        lower_bound,
        ending,
        progress: progress.steps(),
        seconds: search.limits.seconds(),
    })
}

/// A tree and its cost.
struct Best {
    cost: i64,
    split: Option<(usize, Box<[Best; 2]>)>,
}

struct Search<'a> {
    problem: &'a Problem<'a>,
    bits: &'a BitMatrix,
    codes: &'a [u32],
    classes: usize,
    costs: Costs,
    limits: Limits<'a>,
}

impl Search<'_> {
    fn best(&self, rows: &[usize], depth: usize) -> Best {
        let (_, wrong) = self.majority(rows);
        let mut best =
            Best { cost: i64::from(self.costs.leaf) + i64::from(self.costs.unit) * wrong as i64, split: None };
        let fewest = self.problem.min_leaf.max(1);
        if depth == 0 {
            return best;
        }
        for column in 0..self.bits.columns() {
            if self.limits.look() {
                break;
            }
            let sides = self.divide(rows, column);
            if sides.iter().any(|side| side.len() < fewest) {
                continue;
            }
            let children = sides.map(|side| self.best(&side, depth - 1));
            let cost = children[0].cost + children[1].cost;
            if cost < best.cost {
                best = Best { cost, split: Some((column, Box::new(children))) };
            }
        }
        best
    }

    fn divide(&self, rows: &[usize], column: usize) -> [Vec<usize>; 2] {
        let (right, left) = rows.iter().partition(|&&row| self.bits.get(row, column));
        [left, right]
    }

    /// The class of most weight, the first of equals, and the weight of the others.
    fn majority(&self, rows: &[usize]) -> (usize, u64) {
        let mut weights = vec![0u64; self.classes.max(1)];
        for &row in rows {
            weights[self.codes[row] as usize] += u64::from(self.problem.weight(row));
        }
        let most = weights.iter().copied().max().unwrap_or(0);
        let class = weights.iter().position(|&weight| weight == most).unwrap_or(0);
        (class, weights.iter().sum::<u64>() - most)
    }

    fn write(&self, best: &Best, rows: &[usize], nodes: &mut Nodes) -> usize {
        let node = nodes.push_leaf(self.majority(rows).0 as f64);
        if let Some((column, children)) = &best.split {
            nodes.make_split(node, *column, 0.5);
            let [left, right] = self.divide(rows, *column);
            let left = self.write(&children[0], &left, nodes);
            let right = self.write(&children[1], &right, nodes);
            nodes.set_children(node, left, right);
        }
        node
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use treewright_core::prelude::Cancel;

    #[test]
    fn exclusive_or_needs_depth_two_and_a_leaf_has_its_price() {
        let cells = [0, 0, 0, 1, 1, 0, 1, 1];
        let bits = BitMatrix::from_rows(4, 2, &cells).unwrap();
        let cancel = Cancel::default();
        let target = Target::Classes { codes: &[0, 1, 1, 0], classes: 2 };
        let problem = Problem::new(Columns::Bits(&bits), target, &cancel);
        let costs = |depth: usize, leaf_cost: f64, min_leaf: usize| {
            let solution = solve(&Problem { max_depth: depth, leaf_cost, min_leaf, ..problem }).unwrap();
            (solution.errors, solution.cost, solution.nodes.leaves())
        };
        assert_eq!(costs(1, 0.0, 1), (2.0, 2.0, 1));
        assert_eq!(costs(2, 0.0, 1), (0.0, 0.0, 4));
        assert_eq!(costs(2, 0.25, 1), (0.0, 1.0, 4));
        assert_eq!(costs(2, 1.0, 1), (2.0, 3.0, 1));
        assert_eq!(costs(2, 0.0, 2), (2.0, 2.0, 1));
    }
}
