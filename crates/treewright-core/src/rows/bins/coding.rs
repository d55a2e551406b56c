//! Cells to bins: how each column is coded, and coding all of them in one pass over the table.

use super::cuts::{self, BLOCK, Search};
use super::store::Feature;
use crate::Result;
use crate::data::strided::Floats;
use crate::data::table::{Column, MISSING, Table, UNSEEN};
use crate::simd::Isa;
use crate::stats::order;
use crate::sys::pool;
use crate::sys::pool::Cancel;

/// Rows looked at to find cuts.
const SAMPLE: usize = 200_000;
/// Columns whose samples are in memory at the same time, where there are no more threads.
const BATCH: usize = 8;
/// Rows that one thread codes at a time.
const CHUNK: usize = 1 << 13;

/// How the cells of one column become codes.
#[derive(Clone, Debug)]
pub enum Coder {
    /// Numbers: the code is how many cuts lie below.
    Cuts {
        /// Ascending.
        cuts: Vec<f64>,
        /// The same, ready for searching.
        search: Search,
        /// Whether any number is missing.
        gaps: bool,
    },
    /// Categories.
    Levels {
        /// The code of each level.
        codes: Vec<u8>,
        /// How many codes.
        bins: usize,
        /// Whether any category is missing.
        gaps: bool,
    },
}

impl Coder {
    fn numbers(cuts: Vec<f64>, gaps: bool) -> Coder {
        Coder::Cuts { search: Search::new(&cuts), cuts, gaps }
    }

    /// Codes of levels, given how often each occurs: one each, or where there are too many the most frequent ones and one
    /// for all others.
    fn levels(counts: &[usize], gaps: bool, max_bins: usize) -> Coder {
        let levels = counts.len();
        if levels <= max_bins {
            return Coder::Levels { codes: (0..levels).map(|level| level as u8).collect(), bins: levels.max(1), gaps };
        }
        let mut order: Vec<usize> = (0..levels).collect();
        order.sort_unstable_by_key(|&level| (std::cmp::Reverse(counts[level]), level));
        let mut kept = order[..max_bins - 1].to_vec();
        kept.sort_unstable();
        let mut codes = vec![(max_bins - 1) as u8; levels];
        kept.iter().enumerate().for_each(|(code, &level)| codes[level] = code as u8);
        Coder::Levels { codes, bins: max_bins, gaps }
    }

    fn known(&self) -> usize {
        match self {
            Coder::Cuts { cuts, .. } => cuts.len() + 1,
            Coder::Levels { bins, .. } => *bins,
        }
    }

    fn gaps(&self) -> bool {
        match self {
            Coder::Cuts { gaps, .. } | Coder::Levels { gaps, .. } => *gaps,
        }
    }

    /// The code of a missing value, where there are any.
    pub fn missing(&self) -> Option<u8> {
        self.gaps().then(|| self.known() as u8)
    }

    /// How many codes, that of missing values included.
    pub fn bins(&self) -> usize {
        self.known() + usize::from(self.gaps())
    }

    /// Codes the rows from `first` on, at most [`BLOCK`].
    fn code(&self, isa: Isa, column: &Column<'_>, first: usize, codes: &mut [u8]) {
        let missing = self.missing().unwrap_or(0);
        match (self, column) {
            (Coder::Cuts { search, .. }, Column::Numeric(values)) => {
                search.doubles(isa, &values[first..first + codes.len()], missing, codes);
            }
            (Coder::Cuts { search, .. }, Column::Strided(values)) => {
                let (floats, start, step) = values.parts();
                let place = |i: usize| start.wrapping_add_signed(step.wrapping_mul((first + i) as isize));
                match floats {
                    Floats::Single(values) => {
                        let mut block = [0f32; BLOCK];
                        let block = &mut block[..codes.len()];
                        block.iter_mut().enumerate().for_each(|(i, x)| *x = values[place(i)]);
                        search.singles(isa, block, missing, codes);
                    }
                    Floats::Double(values) => {
                        let mut block = [0f64; BLOCK];
                        let block = &mut block[..codes.len()];
                        block.iter_mut().enumerate().for_each(|(i, x)| *x = values[place(i)]);
                        search.doubles(isa, block, missing, codes);
                    }
                }
            }
            (Coder::Levels { codes: of, .. }, Column::Categorical { codes: levels, .. }) => {
                for (code, &level) in codes.iter_mut().zip(&levels[first..]) {
                    *code = of.get(level as usize).copied().unwrap_or(missing);
                }
            }
            // A table does not change the kinds of its columns.
            _ => codes.fill(0),
        }
    }
}

/// A coder for each column.
pub fn coders(
    table: &Table<'_>,
    held: Option<&[bool]>,
    max_bins: usize,
    threads: usize,
    cancel: &Cancel,
) -> Result<Vec<Coder>> {
    let rows = table.rows();
    let taken = |row: &usize| held.is_none_or(|held| !held[*row]);
    // Which rows are looked at follows from what they hold: not from where they stand, nor from a period in the table.
    let keys = if rows > SAMPLE { order::keys_of_features(table, threads, cancel)? } else { vec![0; rows] };
    let sample = order::sample(&keys, held, SAMPLE);
    drop(keys);
    let columns: Vec<(usize, &Column<'_>)> = table.columns().iter().enumerate().collect();
    let gaps = |column: usize| match table.summaries() {
        Some(summaries) if summaries[column].finite => false,
        _ => (0..rows).any(|row| table.columns()[column].number(row).is_nan()),
    };
    let mut coders = Vec::with_capacity(columns.len());
    for batch in columns.chunks(BATCH.max(threads)) {
        let mut numbers = samples(batch, &sample)?;
        let jobs: Vec<_> = batch.iter().zip(&mut numbers).collect();
        let one = |((index, column), numbers): (&(usize, &Column<'_>), &mut Vec<f64>)| -> Result<Coder> {
            cancel.check()?;
            if let Column::Categorical { codes, levels } = column {
                let mut counts = vec![0usize; *levels as usize];
                let known = codes.iter().enumerate().filter(|(row, code)| **code < UNSEEN && taken(row));
                known.for_each(|(_, &code)| counts[code as usize] += 1);
                return Ok(Coder::levels(&counts, codes.contains(&MISSING), max_bins));
            }
            numbers.retain(|x| !x.is_nan());
            numbers.sort_unstable_by(f64::total_cmp);
            Ok(Coder::numbers(cuts::cuts(numbers, max_bins), gaps(*index)))
        };
        let found = pool::each(threads, jobs, one)?;
        coders.extend(found.into_iter().collect::<Result<Vec<_>>>()?);
    }
    Ok(coders)
}

/// The numbers of some rows, column by column; nothing for categories.
fn samples(columns: &[(usize, &Column<'_>)], rows: &[u32]) -> Result<Vec<Vec<f64>>> {
    let mut out = vec![Vec::new(); columns.len()];
    for ((_, column), numbers) in columns.iter().zip(&mut out) {
        if !matches!(column, Column::Categorical { .. }) {
            numbers.try_reserve_exact(rows.len())?;
        }
    }
    // A few rows at a time: their cache lines stay near while each column takes its number.
    for rows in rows.chunks(BLOCK) {
        for ((_, column), numbers) in columns.iter().zip(&mut out) {
            if !matches!(column, Column::Categorical { .. }) {
                numbers.extend(rows.iter().map(|&row| column.number(row as usize) + 0.0));
            }
        }
    }
    Ok(out)
}

/// A run of rows: the first, their codes row by row, and column by column.
type Part<'a> = (usize, &'a mut [u8], Vec<&'a mut [u8]>);

/// Codes every cell, row by row and column by column.
#[expect(clippy::too_many_arguments, reason = "one caller, who owns all of them")]
pub fn fill(
    table: &Table<'_>,
    features: &[Feature],
    stride: usize,
    rows: usize,
    by_row: &mut [u8],
    by_column: &mut [u8],
    threads: usize,
    cancel: &Cancel,
) -> Result<()> {
    let isa = Isa::detect();
    let mut chunks: Vec<Part<'_>> = by_row[..rows * stride]
        .chunks_mut(CHUNK * stride)
        .zip((0..).step_by(CHUNK))
        .map(|(part, first)| (first, part, Vec::with_capacity(features.len())))
        .collect();
    for column in by_column[..rows * features.len()].chunks_mut(rows.max(1)) {
        chunks.iter_mut().zip(column.chunks_mut(CHUNK)).for_each(|((_, _, columns), part)| columns.push(part));
    }
    let done = pool::each(threads, chunks, |(first, by_row, mut by_column)| -> Result<()> {
        cancel.check()?;
        for (block, by_row) in by_row.chunks_mut(BLOCK * stride).enumerate() {
            let (start, count) = (block * BLOCK, by_row.len() / stride);
            for ((feature, column), codes) in features.iter().zip(table.columns()).zip(&mut by_column) {
                let codes = &mut codes[start..start + count];
                feature.coder.code(isa, column, first + start, codes);
                by_row[feature.byte..].iter_mut().step_by(stride).zip(codes.iter()).for_each(|(to, code)| *to = *code);
            }
        }
        Ok(())
    })?;
    done.into_iter().collect()
}
