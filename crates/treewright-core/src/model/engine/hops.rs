//! Deep trees, and single rows: nodes of sixteen bytes in the order of the table, several walks at a time.
//!
//! A walk waits for memory at every node, so walks go side by side: rows through one tree, or one row through several
//! trees. A leaf leads to itself, so none of them has to ask whether it is done.
//!
//! Glossary. A *hop* leads from a node to a child, or to itself where the walk ends. A row is *plain* where no number is
//! missing and nothing is a category; then a hop is one comparison.

use crate::data::table::{Kind, MISSING, UNSEEN};
use crate::model::tree::{SHARE, STOP, Tree};
use crate::simd::multiversion;

/// Walks that go side by side.
pub(super) const SIDE: usize = 8;
/// In a node's feature: its question is about categories.
const CATEGORY: u32 = 1 << 31;

#[derive(Clone, Copy, Debug)]
pub(super) struct HopNode {
    /// The cut; NaN for a leaf, which nothing exceeds. The place in `route` as bits for categories.
    threshold: f64,
    /// The first child; the node itself for a leaf. Counted over all trees.
    child: u32,
    feature: u32,
}

/// All trees.
#[derive(Debug)]
pub(super) struct Hops {
    nodes: Vec<HopNode>,
    /// The child of a missing value, for each node, or a word.
    missing: Vec<u16>,
    route: Vec<u16>,
    /// The first node of each tree, and the end of all.
    pub roots: Vec<u32>,
    /// Whether each tree asks about numbers alone.
    pub numeric: Vec<bool>,
    /// The columns that each tree asks about, without repetition.
    pub columns: Vec<Vec<u32>>,
}

/// A hop that only the plain walk can make: a divided row, or a spare question.
const HARD: u32 = u32::MAX;

impl Hops {
    /// Nothing where there are more nodes than fit, or no column to ask about.
    pub fn new(kinds: &[Kind], trees: &[Tree]) -> Option<Hops> {
        let total: usize = trees.iter().map(Tree::len).sum();
        let routes: usize = trees.iter().map(|tree| tree.route.len()).sum();
        if kinds.is_empty()
            || u32::try_from(total).is_err()
            || u32::try_from(routes).is_err()
            || kinds.len() >= CATEGORY as usize
        {
            return None;
        }
        let mut hops = Hops {
            nodes: Vec::with_capacity(total),
            missing: Vec::with_capacity(total),
            route: Vec::with_capacity(routes),
            roots: Vec::new(),
            numeric: Vec::new(),
            columns: Vec::new(),
        };
        for tree in trees {
            hops.push(kinds, tree);
        }
        hops.roots.push(total as u32);
        Some(hops)
    }

    fn push(&mut self, kinds: &[Kind], tree: &Tree) {
        let (root, routes) = (self.nodes.len() as u32, self.route.len());
        let mut is_used = vec![false; kinds.len()];
        for node in 0..tree.len() {
            let feature = tree.feature[node];
            let category = !tree.is_leaf(node) && kinds[feature as usize] != Kind::Numeric;
            let place = f64::from_bits((routes + tree.route_start[node] as usize) as u64);
            let leaf = tree.is_leaf(node);
            self.nodes.push(HopNode {
                threshold: if category { place } else { tree.threshold[node] },
                child: root + if leaf { node as u32 } else { tree.first_child[node] },
                feature: feature | if category { CATEGORY } else { 0 },
            });
            // A tree with spare questions asks them of what is missing, and only the plain walk can.
            let spares = tree.spares.is_some() && !leaf;
            self.missing.push(if spares { SHARE } else { tree.missing[node] });
            if !leaf {
                is_used[feature as usize] = true;
            }
        }
        self.route.extend(tree.route.iter().map(|&c| if tree.spares.is_some() && c == STOP { SHARE } else { c }));
        self.roots.push(root);
        self.columns.push((0..kinds.len() as u32).filter(|&column| is_used[column as usize]).collect());
        self.numeric
            .push(self.columns.last().is_none_or(|all| all.iter().all(|&c| kinds[c as usize] == Kind::Numeric)));
    }

    /// One hop of a plain row.
    #[inline(always)]
    fn hop(&self, at: u32, x: impl Fn(u32) -> f64) -> u32 {
        let node = &self.nodes[at as usize];
        node.child + u32::from(x(node.feature) > node.threshold)
    }

    /// One hop of any row; [`HARD`] where the plain walk is needed. Categories are codes as numbers.
    #[inline(always)]
    fn hop_any(&self, at: u32, x: impl Fn(u32) -> f64) -> u32 {
        let node = &self.nodes[at as usize];
        if node.child == at {
            return at;
        }
        let child = if node.feature & CATEGORY == 0 {
            let x = x(node.feature);
            if x.is_nan() { self.missing[at as usize] } else { u16::from(x > node.threshold) }
        } else {
            match x(node.feature & !CATEGORY) as u32 {
                MISSING => self.missing[at as usize],
                // A value never seen stops the walk, or is as good as missing where rows are divided.
                UNSEEN if self.missing[at as usize] == SHARE => SHARE,
                UNSEEN => STOP,
                code => self.route[node.threshold.to_bits() as usize + code as usize],
            }
        };
        match child {
            STOP => at,
            SHARE => HARD,
            child => node.child + u32::from(child),
        }
    }

    /// Where each of some rows ends in a tree, as a node of the tree; false where a row needs the plain walk.
    /// `columns` holds `width` numbers a column, the rows side by side.
    #[inline(always)]
    fn ends(&self, tree: usize, columns: &[f64], width: usize, no_missing: bool, ends: &mut [u32], easy: &mut [bool]) {
        let root = self.roots[tree];
        let plain = no_missing && self.numeric[tree];
        for (group, ends) in ends.chunks_mut(SIDE).enumerate() {
            let first = group * SIDE;
            let x = |row: usize, feature: u32| columns[feature as usize * width + first + row];
            if plain && ends.len() == SIDE {
                let mut at = [root; SIDE];
                loop {
                    let before = at;
                    for (row, at) in at.iter_mut().enumerate() {
                        *at = self.hop(*at, |feature| x(row, feature));
                    }
                    if at == before {
                        break;
                    }
                }
                ends.iter_mut().zip(at).for_each(|(end, at)| *end = at - root);
                continue;
            }
            for (row, end) in ends.iter_mut().enumerate() {
                let mut at = root;
                loop {
                    let next = self.hop_any(at, |feature| x(row, feature));
                    if next == HARD {
                        easy[first + row] = false;
                        break;
                    }
                    if next == at {
                        break;
                    }
                    at = next;
                }
                *end = at - root;
            }
        }
    }

    /// Where one plain row of numbers ends in each of up to [`SIDE`] trees that ask about numbers alone.
    #[inline(always)]
    fn row_ends(&self, tree: usize, row: &[f64], ends: &mut [u32; SIDE]) {
        let trees = (self.roots.len() - 1 - tree).min(SIDE);
        let mut at = [self.roots[tree]; SIDE];
        at[..trees].copy_from_slice(&self.roots[tree..tree + trees]);
        loop {
            let before = at;
            for at in &mut at {
                *at = self.hop(*at, |feature| row[feature as usize]);
            }
            if at == before {
                break;
            }
        }
        *ends = at;
    }
}

multiversion! {
    /// Where each of some rows ends in a tree: see [`Hops`].
    pub(super) fn ends(
        hops: &Hops,
        tree: usize,
        columns: &[f64],
        width: usize,
        no_missing: bool,
        ends: &mut [u32],
        easy: &mut [bool],
    ) {
        hops.ends(tree, columns, width, no_missing, ends, easy);
    }
}

multiversion! {
    /// Where one plain row ends in the next trees, as nodes counted over all trees.
    pub(super) fn row_ends(hops: &Hops, tree: usize, row: &[f64], ends: &mut [u32; SIDE]) {
        hops.row_ends(tree, row, ends);
    }
}
