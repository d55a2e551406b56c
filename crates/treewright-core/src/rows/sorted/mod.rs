//! Rows whose numbers are sorted once: the fast way of C4.5 and its relatives. It grows the trees of
//! [`super::list`], node by node and bit by bit.
//!
//! A node holds the known numbers of each column in order, each with the place of its row. A search is one pass over
//! them ([`scan`]); dividing a node deals them to its children in their order ([`divide`]), so nothing is sorted
//! again. A row that cannot answer a question is dealt to several children, with a fraction of its weight. Columns are
//! searched and dealt beside each other in large nodes; small nodes are given away.
//!
//! | file | is |
//! | --- | --- |
//! | [`numbers`], [`item`] | a column of the table in order; one number of a node |
//! | [`node`], [`root`] | the rows of a node; of the first one |
//! | [`columns`], [`deal`], [`deal_two`] | the numbers of a node in order; from them to those of its children |
//! | [`scan`] | the best cut of a column |
//! | [`gaps`] | between which numbers a cut may be |
//! | [`sides`], [`two_classes`], [`class_weights`] | what is added up on both sides of a cut |
//! | [`blocks`] | the best cut where rows are of two classes and weigh the same, without looking at most of them |
//! | [`logarithms`] | `n log2 n` in integers |
//! | [`divide`] | from a node to its children |

pub mod blocks;
pub mod class_weights;
pub mod columns;
pub mod deal;
pub mod deal_two;
pub mod divide;
pub mod gaps;
pub mod item;
pub mod logarithms;
pub mod node;
pub mod numbers;
pub mod root;
pub mod scan;
pub mod sides;
#[cfg(test)]
#[allow(clippy::unwrap_used)]
pub mod tests;
pub mod two_classes;

use self::class_weights::ClassWeights;
use self::columns::{SpareItems, tell_sides};
use self::item::{key_of, place_of};
use self::logarithms::{FixedPoint, Logarithms};
use self::node::SortedNode;
use self::numbers::NumericColumn;
use self::root::present_rows;
use self::scan::best_cut;
use self::sides::{ClassCounts, Sides};
use self::two_classes::TwoClassCounts;
use super::{Divisible, Rows};
use crate::data::table::{Column, Table};
use crate::grow::{Limits, grow_wide};
use crate::model::tree::{Leaf, MAX_CHILDREN, SHARE, Tree, first_largest};
use crate::split::choose::{Candidate, Chooser};
use crate::split::groups;
use crate::split::levels::LevelStats;
use crate::split::shared::{EmptyLeaf, ShareRules};
use crate::stats::criterion::{ClassCriterion, Classes, Criterion, Impurity};
use crate::stats::weights::Weights;
use crate::sys::memory::{collected, filled, room};
use crate::sys::pool::{self, Cancel};
use crate::{Error, Result};
use std::ops::Range;
use std::sync::Arc;

/// Nodes of fewer rows are searched by one thread.
const MIN_ROWS_FOR_THREADS: usize = 1 << 13;
/// So many nodes a thread are enough to share the work out evenly.
const PARTS_OF_A_THREAD: usize = 4;
/// Fewer cells than this are faster on one thread.
pub const MIN_CELLS_FOR_THREADS: usize = 1 << 18;
/// Places of more rows than this leave no bit for the child.
pub const MAX_ROWS: usize = 1 << 31;
/// Classes have 16 bits.
const MAX_CLASSES: usize = 1 << 16;

/// A column as searches read it.
#[derive(Debug)]
enum SearchedColumn<'a> {
    Numbers(NumericColumn<'a>),
    Levels { codes: &'a [u32], levels: u32, wide: bool },
}

/// What all nodes of a tree share.
#[derive(Debug)]
pub struct TreeContext<'a> {
    criterion: ClassCriterion<'a>,
    rules: ShareRules,
    chooser: Chooser,
    columns: Vec<SearchedColumn<'a>>,
    /// The weight of a row in units where all weigh the same; else 0.
    units: u64,
    scale: FixedPoint,
    logarithms: Logarithms,
    spares: SpareItems,
    cancel: &'a Cancel,
}

/// Grows a tree on so many threads, 0 for all available ones; None where rows must be held in another way. `features` are
/// the columns that may be asked about, None for all. The weights should be fine ([`Weights::fine_part`]).
pub fn grow_sharing(
    table: &Table<'_>,
    classes: Classes<'_>,
    weights: &Weights,
    (rules, chooser, limits): (ShareRules, &Chooser, &Limits),
    features: Option<&[u32]>,
    threads: usize,
    cancel: &Cancel,
) -> Result<Option<Tree>> {
    let has_many =
        |column: &Column<'_>| matches!(column, Column::Categorical { levels, .. } if *levels as usize >= MAX_CHILDREN);
    if table.rows() >= MAX_ROWS || classes.classes > MAX_CLASSES || table.columns().iter().any(has_many) {
        return Ok(None);
    }
    let cells = table.rows().saturating_mul(table.columns().len());
    let threads = if cells < MIN_CELLS_FOR_THREADS { 1 } else { pool::bounded(threads) };
    let units = weights.common().unwrap_or(0);
    let mut root = present_rows(classes, weights, units)?;
    let mut context = TreeContext::new((rules, chooser), classes, (weights.unit, units), &root, cancel)?;
    let total = rules.total.unwrap_or(context.criterion.weight(&root.stats));
    context.code_columns(table, features, &mut root, total, threads)?;
    let mut rows = SortedRows::new(&context, root, threads);
    grow_wide(&mut rows, chooser, limits, threads, cancel).map(Some)
}

/// The rows of a node and of everything below it.
#[derive(Debug)]
pub struct SortedRows<'a> {
    context: &'a TreeContext<'a>,
    root: Option<SortedNode>,
    threads: usize,
}

impl<'a> SortedRows<'a> {
    fn new(context: &'a TreeContext<'a>, root: SortedNode, threads: usize) -> SortedRows<'a> {
        SortedRows { context, root: Some(root), threads }
    }

    /// To which child each row of a node goes, or that it is shared.
    fn child_of(&self, node: &SortedNode, chosen: &Candidate) -> Result<Vec<u16>> {
        let mut child_of = filled(SHARE, node.count)?;
        match &self.context.columns[chosen.feature as usize] {
            SearchedColumn::Numbers(_) => {
                tell_sides(node.numbers.of_column(chosen.feature), node.below, &mut child_of);
            }
            SearchedColumn::Levels { codes, .. } => {
                for (child, row) in child_of.iter_mut().zip(&node.rows) {
                    *child = chosen.way.child_of(codes[*row as usize]);
                }
            }
        }
        Ok(child_of)
    }
}

impl Rows for SortedRows<'_> {
    type Node = SortedNode;

    fn outputs(&self) -> usize {
        self.context.criterion.outputs()
    }

    fn root(&mut self) -> Result<SortedNode> {
        let root = self.root.take().filter(|root| root.count > 0);
        root.ok_or_else(|| Error::data("data.empty", "no row has a weight above zero"))
    }

    fn leaf<'v>(&self, node: &SortedNode, value: &'v mut [f64]) -> Leaf<'v> {
        let criterion = &self.context.criterion;
        if node.count > 0 {
            criterion.value(&node.stats, value);
        } else if self.context.rules.empty == EmptyLeaf::Majority {
            let first = first_largest(value);
            value.iter_mut().enumerate().for_each(|(class, share)| *share = f64::from(class == first));
        }
        Leaf {
            value,
            weight: criterion.weight(&node.stats),
            count: node.count as u64,
            cost: criterion.cost(&node.stats),
        }
    }

    fn candidates(&mut self, node: &mut SortedNode, out: &mut Vec<Candidate>) -> Result<()> {
        let context = self.context;
        if !context.is_searched(&node.stats) {
            return Ok(());
        }
        let threads = if node.count < MIN_ROWS_FOR_THREADS { 1 } else { self.threads };
        let mut offers = context.search(node, threads)?;
        offers.sort_unstable_by_key(|(candidate, _)| candidate.feature);
        let (mut candidates, belows): (Vec<Candidate>, Vec<usize>) = offers.into_iter().unzip();
        // Neither chooser of these trees looks at the impurity.
        let Some(chosen) = context.chooser.choose(&candidates, 1.0) else { return Ok(()) };
        // The others' thresholds will never be asked for.
        node.below = belows[chosen];
        let chosen = &mut candidates[chosen];
        if let SearchedColumn::Numbers(numbers) = &context.columns[chosen.feature as usize] {
            let items = node.numbers.of_column(chosen.feature);
            let key_and_row = |at: usize| (key_of(items[at]), node.rows[place_of(items[at]) as usize]);
            chosen.way = numbers.question(key_and_row(node.below - 1), key_and_row(node.below), &context.rules);
        }
        out.append(&mut candidates);
        Ok(())
    }

    fn divide(&mut self, node: SortedNode, chosen: &Candidate) -> Result<Vec<SortedNode>> {
        let child_of = self.child_of(&node, chosen)?;
        let levels = self.context.levels_below(&node, chosen.feature);
        let children = chosen.way.children as usize;
        divide::divide(self.context, node, children, child_of, &levels, self.threads)
    }
}

impl Divisible for SortedRows<'_> {
    type Part<'p>
        = SortedRows<'p>
    where
        Self: 'p;

    fn small(&self, threads: usize) -> u32 {
        let rows = self.root.as_ref().map_or(0, |root| root.count);
        MIN_ROWS_FOR_THREADS.max(rows / (PARTS_OF_A_THREAD * threads.max(1))) as u32
    }

    fn parts(&mut self, nodes: Vec<SortedNode>) -> Result<Vec<SortedRows<'_>>> {
        collected(nodes.into_iter().map(|node| SortedRows::new(self.context, node, 1)))
    }
}

impl<'a> TreeContext<'a> {
    /// For a tree with this root whose columns are not coded yet; rows weigh so many units each, or 0 where they differ.
    fn new(
        (rules, chooser): (ShareRules, &Chooser),
        classes: Classes<'a>,
        (unit, units): (f64, u64),
        root: &SortedNode,
        cancel: &'a Cancel,
    ) -> Result<TreeContext<'a>> {
        let criterion = ClassCriterion::new(Impurity::Entropy, classes);
        let scale = FixedPoint::new(criterion.weight(&root.stats), unit, classes.classes);
        let logarithms = Logarithms::new(if units > 0 { root.count } else { 0 }, units, &scale)?;
        let (chooser, columns, spares) = (*chooser, Vec::new(), SpareItems::default());
        Ok(TreeContext { criterion, rules, chooser, columns, units, scale, logarithms, spares, cancel })
    }

    /// Whether a node of these class weights is searched for a split.
    fn is_searched(&self, stats: &[u64]) -> bool {
        let (weight, tolerance) = (self.criterion.weight(stats), self.rules.tolerance);
        let largest = stats.iter().copied().max().unwrap_or(0) as f64 * self.criterion.unit();
        weight >= 2.0 * self.rules.min_cases - tolerance && weight - largest > tolerance
    }

    /// The best split of each column that has one, and how many known rows are below it where it is a cut.
    fn search(&self, node: &SortedNode, threads: usize) -> Result<Vec<(Candidate, usize)>> {
        let columns = node.numbers.columns.len() + node.levels.len();
        if threads == 1 {
            return self.offers(node, 0..columns);
        }
        let each = pool::each(threads, (0..columns).collect(), |position| self.offers(node, position..position + 1))?;
        Ok(each.into_iter().collect::<Result<Vec<_>>>()?.into_iter().flatten().collect())
    }

    /// The best splits of some columns: of numbers, and of categories behind those.
    fn offers(&self, node: &SortedNode, positions: Range<usize>) -> Result<Vec<(Candidate, usize)>> {
        let mut offers = room(positions.len())?;
        let numbers = node.numbers.columns.len();
        let cuts = positions.start.min(numbers)..positions.end.min(numbers);
        if !cuts.is_empty() {
            let means = (&self.scale, &self.logarithms);
            let is_counted = node.weights.is_none() && self.logarithms.knows(node.count);
            if is_counted && node.stats.len() == 2 {
                self.offer_cuts(node, cuts, &mut TwoClassCounts::new(means, node, self.units)?, &mut offers)?;
            } else if is_counted {
                self.offer_cuts(node, cuts, &mut ClassCounts::new(means, node, self.units)?, &mut offers)?;
            } else {
                let same = [self.units];
                let weights = node.weights.as_deref().unwrap_or(&same);
                let mut sides = ClassWeights::new(&self.scale, &self.criterion, &node.classes, weights)?;
                self.offer_cuts(node, cuts, &mut sides, &mut offers)?;
            }
        }
        for position in positions.start.max(numbers)..positions.end {
            self.cancel.check()?;
            offers.extend(self.offer_levels(node, node.levels[position - numbers])?);
        }
        Ok(offers)
    }

    /// The best cuts of some columns of numbers, without their thresholds.
    fn offer_cuts<S: Sides>(
        &self,
        node: &SortedNode,
        positions: Range<usize>,
        sides: &mut S,
        offers: &mut Vec<(Candidate, usize)>,
    ) -> Result<()> {
        let (all, mut limits) = (self.criterion.weight(&node.stats), None);
        for position in positions {
            self.cancel.check()?;
            let feature = node.numbers.columns[position].0;
            let SearchedColumn::Numbers(numbers) = &self.columns[feature as usize] else { continue };
            let items = node.numbers.items_of(position);
            let cut = best_cut(items, &numbers.gaps, sides, all, &mut limits, self);
            offers.extend(cut.map(|(cut, below)| (Candidate { feature, ..cut }, below)));
        }
        Ok(())
    }

    /// The best split of a column of categories.
    fn offer_levels(&self, node: &SortedNode, feature: u32) -> Result<Option<(Candidate, usize)>> {
        let SearchedColumn::Levels { codes, levels, wide } = self.columns[feature as usize] else { return Ok(None) };
        let width = node.stats.len();
        // Rows with a missing value stand behind the last level.
        let mut stats = filled(0, (levels as usize + 1) * width)?;
        for (place, (row, class)) in node.rows.iter().zip(&node.classes).enumerate() {
            let weight = node.weights.as_ref().map_or(self.units, |weights| weights[place]);
            let level = codes[*row as usize].min(levels) as usize;
            stats[level * width + usize::from(*class)] += weight;
        }
        let (stats, weight) = (LevelStats::from_stats(stats, width), self.criterion.weight(&node.stats));
        let (criterion, rules) = (&self.criterion, &self.rules);
        let split = match rules.groups {
            Some(score) if levels > 2 => groups::best(criterion, &stats, weight, (rules, score), self.cancel)?,
            _ => stats.branch_each(criterion, weight, rules)?,
        };
        Ok(split.map(|split| (Candidate { feature, wide, ..split }, 0)))
    }

    /// The columns of categories that may be asked about below a question.
    fn levels_below(&self, node: &SortedNode, feature: u32) -> Arc<[u32]> {
        match &self.columns[feature as usize] {
            SearchedColumn::Levels { levels, .. } if self.rules.groups.is_none() || *levels <= 2 => {
                node.levels.iter().copied().filter(|other| *other != feature).collect()
            }
            _ => node.levels.clone(),
        }
    }
}
