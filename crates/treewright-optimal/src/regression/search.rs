//! The best trees of a set: by pairs of columns up to depth three, by all roots above.

use super::attributes::Attributes;
use super::clusters::{bound_by_groups, bound_score};
use super::depth_two::{BestTree, Fractions, best_tree};
use super::pairs::Pairs;
use super::parts::SolvedPart;
use super::sample::{Group, Sample};
use super::solved::Solved;
use crate::limits::Limits;
use std::sync::{Mutex, PoisonError};
use treewright_core::Result;
use treewright_core::prelude::{Isa, pool};

/// Roots that are solved together; it does not depend on the threads, so the answer does not either.
const BATCH: usize = 8;
/// How many columns are asked about between two looks at the clock.
const LOOK_EVERY: usize = 16;

/// Room for the sums of pairs of a node and of the smaller side of a root.
#[derive(Default)]
struct Room {
    node: Pairs,
    side: Pairs,
    fractions: Fractions,
}

/// A search on one sample.
pub struct Search<'a> {
    sample: &'a Sample,
    attributes: Attributes,
    limits: &'a Limits<'a>,
    isa: Isa,
    solved: Solved,
    rooms: Mutex<Vec<Room>>,
}

/// The best tree so far, and what is proven.
#[derive(Clone, Copy, Debug)]
pub struct Best {
    /// The tree.
    pub tree: BestTree,
    /// The depth that it was searched with.
    pub depth: usize,
    /// No tree scores more.
    pub most: f64,
}

/// The two sides of a column: zeros, then ones.
type Sides = [Vec<u32>; 2];

/// Groups with the columns that tell them apart.
struct Part<'a> {
    sample: &'a Sample,
    attributes: &'a Attributes,
    list: &'a [u32],
    /// What the columns are called in the whole sample.
    names: &'a [usize],
}

/// What is known of a root: its column, its sides, and the most that trees with it can score.
struct Candidate {
    column: usize,
    /// The smaller side, then the larger.
    sides: Sides,
    bounds: [f64; 2],
}

impl Candidate {
    fn bound(&self) -> f64 {
        self.bounds[0] + self.bounds[1]
    }
}

impl<'a> Search<'a> {
    /// Prepares a search with a table of about so many bytes.
    pub fn new(sample: &'a Sample, limits: &'a Limits<'a>, table_bytes: usize) -> Search<'a> {
        let attributes = Attributes::new(sample);
        let solved = Solved::new(table_bytes);
        Search { sample, attributes, limits, isa: Isa::detect(), solved, rooms: Mutex::new(Vec::new()) }
    }

    fn leaf(&self, total: &Group) -> BestTree {
        BestTree { score: total.explained() - self.sample.leaf, root: None }
    }

    fn with_room<R>(&self, work: impl FnOnce(&mut Room) -> Result<R>) -> Result<R> {
        let room = self.rooms.lock().unwrap_or_else(PoisonError::into_inner).pop();
        let mut room = room.unwrap_or_default();
        let answer = work(&mut room);
        self.rooms.lock().unwrap_or_else(PoisonError::into_inner).push(room);
        answer
    }

    /// The best tree of at most some depth for a list of groups; None if the search had to stop.
    pub fn best(&self, list: &[u32], depth: usize) -> Result<Option<BestTree>> {
        self.best_within(list, depth, self.limits)
    }

    /// The same for a part of a known tree. Two levels are found again even where the search had to stop.
    pub fn best_again(&self, list: &[u32], depth: usize, without_limits: &Limits<'_>) -> Result<Option<BestTree>> {
        self.best_within(list, depth, if depth <= 2 { without_limits } else { self.limits })
    }

    /// The limits are those of up to two levels.
    fn best_within(&self, list: &[u32], depth: usize, limits: &Limits<'_>) -> Result<Option<BestTree>> {
        let total = self.sample.total(list);
        if depth == 0 || list.len() < 2 || total.rows < 2.0 * self.sample.min_leaf {
            return Ok(Some(self.leaf(&total)));
        }
        if depth == 1 {
            return Ok(self.best_question(list, &total, limits));
        }
        if let Some(tree) = self.solved.get(total.key, depth) {
            return Ok(Some(tree));
        }
        let tree = match depth {
            2 => self.with_room(|room| self.best_two(list, room, limits))?,
            3 => self.with_room(|room| self.best_three(list, &total, room))?.map(|(tree, _)| tree),
            _ => self.best_deep(list, &total, depth)?,
        };
        if let Some(tree) = tree {
            self.solved.put(total.key, depth, tree);
        }
        Ok(tree)
    }

    /// A leaf or one question. None: stopped before.
    fn best_question(&self, list: &[u32], total: &Group, limits: &Limits<'_>) -> Option<BestTree> {
        let mut best = self.leaf(total);
        for column in 0..self.sample.columns() {
            if column % LOOK_EVERY == 0 && limits.look() {
                return None;
            }
            let mut ones = Group::default();
            let own = list.iter().filter(|&&group| self.sample.bit(group, column));
            own.for_each(|&group| ones.add(&self.sample.groups[group as usize]));
            let zeros = Group {
                sum: total.sum - ones.sum,
                weight: total.weight - ones.weight,
                rows: total.rows - ones.rows,
                key: [0; 2],
            };
            let score = zeros.explained() + ones.explained() - 2.0 * self.sample.leaf;
            let is_large = ones.rows.min(zeros.rows) >= self.sample.min_leaf;
            if is_large && score > best.score + self.sample.tolerance {
                best = BestTree { score, root: Some(column as u32) };
            }
        }
        Some(best)
    }

    fn best_two(&self, list: &[u32], room: &mut Room, limits: &Limits<'_>) -> Result<Option<BestTree>> {
        let is_counted = room.node.count(self.isa, self.sample, &self.attributes, list, limits)?;
        Ok(is_counted.then(|| best_tree(self.isa, self.sample, &room.node, None, &mut room.fractions)))
    }

    /// The best tree of depth three, and what the best one with each column at its root scores.
    fn best_three(&self, list: &[u32], total: &Group, room: &mut Room) -> Result<Option<(BestTree, Vec<f64>)>> {
        if !room.node.count(self.isa, self.sample, &self.attributes, list, self.limits)? {
            return Ok(None);
        }
        let columns = self.sample.columns();
        let live = room.node.distinct_columns(columns);
        // The time grows with the cube of the columns: it pays to leave those out that say nothing new here.
        if 12 * live.len() > 11 * columns {
            let all: Vec<usize> = (0..columns).collect();
            return self.best_root(
                &Part { sample: self.sample, attributes: &self.attributes, list, names: &all },
                total,
                room,
            );
        }
        let sample = self.sample.restrict(list, live)?;
        let attributes = Attributes::new(&sample);
        let list: Vec<u32> = (0..sample.groups.len() as u32).collect();
        if !room.node.count(self.isa, &sample, &attributes, &list, self.limits)? {
            return Ok(None);
        }
        self.best_root(
            &Part { sample: &sample, attributes: &attributes, list: &list, names: &sample.names },
            total,
            room,
        )
    }

    /// Tries every column at the root, with trees of depth two on its sides. The room holds the sums of the part.
    fn best_root(&self, part: &Part<'_>, total: &Group, room: &mut Room) -> Result<Option<(BestTree, Vec<f64>)>> {
        let mut best = self.leaf(total);
        let mut scores = vec![f64::NEG_INFINITY; self.sample.columns()];
        for (column, &name) in part.names.iter().enumerate() {
            let ones = room.node.column(column);
            if ones.rows.min(room.node.total.rows - ones.rows) < self.sample.min_leaf {
                continue;
            }
            if self.limits.look() {
                return Ok(None);
            }
            let sides = part.sample.divide(part.list, column);
            let smaller = &sides[usize::from(sides[1].len() < sides[0].len())];
            let small = part.sample.total(smaller).key;
            let large = [0, 1].map(|half| total.key[half].wrapping_sub(small[half]));
            let score = match [small, large].map(|set| self.solved.get(set, 2)) {
                [Some(small), Some(large)] => small.score + large.score,
                _ => {
                    let Some(tree) = self.solve_sides(part, smaller, room)? else {
                        return Ok(None);
                    };
                    self.solved.put(small, 2, tree[0]);
                    self.solved.put(large, 2, tree[1]);
                    tree[0].score + tree[1].score
                }
            };
            scores[name] = score;
            if score > best.score + self.sample.tolerance {
                best = BestTree { score, root: Some(name as u32) };
            }
        }
        Ok(Some((best, scores)))
    }

    /// The best trees of depth two for some groups of a part, and for the others: only the first are counted.
    fn solve_sides(&self, part: &Part<'_>, smaller: &[u32], room: &mut Room) -> Result<Option<[BestTree; 2]>> {
        let Room { node, side, fractions } = room;
        if !side.count(self.isa, part.sample, part.attributes, smaller, self.limits)? {
            return Ok(None);
        }
        let on_small = best_tree(self.isa, part.sample, side, None, fractions);
        let on_large = best_tree(self.isa, part.sample, node, Some(side), fractions);
        let name = |root: u32| part.names[root as usize] as u32;
        Ok(Some([on_small, on_large].map(|tree| BestTree { root: tree.root.map(name), ..tree })))
    }

    fn best_deep(&self, list: &[u32], total: &Group, depth: usize) -> Result<Option<BestTree>> {
        let mut best = self.leaf(total);
        for column in 0..self.sample.columns() {
            let Some(candidate) = self.candidate(list, column, depth) else {
                continue;
            };
            if candidate.bound() <= best.score + self.sample.tolerance {
                continue;
            }
            let Some(scores) = self.score(&candidate, depth, best.score)? else {
                return Ok(None);
            };
            let score = add_scores(scores);
            if score > best.score + self.sample.tolerance {
                best = BestTree { score, root: Some(column as u32) };
            }
        }
        Ok(Some(best))
    }

    /// A root, if both of its sides have enough rows.
    fn candidate(&self, list: &[u32], column: usize, depth: usize) -> Option<Candidate> {
        let mut sides = self.sample.divide(list, column);
        sides.sort_by_key(Vec::len);
        if sides.iter().any(|side| side.is_empty() || self.sample.total(side).rows < self.sample.min_leaf) {
            return None;
        }
        let bound = |side: &Vec<u32>| {
            let by_groups = bound_by_groups(self.sample, side);
            if !self.clusters_pay(side.len(), depth - 1) {
                return by_groups;
            }
            by_groups.min(bound_score(self.sample, side, 1 << (depth - 1)))
        };
        let bounds = sides.each_ref().map(bound);
        Some(Candidate { column, sides, bounds })
    }

    /// Whether a bound by clusters takes little time beside a search of some depth.
    fn clusters_pay(&self, groups: usize, depth: usize) -> bool {
        let (columns, attributes) = (self.sample.columns(), self.attributes.list.len());
        let levels = groups.max(2).ilog2() as usize;
        let bound = (groups * levels) << (depth + 3);
        let pairs = columns * (groups * attributes * attributes / 8 + 2 * columns * columns);
        depth >= 3 && bound < pairs.saturating_mul(columns.saturating_pow(depth as u32 - 3))
    }

    /// The best scores of both sides of a root; that of the larger only if the sum can be above `known`.
    fn score(&self, candidate: &Candidate, depth: usize, known: f64) -> Result<Option<[Option<f64>; 2]>> {
        let [small, large] = &candidate.sides;
        let Some(on_small) = self.best(small, depth - 1)? else {
            return Ok(None);
        };
        if on_small.score + candidate.bounds[1] <= known + self.sample.tolerance {
            return Ok(Some([Some(on_small.score), None]));
        }
        let on_large = self.best(large, depth - 1)?;
        Ok(on_large.map(|tree| [Some(on_small.score), Some(tree.score)]))
    }

    /// The best tree of all groups. `note` hears of the score of every tree and of the most that any tree can score.
    pub fn run(&self, list: &[u32], depth: usize, threads: usize, mut note: impl FnMut(f64, f64)) -> Result<Best> {
        let total = self.sample.total(list);
        let most = bound_by_groups(self.sample, list);
        let mut best = Best { tree: self.leaf(&total), depth: 0, most };
        note(best.tree.score, most);
        if list.len() < 2 {
            return Ok(Best { most: best.tree.score, ..best });
        }
        // Shallow trees first: something to show if there is no time for more.
        for level in 1..=depth.min(3) {
            let tree = match level {
                3 if depth > 3 => self.order_roots(list, &total)?,
                _ => self.best(list, level)?.map(|tree| (tree, Vec::new())),
            };
            let Some((tree, scores)) = tree else {
                return Ok(best);
            };
            best = Best { tree, depth: level, most: if level == depth { tree.score } else { most } };
            note(tree.score, best.most);
            if !scores.is_empty() {
                return self.run_roots(best, self.candidates(list, depth, &scores), depth, threads, note);
            }
        }
        Ok(best)
    }

    /// A set costs at least what a part of it costs, if leaves may have any size. Costs are taken above those of the
    /// groups, which every tree has.
    fn lower_bounds(&self, candidate: &mut Candidate, parts: &[SolvedPart]) {
        if self.sample.min_leaf > 1.0 {
            return;
        }
        for (side, bound) in candidate.sides.iter().zip(&mut candidate.bounds) {
            let most = bound_by_groups(self.sample, side) + self.sample.leaf;
            for part in parts {
                if most - part.cost < *bound && part.is_in(side) {
                    *bound = most - part.cost;
                }
            }
        }
    }

    /// The best tree of depth three and the scores of its roots.
    fn order_roots(&self, list: &[u32], total: &Group) -> Result<Option<(BestTree, Vec<f64>)>> {
        let three = self.with_room(|room| self.best_three(list, total, room))?;
        if let Some((tree, _)) = &three {
            self.solved.put(total.key, 3, *tree);
        }
        Ok(three)
    }

    /// All roots, those that were best for depth three first.
    fn candidates(&self, list: &[u32], depth: usize, scores: &[f64]) -> Vec<Candidate> {
        let mut candidates: Vec<Candidate> =
            (0..scores.len()).filter_map(|column| self.candidate(list, column, depth)).collect();
        candidates.sort_by(|a, b| scores[b.column].total_cmp(&scores[a.column]).then(a.column.cmp(&b.column)));
        candidates
    }

    /// Solves the roots, some at a time.
    fn run_roots(
        &self,
        mut best: Best,
        mut candidates: Vec<Candidate>,
        depth: usize,
        threads: usize,
        mut note: impl FnMut(f64, f64),
    ) -> Result<Best> {
        let mut parts: Vec<SolvedPart> = Vec::new();
        loop {
            candidates.iter_mut().for_each(|candidate| self.lower_bounds(candidate, &parts));
            parts.clear();
            candidates.retain(|candidate| candidate.bound() > best.tree.score + self.sample.tolerance);
            let open = candidates.iter().map(|candidate| candidate.bound()).fold(best.tree.score, f64::max);
            best.most = best.most.min(open);
            note(best.tree.score, best.most);
            if candidates.is_empty() {
                return Ok(best);
            }
            let batch: Vec<Candidate> = candidates.drain(..BATCH.min(candidates.len())).collect();
            let known = best.tree.score;
            let scores = pool::each(threads, batch.iter().collect(), |candidate| self.score(candidate, depth, known))?;
            for (candidate, score) in batch.iter().zip(scores) {
                let Some(scores) = score? else {
                    return Ok(best);
                };
                for (side, score) in candidate.sides.iter().zip(scores) {
                    parts.extend(score.map(|score| SolvedPart::new(self.sample, side, score)));
                }
                let score = add_scores(scores);
                if score > best.tree.score + self.sample.tolerance {
                    best.tree = BestTree { score, root: Some(candidate.column as u32) };
                    best.depth = depth;
                }
            }
        }
    }
}

/// The sum of both scores; nothing if one is not known.
fn add_scores(scores: [Option<f64>; 2]) -> f64 {
    match scores {
        [Some(small), Some(large)] => small + large,
        _ => f64::NEG_INFINITY,
    }
}
