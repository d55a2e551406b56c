//! From a tree to an ordered list of rules: the first one that matches a row answers, and a default where none does.
//!
//! Each leaf is a rule; conditions that do not help are dropped ([`generalize`]); of each class the set of rules with the
//! shortest message is kept ([`sift`]); the classes and their rules are put in order, and rules that do harm are dropped
//! ([`order`]). The result is a forest in which each tree is one rule ([`list`]).

pub mod bill;
pub mod bits;
pub mod condition;
pub mod draws;
pub mod generalize;
pub mod list;
pub mod order;
pub mod sift;

use self::bill::Prices;
use self::bits::{Bits, Scale};
use self::condition::{Conditions, paths};
use self::draws::Draws;
use self::generalize::{Judge, Room, Rule};
use self::order::Cases;
use self::sift::{Candidates, sift};
use crate::data::table::Table;
use crate::model::forest::Forest;
use crate::model::tree::{Tree, first_largest};
use crate::prune::estimate::Estimate;
use crate::stats::target::Target;
use crate::stats::weights::Weights;
use crate::sys::pool::Cancel;
use crate::tolerance::RULE_WEIGHT;
use crate::{Error, Result};

/// A rule that is expected to be wrong more often matches nothing.
const WRONG: f64 = 0.7;

/// What rules are learnt with.
#[derive(Clone, Copy, Debug)]
pub struct Terms {
    /// How errors are estimated.
    pub estimate: Estimate,
    /// How redundant the columns are: by so much naming one is cheaper.
    pub redundancy: f64,
    /// The seed of the searches.
    pub seed: u32,
}

/// Training rows.
#[derive(Clone, Copy, Debug)]
pub struct Rows<'a> {
    /// The columns.
    pub table: &'a Table<'a>,
    /// The class of each row.
    pub target: &'a [u32],
    /// How many classes there are.
    pub classes: usize,
    /// The weight of each row.
    pub weights: &'a Weights,
}

/// Rules in their order, and what is said where none matches.
#[derive(Debug)]
pub struct RuleList {
    /// All conditions that occur.
    pub conditions: Conditions,
    /// The rules; the first that matches answers.
    pub rules: Vec<Rule>,
    /// The weight of each class among the rows that no rule covers.
    pub uncovered: Vec<u64>,
    /// The weight of each class among all rows.
    pub all: Vec<u64>,
}

/// The rules of the one tree of a forest, each a tree, with the rows that it was grown from.
pub fn learn_rules(
    forest: &Forest,
    table: &Table<'_>,
    target: Target<'_>,
    weights: Option<&[f64]>,
    terms: Terms,
    cancel: &Cancel,
) -> Result<Vec<Tree>> {
    forest.check_columns(table)?;
    target.check(table.rows(), weights)?;
    let Target::Classes { codes, classes } = target else {
        return Err(Error::data("data.target", "rules answer with classes"));
    };
    let weights = weights.map_or_else(|| Ok(Weights::ones(table.rows())), Weights::new)?;
    let rows = Rows { table, target: codes, classes, weights: &weights };
    rows.check(&forest.trees()[0])?;
    learn(&forest.trees()[0], rows, terms, cancel)?.trees(rows, cancel)
}

/// Learns rules from a tree and the rows that it was grown from.
fn learn(tree: &Tree, rows: Rows<'_>, terms: Terms, cancel: &Cancel) -> Result<RuleList> {
    let cases = Cases { target: rows.target, weights: &rows.weights.units, classes: rows.classes };
    let all = order::weigh(&cases, |_| true);
    let mut conditions = Conditions::default();
    let candidates = candidates(tree, rows, terms, &all, &mut conditions, cancel)?;
    let covers: Vec<Vec<u32>> = candidates.iter().map(|rule| cover(rule, &conditions, rows.table.rows())).collect();
    let chosen = choose(&candidates, &covers, &conditions, rows, terms, cancel)?;
    let rules: Vec<Rule> = chosen.iter().map(|&rule| candidates[rule].clone()).collect();
    let covers: Vec<Vec<u32>> = chosen.iter().map(|&rule| covers[rule].clone()).collect();
    let mut ordered = order::order(&rules, &covers, &cases);
    let uncovered = order::uncovered(&covers, &cases);
    order::polish(&mut ordered, &rules, &covers, &cases, order::fallback(&uncovered, &all));
    let rules = ordered.into_iter().map(|rule| rules[rule].clone()).collect();
    Ok(RuleList { conditions, rules, uncovered, all })
}

/// The generalized rules of all leaves, each once.
fn candidates(
    tree: &Tree,
    rows: Rows<'_>,
    terms: Terms,
    all: &[u64],
    conditions: &mut Conditions,
    cancel: &Cancel,
) -> Result<Vec<Rule>> {
    let paths = paths(tree, rows.table, RULE_WEIGHT, conditions);
    let scale = Scale::new(rows.weights);
    let count = rows.table.rows();
    let classes: Vec<Bits> =
        (0..rows.classes as u32).map(|class| Bits::of(count, |row| rows.target[row] == class)).collect();
    let total = scale.real(all.iter().sum());
    let blind: Vec<f64> = all.iter().map(|&units| 1.0 - (scale.real(units) + 1.0) / (total + 2.0)).collect();
    let judge = Judge { conditions, scale: &scale, classes: &classes, blind: &blind, estimate: terms.estimate };
    let mut room = Room::new(count, paths.iter().map(|(_, path)| path.len()).max().unwrap_or(0));
    let mut rules: Vec<Rule> = Vec::new();
    let mut known = std::collections::HashSet::new();
    for (leaf, path) in paths {
        cancel.check()?;
        let class = first_largest(tree.value_of(leaf));
        let Some(rule) = judge.generalize(class, &path, &mut room) else { continue };
        let mut key = rule.conditions.clone();
        key.sort_unstable();
        key.dedup();
        if known.insert((class, key)) {
            rules.push(rule);
        }
    }
    Ok(rules)
}

/// The rows that a rule answers: none where it is expected to be wrong too often.
fn cover(rule: &Rule, conditions: &Conditions, rows: usize) -> Vec<u32> {
    if rule.expected > WRONG {
        return Vec::new();
    }
    let mut bits = Bits::all(rows);
    rule.conditions.iter().for_each(|&condition| bits.keep(&conditions.rows[condition]));
    bits.rows().map(|row| row as u32).collect()
}

/// The rules that are kept, class after class.
fn choose(
    rules: &[Rule],
    covers: &[Vec<u32>],
    conditions: &Conditions,
    rows: Rows<'_>,
    terms: Terms,
    cancel: &Cancel,
) -> Result<Vec<usize>> {
    let prices = Prices::new(rows.table, rows.weights, terms.redundancy);
    let mut draws = Draws::new(terms.seed);
    let mut out = Vec::new();
    for class in 0..rows.classes {
        let own: Vec<usize> = (0..rules.len()).filter(|&rule| rules[rule].class == class).collect();
        let bits = |rule: &usize| prices.rule(rules[*rule].conditions.iter().map(|&number| &conditions.list[number]));
        let candidates = Candidates {
            covers: own.iter().map(|&rule| covers[rule].clone()).collect(),
            bits: own.iter().map(bits).collect(),
            class: class as u32,
            target: rows.target,
            weights: rows.weights,
        };
        let chosen = sift(&candidates, &mut draws, cancel)?;
        out.extend(own.iter().zip(chosen).filter(|(_, chosen)| *chosen).map(|(&rule, _)| rule));
    }
    Ok(out)
}

impl Rows<'_> {
    /// Checks that there is a class and a weight for each row.
    pub fn check(&self, tree: &Tree) -> Result<()> {
        let rows = self.table.rows();
        let sound = self.target.len() == rows
            && self.weights.units.len() == rows
            && tree.outputs == self.classes
            && self.target.iter().all(|&class| (class as usize) < self.classes);
        if sound { Ok(()) } else { Err(Error::data("data.target", "the target does not fit the table")) }
    }
}
