//! A table that is coded once and grows many trees, each from a sample in which rows count several times or not at all.
//!
//! A tree works on its own copy of the codes of its sample. Rows of one class that count the same stand together there
//! (see [`super::counts`]), so what a sample costs depends on its different rows only.

use super::counts::Counts;
use super::kernels::formula::Formula;
use super::node::Kind;
use super::plan::{Plan, by_class};
use super::segments::Segment;
use super::store::{Memory, Source, code};
use super::sums::{Run, Sums};
use super::weighed::Weighed;
use super::weighted_sums::WeightedSums;
use crate::Result;
use crate::codes::spread::{Coder, Meaning};
use crate::data::table::Table;
use crate::model::tree::Tree;
use crate::split::sampling::FeatureSampling;
use crate::stats::criterion::SquaredError;
use crate::stats::weights::Weights;
use crate::sys::memory::room;
use std::ops::Range;
use std::sync::{Arc, Mutex, PoisonError};

/// The coded table.
#[derive(Debug)]
pub struct Base<'t> {
    source: Source<'t>,
    rows: Arc<CodedRows>,
}

/// The codes of all rows.
#[derive(Debug)]
struct CodedRows {
    memory: Memory,
    /// The places of each class; of a numeric target all places.
    spans: Vec<(u32, Range<usize>)>,
    /// Memory of samples whose trees are grown.
    used: Mutex<Vec<Memory>>,
}

/// What coding a table found out, without the table. A copy shares the codes.
#[derive(Clone, Debug)]
pub struct Coded {
    kinds: Vec<Kind>,
    meanings: Vec<Option<Arc<Meaning>>>,
    coders: Vec<Option<Arc<Coder>>>,
    rows: Arc<CodedRows>,
}

impl<'t> Base<'t> {
    /// Codes a table for classes; None where rows must be held in another way.
    pub fn classes(plan: &Plan<'_>, table: &Table<'t>, target: &[u32], classes: usize) -> Result<Option<Base<'t>>> {
        let (order, total) = by_class(target, classes)?;
        let mut start = 0;
        let span = |segment: &Segment| {
            let span = start..start + segment.len as usize;
            start = span.end;
            (segment.class, span)
        };
        let spans = total.iter().map(span).collect();
        Base::coded(plan, table, order, Vec::new(), spans)
    }

    /// Codes a table for numbers; None where rows must be held in another way.
    pub fn numbers(plan: &Plan<'_>, table: &Table<'t>, targets: &[i64]) -> Result<Option<Base<'t>>> {
        let mut owned = Vec::new();
        owned.try_reserve_exact(targets.len())?;
        owned.extend_from_slice(targets);
        let order = (0..table.rows() as u32).collect();
        Base::coded(plan, table, order, owned, vec![(0, 0..table.rows())])
    }

    fn coded(
        plan: &Plan<'_>,
        table: &Table<'t>,
        order: Vec<u32>,
        targets: Vec<i64>,
        spans: Vec<(u32, Range<usize>)>,
    ) -> Result<Option<Base<'t>>> {
        let coded = code(table, plan.mixed, order, targets, plan.threads(table), plan.cancel)?;
        let rows = |memory| Arc::new(CodedRows { memory, spans, used: Mutex::default() });
        Ok(coded.map(|(source, memory)| Base { source, rows: rows(memory) }))
    }

    /// The tree of a sample in which each row of the table counts so many times.
    pub fn grow_classes(
        &self,
        plan: &Plan<'_>,
        tally: &Counts<'_>,
        times: &[u32],
        draw: Option<FeatureSampling>,
        threads: usize,
    ) -> Result<Tree> {
        let (mut memory, total) = self.sample(times)?;
        let tree = plan.grow(tally, &self.source, &mut memory, total, threads, draw);
        self.put_back(memory);
        tree
    }

    /// The tree of a sample of which each row has a weight of its own; those of weight 0 are absent.
    pub fn grow_weighed(
        &self,
        plan: &Plan<'_>,
        formula: Formula<'_>,
        weights: &Weights,
        draw: Option<FeatureSampling>,
        threads: usize,
    ) -> Result<Tree> {
        let mut units = room(weights.units.len())?;
        let (memory, classes) = self.present(weights, |row| units.push(weights.units[row as usize] as i64))?;
        let mut memory = memory.with_targets(units);
        let (tally, total) = Weighed::new(formula, &classes, memory.targets());
        let tree = plan.grow(&tally, &self.source, &mut memory, total, threads, draw);
        self.put_back(memory);
        tree
    }

    /// The same for numbers.
    pub fn grow_weighted_numbers(
        &self,
        plan: &Plan<'_>,
        criterion: &SquaredError<'_>,
        weights: &Weights,
        draw: Option<FeatureSampling>,
        threads: usize,
    ) -> Result<Tree> {
        let mut rows = room(weights.units.len())?;
        let (memory, _) = self.present(weights, |row| rows.push(i64::from(row)))?;
        let mut memory = memory.with_targets(rows);
        let tally = WeightedSums::new(criterion, weights)?;
        let total = tally.total(memory.targets());
        let tree = plan.grow(&tally, &self.source, &mut memory, total, threads, draw);
        self.put_back(memory);
        tree
    }

    /// A copy of the rows that weigh something, and how many there are of each class; `visit` is told each of them.
    fn present(&self, weights: &Weights, mut visit: impl FnMut(u32)) -> Result<(Memory, Vec<(u32, u32)>)> {
        let mut places: Vec<u32> = room(weights.units.len())?;
        let mut classes = Vec::new();
        for (class, span) in &self.rows.spans {
            let first = places.len();
            for (place, &row) in (span.start as u32..).zip(&self.rows.memory.rows()[span.clone()]) {
                if weights.units[row as usize] > 0 {
                    places.push(place);
                    visit(row);
                }
            }
            classes.extend((places.len() > first).then_some((*class, (places.len() - first) as u32)));
        }
        let used = self.rows.used.lock().unwrap_or_else(PoisonError::into_inner).pop();
        Ok((self.rows.memory.sample(&places, used)?, classes))
    }

    /// The tree of a sample of numbers in which each row of the table counts so many times.
    pub fn grow_numbers(
        &self,
        plan: &Plan<'_>,
        criterion: &SquaredError<'_>,
        units: u64,
        times: &[u32],
        draw: Option<FeatureSampling>,
        threads: usize,
    ) -> Result<Tree> {
        let (mut memory, groups) = self.sample(times)?;
        let runs = groups.into_iter().map(|Segment { len, times, .. }| Run { len, times }).collect();
        let tally = Sums { criterion, units };
        let total = tally.total(memory.targets(), runs);
        let tree = plan.grow(&tally, &self.source, &mut memory, total, threads, draw);
        self.put_back(memory);
        tree
    }

    fn put_back(&self, memory: Memory) {
        self.rows.used.lock().unwrap_or_else(PoisonError::into_inner).push(memory);
    }

    /// The tree of other targets than those that the table was coded with, on as many threads as the plan allows.
    #[expect(clippy::too_many_arguments, reason = "all that a tree depends on")]
    pub fn grow_anew(
        &self,
        plan: &Plan<'_>,
        table: &Table<'_>,
        criterion: &SquaredError<'_>,
        units: u64,
        targets: &[i64],
        times: &[u32],
        draw: Option<FeatureSampling>,
    ) -> Result<Tree> {
        let (mut memory, groups) = self.sample(times)?;
        memory.aim(targets);
        let runs = groups.into_iter().map(|Segment { len, times, .. }| Run { len, times }).collect();
        let tally = Sums { criterion, units };
        let total = tally.total(memory.targets(), runs);
        let tree = plan.grow(&tally, &self.source, &mut memory, total, plan.threads(table), draw)?;
        self.rows.used.lock().unwrap_or_else(PoisonError::into_inner).push(memory);
        Ok(tree)
    }

    /// What coding found out.
    pub fn codes(&self) -> Coded {
        let Source { kinds, meanings, coders, .. } = &self.source;
        let (kinds, meanings, coders) = (kinds.clone(), meanings.clone(), coders.clone());
        Coded { kinds, meanings, coders, rows: Arc::clone(&self.rows) }
    }

    /// The same table again; None if it is another.
    pub fn again(coded: Coded, table: &Table<'t>) -> Option<Base<'t>> {
        let Coded { kinds, meanings, coders, rows } = coded;
        let same = table.rows() == rows.memory.rows().len();
        let source = Source::again(table, kinds, meanings, coders)?;
        same.then_some(Base { source, rows })
    }

    /// The rows that count, in segments: by class, then by how often they count.
    fn sample(&self, times: &[u32]) -> Result<(Memory, Vec<Segment>)> {
        let mut groups = Vec::new();
        let mut places: Vec<u32> = Vec::new();
        places.try_reserve_exact(times.len())?;
        for (class, span) in &self.rows.spans {
            let rows = &self.rows.memory.rows()[span.clone()];
            // How many rows count 0, 1, 2 ... times; those that count very often are sorted instead.
            let mut counts = [0u32; FEW];
            rows.iter().for_each(|&row| counts[(times[row as usize] as usize).min(FEW - 1)] += 1);
            let first = places.len();
            let mut starts = [0; FEW];
            let mut end = first;
            for often in 1..FEW {
                starts[often] = end;
                end += counts[often] as usize;
            }
            places.resize(end, 0);
            for (place, &row) in (span.start as u32..).zip(rows) {
                let often = (times[row as usize] as usize).min(FEW - 1);
                if often > 0 {
                    places[starts[often]] = place;
                    starts[often] += 1;
                }
            }
            let known = (1..FEW - 1).filter(|&often| counts[often] > 0);
            let class = *class;
            groups.extend(known.map(|often| Segment { class, len: counts[often], times: often as u32 }));
            let often = |place: &u32| times[self.rows.memory.rows()[*place as usize] as usize];
            let rest = &mut places[end - counts[FEW - 1] as usize..];
            rest.sort_by_key(often);
            let alike = rest.chunk_by(|a, b| often(a) == often(b));
            groups.extend(alike.map(|rows| Segment { class, len: rows.len() as u32, times: often(&rows[0]) }));
        }
        let used = self.rows.used.lock().unwrap_or_else(PoisonError::into_inner).pop();
        Ok((self.rows.memory.sample(&places, used)?, groups))
    }
}

/// Rows that count fewer times are counted, others sorted.
const FEW: usize = 32;
