//! What is below one node of a larger tree, grown from the rows of that node alone.

use super::Recipe;
use super::criterion::{KnownCriterion, Visitor, with_known_target};
use super::grow_tree::Job;
use super::handover::NodeRows;
use crate::Result;
use crate::codes::ranks::RankedColumn;
use crate::data::table::{Column, Table};
use crate::grow::{Limits, grow};
use crate::model::tree::Tree;
use crate::model::walk::answer;
use crate::peers::Alone;
use crate::rows::columns::plan::Plan;
use crate::rows::list::distribute::distribute_rows;
use crate::rows::list::{List, SearchRules, Start};
use crate::rows::sorted::grow_sharing;
use crate::split::sampling::FeatureSampling;
use crate::split::unknowns::Unknowns;
use crate::stats::criterion::Criterion;
use crate::stats::entry::{Entry, list_rows};
use crate::sys::pool::Cancel;
use std::sync::Arc;

/// What all subtrees of a tree share.
#[derive(Clone, Copy, Debug)]
pub struct SharedTerms<'a> {
    /// How the tree is grown.
    pub recipe: &'a Recipe,
    /// The same for lists of rows, with the limits that depend on all rows.
    pub rules: &'a SearchRules,
    /// For each column whether a value is missing anywhere.
    pub has_missing: &'a [bool],
    /// The criterion of the tree.
    pub criterion: KnownCriterion<'a>,
    /// The weight of a unit.
    pub unit: f64,
    /// Stops the work.
    pub cancel: &'a Cancel,
}

/// A question about numbers and the training numbers next to its threshold.
#[derive(Clone, Copy, Debug)]
pub struct NumericSplit {
    /// The node that asks.
    pub node: usize,
    /// The column.
    pub feature: u32,
    /// The greatest number below the threshold and the least above it, among the rows of the node.
    pub between: (f64, f64),
}

impl SharedTerms<'_> {
    /// The subtree of a node to which so many questions lead, on so many threads, from its rows.
    pub fn grow_below(&self, depth: u32, start: &Start, rows: &NodeRows, threads: usize) -> Result<Tree> {
        let limits = Limits { max_depth: self.recipe.limits.max_depth - depth, ..self.recipe.limits };
        let recipe = Recipe { limits, threads, unknowns: self.rules.unknowns, ..self.recipe.clone() };
        let (table, weights) = (rows.table()?, rows.weights(self.unit));
        let target = rows.target(self.criterion);
        let job = Job { recipe: &recipe, table: &table, weights: &weights };
        with_known_target(&recipe, target.known(), self.unit, Subtree { shared: *self, job, start })
    }

    /// The questions about numbers of a subtree, where thresholds depend on the numbers of the whole table.
    pub fn numeric_splits(&self, tree: &Tree, rows: &NodeRows) -> Result<Vec<NumericSplit>> {
        let mut splits = Vec::new();
        if !matches!(self.rules.unknowns, Unknowns::Share(_)) {
            return Ok(splits);
        }
        let (table, weights) = (rows.table()?, rows.weights(self.unit));
        let mut open = vec![(0, list_rows(&weights)?)];
        while let Some((node, entries)) = open.pop() {
            if tree.n_children[node] == 0 {
                continue;
            }
            let column = &table.columns()[tree.feature[node] as usize];
            if !matches!(column, Column::Categorical { .. }) {
                let between = numbers_around(column, &entries, tree.threshold[node]);
                splits.push(NumericSplit { node, feature: tree.feature[node], between });
            }
            let child_of = |_, row: u32| answer(tree, node, table.columns(), row as usize);
            let sent = distribute_rows(tree.n_children[node], &entries, child_of, &Alone, self.cancel)?;
            open.extend(tree.children(node).zip(sent.children));
        }
        Ok(splits)
    }
}

/// The numbers next to a threshold.
fn numbers_around(column: &Column<'_>, entries: &[Entry], threshold: f64) -> (f64, f64) {
    let numbers = entries.iter().map(|entry| column.number(entry.row as usize)).filter(|number| !number.is_nan());
    numbers.fold((f64::NEG_INFINITY, f64::INFINITY), |(low, high), number| match number <= threshold {
        true => (low.max(number), high),
        false => (low, high.min(number)),
    })
}

/// Growing a subtree.
struct Subtree<'a> {
    shared: SharedTerms<'a>,
    job: Job<'a>,
    start: &'a Start,
}

impl Visitor for Subtree<'_> {
    type Output = Tree;

    fn visit<C: Criterion>(self, criterion: &C, known: KnownCriterion<'_>) -> Result<Tree> {
        if let Some(tree) = self.grow_fast(known)? {
            return Ok(tree);
        }
        let SharedTerms { rules, has_missing, cancel, .. } = self.shared;
        let Job { recipe, table, weights } = self.job;
        let single = matches!(rules.unknowns, Unknowns::Share(rules) if rules.compare_as_f32);
        let columns = ranked_parts(table, single, has_missing, cancel)?;
        let mut rows = List::coded(Arc::new(columns), criterion, weights, rules.clone(), cancel)?;
        rows.start = Some(self.start.clone());
        grow(&mut rows, &recipe.chooser, &recipe.limits, cancel)
    }
}

impl Subtree<'_> {
    /// The subtree by a fast engine; None where none supports what is asked for.
    fn grow_fast(&self, known: KnownCriterion<'_>) -> Result<Option<Tree>> {
        let (Job { recipe, table, weights }, cancel) = (self.job, self.shared.cancel);
        let Recipe { chooser, limits, threads, .. } = recipe;
        match (recipe.unknowns, known) {
            (Unknowns::Share(rules), KnownCriterion::Classes(criterion)) => {
                let features = Some(&self.start.features[..]);
                let rules = (rules, chooser, limits);
                grow_sharing(table, criterion.classes(), weights, rules, features, *threads, cancel)
            }
            // Bounds of the way to the node, and shares of the whole weight, are known to lists alone.
            _ if recipe.monotone.is_empty() && recipe.min_leaf_share == 0.0 => match self.shared.rules.sampling {
                Some(draw) => self.grow_drawn(known, draw),
                None => Ok(self.job.grow_fast(known, cancel)?.map(|(tree, _)| tree)),
            },
            _ => Ok(None),
        }
    }

    /// The same where columns are drawn, by the place of a node in the whole tree.
    fn grow_drawn(&self, known: KnownCriterion<'_>, draw: FeatureSampling) -> Result<Option<Tree>> {
        let Job { recipe, table, weights } = self.job;
        let Some(plan) = recipe.plan(self.shared.cancel) else { return Ok(None) };
        let plan = Plan { below: Some((draw, self.start.key)), threads: 1, ..plan };
        match known {
            KnownCriterion::Classes(criterion) => plan.classes(table, criterion, criterion.classes().target, weights),
            KnownCriterion::Numbers(criterion) => plan.numbers(table, criterion, weights),
        }
    }
}

/// The columns of a part of a table, given for each whether a value is missing anywhere.
pub fn ranked_parts<'a>(
    table: &Table<'a>,
    single: bool,
    has_missing: &[bool],
    cancel: &Cancel,
) -> Result<Vec<RankedColumn<'a>>> {
    let columns = table.columns().iter().zip(has_missing);
    columns.map(|(column, &missing)| Ok(RankedColumn::new(column, single, cancel)?.with_missing(missing))).collect()
}
