//! What is below one node of a larger tree, grown from the rows of that node alone.

use super::Recipe;
use super::criterion::TreeCriterion;
use super::grow_tree::TreeInput;
use super::handover::NodeRows;
use crate::Result;
use crate::codes::ranks::RankedColumn;
use crate::data::table::{Column, Table};
use crate::grow::frontier::Open;
use crate::grow::{Limits, grow};
use crate::model::tree::Tree;
use crate::model::walk::answer;
use crate::peers::Alone;
use crate::rows::columns::plan::Plan;
use crate::rows::list::distribute::distribute_rows;
use crate::rows::list::{List, SearchRules, Start};
use crate::rows::sorted::grow_sharing;
use crate::split::unknowns::Unknowns;
use crate::stats::criterion::{Classes, Criterion};
use crate::stats::entry::{Entry, list_rows};
use crate::stats::numbers::Numbers;
use crate::sys::pool::Cancel;
use std::sync::Arc;

/// What all subtrees of a tree share.
#[derive(Clone, Copy, Debug)]
pub struct BelowTop<'a> {
    /// What the whole tree is grown from: the rows of this process.
    pub input: TreeInput<'a>,
    /// Its criterion.
    pub criterion: &'a TreeCriterion<'a>,
    /// How lists of rows are searched, with the limits that depend on all rows.
    pub rules: &'a SearchRules,
    /// For each column whether a value is missing anywhere.
    pub has_missing: &'a [bool],
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

impl BelowTop<'_> {
    /// The subtree of a node on so many threads, from its rows.
    pub fn grow(&self, node: &Open<Start>, rows: &NodeRows, threads: usize) -> Result<Tree> {
        let TreeInput { recipe, cancel, .. } = self.input;
        let limits = Limits { max_depth: recipe.limits.max_depth - node.depth, ..recipe.limits };
        let recipe = Recipe { limits, threads, unknowns: self.rules.unknowns, ..recipe.clone() };
        let table = rows.table()?;
        let input = TreeInput { recipe: &recipe, table: &table, weights: &rows.weights, cancel };
        match self.criterion {
            TreeCriterion::Classes(like) => {
                let codes: Vec<u32> = rows.target.iter().map(|&class| class as u32).collect();
                let classes = Classes { target: &codes, ..like.classes() };
                self.grow_by(&input, &TreeCriterion::of_classes(&recipe, classes)?, &node.rows)
            }
            TreeCriterion::Numbers(like) => {
                let Numbers { step, center, .. } = *like.target;
                let numbers = Numbers { units: rows.target.clone(), step, center };
                self.grow_by(&input, &TreeCriterion::of_numbers(&recipe, &numbers, like.unit)?, &node.rows)
            }
        }
    }

    /// The questions about numbers of a subtree, where thresholds depend on the numbers of the whole table.
    pub fn numeric_splits(&self, tree: &Tree, rows: &NodeRows) -> Result<Vec<NumericSplit>> {
        let mut splits = Vec::new();
        if !matches!(self.rules.unknowns, Unknowns::Share(_)) {
            return Ok(splits);
        }
        let table = rows.table()?;
        let mut open = vec![(0, list_rows(&rows.weights)?)];
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
            let sent = distribute_rows(tree.n_children[node], &entries, child_of, &Alone, self.input.cancel)?;
            open.extend(tree.children(node).zip(sent.children));
        }
        Ok(splits)
    }

    /// The subtree of a node that starts so, by this criterion of its rows.
    fn grow_by(&self, input: &TreeInput<'_>, criterion: &TreeCriterion<'_>, start: &Start) -> Result<Tree> {
        if let Some(tree) = self.grow_fast(input, criterion, start)? {
            return Ok(tree);
        }
        match criterion {
            TreeCriterion::Classes(criterion) => self.grow_by_lists(input, criterion, start),
            TreeCriterion::Numbers(criterion) => self.grow_by_lists(input, criterion, start),
        }
    }

    /// The subtree by a fast engine; None where none supports what is asked for.
    fn grow_fast(&self, input: &TreeInput<'_>, criterion: &TreeCriterion<'_>, start: &Start) -> Result<Option<Tree>> {
        let TreeInput { recipe, table, weights, cancel } = *input;
        let Recipe { chooser, limits, threads, .. } = recipe;
        if let (Unknowns::Share(rules), TreeCriterion::Classes(criterion)) = (recipe.unknowns, criterion) {
            let features = Some(&start.features[..]);
            let rules = (rules, chooser, limits);
            return grow_sharing(table, criterion.classes(), weights, rules, features, *threads, cancel);
        }
        // Bounds of the way to the node, and shares of the whole weight, are known to lists alone.
        if !recipe.monotone.is_empty() || recipe.min_leaf_share != 0.0 {
            return Ok(None);
        }
        let Some(draw) = self.rules.sampling else {
            return Ok(input.grow_fast(criterion)?.map(|(tree, _)| tree));
        };
        // Columns are drawn by the place of a node in the whole tree.
        let Some(plan) = recipe.plan(cancel) else { return Ok(None) };
        let plan = Plan { below: Some((draw, start.key)), threads: 1, ..plan };
        input.grow_on_codes(&plan, criterion)
    }

    fn grow_by_lists<C: Criterion>(&self, input: &TreeInput<'_>, criterion: &C, start: &Start) -> Result<Tree> {
        let TreeInput { recipe, table, weights, cancel } = *input;
        let single = matches!(self.rules.unknowns, Unknowns::Share(rules) if rules.compare_as_f32);
        let columns = ranked_parts(table, single, self.has_missing, cancel)?;
        let mut rows = List::coded(Arc::new(columns), criterion, weights, self.rules.clone(), cancel)?;
        rows.start = Some(start.clone());
        grow(&mut rows, &recipe.chooser, &recipe.limits, cancel)
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
