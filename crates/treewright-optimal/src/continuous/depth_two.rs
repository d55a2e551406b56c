//! The best tree of depth two for the rows of a node: cuts of the root by their bounds, and the best question of each
//! side for those that are looked at.

use super::codes::{Code, Instructions};
use super::counts::{Counts, PartCost};
use super::intervals::{Edge, Intervals};
use super::node::Node;
use super::stump::Stumps;
use super::table::Table;
use crate::limits::Limits;

/// A question: rows whose code in a column is below the cut go left.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cut<T> {
    /// The column.
    pub feature: usize,
    /// The least code on the right.
    pub code: T,
}

/// What is known about the trees of a node.
#[derive(Clone, Copy, Debug)]
pub struct Outcome<T> {
    /// No tree costs less, even one with leaves of any size.
    pub floor: i64,
    /// No tree whose leaves are large enough costs less.
    pub lower: i64,
    /// The cost of the best tree that was found.
    pub cost: i64,
    /// Its root; None: a leaf or one question.
    pub cut: Option<Cut<T>>,
    /// Whether the search had to stop.
    pub stopped: bool,
}

impl<T> Outcome<T> {
    /// Nothing but a lower bound.
    pub fn bound(floor: i64) -> Outcome<T> {
        Outcome { floor, lower: floor, cost: i64::MAX, cut: None, stopped: false }
    }
}

/// Looks at the clock after so many cuts.
const CUTS_BETWEEN_LOOKS: usize = 16;

/// Finds the best trees of one question and of two levels; keeps its room.
#[derive(Debug, Default)]
pub struct Solver {
    stumps: Stumps,
    counts: Counts,
}

impl Solver {
    /// What trees of at most one question cost for the first rows of a column's order and for the others.
    pub fn bound_parts<T: Code>(
        &mut self,
        instructions: Instructions,
        table: &Table<T>,
        node: &Node<T>,
        feature: usize,
        place: usize,
    ) -> [PartCost; 2] {
        let cut = node.sorted(feature).get(place).copied().unwrap_or(T::PAD);
        if !node.rules.signs {
            return self.counts.costs(table, node, feature, cut);
        }
        let gains = self.stumps.gains(instructions, node, feature, cut, place);
        let (unit, leaf) = (node.rules.unit, node.rules.leaf);
        [0, 1].map(|side| {
            let rows = if side == 0 { place } else { node.count - place } as i64;
            let (split, lone) = gains[side];
            let cost_of = |gain: i32, leaves: i64| unit * ((rows - i64::from(gain)) / 2) + leaves * leaf;
            let cost = cost_of(lone, 1).min(cost_of(split, 2));
            PartCost { floor: cost, cost }
        })
    }

    /// The best tree of at most two levels, with a question about one of the node's features at its root, if it costs less
    /// than `budget`; else a lower bound.
    pub fn search<T: Code>(
        &mut self,
        instructions: Instructions,
        table: &Table<T>,
        node: &Node<T>,
        budget: i64,
        limits: &Limits<'_>,
    ) -> Outcome<T> {
        let [stump, _] = self.bound_parts(instructions, table, node, node.features.start, node.count);
        let mut best = Outcome { floor: stump.floor, lower: 0, cost: stump.cost, cut: None, stopped: false };
        let mut intervals = Intervals::new(node, node.features.clone(), stump.floor);
        let mut cuts = 0;
        while let Some((interval, place)) = intervals.next(best.cost.min(budget)) {
            let parts = self.bound_parts(instructions, table, node, interval.feature, place);
            let floors = parts.map(|part| part.floor);
            best.floor = best.floor.min(floors[0] + floors[1]);
            if parts[0].cost + parts[1].cost < best.cost {
                best.cost = parts[0].cost + parts[1].cost;
                best.cut = Some(Cut { feature: interval.feature, code: node.sorted(interval.feature)[place] });
            }
            intervals.divide(interval, Edge { place, floors });
            cuts += 1;
            if cuts % CUTS_BETWEEN_LOOKS == 0 && limits.look() {
                best.stopped = true;
                break;
            }
        }
        best.floor = best.floor.min(intervals.lower());
        best.lower = best.cost.min(intervals.lower());
        best
    }
}
