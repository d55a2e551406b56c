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
//! | [`sides`], [`two_classes`], [`weighed`] | what is added up on both sides of a cut |
//! | [`blocks`] | the best cut where rows are of two classes and weigh the same, without looking at most of them |
//! | [`logarithms`] | `n log2 n` in integers |
//! | [`divide`] | from a node to its children |

pub mod blocks;
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
pub mod weighed;

use self::logarithms::{Fixed, Table as Logarithms};
use self::node::{Node, SpareItems};
use self::numbers::Numbers;
use self::root::{present_rows, sort_columns};
use self::scan::best_cut;
use self::sides::{Counts, Sides};
use self::two_classes::CountsOfTwo;
use self::weighed::Weighed;
use super::{Divisible, Rows};
use crate::data::table::{Column, Table};
use crate::grow::{Limits, grow_wide};
use crate::model::tree::{Leaf, MAX_CHILDREN, SHARE, SplitRule, Tree, first_largest};
use crate::split::choose::{Candidate, Chooser};
use crate::split::groups;
use crate::split::levels::LevelStats;
use crate::split::priced_threshold::gain_and_split_info;
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
/// Fewer cells than this are faster on one thread.
pub const MIN_CELLS_FOR_THREADS: usize = 1 << 18;
/// Places of more rows than this leave no bit for the child.
pub const MAX_ROWS: usize = 1 << 31;
/// Classes have 16 bits.
const MAX_CLASSES: usize = 1 << 16;

/// A column as searches read it.
#[derive(Debug)]
enum Coded<'a> {
    Numbers(Numbers<'a>),
    Levels { codes: &'a [u32], levels: u32, wide: bool },
}

/// What all nodes of a tree share.
#[derive(Debug)]
pub struct TreeContext<'a> {
    criterion: ClassCriterion<'a>,
    rules: ShareRules,
    chooser: Chooser,
    columns: Vec<Coded<'a>>,
    /// The weight of a row in units where all weigh the same; else 0.
    units: u64,
    scale: Fixed,
    logarithms: Logarithms,
    spares: SpareItems,
    cancel: &'a Cancel,
}

/// What growing is told, besides the rows.
#[derive(Clone, Copy, Debug)]
pub struct Plan<'a> {
    /// The rules of growing.
    pub rules: ShareRules,
    /// How the split of a node is chosen.
    pub chooser: &'a Chooser,
    /// Where growing stops.
    pub limits: &'a Limits,
    /// The columns that may be asked about; None for all.
    pub features: Option<&'a [u32]>,
    /// How many threads, 0 for all available ones.
    pub threads: usize,
    /// Cancellation flag.
    pub cancel: &'a Cancel,
}

impl Plan<'_> {
    /// A tree; None where rows must be held in another way. The weights should be fine ([`Weights::fine_part`]).
    pub fn grow(&self, table: &Table<'_>, classes: Classes<'_>, weights: &Weights) -> Result<Option<Tree>> {
        let too_many = |column: &Column<'_>| matches!(column, Column::Categorical { levels, .. } if *levels as usize >= MAX_CHILDREN);
        if table.rows() >= MAX_ROWS || classes.classes > MAX_CLASSES || table.columns().iter().any(too_many) {
            return Ok(None);
        }
        let cells = table.rows().saturating_mul(table.columns().len());
        let threads = if cells < MIN_CELLS_FOR_THREADS { 1 } else { pool::bounded(self.threads) };
        let (context, root) = TreeContext::new(self, table, classes, weights, threads)?;
        let mut rows = Sorted::new(&context, root, threads);
        grow_wide(&mut rows, self.chooser, self.limits, threads, self.cancel).map(Some)
    }
}

/// The rows of a node and of everything below it.
#[derive(Debug)]
pub struct Sorted<'a> {
    context: &'a TreeContext<'a>,
    root: Option<Node>,
    threads: usize,
}

/// The split of a column, and how many known rows are below it where it is a cut.
type Offer = (Candidate, usize);

impl<'a> Sorted<'a> {
    fn new(context: &'a TreeContext<'a>, root: Node, threads: usize) -> Sorted<'a> {
        Sorted { context, root: Some(root), threads }
    }

    /// To which child each row of a node goes, or that it is shared.
    fn child_of(&self, node: &Node, chosen: &Candidate) -> Result<Vec<u16>> {
        let mut child_of = filled(SHARE, node.count)?;
        match &self.context.columns[chosen.feature as usize] {
            Coded::Numbers(_) => {
                let items = node.numbers.of_column(chosen.feature);
                let (low, high) = items.split_at(node.below.min(items.len()));
                low.iter().for_each(|item| child_of[item::place_of(*item) as usize] = 0);
                high.iter().for_each(|item| child_of[item::place_of(*item) as usize] = 1);
            }
            Coded::Levels { codes, .. } => {
                for (child, row) in child_of.iter_mut().zip(&node.rows) {
                    *child = chosen.way.child_of(codes[*row as usize]);
                }
            }
        }
        Ok(child_of)
    }
}

impl Rows for Sorted<'_> {
    type Node = Node;

    fn outputs(&self) -> usize {
        self.context.criterion.outputs()
    }

    fn root(&mut self) -> Result<Node> {
        let root = self.root.take().filter(|root| root.count > 0);
        root.ok_or_else(|| Error::data("data.empty", "no row has a weight above zero"))
    }

    fn leaf<'v>(&self, node: &Node, value: &'v mut [f64]) -> Leaf<'v> {
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

    fn candidates(&mut self, node: &mut Node, out: &mut Vec<Candidate>) -> Result<()> {
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
        if let Coded::Numbers(numbers) = &context.columns[chosen.feature as usize] {
            let items = node.numbers.of_column(chosen.feature);
            let row = |at: usize| node.rows[item::place_of(items[at]) as usize];
            chosen.way = numbers.question(row(node.below - 1), row(node.below), &context.rules);
        }
        out.append(&mut candidates);
        Ok(())
    }

    fn divide(&mut self, node: Node, chosen: &Candidate) -> Result<Vec<Node>> {
        let child_of = self.child_of(&node, chosen)?;
        let levels = self.context.levels_below(&node, chosen.feature);
        let children = chosen.way.children as usize;
        let children = divide::divide(self.context, &node, children, child_of, &levels, self.threads)?;
        self.context.spares.give(node.numbers.items);
        Ok(children)
    }
}

impl Divisible for Sorted<'_> {
    type Part<'p>
        = Sorted<'p>
    where
        Self: 'p;

    fn small(&self, _: usize) -> u32 {
        MIN_ROWS_FOR_THREADS as u32
    }

    fn parts(&mut self, nodes: Vec<Node>) -> Result<Vec<Sorted<'_>>> {
        collected(nodes.into_iter().map(|node| Sorted::new(self.context, node, 1)))
    }
}

impl<'a> TreeContext<'a> {
    /// Sorts the columns; and all rows of the table with a weight.
    fn new(
        plan: &Plan<'a>,
        table: &Table<'a>,
        classes: Classes<'a>,
        weights: &Weights,
        threads: usize,
    ) -> Result<(TreeContext<'a>, Node)> {
        let units = weights.common().unwrap_or(0);
        let criterion = ClassCriterion::new(Impurity::Entropy, classes);
        let mut root = present_rows(classes, weights, units)?;
        let total = criterion.weight(&root.stats);
        let scale = Fixed::new(total, weights.unit, classes.classes);
        let tabulated = if units > 0 { root.count } else { 0 };
        let logarithms = Logarithms::new(tabulated, units, &scale)?;
        let total = plan.rules.total.unwrap_or(total);
        let spares = SpareItems::default();
        let columns = sort_columns(plan, table, classes, &mut root, total, (&spares, threads))?;
        let (rules, chooser, cancel) = (plan.rules, *plan.chooser, plan.cancel);
        Ok((TreeContext { criterion, rules, chooser, columns, units, scale, logarithms, spares, cancel }, root))
    }

    /// Whether a node of these class weights is searched for a split.
    fn is_searched(&self, stats: &[u64]) -> bool {
        let (weight, tolerance) = (self.criterion.weight(stats), self.rules.tolerance);
        let largest = stats.iter().copied().max().unwrap_or(0) as f64 * self.criterion.unit();
        weight >= 2.0 * self.rules.min_cases - tolerance && weight - largest > tolerance
    }

    /// The best split of each column that has one.
    fn search(&self, node: &Node, threads: usize) -> Result<Vec<Offer>> {
        let columns = node.numbers.segments.len() + node.levels.len();
        if threads == 1 {
            return self.offers(node, 0..columns);
        }
        let each = pool::each(threads, (0..columns).collect(), |position| self.offers(node, position..position + 1))?;
        Ok(each.into_iter().collect::<Result<Vec<_>>>()?.into_iter().flatten().collect())
    }

    /// The best splits of some columns: of numbers, and of categories behind those.
    fn offers(&self, node: &Node, positions: Range<usize>) -> Result<Vec<Offer>> {
        let mut offers = room(positions.len())?;
        let numbers = node.numbers.segments.len();
        let cuts = positions.start.min(numbers)..positions.end.min(numbers);
        if !cuts.is_empty() {
            let means = (&self.scale, &self.logarithms);
            let is_counted = node.weights.is_none() && self.logarithms.knows(node.count);
            if is_counted && node.stats.len() == 2 {
                self.offer_cuts(node, cuts, &mut CountsOfTwo::new(means, node, self.units)?, &mut offers)?;
            } else if is_counted {
                self.offer_cuts(node, cuts, &mut Counts::new(means, node, self.units)?, &mut offers)?;
            } else {
                let same = [self.units];
                let weights = node.weights.as_deref().unwrap_or(&same);
                let mut sides = Weighed::new(&self.scale, &self.criterion, &node.classes, weights)?;
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
        node: &Node,
        positions: Range<usize>,
        sides: &mut S,
        offers: &mut Vec<Offer>,
    ) -> Result<()> {
        let all = self.criterion.weight(&node.stats);
        for position in positions {
            self.cancel.check()?;
            let feature = node.numbers.segments[position].column;
            let Coded::Numbers(numbers) = &self.columns[feature as usize] else { continue };
            let items = node.numbers.items_of(position);
            let Some(cut) = best_cut(items, &numbers.gaps, sides, all, &self.rules) else { continue };
            let parts = [all - cut.known, cut.weight_below, cut.known - cut.weight_below];
            let figures = gain_and_split_info(cut.saved, cut.tries, parts, all, &self.rules);
            let way = SplitRule::threshold(f64::NAN, SHARE);
            let candidate = |(gain, split_info)| (Candidate { feature, gain, way, split_info, wide: false }, cut.below);
            offers.extend(figures.map(candidate));
        }
        Ok(())
    }

    /// The best split of a column of categories.
    fn offer_levels(&self, node: &Node, feature: u32) -> Result<Option<Offer>> {
        let Coded::Levels { codes, levels, wide } = self.columns[feature as usize] else { return Ok(None) };
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
        let found = match rules.groups {
            Some(score) if levels > 2 => groups::best(criterion, &stats, weight, (rules, score), self.cancel)?,
            _ => stats.branch_each(criterion, weight, rules)?,
        };
        Ok(found.map(|found| (Candidate { feature, wide, ..found }, 0)))
    }

    /// The columns of categories that may be asked about below a question.
    fn levels_below(&self, node: &Node, feature: u32) -> Arc<[u32]> {
        match &self.columns[feature as usize] {
            Coded::Levels { levels, .. } if self.rules.groups.is_none() || *levels <= 2 => {
                node.levels.iter().copied().filter(|other| *other != feature).collect()
            }
            _ => node.levels.clone(),
        }
    }
}
