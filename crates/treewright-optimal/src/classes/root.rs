//! The root of a search: the best tree and a lower bound at every moment, and the threads.
//!
//! Order of work: a leaf; the best tree of three levels; from depth five on the most promising root, solved exactly, and
//! the best tree of one level less; then all roots, in the order of their trees of three levels. A search that takes long
//! goes on in rounds: each tries to show that no tree costs less than a share of the best known. Every root has its own
//! lower bound, and the least of them is the bound of the problem.
//!
//! The answer is the tree of least (cost, rank): rank 0 is the tree of one level less, rank i + 1 that of root i. A root
//! is solved up to the cost of the best known tree, and up to one more if its rank is lower. So any number of threads
//! finds the same tree.

use super::search::{NO_LIMIT, Plan, Search, Workspace};
use crate::limits::{Limits, Progress, Watch};
use crate::solution::Nodes;
use std::sync::{Mutex, MutexGuard, PoisonError};
use treewright_core::Result;
use treewright_core::prelude::{Cancel, pool, thread_pool};

/// A search goes on in rounds after so many seconds, or after this share of the time limit.
const ROUNDS_AFTER: f64 = 0.25;
const ROUNDS_AFTER_SHARE: f64 = 0.1;
/// The shares of the best known cost that rounds try to refute.
const SHARES: [f64; 8] = [0.1, 0.2, 0.35, 0.5, 0.65, 0.8, 0.9, 1.0];

/// The best tree and the bounds so far.
pub struct Best {
    /// The cost of the tree.
    pub cost: i32,
    /// The tree.
    pub nodes: Nodes,
    /// A lower bound of the cost of any tree.
    pub bound: i32,
    rank: usize,
    /// Lower bounds of both sides of each root.
    sides: Vec<[i32; 2]>,
    /// Lower bounds of each root.
    roots: Vec<i32>,
}

impl Best {
    /// No tree is better than the best of all roots allows. Before the roots are known, nothing is.
    fn update_bound(&mut self) {
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
    /// The time limit, if there is one.
    pub time_limit: Option<f64>,
    /// Given to the threads; the limits look at the flag themselves.
    pub cancel: &'a Cancel,
}

/// One stretch of the work on all roots.
struct Round<'a> {
    search: Search<'a>,
    plan: &'a Plan,
    whole: i32,
    share: f64,
}

impl Root<'_> {
    /// Searches until the best tree is proven, or the limits.
    pub fn run(&self) -> Result<Best> {
        let mut space = Workspace::default();
        let mut best = self.start_with_leaf();
        if self.depth == 0 || best.cost <= 2 * self.search.setting.costs.leaf {
            best.bound = best.cost;
            self.note(&best);
            return Ok(best);
        }
        self.note(&best);
        let key = self.search.rows.key(self.own);
        let useful = self.search.useful_depth(self.own, key, self.depth, best.cost, &mut space);
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

    fn note(&self, best: &Best) {
        let costs = self.search.setting.costs;
        let base = i64::from(self.search.rows.base) * i64::from(costs.unit);
        let in_errors = |cost: i32| costs.in_errors(base + i64::from(cost));
        self.progress.note(self.limits, in_errors(best.cost), in_errors(best.bound));
    }

    /// The best tree of up to some levels, exactly. None: stopped before.
    fn solve_shallow(&self, depth: usize, best: &mut Best, space: &mut Workspace) -> Option<i32> {
        let key = self.search.rows.key(self.own);
        let cost = self.search.solve(self.own, key, depth, NO_LIMIT, space)?;
        if cost < best.cost {
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
        self.search.table.put(plan.key, 3, super::table::Known { bound: plan.cost, exact: true });
        let Some(mut whole) = self.solve_shallow(3, &mut best, space) else { return Ok((best, false)) };
        self.note(&best);
        if self.depth > 4 && !self.is_done(&best) {
            self.dive(&plan, &mut best, space);
            if !self.is_done(&best) {
                let Some(cost) = self.solve_shallow(self.depth - 1, &mut best, space) else {
                    return Ok((best, false));
                };
                whole = cost;
            }
        }
        if self.is_done(&best) {
            best.bound = best.cost;
            self.note(&best);
            return Ok((best, true));
        }
        best.sides = self.search.bound_sides(&plan, whole, self.depth - 1);
        best.roots = best.sides.iter().map(|sides| sides[0] + sides[1]).collect();
        best.update_bound();
        self.note(&best);
        let best = Mutex::new(best);
        let done = self.run_rounds(&plan, whole, &best, space)?;
        let mut best = best.into_inner().unwrap_or_else(PoisonError::into_inner);
        if done {
            best.bound = best.cost;
            self.note(&best);
        }
        Ok((best, done))
    }

    /// No tree with a question can cost less.
    fn is_done(&self, best: &Best) -> bool {
        best.cost <= 2 * self.search.setting.costs.leaf
    }

    /// Solves the most promising root exactly: often a tree without errors, which ends everything.
    fn dive(&self, plan: &Plan, best: &mut Best, space: &mut Workspace) -> Option<()> {
        let candidate = plan.candidates.first()?;
        let children = self.search.rows.divide(self.own, candidate.column as usize);
        let keys = [plan.key.without(candidate.key), candidate.key];
        let mut costs = [0; 2];
        for side in 0..2 {
            costs[side] = self.search.solve(&children[side], keys[side], self.depth - 1, NO_LIMIT, space)?;
        }
        if costs[0] + costs[1] < best.cost {
            let mut nodes = Nodes::default();
            self.search.build_split(
                self.own,
                candidate.column,
                &children,
                keys,
                self.depth,
                costs,
                &mut nodes,
                space,
            )?;
            (best.cost, best.nodes, best.rank) = (costs[0] + costs[1], nodes, 1);
            self.note(best);
        }
        Some(())
    }

    /// All roots: at once, and in rounds if that takes long. Whether all of them were finished.
    fn run_rounds(&self, plan: &Plan, whole: i32, best: &Mutex<Best>, space: &mut Workspace) -> Result<bool> {
        let pause = self.time_limit.map_or(ROUNDS_AFTER, |limit| ROUNDS_AFTER.min(limit * ROUNDS_AFTER_SHARE));
        let first = Watch::until(self.limits, pause);
        if self.run_round(Round { search: self.search.with_watch(first), plan, whole, share: 1.0 }, best, space)? {
            return Ok(true);
        }
        for share in SHARES {
            let watch = Watch::new(self.limits);
            if !self.run_round(Round { search: self.search.with_watch(watch), plan, whole, share }, best, space)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Solves every root up to a share of the best cost. Whether all of them were finished.
    fn run_round(&self, round: Round<'_>, best: &Mutex<Best>, space: &mut Workspace) -> Result<bool> {
        let count = round.plan.candidates.len();
        let threads = pool::bounded(self.threads).min(count.max(1));
        if threads == 1 {
            return Ok((0..count).all(|place| self.solve_root(&round, place, best, space).is_some()));
        }
        let spaces: Vec<Mutex<Workspace>> = (0..threads).map(|_| Mutex::default()).collect();
        let work = |worker: usize, place: usize| {
            let mut space = spaces[worker].lock().unwrap_or_else(PoisonError::into_inner);
            self.solve_root(&round, place, best, &mut space);
        };
        thread_pool(threads)?.install(|| pool::claim(threads, count, self.cancel, work));
        Ok(!round.search.watch.look())
    }

    /// Solves one root. None: stopped.
    fn solve_root(&self, round: &Round<'_>, place: usize, best: &Mutex<Best>, space: &mut Workspace) -> Option<()> {
        let candidate = &round.plan.candidates[place];
        let (sides, budget) = {
            let best = lock(best);
            let budget = round.budget(&best, place);
            if best.roots[place] >= budget {
                return (!round.search.watch.look()).then_some(());
            }
            (best.sides[place], budget)
        };
        let children = self.search.rows.divide(self.own, candidate.column as usize);
        let solved = round.search.solve_children(
            round.plan,
            candidate,
            &children,
            sides,
            round.whole,
            self.depth,
            budget,
            space,
        );
        let costs = solved?;
        let cost = costs[0] + costs[1];
        let nodes = if cost < budget { Some(self.build_root(round, place, &children, costs, space)?) } else { None };
        let mut best = lock(best);
        round.plan.relate(&self.search.bounds, place, costs, self.depth - 1, &mut best.sides);
        best.sides[place] = costs;
        for root in 0..best.roots.len() {
            let sides = best.sides[root];
            best.roots[root] = best.roots[root].max(sides[0] + sides[1]);
        }
        if let Some(nodes) = nodes
            && (cost, place + 1) < (best.cost, best.rank)
        {
            (best.cost, best.rank, best.nodes) = (cost, place + 1, nodes);
        }
        best.update_bound();
        self.note(&best);
        Some(())
    }

    fn build_root(
        &self,
        round: &Round<'_>,
        place: usize,
        children: &[Vec<u32>; 2],
        costs: [i32; 2],
        space: &mut Workspace,
    ) -> Option<Nodes> {
        let candidate = &round.plan.candidates[place];
        let keys = [round.plan.key.without(candidate.key), candidate.key];
        let mut nodes = Nodes::default();
        round.search.build_split(self.own, candidate.column, children, keys, self.depth, costs, &mut nodes, space)?;
        Some(nodes)
    }
}

impl Round<'_> {
    /// Up to which cost a root is solved: a tree of equal cost and lower rank is better.
    fn budget(&self, best: &Best, place: usize) -> i32 {
        if self.share < 1.0 {
            return ((f64::from(best.cost) * self.share) as i32).max(1);
        }
        best.cost.saturating_add(i32::from(place + 1 < best.rank))
    }
}

fn lock<'a>(best: &'a Mutex<Best>) -> MutexGuard<'a, Best> {
    best.lock().unwrap_or_else(PoisonError::into_inner)
}
