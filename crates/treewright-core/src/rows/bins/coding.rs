//! Cells to bins: how each column is coded, and coding all of them in one pass over the table.

use super::store::Feature;
use crate::Result;
use crate::codes::bins::Coder;
use crate::codes::cuts::{self, BLOCK};
use crate::codes::sorted::{self, Keyed};
use crate::data::sparse::Sparse;
use crate::data::table::{Column, MISSING, Table, UNSEEN};
use crate::rows::sparse::stored::{StoredTable, item};
use crate::simd::Isa;
use crate::stats::order;
use crate::sys::pool;
use crate::sys::pool::Cancel;

/// Rows looked at to find cuts.
pub const SAMPLE: usize = 200_000;
/// Columns whose samples are in memory at the same time, where there are no more threads.
const BATCH: usize = 8;
/// Rows that one thread codes at a time.
const CHUNK: usize = 1 << 13;

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
    let is_sampled = if sample.len() < rows { Some(flags(&sample, rows)) } else { None };
    let columns: Vec<(usize, &Column<'_>)> = table.columns().iter().enumerate().collect();
    let mut coders = Vec::with_capacity(columns.len());
    for batch in columns.chunks(BATCH.max(threads)) {
        let jobs: Vec<_> = batch.iter().zip(samples(batch, &sample)?).collect();
        let one = |((index, column), numbers): (&(usize, &Column<'_>), Vec<f64>)| -> Result<Coder> {
            cancel.check()?;
            if let Column::Categorical { codes, levels } = column {
                let mut counts = vec![0usize; *levels as usize];
                let known = codes.iter().enumerate().filter(|(row, code)| **code < UNSEEN && taken(row));
                known.for_each(|(_, &code)| counts[code as usize] += 1);
                return Ok(Coder::from_levels(&counts, codes.contains(&MISSING), max_bins));
            }
            if let Column::Sparse(values) = column {
                return Ok(code_sparse(values, is_sampled.as_deref(), sample.len(), max_bins));
            }
            Ok(Coder::from_cuts(cut_sample(&numbers, max_bins)?, has_gaps(table, *index)))
        };
        let parts = pool::each(threads, jobs, one)?;
        coders.extend(parts.into_iter().collect::<Result<Vec<_>>>()?);
    }
    Ok(coders)
}

/// Whether a column of numbers has missing values.
pub fn has_gaps(table: &Table<'_>, column: usize) -> bool {
    match table.summaries() {
        Some(summaries) if summaries[column].finite => false,
        _ => (0..table.rows()).any(|row| table.columns()[column].number(row).is_nan()),
    }
}

/// Where a column is cut, of which this is a sample.
pub fn cut_sample(numbers: &[f64], max_bins: usize) -> Result<Vec<f64>> {
    let known = numbers.iter().filter(|x| !x.is_nan()).map(|&x| Keyed::new(x, ())).collect();
    let sorted = sorted::sort(known, &Cancel::default())?;
    Ok(cuts::cuts(sorted.iter().map(Keyed::number), max_bins))
}

/// Whether each row is among some.
fn flags(some: &[u32], rows: usize) -> Vec<bool> {
    let mut flags = vec![false; rows];
    some.iter().for_each(|&row| flags[row as usize] = true);
    flags
}

/// The coder of a sparse column, cut by so many rows: those that are sampled, or all.
fn code_sparse(column: &Sparse<'_>, is_sampled: Option<&[bool]>, rows: usize, max_bins: usize) -> Coder {
    let stored = || column.values().iter().copied().zip(column.rows());
    let sampled = |row: u32| is_sampled.is_none_or(|flags| flags[row as usize]);
    let mut numbers: Vec<f64> = stored().filter(|(_, row)| sampled(**row)).map(|(number, _)| number).collect();
    let zeros = rows - numbers.len();
    numbers.retain(|number| !number.is_nan());
    numbers.sort_unstable_by(f64::total_cmp);
    let mut runs: Vec<(f64, usize)> = numbers.chunk_by(|a, b| a == b).map(|run| (run[0], run.len())).collect();
    if zeros > 0 {
        runs.insert(runs.partition_point(|(number, _)| *number < 0.0), (0.0, zeros));
    }
    Coder::from_cuts(cuts::cuts_of_runs(&runs, max_bins), stored().any(|(number, _)| number.is_nan()))
}

/// The codes of what a sparse table stores; None where not all of its columns are sparse.
pub fn code_stored(table: &Table<'_>, features: &[Feature], cancel: &Cancel) -> Result<Option<StoredTable>> {
    let (isa, mut codes) = (Isa::detect(), Vec::new());
    StoredTable::new(table, cancel, |number, column, items| {
        let Feature { coder: Coder::Cuts { search, .. }, missing, .. } = &features[number] else { return Ok(0) };
        codes.resize(column.values().len() + 1, 0);
        let (zero, rest) = codes.split_at_mut(1);
        search.doubles(isa, &[0.0], 0, zero);
        search.doubles(isa, column.values(), missing.unwrap_or(0), rest);
        let start = items.len();
        items.extend(rest.iter().zip(column.rows()).map(|(&code, &row)| item(code.into(), row)));
        items[start..].sort_unstable();
        Ok(zero[0].into())
    })
}

/// The numbers of some rows, column by column; nothing for categories, nor for sparse columns.
pub fn samples(columns: &[(usize, &Column<'_>)], rows: &[u32]) -> Result<Vec<Vec<f64>>> {
    let mut out = vec![Vec::new(); columns.len()];
    for ((_, column), numbers) in columns.iter().zip(&mut out) {
        if !matches!(column, Column::Categorical { .. } | Column::Sparse(_)) {
            numbers.try_reserve_exact(rows.len())?;
        }
    }
    // A few rows at a time: their cache lines stay near while each column takes its number.
    for rows in rows.chunks(BLOCK) {
        for ((_, column), numbers) in columns.iter().zip(&mut out) {
            if !matches!(column, Column::Categorical { .. } | Column::Sparse(_)) {
                numbers.extend(rows.iter().map(|&row| column.number(row as usize) + 0.0));
            }
        }
    }
    Ok(out)
}

/// A run of rows: the first, their codes row by row, and column by column.
type CodedRun<'a> = (usize, &'a mut [u8], Vec<&'a mut [u8]>);

/// Codes every cell of a table, row by row and column by column: its rows are those from `start` on of so many.
#[expect(clippy::too_many_arguments, reason = "one caller, who owns all of them")]
pub fn fill(
    table: &Table<'_>,
    features: &[Feature],
    stride: usize,
    start: usize,
    rows: usize,
    by_row: &mut [u8],
    by_column: &mut [u8],
    threads: usize,
    cancel: &Cancel,
) -> Result<()> {
    let isa = Isa::detect();
    let here = start..start + table.rows();
    let mut chunks: Vec<CodedRun<'_>> = by_row[here.start * stride..here.end * stride]
        .chunks_mut(CHUNK * stride)
        .zip((0..).step_by(CHUNK))
        .map(|(part, first)| (first, part, Vec::with_capacity(features.len())))
        .collect();
    for column in by_column[..rows * features.len()].chunks_mut(rows.max(1)) {
        let column = &mut column[here.clone()];
        chunks.iter_mut().zip(column.chunks_mut(CHUNK)).for_each(|((_, _, columns), part)| columns.push(part));
    }
    let done = pool::each(threads, chunks, |(first, by_row, mut by_column)| -> Result<()> {
        cancel.check()?;
        for (block, by_row) in by_row.chunks_mut(BLOCK * stride).enumerate() {
            let (start, count) = (block * BLOCK, by_row.len() / stride);
            for ((feature, column), codes) in features.iter().zip(table.columns()).zip(&mut by_column) {
                let codes = &mut codes[start..start + count];
                feature.coder.encode(isa, column, first + start, codes);
                by_row[feature.byte..].iter_mut().step_by(stride).zip(codes.iter()).for_each(|(to, code)| *to = *code);
            }
        }
        Ok(())
    })?;
    done.into_iter().collect()
}
