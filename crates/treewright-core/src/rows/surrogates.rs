//! Rows that are divided in two by questions not all of them can answer: where the node's own question fails, surrogates
//! are asked in its place.
//!
//! A split is judged by the rows that know the answer. The node then looks, in every other column, for the question that
//! imitates its own best; a row that cannot answer the own one follows the first surrogate that it can answer, and the
//! rest goes with the heavier child or stays behind: counted here, and in no child.
//!
//! Glossary: see [`crate::model::spares`] and [`crate::split::imitate`].

use super::Rows;
use super::entries::{Coded, Entry};
use crate::data::table::{MISSING, Table};
use crate::grow::study;
use crate::grow::study::{Cuts, Figures, Study};
use crate::model::spares::{COMPETITOR, Spare, Spares};
use crate::model::tree::{Leaf, Question, STOP, Tree, Way};
use crate::rows::deal::{apart, present};
use crate::split::choose::Candidate;
use crate::split::contest;
use crate::split::contest::{Missing, Terms};
use crate::split::imitate;
use crate::split::imitate::Sent;
use crate::split::{subset, threshold};
use crate::stats::criterion::Criterion;
use crate::stats::risk::{Costs, ROUNDING};
use crate::stats::weights::Weights;
use crate::sys::memory::{collected, filled};
use crate::sys::pool::Cancel;
use crate::{Error, Result};

/// Where a row goes that neither the own question nor a surrogate can send on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Undecided {
    /// To the heavier child, the second where both weigh the same.
    Heavier,
    /// To the heavier child, and nowhere where both weigh the same.
    HeavierOrStay,
    /// Nowhere.
    Stay,
}

/// In which unit an improvement must not vanish beside the largest one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unit {
    /// The criterion's own.
    Cost,
    /// Shares of the node's cost.
    Share,
}

/// The rules in which relatives of this way of growing differ.
#[derive(Clone, Copy, Debug)]
pub struct Rules {
    /// The fewest rows of either side that know the answer.
    pub min_leaf: u32,
    /// The least weight of either side.
    pub min_weight: f64,
    /// How many surrogates a node keeps at most.
    pub max_surrogates: usize,
    /// How many competitors a node keeps at most.
    pub max_competitors: usize,
    /// What makes a surrogate.
    pub imitation: imitate::Terms,
    /// Where undecided rows go while the tree grows.
    pub undecided: Undecided,
    /// A split must save this share of the largest saving so far, so that rounding makes no splits; None takes all.
    pub vanishing: Option<(f64, Unit)>,
    /// See [`subset::Sets`].
    pub exhaustive: usize,
    /// See [`subset::Sets`].
    pub orderly: bool,
}

/// The rows of one node.
#[derive(Clone, Debug)]
pub struct Node<S> {
    entries: Vec<Entry>,
    stats: Vec<S>,
    competitors: Vec<Spare>,
}

/// All rows, their columns and the rules.
#[derive(Debug)]
pub struct Surrogates<'a, C: Criterion> {
    law: &'a C,
    columns: Vec<Coded<'a>>,
    weights: &'a Weights,
    rules: Rules,
    /// The costs of mistakes, and the share of the root's risk that is not worth a split.
    costs: Option<(Costs<'a>, f64)>,
    /// The risk that is not worth a split.
    price: f64,
    largest: f64,
    /// The divisions, in their order.
    divisions: Vec<Division>,
    cancel: &'a Cancel,
}

/// What is worth keeping of a division.
#[derive(Debug)]
struct Division {
    spares: Vec<Spare>,
    turned: bool,
}

impl<'a, C: Criterion> Surrogates<'a, C> {
    /// Codes the columns.
    pub fn new(table: &Table<'a>, law: &'a C, weights: &'a Weights, rules: Rules, cancel: &'a Cancel) -> Result<Self> {
        let columns = Coded::all(table, cancel)?;
        let (costs, price, largest, divisions) = (None, f64::NEG_INFINITY, 0.0, Vec::new());
        Ok(Surrogates { law, columns, weights, rules, costs, price, largest, divisions, cancel })
    }

    /// The same rows, of which nodes stay leaves that risk no more than this share of what the root risks: splits that
    /// save so little would be cut off again.
    pub fn stopping(self, share: f64, costs: Costs<'a>) -> Self {
        Surrogates { costs: Some((costs, share)), ..self }
    }

    fn risk(&self, node: &Node<C::Stat>, costs: Costs<'_>) -> f64 {
        let mut value = vec![0.0; self.law.outputs()];
        self.law.value(&node.stats, &mut value);
        costs.risk(&value, self.law.weight(&node.stats), self.law.cost(&node.stats))
    }

    fn node(&self, entries: Vec<Entry>) -> Result<Node<C::Stat>> {
        let stats = self.stats(&entries)?;
        Ok(Node { entries, stats, competitors: Vec::new() })
    }

    fn stats(&self, entries: &[Entry]) -> Result<Vec<C::Stat>> {
        let mut stats = filled(C::Stat::default(), self.law.width())?;
        entries.iter().for_each(|entry| self.law.add(&mut stats, entry.row as usize, entry.weight));
        Ok(stats)
    }

    /// The entries that can answer a question about a column.
    fn known(&self, feature: u32, entries: &[Entry]) -> Result<Vec<Entry>> {
        let codes = self.columns[feature as usize].codes();
        collected(entries.iter().copied().filter(|entry| codes[entry.row as usize] != MISSING))
    }

    fn terms(&self, cost: f64) -> Terms {
        let Rules { min_leaf, min_weight, .. } = self.rules;
        let rounding = contest::ROUNDING * cost;
        Terms { missing: Missing::Direction, min_leaf, min_weight, trend: None, rounding }
    }

    /// The best question about a column, what it saves, and how many rows can answer.
    fn question(&self, feature: u32, entries: &[Entry]) -> Result<Option<(Way, f64, u32)>> {
        // A column of half a million rows takes a tenth of a second.
        self.cancel.check()?;
        let column = &self.columns[feature as usize];
        let known = self.known(feature, entries)?;
        let cost = self.law.cost(&self.stats(&known)?);
        let terms = self.terms(cost);
        let found = if column.is_numeric() {
            threshold::best(self.law, column, &known, terms)?
        } else {
            let unused = subset::Unused::Unanswered;
            let sets = subset::Sets { unused, exhaustive: self.rules.exhaustive, orderly: self.rules.orderly };
            subset::best(self.law, column, &known, terms, sets, self.cancel)?
        };
        Ok(found.map(|(left, way)| (way, cost - left, known.len() as u32)))
    }

    /// Whether a saving is not just rounding beside the largest one so far, which it may become.
    fn counts(&mut self, saved: f64, cost: f64) -> bool {
        let Some((share, unit)) = self.rules.vanishing else { return true };
        let saved = if unit == Unit::Share { saved / cost } else { saved };
        self.largest = self.largest.max(saved);
        saved > share * self.largest
    }

    /// The child that a question sends each entry to, or [`STOP`].
    fn sides(&self, feature: u32, question: &Question, below: u16, entries: &[Entry]) -> Result<Vec<u16>> {
        let column = &self.columns[feature as usize];
        let above = match question {
            Question::Threshold(cut) => column.values().partition_point(|value| value <= cut) as u32,
            Question::Route(_) => 0,
        };
        let side = |entry: &Entry| match (question, column.codes()[entry.row as usize]) {
            (_, MISSING) => STOP,
            (Question::Threshold(_), code) => below ^ u16::from(code >= above),
            (Question::Route(route), code) => route[code as usize],
        };
        collected(entries.iter().map(side))
    }

    /// The surrogates of a node's own question, best first.
    fn surrogates(&self, feature: u32, sent: &[Sent]) -> Result<Vec<Spare>> {
        let mut best = Vec::new();
        if self.rules.max_surrogates > 0 {
            for other in (0..self.columns.len() as u32).filter(|&other| other != feature) {
                self.cancel.check()?;
                best.extend(imitate::best(other, &self.columns[other as usize], sent, self.rules.imitation)?);
            }
        }
        best.sort_by(|a, b| b.merit.total_cmp(&a.merit));
        best.truncate(self.rules.max_surrogates);
        Ok(best)
    }

    /// Sends on what the own question did not, and counts what each surrogate sent.
    fn decide(&self, entries: &[Entry], sent: &mut [Sent], surrogates: &mut [Spare]) -> Result<()> {
        let mut sides = [0u64; 2];
        for row in sent.iter().filter(|row| row.side != STOP) {
            sides[row.side as usize] += row.weight;
        }
        for spare in surrogates {
            let answers = self.sides(spare.feature, &spare.question, spare.below, entries)?;
            for (row, answer) in sent.iter_mut().zip(answers).filter(|(row, _)| row.side == STOP) {
                row.side = answer;
                spare.count += u32::from(answer != STOP);
            }
        }
        let heavier = match self.rules.undecided {
            Undecided::Stay => STOP,
            Undecided::HeavierOrStay if sides[0] == sides[1] => STOP,
            Undecided::HeavierOrStay | Undecided::Heavier => u16::from(sides[1] >= sides[0]),
        };
        sent.iter_mut().filter(|row| row.side == STOP).for_each(|row| row.side = heavier);
        Ok(())
    }

    /// Whether the rows that the own question sends to the first child answer more than those of the second, or as much.
    fn turned(&self, entries: &[Entry], sent: &[Sent]) -> Result<bool> {
        let mut value = filled(0.0, self.law.outputs())?;
        let mut predicted = |side: u16| -> Result<f64> {
            let there = entries.iter().zip(sent).filter(|(_, row)| row.side == side);
            let there: Vec<Entry> = collected(there.map(|(entry, _)| *entry))?;
            self.law.value(&self.stats(&there)?, &mut value);
            let position = || (0u32..).zip(&value).map(|(k, p)| f64::from(k) * p).sum();
            Ok(if value.len() == 1 { value[0] } else { position() })
        };
        Ok(predicted(0)? >= predicted(1)?)
    }

    /// Gives the tree that was grown from these rows its spares. Returns for each node whether its second child is the
    /// one that answers less: the mean, or the mean position of its classes.
    pub fn finish(self, tree: &mut Tree) -> Vec<bool> {
        // Children are pushed when their parent is divided, so their rows tell the order of the divisions.
        let mut branches: Vec<usize> = (0..tree.len()).filter(|&node| tree.n_children[node] > 0).collect();
        branches.sort_by_key(|&node| tree.first_child[node]);
        let mut turned = vec![false; tree.len()];
        let mut lists = Vec::with_capacity(branches.len());
        for (node, division) in branches.into_iter().zip(self.divisions) {
            turned[node] = division.turned;
            lists.push((node, division.spares));
        }
        tree.spares = Spares::new(tree.len(), lists);
        turned
    }
}

impl<C: Criterion> Study for Surrogates<'_, C> {
    fn open(&self, _: &Self::Node) -> Vec<u32> {
        (0..self.columns.len() as u32).collect()
    }

    fn cuts(&self, node: &Self::Node, feature: u32) -> Result<Cuts> {
        let column = &self.columns[feature as usize];
        if !column.is_numeric() {
            return Ok(Cuts::default());
        }
        let known = self.known(feature, &node.entries)?;
        let cost = self.law.cost(&self.stats(&known)?);
        let cuts = threshold::all(self.law, column, &known, self.terms(cost))?;
        Ok(Cuts::of(cuts, cost, self.law.weight(&node.stats)))
    }

    fn each_its_own(&self, _: u32) -> Option<Way> {
        None // two sets are all there is
    }

    fn known(&self, node: &Self::Node, feature: u32) -> Result<Option<[Self::Node; 2]>> {
        let codes = self.columns[feature as usize].codes();
        let [known, unknown] = apart(&node.entries, |entry| codes[entry.row as usize] != MISSING)?;
        Ok(Some([self.node(known)?, self.node(unknown)?]))
    }

    fn sides(&self, node: &Self::Node, feature: u32, thresholds: &[f64]) -> Vec<[Figures; 2]> {
        let column = &self.columns[feature as usize];
        study::sides(self.law, &node.entries, column.codes(), &column.first_above(thresholds))
    }

    fn rows(&self, node: &Self::Node) -> Vec<(u32, f64)> {
        study::weighed(&node.entries, self.weights.unit)
    }
}

impl<C: Criterion> Rows for Surrogates<'_, C> {
    type Node = Node<C::Stat>;

    fn outputs(&self) -> usize {
        self.law.outputs()
    }

    fn root(&mut self) -> Result<Self::Node> {
        let entries = present(self.weights)?;
        if entries.is_empty() {
            return Err(Error::data("data.empty", "no row has a weight above zero"));
        }
        let root = self.node(entries)?;
        if let Some((costs, share)) = self.costs {
            let risk = self.risk(&root, costs);
            self.price = (share + ROUNDING) * risk;
        }
        Ok(root)
    }

    fn leaf<'v>(&self, node: &Self::Node, value: &'v mut [f64]) -> Leaf<'v> {
        if !node.entries.is_empty() {
            self.law.value(&node.stats, value);
        }
        Leaf {
            value,
            weight: self.law.weight(&node.stats),
            count: node.entries.len() as u64,
            cost: self.law.cost(&node.stats),
        }
    }

    fn candidates(&mut self, node: &mut Self::Node, out: &mut Vec<Candidate>) -> Result<()> {
        let (weight, cost) = (self.law.weight(&node.stats), self.law.cost(&node.stats));
        if self.costs.is_some_and(|(costs, _)| self.risk(node, costs) <= self.price) {
            return Ok(());
        }
        for feature in 0..self.columns.len() as u32 {
            let Some((way, saved, count)) = self.question(feature, &node.entries)? else { continue };
            if self.counts(saved, cost) {
                let (question, role) = (way.question.clone(), COMPETITOR);
                let merit = saved.max(0.0);
                node.competitors.push(Spare { role, feature, question, below: 0, merit, adjusted: 0.0, count });
                out.push(Candidate::new(feature, saved / weight, way));
            }
        }
        Ok(())
    }

    fn divide(&mut self, mut node: Self::Node, chosen: &Candidate) -> Result<Vec<Self::Node>> {
        let sides = self.sides(chosen.feature, &chosen.way.question, 0, &node.entries)?;
        let sent = node.entries.iter().zip(sides);
        let mut sent: Vec<Sent> =
            collected(sent.map(|(entry, side)| Sent { row: entry.row, weight: entry.weight, side }))?;
        let turned = self.turned(&node.entries, &sent)?;
        let mut surrogates = self.surrogates(chosen.feature, &sent)?;
        self.decide(&node.entries, &mut sent, &mut surrogates)?;
        let child = |side: u16| -> Result<Node<C::Stat>> {
            let there = node.entries.iter().zip(&sent).filter(|(_, row)| row.side == side);
            self.node(collected(there.map(|(entry, _)| *entry))?)
        };
        let children = vec![child(0)?, child(1)?];
        let mut spares = std::mem::take(&mut node.competitors);
        spares.retain(|spare| spare.feature != chosen.feature);
        spares.sort_by(|a, b| b.merit.total_cmp(&a.merit));
        spares.truncate(self.rules.max_competitors);
        spares.append(&mut surrogates);
        self.divisions.push(Division { spares, turned });
        Ok(children)
    }
}
