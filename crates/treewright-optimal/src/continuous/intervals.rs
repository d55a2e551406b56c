//! Stretches of cuts that are not yet settled, and how little a tree with one of these cuts at its root can cost.
//!
//! Along the cuts of a column rows move from right to left, so the left part only grows. Let L and R be lower bounds for
//! trees of the depth below on the left and on the right. With cuts a < b known and w rows (times the cost of an error)
//! moved from a to k, and v from k to b:
//!
//! - a part costs at least what a part of it costs: L(k) >= L(a), R(k) >= R(b);
//! - taking rows away saves no more than their errors: L(k) >= L(b) - v, R(k) >= R(a) - w.
//!
//! Both hold with a cost of leaves. With a minimum leaf they hold for trees that may have smaller leaves, whose costs
//! bound the others from below; so only such bounds come here.

use super::codes::Code;
use super::node::Node;
use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::ops::Range;

/// A cut whose parts were bounded.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Edge {
    /// The number of rows on the left.
    pub place: usize,
    /// Lower bounds of the left part and of the right part.
    pub floors: [i64; 2],
}

/// Cuts between two edges of a column; ordered by their lower bound.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Interval {
    /// No tree with one of the cuts costs less.
    pub lower: i64,
    /// The column.
    pub feature: usize,
    from: Edge,
    to: Edge,
    /// The places that are left.
    low: usize,
    high: usize,
}

impl Interval {
    /// All cuts between two edges.
    pub fn between<T: Code>(node: &Node<T>, feature: usize, from: Edge, to: Edge) -> Interval {
        let all = node.rules.unit * node.weight_between(feature, from.place, to.place);
        let lower = (from.floors[0] + to.floors[1]).max(to.floors[0] + from.floors[1] - all);
        Interval { lower, feature, from, to, low: from.place + 1, high: to.place - 1 }
    }

    /// Lower bounds of both parts of a cut in the interval.
    pub fn floors_at<T: Code>(&self, node: &Node<T>, place: usize) -> [i64; 2] {
        let moved = |from: usize, to: usize| node.rules.unit * node.weight_between(self.feature, from, to);
        let Interval { from, to, .. } = *self;
        let left = from.floors[0].max(to.floors[0] - moved(place, to.place));
        [left, to.floors[1].max(from.floors[1] - moved(from.place, place))]
    }
}

/// The intervals of a node, the one of least bound first.
pub struct Intervals<'a, T> {
    node: &'a Node<T>,
    heap: BinaryHeap<Reverse<Interval>>,
    /// The least bound of what was given up.
    given_up: i64,
}

impl<'a, T: Code> Intervals<'a, T> {
    /// All cuts of some columns that leave enough rows on each side. `all_rows` is a lower bound of a tree of the depth below on
    /// all rows.
    pub fn new(node: &'a Node<T>, features: Range<usize>, all_rows: i64) -> Intervals<'a, T> {
        let mut intervals = Intervals { node, heap: BinaryHeap::new(), given_up: i64::MAX };
        let leaf = node.rules.leaf;
        let from = Edge { place: 0, floors: [leaf, all_rows] };
        let to = Edge { place: node.count, floors: [all_rows, leaf] };
        let fewest = node.rules.min_leaf;
        for feature in features {
            if node.count >= 2 * fewest {
                let all = Interval::between(node, feature, from, to);
                intervals.push(Interval { low: fewest, high: node.count - fewest, ..all });
            }
        }
        intervals
    }

    /// Takes out the interval of a column that holds a place.
    pub fn take(&mut self, feature: usize, place: usize) -> Option<Interval> {
        let holds =
            |interval: &Interval| interval.feature == feature && (interval.low..=interval.high).contains(&place);
        let taken = self.heap.iter().find(|interval| holds(&interval.0)).map(|interval| interval.0)?;
        self.heap.retain(|interval| interval.0 != taken);
        Some(taken)
    }

    fn moved(&self, feature: usize, from: usize, to: usize) -> i64 {
        self.node.rules.unit * self.node.weight_between(feature, from, to)
    }

    fn push(&mut self, interval: Interval) {
        if interval.low <= interval.high {
            self.heap.push(Reverse(interval));
        }
    }

    /// No tree with a cut that is still open, or was given up, costs less.
    pub fn lower(&self) -> i64 {
        self.heap.peek().map_or(i64::MAX, |first| first.0.lower).min(self.given_up)
    }

    /// The next cut to look at, of those that may cost less than `limit`: its interval and its place.
    pub fn next(&mut self, limit: i64) -> Option<(Interval, usize)> {
        while self.heap.peek().is_some_and(|first| first.0.lower < limit) {
            let mut interval = self.heap.pop()?.0;
            self.trim(&mut interval, limit);
            if interval.low <= interval.high {
                let middle = interval.low.midpoint(interval.high);
                let place = self.node.nearest_cut(interval.feature, middle, interval.low, interval.high);
                if let Some(place) = place {
                    return Some((interval, place));
                }
            }
        }
        None
    }

    /// Gives up the places that are too near to an edge to cost less than `limit`.
    fn trim(&mut self, interval: &mut Interval, limit: i64) {
        let Interval { feature, from, to, low, high, .. } = *interval;
        let spare = |edge: Edge| edge.floors[0] + edge.floors[1] - limit;
        let (near_from, near_to) = (spare(from), spare(to));
        if near_from >= 0 {
            let first = first_place(low, high + 1, |place| self.moved(feature, from.place, place) > near_from);
            interval.low = first;
        }
        if near_to >= 0 {
            let first = first_place(low, high + 1, |place| self.moved(feature, place, to.place) <= near_to);
            interval.high = first - 1;
        }
        if (interval.low, interval.high) != (low, high) {
            self.given_up = self.given_up.min(limit);
        }
    }

    /// What is left of an interval after a cut in it was bounded.
    pub fn divide(&mut self, interval: Interval, edge: Edge) {
        let Interval { feature, from, to, low, high, .. } = interval;
        let before = Interval::between(self.node, feature, from, edge);
        self.push(Interval { low, ..before });
        let after = Interval::between(self.node, feature, edge, to);
        self.push(Interval { high, ..after });
    }

    /// Puts back an interval whose cut was not looked at.
    pub fn put_back(&mut self, interval: Interval) {
        self.heap.push(Reverse(interval));
    }
}

/// The first place for which something holds, if it holds for all places after it too; else `end`.
fn first_place(start: usize, end: usize, holds: impl Fn(usize) -> bool) -> usize {
    let (mut low, mut high) = (start, end);
    while low < high {
        let middle = low.midpoint(high);
        if holds(middle) {
            high = middle;
        } else {
            low = middle + 1;
        }
    }
    low
}
