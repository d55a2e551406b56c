//! The best split of one sparse column in one node: its items are visited, and zeros are what is left of the node.

use super::stored::{lower, upper};
use super::{SparseNode, SparseRows};
use crate::Result;
use crate::data::table::MISSING;
use crate::model::tree::SplitRule;
use crate::split::choose::Candidate;
use crate::split::contest::{Contest, DivisionRules, Part};
use crate::split::threshold;
use crate::stats::criterion::{Criterion, remove};
use crate::tolerance::TIE;

/// Memory for the search of one column.
#[derive(Debug, Default)]
pub struct SparseScratch<S> {
    /// The items of the node whose number is known, by code.
    held: Vec<u64>,
    known: Part<S>,
    missing: Part<S>,
    zero: Part<S>,
    low: Part<S>,
    high: Part<S>,
}

/// Which cuts are worth a closer look: a contest costs more than a glance, and hardly any cut can win it.
#[derive(Clone, Copy, Debug)]
struct Screen {
    /// A cut that leaves more of the cost cannot win; infinite where all may.
    most: f64,
    min_leaf: u32,
    rounding: f64,
    /// Whether the least cost so far may be of a cut that wins nothing, since it is not admissible.
    is_blind: bool,
}

impl Screen {
    /// For cuts of a node some of whose columns gain as much as `best`, with so many missing values.
    fn new<S>(node: &SparseNode<S>, best: f64, rules: DivisionRules, missing: u32) -> Screen {
        // With missing values a cut has several costs.
        let open = missing > 0 || rules.trend.is_some();
        let most = node.cost - best * node.weight + 2.0 * TIE * node.cost;
        Screen {
            most: if open { f64::INFINITY } else { most },
            min_leaf: rules.min_leaf,
            rounding: 4.0 * rules.rounding,
            is_blind: open || rules.min_weight > 0.0,
        }
    }

    fn lets_pass<C: Criterion>(&mut self, criterion: &C, low: &Part<C::Stat>, high: &Part<C::Stat>) -> bool {
        if self.most == f64::INFINITY && self.is_blind {
            return true;
        }
        let cost = criterion.cost(&low.stats) + criterion.cost(&high.stats);
        if cost > self.most || low.count.min(high.count) < self.min_leaf {
            return false;
        }
        if !self.is_blind {
            self.most = self.most.min(cost + self.rounding);
        }
        true
    }
}

impl<C: Criterion> SparseRows<'_, C> {
    /// The best split of a column by the items of the lists that the node is in; None where there is none, or none that
    /// could be chosen where another column gains as much as `best`.
    pub(super) fn candidate(
        &self,
        node: &SparseNode<C::Stat>,
        column: u32,
        items: &[u64],
        best: f64,
        scratch: &mut SparseScratch<C::Stat>,
    ) -> Result<Option<Candidate>> {
        if !self.take(node, items, scratch)? || self.is_below(node, best, scratch) {
            return Ok(None);
        }
        let rules = self.rules.of_divisions(column, node.bounds, node.cost);
        let random = self.rules.sampling.filter(|draw| draw.cuts).map(|draw| draw.cut_words(node.key, column));
        let division = match random {
            Some(words) => self.random_cut(column, rules, words, scratch)?,
            None => {
                let screen = Screen::new(node, best, rules, scratch.missing.count);
                self.best_cut(column, rules, screen, scratch)?
            }
        };
        Ok(division.map(|(left, way)| Candidate::new(column, (node.cost - left) / node.weight, way)))
    }

    /// Takes the node's items out of a list and adds up their rows; false where all rows hold the same.
    fn take(&self, node: &SparseNode<C::Stat>, items: &[u64], scratch: &mut SparseScratch<C::Stat>) -> Result<bool> {
        let SparseScratch { held, known, missing, zero, .. } = scratch;
        held.clear();
        let width = self.criterion.width();
        missing.reset(width)?;
        known.reset(width)?;
        for &item in items {
            let row = lower(item) as usize;
            if self.node_of[row] != node.id {
                continue;
            }
            let part = if upper(item) == MISSING { &mut *missing } else { &mut *known };
            self.criterion.add(&mut part.stats, row, self.weights.units[row]);
            part.count += 1;
            if upper(item) != MISSING {
                held.push(item);
            }
        }
        // What the items do not tell is zero.
        zero.stats.clone_from(&node.stats);
        zero.count = node.count;
        zero.leave(missing);
        std::mem::swap(known, zero);
        // (Now `known` is all that is not missing, and `zero` what is stored of it.)
        let stored = std::mem::take(zero);
        zero.clone_from(known);
        zero.leave(&stored);
        let one = match (held.first(), held.last()) {
            (Some(&first), Some(&last)) => zero.count == 0 && upper(first) == upper(last),
            _ => true,
        };
        Ok(!(one && missing.count == 0))
    }

    /// Whether no cut can save as much as the best so far: at most, every row that is not zero stood in a set of equals.
    fn is_below(&self, node: &SparseNode<C::Stat>, best: f64, scratch: &SparseScratch<C::Stat>) -> bool {
        let most = (node.cost - self.criterion.cost(&scratch.zero.stats)) / node.weight;
        most < best - 2.0 * TIE * node.cost / node.weight
    }

    /// The best cut: each place between two codes is offered, in their order.
    fn best_cut(
        &self,
        column: u32,
        rules: DivisionRules,
        mut screen: Screen,
        scratch: &mut SparseScratch<C::Stat>,
    ) -> Result<Option<(f64, SplitRule)>> {
        let SparseScratch { held, known, missing, zero, low, high } = scratch;
        let (numbers, zero_code) = (self.table.numbers(column), self.table.stored.zero(column));
        let mut contest = Contest::new(self.criterion, rules, missing)?;
        low.reset(self.criterion.width())?;
        high.reset(self.criterion.width())?;
        let mut last = None;
        let mut reach = |low: &Part<C::Stat>, code: u32| {
            if let Some(below) = last.replace(code).filter(|below| *below < code) {
                high.stats.copy_from_slice(&known.stats);
                remove(&mut high.stats, &low.stats);
                high.count = known.count - low.count;
                if !screen.lets_pass(self.criterion, low, high) {
                    return;
                }
                contest.offer(low, high, || Some((numbers[below as usize], numbers[code as usize])));
            }
        };
        let mut is_zero_left = zero.count > 0;
        for &item in held.iter() {
            let (code, row) = (upper(item), lower(item) as usize);
            if is_zero_left && code > zero_code {
                reach(low, zero_code);
                low.join(zero);
                is_zero_left = false;
            }
            reach(low, code);
            self.criterion.add(&mut low.stats, row, self.weights.units[row]);
            low.count += 1;
        }
        if is_zero_left {
            reach(low, zero_code);
        }
        contest.offer_known(known, || None);
        Ok(contest.winner().map(|winner| threshold::division(missing.count > 0, rules, &winner)))
    }

    /// A cut at random between the least and the greatest number of the node.
    fn random_cut(
        &self,
        column: u32,
        rules: DivisionRules,
        mut words: crate::rng::Words,
        scratch: &mut SparseScratch<C::Stat>,
    ) -> Result<Option<(f64, SplitRule)>> {
        let SparseScratch { held, known, missing, zero, low, high } = scratch;
        let (numbers, zero_code) = (self.table.numbers(column), self.table.stored.zero(column));
        let zeros = (zero.count > 0).then_some(zero_code);
        let codes = [held.first(), held.last()].into_iter().flatten().map(|&item| upper(item)).chain(zeros);
        let (least, greatest) = codes.fold((u32::MAX, 0), |(low, high), code| (low.min(code), high.max(code)));
        let cut = match least < greatest {
            true => threshold::between(numbers[least as usize], numbers[greatest as usize], &mut words),
            false => f64::INFINITY,
        };
        let above = numbers.partition_point(|&number| number <= cut) as u32;
        low.reset(self.criterion.width())?;
        for &item in held.iter().filter(|&&item| upper(item) < above) {
            let row = lower(item) as usize;
            self.criterion.add(&mut low.stats, row, self.weights.units[row]);
            low.count += 1;
        }
        if zero_code < above {
            low.join(zero);
        }
        high.clone_from(known);
        high.leave(low);
        let best = threshold::settle(self.criterion, rules, [low, high, missing], least < greatest)?;
        Ok(best.map(|best| (best.cost, threshold::way(missing.count > 0, rules, &best, cut))))
    }
}
