//! Growing a tree on columns of codes, from a table to the finished tree; or the word that it cannot be done here.

use super::Columns;
use super::bag::Base;
use super::counts::Counts;
use super::kernels::Isa;
use super::kernels::formula::Formula;
use super::known::Absent;
use super::light::LeafLimits;
use super::segments::Segment;
use super::settings::Settings;
use super::store::{Memory, Source, code};
use super::sums::Sums;
use super::tally::ColumnTally;
use crate::Result;
use crate::data::table::Table;
use crate::grow::{Limits, grow_wide};
use crate::model::tree::Tree;
use crate::split::choose::Chooser;
use crate::split::sampling::FeatureSampling;
use crate::stats::criterion::{ClassCriterion, Criterion, SquaredError};
use crate::stats::weights::Weights;
use crate::sys::pool;
use crate::sys::pool::Cancel;

/// What growing is told, besides the rows.
#[derive(Clone, Copy, Debug)]
pub struct Plan<'a> {
    /// The fewest rows of a child.
    pub min_leaf: u32,
    /// The least share of the whole weight that a child has.
    pub min_leaf_share: f64,
    /// The gain that a split must exceed.
    pub min_gain: Option<f64>,
    /// Where growing stops.
    pub limits: &'a Limits,
    /// How many threads, 0 for all available ones.
    pub threads: usize,
    /// The instructions to use.
    pub isa: Isa,
    /// Cancellation flag.
    pub cancel: &'a Cancel,
    /// Whether categories are divided into two sets: then they, and missing values, can be held.
    pub mixed: bool,
    /// What becomes of rows without a value.
    pub unknowns: Absent,
    /// See [`Settings::monotone`].
    pub monotone: &'a [i8],
    /// How the nodes of a tree draw that begins below another one, and the key of its root there.
    pub below: Option<(FeatureSampling, u64)>,
}

/// Fewer cells than this are faster on one thread.
const SEVERAL_THREADS: usize = 1 << 18;

impl Plan<'_> {
    /// A tree for classes; None where rows must be held in another way, or the criterion has no kernel.
    pub fn classes(
        &self,
        table: &Table<'_>,
        criterion: &ClassCriterion<'_>,
        target: &[u32],
        weights: &Weights,
    ) -> Result<Option<Tree>> {
        let Some(formula) = Formula::of(criterion) else { return Ok(None) };
        match equal(weights) {
            Some(units) => self.counted(table, &Counts::new(formula, units), target),
            None => self.repeated(table, formula, target, weights),
        }
    }

    /// The same where rows weigh differently.
    fn repeated(
        &self,
        table: &Table<'_>,
        formula: Formula<'_>,
        target: &[u32],
        weights: &Weights,
    ) -> Result<Option<Tree>> {
        let Some(base) = Base::classes(self, table, target, formula.criterion.width())? else { return Ok(None) };
        let threads = self.threads(table);
        match times(weights) {
            Some(times) => base.grow_classes(self, &Counts::new(formula, 1), &times, None, threads),
            None => base.grow_weighed(self, formula, weights, None, threads),
        }
        .map(Some)
    }

    fn counted(&self, table: &Table<'_>, tally: &Counts<'_>, target: &[u32]) -> Result<Option<Tree>> {
        let (order, total) = by_class(target, tally.criterion().width())?;
        let threads = self.threads(table);
        let coded = code(table, self.mixed, order, Vec::new(), threads, self.cancel)?;
        let Some((source, mut memory)) = coded else { return Ok(None) };
        self.grow(tally, &source, &mut memory, total, threads, None).map(Some)
    }

    /// A tree for numbers; None where rows must be held in another way.
    pub fn numbers(&self, table: &Table<'_>, criterion: &SquaredError<'_>, weights: &Weights) -> Result<Option<Tree>> {
        let Some(units) = equal(weights) else {
            let Some(base) = Base::numbers(self, table, &criterion.target.units)? else { return Ok(None) };
            let threads = self.threads(table);
            return match times(weights) {
                Some(times) => base.grow_numbers(self, criterion, 1, &times, None, threads),
                None => base.grow_weighted_numbers(self, criterion, weights, None, threads),
            }
            .map(Some);
        };
        let threads = self.threads(table);
        let mut order = Vec::new();
        order.try_reserve_exact(table.rows())?;
        order.extend(0..table.rows() as u32);
        let mut targets = Vec::new();
        targets.try_reserve_exact(table.rows())?;
        targets.extend_from_slice(&criterion.target.units);
        let tally = Sums { criterion, units };
        let total = tally.total(&targets, Vec::new());
        let coded = code(table, self.mixed, order, targets, threads, self.cancel)?;
        let Some((source, mut memory)) = coded else { return Ok(None) };
        self.grow(&tally, &source, &mut memory, total, threads, None).map(Some)
    }

    pub(super) fn grow<T: ColumnTally>(
        &self,
        tally: &T,
        source: &Source<'_>,
        memory: &mut Memory,
        total: T::Total,
        threads: usize,
        draw: Option<FeatureSampling>,
    ) -> Result<Tree> {
        let (share, isa, cancel) = (self.min_leaf_share, self.isa, self.cancel);
        let least = if share > 0.0 { share * tally.weight(&total) } else { 0.0 };
        let min_leaf = LeafLimits::new(tally, &total, self.min_leaf, least);
        let unknowns = self.unknowns;
        let draw = draw.or(self.below.map(|(draw, _)| draw));
        let settings = Settings { tally, source, min_leaf, unknowns, isa, cancel, draw, monotone: self.monotone };
        let expected_nodes = memory.expected_nodes;
        let mut rows = Columns::new(&settings, memory.block(), total, threads);
        rows.expected_nodes = expected_nodes;
        rows.root.key = self.below.map_or(rows.root.key, |(_, key)| key);
        let chooser = Chooser::Share { min_gain: self.min_gain };
        let tree = grow_wide(&mut rows, &chooser, self.limits, threads, self.cancel)?;
        memory.expected_nodes = tree.len() + tree.len() / 16;
        Ok(tree)
    }

    /// How many threads a table is worth.
    pub fn threads(&self, table: &Table<'_>) -> usize {
        let cells = table.rows().saturating_mul(table.columns().len());
        if cells < SEVERAL_THREADS { 1 } else { pool::bounded(self.threads) }
    }
}

/// The weight that all rows have.
pub fn equal(weights: &Weights) -> Option<u64> {
    let first = *weights.units.first()?;
    (first > 0 && weights.units.iter().all(|&units| units == first)).then_some(first)
}

/// How often each row counts, where weights say so: they are whole, not too large to be multiplied, and few of them are
/// different, since rows that count alike stand together.
fn times(weights: &Weights) -> Option<Vec<u32>> {
    let mut different: Vec<u64> = Vec::new();
    let few = weights.units.iter().all(|units| {
        let place = different.binary_search(units);
        if let Err(place) = place {
            different.insert(place, *units);
        }
        different.len() <= MOST_TIMES
    });
    let small = weights.unit == 1.0 && weights.units.iter().sum::<u64>() < 1 << 31;
    let some = weights.units.iter().any(|&units| units > 0);
    (few && small && some).then(|| weights.units.iter().map(|&units| units as u32).collect())
}

/// Rows may count in so many different ways.
const MOST_TIMES: usize = 32;

/// The rows in the order of their classes, and how many there are of each.
pub(super) fn by_class(target: &[u32], classes: usize) -> Result<(Vec<u32>, Vec<Segment>)> {
    let mut ends = vec![0u32; classes];
    target.iter().for_each(|&class| ends[class as usize] += 1);
    let total =
        (0..).zip(&ends).filter(|(_, len)| **len > 0).map(|(class, &len)| Segment { class, len, times: 1 }).collect();
    let mut start = 0;
    ends.iter_mut().for_each(|end| start += std::mem::replace(end, start));
    let mut order = Vec::new();
    order.try_reserve_exact(target.len())?;
    order.resize(target.len(), 0);
    for (row, &class) in (0..).zip(target) {
        let at = &mut ends[class as usize];
        order[*at as usize] = row;
        *at += 1;
    }
    Ok((order, total))
}
