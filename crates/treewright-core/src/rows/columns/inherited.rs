//! Histograms that nodes inherit. After a node was divided, each of its columns is counted for the smaller child only: what
//! then remains of the node's own histogram is that of the larger child.
//!
//! Estimates from such bins rule out less than from bins of the node's own, but never a cut that could win, so that the
//! tree is the same.

use super::bins::Bins;
use super::large::LargeScratch;
use super::node::Live;
use super::tally::{Children, ColumnTally};
use crate::Result;
use crate::sys::memory::room;
use crate::sys::pool::{self, Cancel};
use std::ops::Range;
use std::sync::{Mutex, PoisonError};

/// Smaller nodes are counted anew: that costs less than to look closely at what coarse bins cannot rule out.
const LEAST_ROWS: usize = 1 << 12;

/// The histogram of one column.
#[derive(Debug, Default)]
pub struct Inherited {
    /// Its bins, which may cover more codes than occur.
    pub bins: Bins,
    /// For each class its count in each bin.
    pub counts: Vec<u32>,
}

impl Inherited {
    /// A copy of the counts of each class.
    pub fn of<'c>(bins: &Bins, classes: impl ExactSizeIterator<Item = &'c [u32]>) -> Result<Inherited> {
        let mut counts = room(classes.len() * bins.count())?;
        classes.for_each(|class| counts.extend_from_slice(&class[..bins.count()]));
        Ok(Inherited { bins: *bins, counts })
    }

    /// Whether a histogram of so many bins and classes is worth keeping for this many rows: it takes no more memory than
    /// their codes.
    pub fn pays(rows: usize, bins: usize, classes: usize) -> bool {
        rows >= LEAST_ROWS && 2 * bins * classes <= rows
    }

    /// Whether the rows fill at least a fourth of the bins; else bins of the node's own rule out much more.
    pub fn is_fine(&self) -> bool {
        let bins = self.bins.count();
        let (mut first, mut last) = (bins, 0);
        for counts in self.counts.chunks_exact(bins) {
            first = counts.iter().position(|&count| count > 0).map_or(first, |bin| bin.min(first));
            last = counts.iter().rposition(|&count| count > 0).map_or(last, |bin| bin.max(last));
        }
        self.bins.single() || 4 * (last + 1).saturating_sub(first) >= bins
    }
}

/// The histograms of a node, one for each live column that has one.
pub type NodeHistograms = Vec<Option<Inherited>>;

/// Divides the histograms of a node among its children, whose rows stand in two spans that follow each other; `columns` are
/// the codes of all columns.
pub fn divide<T: ColumnTally>(
    tally: &T,
    (total, totals): (&T::Total, &[T::Total; 2]),
    (columns, live, spans): (&[&mut [u16]], &[Live], [Range<usize>; 2]),
    histograms: NodeHistograms,
    scratches: &Mutex<Vec<LargeScratch<T>>>,
    (threads, cancel): (usize, &Cancel),
) -> Result<[NodeHistograms; 2]> {
    let turned = spans[1].len() < spans[0].len();
    let small = &spans[usize::from(turned)];
    let [low, high] = totals;
    let children = match turned {
        false => Children { node: total, small: low, large: high },
        true => Children { node: total, small: high, large: low },
    };
    let one = |(live, inherited): (&Live, Option<Inherited>)| -> Result<[Option<Inherited>; 2]> {
        cancel.check()?;
        let Some(inherited) = inherited else { return Ok([None, None]) };
        let lock = || scratches.lock().unwrap_or_else(PoisonError::into_inner);
        let mut scratch = lock().pop().unwrap_or_default();
        let codes = &columns[live.column as usize][small.clone()];
        let divided = tally.subtract(inherited, &children, codes, scratch.histogram());
        lock().push(scratch);
        divided
    };
    let (mut few, mut many) = (Vec::with_capacity(live.len()), Vec::with_capacity(live.len()));
    for pair in pool::each(threads, live.iter().zip(histograms).collect(), one)? {
        let [counted, rest] = pair?;
        few.push(counted);
        many.push(rest);
    }
    Ok(if turned { [many, few] } else { [few, many] })
}
