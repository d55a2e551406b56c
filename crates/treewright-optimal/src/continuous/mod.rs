//! Fewest errors over all trees of depth up to three with every cut of every column of numbers.
//!
//! | module | holds |
//! | --- | --- |
//! | [`codes`] | numbers as ordered codes; comparing and keeping many at once |
//! | [`table`] | the columns as codes, rows in the order of every column |
//! | [`node`] | the rows of a node in every order |
//! | [`stump`], [`counts`] | the best question for both sides of a cut: by signs, and in general |
//! | [`intervals`] | cuts that are not settled, by lower bounds |
//! | [`depth_two`], [`depth_three`] | the searches |
//! | [`rebuild`] | the upper questions to a whole tree |

mod codes;
mod counts;
mod depth_three;
mod depth_two;
mod intervals;
mod node;
mod rebuild;
mod stump;
mod table;
#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests;

use crate::limits::{Limits, Progress};
use crate::problem::{Columns, Problem};
use crate::solution::{Ending, Solution};
use codes::Code;
use depth_three::{Best, Search, Top};
use table::{RankedColumns, Table};
use treewright_core::{Error, Result};

/// The deepest trees that are searched over all cuts.
pub const MAX_DEPTH: usize = 3;

/// The tree of least cost over all cuts, or the best one that was found within the limits.
pub fn solve(problem: &Problem<'_>) -> Result<Solution> {
    let Columns::Numbers(columns) = problem.columns else {
        return Err(Error::data("data.columns", "the search over all cuts takes columns of numbers"));
    };
    if problem.max_depth > MAX_DEPTH {
        let message = format!("trees over all cuts have depth {MAX_DEPTH} at most, {} asked for", problem.max_depth);
        return Err(Error::data("data.too-large", message));
    }
    let limits = Limits::start(problem);
    let ranked = RankedColumns::new(problem, columns)?;
    if ranked.most_values() < usize::from(u16::PAD) {
        solve_table(problem, &ranked.into_table::<u16>(problem)?, &limits)
    } else {
        solve_table(problem, &ranked.into_table::<u32>(problem)?, &limits)
    }
}

fn solve_table<T: Code>(problem: &Problem<'_>, table: &Table<T>, limits: &Limits<'_>) -> Result<Solution> {
    let progress = Progress::new(problem);
    let unit = table.rules.unit as f64;
    let note = |cost: i64, lower: i64| progress.note(limits, cost as f64 / unit, lower as f64 / unit);
    let best = search(problem, table, limits, note)?;
    let ending = limits.ending()?;
    let depth = problem.max_depth.min(if table.columns() == 0 { 0 } else { MAX_DEPTH });
    let nodes = rebuild::write_tree(table, &best.top, depth)?;
    let leaves = table.rules.leaf * nodes.leaves() as i64;
    let lower = if ending == Ending::Proven { best.cost } else { best.lower };
    note(best.cost, lower);
    Ok(Solution {
        nodes,
        cost: best.cost as f64 / unit,
        errors: (best.cost - leaves) as f64 / unit,
        lower_bound: lower as f64 / unit,
        ending,
        progress: progress.steps(),
        seconds: limits.seconds(),
    })
}

fn search<T: Code>(
    problem: &Problem<'_>,
    table: &Table<T>,
    limits: &Limits<'_>,
    note: impl Fn(i64, i64),
) -> Result<Best<T>> {
    let rows: Vec<u32> = (0..table.rows() as u32).collect();
    let leaf = table.leaf_cost(&rows);
    let lone = Top { root: None, sides: [None; 2] };
    note(leaf, table.rules.leaf.min(leaf));
    if problem.max_depth == 0 || table.columns() == 0 {
        return Ok(Best { top: lone, cost: leaf, lower: leaf });
    }
    let search = Search::new(table, limits)?;
    let one = search.depth_one();
    if problem.max_depth == 1 {
        return Ok(Best { top: lone, cost: one, lower: one });
    }
    note(one, table.rules.leaf.min(one));
    let two = search.depth_two()?;
    if problem.max_depth == 2 || limits.is_stopped() {
        let lower = if problem.max_depth == 2 { two.lower } else { table.rules.leaf.min(two.cost) };
        let top = Top { root: two.cut, sides: [None; 2] };
        return Ok(Best { top, cost: two.cost, lower });
    }
    search.depth_three(&two, problem.threads, note)
}
