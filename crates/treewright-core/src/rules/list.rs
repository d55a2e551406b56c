//! A list of rules as a forest: each tree is one rule, and the first tree that says something answers.
//!
//! A rule's tree is a chain: each condition asks, "no" leads to a leaf that says nothing (zeros), "yes" goes on, and the
//! last "yes" says the class. The last tree is a single leaf: the default. Every node has the weight and the number of
//! training rows that meet the conditions so far, and its cost is the weight of those that are of another class.

use super::Rows;
use super::condition::Conditions;
use super::generalize::Rule;
use crate::Result;
use crate::model::tree::{Leaf, Tree};
use crate::sys::pool::Cancel;

/// What the class of a rule gets at the least: the rule answers with it, however wrong it may be.
const MORE_THAN_HALF: f64 = 0.5 + 1.0 / (1 << 20) as f64;

/// The trees of rules in their order. `uncovered` is the weight of each class among the rows that no rule covers, `all` that
/// among all rows.
pub fn rule_trees(
    rules: &[Rule],
    conditions: &Conditions,
    uncovered: &[u64],
    all: &[u64],
    rows: Rows<'_>,
    cancel: &Cancel,
) -> Result<Vec<Tree>> {
    let total: u64 = all.iter().sum();
    let prior: Vec<f64> = all.iter().map(|&units| units as f64 / total as f64).collect();
    let chain = |rule| cancel.check().and_then(|()| chain(rule, conditions, rows, &prior));
    let mut trees = rules.iter().map(chain).collect::<Result<Vec<Tree>>>()?;
    trees.push(fallback(uncovered, rows, &prior)?);
    Ok(trees)
}

fn chain(rule: &Rule, conditions: &Conditions, rows: Rows<'_>, prior: &[f64]) -> Result<Tree> {
    let kinds = rows.table.kinds();
    let mut tree = Tree::new(rows.classes);
    let mut here: Vec<usize> = (0..rows.table.rows()).filter(|&row| rows.weights.units[row] > 0).collect();
    let nothing = vec![0.0; rows.classes];
    tree.reserve(1, 0)?;
    let mut node = push(&mut tree, rows, rule.class, &here, &nothing);
    for (i, &number) in rule.conditions.iter().enumerate() {
        let condition = &conditions.list[number];
        let (way, yes) = condition.way(&kinds);
        tree.reserve(2, way.n_levels())?;
        tree.ask(node, condition.feature, &way, 0.0);
        let mut met = vec![false; rows.table.rows()];
        conditions.rows[number].rows().for_each(|row| met[row] = true);
        let (on, off): (Vec<usize>, Vec<usize>) = here.iter().partition(|&&row| met[row]);
        here = on;
        let last = i + 1 == rule.conditions.len();
        let says = if last { shares(rule, rows, &here, prior) } else { nothing.clone() };
        let parts = if yes == 0 { [(&here, &says), (&off, &nothing)] } else { [(&off, &nothing), (&here, &says)] };
        let [first, second] = parts.map(|(part, says)| push(&mut tree, rows, rule.class, part, says));
        node = if yes == 0 { first } else { second };
    }
    Ok(tree)
}

/// The shares that a rule says: its class what is expected to be right, the others the rest as they occur.
fn shares(rule: &Rule, rows: Rows<'_>, covered: &[usize], prior: &[f64]) -> Vec<f64> {
    if rows.classes == 1 {
        return vec![1.0];
    }
    let mut others = prior.to_vec();
    covered.iter().for_each(|&row| others[rows.target[row] as usize] += real(rows, rows.weights.units[row]));
    others[rule.class] = 0.0;
    let sum: f64 = others.iter().sum();
    let own = (1.0 - rule.expected).max(MORE_THAN_HALF);
    let mut says: Vec<f64> = others.iter().map(|share| (1.0 - own) * share / sum).collect();
    says[rule.class] = own;
    says
}

/// The single leaf of the default: the classes of the rows that no rule covers, and one more row in the shares of
/// all, so that of equals the commoner class is answered.
fn fallback(uncovered: &[u64], rows: Rows<'_>, prior: &[f64]) -> Result<Tree> {
    let uncovered: Vec<f64> = uncovered.iter().map(|&units| real(rows, units)).collect();
    let total: f64 = uncovered.iter().sum();
    let says: Vec<f64> = uncovered.iter().zip(prior).map(|(weight, prior)| (weight + prior) / (total + 1.0)).collect();
    let mut tree = Tree::new(rows.classes);
    tree.reserve(1, 0)?;
    let largest = uncovered.iter().copied().fold(0.0, f64::max);
    tree.push(Leaf { value: &says, weight: total, count: 0, cost: total - largest });
    Ok(tree)
}

fn push(tree: &mut Tree, rows: Rows<'_>, class: usize, part: &[usize], says: &[f64]) -> usize {
    let weigh = |of_class: bool| {
        let units = part.iter().filter(|&&row| (rows.target[row] as usize == class) == of_class);
        units.map(|&row| rows.weights.units[row]).sum::<u64>()
    };
    let (right, wrong) = (weigh(true), weigh(false));
    let (weight, cost) = (real(rows, right + wrong), real(rows, wrong));
    tree.push(Leaf { value: says, weight, count: part.len() as u64, cost })
}

fn real(rows: Rows<'_>, units: u64) -> f64 {
    units as f64 * rows.weights.unit
}
