//! Adding up the histograms of nodes and searching them: all columns of the root, and of two children together.
//!
//! Of the children only the one with fewer rows is added up; the other has what is left of their parent's. Where the rows
//! are few, each thread does all of this for some columns.

use super::chunk::Spans;
use super::criterion::{BestSplit, ColumnSearch, NodeContext};
use super::histogram_pool::{Histograms, Pooled};
use super::merged::best_of_processes;
use super::packed::{AnySum, RUN, Sum, Wide};
use super::scan::{subtract, take};
use super::store::ColumnPart;
use super::{Bins, Node};
use crate::Result;
use crate::stats::portable::add_everywhere;
use std::borrow::Cow;
use std::sync::atomic::{AtomicU64, Ordering};

/// So many columns of a node's best questions are looked at first in its children.
const LIKELY_COLUMNS: usize = 4;

impl Bins<'_> {
    /// Histograms of a node's training rows in this process; wide if the caller says so, or if they are many.
    pub(super) fn add_up(&self, number: usize, wide: bool) -> Histograms {
        let spans = &self.spans[number];
        let rows = spans.iter().map(|spans| spans[0].len() as u64).sum();
        let sums = self.team.sums(self.store.places, rows, spans.len(), self.cancel, |chunk, sums| {
            let groups = 0..self.store.groups.len();
            self.add(chunk, spans, groups, sums.room_for(spans[chunk][0].len() as u64));
        });
        if wide { self.team.widened(sums) } else { sums }
    }

    fn add(&self, chunk: usize, spans: &[Spans], groups: std::ops::Range<usize>, sums: &mut [Sum]) {
        if !spans[chunk][0].is_empty() {
            self.chunk(chunk).add(self.store, groups, spans[chunk], sums);
        }
    }

    /// The best question about a node with these histograms.
    pub(super) fn search(&self, node: &Node, sums: &Histograms) -> Result<Option<BestSplit>> {
        match sums {
            Histograms::Narrow(sums) => self.search_in(node, sums),
            Histograms::Wide(sums) => self.search_in(node, sums),
        }
    }

    fn search_in<S: AnySum>(&self, node: &Node, sums: &[S]) -> Result<Option<BestSplit>> {
        let drawn = self.drawn(node);
        let parts: Vec<&ColumnPart> = self.store.parts.iter().collect();
        let known = AtomicU64::new(0);
        let look = |part: &ColumnPart| self.look(node, part, &sums[part.places.clone()], drawn.as_deref(), &known);
        let bests = self.team.parts(parts, 0, self.store.places, &look);
        self.best(node, bests.into_iter().flatten().collect(), |feature| self.of_column(sums, feature))
    }

    /// The histogram of a column, among those of all.
    fn of_column<'s, S: AnySum>(&self, sums: &'s [S], feature: usize) -> Cow<'s, [S]> {
        Cow::Borrowed(&sums[self.store.features[feature].place..])
    }

    /// Searches those of two children that are open; `rest` are the histograms of their parent, `lighter` which child was
    /// added up already, if one was, and its histograms.
    pub(super) fn search_children(
        &self,
        nodes: &mut [Node; 2],
        open: [bool; 2],
        rest: Histograms,
        lighter: Option<(usize, Histograms)>,
    ) -> Result<()> {
        match rest {
            Histograms::Narrow(rest) => self.search_small_children(nodes, open, rest, lighter),
            Histograms::Wide(rest) => self.search_large_children(nodes, open, rest, lighter),
        }
    }

    /// The same where their parent has so many rows that its sums are wide.
    fn search_large_children(
        &self,
        nodes: &mut [Node; 2],
        open: [bool; 2],
        mut rest: Pooled<Wide>,
        lighter: Option<(usize, Histograms)>,
    ) -> Result<()> {
        let (few, sums) = lighter.unwrap_or_else(|| {
            let few = usize::from(nodes[1].context.rows < nodes[0].context.rows);
            (few, self.add_up(nodes[few].number, nodes[few].context.rows > RUN))
        });
        match &sums {
            Histograms::Narrow(sums) => take(&mut rest, sums),
            Histograms::Wide(sums) => take(&mut rest, sums),
        }
        let rest = self.team.fitting(rest, nodes[1 - few].context.rows);
        let sums = if few == 0 { [sums, rest] } else { [rest, sums] };
        for ((node, sums), open) in nodes.iter_mut().zip(sums).zip(open) {
            if open {
                node.best = self.search(node, &sums)?;
                node.sums = Some(sums);
            }
        }
        Ok(())
    }

    /// The same where they have few rows.
    fn search_small_children(
        &self,
        nodes: &mut [Node; 2],
        open: [bool; 2],
        mut rest: Pooled<Sum>,
        lighter: Option<(usize, Histograms)>,
    ) -> Result<()> {
        let fewer = usize::from(nodes[1].context.rows < nodes[0].context.rows);
        let few = lighter.as_ref().map_or(fewer, |(few, _)| *few);
        let (number, rows) = (nodes[few].number, nodes[few].context.rows);
        let ready = lighter.is_some() || self.team.shares_rows(rows);
        // Their parent's sums fit, so do theirs.
        let mut sums = match lighter.or_else(|| ready.then(|| (few, self.add_up(number, false)))) {
            Some((_, Histograms::Narrow(sums))) => sums,
            _ => self.team.blank(self.store.places),
        };
        let drawn = [0, 1].map(|i| if open[i] { self.drawn(&nodes[i]) } else { None });
        let known = [AtomicU64::new(0), AtomicU64::new(0)];
        let jobs = jobs(&self.store.parts, &mut sums, &mut rest);
        let work = |(part, sums, rest): (&ColumnPart, &mut [Sum], &mut [Sum])| -> [Vec<BestSplit>; 2] {
            if !ready {
                sums.fill(0);
                let spans = &self.spans[number];
                (0..self.chunks.len()).for_each(|chunk| self.add(chunk, spans, part.groups.clone(), sums));
            }
            subtract(self.rules.isa, rest, sums);
            [0, 1].map(|i| {
                let of = if i == few { &*sums } else { &*rest };
                if open[i] { self.look(&nodes[i], part, of, drawn[i].as_deref(), &known[i]) } else { Vec::new() }
            })
        };
        let rows = if ready { 0 } else { rows };
        let mut bests = [Vec::new(), Vec::new()];
        for of_part in self.team.parts(jobs, rows, 2 * self.store.places, &work) {
            bests.iter_mut().zip(of_part).for_each(|(bests, of_part)| bests.extend(of_part));
        }
        let sums = if few == 0 { [sums, rest] } else { [rest, sums] };
        for (((node, bests), sums), open) in nodes.iter_mut().zip(bests).zip(sums).zip(open) {
            if open {
                node.likely = likely_columns(&bests);
                node.best = self.best(node, bests, |feature| self.of_column(&sums, feature))?;
                node.sums = Some(Histograms::Narrow(sums));
            }
        }
        Ok(())
    }

    /// The best questions about the columns of a part, except those that cannot be the best of all; `sums` are the part's.
    /// `known` are the bits of what a question about any column is worth that needs no counting: nothing worth less can win.
    fn look<S: AnySum>(
        &self,
        node: &Node,
        part: &ColumnPart,
        sums: &[S],
        drawn: Option<&[usize]>,
        known: &AtomicU64,
    ) -> Vec<BestSplit> {
        let searched = |feature: &usize| {
            drawn.is_none_or(|drawn| drawn.binary_search(feature).is_ok())
                && self.slices.as_ref().is_none_or(|slices| slices.has(*feature))
        };
        let mut bests = Vec::with_capacity(part.features.len().min(16));
        // The likely columns come first: the more the best question is worth, the fewer others need a search.
        let likely = node.likely.iter().filter(|feature| part.features.contains(feature));
        let others = part.features.iter().filter(|feature| !node.likely.contains(feature));
        for feature in likely.chain(others).copied().filter(searched) {
            let place = self.store.features[feature].place - part.places.start;
            let least = f64::from_bits(known.load(Ordering::Relaxed));
            let Some(best) = self.one(&node.context, feature, &sums[place..], least, None) else { continue };
            // Numbers that are not negative compare like their bits.
            if best.merit > least && self.criterion.proven(&node.context, best.left) {
                known.fetch_max(best.merit.to_bits(), Ordering::Relaxed);
            }
            bests.push(best);
        }
        bests
    }

    /// The best question about one column, whose histogram `sums` begins with; not if it is worth no more than `known`.
    pub(super) fn one<S: AnySum>(
        &self,
        context: &NodeContext,
        feature: usize,
        sums: &[S],
        known: f64,
        counts: Option<&[u64]>,
    ) -> Option<BestSplit> {
        let sign = self.rules.monotone.get(feature).copied().unwrap_or(0);
        let search = ColumnSearch {
            criterion: &self.criterion,
            index: feature,
            feature: &self.store.features[feature],
            sums,
            context,
            counts,
            sign,
            known,
        };
        search.best()
    }

    /// The best of the best questions about columns; of equal ones that of the first column. `sums_of` gives the histogram
    /// of a column.
    pub(super) fn best<'s, S: AnySum + 's>(
        &self,
        node: &Node,
        mut bests: Vec<BestSplit>,
        sums_of: impl Fn(usize) -> Cow<'s, [S]>,
    ) -> Result<Option<BestSplit>> {
        bests.sort_unstable_by_key(|best| best.feature);
        // Few questions leave it open whether both sides have rows enough; then they are counted.
        let mut counted = Vec::new();
        loop {
            let place = place_of_best(&bests);
            let own = place.map(|place| {
                let mut top = bests[place].clone();
                let is_sure = counted.contains(&top.feature) || self.criterion.proven(&node.context, top.left);
                if is_sure {
                    let (feature, sums) = (&self.store.features[top.feature], sums_of(top.feature));
                    self.criterion.settle(&mut top, feature, &sums, &node.context);
                }
                (top, is_sure)
            });
            let best = if self.slices.is_some() { best_of_processes(self.peers, own)? } else { own };
            let Some((best, is_sure)) = best else { return Ok(None) };
            if is_sure {
                return Ok(Some(best));
            }
            let counts = self.counts(node.number, best.feature)?;
            // (The column may be another process's.)
            if let Some(place) = place.filter(|place| bests[*place].feature == best.feature) {
                counted.push(best.feature);
                match self.one(&node.context, best.feature, &sums_of(best.feature), 0.0, Some(&counts)) {
                    Some(better) => bests[place] = better,
                    None => drop(bests.remove(place)),
                }
            }
        }
    }

    /// How many training rows of a node each bin of a column has.
    pub(super) fn counts(&self, number: usize, feature: usize) -> Result<[u64; 256]> {
        let mut counts = [0; 256];
        for (chunk, spans) in self.spans[number].iter().enumerate().filter(|(_, spans)| !spans[0].is_empty()) {
            self.chunk(chunk).count(self.store, feature, *spans, &mut counts);
        }
        add_everywhere(self.peers, &mut counts)?;
        Ok(counts)
    }

    /// The columns that are searched in a node, ascending; None for all.
    pub(super) fn drawn(&self, node: &Node) -> Option<Vec<usize>> {
        let all = self.store.features.len();
        let allowed = self.rules.interactions.columns(&node.groups);
        let count = allowed.as_ref().map_or(all, Vec::len);
        let Some(some) = self.rules.max_features.filter(|&some| some < count) else { return allowed };
        // The first steps of a shuffle; each node draws from places of its own.
        let mut columns = allowed.unwrap_or_else(|| (0..all).collect());
        let place = (node.number * all) as u64;
        for i in 0..some {
            let other = i + self.stream.below(place + i as u64, (count - i) as u64) as usize;
            columns.swap(i, other);
        }
        columns.truncate(some);
        columns.sort_unstable();
        Some(columns)
    }
}

/// The columns of the best of some questions: those below are likely to be about them too.
fn likely_columns(bests: &[BestSplit]) -> Vec<usize> {
    let mut bests: Vec<(f64, usize)> = bests.iter().map(|best| (best.merit, best.feature)).collect();
    bests.sort_unstable_by(|a, b| b.0.total_cmp(&a.0));
    bests.truncate(LIKELY_COLUMNS);
    bests.into_iter().map(|(_, feature)| feature).collect()
}

/// Where the best of some questions stands; of equal ones the first.
fn place_of_best(bests: &[BestSplit]) -> Option<usize> {
    (0..bests.len()).reduce(|a, b| if bests[b].merit > bests[a].merit { b } else { a })
}

/// Each part with its own places of two sets of histograms.
fn jobs<'j>(
    parts: &'j [ColumnPart],
    mut first: &'j mut [Sum],
    mut second: &'j mut [Sum],
) -> Vec<(&'j ColumnPart, &'j mut [Sum], &'j mut [Sum])> {
    let mut jobs = Vec::with_capacity(parts.len());
    for part in parts {
        // Parts follow each other without gaps.
        let (a, b) = (first.split_at_mut(part.places.len()), second.split_at_mut(part.places.len()));
        jobs.push((part, a.0, b.0));
        (first, second) = (a.1, b.1);
    }
    jobs
}
