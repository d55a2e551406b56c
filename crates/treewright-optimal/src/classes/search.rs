//! Branch and bound over trees of any depth.
//!
//! `solve(rows, depth, budget)` gives the least cost of a tree if it is below the budget, otherwise a lower bound that is
//! at least the budget. Trees of up to two levels are counted, those of three levels are in `three_levels`; above, one
//! unpruned search of three levels orders the columns.
//!
//! The order of columns depends on the rows alone, and bounds and table only skip what cannot be strictly better. So
//! neither threads nor the size of the table reach the tree.

use super::bounds::Bounds;
use super::lanes::Count;
use super::node::{Node, Setting};
use super::rows::Rows;
use super::sides::{Counting, Part};
use super::table::{Key, Known, Table};
use crate::limits::Watch;

/// More than any cost.
pub const NO_LIMIT: i32 = i32::MAX;
/// The most weight of a node whose counts have 16 bits.
const MOST_NARROW: i32 = i16::MAX as i32;

/// A search, shared by its threads.
pub struct Search<'a> {
    /// The rows of the problem.
    pub rows: &'a Rows,
    /// What is the same for all nodes.
    pub setting: Setting,
    /// The bounds that hold.
    pub bounds: Bounds,
    /// What is known about sets of rows.
    pub table: &'a Table,
    /// When to stop.
    pub watch: Watch<'a>,
}

/// The memory of one thread.
#[derive(Default)]
pub struct Workspace {
    /// For nodes whose counts fit 16 bits.
    pub narrow: Node<i16>,
    /// For other nodes.
    pub wide: Node<i32>,
    parts: Vec<Part>,
}

/// A column that may divide a node, the least cost of trees of three levels with it at the root, and the key of the rows
/// with a one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Candidate {
    /// The cost.
    pub cost: i32,
    /// The column.
    pub column: u32,
    /// Its place among the columns of the node.
    pub place: u32,
    /// The key.
    pub key: Key,
}

/// The candidates of a node, the cheapest first, and the weights of the rows they have in common.
#[derive(Default)]
pub struct Plan {
    /// The candidates.
    pub candidates: Vec<Candidate>,
    /// The least cost of a tree of three levels.
    pub cost: i32,
    /// The key of all rows.
    pub key: Key,
    /// The weight of all rows.
    pub weight: i32,
    /// The weights that columns have in common: column, other column. Empty if they are not kept.
    pub common: Vec<i32>,
    /// The length of a line of `common`.
    pub width: usize,
}

impl Plan {
    /// The weight of the rows that two candidates have in common.
    #[inline(always)]
    fn common(&self, a: &Candidate, b: &Candidate) -> i32 {
        self.common[a.place as usize * self.width + b.place as usize]
    }

    /// Raises the bounds of the sides of other candidates, given bounds for those of one.
    pub fn relate(&self, bounds: &Bounds, from: usize, costs: [i32; 2], depth: usize, sides: &mut [[i32; 2]]) {
        if !bounds.relates_columns() || self.common.is_empty() {
            return;
        }
        let other = &self.candidates[from];
        let weight = self.common(other, other);
        for (side, candidate) in sides.iter_mut().zip(&self.candidates) {
            let own = self.common(candidate, candidate);
            let raised = bounds.relate(costs, self.weight, weight, own, self.common(other, candidate), depth);
            *side = [side[0].max(raised[0]), side[1].max(raised[1])];
        }
    }
}

impl<'a> Search<'a> {
    /// The same search with another watch.
    pub fn with_watch(&self, watch: Watch<'a>) -> Search<'a> {
        Search { rows: self.rows, setting: self.setting, bounds: self.bounds, table: self.table, watch }
    }
}

impl Search<'_> {
    /// The cost of a leaf with these parts.
    pub fn leaf_cost(&self, parts: &[Part]) -> i32 {
        let weight: i32 = parts.iter().map(Part::weight).sum();
        let gain = match self.setting.counting {
            Counting::Net { .. } => {
                let signed = |part: &Part| if part.class == 0 { -part.weight() } else { part.weight() };
                parts.iter().map(signed).sum::<i32>().abs()
            }
            Counting::Classes { classes, .. } => {
                let of_class =
                    |class: usize| parts.iter().filter(move |part| part.class == class).map(Part::weight).sum();
                (0..classes).map(of_class).max().unwrap_or(0)
            }
        };
        let costs = self.setting.costs;
        costs.leaf + costs.unit * self.setting.counting.errors(weight, gain)
    }

    /// The least cost of a tree, exact below the budget. None: the search was stopped.
    pub fn solve(&self, own: &[u32], key: Key, depth: usize, budget: i32, space: &mut Workspace) -> Option<i32> {
        self.rows.parts(own, &mut space.parts);
        let leaf = self.leaf_cost(&space.parts);
        if depth == 0 || leaf <= 2 * self.setting.costs.leaf {
            return Some(leaf);
        }
        let mut budget = budget;
        if let Some(known) = self.table.get(key, depth) {
            if known.exact || known.bound >= budget {
                return Some(known.bound);
            }
            if depth == 3 {
                // It is met again: solve it for good.
                budget = NO_LIMIT;
            }
        }
        let useful = self.useful_depth(own, key, depth, budget.min(leaf), space)?;
        if useful < depth {
            let cost = if useful == 0 { leaf } else { self.solve(own, key, useful, budget, space)? };
            let cost = cost.min(self.least_cost_beyond(useful));
            self.table.put(key, depth, Known { bound: cost, exact: cost < budget });
            return Some(cost);
        }
        let cost = match depth {
            1 => self.solve_one_level(own, leaf, space)?,
            2 => self.solve_two_levels(own, leaf, space)?,
            3 => self.solve_three_levels(own, budget, None, space)?,
            _ => self.solve_deep(own, depth, budget, space)?.0,
        };
        self.table.put(key, depth, Known { bound: cost, exact: cost < budget });
        Some(cost)
    }

    /// A depth: no deeper tree costs less than the budget, and than the best of this depth.
    pub fn useful_depth(
        &self,
        own: &[u32],
        key: Key,
        depth: usize,
        budget: i32,
        space: &mut Workspace,
    ) -> Option<usize> {
        if self.setting.costs.leaf == 0 {
            return Some(depth);
        }
        let within = |budget: i32| (0..depth).find(|&depth| self.least_cost_beyond(depth) >= budget).unwrap_or(depth);
        let useful = within(budget);
        if useful <= 3 {
            return Some(useful);
        }
        // Trees of two levels are cheap, and often show that deeper ones have too many leaves.
        let two_levels = self.solve(own, key, 2, NO_LIMIT, space)?;
        Some(within(budget.min(two_levels)).max(2))
    }

    /// The least that a tree deeper than this can cost: each level adds at least one leaf.
    pub fn least_cost_beyond(&self, depth: usize) -> i32 {
        let leaves = i32::try_from(depth + 2).unwrap_or(i32::MAX);
        self.setting.costs.leaf.saturating_mul(leaves)
    }

    /// Whether counts of 16 bits suffice for the rows in `space.parts`.
    pub fn is_narrow(parts: &[Part]) -> bool {
        parts.iter().map(|part| i64::from(part.weight())).sum::<i64>() <= i64::from(MOST_NARROW)
    }

    fn solve_one_level(&self, own: &[u32], leaf: i32, space: &mut Workspace) -> Option<i32> {
        if Search::is_narrow(&space.parts) {
            self.one_level(own, leaf, &mut space.narrow)
        } else {
            self.one_level(own, leaf, &mut space.wide)
        }
    }

    /// Loads the node, and solves one level.
    pub fn one_level<C: Count>(&self, own: &[u32], leaf: i32, node: &mut Node<C>) -> Option<i32> {
        node.find_columns(&self.setting, self.rows, own);
        node.load(&self.setting, self.rows, own);
        let costs = (0..node.columns.len()).map(|column| node.cost_of_one_level(&self.setting, column));
        let least = costs.fold(leaf, i32::min);
        (!self.watch.look()).then_some(least)
    }

    fn solve_two_levels(&self, own: &[u32], leaf: i32, space: &mut Workspace) -> Option<i32> {
        if Search::is_narrow(&space.parts) {
            self.two_levels(own, leaf, &mut space.narrow)
        } else {
            self.two_levels(own, leaf, &mut space.wide)
        }
    }

    /// Loads the node, counts all pairs, and solves two levels.
    pub fn two_levels<C: Count>(&self, own: &[u32], leaf: i32, node: &mut Node<C>) -> Option<i32> {
        node.find_columns(&self.setting, self.rows, own);
        if node.columns.is_empty() {
            return Some(leaf);
        }
        node.load(&self.setting, self.rows, own);
        self.count_pairs(node)?;
        Some(leaf.min(node.solve_two_levels(&self.setting)))
    }

    /// Counts all pairs of columns, some at a time: a wide table takes long.
    pub fn count_pairs<C: Count>(&self, node: &mut Node<C>) -> Option<()> {
        let columns = node.columns.len();
        let step = if columns <= 256 { columns } else { (1 << 22) / (node.size_in_words() + 1) + 1 };
        let mut from = 0;
        while from < columns {
            if self.watch.look() {
                return None;
            }
            let to = (from + step).min(columns);
            node.count_pairs(&self.setting, from, to);
            from = to;
        }
        Some(())
    }

    /// Three levels, with counts of the width that the rows need.
    pub fn solve_three_levels(
        &self,
        own: &[u32],
        budget: i32,
        plan: Option<&mut Plan>,
        space: &mut Workspace,
    ) -> Option<i32> {
        self.rows.parts(own, &mut space.parts);
        let leaf = self.leaf_cost(&space.parts);
        if Search::is_narrow(&space.parts) {
            self.three_levels(own, leaf, budget, plan, &mut space.narrow)
        } else {
            self.three_levels(own, leaf, budget, plan, &mut space.wide)
        }
    }

    /// The candidates of a node, by the cost of trees of three levels.
    pub fn plan(&self, own: &[u32], space: &mut Workspace) -> Option<Plan> {
        let mut plan = Plan::default();
        plan.cost = self.solve_three_levels(own, NO_LIMIT, Some(&mut plan), space)?;
        plan.candidates.sort_unstable();
        Some(plan)
    }

    /// The least cost of a tree of four levels or more, exact below the budget, and the column at its root if it is
    /// below the budget and no shallower tree is as good.
    pub fn solve_deep(
        &self,
        own: &[u32],
        depth: usize,
        budget: i32,
        space: &mut Workspace,
    ) -> Option<(i32, Option<u32>)> {
        let plan = self.plan(own, space)?;
        // The least cost of a tree that is one level shallower: the children's depth.
        let enough = budget.saturating_mul(2);
        let undivided = if depth > 4 { self.solve(own, plan.key, depth - 1, enough, space)? } else { plan.cost };
        let mut least = undivided;
        let mut budget = budget.min(undivided);
        let mut root = None;
        let mut sides = vec![[self.setting.costs.leaf; 2]; plan.candidates.len()];
        for (place, candidate) in plan.candidates.iter().enumerate() {
            if budget <= 2 * self.setting.costs.leaf {
                // A question has two leaves at least.
                least = least.min(2 * self.setting.costs.leaf);
                break;
            }
            let children = self.rows.divide(own, candidate.column as usize);
            let costs =
                self.solve_children(&plan, candidate, &children, sides[place], undivided, depth, budget, space)?;
            plan.relate(&self.bounds, place, costs, depth - 1, &mut sides);
            let cost = costs[0] + costs[1];
            least = least.min(cost);
            if cost < budget {
                (budget, root) = (cost, Some(candidate.column));
            }
        }
        Some((least, root))
    }

    /// Lower bounds for both sides of a candidate; they are exact if their sum is below the budget.
    #[allow(clippy::too_many_arguments)]
    pub fn solve_children(
        &self,
        plan: &Plan,
        candidate: &Candidate,
        children: &[Vec<u32>; 2],
        bounds: [i32; 2],
        undivided: i32,
        depth: usize,
        budget: i32,
        space: &mut Workspace,
    ) -> Option<[i32; 2]> {
        let keys = [plan.key.without(candidate.key), candidate.key];
        let ones = self.weigh(&children[1], space);
        let weights = [plan.weight - ones, ones];
        let mut costs = bounds;
        for side in 0..2 {
            if let Some(known) = self.table.get(keys[side], depth - 1) {
                costs[side] = costs[side].max(known.bound);
            }
        }
        // The smaller side first: it is cheap, and its cost shrinks the budget of the larger.
        let smaller = usize::from(children[1].len() < children[0].len());
        let first = if undivided / 2 >= budget { 1 - smaller } else { smaller };
        let order = [first, 1 - first];
        for side in order {
            self.bounds.raise_sides(&mut costs, undivided, weights, depth - 1);
            if costs[0] + costs[1] >= budget {
                break;
            }
            let left = budget - costs[1 - side];
            costs[side] = costs[side].max(self.solve(&children[side], keys[side], depth - 1, left, space)?);
        }
        Some(costs)
    }

    /// Lower bounds of both sides of each candidate, from the least cost of a tree of this depth for all rows.
    pub fn bound_sides(&self, plan: &Plan, undivided: i32, depth: usize) -> Vec<[i32; 2]> {
        let bound = |candidate: &Candidate| {
            let mut sides = [self.setting.costs.leaf; 2];
            if !plan.common.is_empty() {
                let ones = plan.common(candidate, candidate);
                self.bounds.raise_sides(&mut sides, undivided, [plan.weight - ones, ones], depth);
            }
            sides
        };
        plan.candidates.iter().map(bound).collect()
    }

    fn weigh(&self, own: &[u32], space: &mut Workspace) -> i32 {
        self.rows.parts(own, &mut space.parts);
        space.parts.iter().map(Part::weight).sum()
    }
}
