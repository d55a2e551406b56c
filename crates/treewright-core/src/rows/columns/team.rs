//! Searching all columns of one node, on one thread or on several.

use super::contest::{Record, Top, winner};
use super::inherited::NodeHistograms;
use super::kernels::Isa;
use super::kernels::partition::{Movable, SLOP};
use super::known::KnownScratch;
use super::known::{self, Absent};
use super::large::{LargeScratch, LargeSearch};
use super::levels;
use super::levels::LevelScratch;
use super::node::{Kind, Live};
use super::scratch::SearchScratch;
use super::search::{Column, Job, sweep};
use super::small::SmallSearch;
use super::store::{Block, Source};
use super::tally::{ColumnTally, NodeContext};
use crate::Result;
use crate::split::monotone::{Bounds, Trend};
use crate::sys::pool;
use crate::sys::pool::Cancel;
use std::sync::{Mutex, PoisonError};

/// A node's part of a block.
#[derive(Clone, Copy, Debug)]
pub struct View<'a, 'b> {
    /// The numbers of the table.
    pub source: &'a Source<'a>,
    /// The block.
    pub block: &'a Block<'b>,
    /// The first row.
    pub start: usize,
    /// Behind the last row.
    pub end: usize,
    /// Where the node is some rows of a tile: which, and their numbers in the table.
    pub tile: Option<(u64, &'a [u32])>,
    /// The instructions to use.
    pub isa: Isa,
    /// What the answers must do along each column, and not leave.
    pub monotone: (&'a [i8], Bounds),
}

impl<'a> View<'a, '_> {
    /// Whether the answers must follow a column.
    fn is_constrained(&self, column: u32) -> bool {
        self.monotone.0.get(column as usize).is_some_and(|&sign| sign != 0)
    }

    /// What the answers must do along a column, where it is constrained.
    pub fn trend(&self, column: u32) -> Option<Trend> {
        Trend::of(self.monotone.0, column, self.monotone.1)
    }

    /// One column of a node that is a span.
    pub fn column(&self, column: u32) -> Column<'a> {
        self.with_codes(column, &self.block.codes[column as usize][self.start..self.end])
    }

    /// The codes of one column of a node; gathered into `room` where the node is not a span.
    pub fn codes<'c>(&self, column: u32, room: &'c mut [u16; SLOP]) -> &'c [u16]
    where
        'a: 'c,
    {
        let codes = &self.block.codes[column as usize][self.start..];
        match self.tile {
            None => &codes[..self.end - self.start],
            Some((members, rows)) => {
                u16::gather(self.isa, codes, members, room);
                &room[..rows.len()]
            }
        }
    }

    /// One column, of which the codes are given.
    pub fn with_codes<'c>(&self, column: u32, codes: &'c [u16]) -> Column<'c>
    where
        'a: 'c,
    {
        Column {
            codes,
            rows: self.tile.map_or_else(|| &self.block.rows[self.start..self.end], |(_, rows)| rows),
            numbers: &self.source.columns[column as usize],
            meaning: self.source.meanings[column as usize].as_deref(),
            coder: self.source.coders[column as usize].as_deref(),
            kind: self.source.kinds[column as usize],
            trend: self.trend(column),
        }
    }
}

/// The best cut of one column of a small node, whatever it holds.
pub fn column_of_small<T: ColumnTally>(
    search: &mut SmallSearch<'_, T>,
    view: &View<'_, '_>,
    column: u32,
    room: &mut [u16; SLOP],
    (scratch, known, cancel): (&mut LevelScratch<T>, &mut KnownScratch<T>, &Cancel),
) -> Result<Option<Top>> {
    let codes = view.codes(column, room);
    let exact = view.source.meanings[column as usize].is_some();
    let context = search.context;
    let with_gaps = view.source.kinds[column as usize] == Kind::Gaps && context.unknowns != Absent::Side;
    if with_gaps && let Some(absent) = known::absent_aside(context, codes)? {
        if absent == context.len {
            return Ok(None);
        }
        return known::search_small(context, &view.with_codes(column, codes), search.record, known);
    }
    match view.source.kinds[column as usize] {
        Kind::Numbers | Kind::Gaps if view.is_constrained(column) || search.context.min_weight > 0.0 => {
            sweep(search.context, &view.with_codes(column, codes), search.record)
        }
        Kind::Numbers => Ok(search.column(codes, exact, || view.with_codes(column, codes))),
        Kind::Gaps => Ok(search.column_with_gaps(codes, exact, || view.with_codes(column, codes))),
        Kind::Levels(levels) => {
            levels::search(search.context, (column, codes, levels), search.record, scratch, (None, cancel))
        }
    }
}

/// The search of a small node. Columns that turn out constant are noted.
pub fn search_small<T: ColumnTally>(
    context: &NodeContext<'_, T>,
    view: &View<'_, '_>,
    live: &[Live],
    scratch: &mut SearchScratch<T>,
    cancel: &Cancel,
) -> Result<Option<(usize, Top)>> {
    let SearchScratch { tops, constant, small, levels, known, .. } = scratch;
    let record = Record::default();
    let mut search = SmallSearch::new(context, &record, small);
    tops.clear();
    constant.clear();
    let mut room = [0; SLOP];
    for (place, live) in live.iter().enumerate() {
        if let Some(bits) = search.two_codes.as_mut().filter(|_| {
            context.min_weight <= 0.0 && view.source.has_two_codes(live) && !view.is_constrained(live.column)
        }) {
            let (same, top) = bits.column(view, live, &record);
            constant.extend(same.then_some(place));
            tops.extend(top.map(|top| (place, top)));
            if search.is_over() {
                break;
            }
            continue;
        }
        let top = column_of_small(&mut search, view, live.column, &mut room, (levels, known, cancel))?;
        let aside = context.unknowns != Absent::Side && view.source.kinds[live.column as usize] == Kind::Gaps;
        let swept = view.is_constrained(live.column) || context.min_weight > 0.0 || aside;
        let is_ordered = view.source.meanings[live.column as usize].is_some() && !swept;
        if is_ordered && search.was_constant() {
            constant.push(place);
        }
        if let Some(top) = top {
            tops.push((place, top));
            if search.is_over() {
                break;
            }
        }
    }
    Ok(winner(&record, tops.iter().map(|(place, top)| (*place, top))))
}

/// Threads that search the columns of one node.
#[derive(Debug)]
pub struct Team<'a, T: ColumnTally> {
    /// Scratch of threads that are not at work.
    pub scratches: &'a Mutex<Vec<LargeScratch<T>>>,
    /// How many threads.
    pub threads: usize,
    /// Looked at before each column.
    pub cancel: &'a Cancel,
}

impl<T: ColumnTally> Team<'_, T> {
    /// The best cut of all columns. `searches` is scratch, and holds what was learnt of each column: also its histogram,
    /// where `inherited` says that children will want it.
    pub fn search_large(
        &self,
        context: &NodeContext<'_, T>,
        view: &View<'_, '_>,
        live: &[Live],
        inherited: Option<NodeHistograms>,
        searches: &mut Vec<LargeSearch>,
    ) -> Result<Option<(usize, Top)>> {
        let record = Record::default();
        searches.resize_with(live.len().max(searches.len()), LargeSearch::default);
        searches.truncate(live.len());
        searches.iter_mut().zip(live).for_each(|(search, live)| search.begin(live, inherited.is_some()));
        let inherited = inherited.filter(|inherited| inherited.len() == live.len());
        searches.iter_mut().zip(inherited.unwrap_or_default()).for_each(|(search, known)| search.inherited = known);
        let cancel = self.cancel;
        self.each((live, 0), searches, view, |search, column, scratch| {
            search.coarse(&Job { context, column, record: &record }, scratch, cancel)
        })?;
        // The most promising column first: what it finds spares looks at others.
        let peaks = searches.iter().map(LargeSearch::peak).enumerate();
        let first = peaks.max_by(|a, b| a.1.total_cmp(&b.1)).map_or(0, |(first, _)| first);
        self.each((live, first), searches, view, |search, column, scratch| {
            search.fine(&Job { context, column, record: &record }, scratch)
        })?;
        searches.iter_mut().for_each(LargeSearch::end);
        let tops =
            searches.iter().enumerate().filter_map(|(place, search)| search.top.as_ref().map(|top| (place, top)));
        Ok(winner(&record, tops))
    }

    /// Does the same with every column, on all threads; the column at the place `first` is begun before the others.
    fn each(
        &self,
        (live, first): (&[Live], usize),
        searches: &mut [LargeSearch],
        view: &View<'_, '_>,
        work: impl Fn(&mut LargeSearch, &Column<'_>, &mut LargeScratch<T>) -> Result<()> + Sync,
    ) -> Result<()> {
        let lock = || self.scratches.lock().unwrap_or_else(PoisonError::into_inner);
        let one = |(live, search): (&Live, &mut LargeSearch), scratch: &mut LargeScratch<T>| {
            self.cancel.check()?;
            work(search, &view.column(live.column), scratch)
        };
        if self.threads == 1 {
            let mut scratch = lock().pop().unwrap_or_default();
            let mut places = (first..live.len().min(first + 1)).chain((0..live.len()).filter(|&place| place != first));
            let done = places.try_for_each(|place| one((&live[place], &mut searches[place]), &mut scratch));
            lock().push(scratch);
            return done;
        }
        let mut jobs: Vec<_> = live.iter().zip(searches).collect();
        if !jobs.is_empty() {
            jobs.swap(0, first);
        }
        let one = |job| -> Result<()> {
            let mut scratch = lock().pop().unwrap_or_default();
            let done = one(job, &mut scratch);
            lock().push(scratch);
            done
        };
        pool::each(self.threads, jobs, one)?.into_iter().collect()
    }
}
