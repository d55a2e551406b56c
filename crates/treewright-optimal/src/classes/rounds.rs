//! All roots of a search in rounds: each round tries to show that no root gives a tree that costs less than a share of the
//! best known one. Small shares are shown soon, so the lower bound rises from the beginning.
//!
//! Rounds take turns with the search for better trees, and go on where they stopped. What they know never changes the
//! tree, so neither does the clock.

use super::root::{Best, Root};
use super::search::{Plan, Search, Workspace};
use crate::limits::Watch;
use crate::solution::Nodes;
use std::sync::{Mutex, MutexGuard, PoisonError};
use treewright_core::Result;
use treewright_core::prelude::{pool, thread_pool};

/// A turn of rounds, and a turn of the search for better trees, ends when so many times the seconds at its start are over.
const ROUNDS_TURN: f64 = 1.5;
const SEARCH_TURN: f64 = 2.0;
/// The shares of the best known cost that rounds try to refute.
const SHARES: [f64; 11] = [0.01, 0.025, 0.05, 0.1, 0.2, 0.35, 0.5, 0.65, 0.8, 0.9, 1.0];

/// The rounds of a search.
pub struct Rounds<'a> {
    root: &'a Root<'a>,
    plan: &'a Plan,
    /// The place of the next share.
    next: usize,
}

/// One stretch of the work on all roots.
struct Round<'a> {
    root: &'a Root<'a>,
    plan: &'a Plan,
    search: Search<'a>,
    /// A lower bound of the best tree of one level less.
    one_level_less: i32,
    share: f64,
}

impl<'a> Rounds<'a> {
    /// No round has begun.
    pub fn new(root: &'a Root<'a>, plan: &'a Plan) -> Rounds<'a> {
        Rounds { root, plan, next: 0 }
    }

    /// Takes turns with other work on the root, which is to go on where it stopped, until that is done. None: the time is
    /// up.
    pub fn in_turns<T>(
        &mut self,
        best: &mut Mutex<Best>,
        space: &mut Workspace,
        work: impl Fn(&Root<'_>, &mut Best, &mut Workspace) -> Option<T>,
    ) -> Result<Option<T>> {
        let limits = self.root.limits;
        let mut end = self.root.rounds_after;
        loop {
            let search = self.root.search.with_watch(Watch::until(limits, end));
            let root = Root { search: &search, ..*self.root };
            let answer = work(&root, best.get_mut().unwrap_or_else(PoisonError::into_inner), space);
            if answer.is_some() || limits.look() {
                return Ok(answer);
            }
            let bound = lock(best).bound;
            self.run(best, bound, Some(ROUNDS_TURN * limits.seconds()), space)?;
            if limits.look() {
                return Ok(None);
            }
            end = SEARCH_TURN * limits.seconds();
        }
    }

    /// All roots at once, and the rounds that are left if that takes long. Whether all roots were finished.
    pub fn finish(&mut self, best: &Mutex<Best>, one_level_less: i32, space: &mut Workspace) -> Result<bool> {
        let watch = Watch::until(self.root.limits, self.root.rounds_after);
        if self.round(watch, one_level_less, 1.0).run(best, space)? {
            return Ok(true);
        }
        self.run(best, one_level_less, None, space)?;
        self.round(Watch::new(self.root.limits), one_level_less, 1.0).run(best, space)
    }

    /// Rounds for all shares that are left but the whole cost, as long as there is time.
    fn run(&mut self, best: &Mutex<Best>, one_level_less: i32, end: Option<f64>, space: &mut Workspace) -> Result<()> {
        let limits = self.root.limits;
        while let Some(&share) = SHARES.get(self.next).filter(|&&share| share < 1.0) {
            let watch = end.map_or_else(|| Watch::new(limits), |end| Watch::until(limits, end));
            if !self.round(watch, one_level_less, share).run(best, space)? {
                break;
            }
            self.next += 1;
        }
        Ok(())
    }

    fn round(&self, watch: Watch<'a>, one_level_less: i32, share: f64) -> Round<'a> {
        Round { root: self.root, plan: self.plan, search: self.root.search.with_watch(watch), one_level_less, share }
    }
}

impl Round<'_> {
    /// Solves every root up to a share of the best cost. Whether all of them were finished.
    fn run(&self, best: &Mutex<Best>, space: &mut Workspace) -> Result<bool> {
        let count = self.plan.candidates.len();
        let threads = pool::bounded(self.root.threads).min(count.max(1));
        if threads == 1 {
            return Ok((0..count).all(|place| self.solve_root(place, best, space).is_some()));
        }
        let spaces: Vec<Mutex<Workspace>> = (0..threads).map(|_| Mutex::default()).collect();
        let work = |worker: usize, place: usize| {
            let mut space = spaces[worker].lock().unwrap_or_else(PoisonError::into_inner);
            self.solve_root(place, best, &mut space);
        };
        thread_pool(threads)?.install(|| pool::claim(threads, count, self.root.cancel, work));
        Ok(!self.search.watch.look())
    }

    /// Up to which cost a root is solved: a tree of equal cost and lower rank is better.
    fn budget(&self, best: &Best, place: usize) -> i32 {
        if self.share < 1.0 {
            return ((f64::from(best.cost) * self.share) as i32).max(1).min(best.cost);
        }
        best.cost.saturating_add(i32::from(place + 1 < best.rank))
    }

    /// Solves one root. None: stopped.
    fn solve_root(&self, place: usize, best: &Mutex<Best>, space: &mut Workspace) -> Option<()> {
        let Round { root, plan, search, one_level_less, .. } = self;
        let candidate = &plan.candidates[place];
        let (sides, budget) = {
            let best = lock(best);
            let budget = self.budget(&best, place);
            if best.roots[place] >= budget {
                return (!search.watch.look()).then_some(());
            }
            (best.sides[place], budget)
        };
        let children = search.rows.divide(root.own, candidate.column as usize);
        let depth = root.depth;
        let costs = search.solve_children(plan, candidate, &children, sides, *one_level_less, depth, budget, space)?;
        let cost = costs[0] + costs[1];
        let mut nodes = Nodes::default();
        if cost < budget {
            let keys = [plan.key.without(candidate.key), candidate.key];
            search.build_split(root.own, candidate.column, &children, keys, depth, costs, &mut nodes, space)?;
        }
        let mut best = lock(best);
        best.sides[place] = costs;
        plan.relate(&search.bounds, place, costs, depth - 1, &mut best.sides);
        best.join_sides();
        if cost < budget && best.is_worse_than(cost, place + 1) {
            (best.cost, best.rank, best.nodes) = (cost, place + 1, nodes);
            best.update_bound();
        }
        root.note(&best);
        Some(())
    }
}

fn lock(best: &Mutex<Best>) -> MutexGuard<'_, Best> {
    best.lock().unwrap_or_else(PoisonError::into_inner)
}
