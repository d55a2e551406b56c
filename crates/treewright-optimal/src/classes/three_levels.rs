//! Trees of three levels: for each root the best trees of two levels on both of its sides.

use super::bounds::Relate;
use super::lanes::{Count, run};
use super::node::Node;
use super::search::{Candidate, Plan, Search};
use super::table::Known;

/// At most so many roots are tried between two looks at the clock, and only one if it takes about so many steps.
const LOOK_EVERY: usize = 8;
const LONG: usize = 1 << 20;

impl Search<'_> {
    /// The least cost of a tree of three levels, exact below the budget; else a lower bound that is at least the budget.
    /// With a plan nothing is skipped, and the cost of every root is noted there.
    pub fn three_levels<C: Count>(
        &self,
        own: &[u32],
        leaf: i32,
        budget: i32,
        plan: Option<&mut Plan>,
        node: &mut Node<C>,
    ) -> Option<i32> {
        node.find_columns(&self.setting, self.rows, own);
        if node.columns.is_empty() || leaf <= 2 * self.setting.costs.leaf {
            if let Some(plan) = plan {
                plan.set_node(node);
                plan.candidates.clear();
            }
            return Some(leaf);
        }
        node.load(&self.setting, self.rows, own);
        self.count_pairs(node)?;
        let two_levels = leaf.min(node.solve_two_levels(&self.setting));
        let beyond = self.least_cost_beyond(2);
        if plan.is_none() && beyond >= two_levels.min(budget) {
            return Some(two_levels.min(beyond));
        }
        for &key in &node.keys {
            self.table.fetch(key, 2);
            self.table.fetch(node.key.without(key), 2);
        }
        match plan {
            Some(plan) => self.try_all_roots(two_levels, plan, node),
            None => self.try_promising_roots(two_levels, budget, node),
        }
    }

    /// The cost of every root.
    fn try_all_roots<C: Count>(&self, two_levels: i32, plan: &mut Plan, node: &mut Node<C>) -> Option<i32> {
        plan.set_node(node);
        let mut least = two_levels;
        let look_every = roots_between_looks(node);
        for column in 0..node.columns.len() {
            if column % look_every == 0 && self.watch.look() {
                return None;
            }
            let costs = self.costs_of_sides(column, node);
            let cost = costs[0] + costs[1];
            least = least.min(cost);
            plan.candidates.push(Candidate {
                cost,
                column: node.columns[column],
                place: column as u32,
                key: node.keys[column],
            });
        }
        Some(least)
    }

    /// Roots in the order of their gain with two levels, as long as bounds do not exclude them.
    fn try_promising_roots<C: Count>(&self, two_levels: i32, budget: i32, node: &mut Node<C>) -> Option<i32> {
        let mut least = two_levels;
        let mut budget = budget.min(two_levels);
        let mut sides =
            [vec![self.setting.costs.leaf; node.columns.len()], vec![self.setting.costs.leaf; node.columns.len()]];
        let look_every = roots_between_looks(node);
        for (step, column) in self.order_roots(node).into_iter().enumerate() {
            if step % look_every == 0 && self.watch.look() {
                return None;
            }
            let ones: i32 = node.all.weights[column].into();
            let mut own = [sides[0][column], sides[1][column]];
            self.bounds.raise_sides(&mut own, two_levels, [node.all.weight - ones, ones], 2);
            let bound = own[0] + own[1];
            if bound >= budget {
                least = least.min(bound);
                continue;
            }
            let costs = self.costs_of_sides(column, node);
            self.relate_roots(column, costs, node, &mut sides);
            let cost = costs[0] + costs[1];
            least = least.min(cost);
            budget = budget.min(cost);
            if budget <= 2 * self.setting.costs.leaf {
                break;
            }
        }
        Some(least)
    }

    /// The columns of the node, the most promising first.
    pub fn order_roots<C: Count>(&self, node: &Node<C>) -> Vec<usize> {
        let mut order: Vec<usize> = (0..node.columns.len()).collect();
        order.sort_by_key(|&column| std::cmp::Reverse(node.gain_of_root(column)));
        order
    }

    /// The least costs of both sides of a column, from the table or counted.
    pub fn costs_of_sides<C: Count>(&self, column: usize, node: &mut Node<C>) -> [i32; 2] {
        let keys = [node.key.without(node.keys[column]), node.keys[column]];
        if let [Some(zeros), Some(ones)] = keys.map(|key| self.table.get(key, 2).filter(|known| known.exact)) {
            return [zeros.bound, ones.bound];
        }
        let costs = node.solve_sides(&self.setting, column);
        for (key, cost) in keys.into_iter().zip(costs) {
            self.table.put(key, 2, Known { bound: cost, exact: true });
        }
        costs
    }

    fn relate_roots<C: Count>(&self, other: usize, costs: [i32; 2], node: &Node<C>, sides: &mut [Vec<i32>; 2]) {
        if !self.bounds.relates_columns() || node.common_weights.is_empty() {
            return;
        }
        let [zeros, ones] = sides;
        let relate = Relate {
            bounds: self.bounds,
            depth: 2,
            costs,
            all: node.all.weight,
            other: node.all.weights[other].into(),
            weights: &node.all.weights,
            common: &node.common_weights[other * node.width..],
            zeros,
            ones,
        };
        run(self.setting.isa, relate);
    }
}

/// How many roots of a node are tried between two looks at the clock.
fn roots_between_looks<C: Count>(node: &Node<C>) -> usize {
    let steps = node.size_in_words().saturating_mul(node.columns.len());
    (LONG / steps.max(1)).clamp(1, LOOK_EVERY)
}

impl Plan {
    /// Notes the rows of the node and the weights that its columns have in common.
    fn set_node<C: Count>(&mut self, node: &Node<C>) {
        self.key = node.key;
        self.weight = node.all.weight;
        self.width = node.width;
        self.common.clear();
        self.common.extend(node.common_weights.iter().map(|&weight| Into::<i32>::into(weight)));
    }
}
