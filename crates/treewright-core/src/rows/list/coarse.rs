//! Numbers of a node in several processes, first in bins, then one by one where the best cut may be.
//!
//! Sending every number of a large node would take as long as sending its rows. Bins are the same in all processes, so
//! their sums can be added. A cut inside a bin leaves at least what the rows below the bin, those above it and those
//! without a number cost apart from each other, since no division of a set costs more than the set. Most bins can be ruled
//! out by that; only the numbers of the others are sent.

use super::merge::Totals;
use super::{List, ListNode};
use crate::Result;
use crate::codes::ordered::{from_ordered_bits, ordered_bits};
use crate::codes::ranks::RankedColumn;
use crate::data::table::MISSING;
use crate::peers::Peers;
use crate::stats::criterion::{Criterion, merge, remove};
use crate::sys::memory::{collected, copied, filled, room};

/// The most bins of a column.
const MAX_BINS: usize = 1 << 10;
/// Numbers that a process gives to the sample from which the bins follow.
const SAMPLE: usize = 1 << 12;

/// The bins of one column.
#[derive(Debug, Default)]
pub struct Bins {
    /// The bin of each rank of the column in this process.
    of_rank: Vec<u16>,
    count: usize,
}

impl Bins {
    /// The bins of each column; none of a categorical one. They follow from a sample of all processes.
    pub fn all(columns: &[RankedColumn<'_>], peers: &dyn Peers) -> Result<Vec<Bins>> {
        let mut rows = [columns.first().map_or(0, |column| column.codes().len() as u64)];
        peers.add(&mut rows)?;
        // As many bins as rows in each of them: the sums of all bins cost as much as the numbers of one.
        let most = (rows[0].isqrt() as usize).clamp(2, MAX_BINS);
        let mut bins = room(columns.len())?;
        for column in columns {
            bins.push(if column.is_numeric() { Bins::new(column, most, peers)? } else { Bins::default() });
        }
        Ok(bins)
    }

    fn new(column: &RankedColumn<'_>, most: usize, peers: &dyn Peers) -> Result<Bins> {
        let codes = column.codes();
        let step = codes.len().div_ceil(SAMPLE).max(1);
        let known = codes.iter().step_by(step).filter(|&&code| code != MISSING);
        let bytes: Vec<u8> = known.flat_map(|&code| column.values()[code as usize].to_le_bytes()).collect();
        let mut sample = Vec::new();
        for bytes in peers.gather(&bytes)? {
            let numbers = bytes.as_chunks::<8>().0.iter().map(|bytes| f64::from_le_bytes(*bytes));
            sample.extend(numbers);
        }
        sample.sort_unstable_by(f64::total_cmp);
        sample.dedup();
        let step = sample.len().div_ceil(most).max(1);
        // The last number of each bin but the last.
        let ends: Vec<f64> = sample.chunks_exact(step).map(|chunk| chunk[step - 1]).collect();
        let bin_of = |number: &f64| ends.partition_point(|end| end < number) as u16;
        Ok(Bins { of_rank: collected(column.values().iter().map(bin_of))?, count: ends.len() + 1 })
    }
}

/// The rows of a node by the bin of their number in one column, in all processes.
#[derive(Debug)]
pub(super) struct BinSums<S> {
    /// How many rows each bin has; missing values last.
    counts: Vec<u64>,
    /// Their statistics.
    stats: Vec<S>,
    /// The least number of each bin as the inverse of its ordered bits, and the greatest as these; 0 of an empty one.
    ends: Vec<[u64; 2]>,
}

impl<S> BinSums<S> {
    /// The least and the greatest number; None where no row has one.
    pub fn range(&self) -> Option<(f64, f64)> {
        let mut filled = (0..self.ends.len()).filter(|&bin| self.counts[bin] > 0).map(|bin| self.range_of(bin));
        let first = filled.next()?;
        Some((first.0, filled.next_back().unwrap_or(first).1))
    }

    /// The same of one bin that has rows.
    fn range_of(&self, bin: usize) -> (f64, f64) {
        let [least, greatest] = self.ends[bin];
        (from_ordered_bits(!least), from_ordered_bits(greatest))
    }

    /// For each bin whether a cut lies inside it.
    pub fn have_inside(&self, cut: f64) -> Result<Vec<bool>> {
        let has_inside = |bin: usize| {
            let (least, greatest) = self.range_of(bin);
            self.counts[bin] > 0 && least <= cut && cut < greatest
        };
        collected((0..self.ends.len()).map(has_inside))
    }
}

impl<C: Criterion> List<'_, C> {
    /// The sums of a node for each of some columns that holds numbers, added up at once.
    pub(super) fn bin_sums(&self, node: &ListNode<C::Stat>, features: &[u32]) -> Result<Vec<BinSums<C::Stat>>> {
        let numeric = features.iter().filter(|&&feature| self.columns[feature as usize].is_numeric());
        let places: Vec<(u32, usize)> = collected(numeric.map(|&f| (f, self.bins[f as usize].count + 1)))?;
        let mut ends = places.iter().map(|(_, places)| filled([0; 2], places - 1)).collect::<Result<Vec<_>>>()?;
        let place_of = |at: usize, code: u32| {
            let (feature, missing) = (places[at].0 as usize, places[at].1 - 1);
            let place = self.bins[feature].of_rank.get(code as usize).map_or(missing, |&bin| bin as usize);
            if let Some([least, greatest]) = ends[at].get_mut(place) {
                // Both zeros are one number.
                let bits = ordered_bits(self.columns[feature].values()[code as usize] + 0.0);
                (*least, *greatest) = ((*least).max(!bits), (*greatest).max(bits));
            }
            place
        };
        let mut all = self.sums_by_place(node, &places, place_of, |_, counts, stats| {
            Ok(BinSums { counts: copied(counts)?, stats: copied(stats)?, ends: Vec::new() })
        })?;
        let mut words = collected(ends.iter().flatten().flatten().copied())?;
        self.peers.max(&mut words)?;
        let mut rest = words.as_chunks::<2>().0;
        for (sums, own) in all.iter_mut().zip(ends) {
            let (everywhere, others) = rest.split_at(own.len());
            (sums.ends, rest) = (copied(everywhere)?, others);
        }
        Ok(all)
    }

    /// The sums as those of a column with one number a bin; in the places of `open` bins, if any, stand their numbers.
    pub(super) fn totals_of_bins(
        &self,
        feature: u32,
        node: &ListNode<C::Stat>,
        sums: &BinSums<C::Stat>,
        open: &[bool],
    ) -> Result<Totals<C::Stat>> {
        let numbers = match open.contains(&true) {
            true => Some(self.totals_of_open_bins(feature, node, open)?),
            false => None,
        };
        let width = self.criterion.width();
        let (mut least, mut greatest) = (Vec::new(), Vec::new());
        let (mut stats, mut counts) = (Vec::new(), Vec::new());
        let mut next = 0;
        for bin in (0..sums.ends.len()).filter(|&bin| sums.counts[bin] > 0) {
            let (low, high) = sums.range_of(bin);
            let Some(numbers) = numbers.as_ref().filter(|_| open[bin]) else {
                least.push(low);
                greatest.push(high);
                counts.push(sums.counts[bin] as u32);
                stats.extend_from_slice(&sums.stats[bin * width..(bin + 1) * width]);
                continue;
            };
            let end = numbers.column.values().partition_point(|&number| number <= high);
            least.extend_from_slice(&numbers.column.values()[next..end]);
            greatest.extend_from_slice(&numbers.column.values()[next..end]);
            counts.extend_from_slice(&numbers.counts[next..end]);
            stats.extend_from_slice(&numbers.stats[next * width..end * width]);
            next = end;
        }
        let missing = sums.counts[sums.ends.len()] as u32;
        if missing > 0 {
            counts.push(missing);
            stats.extend_from_slice(&sums.stats[sums.ends.len() * width..]);
        }
        let column = RankedColumn::of_numbers(least, greatest, missing > 0);
        Ok(Totals { column: column.with_missing(self.columns[feature as usize].has_missing()), stats, counts })
    }

    /// The numbers of some bins.
    fn totals_of_open_bins(&self, feature: u32, node: &ListNode<C::Stat>, open: &[bool]) -> Result<Totals<C::Stat>> {
        let (of_rank, column) = (&self.bins[feature as usize].of_rank, &self.columns[feature as usize]);
        let is_open = |code: u32| of_rank.get(code as usize).is_some_and(|&bin| open[bin as usize]);
        let entries = node.entries.iter().filter(|entry| is_open(column.codes()[entry.row as usize]));
        self.totals_of_numbers(column, &collected(entries.copied())?)
    }

    /// For each bin whether a cut inside it may leave no more than this.
    pub(super) fn bins_to_open(&self, sums: &BinSums<C::Stat>, most: f64) -> Result<Vec<bool>> {
        let (criterion, width, bins) = (self.criterion, self.criterion.width(), sums.ends.len());
        let stats_of = |bin: usize| &sums.stats[bin * width..(bin + 1) * width];
        let (mut below, mut above) = (filled(C::Stat::default(), width)?, filled(C::Stat::default(), width)?);
        (0..bins).for_each(|bin| merge(&mut above, stats_of(bin)));
        let missing = criterion.cost(stats_of(bins));
        let mut open = filled(false, bins)?;
        for (bin, [least, greatest]) in sums.ends.iter().enumerate() {
            remove(&mut above, stats_of(bin));
            let apart = criterion.cost(&below) + criterion.cost(&above) + missing;
            // A bin with one number has no cut inside.
            open[bin] = sums.counts[bin] > 0 && !least != *greatest && apart <= most;
            merge(&mut below, stats_of(bin));
        }
        Ok(open)
    }
}
