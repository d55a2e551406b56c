//! What a rule asks of a row: one answer to one question of the tree that it comes from.

use super::bits::Bits;
use crate::data::table::{Column, Table};
use crate::model::tree::{Kind, Question, SplitRule, Tree};
use std::collections::HashMap;

/// One answer to one question. A missing or unseen value never gives it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Condition {
    /// The column.
    pub feature: u32,
    /// What its value must be.
    pub test: Test,
}

/// What a value must be.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Test {
    /// At most this number, given by its bits.
    AtMost(u64),
    /// Above this number.
    Above(u64),
    /// One of these levels, ascending.
    Among(Vec<u32>),
}

impl Condition {
    /// The answer that leads from a branch to one of its children; None where only missing values go there.
    pub fn of(tree: &Tree, kinds: &[Kind], node: usize, child: usize) -> Option<Condition> {
        let place = (child - tree.children(node).start) as u16;
        let test = match tree.way(node, kinds).question {
            Question::Threshold(cut) if place == 0 => Test::AtMost(cut.to_bits()),
            Question::Threshold(cut) if place == 1 => Test::Above(cut.to_bits()),
            Question::Threshold(_) => return None,
            Question::Route(route) => {
                let levels: Vec<u32> =
                    (0..).zip(route).filter(|(_, to)| *to == place).map(|(level, _)| level).collect();
                if levels.is_empty() {
                    return None;
                }
                Test::Among(levels)
            }
        };
        Some(Condition { feature: tree.feature[node], test })
    }

    /// The rows that meet it.
    fn rows(&self, table: &Table<'_>) -> Bits {
        let column = table.columns()[self.feature as usize];
        match (&self.test, column) {
            (Test::Among(levels), Column::Categorical { codes, .. }) => {
                Bits::of(table.rows(), |row| levels.binary_search(&codes[row]).is_ok())
            }
            (Test::AtMost(cut), column) => Bits::of(table.rows(), |row| column.number(row) <= f64::from_bits(*cut)),
            (Test::Above(cut), column) => Bits::of(table.rows(), |row| column.number(row) > f64::from_bits(*cut)),
            (Test::Among(_), _) => Bits::of(table.rows(), |_| false),
        }
    }

    /// The question that it answers, with its own answer as the way on, and the place of that way.
    pub fn way(&self, kinds: &[Kind]) -> (SplitRule, u16) {
        match &self.test {
            Test::AtMost(cut) => (SplitRule::threshold(f64::from_bits(*cut), 1), 0),
            Test::Above(cut) => (SplitRule::threshold(f64::from_bits(*cut), 0), 1),
            Test::Among(levels) => {
                let count = match kinds[self.feature as usize] {
                    Kind::Categorical(count) => count,
                    Kind::Numeric => 0,
                };
                let route = (0..count).map(|level| u16::from(levels.binary_search(&level).is_err())).collect();
                (SplitRule { question: Question::Route(route), children: 2, missing: 1 }, 0)
            }
        }
    }
}

/// The conditions of a tree, each with its rows, found once however many rules share it.
#[derive(Debug, Default)]
pub struct Conditions {
    numbers: HashMap<Condition, usize>,
    /// Each condition.
    pub list: Vec<Condition>,
    /// The rows that meet it.
    pub rows: Vec<Bits>,
}

impl Conditions {
    /// The number of a condition.
    pub fn number(&mut self, condition: Condition, table: &Table<'_>) -> usize {
        if let Some(&number) = self.numbers.get(&condition) {
            return number;
        }
        let number = self.list.len();
        self.rows.push(condition.rows(table));
        self.list.push(condition.clone());
        self.numbers.insert(condition, number);
        number
    }
}

/// The conditions on the way to each leaf that is reached by at least so much weight, leaves in the order in which a
/// walk through the tree meets them: depth first, first child first.
pub fn paths(tree: &Tree, table: &Table<'_>, least: f64, conditions: &mut Conditions) -> Vec<(usize, Vec<usize>)> {
    let kinds = table.kinds();
    let mut out = Vec::new();
    let mut open = vec![(0usize, Some(Vec::new()))];
    while let Some((node, path)) = open.pop() {
        let Some(path) = path else { continue };
        if tree.is_leaf(node) {
            if tree.weight[node] >= least {
                out.push((node, path));
            }
            continue;
        }
        let first = open.len();
        for child in in_order(tree, &kinds, node) {
            let condition = Condition::of(tree, &kinds, node, child);
            let longer = condition.map(|condition| {
                let mut longer: Vec<usize> = path.clone();
                longer.push(conditions.number(condition, table));
                longer
            });
            open.push((child, longer));
        }
        open[first..].reverse();
    }
    out
}

/// The children of a branch in the order of the levels that lead to them.
fn in_order(tree: &Tree, kinds: &[Kind], node: usize) -> Vec<usize> {
    let mut children: Vec<usize> = tree.children(node).collect();
    if let Question::Route(route) = tree.way(node, kinds).question {
        let first = children[0];
        let place = |child: &usize| route.iter().position(|&to| to as usize == child - first).unwrap_or(usize::MAX);
        children.sort_by_key(place);
    }
    children
}
