//! Rows as bins: the holder for boosting. Splits are searched in histograms of packed gradients.
//!
//! What it gives up for speed: a question lies between bins, of which a column has at most 255. What it keeps: sums are
//! integers, so the tree depends neither on threads nor on how rows are cut into chunks; and the threshold of a question is
//! the very number that bins were cut at.
//!
//! Of two children only the one with fewer rows is added up: the other's histogram is the parent's less that one. A node's
//! search happens when it is made, since both children are searched together.

pub mod chunk;
pub mod coding;
pub mod criterion;
mod filter;
pub mod histogram;
pub mod histogram_pool;
pub mod interactions;
mod merged;
pub mod packed;
pub mod scan;
pub mod search;
pub mod sides;
mod sparse;
pub mod store;

use self::chunk::{Chunk, Spans};
use self::criterion::{BestSplit, GradientCriterion, NodeContext, heavier_first};
use self::histogram_pool::{Histograms, Team};
use self::interactions::{Interactions, PathGroups};
use self::merged::ColumnSlices;
use self::packed::{AnySum, RUN, Units, Wide, hessian};
use self::sides::Side;
use self::sparse::{StoredNode, StoredRows};
use self::store::Store;
use super::Rows;
use crate::Result;
use crate::codes::bins::Coder;
use crate::model::tree::{Leaf, Question, SplitRule};
use crate::peers::Peers;
use crate::rng::Stream;
use crate::simd::Isa;
use crate::split::choose::Candidate;
use crate::split::monotone::Bounds;
use crate::sys::pool::Cancel;
use crate::tolerance::{GRADIENT_NOISE, GRADIENT_ROUNDING};
use std::sync::{Mutex, PoisonError, RwLock, RwLockReadGuard};

/// What trees on bins need besides rows.
#[derive(Clone, Debug)]
pub struct TreeRules {
    /// Added to the hessian of a leaf.
    pub l2: f64,
    /// The fewest rows of a child.
    pub min_leaf: u32,
    /// The most leaves.
    pub max_leaves: Option<u32>,
    /// The most questions on a path.
    pub max_depth: u32,
    /// The least gain of a question, in the unit of the loss.
    pub min_gain: f64,
    /// How many columns are searched in a node; all where None.
    pub max_features: Option<usize>,
    /// How the answer must change along each column: rise (1), fall (-1), or any way (0); empty for any way everywhere.
    pub monotone: Vec<i8>,
    /// Which columns may be asked about on one path.
    pub interactions: Interactions,
    /// The instructions in use.
    pub isa: Isa,
}

/// A node: where its rows are, what they add up to, and the best question about them.
#[derive(Debug)]
pub struct Node {
    number: usize,
    depth: u32,
    context: NodeContext,
    /// The groups of columns that questions on its path may come from.
    groups: PathGroups,
    sums: Option<Histograms>,
    /// In place of histograms, where the table is sparse.
    stored: Option<StoredNode>,
    best: Option<BestSplit>,
    /// The columns to look at first.
    likely: Vec<usize>,
}

/// The rows that a tree is grown from.
#[derive(Debug)]
pub struct RootRows {
    /// Where they are.
    pub spans: Vec<Spans>,
    /// What their words mean.
    pub units: Units,
    /// The least hessian of a row, in units.
    pub least: u64,
    /// How many there are in all processes of the fit.
    pub rows: u64,
    /// The same with each row as often as it counts.
    pub weight: f64,
    /// The least hessian of a child.
    pub floor: f64,
}

/// All rows of one tree.
#[derive(Debug)]
pub struct Bins<'a> {
    store: &'a Store,
    chunks: &'a [RwLock<Chunk>],
    team: &'a Team,
    rules: &'a TreeRules,
    units: Units,
    criterion: GradientCriterion,
    stream: Stream,
    cancel: &'a Cancel,
    peers: &'a dyn Peers,
    /// The columns that each process searches, where not all search all of them.
    slices: Option<ColumnSlices>,
    leaves: u32,
    rows: u64,
    weight: f64,
    /// What rounding may seem to save, at most.
    noise: f64,
    /// For each node of the table the spans of its rows in each chunk.
    spans: Vec<Vec<Spans>>,
    bounds: Vec<Bounds>,
    /// The rows of a sparse table.
    stored: Option<StoredRows<'a>>,
}

impl<'a> Bins<'a> {
    /// The rows of chunks whose gradients are packed; `stream` draws columns where not all are searched.
    #[expect(clippy::too_many_arguments, reason = "all that a tree depends on")]
    pub fn new(
        store: &'a Store,
        chunks: &'a [RwLock<Chunk>],
        root: RootRows,
        team: &'a Team,
        rules: &'a TreeRules,
        stream: Stream,
        peers: &'a dyn Peers,
        cancel: &'a Cancel,
    ) -> Result<Bins<'a>> {
        let RootRows { spans, units, least, rows, weight, floor } = root;
        debug_assert!(least > 0);
        let criterion = GradientCriterion {
            l2: rules.l2 * units.hessian,
            min_leaf: rules.min_leaf.max(1),
            least,
            most: units.most,
            floor: floor * units.hessian,
            bounded: !rules.monotone.is_empty(),
            isa: rules.isa,
        };
        let bounds = vec![Bounds::default()];
        let spans = vec![spans];
        let stored = store.stored.as_ref().map(StoredRows::new).transpose()?;
        Ok(Bins {
            store,
            chunks,
            team,
            rules,
            units,
            criterion,
            stream,
            cancel,
            peers,
            slices: ColumnSlices::new(peers, store),
            leaves: 1,
            rows,
            weight,
            noise: 0.0,
            spans,
            bounds,
            stored,
        })
    }

    /// Where the rows of each node are, and what its answers must not leave.
    pub fn finish(self) -> (Vec<Vec<Spans>>, Vec<Bounds>) {
        (self.spans, self.bounds)
    }

    /// Units of an answer in an answer of 1.
    fn per_answer(&self) -> f64 {
        self.units.gradient / self.units.hessian
    }

    fn chunk(&self, chunk: usize) -> RwLockReadGuard<'_, Chunk> {
        chunk::read(&self.chunks[chunk])
    }

    /// Whether a node may be divided at all.
    fn open(&self, depth: u32, rows: u64) -> bool {
        self.has_room(depth) && rows >= 2 * u64::from(self.criterion.min_leaf)
    }

    /// Whether the limits of the tree allow a node at this depth to be divided.
    fn has_room(&self, depth: u32) -> bool {
        self.rules.max_leaves.is_none_or(|most| self.leaves < most) && depth < self.rules.max_depth
    }

    /// What a question saves, in the unit of the loss; None if it is not worth asking.
    fn gain(&self, context: &NodeContext, best: &BestSplit) -> Option<f64> {
        let worth = self.criterion.merit(context.total, context.bounds);
        let more = best.merit - worth;
        // Each gradient was rounded by up to a unit; chance may find a cut that seems to save a few squares of that.
        if more <= self.noise.max(GRADIENT_ROUNDING * best.merit.abs()) {
            return None;
        }
        // Units of a merit are squares of gradients over hessians.
        let gain = more / 2.0 / self.units.gradient * self.units.hessian / self.units.gradient;
        (gain > self.rules.min_gain).then_some(gain)
    }

    /// The bounds of the children of a node.
    fn divided_bounds(&self, context: &NodeContext, best: &BestSplit) -> [Bounds; 2] {
        let sign = self.rules.monotone.get(best.feature).copied().unwrap_or(0);
        let bounds = context.bounds;
        if sign == 0 {
            return [bounds; 2];
        }
        let right = context.total.minus(best.left);
        let middle = self.criterion.answer(best.left, bounds) / 2.0 + self.criterion.answer(right, bounds) / 2.0;
        let (below, above) = (Bounds { high: middle, ..bounds }, Bounds { low: middle, ..bounds });
        if sign > 0 { [below, above] } else { [above, below] }
    }

    /// Divides a node's rows in all chunks; returns how many training rows go to the first child. The histograms of one
    /// child, if the caller asks for them, are added up chunk by chunk, while its rows are near.
    fn partition(&mut self, number: usize, best: &BestSplit, added: Option<usize>) -> (u64, Option<Histograms>) {
        let (store, isa, spans) = (self.store, self.rules.isa, &self.spans[number]);
        let rows = spans.iter().map(|spans| spans[0].len() as u64).sum();
        let divided: Vec<Mutex<[Spans; 2]>> = spans.iter().map(|_| Mutex::default()).collect();
        let divide = |number: usize, chunk: &mut Chunk| {
            let all = spans[number];
            let front = chunk.divide(store, isa, best.feature, &best.side, all);
            let back = [0, 1].map(|party| chunk::Span { start: front[party].end, end: all[party].end });
            *divided[number].lock().unwrap_or_else(PoisonError::into_inner) = [front, back];
            [front, back]
        };
        let chunks = self.chunks.len();
        let sums = if let Some(child) = added {
            Some(self.team.sums(store.places, rows, chunks, self.cancel, |number, sums| {
                let mut chunk = chunk::write(&self.chunks[number]);
                let spans = divide(number, &mut chunk)[child];
                chunk.add(store, 0..store.groups.len(), spans, sums.room_for(spans[0].len() as u64));
            }))
        } else {
            self.team.each(chunks, rows, self.cancel, |number| {
                divide(number, &mut chunk::write(&self.chunks[number]));
            });
            None
        };
        let divided = divided.into_iter().map(|spans| spans.into_inner().unwrap_or_else(PoisonError::into_inner));
        let (front, back): (Vec<Spans>, Vec<Spans>) = divided.map(|[front, back]| (front, back)).unzip();
        let rows = front.iter().map(|spans| spans[0].len() as u64).sum();
        self.spans.push(front);
        self.spans.push(back);
        (rows, sums)
    }

    fn way(&self, best: &BestSplit, total: Wide) -> SplitRule {
        let feature = &self.store.features[best.feature];
        let heavier = u16::from(!heavier_first(best.left, total));
        let missing = feature.missing.map_or(heavier, |bin| u16::from(!best.side.holds(bin)));
        match (&feature.coder, &best.side) {
            (Coder::Cuts { cuts, .. }, Side::UpTo { last, .. }) => {
                // Behind the last bin of known numbers only missing ones are left.
                let cut = cuts.get(usize::from(*last)).copied().unwrap_or(f64::INFINITY);
                SplitRule::threshold(cut, missing)
            }
            (Coder::Levels { codes, .. }, side) => {
                let route = codes.iter().map(|&code| u16::from(!side.holds(code))).collect();
                SplitRule { question: Question::Route(route), children: 2, missing }
            }
            (Coder::Cuts { .. }, Side::Set(_)) => SplitRule::threshold(f64::INFINITY, missing),
        }
    }
}

impl Rows for Bins<'_> {
    type Node = Node;

    fn outputs(&self) -> usize {
        1
    }

    fn is_pure(&self, _: f64) -> bool {
        false
    }

    fn root(&mut self) -> Result<Node> {
        let rows = self.rows;
        let (stored, sums, total) = match self.begin_stored() {
            Some((root, total)) => (Some(root), None, total),
            None => {
                let mut sums = self.add_up(0, rows > RUN);
                self.cancel.check()?;
                self.merge_all(&mut sums)?;
                let first = &self.store.features[0];
                let total = sums.total(first.place..first.place + first.bins);
                (None, Some(sums), total)
            }
        };
        let context = NodeContext { total, rows, bounds: Bounds::default() };
        self.noise = GRADIENT_NOISE * self.weight / total.parts().1;
        let groups = self.rules.interactions.all_groups();
        let mut node =
            Node { number: 0, depth: 0, context, groups, sums: None, stored, best: None, likely: Vec::new() };
        if self.open(0, rows) {
            match sums {
                Some(sums) => {
                    node.best = self.search(&node, &sums)?;
                    node.sums = Some(sums);
                }
                None => self.search_stored(&mut node)?,
            }
        }
        Ok(node)
    }

    fn leaf<'v>(&self, node: &Node, value: &'v mut [f64]) -> Leaf<'v> {
        value[0] = self.criterion.answer(node.context.total, node.context.bounds) / self.per_answer();
        let merit = self.criterion.merit(node.context.total, node.context.bounds);
        let cost = -merit / 2.0 / self.units.gradient * self.units.hessian / self.units.gradient;
        Leaf { value, weight: node.context.rows as f64, count: node.context.rows, cost }
    }

    fn candidates(&mut self, node: &mut Node, out: &mut Vec<Candidate>) -> Result<()> {
        if let Some(best) = &node.best
            && let Some(gain) = self.gain(&node.context, best)
        {
            let way = self.way(best, node.context.total);
            out.push(Candidate::new(best.feature as u32, gain / node.context.rows as f64, way));
        } else {
            node.sums = None;
        }
        Ok(())
    }

    fn divide(&mut self, node: Node, _: &Candidate) -> Result<Vec<Node>> {
        let Node { number, depth, context, groups, sums, stored, best, likely } = node;
        let Some(best) = best else { return Ok(Vec::new()) };
        self.leaves += 1;
        let bounds = self.divided_bounds(&context, &best);
        let totals = [best.left, context.total.minus(best.left)];
        let (first, depth) = (self.spans.len(), depth + 1);
        // Which child has fewer rows is not known before, but which has less hessian; on average the children that are added
        // up then hold a thousandth more rows. Of few rows each thread adds up some columns instead.
        let is_added = self.has_room(depth)
            && sums.as_ref().is_some_and(|sums| self.peers.size() > 1 || matches!(sums, Histograms::Wide(_)));
        let few = usize::from(hessian(totals[1]) < hessian(totals[0]));
        let (front, lighter) = self.partition(number, &best, is_added.then_some(few));
        let lighter = lighter.map(|sums| (few, sums));
        let (front, lighter) = self.merge_children(front, context.rows, totals, lighter, sums.as_ref())?;
        let rows = [front, context.rows - front];
        let groups = self.rules.interactions.groups_with(&groups, best.feature);
        let unit = self.per_answer();
        self.bounds.extend(bounds.iter().map(|b| Bounds { low: b.low / unit, high: b.high / unit }));
        let mut nodes = [0, 1].map(|i| Node {
            number: first + i,
            depth,
            context: NodeContext { total: totals[i], rows: rows[i], bounds: bounds[i] },
            groups: groups.clone(),
            sums: None,
            stored: None,
            best: None,
            likely: likely.clone(),
        });
        let open = [0, 1].map(|i| self.open(depth, rows[i]));
        if let Some(stored) = &stored {
            let children = self.divide_stored(stored, [first, first + 1], rows);
            for ((node, stored), open) in nodes.iter_mut().zip(children).zip(open) {
                node.stored = Some(stored);
                if open {
                    self.search_stored(node)?;
                }
            }
        } else if let Some(rest) = sums.filter(|_| open[0] || open[1]) {
            self.search_children(&mut nodes, open, rest, lighter)?;
        }
        Ok(nodes.into())
    }
}
