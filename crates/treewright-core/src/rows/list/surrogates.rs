//! Surrogates: where the node's own question fails, others are asked in its place.
//!
//! A split is judged by the rows that know the answer. The node then looks, in every other column, for the question that
//! imitates its own best; a row that cannot answer the own one follows the first surrogate that it can answer, and the
//! rest goes with the heavier child or stays behind: counted here, and in no child.
//!
//! Glossary: see [`crate::model::alternatives`] and [`crate::split::surrogate`].

use super::{List, ListNode};
use crate::Result;
use crate::data::table::MISSING;
use crate::model::alternatives::{AlternativeSplit, AlternativeSplits, COMPETITOR, keep_best};
use crate::model::tree::{STOP, SplitRule, Tree};
use crate::split::choose::Candidate;
use crate::split::surrogate::{self, SavingUnit, SurrogateRules, Undecided};
use crate::stats::criterion::Criterion;
use crate::stats::entry::{Entry, add_up};
use crate::stats::risk::Costs;
use crate::sys::memory::{collected, copied, filled};
use crate::tolerance::RISK;

/// Nodes that risk little stay leaves.
#[derive(Debug)]
pub struct RiskLimit<'a> {
    pub costs: Costs<'a>,
    /// The share of the root's risk that is not worth a split.
    pub share: f64,
    /// That risk; below all risks until the root is known.
    pub risk: f64,
}

impl RiskLimit<'_> {
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

/// The weight of the rows that are sent to either of two sides.
pub fn sent_weights(entries: &[Entry], sides: &[u16]) -> [u64; 2] {
    let mut weights = [0; 2];
    for (entry, side) in entries.iter().zip(sides) {
        if let Some(weight) = weights.get_mut(usize::from(*side)) {
            *weight += entry.weight;
        }
    }
    weights
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
    /// The alternative splits of the nodes that were divided, in this order, and whether the second child is the one that
    /// answers less.
    pub divisions: Vec<(Vec<AlternativeSplit>, bool)>,
    /// For each node of the tree that was written whether its second child is the one that answers less: the mean, or the
    /// mean position of its classes. Told only of rows with a limit of risk ([`List::stop_below_risk`]).
    pub second_answers_less: Vec<bool>,
}

impl SurrogateLog {
    /// Whether a saving is not just rounding beside the largest one so far, which it may become.
    pub fn is_worth_keeping(&mut self, saved: f64, cost: f64, rules: &SurrogateRules) -> bool {
        let Some((share, unit)) = rules.vanishing else { return true };
        let saved = if unit == SavingUnit::Share { saved / cost } else { saved };
        self.largest_saving = self.largest_saving.max(saved);
        saved > share * self.largest_saving
    }

    /// Gives a tree the alternative splits of its nodes.
    pub fn write(&mut self, tree: &mut Tree) {
        // Children are pushed when their parent is divided, so their rows tell the order of the divisions.
        let mut branches: Vec<usize> = (0..tree.len()).filter(|&node| tree.n_children[node] > 0).collect();
        branches.sort_unstable_by_key(|&node| tree.first_child[node]);
        self.second_answers_less = vec![false; tree.len()];
        let mut lists = Vec::with_capacity(branches.len());
        for (node, (spares, second_answers_less)) in branches.into_iter().zip(self.divisions.drain(..)) {
            self.second_answers_less[node] = second_answers_less;
            lists.push((node, spares));
        }
        tree.spares = AlternativeSplits::new(tree.len(), lists);
    }
}

impl<C: Criterion> List<'_, C> {
    /// The rows that have a value in a column, and what they cost as a leaf.
    pub(super) fn known_rows(&self, feature: u32, node: &ListNode<C::Stat>) -> Result<(Vec<Entry>, f64)> {
        let codes = self.columns[feature as usize].codes();
        let known = node.entries.iter().copied().filter(|entry| codes[entry.row as usize] != MISSING);
        let entries: Vec<Entry> = collected(known)?;
        let cost = self.criterion.cost(&add_up(self.criterion, &entries)?);
        Ok((entries, cost))
    }

    /// The best split of a column, judged by the rows that have a value there.
    pub fn known_split(&self, feature: u32, node: &ListNode<C::Stat>) -> Result<Option<KnownSplit>> {
        let (entries, cost) = self.known_rows(feature, node)?;
        let split = self.division(feature, &entries, self.division_rules(feature, node, cost), None)?;
        let count = entries.len() as u32;
        Ok(split.map(|(left, way)| KnownSplit { feature, way, saved: cost - left, count }))
    }

    /// The child of each row of a node, or [`STOP`], its alternative splits, and whether its second child answers less, given
    /// the sides to which the node's own question sends its rows. `surrogates` finds those of all columns but the chosen one, in their order.
    pub fn divide_with_surrogates(
        &self,
        rules: &SurrogateRules,
        node: &ListNode<C::Stat>,
        (chosen, mut sides): (u32, Vec<u16>),
        surrogates: impl FnOnce(&[u16]) -> Result<Vec<AlternativeSplit>>,
    ) -> Result<(Vec<u16>, Vec<AlternativeSplit>, bool)> {
        // Only complexity asks for it.
        let second_answers_less = self.risk_limit.is_some() && self.is_second_less(&node.entries, &sides)?;
        let mut best = if rules.max_surrogates > 0 { surrogates(&sides)? } else { Vec::new() };
        keep_best(&mut best, rules.max_surrogates);
        self.decide(rules, &node.entries, &mut sides, &mut best)?;
        let mut spares = copied(&node.competitors)?;
        spares.retain(|spare| spare.feature != chosen);
        keep_best(&mut spares, rules.max_competitors);
        spares.append(&mut best);
        Ok((sides, spares, second_answers_less))
    }

    /// The child that a question sends each entry to, or [`STOP`].
    pub fn answers(&self, chosen: &Candidate, entries: &[Entry]) -> Result<Vec<u16>> {
        let child_of = self.child_of(chosen.feature, &chosen.way.question, STOP);
        collected(entries.iter().map(|entry| child_of(entry.row)))
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
        let weights = sent_weights(entries, sides);
        let mut open: Vec<usize> = collected((0..sides.len()).filter(|&position| sides[position] == STOP))?;
        for spare in surrogates {
            if open.is_empty() {
                break;
            }
            let child_of = self.child_of(spare.feature, &spare.question, STOP);
            open.retain(|&position| {
                let child = child_of(entries[position].row);
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
