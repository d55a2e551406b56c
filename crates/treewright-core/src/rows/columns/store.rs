//! Where the codes are: one long column after the other, in one piece of memory that holders share out among themselves.

use super::kernels::Isa;
use super::kernels::partition::{Movable, SLOP, partition_columns};
use super::node::{ABSENT, Kind, Live};
use crate::Result;
use crate::codes::all_columns::code_all;
use crate::codes::spread::{Coder, Meaning};
use crate::data::strided::Strided;
use crate::data::survey::{Summary, survey};
use crate::data::table::{Column, Table};
use crate::sys::pages::zeros;
use crate::sys::pool;
use crate::sys::pool::Cancel;
use std::ops::Range;
use std::sync::{Arc, Mutex, PoisonError};

/// Room for values on the move, of threads that are not at work.
pub type Spares = Mutex<Vec<Vec<u16>>>;

/// The numbers of the table, and what exact codes stand for. It never changes while a tree grows.
#[derive(Debug)]
pub struct Source<'t> {
    /// The numbers where they lie; none for a column of categories.
    pub columns: Vec<Strided<'t>>,
    /// What the codes of each column are.
    pub kinds: Vec<Kind>,
    /// For each column the numbers of its codes; None where different numbers share a code.
    pub meanings: Vec<Option<Arc<Meaning>>>,
    /// How numbers became codes; none for a column of categories.
    pub coders: Vec<Option<Arc<Coder>>>,
}

/// The codes, row numbers and targets of all rows.
#[derive(Debug)]
pub struct Memory {
    codes: Vec<u16>,
    stride: usize,
    rows: Vec<u32>,
    targets: Vec<i64>,
    /// About how many nodes a tree of these rows has: as many as the last one; 0 where none was grown.
    pub(super) expected_nodes: usize,
}

/// The codes, row numbers and targets of some rows that stand together.
#[derive(Debug)]
pub struct Block<'b> {
    /// For each column a code a row.
    pub codes: Vec<&'b mut [u16]>,
    /// The row of the table.
    pub rows: &'b mut [u32],
    /// The target of each row; empty where places tell it.
    pub targets: &'b mut [i64],
}

/// Codes a table whose rows are to stand in the order given. None where a number is infinite, a column has too many
/// levels, or there are gaps or categories and `mixed` does not allow for them.
pub fn code<'t>(
    table: &Table<'t>,
    mixed: bool,
    order: Vec<u32>,
    targets: Vec<i64>,
    threads: usize,
    cancel: &Cancel,
) -> Result<Option<(Source<'t>, Memory)>> {
    let Some(parts) = Parts::of(table).filter(|parts| mixed || parts.levels.is_empty()) else { return Ok(None) };
    let Parts { places, numbers, levels } = parts;
    let mut summaries = match table.summaries() {
        Some(summaries) if levels.is_empty() => summaries.to_vec(),
        _ => survey(&numbers, table.rows(), threads, cancel)?,
    };
    let gaps: Vec<bool> = summaries.iter().map(|summary| !summary.finite).collect();
    if gaps.contains(&true) && !mixed {
        return Ok(None);
    }
    for (i, _) in gaps.iter().enumerate().filter(|(_, gap)| **gap) {
        cancel.check()?;
        summaries[i] = Summary::known(&numbers[i]);
        if !summaries[i].finite {
            return Ok(None);
        }
    }
    let jobs = numbers.iter().zip(summaries.iter().zip(&gaps)).collect();
    let coders = pool::each(threads, jobs, |(column, (summary, gap))| Coder::new(column, summary, *gap, cancel))?;
    let coders = coders.into_iter().collect::<Result<Vec<_>>>()?;
    let stride = stride(order.len());
    let mut codes = zeros(stride * table.columns().len())?;
    let mut out: Vec<Option<&mut [u16]>> =
        codes.chunks_exact_mut(stride).map(|column| Some(&mut column[..order.len()])).collect();
    let ours = places.iter().filter_map(|&place| out[place].take()).collect();
    code_all(&numbers, &coders, &order, ours, threads, cancel)?;
    let others = levels.iter().filter_map(|&(place, codes, levels)| Some((out[place].take()?, codes, levels)));
    let done = pool::each(threads, others.collect(), |(out, codes, levels): (&mut [u16], &[u32], u16)| {
        cancel.check()?;
        let code = |row: u32| u16::try_from(codes[row as usize]).ok().filter(|code| *code < levels);
        out.iter_mut().zip(&order).for_each(|(out, &row)| *out = code(row).unwrap_or(ABSENT));
        Ok(())
    })?;
    done.into_iter().collect::<Result<()>>()?;
    let source = Source::of(table.columns().len(), &places, &numbers, coders, &levels);
    Ok(Some((source, Memory { codes, stride, rows: order, targets, expected_nodes: 0 })))
}

/// A table by what its columns hold.
struct Parts<'t> {
    /// The places of the numeric columns.
    places: Vec<usize>,
    numbers: Vec<Strided<'t>>,
    /// The place, codes and levels of each categorical one.
    levels: Vec<(usize, &'t [u32], u16)>,
}

impl<'t> Parts<'t> {
    /// None where there are too many levels, or too many rows to be multiplied in 64 bits, or columns are sparse.
    fn of(table: &Table<'t>) -> Option<Parts<'t>> {
        let mut parts = Parts { places: Vec::new(), numbers: Vec::new(), levels: Vec::new() };
        for (place, column) in table.columns().iter().enumerate() {
            match *column {
                Column::Numeric(values) => parts.numbers.push(Strided::of_slice(values)),
                Column::Strided(values) => parts.numbers.push(values),
                // They have an engine of their own.
                Column::Sparse(_) => return None,
                Column::Categorical { codes, levels } => {
                    let levels = u16::try_from(levels).ok().filter(|levels| *levels < ABSENT)?;
                    parts.levels.push((place, codes, levels));
                    continue;
                }
            }
            parts.places.push(place);
        }
        (table.rows() < 1 << 31 && table.rows() > 0).then_some(parts)
    }
}

impl<'t> Source<'t> {
    /// Whether the codes of a column are its numbers, and none but the least and the greatest that are known to occur.
    pub fn has_two_codes(&self, live: &Live) -> bool {
        let column = live.column as usize;
        live.high.wrapping_sub(live.low) <= 1 && self.meanings[column].is_some() && self.kinds[column] == Kind::Numbers
    }

    /// The same for a table that was coded before; None where it is another.
    pub fn again(
        table: &Table<'t>,
        kinds: Vec<Kind>,
        meanings: Vec<Option<Arc<Meaning>>>,
        coders: Vec<Option<Arc<Coder>>>,
    ) -> Option<Source<'t>> {
        let Parts { places, numbers, .. } = Parts::of(table)?;
        if table.columns().len() != kinds.len() {
            return None;
        }
        let mut columns = vec![Strided::of_slice(&[]); kinds.len()];
        places.iter().zip(numbers).for_each(|(&place, numbers)| columns[place] = numbers);
        Some(Source { columns, kinds, meanings, coders })
    }

    fn of(
        width: usize,
        places: &[usize],
        numbers: &[Strided<'t>],
        coders: Vec<Coder>,
        levels: &[(usize, &[u32], u16)],
    ) -> Source<'t> {
        let nothing = Strided::of_slice(&[]);
        let (columns, kinds, meanings) = (vec![nothing; width], vec![Kind::Levels(0); width], vec![None; width]);
        let mut source = Source { columns, kinds, meanings, coders: vec![None; width] };
        for ((&place, numbers), coder) in places.iter().zip(numbers).zip(coders) {
            source.columns[place] = *numbers;
            source.kinds[place] = if coder.gaps() { Kind::Gaps } else { Kind::Numbers };
            source.meanings[place] = coder.meaning().map(Arc::new);
            source.coders[place] = Some(Arc::new(coder));
        }
        levels.iter().for_each(|&(place, _, levels)| source.kinds[place] = Kind::Levels(levels));
        source
    }
}

/// Columns that are copied together, so that places are read once for all of them.
const TOGETHER: usize = 4;

/// Copies the codes at some places of up to [`TOGETHER`] columns.
fn copy(from: &[u16], from_stride: usize, places: &[u32], to: &mut [u16], stride: usize) {
    if from.len() == TOGETHER * from_stride {
        let [a, b, c, d]: [&[u16]; TOGETHER] = std::array::from_fn(|i| &from[i * from_stride..][..from_stride]);
        let (w, rest) = to.split_at_mut(stride);
        let (x, rest) = rest.split_at_mut(stride);
        let (y, z) = rest.split_at_mut(stride);
        for ((((&place, w), x), y), z) in places.iter().zip(w).zip(x).zip(y).zip(z) {
            let place = place as usize;
            (*w, *x, *y, *z) = (a[place], b[place], c[place], d[place]);
        }
        return;
    }
    for (from, to) in from.chunks_exact(from_stride).zip(to.chunks_exact_mut(stride)) {
        to.iter_mut().zip(places).for_each(|(code, &place)| *code = from[place as usize]);
    }
}

/// An odd number of cache lines, so that columns do not compete for the same places in the cache.
fn stride(rows: usize) -> usize {
    rows.div_ceil(64) * 64 + 32
}

impl Memory {
    /// The rows of the table, place by place.
    pub fn rows(&self) -> &[u32] {
        &self.rows
    }

    /// A copy of some rows, by their places, in the order given. The memory of an earlier copy may be used again, which
    /// spares asking the system for it.
    pub fn sample(&self, places: &[u32], used: Option<Memory>) -> Result<Memory> {
        let stride = stride(places.len());
        let wanted = stride * (self.codes.len() / self.stride.max(1));
        let expected_nodes = used.as_ref().map_or(0, |used| used.expected_nodes);
        let mut codes = match used.map(|used| used.codes).filter(|codes| codes.capacity() >= wanted) {
            Some(codes) => codes,
            // A little more: samples are not all of one size.
            None => zeros(wanted + wanted / 32)?,
        };
        codes.resize(wanted, 0);
        if places.len() == self.rows.len() && places.is_sorted() {
            codes.copy_from_slice(&self.codes[..wanted]);
        } else {
            let pairs = self.codes.chunks(self.stride * TOGETHER).zip(codes.chunks_mut(stride * TOGETHER));
            pairs.for_each(|(from, to)| copy(from, self.stride, places, to, stride));
        }
        let (mut rows, mut targets) = (Vec::new(), Vec::new());
        rows.try_reserve_exact(places.len())?;
        rows.extend(places.iter().map(|&place| self.rows[place as usize]));
        if !self.targets.is_empty() {
            targets.try_reserve_exact(places.len())?;
            targets.extend(places.iter().map(|&place| self.targets[place as usize]));
        }
        Ok(Memory { codes, stride, rows, targets, expected_nodes })
    }

    /// The same with other targets.
    pub fn with_targets(self, targets: Vec<i64>) -> Memory {
        Memory { targets, ..self }
    }

    /// Gives rows other targets, which stand in the order of the table.
    pub fn aim(&mut self, targets: &[i64]) {
        self.targets.iter_mut().zip(&self.rows).for_each(|(target, &row)| *target = targets[row as usize]);
    }

    /// The targets, place by place; empty where there are none.
    pub fn targets(&self) -> &[i64] {
        &self.targets
    }

    /// All rows.
    pub fn block(&mut self) -> Block<'_> {
        let rows = self.rows.len();
        Block {
            codes: self.codes.chunks_exact_mut(self.stride).map(|column| &mut column[..rows]).collect(),
            rows: &mut self.rows,
            targets: &mut self.targets,
        }
    }
}

impl Block<'_> {
    /// Moves the codes of a span of rows in the columns that are live: those whose bit is set to the front. Threads take
    /// a column each.
    pub fn divide_codes(
        &mut self,
        span: Range<usize>,
        live: &[Live],
        (isa, mask): (Isa, &[u32]),
        spares: &Spares,
        threads: usize,
        cancel: &Cancel,
    ) -> Result<()> {
        let lock = || spares.lock().unwrap_or_else(PoisonError::into_inner);
        let take = || -> Result<Vec<u16>> {
            let mut spare = lock().pop().unwrap_or_default();
            super::scratch::lengthen(&mut spare, span.len() + SLOP)?;
            Ok(spare)
        };
        let mut wanted = live.iter().filter(|live| !live.is_constant()).map(|live| live.column as usize).peekable();
        let columns = self.codes.iter_mut().enumerate().filter(|(column, _)| wanted.next_if_eq(column).is_some());
        // Without threads to be had, this one does it all.
        let Some(pool) = (threads > 1).then(|| pool::pool(threads).ok()).flatten() else {
            let mut spare = take()?;
            let columns = columns.map(|(_, codes)| &mut codes[span.clone()]);
            let columns = columns.take_while(|_| cancel.check().is_ok());
            partition_columns(isa, columns, span.len(), mask, &mut spare);
            lock().push(spare);
            return cancel.check();
        };
        // A column that was not moved leaves the node unusable, which nobody will use: the work ends with an error.
        let failed = Mutex::new(Ok(()));
        let divide = |codes: &mut [u16]| match cancel.check().and_then(|()| take()) {
            Ok(mut spare) => {
                u16::partition(isa, codes, mask, &mut spare);
                lock().push(spare);
            }
            Err(error) => *failed.lock().unwrap_or_else(PoisonError::into_inner) = Err(error),
        };
        pool.scope(|scope| {
            for (_, codes) in columns {
                let (codes, divide) = (&mut codes[span.clone()], &divide);
                scope.spawn(move |_| divide(codes));
            }
        });
        failed.into_inner().unwrap_or_else(PoisonError::into_inner)
    }

    /// Blocks of spans that stand in order and do not overlap.
    pub fn parts(&mut self, spans: &[Range<usize>]) -> Vec<Block<'_>> {
        let mut parts: Vec<Block<'_>> = pieces(self.rows, spans)
            .into_iter()
            .map(|rows| Block { codes: Vec::with_capacity(self.codes.len()), rows, targets: &mut [] })
            .collect();
        for column in &mut self.codes {
            parts.iter_mut().zip(pieces(column, spans)).for_each(|(part, codes)| part.codes.push(codes));
        }
        if !self.targets.is_empty() {
            parts.iter_mut().zip(pieces(self.targets, spans)).for_each(|(part, targets)| part.targets = targets);
        }
        parts
    }
}

/// Cuts spans that stand in order out of a slice.
fn pieces<'p, T>(mut rest: &'p mut [T], spans: &[Range<usize>]) -> Vec<&'p mut [T]> {
    let mut at = 0;
    let mut pieces = Vec::with_capacity(spans.len());
    for span in spans {
        let (_, behind) = rest.split_at_mut(span.start - at);
        let (piece, behind) = behind.split_at_mut(span.len());
        pieces.push(piece);
        rest = behind;
        at = span.end;
    }
    pieces
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_are_the_spans() {
        let mut numbers: Vec<u32> = (0..10).collect();
        let pieces = pieces(&mut numbers, &[0..2, 2..3, 6..10]);
        assert_eq!(pieces, vec![&[0, 1][..], &[2], &[6, 7, 8, 9]]);
    }
}
