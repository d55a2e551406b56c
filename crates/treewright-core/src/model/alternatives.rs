//! The other questions of a tree's branches, beside the one that each asks.
//!
//! Glossary. A *competitor* would have divided the node's training rows well too; it is there to be read. A *surrogate*
//! imitates the node's own question; it is asked, in order, of a row that the own question does not answer. Both are
//! *spares* and tell two ways apart: child 0 and child 1 of the node; [`STOP`] means that it does not answer either.

use super::tree::{Question, STOP};
use crate::data::table::{Column, Kind, MISSING, UNSEEN};
use crate::{Error, Result};
use std::ops::Range;

/// A spare that was asked for its merit only.
pub const COMPETITOR: u16 = 0;
/// A spare that is asked of rows.
pub const SURROGATE: u16 = 1;

/// One spare question.
#[derive(Clone, Debug, PartialEq)]
pub struct AlternativeSplit {
    /// [`COMPETITOR`] or [`SURROGATE`].
    pub role: u16,
    /// The column it asks about.
    pub feature: u32,
    /// What it asks.
    pub question: Question,
    /// The child of numbers that are not above its threshold; 0 where it asks about levels.
    pub below: u16,
    /// A competitor's gain; a surrogate's share of training weight that it sends as the node's own question does.
    pub merit: f64,
    /// How much better than the majority a surrogate imitates: 1 for perfectly, 0 for not at all. 0 for a competitor.
    pub adjusted: f64,
    /// A competitor: training rows that it could have divided. A surrogate: training rows that it sent on.
    pub count: u32,
}

/// The spares of all branches of one tree as columns, end to end, those of a node in the order in which they are asked.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct AlternativeSplits {
    /// Where each node's spares begin, one entry a node; they end where the next node's begin.
    pub start: Vec<u32>,
    /// [`COMPETITOR`] or [`SURROGATE`].
    pub role: Vec<u16>,
    /// The column.
    pub feature: Vec<u32>,
    /// The cut of a numeric spare; NaN for a categorical one.
    pub threshold: Vec<f64>,
    /// The child of numbers up to the cut.
    pub below: Vec<u16>,
    /// Where a categorical spare's children begin in `route`; else 0.
    pub route_start: Vec<u32>,
    /// See [`AlternativeSplit::merit`].
    pub merit: Vec<f64>,
    /// See [`AlternativeSplit::adjusted`].
    pub adjusted: Vec<f64>,
    /// See [`AlternativeSplit::count`].
    pub count: Vec<u32>,
    /// The children of all categorical spares, one entry a level, end to end: 0, 1 or [`STOP`].
    pub route: Vec<u16>,
}

/// Keeps the splits of most merit, so many, the best first; of equal ones the earlier.
pub fn keep_best(splits: &mut Vec<AlternativeSplit>, count: usize) {
    splits.sort_by(|a, b| b.merit.total_cmp(&a.merit));
    splits.truncate(count);
}

impl AlternativeSplits {
    /// The spares of a tree of so many nodes, each list with its node; None if all are empty.
    pub fn new(nodes: usize, mut lists: Vec<(usize, Vec<AlternativeSplit>)>) -> Option<Box<AlternativeSplits>> {
        let mut spares = Box::<AlternativeSplits>::default();
        lists.sort_unstable_by_key(|(node, _)| *node);
        for (node, list) in lists {
            spares.start.resize(node + 1, spares.role.len() as u32);
            list.iter().for_each(|spare| spares.push(spare));
        }
        spares.start.resize(nodes, spares.role.len() as u32);
        (!spares.is_empty()).then_some(spares)
    }

    fn push(&mut self, spare: &AlternativeSplit) {
        self.role.push(spare.role);
        self.feature.push(spare.feature);
        self.below.push(spare.below);
        self.merit.push(spare.merit);
        self.adjusted.push(spare.adjusted);
        self.count.push(spare.count);
        let (threshold, start) = match &spare.question {
            Question::Threshold(cut) => (*cut, 0),
            Question::Route(route) => {
                self.route.extend_from_slice(route);
                (f64::NAN, self.route.len() - route.len())
            }
        };
        self.threshold.push(threshold);
        self.route_start.push(start as u32);
    }

    /// Whether there are none, which no tree has.
    pub fn is_empty(&self) -> bool {
        self.role.is_empty()
    }

    /// The number of spares.
    pub fn len(&self) -> usize {
        self.role.len()
    }

    /// The spares of a node.
    pub fn of(&self, node: usize) -> Range<usize> {
        let begin = |node: usize| self.start.get(node).map_or(self.role.len(), |&start| start as usize);
        begin(node)..begin(node + 1)
    }

    /// The child to which the first surrogate that answers sends the row, or [`STOP`].
    pub fn answer(&self, node: usize, columns: &[Column<'_>], row: usize) -> u16 {
        let surrogates = self.of(node).filter(|&spare| self.role[spare] == SURROGATE);
        let mut answers = surrogates.map(|spare| match columns[self.feature[spare] as usize] {
            column @ (Column::Numeric(_) | Column::Strided(_) | Column::Sparse(_)) => match column.number(row) {
                x if x.is_nan() => STOP,
                x => self.below[spare] ^ u16::from(x > self.threshold[spare]),
            },
            Column::Categorical { codes, .. } => match codes[row] {
                MISSING | UNSEEN => STOP,
                code => self.route[self.route_start[spare] as usize + code as usize],
            },
        });
        answers.find(|&child| child != STOP).unwrap_or(STOP)
    }

    /// One spare as a value.
    pub fn get(&self, spare: usize) -> AlternativeSplit {
        let question = if self.threshold[spare].is_nan() {
            let next = (spare + 1..self.len()).find(|&next| self.threshold[next].is_nan());
            let end = next.map_or(self.route.len(), |next| self.route_start[next] as usize);
            Question::Route(self.route[self.route_start[spare] as usize..end].to_vec())
        } else {
            Question::Threshold(self.threshold[spare])
        };
        AlternativeSplit {
            role: self.role[spare],
            feature: self.feature[spare],
            question,
            below: self.below[spare],
            merit: self.merit[spare],
            adjusted: self.adjusted[spare],
            count: self.count[spare],
        }
    }

    /// The spares of a node as values.
    pub fn list(&self, node: usize) -> Vec<AlternativeSplit> {
        self.of(node).map(|spare| self.get(spare)).collect()
    }

    /// The spares of a tree of `nodes` nodes in which the old node of each pair has become the new one.
    pub fn moved(&self, nodes: usize, pairs: &[(usize, usize)]) -> Option<Box<AlternativeSplits>> {
        AlternativeSplits::new(nodes, pairs.iter().map(|&(old, new)| (new, self.list(old))).collect())
    }

    /// Checks everything that a walk relies on; `children` is how many children each node has.
    pub fn check(&self, children: &[u16], kinds: &[Kind]) -> Result<()> {
        self.check_lengths(children.len())?;
        for (node, &ways) in children.iter().enumerate() {
            let spares = self.of(node);
            if spares.start > spares.end || spares.end > self.len() || (!spares.is_empty() && ways != 2) {
                return Err(bad("are not the spares of a tree with two ways at a branch"));
            }
        }
        let mut routed = 0;
        for spare in 0..self.len() {
            routed = self.check_one(spare, routed, kinds)?;
        }
        if routed == self.route.len() { Ok(()) } else { Err(bad("leave entries of the route unread")) }
    }

    fn check_lengths(&self, nodes: usize) -> Result<()> {
        let n = self.len();
        let words = [self.below.len(), self.feature.len(), self.route_start.len(), self.count.len()];
        let reals = [self.threshold.len(), self.merit.len(), self.adjusted.len()];
        let is_complete = self.start.len() == nodes && self.start.first() == Some(&0) && n > 0 && n < u32::MAX as usize;
        let even = words.iter().chain(&reals).all(|&length| length == n);
        if is_complete && even { Ok(()) } else { Err(bad("differ in length")) }
    }

    /// Checks a spare whose route, if any, must begin at `routed`; gives where the next one's must.
    fn check_one(&self, spare: usize, routed: usize, kinds: &[Kind]) -> Result<usize> {
        let plain = self.role[spare] <= SURROGATE
            && self.below[spare] <= 1
            && self.merit[spare].is_finite()
            && self.adjusted[spare].is_finite();
        let (start, threshold) = (self.route_start[spare] as usize, self.threshold[spare]);
        let (sound, end) = match kinds.get(self.feature[spare] as usize) {
            Some(Kind::Numeric) => (threshold.is_finite() && start == 0, routed),
            Some(Kind::Categorical(levels)) => {
                let end = routed.saturating_add(*levels as usize);
                let route = self.route.get(routed..end);
                let two = route.is_some_and(|route| route.iter().all(|&child| child <= 1 || child == STOP));
                (two && start == routed && threshold.is_nan() && self.below[spare] == 0, end)
            }
            None => (false, routed),
        };
        if plain && sound { Ok(end) } else { Err(bad("ask what no column can answer")) }
    }
}

fn bad(what: &str) -> Error {
    Error::model("model.table", format!("the spare questions {what}"))
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    const KINDS: [Kind; 2] = [Kind::Numeric, Kind::Categorical(3)];

    fn spare(role: u16, feature: u32, question: Question, below: u16) -> AlternativeSplit {
        AlternativeSplit { role, feature, question, below, merit: 0.8, adjusted: 0.5, count: 3 }
    }

    fn some() -> AlternativeSplits {
        let route = |a, b, c| Question::Route(vec![a, b, c]);
        let lists = vec![
            (2, vec![spare(SURROGATE, 1, route(1, STOP, 0), 0)]),
            (
                0,
                vec![
                    spare(COMPETITOR, 1, route(0, 0, 1), 0),
                    spare(SURROGATE, 0, Question::Threshold(2.5), 1),
                    spare(SURROGATE, 1, route(STOP, 0, 1), 0),
                ],
            ),
        ];
        *AlternativeSplits::new(5, lists).unwrap()
    }

    #[test]
    fn each_node_has_its_own_in_order() {
        let spares = some();
        assert_eq!((0..5).map(|node| spares.of(node)).collect::<Vec<_>>(), [0..3, 3..3, 3..4, 4..4, 4..4]);
        spares.check(&[2, 0, 2, 0, 0], &KINDS).unwrap();
        assert_eq!(spares.get(3).question, Question::Route(vec![1, STOP, 0]));
        let moved = spares.moved(3, &[(2, 0)]).unwrap();
        moved.check(&[2, 0, 0], &KINDS).unwrap();
        assert_eq!(moved.route, vec![1, STOP, 0]);
    }

    #[test]
    fn the_first_surrogate_that_answers_decides() {
        let spares = some();
        let numbers = [1.0, 9.0, f64::NAN, f64::NAN, f64::NAN];
        let codes = [0, 0, 0, 2, MISSING];
        let columns = [Column::Numeric(&numbers), Column::Categorical { codes: &codes, levels: 3 }];
        let answers: Vec<u16> = (0..5).map(|row| spares.answer(0, &columns, row)).collect();
        assert_eq!(answers, [1, 0, STOP, 1, STOP]);
    }

    #[test]
    fn each_broken_column_is_noticed() {
        let broken: Vec<fn(&mut AlternativeSplits)> = vec![
            |s| s.start[0] = 1,
            |s| s.start[1] = 5,
            |s| s.start[2] = 2,
            |s| s.start[3] = 3,
            |s| s.start.truncate(4),
            |s| s.role[0] = 2,
            |s| s.role.truncate(3),
            |s| s.feature[0] = 2,
            |s| s.feature[1] = 1,
            |s| s.threshold[1] = f64::INFINITY,
            |s| s.threshold[0] = 0.0,
            |s| s.below[1] = 2,
            |s| s.below[0] = 1,
            |s| s.route_start[0] = 1,
            |s| s.route_start[1] = 1,
            |s| s.merit[0] = f64::NAN,
            |s| s.adjusted[0] = f64::INFINITY,
            |s| s.count.truncate(3),
            |s| s.route[1] = 2,
            |s| s.route.push(0),
            |s| s.route.truncate(8),
        ];
        for (i, break_it) in broken.iter().enumerate() {
            let mut spares = some();
            break_it(&mut spares);
            assert!(spares.check(&[2, 0, 2, 0, 0], &KINDS).is_err(), "change {i} went unnoticed");
        }
    }
}
