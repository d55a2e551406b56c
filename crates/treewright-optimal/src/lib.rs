//! Trees with the least cost of all trees of their depth, and a proof that none is better.
//!
//! | module | holds |
//! | --- | --- |
//! | [`problem`] | what is asked: columns, target, weights, depth, costs, limits |
//! | [`solution`] | what is answered: a tree, its cost, a lower bound |
//! | [`bits`] | columns of zeros and ones |
//! | [`class_tree`] | the tree of a search as a node table |
//! | [`cost`] | errors and the cost of leaves as integers |
//! | [`limits`] | time, cancellation, and the report of progress |
//! | [`classes`] | least errors on columns of zeros and ones |
//! | [`continuous`] | least errors on columns of numbers, over all cuts |
//! | [`regression`] | least squared error on columns of zeros and ones |
//! | [`near_best`] | how many trees are nearly as good as the best one |
//! | [`exhaustive`] | every tree, without any bound: the slow twin of the fast solvers |

pub mod bits;
pub mod class_tree;
pub(crate) mod classes;
pub mod continuous;
pub mod cost;
pub mod exhaustive;
pub mod limits;
pub mod near_best;
pub mod problem;
pub mod regression;
pub mod solution;

pub use bits::BitMatrix;
pub use problem::{Columns, Problem, Report, Target};
pub use solution::{Ending, Nodes, Solution};

use treewright_core::Result;

/// The tree of least cost, or the best one that was found within the limits, with a proven lower bound.
pub fn solve(problem: &Problem<'_>) -> Result<Solution> {
    problem.check()?;
    match (problem.columns, problem.target) {
        (Columns::Bits(bits), Target::Classes { codes, classes }) => classes::solve(problem, bits, codes, classes),
        (Columns::Numbers(_), Target::Classes { .. }) => continuous::solve(problem),
        (_, Target::Numbers(_)) => regression::solve(problem),
    }
}

#[cfg(test)]
mod test_random;
