//! Least errors on columns of zeros and ones, for two or more classes.
//!
//! | module | holds |
//! | --- | --- |
//! | [`rows`] | the rows of the problem: distinct columns, classes and weights in runs |
//! | [`lanes`], [`kernels`] | registers of counts, and the inner loops on them |
//! | [`sides`], [`two_levels`] | the counts of a set of rows; the cheapest tree of two levels from them |
//! | [`packing`], [`list_rows`], [`key_sums`] | bits of rows to words of columns; rows of one side; keys of children |
//! | [`node`] | one node: its columns, its counts, both sides of each column |
//! | [`bounds`], [`table`] | what costs of related rows say; what is known about sets of rows |
//! | [`three_levels`], [`search`] | branch and bound |
//! | [`build`], [`root`], [`rounds`] | the tree; the order of work; threads, time, and the bound of the problem |

pub mod bounds;
pub mod build;
pub mod kernels;
pub mod key_sums;
pub mod lanes;
pub mod list_rows;
pub mod node;
pub mod packing;
pub mod root;
pub mod rounds;
pub mod rows;
pub mod search;
pub mod sides;
pub mod table;
#[cfg(test)]
mod tests;
pub mod three_levels;
pub mod two_levels;

use crate::bits::BitMatrix;
use crate::cost::Costs;
use crate::limits::{Limits, Progress, Watch};
use crate::problem::{Problem, too_many_columns};
use crate::solution::{Ending, Solution};
use bounds::Bounds;
use node::Setting;
use root::{Best, Root};
use rows::Rows;
use search::Search;
use sides::Counting;
use table::Table;
use treewright_core::Result;
use treewright_core::prelude::Isa;

/// The most bytes of the table, where the caller names none.
const TABLE_BYTES: usize = 1 << 26;
/// A search goes on in rounds after so many seconds, or after this share of the time limit.
const ROUNDS_AFTER: f64 = 0.25;
const ROUNDS_AFTER_SHARE: f64 = 0.1;
/// The most bytes of the counts of all pairs of columns.
const PAIR_BYTES: usize = 1 << 31;

/// The tree of least cost, with the instructions of this processor.
pub fn solve(problem: &Problem<'_>, bits: &BitMatrix, codes: &[u32], classes: usize) -> Result<Solution> {
    solve_with(Isa::detect(), problem, bits, codes, classes)
}

/// The same with the instructions of some tier; all tiers give the same tree.
pub fn solve_with(
    isa: Isa,
    problem: &Problem<'_>,
    bits: &BitMatrix,
    codes: &[u32],
    classes: usize,
) -> Result<Solution> {
    let rounds_after = problem.time_limit.map_or(ROUNDS_AFTER, |limit| ROUNDS_AFTER.min(limit * ROUNDS_AFTER_SHARE));
    solve_in_rounds(isa, problem, bits, codes, classes, rounds_after)
}

/// The same with rounds after so many seconds, which do not change the tree either.
fn solve_in_rounds(
    isa: Isa,
    problem: &Problem<'_>,
    bits: &BitMatrix,
    codes: &[u32],
    classes: usize,
    rounds_after: f64,
) -> Result<Solution> {
    let limits = Limits::start(problem);
    let progress = Progress::new(problem);
    let rows = Rows::new(problem, bits, codes, classes, isa)?;
    let setting = setting(isa, problem, &rows);
    let bounds = Bounds {
        unit: setting.costs.unit,
        leaf: setting.costs.leaf,
        two_classes: rows.classes == 2,
        has_min_leaf: setting.min_leaf > 1,
    };
    let depth = problem.max_depth.min(rows.keys.len());
    if depth > 1 {
        check_pairs(&rows, setting.counting)?;
    }
    let table = Table::new(useful_sets(rows.columns.len(), depth), problem.table_bytes.unwrap_or(TABLE_BYTES))?;
    let search = Search { rows: &rows, setting, bounds, table: &table, watch: Watch::new(&limits) };
    let root = Root {
        search: &search,
        limits: &limits,
        progress: &progress,
        own: &rows.all(),
        depth,
        threads: problem.threads,
        rounds_after,
        cancel: problem.cancel,
    };
    let best = root.run()?;
    let ending = if best.bound >= best.cost { Ending::Proven } else { limits.ending()? };
    Ok(solution(best, &setting.costs, rows.base, ending, &progress, limits.seconds()))
}

/// An error if the counts of all pairs of columns take too much memory.
fn check_pairs(rows: &Rows, counting: Counting) -> Result<()> {
    let mut parts = Vec::new();
    rows.parts(&rows.all(), &mut parts);
    let count = if Search::is_narrow(&parts) { size_of::<i16>() } else { size_of::<i32>() };
    let most = (PAIR_BYTES / counting.planes() / count).isqrt();
    if rows.columns.len() > most { Err(too_many_columns(rows.columns.len(), most)) } else { Ok(()) }
}

/// What was found, in errors; every tree makes those of the rows that were left out.
fn solution(best: Best, costs: &Costs, base: i32, ending: Ending, progress: &Progress<'_>, seconds: f64) -> Solution {
    let base = i64::from(base) * i64::from(costs.unit);
    let cost = base + i64::from(best.cost);
    let leaves = i64::from(costs.leaf) * best.nodes.leaves() as i64;
    Solution {
        errors: costs.in_errors(cost - leaves),
        cost: costs.in_errors(cost),
        lower_bound: costs.in_errors(base + i64::from(best.bound.min(best.cost))),
        nodes: best.nodes,
        ending,
        progress: progress.steps(),
        seconds,
    }
}

fn setting(isa: Isa, problem: &Problem<'_>, rows: &Rows) -> Setting {
    let min_leaf = problem.min_leaf.clamp(1, i32::MAX as usize / 2) as i32;
    Setting { isa, counting: Counting::of(rows.classes, min_leaf), costs: Costs::of(problem), min_leaf }
}

/// About how many sets of rows a search meets.
fn useful_sets(columns: usize, depth: usize) -> f64 {
    let questions = 2.0 * columns as f64;
    match depth {
        0..=2 => 1.0,
        3 => 4.0 * questions,
        4 => questions * questions,
        _ => questions.powi(3) / 4.0,
    }
}
