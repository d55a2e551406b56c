//! Random cuts of classes below a node of few rows, where no number is missing: a holder of its own.
//!
//! Most nodes of extremely randomized trees have few rows, so what counts is what a node costs beside its rows. Here a node
//! is a set of lanes, of which everything else follows: nothing is moved, and a column takes three passes over registers.
//! The trees are those of [`super::random`].

use super::counts::Counts;
use super::kernels::Isa;
use super::kernels::numbers::{NumberLanes, at_most, range};
use super::segments::{Segment, places};
use super::shape::Shape;
use super::store::Source;
use super::tile::{TileNumbers, all};
use crate::Result;
use crate::model::tree::{Leaf, SplitRule};
use crate::rows::Rows;
use crate::simd::multiversion;
use crate::split::choose::Candidate;
use crate::split::sampling::{FeatureSampler, FeatureSampling, child_key};
use crate::split::threshold::at_share;
use crate::stats::criterion::Criterion;
use crate::tolerance::TIE;

/// A node: some rows of the tile.
#[derive(Clone, Copy, Debug, Default)]
pub struct DrawnNode {
    /// Which rows.
    pub members: u64,
    /// What they cost as a leaf.
    pub cost: f64,
    /// What they weigh.
    pub weight: f64,
    /// See [`crate::split::sampling`].
    pub key: u64,
}

/// Rows of one class that count alike.
#[derive(Clone, Copy, Debug)]
struct TileGroup {
    lanes: u64,
    segment: Segment,
    /// The place of the class among those of the tile.
    place: usize,
}

/// A cut that was drawn.
#[derive(Clone, Copy, Debug)]
struct DrawnCut {
    column: u32,
    threshold: f64,
    left: u64,
    /// What it saves, as a share of the node's cost.
    saved: f64,
}

/// Where a number for each class stands among those of all cuts.
fn of_cut(lefts: &[u32], cut: usize, classes: usize) -> &[u32] {
    &lefts[cut * classes..][..classes]
}

/// Buffers, kept from tile to tile.
#[derive(Debug, Default)]
pub struct TileScratch {
    groups: Vec<TileGroup>,
    /// The classes of the tile: how often each counts in a node, and on the left of each cut.
    classes: Vec<u32>,
    left: Vec<u32>,
    labels: Vec<u32>,
    factors: Vec<f64>,
    /// Columns that a node looks at, and where between the least and the greatest number their cuts lie.
    columns: Vec<u32>,
    shares: Vec<f64>,
    cuts: Vec<DrawnCut>,
    /// The children of the node that was searched last: it is divided next, since trees with tiles grow depth first.
    sides: [DrawnNode; 2],
}

/// What all tiles of a tree share.
#[derive(Clone, Copy, Debug)]
pub struct TileSettings<'a> {
    /// How rows are counted.
    pub counts: &'a Counts<'a>,
    /// The numbers of the table.
    pub source: &'a Source<'a>,
    /// How columns and cuts are drawn.
    pub draw: &'a FeatureSampling,
    /// The fewest rows of a child, at least 1.
    pub min_leaf: u32,
    /// The instructions to use.
    pub isa: Isa,
}

/// The rows of a tile.
#[derive(Debug)]
pub struct DrawnTile<'a> {
    /// What all tiles share.
    pub settings: TileSettings<'a>,
    /// The rows of the table that the block of the tile holds.
    pub rows: &'a [u32],
    /// Where the tile begins among them.
    pub start: usize,
    /// All rows of the tile.
    pub root: DrawnNode,
    /// The columns to draw from.
    pub sampler: &'a mut FeatureSampler,
    /// The numbers of the tile.
    pub numbers: &'a mut TileNumbers,
    /// Buffers.
    pub scratch: &'a mut TileScratch,
}

impl DrawnTile<'_> {
    /// Begins with the rows of the tile, class by class.
    pub fn begin(&mut self, total: &[Segment]) {
        let TileScratch { groups, classes, labels, factors, .. } = &mut *self.scratch;
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
        self.numbers.begin(self.start, self.root.members.count_ones() as usize);
    }

    /// What rows cost and weigh that count so often, class by class.
    fn judge(&self, times: impl Iterator<Item = u32>) -> (f64, f64) {
        let counts = self.settings.counts;
        let segment = |(&class, len)| Segment { class, len, times: 1 };
        let segments = self.scratch.labels.iter().zip(times).map(segment);
        counts.with_stats_of(segments, |stats| (counts.criterion().cost(stats), counts.criterion().weight(stats)))
    }

    /// The children of a node that is cut.
    fn sides(&self, node: &DrawnNode, (place, cut): (usize, DrawnCut)) -> [DrawnNode; 2] {
        let TileScratch { classes, left, .. } = &*self.scratch;
        let left = of_cut(left, place, classes.len());
        let low = self.judge(left.iter().copied());
        let high = self.judge(classes.iter().zip(left).map(|(all, left)| all - left));
        let side = |place, members, (cost, weight)| DrawnNode { members, cost, weight, key: child_key(node.key, place) };
        [side(0, cut.left, low), side(1, node.members ^ cut.left, high)]
    }

    /// The best of random cuts, one a column, and its place among them.
    fn search(&mut self, node: &DrawnNode) -> Result<Option<(usize, DrawnCut)>> {
        let TileSettings { draw, isa, .. } = self.settings;
        count(isa, &self.scratch.groups, node.members, &mut self.scratch.classes);
        self.scratch.cuts.clear();
        self.scratch.left.clear();
        let few = self.scratch.classes.iter().sum::<u32>() <= FEW;
        let (mut words, mut wanted) = (draw.feature_words(node.key), draw.columns);
        // More, one by one, where none of them tells the rows apart; none more where one of them saves all there is.
        while (wanted > 0 || self.scratch.cuts.is_empty()) && self.scratch.cuts.iter().all(|cut| cut.saved < 1.0) {
            let now = if few { 1 } else { wanted.max(1) };
            self.scratch.columns.clear();
            self.scratch.columns.extend((0..now).map_while(|_| self.sampler.next(&mut words)));
            if self.scratch.columns.is_empty() {
                break;
            }
            wanted = wanted.saturating_sub(now);
            draw.cut_shares(isa, node.key, &self.scratch.columns, &mut self.scratch.shares);
            self.draw_cuts(node)?;
        }
        self.sampler.reset();
        let cuts = &self.scratch.cuts;
        let most = cuts.iter().map(|cut| cut.saved).fold(f64::NEG_INFINITY, f64::max);
        Ok(cuts.iter().copied().enumerate().find(|(_, cut)| cut.saved >= most - TIE))
    }

    /// Draws a cut of each column that was chosen.
    fn draw_cuts(&mut self, node: &DrawnNode) -> Result<()> {
        let TileSettings { counts, source, min_leaf, isa, .. } = self.settings;
        let TileScratch { groups, classes, left, labels, factors, columns, shares, cuts, .. } = &mut *self.scratch;
        for &column in &*columns {
            self.numbers.column(source, self.rows, self.start, column)?;
        }
        let first = cuts.len();
        cut(isa, isa, self.numbers.all(), (columns, shares), (node.members, min_leaf), groups, cuts, left);
        let rows = classes.iter().map(|&times| times as usize).sum();
        let cost = counts.own_cost_of(node.cost);
        let shape = Shape { segments: &[], classes, labels, factors, units: counts.units(), rows, cost, isa };
        for (place, cut) in cuts.iter_mut().enumerate().skip(first) {
            cut.saved = counts.saved_by(&shape, of_cut(left, place, classes.len()));
        }
        Ok(())
    }
}

/// In nodes whose rows count at most so often, a cut often saves all there is: columns are drawn one by one.
const FEW: u32 = 3;

multiversion! {
    /// How often the rows of each class count among some.
    fn count(groups: &[TileGroup], members: u64, classes: &mut [u32]) {
        add(groups, members, classes);
    }
}

#[inline(always)]
fn add(groups: &[TileGroup], members: u64, classes: &mut [u32]) {
    classes.fill(0);
    for group in groups {
        classes[group.place] += (group.lanes & members).count_ones() * group.segment.times;
    }
}

multiversion! {
    /// Cuts the numbers of some columns, each at its share of the way from the least to the greatest; adds the cuts that
    /// leave rows enough on both sides, and how often each class counts on the left.
    fn cut(
        tier: Isa,
        numbers: &[NumberLanes],
        columns: (&[u32], &[f64]),
        node: (u64, u32),
        groups: &[TileGroup],
        cuts: &mut Vec<DrawnCut>,
        lefts: &mut Vec<u32>,
    ) {
        let (members, min_leaf) = node;
        let classes = groups.last().map_or(0, |group| group.place + 1);
        for (&column, &share) in columns.0.iter().zip(columns.1) {
            let numbers = &numbers[column as usize];
            let (least, greatest) = range(tier, numbers, members);
            if least < greatest {
                let threshold = at_share(least, greatest, share);
                let left = at_most(tier, numbers, members, threshold);
                if left.count_ones() >= min_leaf && (members ^ left).count_ones() >= min_leaf {
                    cuts.push(DrawnCut { column, threshold, left, saved: 0.0 });
                    lefts.resize(lefts.len() + classes, 0);
                    let end = lefts.len() - classes;
                    add(groups, left, &mut lefts[end..]);
                }
            }
        }
    }
}

impl Rows for DrawnTile<'_> {
    type Node = DrawnNode;

    fn outputs(&self) -> usize {
        self.settings.counts.criterion().outputs()
    }

    fn root(&mut self) -> Result<DrawnNode> {
        Ok(self.root)
    }

    fn leaf<'v>(&self, node: &DrawnNode, value: &'v mut [f64]) -> Leaf<'v> {
        let counts = self.settings.counts;
        let groups = self.scratch.groups.iter();
        let segments = groups.map(|group| Segment { len: (group.lanes & node.members).count_ones(), ..group.segment });
        counts.with_stats_of(segments, |stats| counts.criterion().value(stats, value));
        Leaf { value, weight: node.weight, count: u64::from(node.members.count_ones()), cost: node.cost }
    }

    fn candidates(&mut self, node: &mut DrawnNode, out: &mut Vec<Candidate>) -> Result<()> {
        if node.members.count_ones() < 2 * self.settings.min_leaf {
            return Ok(());
        }
        let Some(found) = self.search(node)? else { return Ok(()) };
        let [low, high] = self.sides(node, found);
        let gain = (node.cost - (low.cost + high.cost)) / node.weight;
        // A missing value goes with the heavier side.
        let way = SplitRule::threshold(found.1.threshold, u16::from(high.weight >= low.weight));
        out.push(Candidate::new(found.1.column, gain, way));
        self.scratch.sides = [low, high];
        Ok(())
    }

    fn divide(&mut self, _: DrawnNode, _: &Candidate) -> Result<Vec<DrawnNode>> {
        Ok(self.scratch.sides.to_vec())
    }
}
