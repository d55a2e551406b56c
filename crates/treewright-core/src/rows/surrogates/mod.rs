//! Trees with surrogates, fast: the rows of [`list`](super::list) with their numbers sorted once. It grows the trees of
//! that engine, node by node and bit by bit.
//!
//! A node holds the known numbers of each column in order. The best cut is found in one pass over them ([`cuts`]), and so
//! is the cut that imitates the node's own question best ([`agreement`]); dividing a node deals them to its children in
//! their order ([`Deal`]). All that is not a search of numbers is done by the list engine itself.
//!
//! | file | is |
//! | --- | --- |
//! | [`cuts`], [`estimates`], [`means`], [`weighted_classes`] | the best cut of a column; what a cut saves, about |
//! | [`agreement`] | the surrogate of a column |
//! | [`root`] | the columns of the first node in order |

pub mod agreement;
pub mod cuts;
pub mod estimates;
pub mod means;
mod root;
#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests;
pub mod weighted_classes;

use self::agreement::SentRows;
use self::cuts::CutScratch;
use self::estimates::{Estimated, Targets};
use self::root::sort_columns;
use super::list::distribute::distribute_rows;
use super::list::surrogates::{KnownSplit, SurrogateLog, sent_weights};
use super::list::{List, ListNode};
use super::sorted::columns::{SortedColumns, SpareItems, tell_sides};
use super::sorted::deal::Deal;
use super::sorted::item::key_of;
use super::{Divisible, Rows};
use crate::codes::ordered::midpoint;
use crate::grow::{Limits, grow, grow_wide};
use crate::model::alternatives::AlternativeSplit;
use crate::model::tree::{Leaf, Question, STOP, SplitRule, Tree};
use crate::peers::Alone;
use crate::split::choose::{Candidate, Chooser};
use crate::split::surrogate::{SurrogateRules, judge};
use crate::sys::memory::{collected, filled, room};
use crate::sys::pool::{self, Cancel};
use crate::{Error, Result};
use std::ops::Range;

/// Nodes of fewer rows are searched by one thread.
const SHARED: usize = 1 << 12;

/// What all nodes of a tree share.
#[derive(Debug)]
struct SurrogateContext<'a, C: Estimated> {
    list: &'a List<'a, C>,
    rules: SurrogateRules,
    /// The weight of a row in units, where all weigh the same.
    units: Option<u64>,
    /// Nodes with fewer rows are leaves.
    min_samples_split: u32,
    chooser: &'a Chooser,
    spares: SpareItems,
    cancel: &'a Cancel,
}

/// The rows of one node.
#[derive(Debug)]
pub struct SurrogateNode<S> {
    rows: ListNode<S>,
    numbers: SortedColumns,
    /// How many known rows are below the cut that was chosen, if it is one.
    below: usize,
}

/// The rows of a node and of everything below it.
#[derive(Debug)]
pub struct SurrogateRows<'a, C: Estimated> {
    context: &'a SurrogateContext<'a, C>,
    root: Option<SurrogateNode<C::Stat>>,
    threads: usize,
    log: SurrogateLog,
}

/// Grows the tree of some rows on so many threads; also tells which of its second children answer less, see
/// [`SurrogateLog::second_answers_less`], where nodes are divided one after the other.
pub fn grow_sorted<C: Estimated>(
    list: &mut List<'_, C>,
    rules: SurrogateRules,
    (chooser, limits): (&Chooser, &Limits),
    threads: usize,
    cancel: &Cancel,
) -> Result<(Tree, Vec<bool>)> {
    let (rows, spares) = (list.root()?, SpareItems::default());
    let list = &*list;
    let numbers = sort_columns(list, &rows.entries, threads, (&spares, cancel))?;
    let (units, min_samples_split) = (list.weights.common(), limits.min_samples_split);
    let context = SurrogateContext { list, rules, units, min_samples_split, chooser, spares, cancel };
    let mut sorted = SurrogateRows::new(&context, SurrogateNode { rows, numbers, below: 0 }, threads);
    if rules.vanishing.is_none() && list.risk_limit.is_none() {
        return Ok((grow_wide(&mut sorted, chooser, limits, threads, cancel)?, Vec::new()));
    }
    // What a node may save depends on the nodes before it.
    let tree = grow(&mut sorted, chooser, limits, cancel)?;
    Ok((tree, sorted.log.second_answers_less))
}

impl<'a, C: Estimated> SurrogateRows<'a, C> {
    fn new(context: &'a SurrogateContext<'a, C>, root: SurrogateNode<C::Stat>, threads: usize) -> SurrogateRows<'a, C> {
        SurrogateRows { context, root: Some(root), threads, log: SurrogateLog::default() }
    }

    fn threads(&self, node: &SurrogateNode<C::Stat>) -> usize {
        if node.rows.entries.len() < SHARED { 1 } else { self.threads }
    }
}

impl<C: Estimated> SurrogateContext<'_, C> {
    /// Does the same with every column and its numbers, in their order; there are none where they do not differ.
    fn each_column<R: Send>(
        &self,
        node: &SurrogateNode<C::Stat>,
        threads: usize,
        work: impl Fn(u32, &[u64], &mut CutScratch<C::Stat>) -> Result<Option<R>> + Sync,
    ) -> Result<Vec<R>> {
        let count = self.list.columns.len();
        let some = |columns: Range<usize>| -> Result<Vec<R>> {
            let (mut results, mut scratch) = (room(columns.len())?, CutScratch::new(self.list.criterion.width())?);
            for feature in columns {
                self.cancel.check()?;
                results.extend(work(feature as u32, node.numbers.of_column(feature as u32), &mut scratch)?);
            }
            Ok(results)
        };
        if threads == 1 {
            return some(0..count);
        }
        let results = pool::each(threads, (0..count).map(|feature| feature..feature + 1).collect(), some)?;
        Ok(results.into_iter().collect::<Result<Vec<_>>>()?.into_iter().flatten().collect())
    }

    /// The best split of each column, in their order; of numbers without its threshold, but with the number of rows below
    /// it.
    fn splits(&self, node: &SurrogateNode<C::Stat>, threads: usize) -> Result<Vec<(KnownSplit, usize)>> {
        let (list, criterion) = (self.list, self.list.criterion);
        // The best cut by an estimate may leave a side too light.
        let targets = match list.rules.min_weight <= 0.0 {
            true => criterion.targets(&node.rows.entries, &node.rows.stats, self.units)?,
            false => Targets::Unestimated,
        };
        self.each_column(node, threads, |feature, items, scratch| {
            if !list.columns[feature as usize].is_numeric() {
                return Ok(list.known_split(feature, &node.rows)?.map(|split| (split, 0)));
            }
            let rules = |cost| list.division_rules(feature, &node.rows, cost);
            let best = criterion.best_cut((&node.rows, &targets), items, scratch, rules)?;
            Ok(best.map(|(winner, cost)| {
                let way = SplitRule::threshold(f64::NAN, winner.heavier.unwrap_or(1));
                (KnownSplit { feature, way, saved: cost - winner.cost, count: items.len() as u32 }, winner.offer)
            }))
        })
    }

    /// The question of a cut behind so many known rows of a column; None where it has no numbers.
    fn question(&self, node: &SurrogateNode<C::Stat>, feature: u32, below: usize) -> Option<Question> {
        let column = &self.list.columns[feature as usize];
        let items = node.numbers.of_column(feature);
        let value = |place: usize| column.values()[key_of(items[place]) as usize];
        column.is_numeric().then(|| Question::Threshold(midpoint(value(below - 1), value(below))))
    }

    /// The child that the chosen question sends each row to, or [`STOP`]: of a cut it is known from the order of the numbers.
    fn answers(&self, node: &SurrogateNode<C::Stat>, chosen: &Candidate) -> Result<Vec<u16>> {
        let items = node.numbers.of_column(chosen.feature);
        // (Between infinite numbers there is no middle to compare with.)
        if items.is_empty() || !matches!(chosen.way.question, Question::Threshold(cut) if !cut.is_nan()) {
            return self.list.answers(chosen, &node.rows.entries);
        }
        let mut sides = filled(STOP, node.rows.entries.len())?;
        tell_sides(items, node.below, &mut sides);
        Ok(sides)
    }

    /// The best surrogates, of all columns but the chosen one.
    fn surrogates(
        &self,
        node: &SurrogateNode<C::Stat>,
        chosen: u32,
        sides: &[u16],
        threads: usize,
    ) -> Result<Vec<AlternativeSplit>> {
        let (rules, entries) = (&self.rules, &node.rows.entries[..]);
        let sent = SentRows::new(entries, sides, self.units)?;
        let all = sent_weights(entries, sides);
        let mut surrogates = self.each_column(node, threads, |feature, items, _| {
            if feature == chosen {
                return Ok(None);
            }
            if !self.list.columns[feature as usize].is_numeric() {
                let surrogate = self.list.surrogate(rules, feature, entries, sides)?;
                return Ok(surrogate.map(|surrogate| (surrogate, None)));
            }
            let Some(agreement) = sent.best(items) else { return Ok(None) };
            let counted = if rules.of_known { agreement.sent } else { all };
            let surrogate = judge(feature, (Question::Threshold(f64::NAN), 0), agreement.agree, counted);
            Ok(surrogate.map(|surrogate| (surrogate, Some(agreement))))
        })?;
        surrogates.sort_by(|(a, _), (b, _)| b.merit.total_cmp(&a.merit));
        surrogates.truncate(rules.max_surrogates);
        for (surrogate, agreement) in &mut surrogates {
            let items = node.numbers.of_column(surrogate.feature);
            if let Some((cut, below)) = agreement.and_then(|agreement| sent.find(items, &agreement)) {
                surrogate.below = below;
                surrogate.question = self.question(node, surrogate.feature, cut).unwrap_or(surrogate.question.clone());
            }
        }
        collected(surrogates.into_iter().map(|(surrogate, _)| surrogate))
    }

    /// The children of a node, whose rows go to these sides, with their numbers.
    fn deal(
        &self,
        numbers: SortedColumns,
        children: Vec<ListNode<C::Stat>>,
        sides: Vec<u16>,
        threads: usize,
    ) -> Result<Vec<SurrogateNode<C::Stat>>> {
        let rows_to_search = |child: &ListNode<C::Stat>| match child.entries.len() {
            count if count < self.min_samples_split as usize => 0,
            _ if self.list.criterion.cost(&child.stats) == 0.0 => 0,
            count => count,
        };
        let (mut places, mut counts) = (room(sides.len())?, [0u32; 2]);
        for side in &sides {
            let place = counts.get_mut(*side as usize);
            places.push(place.map_or(0, |place| std::mem::replace(place, *place + 1)));
        }
        let deal = Deal { child_of: sides, place_of: places, shared: Vec::new() };
        let rows: Vec<usize> = children.iter().map(rows_to_search).collect();
        let dealt = deal.columns(numbers, &rows, &self.spares, threads, self.cancel)?;
        collected(children.into_iter().zip(dealt).map(|(rows, numbers)| SurrogateNode { rows, numbers, below: 0 }))
    }
}

impl<C: Estimated> Rows for SurrogateRows<'_, C> {
    type Node = SurrogateNode<C::Stat>;

    fn outputs(&self) -> usize {
        self.context.list.outputs()
    }

    fn root(&mut self) -> Result<Self::Node> {
        self.root.take().ok_or_else(|| Error::data("data.empty", "no row has a weight above zero"))
    }

    fn leaf<'v>(&self, node: &Self::Node, value: &'v mut [f64]) -> Leaf<'v> {
        self.context.list.leaf(&node.rows, value)
    }

    fn candidates(&mut self, node: &mut Self::Node, out: &mut Vec<Candidate>) -> Result<()> {
        let context = self.context;
        if !context.list.may_split(&node.rows) {
            return Ok(());
        }
        let mut splits = context.splits(node, self.threads(node))?;
        let Leaf { cost, weight, .. } = self.leaf(node, &mut filled(0.0, self.outputs())?);
        splits.retain(|(split, _)| self.log.is_worth_keeping(split.saved, cost, &context.rules));
        let mut candidates: Vec<Candidate> = collected(splits.iter().map(|(split, _)| split.candidate(weight)))?;
        let Some(chosen) = context.chooser.choose(&candidates, cost / weight) else { return Ok(()) };
        let mut candidate = candidates.swap_remove(chosen);
        node.below = splits[chosen].1;
        let question = |feature, below| context.question(node, feature, below);
        if let Some(question) = question(candidate.feature, node.below) {
            candidate.way.question = question;
        }
        out.push(candidate);
        // The others' thresholds will never be asked for.
        splits.sort_by(|(a, _), (b, _)| b.merit().total_cmp(&a.merit()));
        splits.truncate(context.rules.max_competitors.saturating_add(1));
        let competitors = splits.into_iter().map(|(split, below)| {
            let mut competitor = split.competitor();
            competitor.question = question(split.feature, below).unwrap_or(competitor.question);
            competitor
        });
        node.rows.competitors = collected(competitors)?;
        Ok(())
    }

    fn divide(&mut self, node: Self::Node, chosen: &Candidate) -> Result<Vec<Self::Node>> {
        let (context, threads, list) = (self.context, self.threads(&node), self.context.list);
        let surrogates = |sides: &[u16]| context.surrogates(&node, chosen.feature, sides, threads);
        let answers = (chosen.feature, context.answers(&node, chosen)?);
        let (sides, spares, second_answers_less) =
            list.divide_with_surrogates(&context.rules, &node.rows, answers, surrogates)?;
        self.log.divisions.push((spares, second_answers_less));
        let SurrogateNode { rows, numbers, .. } = node;
        let sent = distribute_rows(2, &rows.entries, |position, _| sides[position], &Alone, context.cancel)?;
        let children = list.make_children(&rows, chosen, sent.children)?;
        context.deal(numbers, children, sides, threads)
    }

    fn forget_division(&mut self) {
        self.log.divisions.pop();
    }

    fn finish(&mut self, tree: &mut Tree) {
        self.log.write(tree);
    }
}

impl<C: Estimated> Divisible for SurrogateRows<'_, C> {
    type Part<'p>
        = SurrogateRows<'p, C>
    where
        Self: 'p;

    fn small(&self, _: usize) -> u32 {
        SHARED as u32
    }

    fn parts(&mut self, nodes: Vec<Self::Node>) -> Result<Vec<SurrogateRows<'_, C>>> {
        collected(nodes.into_iter().map(|node| SurrogateRows::new(self.context, node, 1)))
    }
}
