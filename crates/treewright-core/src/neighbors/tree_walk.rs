//! The way of a query through a [`Tree`]: the nearest box first, and no box that is too far.
//!
//! Glossary. A *frame* is a group of sixteen boxes on the way down: how far each is, and which are still to be opened.
//! [`Candidates`] collect the points that may be near and say how far others may be.

use super::candidates::Candidates;
use super::distance::Power;
use super::kd_order::FAN;
use super::tree::{LEAF, Tree};
use crate::simd::{FLOATS, Simd};

/// More levels than any tree has: 16^8 leaves are more than there are row numbers.
const DEEPEST: usize = 8;
/// Registers for a leaf.
const PARTS: usize = LEAF / FLOATS;

/// Sixteen boxes on the way down. A register that is written to two lines of the cache could not be read back at once.
#[derive(Clone, Copy, Debug)]
#[repr(align(64))]
struct Frame {
    apart: [f32; FAN],
    open: u16,
    /// Whether the nearest box was opened.
    begun: bool,
    group: usize,
    slack: f32,
}

/// The way from the top to a leaf.
#[derive(Debug)]
pub struct TreeWalk {
    frames: [Frame; DEEPEST],
    /// The query as seen from the group of each level.
    seen: Vec<f32>,
}

impl TreeWalk {
    /// A way through a tree with so many columns.
    pub fn new(columns: usize) -> TreeWalk {
        let frame = Frame { apart: [0.0; FAN], open: 0, begun: false, group: 0, slack: 0.0 };
        TreeWalk { frames: [frame; DEEPEST], seen: vec![0.0; DEEPEST * columns] }
    }

    /// Offers all points that may be among the nearest; gives the number of leaves that were opened.
    #[inline(always)]
    pub fn walk<S: Simd>(
        &mut self,
        simd: S,
        power: Power,
        tree: &Tree,
        query: &[f64],
        candidates: &mut impl Candidates<S>,
    ) -> usize {
        match power {
            Power::One => self.walk_by(simd, Power::One, tree, query, candidates),
            Power::Max => self.walk_by(simd, Power::Max, tree, query, candidates),
            _ => self.walk_by(simd, Power::Two, tree, query, candidates),
        }
    }

    /// The same for a power that the compiler knows.
    #[inline(always)]
    fn walk_by<S: Simd>(
        &mut self,
        simd: S,
        power: Power,
        tree: &Tree,
        query: &[f64],
        candidates: &mut impl Candidates<S>,
    ) -> usize {
        let top = tree.levels.len() - 1;
        let (mut level, mut leaves) = (top, 0);
        self.enter(simd, power, tree, level, 0, query);
        loop {
            let frame = &mut self.frames[level];
            let ceiling = candidates.limit() * tree.grow + frame.slack;
            frame.open &= simd.ge_f(simd.splat_f(ceiling), simd.load_f(&frame.apart));
            if frame.open == 0 {
                if level == top {
                    return leaves;
                }
                level += 1;
                continue;
            }
            let child = match frame.begun {
                true => frame.open.trailing_zeros() as usize,
                false => simd.least(simd.load_f(&frame.apart), frame.open),
            };
            (frame.begun, frame.open) = (true, frame.open & !(1 << child));
            let node = frame.group * FAN + child;
            if level == 0 {
                let slack = frame.slack;
                offer(simd, power, tree, node, &self.seen[..query.len()], ceiling, slack, candidates);
                leaves += 1;
            } else {
                level -= 1;
                self.enter(simd, power, tree, level, node, query);
            }
        }
    }

    /// Compares a query with the boxes of a group.
    #[inline(always)]
    fn enter<S: Simd>(&mut self, simd: S, power: Power, tree: &Tree, level: usize, group: usize, query: &[f64]) {
        let boxes = &tree.levels[level];
        let seen = &mut self.seen[level * query.len()..][..query.len()];
        let sides = boxes.group(group).as_chunks::<FLOATS>().0.as_chunks::<2>().0;
        let mut keys = simd.splat_f(0.0);
        for (((seen, q), middle), [low, high]) in seen.iter_mut().zip(query).zip(boxes.middle(group)).zip(sides) {
            *seen = ((q - middle) * tree.unit) as f32;
            let q = simd.splat_f(*seen);
            let (below, above) = (simd.sub_f(simd.load_f(low), q), simd.sub_f(q, simd.load_f(high)));
            keys = power.join(simd, keys, simd.max_f(simd.max_f(below, above), simd.splat_f(0.0)));
        }
        let frame = &mut self.frames[level];
        simd.store_f(keys, &mut frame.apart);
        (frame.group, frame.slack, frame.begun) = (group, boxes.slack(group), false);
        frame.open = ((1u32 << boxes.fan(group)) - 1) as u16;
    }
}

/// Offers the points of a leaf.
#[inline(always)]
#[allow(clippy::too_many_arguments)]
fn offer<S: Simd>(
    simd: S,
    power: Power,
    tree: &Tree,
    leaf: usize,
    seen: &[f32],
    mut ceiling: f32,
    slack: f32,
    candidates: &mut impl Candidates<S>,
) {
    let columns = tree.leaf(leaf).as_chunks::<FLOATS>().0.as_chunks::<PARTS>().0;
    let mut keys = [simd.splat_f(0.0); PARTS];
    for (column, &q) in columns.iter().zip(seen) {
        let q = simd.splat_f(q);
        for (key, x) in keys.iter_mut().zip(column) {
            *key = power.join(simd, *key, simd.sub_f(simd.load_f(x), q));
        }
    }
    for (part, key) in keys.into_iter().enumerate() {
        let near = simd.ge_f(simd.splat_f(ceiling), key);
        if near != 0 {
            candidates.take(simd, key, near, leaf * LEAF + part * FLOATS, slack);
            ceiling = candidates.limit() * tree.grow + slack;
        }
    }
}
