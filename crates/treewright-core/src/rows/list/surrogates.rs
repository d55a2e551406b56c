//! Surrogates: where the node's own question fails, others are asked in its place.
//!
//! A split is judged by the rows that know the answer. The node then looks, in every other column, for the question that
//! imitates its own best; a row that cannot answer the own one follows the first surrogate that it can answer, and the
//! rest goes with the heavier child or stays behind: counted here, and in no child.
//!
//! Glossary: see [`crate::model::alternatives`] and [`crate::split::surrogate`].

use super::{List, Node};
use crate::Result;
use crate::data::table::MISSING;
use crate::model::alternatives::{AlternativeSplit, AlternativeSplits, COMPETITOR, keep_best};
use crate::model::tree::{STOP, SplitRule, Tree};
use crate::split::choose::Candidate;
use crate::split::surrogate::{self, SavingUnit, SurrogateRules, Undecided};
use crate::split::{subset, threshold};
use crate::stats::criterion::Criterion;
use crate::stats::entry::{Entry, add_up};
use crate::stats::risk::Costs;
use crate::sys::memory::{collected, copied, filled};
use crate::tolerance::RISK;

/// The rows of a node that have a value in a column.
pub(super) struct KnownRows {
    pub entries: Vec<Entry>,
    /// What they cost as a leaf.
    pub cost: f64,
}

/// Nodes that risk little stay leaves.
#[derive(Debug)]
pub struct RiskLimit<'a> {
    costs: Costs<'a>,
    /// The share of the root's risk that is not worth a split.
    share: f64,
    /// That risk.
    risk: f64,
}

impl<'a> RiskLimit<'a> {
    pub fn new(share: f64, costs: Costs<'a>) -> RiskLimit<'a> {
        RiskLimit { costs, share, risk: f64::NEG_INFINITY }
    }

    /// Takes over what the root risks.
    pub fn set<C: Criterion>(&mut self, criterion: &C, root: &[C::Stat]) {
        self.risk = (self.share + RISK) * self.risk_of(criterion, root);
    }

    pub fn is_exceeded<C: Criterion>(&self, criterion: &C, stats: &[C::Stat]) -> bool {
        self.risk_of(criterion, stats) > self.risk
    }

    fn risk_of<C: Criterion>(&self, criterion: &C, stats: &[C::Stat]) -> f64 {
        let mut value = vec![0.0; criterion.outputs()];
        criterion.value(stats, &mut value);
        self.costs.risk(&value, criterion.weight(stats), criterion.cost(stats))
    }
}

/// The best split of a column among the rows that have a value there.
#[derive(Debug)]
pub struct KnownSplit {
    /// The column.
    pub feature: u32,
    /// What it asks.
    pub way: SplitRule,
    /// What it saves.
    pub saved: f64,
    /// How many rows have a value.
    pub count: u32,
}

impl KnownSplit {
    /// It as a competitor.
    pub fn competitor(&self) -> AlternativeSplit {
        AlternativeSplit {
            role: COMPETITOR,
            feature: self.feature,
            question: self.way.question.clone(),
            below: 0,
            merit: self.merit(),
            adjusted: 0.0,
            count: self.count,
        }
    }

    /// It as a candidate split of a node of this weight.
    pub fn candidate(&self, weight: f64) -> Candidate {
        Candidate::new(self.feature, self.saved / weight, self.way.clone())
    }

    /// The merit of a competitor.
    pub fn merit(&self) -> f64 {
        self.saved.max(0.0)
    }
}

/// What is remembered while a tree with surrogates grows.
#[derive(Debug, Default)]
pub struct SurrogateLog {
    largest_saving: f64,
    /// The divisions, in their order.
    divisions: Vec<Division>,
    /// See [`SurrogateLog::second_answers_less`].
    second_answers_less: Vec<bool>,
}

/// What is written about a node that was divided.
#[derive(Debug)]
pub struct Division {
    spares: Vec<AlternativeSplit>,
    second_answers_less: bool,
}

impl SurrogateLog {
    /// Whether a saving is not just rounding beside the largest one so far, which it may become.
    pub fn is_worth_keeping(&mut self, saved: f64, cost: f64, rules: &SurrogateRules) -> bool {
        let Some((share, unit)) = rules.vanishing else { return true };
        let saved = if unit == SavingUnit::Share { saved / cost } else { saved };
        self.largest_saving = self.largest_saving.max(saved);
        saved > share * self.largest_saving
    }

    /// Remembers a division.
    pub fn push(&mut self, division: Division) {
        self.divisions.push(division);
    }

    /// Forgets the last division: the node stays a leaf after all.
    pub fn pop(&mut self) {
        self.divisions.pop();
    }

    /// For each node of the tree that was written whether its second child is the one that answers less: the mean, or the
    /// mean position of its classes. Told only of rows with a limit of risk ([`List::stop_below_risk`]).
    pub fn second_answers_less(self) -> Vec<bool> {
        self.second_answers_less
    }

    /// Gives a tree the alternative splits of its nodes.
    pub fn write(&mut self, tree: &mut Tree) {
        // Children are pushed when their parent is divided, so their rows tell the order of the divisions.
        let mut branches: Vec<usize> = (0..tree.len()).filter(|&node| tree.n_children[node] > 0).collect();
        branches.sort_unstable_by_key(|&node| tree.first_child[node]);
        self.second_answers_less = vec![false; tree.len()];
        let mut lists = Vec::with_capacity(branches.len());
        for (node, division) in branches.into_iter().zip(self.divisions.drain(..)) {
            self.second_answers_less[node] = division.second_answers_less;
            lists.push((node, division.spares));
        }
        tree.spares = AlternativeSplits::new(tree.len(), lists);
    }
}

impl<C: Criterion> List<'_, C> {
    /// The rows that have a value in a column.
    pub(super) fn known_rows(&self, feature: u32, node: &Node<C::Stat>) -> Result<KnownRows> {
        let codes = self.columns[feature as usize].codes();
        let known = node.entries.iter().copied().filter(|entry| codes[entry.row as usize] != MISSING);
        let entries: Vec<Entry> = collected(known)?;
        let cost = self.criterion.cost(&add_up(self.criterion, &entries)?);
        Ok(KnownRows { entries, cost })
    }

    /// The best split of a column, judged by the rows that have a value there.
    pub fn known_split(&self, feature: u32, node: &Node<C::Stat>) -> Result<Option<KnownSplit>> {
        let column = &self.columns[feature as usize];
        let known = self.known_rows(feature, node)?;
        let division = self.division_rules(feature, node, known.cost);
        let split = if column.is_numeric() {
            threshold::best(self.criterion, column, &known.entries, division)?
        } else {
            let sets = self.rules.subsets.unwrap_or_default();
            subset::best(self.criterion, column, &known.entries, division, sets, self.cancel)?
        };
        let count = known.entries.len() as u32;
        Ok(split.map(|(left, way)| KnownSplit { feature, way, saved: known.cost - left, count }))
    }

    /// The child of each row of a node, or [`STOP`], and what is to be written about it, given the sides to which the node's
    /// own question sends its rows. `surrogates` finds those of all columns but the chosen one, in their order.
    pub fn divide_with_surrogates(
        &self,
        rules: &SurrogateRules,
        node: &Node<C::Stat>,
        (chosen, mut sides): (u32, Vec<u16>),
        surrogates: impl FnOnce(&[u16]) -> Result<Vec<AlternativeSplit>>,
    ) -> Result<(Vec<u16>, Division)> {
        // Only complexity asks for it.
        let second_answers_less = self.has_risk_limit() && self.is_second_less(&node.entries, &sides)?;
        let mut best = if rules.max_surrogates > 0 { surrogates(&sides)? } else { Vec::new() };
        keep_best(&mut best, rules.max_surrogates);
        self.decide(rules, &node.entries, &mut sides, &mut best)?;
        let mut spares = copied(&node.competitors)?;
        spares.retain(|spare| spare.feature != chosen);
        keep_best(&mut spares, rules.max_competitors);
        spares.append(&mut best);
        Ok((sides, Division { spares, second_answers_less }))
    }

    /// The child that a question sends each entry to, or [`STOP`].
    pub fn answers(&self, chosen: &Candidate, entries: &[Entry]) -> Result<Vec<u16>> {
        let router = self.router(chosen.feature, &chosen.way.question, STOP);
        collected(entries.iter().map(|entry| router.child_of(entry.row)))
    }

    /// The surrogate of a node's own question by one column, if it has one.
    pub fn surrogate(
        &self,
        rules: &SurrogateRules,
        feature: u32,
        entries: &[Entry],
        sides: &[u16],
    ) -> Result<Option<AlternativeSplit>> {
        self.cancel.check()?;
        surrogate::best(feature, &self.columns[feature as usize], entries, sides, rules)
    }

    /// Sends on what the own question did not, and counts what each surrogate sent.
    fn decide(
        &self,
        rules: &SurrogateRules,
        entries: &[Entry],
        sides: &mut [u16],
        surrogates: &mut [AlternativeSplit],
    ) -> Result<()> {
        let mut weights = [0u64; 2];
        for (entry, &side) in entries.iter().zip(sides.iter()).filter(|(_, side)| **side != STOP) {
            weights[side as usize] += entry.weight;
        }
        let mut open: Vec<usize> = collected((0..sides.len()).filter(|&position| sides[position] == STOP))?;
        for spare in surrogates {
            if open.is_empty() {
                break;
            }
            let router = self.router(spare.feature, &spare.question, STOP);
            open.retain(|&position| {
                let child = router.child_of(entries[position].row);
                if child != STOP {
                    sides[position] = child ^ spare.below;
                    spare.count += 1;
                }
                child == STOP
            });
        }
        let heavier = match rules.undecided {
            Undecided::Stay => STOP,
            Undecided::HeavierOrStay if weights[0] == weights[1] => STOP,
            Undecided::HeavierOrStay | Undecided::Heavier => u16::from(weights[1] >= weights[0]),
        };
        open.iter().for_each(|&position| sides[position] = heavier);
        Ok(())
    }

    /// Whether the rows that the own question sends to the first child answer more than those of the second, or as much.
    fn is_second_less(&self, entries: &[Entry], sides: &[u16]) -> Result<bool> {
        let mut value = filled(0.0, self.criterion.outputs())?;
        let mut predicted = |child: u16| -> Result<f64> {
            let mut stats = filled(C::Stat::default(), self.criterion.width())?;
            let there = entries.iter().zip(sides).filter(|(_, side)| **side == child);
            there.for_each(|(entry, _)| self.criterion.add(&mut stats, entry.row as usize, entry.weight));
            self.criterion.value(&stats, &mut value);
            let position = || (0u32..).zip(&value).map(|(k, p)| f64::from(k) * p).sum();
            Ok(if value.len() == 1 { value[0] } else { position() })
        };
        Ok(predicted(0)? >= predicted(1)?)
    }
}
