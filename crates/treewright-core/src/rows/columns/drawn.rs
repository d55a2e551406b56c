//! Searching columns that are drawn, until enough were looked at and one of them tells the rows apart.
//!
//! Columns compete in the order in which they are drawn: a tie goes to the first of them, so that no column is preferred
//! for where it stands in the table.

use super::contest::{Record, Top, winner};
use super::kernels::partition::SLOP;
use super::large::LargeSearch;
use super::node::{Kind, Live};
use super::random::{Ends, RandomCut, TileColumn};
use super::scratch::SearchScratch;
use super::settings::Settings;
use super::small::SmallSearch;
use super::tally::{ColumnTally, NodeContext};
use super::team::{Team, View, column_of_small};
use super::{known, levels, random};
use crate::Result;
use crate::split::sampling::FeatureSampling;
use std::sync::Arc;

/// Nodes of more rows note which columns are constant.
const NOTED: usize = 256;

/// The search of one node.
#[derive(Debug)]
pub struct DrawnSearch<'a, 'b, T: ColumnTally> {
    /// What the holder is told.
    pub settings: &'a Settings<'a, T>,
    /// How columns are drawn.
    pub draw: &'a FeatureSampling,
    /// The node's rows.
    pub context: &'a NodeContext<'a, T>,
    /// Its part of the block.
    pub view: &'a View<'a, 'b>,
    /// Where the node is in a tile, which rows of it; else 0.
    pub members: u64,
    /// How many threads search.
    pub threads: usize,
}

impl<T: ColumnTally> DrawnSearch<'_, '_, T> {
    /// The best cut, and its column. What is learnt of large nodes is noted in `live`, which has all columns.
    pub fn search(
        &self,
        key: u64,
        live: &mut Arc<[Live]>,
        scratch: &mut SearchScratch<T>,
    ) -> Result<Option<(usize, Top)>> {
        if self.draw.cuts {
            return self.draw_cuts(key, live, scratch);
        }
        if self.settings.tally.fits_lanes(self.context.isa, self.context.total, self.context.len) {
            return self.small(key, live, scratch);
        }
        let SearchScratch { searches, of_threads, sampler, drawn, .. } = scratch;
        let cancel = self.settings.cancel;
        let team = Team { scratches: of_threads, threads: self.threads, cancel };
        let (mut words, mut wanted) = (self.draw.feature_words(key), self.draw.columns);
        let mut best = None;
        while best.is_none() && wanted > 0 {
            drawn.clear();
            let mut exhausted = false;
            while wanted > 0 && !exhausted {
                match sampler.next(&mut words) {
                    Some(column) => drawn.push(live[column as usize]),
                    None => exhausted = true,
                }
                wanted -= 1;
            }
            drawn.retain(|live| !live.is_constant());
            best = team.search_large(self.context, self.view, drawn, None, searches)?;
            note(live, drawn, searches);
            best = best.map(|(place, top)| (drawn[place].column as usize, top));
            wanted = usize::from(!exhausted);
        }
        sampler.reset();
        Ok(best)
    }

    /// The best of random cuts, one a column. Columns that turn out constant are noted in `live`.
    fn draw_cuts(
        &self,
        key: u64,
        live: &mut Arc<[Live]>,
        scratch: &mut SearchScratch<T>,
    ) -> Result<Option<(usize, Top)>> {
        let SearchScratch { sampler, tops, levels, places, numbers, part, known, drawn, ends, .. } = scratch;
        let (record, mut room) = (Record::default(), [0; SLOP]);
        let Settings { source, cancel, .. } = *self.settings;
        tops.clear();
        let (mut words, mut wanted, view) = (self.draw.feature_words(key), self.draw.columns, self.view);
        while wanted > 0 || tops.is_empty() {
            drawn.clear();
            drawn
                .extend((0..wanted.max(1)).map_while(|_| sampler.next(&mut words)).map(|column| live[column as usize]));
            if drawn.is_empty() {
                break;
            }
            wanted = 0;
            drawn.retain(|live| !live.is_constant());
            self.find_ends(drawn, ends);
            for (&Live { column: number, .. }, ends) in drawn.iter().zip(&*ends) {
                cancel.check()?;
                let (at, mut words) = (number as usize, self.draw.cut_words(key, number));
                let cut = match source.kinds[at] {
                    Kind::Levels(count) => {
                        let codes = (number, view.codes(number, &mut room), count);
                        let top = levels::search(self.context, codes, &record, levels, (Some(words), cancel))?;
                        top.map_or(RandomCut::Refused, RandomCut::Cut)
                    }
                    kind if self.reads_numbers(kind) => {
                        let numbers = numbers.column(source, view.block.rows, view.start, number)?;
                        let column = TileColumn { numbers, members: self.members, trend: view.trend(number) };
                        random::draw_cut_in_tile(self.context, column, &record, &mut words, part)
                    }
                    _ => {
                        let column = view.with_codes(number, view.codes(number, &mut room));
                        random::draw_cut(self.context, (&column, ends), &record, &mut words, (places, known, part))?
                    }
                };
                match cut {
                    RandomCut::Cut(top) => tops.push((at, top)),
                    // Few rows are divided sooner than a new list is made.
                    RandomCut::Constant if self.context.len > NOTED => Arc::make_mut(live)[at] = Live::constant(number),
                    RandomCut::Constant | RandomCut::Refused => {}
                }
            }
        }
        sampler.reset();
        Ok(winner(&record, tops.iter().map(|(place, top)| (*place, top))))
    }

    /// Whether the numbers of a column are at hand. Rows that stand aside are told by their codes.
    fn reads_numbers(&self, kind: Kind) -> bool {
        self.members != 0 && (kind != Kind::Gaps || self.context.unknowns == known::Absent::Side)
    }

    /// Finds the ends of columns of which codes are looked at.
    fn find_ends(&self, drawn: &[Live], ends: &mut Vec<Ends>) {
        let (kinds, view, mut room) = (&self.settings.source.kinds, self.view, [0; SLOP]);
        ends.resize_with(drawn.len().max(ends.len()), Ends::default);
        for (live, ends) in drawn.iter().zip(ends) {
            let kind = kinds[live.column as usize];
            if !matches!(kind, Kind::Levels(_)) && !self.reads_numbers(kind) {
                ends.find(self.context.isa, &view.with_codes(live.column, view.codes(live.column, &mut room)));
            }
        }
    }

    fn small(&self, key: u64, live: &[Live], scratch: &mut SearchScratch<T>) -> Result<Option<(usize, Top)>> {
        let SearchScratch { sampler, tops, levels, small, known, .. } = scratch;
        let record = Record::default();
        let mut search = SmallSearch::new(self.context, &record, small);
        tops.clear();
        let mut room = [0; SLOP];
        let (mut words, mut wanted, view) = (self.draw.feature_words(key), self.draw.columns, self.view);
        while (wanted > 0 || tops.is_empty()) && !search.is_over() {
            let Some(column) = sampler.next(&mut words) else { break };
            wanted = wanted.saturating_sub(1);
            if live[column as usize].is_constant() {
                continue;
            }
            let top = column_of_small(&mut search, view, column, &mut room, (levels, known, self.settings.cancel))?;
            tops.extend(top.map(|top| (column as usize, top)));
        }
        sampler.reset();
        Ok(winner(&record, tops.iter().map(|(place, top)| (*place, top))))
    }
}

/// Notes the ranges of codes that searches have seen.
fn note(live: &mut Arc<[Live]>, drawn: &[Live], searches: &[LargeSearch]) {
    for (old, search) in drawn.iter().zip(searches) {
        let seen = match search.codes {
            _ if search.constant => Live::constant(old.column),
            (low, high) => Live { low, high, ..*old },
        };
        if seen != *old {
            Arc::make_mut(live)[old.column as usize] = seen;
        }
    }
}
