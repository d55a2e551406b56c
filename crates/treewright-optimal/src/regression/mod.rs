//! Least squared error over all trees on columns of zeros and ones.
//!
//! Numbers of the target are whole steps from a center, so every sum is exact and no order of additions matters. What is
//! compared are scores: the squares that a tree explains, less the cost of its leaves. Scores are quotients of exact
//! numbers, and differences up to a ten-billionth of all squares count as none.
//!
//! | module | holds |
//! | --- | --- |
//! | [`sample`] | equal rows as one, sums as whole numbers |
//! | [`attributes`] | columns that belong together, such as cuts of one number |
//! | [`pairs`] | sums for every pair of columns |
//! | [`depth_two`] | the best tree of depth two from these sums |
//! | [`clusters`] | bounds: no tree explains more than the best clusters |
//! | [`parts`] | bounds: no set costs less than a part of it |
//! | [`solved`] | sets whose best tree is known |
//! | [`search`] | the best tree of any depth |

mod attributes;
mod clusters;
mod depth_two;
mod pairs;
mod parts;
mod sample;
mod search;
mod solved;
#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests;

use crate::limits::{Limits, Progress};
use crate::problem::{Columns, Problem, too_many_columns};
use crate::solution::{Ending, Nodes, Solution};
use depth_two::BestTree;
use sample::Sample;
use search::Search;
use treewright_core::prelude::Cancel;
use treewright_core::{Error, Result};

/// The bytes of the table of solved sets, unless the caller says otherwise.
const TABLE_BYTES: usize = 1 << 26;

/// The most columns, if trees have more than one question: sums are kept for every pair of them, 2 GB for so many.
const MOST_COLUMNS: usize = 1 << 13;

/// The tree of least squared error, or the best one that was found within the limits.
pub fn solve(problem: &Problem<'_>) -> Result<Solution> {
    let Columns::Bits(matrix) = problem.columns else {
        let message = "an optimal regression tree takes columns of zeros and ones: choose cuts of the numbers first";
        return Err(Error::data("data.columns", message));
    };
    let limits = Limits::start(problem);
    let progress = Progress::new(problem);
    let sample = Sample::new(problem, matrix)?;
    if problem.max_depth > 1 && sample.columns() > MOST_COLUMNS {
        return Err(too_many_columns(sample.columns(), MOST_COLUMNS));
    }
    let search = Search::new(&sample, &limits, problem.table_bytes.unwrap_or(TABLE_BYTES));
    let list: Vec<u32> = (0..sample.groups.len() as u32).collect();
    let cost_of = |score: f64| sample.in_units((sample.squares - score).max(0.0));
    let note = |score: f64, most: f64| progress.note(&limits, cost_of(score), cost_of(most));
    let best = search.run(&list, problem.max_depth, problem.threads, note)?;
    let ending = limits.ending()?;
    let mut nodes = Nodes::default();
    let never = Cancel::default();
    let without_limits = Limits::start(&Problem { time_limit: None, cancel: &never, ..*problem });
    let writer = Writer { search: &search, sample: &sample, without_limits: &without_limits };
    let explained = writer.write_tree(&mut nodes, &list, best.depth, best.tree)?;
    let errors = sample.in_units((sample.squares - explained).max(0.0));
    let cost = errors + problem.leaf_cost * nodes.leaves() as f64;
    let lower_bound = if ending == Ending::Proven { cost } else { cost_of(best.most).min(cost) };
    progress.note(&limits, cost, lower_bound);
    Ok(Solution { nodes, cost, errors, lower_bound, ending, progress: progress.steps(), seconds: limits.seconds() })
}

/// From the root of the best tree to the whole.
struct Writer<'a> {
    search: &'a Search<'a>,
    sample: &'a Sample,
    without_limits: &'a Limits<'a>,
}

impl Writer<'_> {
    /// Writes the best tree of a list, which the search knows by now, and returns what it explains.
    fn write_tree(&self, nodes: &mut Nodes, list: &[u32], depth: usize, tree: BestTree) -> Result<f64> {
        let total = self.sample.total(list);
        let node = nodes.push_leaf(self.sample.mean(&total));
        let Some(column) = tree.root.map(|root| root as usize) else {
            return Ok(total.explained());
        };
        nodes.make_split(node, self.sample.names[column], 0.5);
        let mut explained = 0.0;
        let mut places = [0; 2];
        for (side, place) in self.sample.divide(list, column).iter().zip(&mut places) {
            *place = nodes.feature.len();
            let below = self.search.best_again(side, depth - 1, self.without_limits)?;
            let leaf = BestTree { score: 0.0, root: None };
            explained += self.write_tree(nodes, side, depth - 1, below.unwrap_or(leaf))?;
        }
        nodes.set_children(node, places[0], places[1]);
        Ok(explained)
    }
}
