//! The tree itself: from the top, with costs that the search has left in the table.
//!
//! Of trees of equal cost it takes a leaf before a question, a shallower tree before a deeper one, and then the first root
//! in the order of the search, which depends on the rows alone.

use super::lanes::Count;
use super::node::Node;
use super::search::{NO_LIMIT, Plan, Search, Workspace};
use super::sides::Part;
use super::table::Key;
use crate::solution::Nodes;

impl Search<'_> {
    /// Adds the best tree for these rows, given its depth and its cost. None: the search was stopped.
    pub fn build(
        &self,
        own: &[u32],
        key: Key,
        depth: usize,
        cost: i32,
        nodes: &mut Nodes,
        space: &mut Workspace,
    ) -> Option<usize> {
        let mut parts = Vec::new();
        self.rows.parts(own, &mut parts);
        if depth == 0 || self.leaf_cost(&parts) == cost {
            return Some(nodes.push_leaf(self.majority(&parts)));
        }
        if depth > 1 && self.solve(own, key, depth - 1, cost.saturating_add(1), space)? == cost {
            return self.build(own, key, depth - 1, cost, nodes, space);
        }
        let Some(column) = self.find_root(own, depth, cost, &parts, space)? else {
            return Some(nodes.push_leaf(self.majority(&parts)));
        };
        let children = self.rows.divide(own, column as usize);
        let keys = [self.rows.key(&children[0]), self.rows.key(&children[1])];
        let small = usize::from(children[1].len() < children[0].len());
        let mut costs = [0; 2];
        let least = self.setting.costs.leaf;
        costs[small] = self.solve(&children[small], keys[small], depth - 1, (cost - least).saturating_add(1), space)?;
        costs[1 - small] = cost - costs[small];
        self.build_split(own, column, &children, keys, depth, costs, nodes, space)
    }

    /// Adds a tree whose upper roots are those of the best trees of three levels, and returns its cost. None: stopped.
    pub fn build_greedily(
        &self,
        own: &[u32],
        key: Key,
        depth: usize,
        nodes: &mut Nodes,
        space: &mut Workspace,
    ) -> Option<i32> {
        let mut parts = Vec::new();
        self.rows.parts(own, &mut parts);
        let leaf = self.leaf_cost(&parts);
        let plan =
            if depth > 3 && leaf > 2 * self.setting.costs.leaf { self.plan(own, space)? } else { Plan::default() };
        let Some(candidate) = plan.candidates.first().filter(|candidate| candidate.cost < leaf) else {
            let depth = depth.min(3);
            let cost = self.solve(own, key, depth, NO_LIMIT, space)?;
            self.build(own, key, depth, cost, nodes, space)?;
            return Some(cost);
        };
        let node = nodes.push_leaf(self.majority(&parts));
        nodes.make_split(node, self.rows.columns[candidate.column as usize] as usize, 0.5);
        let children = self.rows.divide(own, candidate.column as usize);
        let keys = [plan.key.without(candidate.key), candidate.key];
        let left = nodes.feature.len();
        let on_zeros = self.build_greedily(&children[0], keys[0], depth - 1, nodes, space)?;
        let right = nodes.feature.len();
        let on_ones = self.build_greedily(&children[1], keys[1], depth - 1, nodes, space)?;
        nodes.set_children(node, left, right);
        Some(on_zeros + on_ones)
    }

    /// Adds a tree with the best single question at each node, and returns its cost: it takes little time even where
    /// there are many columns. None: stopped.
    pub fn build_by_questions(
        &self,
        own: &[u32],
        depth: usize,
        nodes: &mut Nodes,
        space: &mut Workspace,
    ) -> Option<i32> {
        let mut parts = Vec::new();
        self.rows.parts(own, &mut parts);
        let leaf = self.leaf_cost(&parts);
        let node = nodes.push_leaf(self.majority(&parts));
        let cost = if depth == 0 { leaf } else { self.solve(own, self.rows.key(own), 1, NO_LIMIT, space)? };
        if cost == leaf {
            return Some(leaf);
        }
        let Some(column) = self.find_root(own, 1, cost, &parts, space)? else {
            return Some(leaf);
        };
        nodes.make_split(node, self.rows.columns[column as usize] as usize, 0.5);
        let [zeros, ones] = self.rows.divide(own, column as usize);
        let left = nodes.feature.len();
        let on_zeros = self.build_by_questions(&zeros, depth - 1, nodes, space)?;
        let right = nodes.feature.len();
        let on_ones = self.build_by_questions(&ones, depth - 1, nodes, space)?;
        nodes.set_children(node, left, right);
        Some(on_zeros + on_ones)
    }

    /// Adds a question and both of its sides.
    #[allow(clippy::too_many_arguments)]
    pub fn build_split(
        &self,
        own: &[u32],
        column: u32,
        children: &[Vec<u32>; 2],
        keys: [Key; 2],
        depth: usize,
        costs: [i32; 2],
        nodes: &mut Nodes,
        space: &mut Workspace,
    ) -> Option<usize> {
        let mut parts = Vec::new();
        self.rows.parts(own, &mut parts);
        let node = nodes.push_leaf(self.majority(&parts));
        nodes.make_split(node, self.rows.columns[column as usize] as usize, 0.5);
        let left = self.build(&children[0], keys[0], depth - 1, costs[0], nodes, space)?;
        let right = self.build(&children[1], keys[1], depth - 1, costs[1], nodes, space)?;
        nodes.set_children(node, left, right);
        Some(node)
    }

    /// The class of most weight; the first of equals.
    pub fn majority(&self, parts: &[Part]) -> f64 {
        let weight = |class: usize| -> i32 { parts.iter().filter(|part| part.class == class).map(Part::weight).sum() };
        let first_best =
            (1..self.rows.classes).fold(0, |best, class| if weight(class) > weight(best) { class } else { best });
        first_best as f64
    }

    /// The first root of a tree with this cost.
    fn find_root(
        &self,
        own: &[u32],
        depth: usize,
        cost: i32,
        parts: &[Part],
        space: &mut Workspace,
    ) -> Option<Option<u32>> {
        if depth > 3 {
            return Some(self.solve_deep(own, depth, cost.saturating_add(1), space)?.1);
        }
        let leaf = self.leaf_cost(parts);
        if Search::is_narrow(parts) {
            self.find_shallow_root(own, depth, cost, leaf, &mut space.narrow)
        } else {
            self.find_shallow_root(own, depth, cost, leaf, &mut space.wide)
        }
    }

    fn find_shallow_root<C: Count>(
        &self,
        own: &[u32],
        depth: usize,
        cost: i32,
        leaf: i32,
        node: &mut Node<C>,
    ) -> Option<Option<u32>> {
        if depth == 1 {
            self.one_level(own, leaf, node)?;
        } else {
            self.two_levels(own, leaf, node)?;
        }
        let place = match depth {
            1 => (0..node.columns.len()).find(|&column| node.cost_of_one_level(&self.setting, column) == cost),
            2 => node.root_of_two_levels(&self.setting, cost),
            _ => {
                let mut order = self.order_roots(node).into_iter();
                order.find(|&column| self.costs_of_sides(column, node).iter().sum::<i32>() == cost)
            }
        };
        Some(place.map(|place| node.columns[place]))
    }
}
