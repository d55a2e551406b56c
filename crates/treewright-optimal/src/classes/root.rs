//! The root of a search: the best tree and a lower bound at every moment, and the threads.
//!
//! Order of work: a leaf; where the time is limited, a tree of best single questions; the best tree of three levels; from depth five on a tree with the roots of such trees, the most
//! promising root, solved exactly, and the best tree of one level less, in turns with `rounds`; then all roots, in the
//! order of their trees of three levels. Every root has its own lower bound, and the least of them is the bound of the
//! problem.
//!
//! The answer is the tree of least (cost, rank): rank 0 is the tree of one level less, rank i + 1 that of root i. A root
//! is solved up to the cost of the best known tree, and up to one more if its rank is lower. So any number of threads
//! finds the same tree, and so does any division of the time.

use super::rounds::Rounds;
use super::search::{NO_LIMIT, Plan, Search, Workspace};
use super::table::Known;
use crate::limits::{Limits, Progress};
use crate::solution::Nodes;
use std::sync::{Mutex, PoisonError};
use treewright_core::Result;
use treewright_core::prelude::Cancel;

/// The ranks of trees that are taken only if they cost less than all others: of one with the roots of trees of three
/// levels, and after it of one that is grown only where the time is limited, so that limits do not change the tree.
const GREEDY: usize = usize::MAX - 1;
const BY_QUESTIONS: usize = usize::MAX;

/// The best tree and the bounds so far.
pub struct Best {
    /// The cost of the tree.
    pub cost: i32,
    /// The tree.
    pub nodes: Nodes,
    /// A lower bound of the cost of any tree.
    pub bound: i32,
    /// The place of the tree among others of its cost.
    pub rank: usize,
    /// Lower bounds of both sides of each root.
    pub sides: Vec<[i32; 2]>,
    /// Lower bounds of each root.
    pub roots: Vec<i32>,
}

impl Best {
    /// Whether a tree of this cost and rank is to be taken instead.
    pub fn is_worse_than(&self, cost: i32, rank: usize) -> bool {
        (cost, rank) < (self.cost, self.rank)
    }

    /// Nothing is known about so many roots but the cost of their leaves.
    fn start_roots(&mut self, roots: usize, leaf: i32) {
        self.sides = vec![[leaf; 2]; roots];
        self.roots = vec![2 * leaf; roots];
        self.update_bound();
    }

    /// Lower bounds of both sides of each root that have become known.
    fn raise_roots(&mut self, sides: &[[i32; 2]]) {
        for (own, known) in self.sides.iter_mut().zip(sides) {
            *own = [own[0].max(known[0]), own[1].max(known[1])];
        }
        self.join_sides();
    }

    /// Each root costs at least what its sides cost, and the problem what one of the roots costs.
    pub fn join_sides(&mut self) {
        for (root, sides) in self.roots.iter_mut().zip(&self.sides) {
            *root = (*root).max(sides[0] + sides[1]);
        }
        self.update_bound();
    }

    /// No tree is better than the best of all roots allows. Before the roots are known, nothing is.
    pub fn update_bound(&mut self) {
        if let Some(&least) = self.roots.iter().min() {
            self.bound = self.bound.max(least.min(self.cost));
        }
    }
}

/// Everything about the root of a search.
#[derive(Clone, Copy)]
pub struct Root<'a> {
    /// A search without a watch of its own.
    pub search: &'a Search<'a>,
    /// The limits.
    pub limits: &'a Limits<'a>,
    /// Who hears of it.
    pub progress: &'a Progress<'a>,
    /// All rows.
    pub own: &'a [u32],
    /// The depth asked for.
    pub depth: usize,
    /// The number of threads.
    pub threads: usize,
    /// The seconds since the start after which a search goes on in rounds.
    pub rounds_after: f64,
    /// Given to the threads; the limits look at the flag themselves.
    pub cancel: &'a Cancel,
}

impl Root<'_> {
    /// Searches until the best tree is proven, or the limits.
    pub fn run(&self) -> Result<Best> {
        let mut space = Workspace::default();
        let mut best = self.start_with_leaf();
        if self.depth == 0 || self.is_done(best.cost) {
            best.bound = best.cost;
            self.note(&best);
            return Ok(best);
        }
        self.note(&best);
        let leaf = best.cost;
        if self.limits.has_deadline() && self.grow_by_questions(&mut best, &mut space).is_none() {
            return Ok(best);
        }
        let key = self.search.rows.key(self.own);
        let useful = self.search.useful_depth(self.own, key, self.depth, leaf, &mut space);
        let Some(depth) = useful else { return Ok(best) };
        if depth <= 3 {
            if let Some(cost) = self.solve_shallow(depth, &mut best, &mut space) {
                best.bound = cost;
                self.note(&best);
            }
            return Ok(best);
        }
        match (Root { depth, ..*self }).solve_deep(best, &mut space)? {
            (best, true) => Ok(best),
            (mut best, false) => {
                best.update_bound();
                self.note(&best);
                Ok(best)
            }
        }
    }

    fn start_with_leaf(&self) -> Best {
        let mut parts = Vec::new();
        self.search.rows.parts(self.own, &mut parts);
        let mut nodes = Nodes::default();
        nodes.push_leaf(self.search.majority(&parts));
        let cost = self.search.leaf_cost(&parts);
        let bound = self.search.setting.costs.leaf;
        Best { cost, nodes, bound, rank: 0, sides: Vec::new(), roots: Vec::new() }
    }

    /// Tells of the best tree and the bound.
    pub fn note(&self, best: &Best) {
        let costs = self.search.setting.costs;
        let base = i64::from(self.search.rows.base) * i64::from(costs.unit);
        let in_errors = |cost: i32| costs.in_errors(base + i64::from(cost));
        self.progress.note(self.limits, in_errors(best.cost), in_errors(best.bound));
    }

    /// The best tree of up to some levels, exactly. None: stopped before.
    fn solve_shallow(&self, depth: usize, best: &mut Best, space: &mut Workspace) -> Option<i32> {
        let key = self.search.rows.key(self.own);
        let cost = self.search.solve(self.own, key, depth, NO_LIMIT, space)?;
        if best.is_worse_than(cost, 0) {
            let mut nodes = Nodes::default();
            self.search.build(self.own, key, depth, cost, &mut nodes, space)?;
            (best.cost, best.nodes, best.rank) = (cost, nodes, 0);
        }
        Some(cost)
    }

    /// Depth four or more. The second value: whether the bound is final.
    fn solve_deep(&self, mut best: Best, space: &mut Workspace) -> Result<(Best, bool)> {
        // Cheap trees first, for those who stop early.
        for depth in 1..=2 {
            if self.limits.has_deadline() && self.solve_shallow(depth, &mut best, space).is_none() {
                return Ok((best, false));
            }
        }
        let Some(plan) = self.search.plan(self.own, space) else { return Ok((best, false)) };
        self.search.table.put(plan.key, 3, Known { bound: plan.cost, exact: true });
        if self.solve_shallow(3, &mut best, space).is_none() {
            return Ok((best, false));
        }
        best.start_roots(plan.candidates.len(), self.search.setting.costs.leaf);
        self.note(&best);
        let mut best = Mutex::new(best);
        let is_final = self.solve_roots(&plan, &mut best, space)?;
        let mut best = best.into_inner().unwrap_or_else(PoisonError::into_inner);
        if is_final {
            best.bound = best.cost;
            self.note(&best);
        }
        Ok((best, is_final))
    }

    /// All roots, given the best tree of three levels. Whether nothing is left to do.
    fn solve_roots(&self, plan: &Plan, best: &mut Mutex<Best>, space: &mut Workspace) -> Result<bool> {
        let mut rounds = Rounds::new(self, plan);
        let mut one_level_less = plan.cost;
        if self.depth > 4 && !self.is_done(plan.cost) {
            match self.grow_greedily(own(best), space) {
                Some(cost) if self.is_done(cost) => return Ok(true),
                Some(_) => {}
                None => return Ok(false),
            }
            match rounds.in_turns(best, space, |root, best, space| root.solve_one_level_less(plan, best, space))? {
                Some(cost) => one_level_less = cost,
                None => return Ok(false),
            }
        }
        if self.is_done(one_level_less) {
            return Ok(true);
        }
        own(best).raise_roots(&self.search.bound_sides(plan, one_level_less, self.depth - 1));
        self.note(own(best));
        rounds.finish(best, one_level_less, space)
    }

    /// A tree whose upper roots are those of the best trees of three levels, and its cost. None: stopped before.
    fn grow_greedily(&self, best: &mut Best, space: &mut Workspace) -> Option<i32> {
        let mut nodes = Nodes::default();
        let key = self.search.rows.key(self.own);
        let cost = self.search.build_greedily(self.own, key, self.depth, &mut nodes, space)?;
        if best.is_worse_than(cost, GREEDY) {
            (best.cost, best.nodes, best.rank) = (cost, nodes, GREEDY);
            self.note(best);
        }
        Some(cost)
    }

    /// Grows a tree by the best question at each node. None: stopped before.
    fn grow_by_questions(&self, best: &mut Best, space: &mut Workspace) -> Option<()> {
        let mut nodes = Nodes::default();
        let cost = self.search.build_by_questions(self.own, self.depth, &mut nodes, space)?;
        if best.is_worse_than(cost, BY_QUESTIONS) {
            (best.cost, best.nodes, best.rank) = (cost, nodes, BY_QUESTIONS);
            self.note(best);
        }
        Some(())
    }

    /// The cost of the best tree of one level less. The most promising root comes first: if it gives a tree that no other
    /// can beat, which is often one without errors, its cost is the answer. None: stopped before.
    fn solve_one_level_less(&self, plan: &Plan, best: &mut Best, space: &mut Workspace) -> Option<i32> {
        let of_first_root = self.solve_first_root(plan, best, space)?;
        if self.is_done(of_first_root) {
            return Some(of_first_root);
        }
        let cost = self.solve_shallow(self.depth - 1, best, space)?;
        self.note(best);
        Some(cost)
    }

    /// Whether no tree with a question can cost less.
    fn is_done(&self, cost: i32) -> bool {
        cost <= 2 * self.search.setting.costs.leaf
    }

    /// The least cost of a tree with the most promising root. None: stopped before.
    fn solve_first_root(&self, plan: &Plan, best: &mut Best, space: &mut Workspace) -> Option<i32> {
        let Some(candidate) = plan.candidates.first() else { return Some(best.cost) };
        let children = self.search.rows.divide(self.own, candidate.column as usize);
        let keys = [plan.key.without(candidate.key), candidate.key];
        let mut costs = [0; 2];
        for side in 0..2 {
            costs[side] = self.search.solve(&children[side], keys[side], self.depth - 1, NO_LIMIT, space)?;
        }
        let cost = costs[0] + costs[1];
        if best.is_worse_than(cost, 1) {
            let mut nodes = Nodes::default();
            let column = candidate.column;
            self.search.build_split(self.own, column, &children, keys, self.depth, costs, &mut nodes, space)?;
            (best.cost, best.nodes, best.rank) = (cost, nodes, 1);
            self.note(best);
        }
        Some(cost)
    }
}

/// The best tree, where no other thread works on it.
fn own(best: &mut Mutex<Best>) -> &mut Best {
    best.get_mut().unwrap_or_else(PoisonError::into_inner)
}
