//! Nodes whose rows lie in several processes. What each process has of each value of a column is added up everywhere, and
//! the sums are searched as if each were a row: the searches are those of lists.
//!
//! All processes decide the same from the same sums, so only sums are sent.

use super::{List, ListNode};
use crate::Result;
use crate::codes::ordered::{from_ordered_bits, ordered_bits};
use crate::codes::ranks::RankedColumn;
use crate::model::tree::Question;
use crate::split::choose::Candidate;
use crate::split::priced_threshold::thresholds_everywhere;
use crate::split::shared::ShareRules;
use crate::split::subset::SubsetSearch;
use crate::split::unknowns::Unknowns;
use crate::stats::criterion::{AnyCriterion, Criterion, Stat, merge};
use crate::stats::entry::Entry;
use crate::stats::portable::add_everywhere;
use crate::stats::summed::Summed;
use crate::sys::memory::{collected, copied, filled, room};
use crate::tolerance::BEYOND_TIES;

/// The rows of a node by their value in one column, in all processes.
pub(super) struct Totals<S> {
    /// Each value once.
    pub column: RankedColumn<'static>,
    /// The statistics of each value, one after the other.
    pub stats: Vec<S>,
    /// How many rows have each value.
    pub counts: Vec<u32>,
}

impl<S> Totals<S> {
    /// The criterion for which each value is a row.
    pub(super) fn by<'a>(&'a self, criterion: AnyCriterion<'a, S>) -> Summed<'a, S> {
        Summed { criterion, stats: &self.stats, counts: &self.counts }
    }

    /// The values that occur, as rows.
    pub(super) fn entries(&self) -> Result<Vec<Entry>> {
        let rows = self.counts.iter().zip(0u32..).filter(|(count, _)| **count > 0);
        collected(rows.map(|(_, row)| Entry { row, weight: 1 }))
    }

    /// The numbers around a cut between two of them.
    fn around(&self, cut: f64) -> (f64, f64) {
        let values = self.column.values();
        let above = values.partition_point(|&number| number <= cut);
        (values[above - 1], values[above])
    }
}

/// What a missing value is in place of the ordered bits of a number.
const MISSING_BITS: u64 = u64::MAX;

impl<C: Criterion> List<'_, C> {
    /// Adds the rows of the other processes to the sums of nodes.
    pub(super) fn add_those_of_others(&self, nodes: &mut [ListNode<C::Stat>]) -> Result<()> {
        if self.peers.size() == 1 {
            return Ok(());
        }
        let mut words = Vec::new();
        for node in nodes.iter() {
            words.push(node.count);
            node.stats.iter().for_each(|stat| stat.put_words(&mut words));
        }
        self.peers.add(&mut words)?;
        let mut rest = &words[..];
        for node in nodes {
            (node.count, rest) = (rest[0], &rest[1..]);
            for stat in &mut node.stats {
                let (own, others) = rest.split_at(C::Stat::WORDS);
                (*stat, rest) = (C::Stat::from_words(own), others);
            }
        }
        Ok(())
    }

    /// The best split of each column of a node whose rows lie in several processes.
    pub(super) fn candidates_everywhere(&mut self, node: &ListNode<C::Stat>, out: &mut Vec<Candidate>) -> Result<()> {
        match (self.rules.unknowns, self.rules.sampling) {
            // How many different numbers a node has is a part of what a cut costs: all of them must be sent.
            (Unknowns::Share(rules), _) => self.shared_splits_everywhere(node, &rules, out),
            (_, None) => self.divisions_everywhere(node, &node.start.features, out),
            (_, Some(sampling)) => self.drawn_splits_everywhere(node, &sampling, out),
        }
    }

    /// The best division by each column: by categories, and by bins of numbers; then the numbers of bins that may hold a
    /// better cut.
    pub(super) fn divisions_everywhere(
        &self,
        node: &ListNode<C::Stat>,
        features: &[u32],
        out: &mut Vec<Candidate>,
    ) -> Result<()> {
        let mut levels = self.totals_of_levels(node, features)?.into_iter();
        let mut bins = self.bin_sums(node, features)?.into_iter();
        let mut splits = room(features.len())?;
        for &feature in features {
            let (sums, totals) = match levels.next().flatten() {
                Some(totals) => (None, totals),
                None => {
                    let Some(sums) = bins.next() else { break };
                    let totals = self.totals_of_bins(feature, node, &sums, &[])?;
                    (Some(sums), totals)
                }
            };
            splits.push((feature, sums, self.best_of_totals(feature, node, &totals)?));
        }
        let (cost, weight) = (self.criterion.cost(&node.stats), self.criterion.weight(&node.stats));
        let left = |split: &Option<Candidate>| split.as_ref().map_or(f64::INFINITY, |best| cost - best.gain * weight);
        let least = splits.iter().map(|(_, _, best)| left(best)).fold(f64::INFINITY, f64::min);
        for (feature, sums, mut best) in splits {
            self.cancel.check()?;
            let most = if self.is_best_enough { least } else { left(&best) };
            if let Some(sums) = sums {
                let open = self.bins_to_open(&sums, most + BEYOND_TIES * cost)?;
                if open.contains(&true) {
                    best = self.best_of_totals(feature, node, &self.totals_of_bins(feature, node, &sums, &open)?)?;
                }
            }
            out.extend(best);
        }
        Ok(())
    }

    fn shared_splits_everywhere(
        &self,
        node: &ListNode<C::Stat>,
        rules: &ShareRules,
        out: &mut Vec<Candidate>,
    ) -> Result<()> {
        let mut levels = self.totals_of_levels(node, &node.start.features)?.into_iter();
        // The places of questions about numbers, and the numbers around their cuts.
        let (mut places, mut around) = (Vec::new(), Vec::new());
        for &feature in node.start.features.iter() {
            self.cancel.check()?;
            let totals = match levels.next().flatten() {
                Some(totals) => totals,
                None => self.totals_of_numbers(&self.columns[feature as usize], &node.entries)?,
            };
            let Some(split) = self.best_of_totals(feature, node, &totals)? else { continue };
            if let Question::Threshold(cut) = split.way.question {
                places.push(out.len());
                around.push((feature, totals.around(cut)));
            }
            out.push(split);
        }
        // Thresholds depend on the numbers of the whole table.
        let thresholds = thresholds_everywhere(&self.columns, around.into_iter(), rules, self.peers)?;
        for (place, threshold) in places.into_iter().zip(thresholds) {
            out[place].way.question = Question::Threshold(threshold);
        }
        Ok(())
    }

    fn best_of_totals(
        &self,
        feature: u32,
        node: &ListNode<C::Stat>,
        totals: &Totals<C::Stat>,
    ) -> Result<Option<Candidate>> {
        let summed = totals.by(self.criterion);
        let criterion: AnyCriterion<'_, C::Stat> = &summed;
        self.best_split(feature, node, (&criterion, &totals.column), &totals.entries()?)
    }

    /// The rows of a node by places, added up in all processes. `place_of` tells the place of a code in one of some columns,
    /// each given with the number of its places; `sums_of` is told for each column how many rows each place has, and what
    /// they add up to.
    pub(super) fn sums_by_place<T>(
        &self,
        node: &ListNode<C::Stat>,
        columns: &[(u32, usize)],
        mut place_of: impl FnMut(usize, u32) -> usize,
        sums_of: impl Fn(u32, &[u64], &[C::Stat]) -> Result<T>,
    ) -> Result<Vec<T>> {
        let width = self.criterion.width();
        let all: usize = columns.iter().map(|(_, places)| places).sum();
        let (mut counts, mut stats) = (filled(0u64, all)?, filled(C::Stat::default(), all * width)?);
        let mut start = 0;
        for (position, &(feature, places)) in columns.iter().enumerate() {
            let codes = self.columns[feature as usize].codes();
            for entry in &node.entries {
                let place = start + place_of(position, codes[entry.row as usize]);
                counts[place] += 1;
                self.criterion.add(&mut stats[place * width..][..width], entry.row as usize, entry.weight);
            }
            start += places;
        }
        add_everywhere(self.peers, &mut counts)?;
        add_everywhere(self.peers, &mut stats)?;
        let (mut sums, mut start) = (room(columns.len())?, 0);
        for &(feature, places) in columns {
            let end = start + places;
            sums.push(sums_of(feature, &counts[start..end], &stats[start * width..end * width])?);
            start = end;
        }
        Ok(sums)
    }

    /// The rows of a node by the level of each of some columns, added up at once; None where it holds numbers.
    pub(super) fn totals_of_levels(
        &self,
        node: &ListNode<C::Stat>,
        wanted: &[u32],
    ) -> Result<Vec<Option<Totals<C::Stat>>>> {
        let column = |feature: u32| &self.columns[feature as usize];
        let with_levels = wanted.iter().filter(|&&feature| !column(feature).is_numeric());
        let places = with_levels.map(|&feature| (feature, column(feature).levels() as usize + 1));
        let places: Vec<(u32, usize)> = collected(places)?;
        let place_of = |at: usize, code: u32| (places[at].1 - 1).min(code as usize);
        let totals = self.sums_by_place(node, &places, place_of, |feature, counts, stats| {
            let column = column(feature);
            let counts = collected(counts.iter().map(|&count| count as u32))?;
            let column = RankedColumn::of_levels(column.levels()).with_missing(column.has_missing());
            Ok(Totals { column, stats: copied(stats)?, counts })
        })?;
        let mut totals = totals.into_iter();
        collected(wanted.iter().map(|&feature| if column(feature).is_numeric() { None } else { totals.next() }))
    }

    /// The rows of each number of a column.
    pub(super) fn totals_of_numbers(&self, column: &RankedColumn<'_>, entries: &[Entry]) -> Result<Totals<C::Stat>> {
        let single = matches!(self.rules.unknowns, Unknowns::Share(rules) if rules.compare_as_f32);
        let bits_of = |code: u32| match column.values().get(code as usize) {
            // Both zeros are one number.
            Some(&number) => ordered_bits(if single { f64::from(number as f32) } else { number } + 0.0),
            None => MISSING_BITS,
        };
        let (mut bytes, mut last) = (Vec::new(), 0);
        for (code, stats, count) in SubsetSearch::of(self.criterion, column, entries)?.levels() {
            let bits = bits_of(code);
            (bits - last).put_bytes(&mut bytes);
            u64::from(count).put_bytes(&mut bytes);
            stats.iter().for_each(|stat| stat.put_bytes(&mut bytes));
            last = bits;
        }
        let lists = self.peers.gather(&bytes)?;
        let (counts, stats, numbers) = union_of(&lists, self.criterion.width())?;
        let missing = numbers.len() < counts.len();
        let column = RankedColumn::of_numbers(numbers, Vec::new(), missing).with_missing(column.has_missing());
        Ok(Totals { column, stats, counts })
    }
}

/// The values of all lists in their order, each once, missing values last: how many rows each value has, their statistics,
/// and the values that are numbers.
fn union_of<S: Stat>(lists: &[Vec<u8>], width: usize) -> Result<(Vec<u32>, Vec<S>, Vec<f64>)> {
    let (mut order, mut counts, mut stats) = (Vec::new(), Vec::new(), Vec::new());
    for list in lists {
        let (mut rest, mut bits) = (&list[..], 0u64);
        while !rest.is_empty() {
            bits = bits.wrapping_add(u64::take_bytes(&mut rest)?);
            order.push((bits, counts.len()));
            counts.push(u64::take_bytes(&mut rest)? as u32);
            for _ in 0..width {
                stats.push(S::take_bytes(&mut rest)?);
            }
        }
    }
    // Each list is in order: a stable sort merges them.
    order.sort();
    let (mut sums, mut all, mut numbers) = (room(order.len())?, room(stats.len())?, room(order.len())?);
    for run in order.chunk_by(|a, b| a.0 == b.0) {
        let start = all.len();
        sums.push(run.iter().map(|(_, place)| counts[*place]).sum());
        all.resize(start + width, S::default());
        run.iter().for_each(|(_, place)| merge(&mut all[start..], &stats[place * width..(place + 1) * width]));
        if run[0].0 != MISSING_BITS {
            numbers.push(from_ordered_bits(run[0].0));
        }
    }
    Ok((sums, all, numbers))
}
