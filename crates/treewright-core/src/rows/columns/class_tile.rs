//! Classes below a node of few rows, where no number is missing: a holder of its own.
//!
//! Most nodes have few rows, so what counts is what a node costs beside its rows. Here a node is a set of lanes, of which
//! everything else follows, and nothing is moved. Cuts are drawn ([`super::drawn_tile`]) or, of two classes under Gini's
//! index, searched ([`super::pair_tile`]). The trees are those that larger nodes would grow.

use super::contest::Top;
use super::counts::Counts;
use super::deferred::DeferredThresholds;
use super::kernels::Isa;
use super::kernels::pairs::{Pairs, Weights};
use super::kernels::partition::SLOP;
use super::node::{Live, Node};
use super::segments::{Segment, places};
use super::shape::Shape;
use super::store::{Block, Source};
use super::tile::{TileNumbers, all};
use super::two_codes::TileBits;
use crate::Result;
use crate::model::tree::{Leaf, SplitRule};
use crate::rows::Rows;
use crate::simd::multiversion;
use crate::split::choose::Candidate;
use crate::split::sampling::{FeatureSampler, FeatureSampling, child_key};
use crate::stats::criterion::Criterion;
use std::ops::Range;

/// A node: some rows of the tile.
#[derive(Clone, Debug, Default)]
pub struct ClassNode {
    /// Which rows.
    pub(super) members: u64,
    /// What they cost as a leaf.
    cost: f64,
    /// What they weigh.
    weight: f64,
    /// See [`crate::split::sampling`].
    pub(super) key: u64,
    /// The columns that are not known to be constant, in [`TileScratch::live`]; where columns are drawn, all.
    pub(super) live: Range<usize>,
}

/// Rows of one class that count alike.
#[derive(Clone, Copy, Debug)]
pub struct TileGroup {
    lanes: u64,
    segment: Segment,
    /// The place of the class among those of the tile.
    pub(super) place: usize,
}

/// A cut.
#[derive(Clone, Copy, Debug)]
pub struct TileCut {
    pub(super) column: u32,
    pub(super) threshold: f64,
    /// The rows on the left.
    pub(super) left: u64,
    /// What it saves, as a share of the node's cost.
    pub(super) saved: f64,
}

/// Buffers, kept from tile to tile.
#[derive(Debug)]
pub struct TileScratch {
    pub(super) groups: Vec<TileGroup>,
    /// The classes of the tile: how often each counts in a node, and on the left of each cut.
    pub(super) classes: Vec<u32>,
    pub(super) lefts: Vec<u32>,
    pub(super) labels: Vec<u32>,
    pub(super) factors: Vec<f64>,
    /// Columns that a node looks at, and where between the least and the greatest number their drawn cuts lie.
    pub(super) columns: Vec<u32>,
    pub(super) shares: Vec<f64>,
    pub(super) cuts: Vec<TileCut>,
    /// Of two classes: what each row of the tile counts, and those of the node at hand, packed.
    pub(super) tile_weights: [u16; SLOP],
    pub(super) weights: Weights,
    /// The rows of the table that the node at hand has.
    pub(super) rows: [u32; SLOP],
    pub(super) pairs: Pairs,
    pub(super) bits: TileBits,
    /// The best searched cut of each column.
    pub(super) tops: Vec<(usize, Top)>,
    /// Columns that nodes may ask about.
    pub(super) live: Vec<Live>,
    /// The rows on the left of a cut; and those that are told apart by their numbers.
    pub(super) mask: Vec<u32>,
    pub(super) places: Vec<(u16, u32)>,
    /// The children of the node that was searched last, and how often each class counts in them: it is divided next, since
    /// trees with tiles grow depth first.
    sides: [ClassNode; 2],
    side_classes: [Vec<u32>; 2],
}

impl Default for TileScratch {
    fn default() -> TileScratch {
        TileScratch {
            groups: Vec::new(),
            classes: Vec::new(),
            lefts: Vec::new(),
            labels: Vec::new(),
            factors: Vec::new(),
            columns: Vec::new(),
            shares: Vec::new(),
            cuts: Vec::new(),
            tile_weights: [0; SLOP],
            weights: Weights::default(),
            rows: [0; SLOP],
            pairs: Pairs::default(),
            bits: TileBits::default(),
            tops: Vec::new(),
            live: Vec::new(),
            mask: Vec::new(),
            places: Vec::new(),
            sides: Default::default(),
            side_classes: Default::default(),
        }
    }
}

/// What all tiles of a tree share.
#[derive(Clone, Copy, Debug)]
pub struct TileSettings<'a> {
    /// How rows are counted.
    pub counts: &'a Counts<'a>,
    /// The numbers of the table.
    pub source: &'a Source<'a>,
    /// How columns, and perhaps cuts, are drawn; None looks at all.
    pub draw: Option<&'a FeatureSampling>,
    /// The fewest rows of a child, at least 1.
    pub min_leaf: u32,
    /// The instructions to use.
    pub isa: Isa,
}

/// The rows of a tile.
#[derive(Debug)]
pub struct ClassTile<'a> {
    /// What all tiles share.
    pub settings: TileSettings<'a>,
    /// The block that holds the tile.
    pub block: &'a Block<'a>,
    /// Where the tile begins there.
    pub start: usize,
    /// The columns to draw from.
    pub sampler: &'a mut FeatureSampler,
    /// The numbers of the tile.
    pub numbers: &'a mut TileNumbers,
    /// Thresholds that are told when the tree is grown.
    pub deferred: &'a mut DeferredThresholds,
    /// Buffers.
    pub scratch: &'a mut TileScratch,
    /// All rows of the tile.
    pub root: ClassNode,
}

impl ClassTile<'_> {
    /// Begins with the rows of a node, class by class.
    pub fn begin<T>(&mut self, node: &Node<T>, total: &[Segment]) {
        let TileScratch { groups, classes, labels, factors, live, bits, .. } = &mut *self.scratch;
        groups.clear();
        labels.clear();
        factors.clear();
        for (place, segment, span) in places(total) {
            groups.push(TileGroup { lanes: all(span.len()) << span.start.min(63), segment, place });
            if place == labels.len() {
                labels.push(segment.class);
                factors.push(self.settings.counts.factor(segment.class));
            }
        }
        classes.resize(labels.len(), 0);
        bits.begin(node.start, node.len);
        live.clear();
        live.extend_from_slice(&node.live);
        let Node { cost, weight, key, len, .. } = *node;
        self.root = ClassNode { members: all(len), cost, weight, key, live: 0..live.len() };
    }

    /// Uses the statistics, as the criterion knows them, of rows that count so often, class by class.
    fn with_stats<R>(&self, times: &[u32], use_them: impl FnOnce(&[u64]) -> R) -> R {
        let segment = |(&class, &len)| Segment { class, len, times: 1 };
        self.settings.counts.with_stats_of(self.scratch.labels.iter().zip(times).map(segment), use_them)
    }

    /// Notes the children of a node that is cut.
    fn note_sides(&mut self, node: &ClassNode, (place, cut): (usize, TileCut)) {
        let TileScratch { classes, lefts, side_classes: [low, high], .. } = &mut *self.scratch;
        let left = &lefts[place * classes.len()..][..classes.len()];
        low.clear();
        low.extend_from_slice(left);
        high.clear();
        high.extend(classes.iter().zip(left).map(|(all, left)| all - left));
        let criterion = self.settings.counts.criterion();
        let members = [cut.left, node.members ^ cut.left];
        self.scratch.sides = [0, 1].map(|side| {
            let times = &self.scratch.side_classes[side];
            let (cost, weight) = self.with_stats(times, |stats| (criterion.cost(stats), criterion.weight(stats)));
            let (key, live) = (child_key(node.key, side), node.live.clone());
            ClassNode { members: members[side], cost, weight, key, live }
        });
    }

    /// Counts the classes of a node.
    pub(super) fn count_classes(&mut self, node: &ClassNode) {
        count(self.settings.isa, &self.scratch.groups, node.members, &mut self.scratch.classes);
    }

    /// What the node at hand costs, in the unit of searches.
    pub(super) fn own_cost(&self, node: &ClassNode) -> f64 {
        self.settings.counts.own_cost_of(node.cost)
    }
}

/// The shape of a node, of which the classes have been counted.
pub(super) fn shape<'s>(
    settings: &TileSettings<'_>,
    (classes, labels, factors): (&'s [u32], &'s [u32], &'s [f64]),
    cost: f64,
) -> Shape<'s> {
    let rows = classes.iter().map(|&times| times as usize).sum();
    Shape { segments: &[], classes, labels, factors, units: settings.counts.units(), rows, cost, isa: settings.isa }
}

multiversion! {
    /// How often the rows of each class count among some.
    pub(super) fn count(groups: &[TileGroup], members: u64, classes: &mut [u32]) {
        add(groups, members, classes);
    }
}

/// The same as part of a kernel.
#[inline(always)]
pub(super) fn add(groups: &[TileGroup], members: u64, classes: &mut [u32]) {
    classes.fill(0);
    for group in groups {
        classes[group.place] += (group.lanes & members).count_ones() * group.segment.times;
    }
}

impl Rows for ClassTile<'_> {
    type Node = ClassNode;

    fn outputs(&self) -> usize {
        self.settings.counts.criterion().outputs()
    }

    fn root(&mut self) -> Result<ClassNode> {
        Ok(self.root.clone())
    }

    fn leaf<'v>(&self, node: &ClassNode, value: &'v mut [f64]) -> Leaf<'v> {
        // Only children of the node that was searched last are asked for.
        let side = usize::from(node.members != self.scratch.sides[0].members);
        let criterion = self.settings.counts.criterion();
        self.with_stats(&self.scratch.side_classes[side], |stats| criterion.value(stats, value));
        Leaf { value, weight: node.weight, count: u64::from(node.members.count_ones()), cost: node.cost }
    }

    fn candidates(&mut self, node: &mut ClassNode, out: &mut Vec<Candidate>) -> Result<()> {
        if node.members.count_ones() < 2 * self.settings.min_leaf {
            return Ok(());
        }
        self.count_classes(node);
        let best = match self.settings.draw {
            Some(draw) if draw.cuts => self.search_drawn(draw, node)?,
            _ => self.search_pairs(node)?,
        };
        let Some((place, cut)) = best else { return Ok(()) };
        self.note_sides(node, (place, cut));
        let [low, high] = &self.scratch.sides;
        let gain = (node.cost - (low.cost + high.cost)) / node.weight;
        // A missing value goes with the heavier side.
        let way = SplitRule::threshold(cut.threshold, u16::from(high.weight >= low.weight));
        out.push(Candidate::new(cut.column, gain, way));
        Ok(())
    }

    fn divide(&mut self, _: ClassNode, _: &Candidate) -> Result<Vec<ClassNode>> {
        Ok(self.scratch.sides.to_vec())
    }
}
