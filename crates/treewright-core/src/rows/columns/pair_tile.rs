//! The best cuts of two classes under Gini's index below a node of few rows: the search of [`super::pairs`], column by
//! column.

use super::class_tile::{ClassNode, ClassTile, TileCut, TileScratch, count, shape};
use super::contest::{Record, Top, winner};
use super::kernels::pairs::PairQuery;
use super::kernels::partition::{Movable, SLOP, members_at};
use super::node::{Kind, Live};
use super::pairs::PairSearch;
use super::search::Column;
use super::segments::{Segment, places};
use super::store::Source;
use super::two_codes::only_cut;
use crate::Result;
use crate::simd::multiversion;

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
        let whole = column_of(source, column, (&room[..len], &rows[..len]));
        top.cut.route(isa, &whole, mask, places);
        let bits = mask.iter().rev().fold(0, |bits, &word| bits << 32 | u64::from(word));
        let left = members_at(isa, bits, node.members);
        if left == 0 || left == node.members {
            // Only if another thread has changed the numbers meanwhile.
            return Ok(None);
        }
        let threshold = top.cut.threshold(isa, (column, &whole), places, self.deferred);
        lefts.resize(classes.len(), 0);
        count(isa, groups, left, lefts);
        Ok(Some((0, TileCut { column, threshold, left, saved: top.saved })))
    }

    /// The column of the best cut, and that cut. Columns that are constant leave the list of the node.
    fn search_columns(&mut self, node: &mut ClassNode) -> Option<(u32, Top)> {
        let (isa, source, cost) = (self.settings.isa, self.settings.source, self.own_cost(node));
        let min_leaf = self.settings.min_leaf as usize;
        let TileScratch {
            groups, classes, labels, factors, tile_weights, weights, pairs, bits, tops, live, rows, ..
        } = &mut *self.scratch;
        let (members, len) = (node.members, node.members.count_ones() as usize);
        weights.0.fill(0);
        let (first_weights, _) = weights.0.as_chunks_mut::<SLOP>();
        u16::gather(isa, &tile_weights[..], members, &mut first_weights[0]);
        let squares = squares(isa, &first_weights[0]);
        u32::gather(isa, &self.block.rows[self.start..], members, rows);
        let (all, second) = (classes[0] + classes[1], classes[1]);
        let query = PairQuery {
            weights,
            rows: len,
            times: [all, second],
            min_leaf,
            scale: (2.0 / (f64::from(all) * cost)) as f32,
            untied: (all * all + squares) / 2,
        };
        let shape = shape(&self.settings, (classes, labels, factors), cost);
        let (record, mut room) = (Record::default(), [0; SLOP]);
        let mut search = PairSearch::new(query, shape, pairs);
        tops.clear();
        let mut look = |live: &Live| {
            let (column, codes) = (live.column, &self.block.codes[live.column as usize][self.start..]);
            if source.has_two_codes(live) {
                let lower = if live.low == live.high { 0 } else { bits.lower(isa, codes, live) & members };
                if lower == 0 || lower == members {
                    return (None, true);
                }
                let (mut left, below) = ([0; 2], lower.count_ones() as usize);
                count(isa, groups, lower, &mut left);
                return (only_cut(&shape, &left, ([below, len - below], min_leaf), live.low, &record), false);
            }
            u16::gather(isa, codes, members, &mut room);
            let is_exact = source.meanings[column as usize].is_some();
            let here = || column_of(source, column, (&room[..len], &rows[..len]));
            let top = search.column(&record, &room, is_exact, here);
            (top, is_exact && search.was_constant())
        };
        let is_over = || record.saved().is_some_and(|saved| saved >= 1.0);
        if let Some(draw) = self.settings.draw {
            let (mut words, mut wanted) = (draw.feature_words(node.key), draw.columns);
            while (wanted > 0 || tops.is_empty()) && !is_over() {
                let Some(column) = self.sampler.next(&mut words) else { break };
                wanted = wanted.saturating_sub(1);
                if !live[column as usize].is_constant() {
                    tops.extend(look(&live[column as usize]).0.map(|top| (column as usize, top)));
                }
            }
            self.sampler.reset();
            return winner(&record, tops.iter().map(|(column, top)| (*column, top)))
                .map(|(column, top)| (column as u32, top));
        }
        let first = live.len();
        for place in node.live.clone() {
            let (top, constant) = look(&live[place]);
            if !constant {
                live.push(live[place]);
            }
            tops.extend(top.map(|top| (live[place].column as usize, top)));
            if is_over() {
                live.extend_from_within(place + 1..node.live.end);
                break;
            }
        }
        let columns = node.live.len();
        // A list that is not much shorter is not worth its place.
        if (columns - (live.len() - first)) * 4 < columns {
            live.truncate(first)
        } else {
            node.live = first..live.len()
        }
        winner(&record, tops.iter().map(|(column, top)| (*column, top))).map(|(column, top)| (column as u32, top))
    }
}
