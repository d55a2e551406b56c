//! The best tree of depth three: cuts of the root by their bounds, several at a time, and trees of depth two on the sides.
//!
//! How many cuts are looked at together does not depend on the threads, and what they give is taken in their order: the
//! answer is the same for any number of threads.

use super::codes::{Code, Instructions};
use super::depth_two::{Cut, Outcome, Solver};
use super::intervals::{Edge, Interval, Intervals};
use super::node::{Node, Part};
use super::table::Table;
use crate::limits::Limits;
use std::ops::Range;
use std::sync::{Mutex, PoisonError};
use treewright_core::Result;
use treewright_core::prelude::pool;

/// Cuts that are looked at together.
const BATCH: usize = 8;
/// The most bytes of codes of a node; columns are taken in blocks where there are more.
const NODE_BYTES: usize = 1 << 28;

/// The upper questions of a tree; below them are the best trees of one question.
#[derive(Clone, Copy, Debug, Default)]
pub struct Top<T> {
    /// The root; None: a leaf or one question.
    pub root: Option<Cut<T>>,
    /// The roots of its two sides.
    pub sides: [Option<Cut<T>>; 2],
}

/// The best tree so far and what is proven.
#[derive(Clone, Copy, Debug)]
pub struct Best<T> {
    /// Its upper questions.
    pub top: Top<T>,
    /// Its cost.
    pub cost: i64,
    /// No tree costs less.
    pub lower: i64,
}

/// A search on one table.
pub struct Search<'a, T> {
    table: &'a Table<T>,
    instructions: Instructions,
    limits: &'a Limits<'a>,
    blocks: Vec<Range<usize>>,
    /// All rows, for the only block or for the first of several.
    all_rows: Node<T>,
    rooms: Mutex<Vec<(Node<T>, Solver)>>,
}

impl<'a, T: Code> Search<'a, T> {
    /// Prepares the search; the table has a column.
    pub fn new(table: &'a Table<T>, limits: &'a Limits<'a>) -> Result<Search<'a, T>> {
        let bytes = table.columns() * table.rows().max(1) * size_of::<T>();
        Search::with_blocks(table, limits, (NODE_BYTES / bytes).clamp(1, table.columns()))
    }

    /// The same with so many columns in a block.
    pub fn with_blocks(table: &'a Table<T>, limits: &'a Limits<'a>, size: usize) -> Result<Search<'a, T>> {
        let columns = table.columns();
        let blocks: Vec<_> = (0..columns).step_by(size).map(|first| first..columns.min(first + size)).collect();
        let all_rows = Node::all_rows(table, blocks[0].clone())?;
        let instructions = Instructions::detect();
        Ok(Search { table, instructions, limits, blocks, all_rows, rooms: Mutex::new(Vec::new()) })
    }

    /// The cost of the best tree of at most one question.
    pub fn depth_one(&self) -> i64 {
        let parts =
            Solver::default().bound_parts(self.instructions, self.table, &self.all_rows, 0, self.all_rows.count);
        parts[0].cost
    }

    /// The best tree of depth two on all rows.
    pub fn depth_two(&self) -> Result<Outcome<T>> {
        self.over_blocks(i64::MAX, |_, all_rows, solver, budget| {
            Ok(solver.search(self.instructions, self.table, all_rows, budget, self.limits))
        })
    }

    /// The best tree of depth two on a part of the rows.
    fn solve_part(&self, part: Part<T>, budget: i64) -> Result<Outcome<T>> {
        self.over_blocks(budget, |node, all_rows, solver, budget| {
            node.fill(self.instructions, self.table, all_rows, part)?;
            Ok(solver.search(self.instructions, self.table, node, budget, self.limits))
        })
    }

    /// The best outcome over all blocks of columns.
    fn over_blocks(
        &self,
        mut budget: i64,
        mut solve: impl FnMut(&mut Node<T>, &Node<T>, &mut Solver, i64) -> Result<Outcome<T>>,
    ) -> Result<Outcome<T>> {
        let room = self.rooms.lock().unwrap_or_else(PoisonError::into_inner).pop();
        let (mut node, mut solver) = room.unwrap_or_else(|| (Node::empty(self.table), Solver::default()));
        let mut best = solve(&mut node, &self.all_rows, &mut solver, budget)?;
        for block in &self.blocks[1..] {
            budget = budget.min(best.cost);
            let all_rows = Node::all_rows(self.table, block.clone())?;
            let outcome = solve(&mut node, &all_rows, &mut solver, budget)?;
            best.floor = best.floor.min(outcome.floor);
            best.lower = best.lower.min(outcome.lower);
            best.stopped |= outcome.stopped;
            if outcome.cost < best.cost {
                (best.cost, best.cut) = (outcome.cost, outcome.cut);
            }
        }
        self.rooms.lock().unwrap_or_else(PoisonError::into_inner).push((node, solver));
        Ok(best)
    }

    /// The best tree of depth three, given the best one of depth two. `note` hears of every tree and bound.
    pub fn depth_three(&self, two: &Outcome<T>, threads: usize, mut note: impl FnMut(i64, i64)) -> Result<Best<T>> {
        let top = Top { root: two.cut, sides: [None; 2] };
        let mut best = Best { top, cost: two.cost, lower: 0 };
        let mut intervals = Intervals::new(&self.all_rows, 0..self.table.columns(), two.floor);
        // The root of depth two is often a good one, too, and the smaller the cost, the fewer cuts are looked at.
        let mut batch: Vec<(Interval, usize)> =
            two.cut.and_then(|cut| self.at_cut(cut, &mut intervals)).into_iter().collect();
        loop {
            best.lower = best.lower.max(best.cost.min(intervals.lower()));
            note(best.cost, best.lower);
            if batch.is_empty() {
                batch.extend(std::iter::from_fn(|| intervals.next(best.cost)).take(BATCH));
            }
            if batch.is_empty() || self.limits.look() {
                return Ok(best);
            }
            let bound = |(interval, place)| self.bound_cut(interval, place, best.cost);
            let outcomes = pool::each(threads, batch.clone(), bound)?;
            for ((interval, place), sides) in batch.drain(..).zip(outcomes) {
                self.learn(interval, place, sides?, &mut intervals, &mut best);
            }
        }
    }

    /// The interval of a cut, and its place there.
    fn at_cut(&self, cut: Cut<T>, intervals: &mut Intervals<'_, T>) -> Option<(Interval, usize)> {
        let place = self.all_rows.sorted(cut.feature).partition_point(|&code| code < cut.code);
        Some((intervals.take(cut.feature, place)?, place))
    }

    /// Takes what was found at a cut.
    fn learn(
        &self,
        interval: Interval,
        place: usize,
        sides: [Outcome<T>; 2],
        intervals: &mut Intervals<'_, T>,
        best: &mut Best<T>,
    ) {
        if sides.iter().any(|side| side.stopped) {
            intervals.put_back(interval);
            return;
        }
        let cost = sides[0].cost.saturating_add(sides[1].cost);
        if cost < best.cost {
            let code = self.all_rows.sorted(interval.feature)[place];
            let root = Some(Cut { feature: interval.feature, code });
            *best = Best { top: Top { root, sides: sides.map(|side| side.cut) }, cost, ..*best };
        }
        intervals.divide(interval, Edge { place, floors: sides.map(|side| side.floor) });
    }

    /// What trees of depth two cost on both sides of a cut; exact if the sum is below `limit`.
    fn bound_cut(&self, interval: Interval, place: usize, limit: i64) -> Result<[Outcome<T>; 2]> {
        // Exact values a little above the limit make better bounds for the cuts around.
        let unit = self.table.rules.unit;
        let limit = limit.saturating_add(unit * (1 + limit / unit / 50));
        let known = interval.floors_at(&self.all_rows, place);
        let mut sides = known.map(Outcome::bound);
        let cut = self.all_rows.sorted(interval.feature)[place];
        let smaller = usize::from(2 * place > self.all_rows.count);
        for side in [smaller, 1 - smaller] {
            if sides[0].floor + sides[1].floor >= limit {
                break;
            }
            let budget = limit - sides[1 - side].lower;
            let outcome = self.solve_part(Part { feature: interval.feature, cut, side }, budget)?;
            let floor = outcome.floor.max(known[side]);
            sides[side] = Outcome { floor, lower: outcome.lower.max(floor), ..outcome };
        }
        Ok(sides)
    }
}
