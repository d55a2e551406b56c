//! Rows as lists: the clear engine, for every criterion, every column and every policy for missing values ([`Unknowns`]).
//!
//! A node owns a list of weighted rows and searches its columns one after the other, sorting their values anew. That is
//! slow, and plain enough to be the twin that faster engines are compared with. Looking at nodes and
//! growing by hand work on it.
//!
//! Glossary: *known* rows have a value in the column at hand, *unknown* ones have none.

pub mod coarse;
pub mod distribute;
mod drawn;
mod merge;
mod node;
mod rules;
mod search;
mod study;
pub mod surrogates;
#[cfg(test)]
mod tests;

use self::coarse::Bins;
use self::distribute::distribute_rows;
pub use self::node::{ListNode, Start};
pub use self::rules::SearchRules;
use self::surrogates::{RiskLimit, SurrogateLog};
use super::Rows;
use crate::codes::ranks::RankedColumn;
use crate::data::table::{MISSING, Table};
use crate::model::tree::{Leaf, MAX_CHILDREN, Question, SHARE, Tree, first_largest};
use crate::peers::{Alone, Peers};
use crate::split::choose::{Candidate, Chooser};
use crate::split::monotone::Bounds;
use crate::split::sampling::{FeatureSampler, ROOT, child_key};
use crate::split::shared::{EmptyLeaf, have_many_levels};
use crate::split::surrogate::SurrogateRules;
use crate::split::unknowns::Unknowns;
use crate::stats::criterion::Criterion;
use crate::stats::entry::{Entry, add_up, list_rows};
use crate::stats::risk::Costs;
use crate::stats::weights::Weights;
use crate::sys::memory::room;
use crate::sys::pool::Cancel;
use crate::{Error, Result};
use std::sync::Arc;

/// All rows, their columns and the rules.
#[derive(Debug)]
pub struct List<'a, C: Criterion> {
    /// What is added up.
    pub criterion: &'a C,
    /// The columns, which other holders of the same rows may share.
    pub columns: Arc<Vec<RankedColumn<'a>>>,
    /// The weights of the rows.
    pub weights: &'a Weights,
    /// Which splits are searched.
    pub rules: SearchRules,
    /// Where the tree begins, if not at its root.
    pub start: Option<Start>,
    /// Nodes stay leaves that risk no more than this.
    pub risk_limit: Option<RiskLimit<'a>>,
    sampler: FeatureSampler,
    /// For each column whether it has so many levels that its gain says little.
    has_many_levels: Vec<bool>,
    surrogates: SurrogateLog,
    /// The processes that hold the other rows.
    peers: &'a dyn Peers,
    /// The bins of each column, where there are other processes.
    bins: Arc<Vec<Bins>>,
    /// Whether the chooser looks at the best divisions alone.
    is_best_enough: bool,
    cancel: &'a Cancel,
}

impl<'a, C: Criterion> List<'a, C> {
    /// All rows with a weight above 0. Where rows are shared out, weights should be fine ([`Weights::fine_part`]).
    pub fn new(
        table: &Table<'a>,
        criterion: &'a C,
        weights: &'a Weights,
        rules: SearchRules,
        cancel: &'a Cancel,
    ) -> Result<List<'a, C>> {
        let single = matches!(rules.unknowns, Unknowns::Share(rules) if rules.compare_as_f32);
        let columns = table.columns().iter().map(|column| {
            cancel.check()?;
            RankedColumn::new(column, single, cancel)
        });
        List::coded(Arc::new(columns.collect::<Result<_>>()?), criterion, weights, rules, cancel)
    }

    /// The same for columns that were coded before.
    pub fn coded(
        columns: Arc<Vec<RankedColumn<'a>>>,
        criterion: &'a C,
        weights: &'a Weights,
        rules: SearchRules,
        cancel: &'a Cancel,
    ) -> Result<List<'a, C>> {
        let has_many_levels = match &rules.unknowns {
            Unknowns::Share(rules) => {
                let levels = columns.iter().map(|column| (!column.is_numeric()).then_some(column.levels()));
                let total = weights.units.iter().sum::<u64>() as f64 * weights.unit;
                have_many_levels(levels, rules.total.unwrap_or(total), rules)?
            }
            _ => vec![false; columns.len()],
        };
        let sampler = FeatureSampler::new(columns.len());
        Ok(List {
            criterion,
            columns,
            weights,
            rules,
            sampler,
            has_many_levels,
            risk_limit: None,
            surrogates: SurrogateLog::default(),
            peers: &Alone,
            bins: Arc::default(),
            is_best_enough: false,
            start: None,
            cancel,
        })
    }

    /// The same rows as a part of those that these processes hold together. Columns must know whether a value is missing
    /// anywhere, and where rows are shared out, the rules must know the weight of all. Surrogates are not found so.
    pub fn beside(self, peers: &'a dyn Peers, chooser: &Chooser, bins: Arc<Vec<Bins>>) -> List<'a, C> {
        List { bins, is_best_enough: matches!(chooser, Chooser::Share { .. }), peers, ..self }
    }

    /// The root with these rows.
    pub fn node_of(&self, entries: Vec<Entry>) -> Result<ListNode<C::Stat>> {
        let start = self.start.clone().unwrap_or_else(|| self.start_of_root());
        Ok(self.nodes(vec![entries], &start)?.remove(0))
    }

    /// The same rows, of which nodes stay leaves that risk no more than this share of what the root risks: splits that
    /// save so little would be cut off again.
    pub fn stop_below_risk(self, share: f64, costs: Costs<'a>) -> List<'a, C> {
        List { risk_limit: Some(RiskLimit { costs, share, risk: f64::NEG_INFINITY }), ..self }
    }

    /// Checks that each level can have a branch, where it is to have one.
    fn check_levels(&self) -> Result<()> {
        // Where rows are shared out, levels that hardly occur may have one branch more.
        let shares = matches!(self.rules.unknowns, Unknowns::Share(_));
        let branches = |column: &RankedColumn<'_>| match shares {
            true => column.levels() as usize + 1,
            false => column.possible(),
        };
        let many = |column: &RankedColumn<'_>| !column.is_numeric() && branches(column) > MAX_CHILDREN;
        match self.columns.iter().position(many) {
            Some(i) if self.rules.subsets.is_none() => {
                let levels = self.columns[i].levels();
                let message =
                    format!("column {i} has {levels} different values; at most {MAX_CHILDREN} can be branches");
                Err(Error::data("data.too-many-levels", message))
            }
            _ => Ok(()),
        }
    }

    /// Every column that may have something to ask, and no bounds.
    fn start_of_root(&self) -> Start {
        // A column with one possible value has nothing to ask. It may still be studied where known rows alone are judged,
        // and have others in other processes.
        let (known, others) = (self.rules.unknowns.judge_known_rows(), self.peers.size() > 1);
        let may_ask = |column: &RankedColumn<'_>| known || others && column.is_numeric() || column.possible() > 1;
        let features = (0..self.columns.len() as u32).filter(|&f| may_ask(&self.columns[f as usize]));
        Start { features: features.collect(), bounds: Bounds::default(), key: ROOT }
    }

    /// Nodes with these rows, which all begin alike.
    fn nodes(&self, lists: Vec<Vec<Entry>>, start: &Start) -> Result<Vec<ListNode<C::Stat>>> {
        let mut nodes = room(lists.len())?;
        for entries in lists {
            let (stats, count) = (add_up(self.criterion, &entries)?, entries.len() as u64);
            nodes.push(ListNode { entries, stats, count, start: start.clone(), competitors: Vec::new() });
        }
        self.add_those_of_others(&mut nodes)?;
        Ok(nodes)
    }

    /// Tells the child of a row at a question, `unknown` where its value is missing.
    fn child_of<'q>(&'q self, feature: u32, question: &'q Question, unknown: u16) -> impl Fn(u32) -> u16 + 'q {
        let column = &self.columns[feature as usize];
        // Codes are compared instead of numbers.
        let first_above = match question {
            Question::Threshold(cut) => column.first_above(*cut),
            Question::Route(_) => 0,
        };
        let codes = column.codes();
        move |row| match (question, codes[row as usize]) {
            (_, MISSING) => unknown,
            (Question::Threshold(_), code) => u16::from(code >= first_above),
            (Question::Route(route), code) => route[code as usize],
        }
    }

    /// Whether a question about this column can be of use again below it.
    fn may_ask_again(&self, feature: u32) -> bool {
        let column = &self.columns[feature as usize];
        let again = match &self.rules.unknowns {
            Unknowns::Share(rules) => rules.groups.is_some() && column.levels() > 2,
            _ => self.rules.subsets.is_some(),
        };
        column.is_numeric() || again
    }

    /// The lists of a node's children.
    fn children(&mut self, node: &ListNode<C::Stat>, chosen: &Candidate) -> Result<Vec<Vec<Entry>>> {
        let unknown = match self.rules.unknowns {
            Unknowns::Surrogates(rules) => return self.children_by_surrogates(&rules, node, chosen),
            Unknowns::Share(_) => SHARE,
            _ => chosen.way.missing,
        };
        let child = self.child_of(chosen.feature, &chosen.way.question, unknown);
        let sent = distribute_rows(chosen.way.children, &node.entries, |_, row| child(row), self.peers, self.cancel)?;
        Ok(sent.children)
    }

    /// The same where surrogates send rows with a missing value.
    fn children_by_surrogates(
        &mut self,
        rules: &SurrogateRules,
        node: &ListNode<C::Stat>,
        chosen: &Candidate,
    ) -> Result<Vec<Vec<Entry>>> {
        let sides = self.answers(chosen, &node.entries)?;
        let (sides, spares, second_answers_less) =
            self.divide_with_surrogates(rules, node, (chosen.feature, sides), |sides| {
                let others = (0..self.columns.len() as u32).filter(|&other| other != chosen.feature);
                let surrogates = others.map(|other| self.surrogate(rules, other, &node.entries, sides));
                Ok(surrogates.collect::<Result<Vec<_>>>()?.into_iter().flatten().collect())
            })?;
        self.surrogates.divisions.push((spares, second_answers_less));
        Ok(distribute_rows(2, &node.entries, |position, _| sides[position], self.peers, self.cancel)?.children)
    }

    /// The children of a node, from their rows.
    pub fn make_children(
        &self,
        node: &ListNode<C::Stat>,
        chosen: &Candidate,
        lists: Vec<Vec<Entry>>,
    ) -> Result<Vec<ListNode<C::Stat>>> {
        let again = self.may_ask_again(chosen.feature);
        let Start { features, bounds, key } = &node.start;
        let features = features.iter().copied().filter(|&f| again || f != chosen.feature).collect();
        let start = Start { features, bounds: *bounds, key: *key };
        let mut children = self.nodes(lists, &start)?;
        for (place, child) in children.iter_mut().enumerate() {
            child.start.key = child_key(*key, place);
        }
        if let Some(trend) = self.rules.trend_below(chosen, *bounds) {
            let bounds = trend.divide(self.criterion, &children[0].stats, &children[1].stats);
            children.iter_mut().zip(bounds).for_each(|(child, bounds)| child.start.bounds = bounds);
        }
        Ok(children)
    }

    /// See [`SurrogateLog::second_answers_less`]; empty without surrogates.
    pub fn second_answers_less(self) -> Vec<bool> {
        self.surrogates.second_answers_less
    }
}

impl<C: Criterion> Rows for List<'_, C> {
    type Node = ListNode<C::Stat>;

    fn outputs(&self) -> usize {
        self.criterion.outputs()
    }

    fn root(&mut self) -> Result<Self::Node> {
        self.check_levels()?;
        let root = self.node_of(list_rows(self.weights)?)?;
        if root.count == 0 {
            return Err(Error::data("data.empty", "no row has a weight above zero"));
        }
        if let Some(limit) = &mut self.risk_limit {
            limit.set(self.criterion, &root.stats);
        }
        Ok(root)
    }

    fn leaf<'v>(&self, node: &Self::Node, value: &'v mut [f64]) -> Leaf<'v> {
        if node.count > 0 {
            self.criterion.value(&node.stats, value);
            node.start.bounds.clip(value);
        } else if matches!(self.rules.unknowns, Unknowns::Share(rules) if rules.empty == EmptyLeaf::Majority) {
            let first = first_largest(value);
            value.iter_mut().enumerate().for_each(|(class, share)| *share = f64::from(class == first));
        }
        Leaf {
            value,
            weight: self.criterion.weight(&node.stats),
            count: node.count,
            cost: self.criterion.cost(&node.stats),
        }
    }

    fn candidates(&mut self, node: &mut Self::Node, out: &mut Vec<Candidate>) -> Result<()> {
        if !self.may_split(node) {
            return Ok(());
        }
        if self.peers.size() > 1 {
            return self.candidates_everywhere(node, out);
        }
        let Some(sampling) = self.rules.sampling else {
            for &feature in node.start.features.clone().iter() {
                out.extend(self.candidate(feature, node)?);
            }
            return Ok(());
        };
        let mut words = sampling.feature_words(node.start.key);
        let mut wanted = sampling.columns;
        while wanted > 0 || out.is_empty() {
            let Some(feature) = self.sampler.next(&mut words) else { break };
            wanted = wanted.saturating_sub(1);
            if node.start.features.binary_search(&feature).is_ok() {
                out.extend(self.candidate(feature, node)?);
            }
        }
        self.sampler.reset();
        Ok(())
    }

    fn divide(&mut self, node: Self::Node, chosen: &Candidate) -> Result<Vec<Self::Node>> {
        let lists = self.children(&node, chosen)?;
        self.make_children(&node, chosen, lists)
    }

    fn forget_division(&mut self) {
        self.surrogates.divisions.pop();
    }

    fn finish(&mut self, tree: &mut Tree) {
        if matches!(self.rules.unknowns, Unknowns::Surrogates(_)) {
            self.surrogates.write(tree);
        }
    }
}
