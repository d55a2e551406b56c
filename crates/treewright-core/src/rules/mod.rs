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
use self::generalize::{Generalizer, Rule};
use self::list::rule_trees;
use self::sift::{RuleSet, sift};
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
    learn(&forest.trees()[0], rows, terms, cancel)
}

/// Learns rules from a tree and the rows that it was grown from.
fn learn(tree: &Tree, rows: Rows<'_>, terms: Terms, cancel: &Cancel) -> Result<Vec<Tree>> {
    let all = order::weigh(rows, |_| true);
    let mut conditions = Conditions::default();
    let candidates = candidates(tree, rows, terms, &all, &mut conditions, cancel)?;
    let covers: Vec<Vec<u32>> = candidates.iter().map(|rule| cover(rule, &conditions, rows.table.rows())).collect();
    let chosen = choose(&candidates, &covers, &conditions, rows, terms, cancel)?;
    let rules: Vec<Rule> = chosen.iter().map(|&rule| candidates[rule].clone()).collect();
    let covers: Vec<Vec<u32>> = chosen.iter().map(|&rule| covers[rule].clone()).collect();
    let mut ordered = order::order(&rules, &covers, rows);
    let uncovered = order::uncovered(&covers, rows);
    order::polish(&mut ordered, &rules, &covers, rows, order::fallback(&uncovered, &all));
    let rules: Vec<Rule> = ordered.into_iter().map(|rule| rules[rule].clone()).collect();
    rule_trees(&rules, &conditions, &uncovered, &all, rows, cancel)
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
    let longest = paths.iter().map(|(_, path)| path.len()).max().unwrap_or(0);
    let every = Bits::all(count);
    let mut generalizer = Generalizer {
        conditions,
        scale: &scale,
        classes: &classes,
        blind: &blind,
        estimate: terms.estimate,
        before: every.clone(),
        after: vec![every.clone(); longest + 1],
        every,
    };
    let mut rules: Vec<Rule> = Vec::new();
    let mut known = std::collections::HashSet::new();
    for (leaf, path) in paths {
        cancel.check()?;
        let class = first_largest(tree.value_of(leaf));
        let Some(rule) = generalizer.generalize(class, &path) else { continue };
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
        let own_covers = own.iter().map(|&rule| covers[rule].clone()).collect();
        let set = RuleSet::new(own_covers, own.iter().map(bits).collect(), class as u32, rows);
        let chosen = sift(set, &mut draws, cancel)?;
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
