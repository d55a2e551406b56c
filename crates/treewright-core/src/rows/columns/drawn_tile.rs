//! Random cuts of classes below a node of few rows, where no number is missing: a holder of its own.
//!
//! Most nodes of extremely randomized trees have few rows, so what counts is what a node costs beside its rows. Here a node
//! is a set of lanes, of which everything else follows: nothing is moved, and a column takes three passes over registers.
//! The trees are those of [`super::random`].

use super::counts::{Counts, Shape};
use super::kernels::Isa;
use super::kernels::numbers::{at_most, range};
use super::segments::{Segment, places};
use super::store::Source;
use super::tile::{TileNumbers, all};
use crate::Result;
use crate::model::tree::{Leaf, SplitRule};
use crate::rows::Rows;
use crate::split::choose::Candidate;
use crate::split::sampling::{FeatureSampler, FeatureSampling, child_key};
use crate::split::threshold::at_share;
use crate::stats::criterion::Criterion;
use crate::tolerance::TIE;

/// A node: some rows of the tile.
#[derive(Clone, Debug)]
pub struct TileNode {
    /// Which rows.
    pub members: u64,
    /// What they cost as a leaf.
    cost: f64,
    /// What they weigh.
    weight: f64,
    /// See [`crate::split::sampling`].
    key: u64,
    /// The children that were offered: their members, costs and weights.
    sides: [(u64, (f64, f64)); 2],
}

impl TileNode {
    /// A node that was not searched yet.
    pub fn new(members: u64, (cost, weight): (f64, f64), key: u64) -> TileNode {
        TileNode { members, cost, weight, key, sides: [(0, (0.0, 0.0)); 2] }
    }
}

/// Rows of one class that count alike.
#[derive(Clone, Copy, Debug)]
struct Group {
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
    saved: f64,
}

/// Buffers, kept from tile to tile.
#[derive(Debug, Default)]
pub struct Scratch {
    groups: Vec<Group>,
    /// The classes of the tile: how often each counts in a node, and on the left of a cut.
    classes: Vec<u32>,
    left: Vec<u32>,
    labels: Vec<u32>,
    factors: Vec<f64>,
    /// Columns that a node looks at, and where between the least and the greatest number their cuts lie.
    columns: Vec<u32>,
    shares: Vec<f64>,
    cuts: Vec<DrawnCut>,
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
    pub root: TileNode,
    /// The columns to draw from.
    pub lots: &'a mut FeatureSampler,
    /// The numbers of the tile.
    pub numbers: &'a mut TileNumbers,
    /// Buffers.
    pub scratch: &'a mut Scratch,
}

impl DrawnTile<'_> {
    /// Begins with the rows of the tile, class by class.
    pub fn begin(&mut self, total: &[Segment]) {
        let Scratch { groups, classes, left, labels, factors, .. } = &mut *self.scratch;
        groups.clear();
        labels.clear();
        factors.clear();
        for (place, segment, span) in places(total) {
            groups.push(Group { lanes: all(span.len()) << span.start.min(63), segment, place });
            if place == labels.len() {
                labels.push(segment.class);
                factors.push(self.settings.counts.factor(segment.class));
            }
        }
        classes.resize(labels.len(), 0);
        left.resize(labels.len(), 0);
        self.numbers.begin(self.start, self.root.members.count_ones() as usize);
    }

    /// Uses the statistics of some rows as the criterion knows them.
    fn with_stats<R>(&self, members: u64, use_them: impl FnOnce(&[u64]) -> R) -> R {
        let groups = self.scratch.groups.iter();
        let segments = groups.map(|group| Segment { len: (group.lanes & members).count_ones(), ..group.segment });
        self.settings.counts.with_stats_of(segments, use_them)
    }

    /// What some rows cost and weigh.
    fn judge(&self, members: u64) -> (f64, f64) {
        let criterion = self.settings.counts.criterion();
        self.with_stats(members, |stats| (criterion.cost(stats), criterion.weight(stats)))
    }

    /// The best of random cuts, one a column.
    fn search(&mut self, node: &TileNode) -> Result<Option<DrawnCut>> {
        let draw = self.settings.draw;
        count(&self.scratch.groups, node.members, &mut self.scratch.classes);
        self.scratch.cuts.clear();
        let (mut words, mut wanted) = (draw.feature_words(node.key), draw.columns);
        while wanted > 0 {
            self.scratch.columns.clear();
            self.scratch.columns.extend((0..wanted).map_while(|_| self.lots.next(&mut words)));
            if self.scratch.columns.is_empty() {
                break;
            }
            draw.cut_shares(self.settings.isa, node.key, &self.scratch.columns, &mut self.scratch.shares);
            self.draw_cuts(node)?;
            // More, one by one, where none of them tells the rows apart.
            wanted = usize::from(self.scratch.cuts.is_empty());
        }
        self.lots.reset();
        let cuts = &self.scratch.cuts;
        let most = cuts.iter().map(|cut| cut.saved).fold(f64::NEG_INFINITY, f64::max);
        Ok(cuts.iter().find(|cut| cut.saved >= most - TIE).copied())
    }

    /// Draws a cut of each column that was chosen.
    fn draw_cuts(&mut self, node: &TileNode) -> Result<()> {
        let TileSettings { counts, source, min_leaf, isa, .. } = self.settings;
        let Scratch { groups, classes, left, labels, factors, columns, shares, cuts } = &mut *self.scratch;
        let rows = classes.iter().map(|&times| times as usize).sum();
        let (cost, members) = (counts.own_cost_of(node.cost), node.members);
        let shape = Shape { segments: &[], classes, labels, factors, units: counts.units(), rows, cost, isa };
        let fits = |side: u64| side.count_ones() >= min_leaf;
        for (&column, &share) in columns.iter().zip(&*shares) {
            let numbers = self.numbers.column(source, self.rows, self.start, column)?;
            let (least, greatest) = range(isa, numbers, members);
            if least < greatest {
                let threshold = at_share(least, greatest, share);
                let below = at_most(isa, numbers, members, threshold);
                if fits(below) && fits(members ^ below) {
                    count(groups, below, left);
                    cuts.push(DrawnCut { column, threshold, left: below, saved: counts.saved_by(&shape, left) });
                }
            }
        }
        Ok(())
    }
}

/// How often the rows of each class count among some.
fn count(groups: &[Group], members: u64, classes: &mut [u32]) {
    classes.fill(0);
    for group in groups {
        classes[group.place] += (group.lanes & members).count_ones() * group.segment.times;
    }
}

impl Rows for DrawnTile<'_> {
    type Node = TileNode;

    fn outputs(&self) -> usize {
        self.settings.counts.criterion().outputs()
    }

    fn root(&mut self) -> Result<TileNode> {
        Ok(self.root.clone())
    }

    fn leaf<'v>(&self, node: &TileNode, value: &'v mut [f64]) -> Leaf<'v> {
        let criterion = self.settings.counts.criterion();
        self.with_stats(node.members, |stats| criterion.value(stats, value));
        Leaf { value, weight: node.weight, count: u64::from(node.members.count_ones()), cost: node.cost }
    }

    fn candidates(&mut self, node: &mut TileNode, out: &mut Vec<Candidate>) -> Result<()> {
        if node.members.count_ones() < 2 * self.settings.min_leaf {
            return Ok(());
        }
        let Some(cut) = self.search(node)? else { return Ok(()) };
        let sides = [cut.left, node.members ^ cut.left];
        let [low, high] = sides.map(|side| self.judge(side));
        let gain = (node.cost - (low.0 + high.0)) / node.weight;
        node.sides = [(sides[0], low), (sides[1], high)];
        // A missing value goes with the heavier side.
        let way = SplitRule::threshold(cut.threshold, u16::from(high.1 >= low.1));
        out.push(Candidate::new(cut.column, gain, way));
        Ok(())
    }

    fn divide(&mut self, node: TileNode, _: &Candidate) -> Result<Vec<TileNode>> {
        let child = |(place, (members, judged))| TileNode::new(members, judged, child_key(node.key, place));
        Ok(node.sides.into_iter().enumerate().map(child).collect())
    }
}
