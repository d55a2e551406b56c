//! The best cuts of two classes under Gini's index below a node of few rows: the search of [`super::pairs`], column by
//! column.

use super::class_tile::{ClassNode, ClassTile, TileCut, TileGroup, TileScratch, TileSettings, count, shape};
use super::contest::{Record, Top, winner};
use super::kernels::pairs::PairQuery;
use super::kernels::partition::{Movable, SLOP, members_at};
use super::node::{Kind, Live};
use super::pairs::PairSearch;
use super::search::Column;
use super::segments::{Segment, places};
use super::shape::Shape;
use super::store::Source;
use super::two_codes::{TileBits, only_cut};
use crate::Result;
use crate::simd::multiversion;
use crate::split::sampling::{FeatureSampler, FeatureSampling};
use std::ops::Range;

multiversion! {
    /// What the rows multiply to, each with itself.
    fn squares(weights: &[u16; SLOP]) -> u32 {
        weights.iter().map(|&weight| u32::from(weight & 255) * u32::from(weight & 255)).sum()
    }
}

/// A numeric column without gaps, with the codes and rows of one node.
fn column_of<'c>(source: &'c Source<'_>, column: u32, (codes, rows): (&'c [u16], &'c [u32])) -> Column<'c> {
    let place = column as usize;
    Column {
        codes,
        rows,
        numbers: &source.columns[place],
        meaning: source.meanings[place].as_deref(),
        coder: source.coders[place].as_deref(),
        kind: Kind::Numbers,
        trend: None,
    }
}

impl ClassTile<'_> {
    /// Packs what each row of the tile counts.
    pub fn pack_weights(&mut self, total: &[Segment]) {
        for (place, segment, rows) in places(total) {
            let times = segment.times as u16;
            self.scratch.tile_weights[rows].fill(if place == 0 { times } else { times << 8 | times });
        }
    }

    /// The best cut of a node whose classes were counted, and its place among those that were kept.
    pub(super) fn search_pairs(&mut self, node: &mut ClassNode) -> Result<Option<(usize, TileCut)>> {
        let Some((column, top)) = self.search_columns(node) else { return Ok(None) };
        let (isa, source, mut room) = (self.settings.isa, self.settings.source, [0; SLOP]);
        let codes = &self.block.codes[column as usize][self.start..];
        u16::gather(isa, codes, node.members, &mut room);
        let len = node.members.count_ones() as usize;
        let TileScratch { groups, classes, lefts, mask, places, rows, .. } = &mut *self.scratch;
        let node_column = column_of(source, column, (&room[..len], &rows[..len]));
        top.cut.route(isa, &node_column, mask, places);
        let bits = mask.iter().rev().fold(0, |bits, &word| bits << 32 | u64::from(word));
        let left = members_at(isa, bits, node.members);
        if left == 0 || left == node.members {
            // Only if another thread has changed the numbers meanwhile.
            return Ok(None);
        }
        let threshold = top.cut.threshold(isa, (column, &node_column), places, self.deferred);
        lefts.resize(classes.len(), 0);
        count(isa, groups, left, lefts);
        Ok(Some((0, TileCut { column, threshold, left, saved: top.saved })))
    }

    /// The column of the best cut, and that cut. Columns that are constant leave the list of the node.
    fn search_columns(&mut self, node: &mut ClassNode) -> Option<(u32, Top)> {
        let (isa, cost, len) = (self.settings.isa, self.own_cost(node), node.members.count_ones() as usize);
        let ClassTile { settings, block, start, sampler, .. } = self;
        let TileScratch {
            groups, classes, labels, factors, tile_weights, weights, pairs, bits, tops, live, rows, ..
        } = &mut *self.scratch;
        let (node_weights, _) = weights.0.as_chunks_mut::<SLOP>();
        u16::gather(isa, &tile_weights[..], node.members, &mut node_weights[0]);
        node_weights[0][len..].fill(0);
        u32::gather(isa, &block.rows[*start..], node.members, rows);
        let (all, second) = (classes[0] + classes[1], classes[1]);
        let query = PairQuery {
            rows: len,
            times: [all, second],
            min_leaf: settings.min_leaf as usize,
            scale: (2.0 / (f64::from(all) * cost)) as f32,
            untied: (all * all + squares(isa, &node_weights[0])) / 2,
            weights,
        };
        let shape = shape(settings, (classes, labels, factors), cost);
        let search = PairSearch::new(query, shape, pairs);
        let record = Record::default();
        let mut node_search = NodeSearch {
            settings,
            columns: &block.codes,
            start: *start,
            members: node.members,
            rows: &rows[..len],
            groups,
            shape,
            record: &record,
            search,
            bits,
        };
        tops.clear();
        match settings.draw {
            Some(draw) => node_search.search_drawn(draw, node.key, (live, sampler), tops),
            None => node.live = node_search.search_all(node.live.clone(), live, tops),
        }
        let best = winner(&record, tops.iter().map(|(column, top)| (*column, top)));
        best.map(|(column, top)| (column as u32, top))
    }
}

/// The search of the columns of one node.
struct NodeSearch<'s> {
    settings: &'s TileSettings<'s>,
    columns: &'s [&'s mut [u16]],
    /// Where the tile begins in each column.
    start: usize,
    members: u64,
    /// The rows of the table.
    rows: &'s [u32],
    groups: &'s [TileGroup],
    shape: Shape<'s>,
    record: &'s Record,
    search: PairSearch<'s>,
    bits: &'s mut TileBits,
}

impl NodeSearch<'_> {
    /// Columns in random order, until enough were looked at and one of them tells the rows apart.
    fn search_drawn(
        &mut self,
        draw: &FeatureSampling,
        key: u64,
        (live, sampler): (&[Live], &mut FeatureSampler),
        tops: &mut Vec<(usize, Top)>,
    ) {
        let (mut words, mut wanted) = (draw.feature_words(key), draw.columns);
        while (wanted > 0 || tops.is_empty()) && !self.is_over() {
            let Some(column) = sampler.next(&mut words) else { break };
            wanted = wanted.saturating_sub(1);
            let live = &live[column as usize];
            if !live.is_constant() {
                tops.extend(self.look(live).0.map(|top| (column as usize, top)));
            }
        }
        sampler.reset();
    }

    /// All columns of a list; tells where the list of those stands that are not constant.
    fn search_all(&mut self, list: Range<usize>, live: &mut Vec<Live>, tops: &mut Vec<(usize, Top)>) -> Range<usize> {
        let first = live.len();
        for place in list.clone() {
            let (top, is_constant) = self.look(&live[place]);
            if !is_constant {
                live.push(live[place]);
            }
            tops.extend(top.map(|top| (live[place].column as usize, top)));
            if self.is_over() {
                live.extend_from_within(place + 1..list.end);
                break;
            }
        }
        if (list.len() - (live.len() - first)) * 4 < list.len() {
            // A list that is not much shorter is not worth its place.
            live.truncate(first);
            return list;
        }
        first..live.len()
    }

    /// Whether no later column can save more.
    fn is_over(&self) -> bool {
        self.record.saved().is_some_and(|saved| saved >= 1.0)
    }

    /// The best cut of a column, where it matters, and whether the column is known to be constant.
    #[inline(always)]
    fn look(&mut self, live: &Live) -> (Option<Top>, bool) {
        let TileSettings { source, isa, min_leaf, .. } = *self.settings;
        let (column, len, min_leaf) = (live.column as usize, self.rows.len(), min_leaf as usize);
        let codes = &self.columns[column][self.start..];
        if source.has_two_codes(live) {
            let lower = if live.low == live.high { 0 } else { self.bits.lower(isa, codes, live) & self.members };
            if lower == 0 || lower == self.members {
                return (None, true);
            }
            let (mut left, below) = ([0; 2], lower.count_ones() as usize);
            count(isa, self.groups, lower, &mut left);
            return (only_cut(&self.shape, &left, ([below, len - below], min_leaf), live.low, self.record), false);
        }
        let mut room = [0; SLOP];
        u16::gather(isa, codes, self.members, &mut room);
        let is_exact = source.meanings[column].is_some();
        let here = || column_of(source, live.column, (&room[..len], self.rows));
        let top = self.search.column(self.record, &room, is_exact, here);
        (top, is_exact && self.search.was_constant())
    }
}
