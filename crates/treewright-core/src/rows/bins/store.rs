//! All rows as bins: one byte a cell, twice. Row by row for adding up histograms, column by column for dividing nodes.
//!
//! Glossary. A *bin* is a range of numbers, or some levels of a category; its number is a cell's *code*. Missing values
//! have a bin of their own, the last. A *group* is a few columns whose histograms fit the nearest cache together; all
//! histograms of a group are equally *wide*, so that the place of a code is known without a look-up.

use super::coding;
use crate::Result;
use crate::codes::bins::Coder;
use crate::data::table::Table;
use crate::rows::sparse::stored::{StoredTable, lower, upper};
use crate::sys::pages::{Lined, zeros};
use crate::sys::pool;
use crate::sys::pool::Cancel;
use std::ops::Range;

/// The most columns of a group.
pub const MAX_GROUP_COLUMNS: usize = 16;
/// The most sums of a group: 28 KB, which a nearest cache of 32 KB holds beside the rows that pass by.
const MAX_GROUP_SUMS: usize = 14 * 256;
/// The widths of histograms.
pub const WIDTHS: [usize; 3] = [16, 64, 256];
/// Rows that one thread hashes at a time.
const RUN: usize = 1 << 15;
/// Bytes behind the codes that may be read, but mean nothing.
pub const SLOP: usize = 64;

/// One column.
#[derive(Clone, Debug)]
pub struct Feature {
    /// How its cells became codes.
    pub coder: Coder,
    /// How many bins there are, that of missing values included.
    pub bins: usize,
    /// The bin of missing values, where training has any.
    pub missing: Option<u8>,
    /// Where its histogram begins.
    pub place: usize,
    /// Which byte of a row is its code.
    pub byte: usize,
}

/// A few columns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Group {
    /// How wide the histogram of each is.
    pub width: usize,
    /// How many columns.
    pub count: usize,
    /// The byte of a row where their codes begin.
    pub byte: usize,
    /// Where their histograms begin.
    pub place: usize,
}

/// Some groups in a row, which one thread adds up and searches.
#[derive(Clone, Debug)]
pub struct ColumnPart {
    /// The groups.
    pub groups: Range<usize>,
    /// Where their histograms are.
    pub places: Range<usize>,
    /// Their columns, ascending.
    pub features: Vec<usize>,
}

/// All rows as bins.
#[derive(Debug)]
pub struct Store {
    /// How many rows.
    pub(crate) rows: usize,
    /// Bytes from one row to the next.
    pub(super) stride: usize,
    /// The columns.
    pub features: Vec<Feature>,
    /// The groups.
    pub(super) groups: Vec<Group>,
    /// How many places all histograms have.
    pub(super) places: usize,
    /// The groups, divided among threads.
    pub parts: Vec<ColumnPart>,
    // A row that began in the middle of a line of the cache could lie in two: boosting took a third longer.
    by_row: Lined<u8>,
    by_column: Vec<u8>,
    row_hashes: Vec<u32>,
    /// The codes of a sparse table: then there are none for each cell.
    pub(super) stored: Option<StoredTable>,
}

impl Store {
    /// Codes a table. Rows that are `held` out have no say in where columns are cut.
    pub fn new(
        table: &Table<'_>,
        held: Option<&[bool]>,
        max_bins: usize,
        threads: usize,
        cancel: &Cancel,
    ) -> Result<Store> {
        let coders = coding::coders(table, held, max_bins, threads, cancel)?;
        let mut store = Store::laid_out(table.rows(), coders);
        store.stored = coding::code_stored(table, &store.features, cancel)?;
        if let Some(stored) = &store.stored {
            store.row_hashes = hash_stored_rows(&store, stored, threads, cancel)?;
            return Ok(store);
        }
        store.make_room()?;
        store.fill(table, 0, threads, cancel)?;
        store.finish(threads, cancel)?;
        Ok(store)
    }

    /// Room for the codes of so many rows.
    pub fn blank(rows: usize, coders: Vec<Coder>) -> Result<Store> {
        let mut store = Store::laid_out(rows, coders);
        store.make_room()?;
        Ok(store)
    }

    fn make_room(&mut self) -> Result<()> {
        self.by_row = Lined::zeros(self.rows * self.stride + SLOP)?;
        self.by_column = zeros(self.rows * self.features.len() + SLOP)?;
        Ok(())
    }

    /// Codes the rows from `start` on, which are those of the table.
    pub fn fill(&mut self, table: &Table<'_>, start: usize, threads: usize, cancel: &Cancel) -> Result<()> {
        let Store { rows, stride, features, by_row, by_column, .. } = self;
        coding::fill(table, features, *stride, start, *rows, by_row, by_column, threads, cancel)
    }

    /// Prepares what follows from the codes, once all rows are coded.
    pub fn finish(&mut self, threads: usize, cancel: &Cancel) -> Result<()> {
        self.parts = self.divided(threads);
        self.hash_rows(threads, cancel)
    }

    /// Hashes every row.
    fn hash_rows(&mut self, threads: usize, cancel: &Cancel) -> Result<()> {
        self.row_hashes = zeros(self.rows)?;
        let rows = self.by_row.chunks(RUN * self.stride);
        let jobs = self.row_hashes.chunks_mut(RUN).zip(rows).collect();
        let done = pool::each(threads, jobs, |(hashes, codes)| {
            cancel.check()?;
            hashes.iter_mut().zip(codes.chunks_exact(self.stride)).for_each(|(hash, codes)| *hash = hash_row(codes));
            Ok(())
        })?;
        done.into_iter().collect()
    }

    /// The groups in so many parts of about as many places, or in as many as there are groups.
    fn divided(&self, parts: usize) -> Vec<ColumnPart> {
        let count = parts.clamp(1, self.groups.len().max(1));
        let mut out: Vec<ColumnPart> = Vec::with_capacity(count);
        let mut next = 0;
        for part in 0..count {
            let (begin, left) = (next, count - part - 1);
            let enough = self.places * (part + 1) / count;
            // At least one group each, and one for each that is still to come.
            next += 1;
            let end = |group: usize| self.groups[group].place + self.groups[group].width * self.groups[group].count;
            while next < self.groups.len() - left && (left == 0 || end(next) <= enough) {
                next += 1;
            }
            let places = self.groups[begin].place..end(next - 1);
            let within = |feature: &usize| places.contains(&self.features[*feature].place);
            let features = (0..self.features.len()).filter(within).collect();
            out.push(ColumnPart { groups: begin..next, places, features });
        }
        out
    }

    /// Finds a place for every column.
    fn laid_out(rows: usize, coders: Vec<Coder>) -> Store {
        let mut features: Vec<Feature> = coders
            .into_iter()
            .map(|coder| Feature { bins: coder.bins(), missing: coder.missing(), coder, place: 0, byte: 0 })
            .collect();
        let (mut groups, mut byte, mut place) = (Vec::new(), 0, 0);
        let wide = |bins: usize| WIDTHS.iter().position(|&width| bins <= width).unwrap_or(WIDTHS.len() - 1);
        for (class, &width) in WIDTHS.iter().enumerate() {
            let members: Vec<usize> = (0..features.len()).filter(|&f| wide(features[f].bins) == class).collect();
            // Groups of about the same size; two threads can share the columns of small nodes if there are two.
            let count = members
                .len()
                .div_ceil(MAX_GROUP_COLUMNS.min(MAX_GROUP_SUMS / width))
                .max(members.len().div_ceil(8).min(2));
            for group in 0..count {
                let span = members.len() * group / count..members.len() * (group + 1) / count;
                groups.push(Group { width, count: span.len(), byte, place });
                for &feature in &members[span] {
                    features[feature].byte = byte;
                    features[feature].place = place;
                    byte += 1;
                    place += width;
                }
            }
        }
        // Rows that do not straddle cache lines where that costs little.
        let stride = if byte <= 16 { byte.max(1).next_power_of_two() } else { byte.next_multiple_of(16) };
        Store {
            rows,
            stride,
            features,
            groups,
            places: place,
            by_row: Lined::default(),
            by_column: Vec::new(),
            parts: Vec::new(),
            row_hashes: Vec::new(),
            stored: None,
        }
    }

    /// The places of the histograms of some groups that stand together.
    pub fn places_of(&self, groups: Range<usize>) -> Range<usize> {
        match &self.groups[groups] {
            [first, .., last] => first.place..last.place + last.width * last.count,
            [only] => only.place..only.place + only.width * only.count,
            [] => 0..0,
        }
    }

    /// A number for each row that follows from its codes: rows that hold the same have the same.
    pub fn row_hashes(&self) -> &[u32] {
        &self.row_hashes
    }

    /// The codes of the rows from `first` on, row by row, and readable bytes behind the last.
    pub fn rows_from(&self, first: usize) -> &[u8] {
        &self.by_row[first * self.stride..]
    }

    /// The codes of one column from a row on, and readable bytes behind the last of `count`; those of a sparse table are
    /// written to `room`.
    pub fn column_from<'s>(&'s self, feature: usize, first: usize, count: usize, room: &'s mut Vec<u8>) -> &'s [u8] {
        let Some(stored) = &self.stored else { return &self.by_column[feature * self.rows + first..] };
        room.clear();
        room.resize(count + SLOP, stored.zero(feature as u32) as u8);
        for &item in stored.lists().of(feature as u32) {
            if let Some(code) = (lower(item) as usize).checked_sub(first).and_then(|place| room[..count].get_mut(place))
            {
                *code = upper(item) as u8;
            }
        }
        room
    }
}

/// The same numbers as those of a table whose codes are all there.
fn hash_stored_rows(store: &Store, stored: &StoredTable, threads: usize, cancel: &Cancel) -> Result<Vec<u32>> {
    let mut codes = vec![0; store.stride];
    (0..).zip(&store.features).for_each(|(column, feature)| codes[feature.byte] = stored.zero(column) as u8);
    let mut hashes = zeros(store.rows)?;
    let jobs = hashes.chunks_mut(RUN).zip((0..).step_by(RUN)).collect();
    let done = pool::each(threads, jobs, |(hashes, first): (&mut [u32], u32)| {
        let mut codes = codes.clone();
        for (hash, row) in hashes.iter_mut().zip(first..) {
            if row % 64 == 0 {
                cancel.check()?;
            }
            let items = stored.items_of(row);
            let byte = |item: u64| store.features[upper(item) as usize].byte;
            items.iter().for_each(|&item| codes[byte(item)] = lower(item) as u8);
            *hash = hash_row(&codes);
            items.iter().for_each(|&item| codes[byte(item)] = stored.zero(upper(item)) as u8);
        }
        Ok(())
    })?;
    done.into_iter().collect::<Result<()>>()?;
    Ok(hashes)
}

/// Mixes the codes of a row.
fn hash_row(codes: &[u8]) -> u32 {
    let (words, rest) = codes.as_chunks::<8>();
    let mix = |state: u64, word: u64| {
        let wide = u128::from(state ^ word) * u128::from(0xd6e8_feb8_6659_fd93_u64);
        (wide >> 64) as u64 ^ wide as u64
    };
    let state = words.iter().fold(0x9e37_79b9_7f4a_7c15, |state, word| mix(state, u64::from_le_bytes(*word)));
    let state = rest.iter().fold(state, |state, byte| mix(state, u64::from(*byte)));
    (state >> 32) as u32 ^ state as u32
}
