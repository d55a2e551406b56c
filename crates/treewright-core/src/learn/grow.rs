//! The one loop that builds a tree.
//!
//! It owns the frontier (nodes that may still be split), the limits and the node table. A node taken from the frontier
//! either stays a leaf or asks the chosen question, and its children join the frontier. Depth first, first child first:
//! the list of entries stays warm, and node numbers do not depend on anything but the data.

use super::choose::Candidate;
use super::criterion::Criterion;
use super::recipe::Recipe;
use super::rows::entries::Entries;
use super::split::levels;
use super::weights::Weights;
use crate::data::table::{Column, MISSING, Table};
use crate::model::tree::{Leaf, MAX_CHILDREN, Question, STOP, Tree};
use crate::pool::Cancel;
use crate::{Error, Result};
use std::ops::Range;

/// Where growing stops, besides a pure node and the chooser's own word.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// The most questions on a path.
    pub max_depth: u32,
    /// Nodes with fewer rows are leaves.
    pub min_samples_split: u32,
}

/// A node that may still be split.
struct Open {
    node: usize,
    depth: u32,
    span: Range<usize>,
    /// The columns not yet asked about on the path, in their order.
    features: std::rc::Rc<[u32]>,
}

/// A categorical column as the loop sees it.
struct Choice<'a> {
    codes: &'a [u32],
    levels: u32,
    /// Whether a value is missing anywhere in training: then missing is one more possible value.
    has_missing: bool,
}

impl Choice<'_> {
    fn branches(&self) -> usize {
        self.levels as usize + usize::from(self.has_missing)
    }
}

/// Grows one tree.
pub fn grow(
    table: &Table<'_>,
    criterion: &impl Criterion,
    weights: &Weights,
    recipe: &Recipe,
    cancel: &Cancel,
) -> Result<Tree> {
    let columns = choices(table)?;
    let mut grower = Grower {
        columns,
        criterion,
        recipe,
        unit: weights.unit,
        entries: Entries::new(&weights.units)?,
        tree: Tree::new(criterion.outputs()),
        stats: Vec::new(),
        value: vec![0.0; criterion.outputs()],
    };
    let mut frontier = vec![grower.root()?];
    while let Some(open) = frontier.pop() {
        cancel.check()?;
        if let Some(split) = grower.choose(&open) {
            grower.split(open, split, &mut frontier);
        }
    }
    Ok(grower.tree)
}

fn choices<'a>(table: &Table<'a>) -> Result<Vec<Choice<'a>>> {
    let choice = |(i, column): (usize, &Column<'a>)| match *column {
        Column::Numeric(_) => Err(Error::data("recipe.numeric", format!("column {i} is numeric, not categorical"))),
        Column::Categorical { codes, levels } => {
            let choice = Choice { codes, levels, has_missing: codes.contains(&MISSING) };
            if choice.branches() > MAX_CHILDREN {
                let message =
                    format!("column {i} has {levels} different values; at most {MAX_CHILDREN} can be branches");
                return Err(Error::data("data.too-many-levels", message));
            }
            Ok(choice)
        }
    };
    table.columns().iter().enumerate().map(choice).collect()
}

struct Grower<'a, C> {
    columns: Vec<Choice<'a>>,
    criterion: &'a C,
    recipe: &'a Recipe,
    unit: f64,
    entries: Entries,
    tree: Tree,
    /// Scratch: the statistics of a split's branches.
    stats: Vec<u64>,
    /// Scratch: what a leaf says.
    value: Vec<f64>,
}

impl<C: Criterion> Grower<'_, C> {
    fn root(&mut self) -> Result<Open> {
        if self.entries.is_empty() {
            return Err(Error::data("data.empty", "no row has a weight above zero"));
        }
        let span = 0..self.entries.len();
        let mut stats = vec![0; self.criterion.width()];
        for entry in self.entries.of(&span) {
            self.criterion.add(&mut stats, entry.row as usize, entry.weight);
        }
        let node = self.push(&stats, span.len());
        // A column with one possible value has nothing to ask.
        let features = (0..self.columns.len() as u32).filter(|&f| self.columns[f as usize].branches() > 1).collect();
        Ok(Open { node, depth: 0, span, features })
    }

    /// Adds a leaf for a set of rows; `value` must already say the parent's where the set is empty.
    fn push(&mut self, stats: &[u64], count: usize) -> usize {
        let weight = self.criterion.weight(stats);
        if weight > 0 {
            self.criterion.value(stats, &mut self.value);
        }
        self.tree.push(Leaf {
            value: &self.value,
            weight: weight as f64 * self.unit,
            count: count as u32,
            cost: self.criterion.cost(stats) * self.unit,
        })
    }

    fn choose(&mut self, open: &Open) -> Option<Candidate> {
        let limits = &self.recipe.limits;
        let pure = self.tree.cost[open.node] == 0.0;
        let small = open.span.len() < limits.min_samples_split as usize;
        if pure || small || open.depth >= limits.max_depth {
            return None;
        }
        let weight = self.tree.weight[open.node] / self.unit;
        let cost = self.tree.cost[open.node] / self.unit;
        let chooser = self.recipe.chooser;
        chooser.choose(open.features.iter().map(|&feature| {
            self.add_up(&open.span, feature);
            let left = levels::remaining_cost(self.criterion, &self.stats);
            Candidate { feature, gain: (cost - left) / weight }
        }))
    }

    /// Fills `stats` with the statistics of the branches of one column.
    fn add_up(&mut self, span: &Range<usize>, feature: u32) {
        let column = &self.columns[feature as usize];
        self.stats.clear();
        self.stats.resize(column.branches() * self.criterion.width(), 0);
        levels::add_up(self.criterion, column.codes, column.levels, self.entries.of(span), &mut self.stats);
    }

    fn split(&mut self, open: Open, chosen: Candidate, frontier: &mut Vec<Open>) {
        self.add_up(&open.span, chosen.feature);
        let column = &self.columns[chosen.feature as usize];
        let (branches, codes, levels) = (column.branches(), column.codes, column.levels);
        let missing = if column.has_missing { levels as u16 } else { STOP };
        let route: Vec<u16> = (0..levels as u16).collect();
        let gain = chosen.gain.max(0.0) * self.tree.weight[open.node];
        self.tree.ask(open.node, chosen.feature, Question::Route(&route), branches as u16, missing, gain);
        let spans = self.entries.divide(open.span, branches, |row| levels::branch_of(codes[row as usize], levels));
        let features: std::rc::Rc<[u32]> = open.features.iter().copied().filter(|&f| f != chosen.feature).collect();
        let stats = std::mem::take(&mut self.stats);
        let first = frontier.len();
        for (span, stats) in spans.into_iter().zip(stats.chunks_exact(self.criterion.width())) {
            self.value.copy_from_slice(self.tree.value_of(open.node));
            let node = self.push(stats, span.len());
            if !span.is_empty() {
                frontier.push(Open { node, depth: open.depth + 1, span, features: features.clone() });
            }
        }
        self.stats = stats;
        frontier[first..].reverse();
    }
}
