//! Rows as columns of codes: the fast way, for Gini, entropy and squared error. Where
//! [`super::list`] applies too, it grows the same tree.
//!
//! Every number became an ordered code of 16 bits once ([`crate::codes::spread`]). The rows of a node stand together in every
//! column; dividing a node moves its rows in place and keeps their order. Nothing is ever sorted as a whole: searches count
//! codes into bins, bound what any cut inside a bin could save, and look closely only where that matters ([`large`]); small
//! nodes are compared row by row in registers ([`small`]). Rows whose number is missing stand on either side of every cut
//! in turn; categories are added up level by level ([`levels`]). The numbers themselves are read only to tell rows apart that
//! share a code, and for thresholds.
//!
//! | file | is |
//! | --- | --- |
//! | [`store`] | the codes in memory, and how holders share them out |
//! | [`settings`] | what holds for a whole tree |
//! | [`node`], [`tile`] | the rows of a node; of one with few rows |
//! | [`deferred`] | thresholds that are told when the tree is grown |
//! | [`tally`], [`counts`], [`weighed`], [`sums`], [`weighted_sums`] | what is added up: classes, their weights, or a numeric target |
//! | [`bins`], [`large`], `refine`, [`small`], [`gaps`], [`light`], [`pairs`], [`two_codes`], [`search`] | searches of one column of numbers |
//! | [`segments`], [`shape`], [`class_histogram`] | the rows of a node by class, as formulas see them, and how many of them are in each bin |
//! | [`inherited`] | histograms that children take over from their parents |
//! | [`levels`] | the search of one column of categories |
//! | [`team`], [`drawn`] | searches of all columns, or of some that are drawn |
//! | [`random`] | cuts that are drawn, not searched |
//! | [`tile_rows`], [`class_tile`], [`pair_tile`], [`drawn_tile`] | trees below a node of few rows: of any tally, of classes, of two classes with searched cuts, of classes with drawn cuts |
//! | `moves`, `scratch` | the division of rows that stand together; buffers |
//! | [`contest`] | which cut wins, whatever the order of the searches |
//! | [`kernels`] | inner loops |
//! | [`plan`], [`bag`] | from a table to a tree, or to many |

pub mod bag;
pub mod bins;
pub mod branch;
pub mod class_histogram;
pub mod class_tile;
pub mod contest;
pub mod counts;
pub mod deferred;
pub mod drawn;
pub mod drawn_tile;
pub mod gaps;
pub mod inherited;
pub mod kernels;
pub mod known;
pub mod large;
pub mod levels;
pub mod light;
mod moves;
pub mod node;
pub mod pair_tile;
pub mod pairs;
pub mod plan;
pub mod prepared_counts;
pub mod random;
mod refine;
mod scratch;
pub mod search;
pub mod segments;
pub mod settings;
pub mod shape;
pub mod short_targets;
pub mod small;
pub mod store;
pub mod sums;
pub mod tally;
pub mod team;
#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests;
pub mod tile;
pub mod tile_rows;
pub mod two_codes;
pub mod weighed;
pub mod weighted_sums;

use self::class_tile::{ClassNode, ClassTile, TileSettings};
use self::contest::Top;
use self::kernels::partition::{SLOP, places_of};
use self::moves::Unmoved;
use self::node::{Cut, Kind, Live, Node, Ties};

use self::random::TileColumn;
use self::scratch::{Scratch, SearchScratch};
use self::segments::Segment;
use self::settings::Settings;
use self::store::Block;
use self::tally::ColumnTally;
use self::team::{Team, search_small};
use self::tile_rows::TileRows;
use super::{Divisible, GrowBelow, Rows};
use crate::model::tree::{Leaf, Question, SplitRule, Tree};
use crate::split::choose::Candidate;
use crate::split::monotone::Bounds;
use crate::split::sampling::{ROOT, child_key};
use crate::stats::criterion::Criterion;
use crate::{Error, Result};
use std::sync::Arc;

/// The rows of a node and of everything below it.
#[derive(Debug)]
pub struct Columns<'a, 'b, T: ColumnTally> {
    settings: &'a Settings<'a, T>,
    block: Block<'b>,
    root: Node<T::Total>,
    threads: usize,
    expected_nodes: usize,
    scratch: Scratch<T>,
}

/// Nodes of fewer rows are searched by one thread.
const MIN_ROWS_FOR_THREADS: usize = 1 << 13;

impl<'a, 'b, T: ColumnTally> Columns<'a, 'b, T> {
    /// All rows of a block, which add up to `total`.
    pub fn new(settings: &'a Settings<'a, T>, block: Block<'b>, total: T::Total, threads: usize) -> Columns<'a, 'b, T> {
        let live = (0..block.codes.len() as u32).map(|column| Live { column, low: 0, high: u16::MAX }).collect();
        let (weight, cost) = (settings.tally.weight(&total), settings.tally.cost(&total));
        let (len, key) = (block.rows.len(), ROOT);
        let root = Node {
            start: 0,
            len,
            members: 0,
            weight,
            cost,
            total,
            live,
            bounds: Bounds::default(),
            key,
            parent: None,
            split: None,
        };
        let scratch = Scratch::new(block.codes.len());
        Columns { settings, block, root, threads, expected_nodes: 0, scratch }
    }

    /// What a holder of few rows of classes is told, where the node is one of these; and the node's rows by class.
    fn tile_settings<'n>(&self, node: &'n Node<T::Total>) -> Option<(TileSettings<'n>, &'n [Segment])>
    where
        'a: 'n,
    {
        let Settings { tally, source, draw, min_leaf, isa, monotone, .. } = self.settings;
        let plain = monotone.is_empty() && min_leaf.weight <= 0.0;
        if !plain || source.kinds.iter().any(|kind| *kind != Kind::Numbers) {
            return None;
        }
        let (counts, total) = tally.as_counts(&node.total)?;
        if !self.settings.draws_cuts() && !counts.has_pairs(self.settings.isa, total) {
            return None;
        }
        let min_leaf = u32::try_from(min_leaf.rows).ok().filter(|rows| *rows <= tile::MOST as u32)?;
        Some((TileSettings { counts, source, draw: draw.as_ref(), min_leaf, isa: *isa }, total))
    }

    /// The best cut of a node, and its column's place among the live ones.
    fn search(&mut self, node: &mut Node<T::Total>) -> Result<Option<(usize, Top)>> {
        let (block, isa) = (&self.block, self.settings.isa);
        self.scratch.tile.take(isa, block, node);
        let targets = self.scratch.tile.targets(block, node);
        self.settings.tally.prepare(self.settings.isa, &node.total, targets, &mut self.scratch.prepared)?;
        self.scratch.search.levels.begin();
        let context = self.settings.context((&node.total, node.cost, node.len), &self.scratch.prepared, targets);
        // The weights of both sides may be rounded.
        if node.len < 2 * context.min_leaf || node.weight < 2.0 * context.min_weight * (1.0 - 1e-9) {
            return Ok(None);
        }
        let view = self.scratch.tile.view(self.settings.source, block, node, (isa, self.settings.monotone));
        if node.members == 0 && node.len <= tile::MOST {
            // What is known of a tile that began here is not true of these rows.
            self.scratch.search.numbers.begin(node.start, node.len);
            self.scratch.search.small.begin_tile(node.start, node.len);
        }
        if let Some(draw) = &self.settings.draw {
            let threads = if node.len < MIN_ROWS_FOR_THREADS { 1 } else { self.threads };
            let job = drawn::DrawnSearch {
                settings: self.settings,
                draw,
                context: &context,
                view: &view,
                members: node.members,
                threads,
            };
            return job.search(node.key, &mut node.live, &mut self.scratch.search);
        }
        if self.settings.tally.fits_lanes(isa, &node.total, node.len) {
            let scratch = &mut self.scratch.search;
            let best = search_small(&context, &view, &node.live, scratch, self.settings.cancel)?;
            return Ok(best.map(|(place, top)| (node.leave_out(&scratch.constant, place), top)));
        }
        let threads = if node.len < MIN_ROWS_FOR_THREADS { 1 } else { self.threads };
        let SearchScratch { searches, of_threads, .. } = &mut self.scratch.search;
        let team = Team { scratches: of_threads, threads, cancel: self.settings.cancel };
        let inherited = self.scratch.histograms.remove(&node.start);
        let best = team.search_large(&context, &view, &node.live, Some(inherited.unwrap_or_default()), searches)?;
        let Some((place, top)) = best else { return Ok(None) };
        if searches.iter().any(|search| search.inherited.is_some()) {
            let known = searches.iter_mut().filter(|search| !search.constant);
            self.scratch.histograms.insert(node.start, known.map(|search| search.inherited.take()).collect());
        }
        Ok(Some((node.note_ranges(searches, place), top)))
    }

    /// Notes in the mask which rows of a node go left, and tells the question of the cut. The node must have been taken.
    fn settle(&mut self, node: &Node<T::Total>, live: Live, cut: Cut) -> Result<Option<SplitRule>> {
        let Scratch { tile, mask, prepared, deferred, search, .. } = &mut self.scratch;
        let SearchScratch { places, levels, numbers, .. } = search;
        let (isa, mut room, settings) = (self.settings.isa, [0; SLOP], self.settings);
        if let (Ties::AtMost(drawn), true) = (cut.ties, node.members != 0) {
            let numbers = numbers.column(settings.source, self.block.rows, node.start, live.column)?;
            let column = TileColumn { numbers, members: node.members, trend: None };
            let absent = if cut.absent == Some(true) { column.absent(isa) } else { 0 };
            let left = places_of(isa, column.at_most(isa, drawn) | absent, node.members);
            mask.clear();
            mask.extend([left as u32, (left >> 32) as u32]);
            mask.truncate(node.len.div_ceil(32));
            return Ok(Some(cut.way(drawn)));
        }
        let view = tile.view(settings.source, &self.block, node, (isa, settings.monotone));
        let column = view.with_codes(live.column, view.codes(live.column, &mut room));
        if let Kind::Levels(count) = column.kind {
            let context =
                settings.context((&node.total, node.cost, node.len), prepared, tile.targets(&self.block, node));
            let codes = (live.column, column.codes, count);
            let random = settings.draw.filter(|draw| draw.cuts).map(|draw| draw.cut_words(node.key, live.column));
            let way = levels::question(&context, codes, levels, (random, settings.cancel))?;
            if let Some(way) = &way {
                levels::route(column.codes, way, mask);
            }
            return Ok(way);
        }
        cut.route(isa, &column, mask, places);
        let threshold = cut.threshold(isa, (live.column, &column), places, deferred);
        Ok(Some(cut.way(threshold)))
    }
}

impl<T: ColumnTally> Rows for Columns<'_, '_, T> {
    type Node = Node<T::Total>;

    fn outputs(&self) -> usize {
        self.settings.tally.criterion().outputs()
    }

    fn expected_nodes(&self) -> usize {
        self.expected_nodes
    }

    fn root(&mut self) -> Result<Self::Node> {
        if self.root.len == 0 {
            return Err(Error::data("data.empty", "no row has a weight above zero"));
        }
        Ok(self.root.clone())
    }

    fn leaf<'v>(&self, node: &Self::Node, value: &'v mut [f64]) -> Leaf<'v> {
        self.settings.tally.say(&node.total, value);
        node.bounds.clip(value);
        Leaf { value, weight: node.weight, count: node.len as u64, cost: node.cost }
    }

    fn grow_below<G: GrowBelow>(&mut self, node: &Self::Node, below: G) -> Result<bool> {
        if node.len > tile::MOST {
            return Ok(false);
        }
        if let Some((settings, total)) = self.tile_settings(node) {
            let draws_cuts = self.settings.draws_cuts();
            if draws_cuts {
                self.arrange_rows(node)?
            } else {
                self.arrange(node)?
            }
            let Scratch { search: SearchScratch { sampler, numbers, .. }, class_tile: scratch, deferred, .. } =
                &mut self.scratch;
            let (block, start, root) = (&self.block, node.start, ClassNode::default());
            if draws_cuts {
                numbers.ask(settings.source, block.rows, start + node.len);
                numbers.begin(start, node.len);
            }
            let mut tile = ClassTile { settings, block, start, sampler, numbers, deferred, scratch, root };
            tile.begin(node, total);
            if !draws_cuts {
                tile.pack_weights(total);
            }
            below.grow(&mut tile)?;
            return Ok(true);
        }
        let Settings { tally, isa, .. } = *self.settings;
        if !self.settings.draws_cuts() && !tally.fits_lanes(isa, &node.total, node.len) {
            return Ok(false);
        }
        self.arrange(node)?;
        let mut tile = TileRows::new(self, node);
        let grown = below.grow(&mut tile);
        tile.end();
        grown.map(|()| true)
    }

    fn candidates(&mut self, node: &mut Self::Node, out: &mut Vec<Candidate>) -> Result<()> {
        self.arrange(node)?;
        let mut split = self.scratch.splits.pop().unwrap_or_default();
        match self.find_split(node, &mut split)? {
            Some(best) => {
                node.split = Some(split);
                out.push(best);
            }
            None => self.scratch.splits.push(split),
        }
        Ok(())
    }

    fn divide(&mut self, mut node: Self::Node, chosen: &Candidate) -> Result<Vec<Self::Node>> {
        let Some(mut split) = node.split.take() else { return Ok(Vec::new()) };
        let (mut lower, mut upper) = (node.live.clone(), node.live.clone());
        if matches!(chosen.way.question, Question::Threshold(_)) {
            Arc::make_mut(&mut lower)[split.place].high = split.cut.code;
            let first = split.cut.code.saturating_add(u16::from(split.cut.ties == Ties::Left));
            Arc::make_mut(&mut upper)[split.place].low = first;
        }
        let bounds = self.settings.bounds(node.bounds, chosen, &split.sides);
        let apart = split.apart.as_ref().map_or(0, |apart| apart.len);
        let inherits = apart == 0 && self.scratch.histograms.contains_key(&node.start);
        let totals = inherits.then(|| [0, 1].map(|side| split.sides[side].total.clone()));
        let mut children = Vec::with_capacity(2 + usize::from(apart > 0));
        let (mut start, parent) = (node.start, Some(node.start));
        let mut child = |side: &mut node::Side<T::Total>, live, bounds| {
            let node::Side { total, weight, cost, len, .. } = std::mem::take(side);
            let key = child_key(node.key, children.len());
            children.push(Node { start, len, members: 0, weight, cost, total, live, bounds, key, parent, split: None });
            start += len;
        };
        let left = split.sides[0].len;
        let [low, high] = &mut split.sides;
        child(low, lower, bounds[0]);
        child(high, upper, bounds[1]);
        if let Some(apart) = &mut split.apart {
            child(apart, node.live.clone(), node.bounds);
        }
        let (place, cut, way) = (split.place, split.cut, chosen.way.clone());
        self.scratch.unmoved.insert(node.start, Unmoved { node, place, cut, way, left, apart, totals });
        self.scratch.splits.push(split);
        Ok(children)
    }

    fn finish(&mut self, tree: &mut Tree) {
        self.scratch.deferred.keep(self.settings.source, tree);
    }
}

impl<'a, T: ColumnTally> Divisible for Columns<'a, '_, T> {
    type Part<'p>
        = Columns<'a, 'p, T>
    where
        Self: 'p;

    fn small(&self, threads: usize) -> u32 {
        (self.root.len / (8 * threads)).max(MIN_ROWS_FOR_THREADS) as u32
    }

    fn parts(&mut self, nodes: Vec<Self::Node>) -> Result<Vec<Self::Part<'_>>> {
        nodes.iter().try_for_each(|node| self.arrange(node))?;
        let mut order: Vec<usize> = (0..nodes.len()).collect();
        order.sort_by_key(|&i| nodes[i].start);
        let mut histograms: Vec<_> = nodes.iter().map(|node| self.scratch.histograms.remove(&node.start)).collect();
        let spans: Vec<_> = order.iter().map(|&i| nodes[i].start..nodes[i].start + nodes[i].len).collect();
        let settings = self.settings;
        let mut parts: Vec<Option<Columns<'a, '_, T>>> = (0..nodes.len()).map(|_| None).collect();
        for (block, &i) in self.block.parts(&spans).into_iter().zip(&order) {
            let root = Node { start: 0, parent: None, ..nodes[i].clone() };
            let mut scratch = Scratch::new(block.codes.len());
            scratch.histograms.extend(histograms[i].take().map(|known| (0, known)));
            parts[i] = Some(Columns { settings, block, root, threads: 1, expected_nodes: 0, scratch });
        }
        Ok(parts.into_iter().flatten().collect())
    }
}
