//! Nodes whose rows lie in several processes. What each process has of each value of a column is added up everywhere, and
//! the sums are searched as if each were a row: the searches are those of lists.
//!
//! All processes decide the same from the same sums, so only sums are sent.

use super::coarse::BinSums;
use super::{List, Node};
use crate::Result;
use crate::codes::ordered::{from_ordered_bits, ordered_bits};
use crate::codes::ranks::RankedColumn;
use crate::model::tree::Question;
use crate::split::choose::Candidate;
use crate::split::column::{best_division, best_shared_split};
use crate::split::priced_threshold::thresholds_everywhere;
use crate::split::subset::SubsetSearch;
use crate::split::unknowns::Unknowns;
use crate::stats::criterion::{AnyCriterion, Criterion, Stat, merge};
use crate::stats::entry::Entry;
use crate::stats::portable::add_everywhere;
use crate::stats::summed::Summed;
use crate::sys::memory::{collected, filled, room};
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

/// A question about numbers whose threshold depends on the numbers of all processes.
struct OpenCut {
    /// Its place among the candidates.
    place: usize,
    feature: u32,
    /// The numbers of the node around it.
    between: (f64, f64),
}

impl<C: Criterion> List<'_, C> {
    /// Adds the rows of the other processes to the sums of nodes.
    pub(super) fn add_those_of_others(&self, nodes: &mut [Node<C::Stat>]) -> Result<()> {
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
    pub(super) fn candidates_everywhere(&mut self, node: &Node<C::Stat>, out: &mut Vec<Candidate>) -> Result<()> {
        match (self.rules.unknowns, self.rules.sampling) {
            // How many different numbers a node has is a part of what a cut costs: all of them must be sent.
            (Unknowns::Share(_), _) => self.shared_splits_everywhere(node, out),
            (_, None) => self.divisions_everywhere(node, &node.features, out),
            (_, Some(sampling)) => self.drawn_splits_everywhere(node, &sampling, out),
        }
    }

    /// The best division by each column: by categories, and by bins of numbers; then the numbers of bins that may hold a
    /// better cut.
    pub(super) fn divisions_everywhere(
        &self,
        node: &Node<C::Stat>,
        features: &[u32],
        out: &mut Vec<Candidate>,
    ) -> Result<()> {
        let mut sums = room(features.len())?;
        let mut levels = self.totals_of_levels(node, features)?.into_iter();
        let mut bins = self.bin_sums(node, features)?.into_iter();
        let mut by_bins = room(features.len())?;
        for &feature in features {
            let (own, totals) = match levels.next().flatten() {
                Some(totals) => (None, Some(totals)),
                None => {
                    let own = bins.next();
                    let closed = |sums: &BinSums<_>| self.totals_of_bins(feature, sums, &[], None);
                    let totals = own.as_ref().map(closed).transpose()?;
                    (own, totals)
                }
            };
            let best = totals.map(|totals| self.best_of_totals(feature, node, &totals)).transpose()?.flatten();
            by_bins.push(best);
            sums.push(own);
        }
        let (cost, weight) = (self.criterion.cost(&node.stats), self.criterion.weight(&node.stats));
        let left = |split: &Option<Candidate>| split.as_ref().map_or(f64::INFINITY, |best| cost - best.gain * weight);
        let least = by_bins.iter().map(left).fold(f64::INFINITY, f64::min);
        for ((&feature, sums), mut best) in features.iter().zip(sums).zip(by_bins) {
            self.cancel.check()?;
            let most = if self.is_best_enough { least } else { left(&best) };
            if let Some(sums) = sums
                && let Some(totals) = self.look_into_bins(feature, node, &sums, most + BEYOND_TIES * cost)?
            {
                best = self.best_of_totals(feature, node, &totals)?;
            }
            out.extend(best);
        }
        Ok(())
    }

    fn shared_splits_everywhere(&self, node: &Node<C::Stat>, out: &mut Vec<Candidate>) -> Result<()> {
        let mut levels = self.totals_of_levels(node, &node.features)?.into_iter();
        let mut cuts = Vec::new();
        for &feature in node.features.iter() {
            self.cancel.check()?;
            let column = &self.columns[feature as usize];
            let totals = match levels.next().flatten() {
                Some(totals) => totals,
                None => self.totals_of_numbers(column, &node.entries)?,
            };
            let Some(split) = self.best_of_totals(feature, node, &totals)? else { continue };
            if let (Unknowns::Share(_), Question::Threshold(cut)) = (self.rules.unknowns, &split.way.question) {
                cuts.push(OpenCut { place: out.len(), feature, between: totals.around(*cut) });
            }
            out.push(split);
        }
        self.settle_cuts(&cuts, out)
    }

    fn best_of_totals(
        &self,
        feature: u32,
        node: &Node<C::Stat>,
        totals: &Totals<C::Stat>,
    ) -> Result<Option<Candidate>> {
        let summed = totals.by(self.criterion);
        let criterion: AnyCriterion<'_, C::Stat> = &summed;
        let (column, entries) = (&totals.column, totals.entries()?);
        if let Unknowns::Share(rules) = &self.rules.unknowns {
            let weight = self.criterion.weight(&node.stats);
            let split = best_shared_split(&criterion, column, &entries, weight, rules, self.cancel)?;
            return Ok(split.map(|split| self.shared(feature, split)));
        }
        let rules = self.division_rules(feature, node, self.criterion.cost(&node.stats));
        let division = best_division(&criterion, column, &entries, rules, self.rules.subsets, self.cancel)?;
        Ok(division.map(|division| self.divided(feature, node, division)))
    }

    /// Sets thresholds that depend on the numbers of the whole table.
    fn settle_cuts(&self, cuts: &[OpenCut], candidates: &mut [Candidate]) -> Result<()> {
        let Unknowns::Share(rules) = &self.rules.unknowns else { return Ok(()) };
        let asked = cuts.iter().map(|cut| (cut.feature, cut.between));
        let thresholds = thresholds_everywhere(&self.columns, asked, rules, self.peers)?;
        for (cut, threshold) in cuts.iter().zip(thresholds) {
            candidates[cut.place].way.question = Question::Threshold(threshold);
        }
        Ok(())
    }

    /// The rows of a node by the level of each of some columns, added up at once; None where it holds numbers.
    pub(super) fn totals_of_levels(
        &self,
        node: &Node<C::Stat>,
        wanted: &[u32],
    ) -> Result<Vec<Option<Totals<C::Stat>>>> {
        let width = self.criterion.width();
        let features = || wanted.iter().copied().filter(|&f| !self.columns[f as usize].is_numeric());
        let places = |feature: u32| self.columns[feature as usize].levels() as usize + 1;
        let all: usize = features().map(places).sum();
        let (mut counts, mut stats) = (filled(0u64, all)?, filled(C::Stat::default(), all * width)?);
        let mut start = 0;
        for feature in features() {
            let column = &self.columns[feature as usize];
            for entry in &node.entries {
                let level = column.levels().min(column.codes()[entry.row as usize]) as usize + start;
                counts[level] += 1;
                let own = &mut stats[level * width..(level + 1) * width];
                self.criterion.add(own, entry.row as usize, entry.weight);
            }
            start += places(feature);
        }
        add_everywhere(self.peers, &mut counts)?;
        add_everywhere(self.peers, &mut stats)?;
        let (mut counts, mut stats) = (&counts[..], &stats[..]);
        let mut totals = room(wanted.len())?;
        for &feature in wanted {
            let column = &self.columns[feature as usize];
            if column.is_numeric() {
                totals.push(None);
                continue;
            }
            let (own_counts, other_counts) = counts.split_at(places(feature));
            let (own_stats, other_stats) = stats.split_at(places(feature) * width);
            (counts, stats) = (other_counts, other_stats);
            let counts = collected(own_counts.iter().map(|&count| count as u32))?;
            let column = RankedColumn::of_levels(column.levels()).with_missing(column.has_missing());
            totals.push(Some(Totals { column, stats: own_stats.to_vec(), counts }));
        }
        Ok(totals)
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

/// How many rows each value has, their statistics, and the values that are numbers.
type Union<S> = (Vec<u32>, Vec<S>, Vec<f64>);

/// The values of all lists in their order, each once, missing values last.
fn union_of<S: Stat>(lists: &[Vec<u8>], width: usize) -> Result<Union<S>> {
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
    let mut union: Union<S> = (room(order.len())?, room(stats.len())?, room(order.len())?);
    for run in order.chunk_by(|a, b| a.0 == b.0) {
        let start = union.1.len();
        union.0.push(run.iter().map(|(_, place)| counts[*place]).sum());
        union.1.resize(start + width, S::default());
        run.iter().for_each(|(_, place)| merge(&mut union.1[start..], &stats[place * width..(place + 1) * width]));
        if run[0].0 != MISSING_BITS {
            union.2.push(from_ordered_bits(run[0].0));
        }
    }
    Ok(union)
}
