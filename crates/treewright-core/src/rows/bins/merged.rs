//! Histograms of rows that several processes hold. Each adds up its own rows; then all add their sums and search the same
//! histograms, or, where the processes are many, each gets the sums of some columns, searches those, and tells the others
//! the best question that it has found.

use super::Bins;
use super::criterion::BestSplit;
use super::histogram_pool::Histograms;
use super::packed::{RUN, Wide, hessian};
use super::sides::Side;
use super::store::Store;
use crate::peers::Peers;
use crate::stats::portable::add_everywhere;
use crate::{Error, Result};
use std::ops::Range;

/// Which columns each process searches, where not all search all of them.
#[derive(Debug)]
pub struct ColumnSlices {
    /// The places of the histograms of each process, which follow each other and cover all places.
    places: Vec<Range<usize>>,
    /// For each column, whether it is searched by this process.
    own: Vec<bool>,
}

impl ColumnSlices {
    /// None where every process searches all columns.
    pub fn new(peers: &dyn Peers, store: &Store) -> Option<ColumnSlices> {
        if peers.size() == 1 || !peers.shares_columns() {
            return None;
        }
        let mut ends: Vec<usize> = store.features.iter().map(|feature| feature.place).collect();
        ends.sort_unstable();
        ends.push(store.places);
        // The first column that begins at or behind an even share of the places.
        let bound = |rank: usize| ends[ends.partition_point(|&end| end < store.places * rank / peers.size())];
        let places: Vec<Range<usize>> = (0..peers.size()).map(|rank| bound(rank)..bound(rank + 1)).collect();
        let own = store.features.iter().map(|feature| places[peers.rank()].contains(&feature.place)).collect();
        Some(ColumnSlices { places, own })
    }

    /// Whether this process searches a column.
    pub fn has(&self, feature: usize) -> bool {
        self.own[feature]
    }
}

/// The words of a message about a question: column, merit, whether it needs no counting, kind of side, side, left sum.
const SPLIT_WORDS: usize = 10;

impl Bins<'_> {
    /// Adds the histograms of all processes.
    pub(super) fn merge_all(&self, sums: &mut Histograms) -> Result<()> {
        if self.peers.size() > 1 {
            self.peers.add(words_of(sums))?;
        }
        Ok(())
    }

    /// What all processes know of the children of a node of `rows` rows that was just divided into `totals`, in one message:
    /// how many rows go to the first child, of which `front` are here, and the histograms of the child that was added up, if
    /// the children may be divided again; `parent` are the histograms of the node.
    pub(super) fn merge_children(
        &self,
        front: u64,
        rows: u64,
        totals: [Wide; 2],
        lighter: Option<(usize, Histograms)>,
        parent: Option<&Histograms>,
    ) -> Result<(u64, Option<(usize, Histograms)>)> {
        if self.peers.size() == 1 {
            return Ok((front, lighter));
        }
        self.cancel.check()?;
        let Some((few, sums)) = lighter else {
            let mut fronts = [front];
            add_everywhere(self.peers, &mut fronts)?;
            return Ok((fronts[0], None));
        };
        // The rows of the other child have at least so much hessian.
        let least_others = hessian(totals[1 - few]).div_ceil(self.criterion.most.max(1));
        let most_rows = (hessian(totals[few]) / self.criterion.least).min(rows.saturating_sub(least_others));
        let is_wide = matches!(parent, Some(Histograms::Wide(_))) && most_rows > RUN;
        let mut sums = if is_wide { self.team.widened(sums) } else { sums };
        let front = if let Some(slices) = &self.slices {
            let words = words_of(&mut sums);
            let width = words.len() / self.store.places.max(1);
            let parts: Vec<_> = slices.places.iter().map(|part| part.start * width..part.end * width).collect();
            self.peers.add_parts(words, &parts)?;
            let mut fronts = [front];
            self.peers.add(&mut fronts)?;
            fronts[0]
        } else {
            sums.push(front);
            self.peers.add(words_of(&mut sums))?;
            sums.pop()
        };
        let sums = match sums {
            Histograms::Wide(sums) => self.team.fitting(sums, if few == 0 { front } else { rows - front }),
            narrow => narrow,
        };
        Ok((front, Some((few, sums))))
    }
}

/// The best of the best questions that the processes have found, each about its own columns, and whether it is sure that
/// both sides have rows enough.
pub(super) fn best_of_processes(
    peers: &dyn Peers,
    own: Option<(BestSplit, bool)>,
) -> Result<Option<(BestSplit, bool)>> {
    let message = own.map_or_else(Vec::new, |(split, is_sure)| write_split(&split, is_sure));
    let splits = peers.gather(&message)?;
    let splits = splits.iter().filter(|bytes| !bytes.is_empty()).map(|bytes| read_split(bytes));
    // The columns of the ranks are not in the order of columns.
    let better = |first: (BestSplit, bool), second: (BestSplit, bool)| {
        let (a, b) = (&first.0, &second.0);
        if b.merit > a.merit || (b.merit == a.merit && b.feature < a.feature) { second } else { first }
    };
    Ok(splits.collect::<Result<Vec<_>>>()?.into_iter().reduce(better))
}

/// Sums as words, where they stand: those with 128 bits are two, hessian and gradient, between which nothing is ever
/// carried.
fn words_of(sums: &mut Histograms) -> &mut [u64] {
    match sums {
        Histograms::Narrow(sums) => sums,
        Histograms::Wide(sums) => {
            let sums: &mut [Wide] = sums;
            // SAFETY: the words are those of the borrowed sums; words need no more alignment, and any bits are a sum.
            unsafe { std::slice::from_raw_parts_mut(sums.as_mut_ptr().cast(), 2 * sums.len()) }
        }
    }
}

fn write_split(split: &BestSplit, is_sure: bool) -> Vec<u8> {
    let (kind, side) = match split.side {
        Side::UpTo { last, also } => (0, [u64::from(last), u64::from(also), 0, 0]),
        Side::Set(bits) => (1, bits),
    };
    let [a, b, c, d] = side;
    let left = [split.left as u64, (split.left >> 64) as u64];
    let words: [u64; SPLIT_WORDS] =
        [split.feature as u64, split.merit.to_bits(), u64::from(is_sure), kind, a, b, c, d, left[0], left[1]];
    words.iter().flat_map(|word| word.to_le_bytes()).collect()
}

fn read_split(bytes: &[u8]) -> Result<(BestSplit, bool)> {
    let words: Vec<u64> = bytes.as_chunks::<8>().0.iter().map(|bytes| u64::from_le_bytes(*bytes)).collect();
    let [feature, merit, is_sure, kind, a, b, c, d, low, high] = words[..] else {
        return Err(Error::data("fit.peers", "another process of the fit has sent half a message about a split"));
    };
    let side = if kind == 0 { Side::UpTo { last: a as u8, also: b as u8 } } else { Side::Set([a, b, c, d]) };
    let left = Wide::from(high) << 64 | Wide::from(low);
    Ok((BestSplit { feature: feature as usize, merit: f64::from_bits(merit), side, left }, is_sure == 1))
}
