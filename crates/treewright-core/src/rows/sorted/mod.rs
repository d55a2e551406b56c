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
//! | [`node`] | the rows of a node |
//! | [`scan`], [`sides`] | the best cut of a column; what is added up on both sides of a cut |
//! | [`logarithms`] | `n log2 n` in integers |
//! | [`divide`] | from a node to its children |

pub mod divide;
pub mod item;
pub mod logarithms;
pub mod node;
pub mod numbers;
pub mod scan;
pub mod sides;
#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests;

use self::logarithms::{Fixed, Table as Logarithms};
use self::node::{NOWHERE, Node, Segment, SpareItems};
use self::numbers::Numbers;
use self::scan::{Cut, best_cut};
use self::sides::{Counts, Weights as WeighedSides};
use super::{Divisible, Rows};
use crate::data::table::{Column, Table};
use crate::grow::{Limits, grow_wide};
use crate::model::tree::{Leaf, MAX_CHILDREN, SHARE, SplitRule, Tree, first_largest};
use crate::split::choose::{Candidate, Chooser};
use crate::split::groups;
use crate::split::levels::LevelStats;
use crate::split::priced_threshold::{CutWeights, gain_and_split_info};
use crate::split::shared::{EmptyLeaf, ShareRules, SharedSplit, have_many_levels};
use crate::stats::criterion::{ClassCriterion, Classes, Criterion, Impurity};
use crate::stats::weights::Weights;
use crate::sys::memory::{collected, filled, room};
use crate::sys::pages::zeros;
use crate::sys::pool::{self, Cancel};
use crate::{Error, Result};
use std::sync::Arc;

/// Nodes of fewer rows are searched by one thread.
const SHARED: usize = 1 << 13;
/// Fewer cells than this are faster on one thread.
const SEVERAL_THREADS: usize = 1 << 18;
/// Places of more rows than this leave no bit for the child.
const MOST_ROWS: usize = 1 << 31;
/// Classes have 16 bits.
const MOST_CLASSES: usize = 1 << 16;

/// A column as searches read it.
#[derive(Debug)]
enum Coded<'a> {
    Numbers(Numbers<'a>),
    Levels { codes: &'a [u32], levels: u32, wide: bool },
}

/// What all nodes of a tree share.
#[derive(Debug)]
pub struct Terms<'a> {
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
    /// How many threads, 0 for all available ones.
    pub threads: usize,
    /// The word to stop.
    pub cancel: &'a Cancel,
}

impl Plan<'_> {
    /// A tree; None where rows must be held in another way. The weights should be fine ([`Weights::fine`]).
    pub fn grow(&self, table: &Table<'_>, classes: Classes<'_>, weights: &Weights) -> Result<Option<Tree>> {
        let too_many = |column: &Column<'_>| matches!(column, Column::Categorical { levels, .. } if *levels as usize >= MAX_CHILDREN);
        if table.rows() >= MOST_ROWS || classes.classes > MOST_CLASSES || table.columns().iter().any(too_many) {
            return Ok(None);
        }
        let cells = table.rows().saturating_mul(table.columns().len());
        let threads = if cells < SEVERAL_THREADS { 1 } else { pool::bounded(self.threads) };
        let (terms, root) = Terms::new(self, table, classes, weights, threads)?;
        let mut rows = Sorted::new(&terms, root, threads);
        grow_wide(&mut rows, self.chooser, self.limits, threads, self.cancel).map(Some)
    }
}

/// The rows of a node and of everything below it.
#[derive(Debug)]
pub struct Sorted<'a> {
    terms: &'a Terms<'a>,
    root: Option<Node>,
    threads: usize,
}

/// The split of a column, and how many known rows are below it where it is a cut.
type Offer = Option<(Candidate, usize)>;

impl<'a> Sorted<'a> {
    fn new(terms: &'a Terms<'a>, root: Node, threads: usize) -> Sorted<'a> {
        Sorted { terms, root: Some(root), threads }
    }

    /// To which child each row of a node goes, or that it is shared.
    fn child_of(&self, node: &Node, chosen: &Candidate) -> Result<Vec<u16>> {
        let mut child_of = filled(SHARE, node.count)?;
        match &self.terms.columns[chosen.feature as usize] {
            Coded::Numbers(_) => {
                let position = node.numbers.iter().position(|segment| segment.column == chosen.feature);
                let items = position.map_or(&[][..], |position| node.items_of(position));
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
        self.terms.criterion.outputs()
    }

    fn root(&mut self) -> Result<Node> {
        let root = self.root.take().filter(|root| root.count > 0);
        root.ok_or_else(|| Error::data("data.empty", "no row has a weight above zero"))
    }

    fn leaf<'v>(&self, node: &Node, value: &'v mut [f64]) -> Leaf<'v> {
        let criterion = &self.terms.criterion;
        if node.count > 0 {
            criterion.value(&node.stats, value);
        } else if self.terms.rules.empty == EmptyLeaf::Majority {
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
        let terms = self.terms;
        if !terms.is_searched(&node.stats) {
            return Ok(());
        }
        let threads = if node.count < SHARED { 1 } else { self.threads };
        let mut offers = terms.search(node, threads)?;
        offers.sort_unstable_by_key(|(candidate, _)| candidate.feature);
        let (mut candidates, belows): (Vec<Candidate>, Vec<usize>) = offers.into_iter().unzip();
        // Neither chooser of these trees looks at the impurity.
        let Some(chosen) = terms.chooser.choose(&candidates, 1.0) else { return Ok(()) };
        // The others' thresholds will never be asked for.
        node.below = belows[chosen];
        let chosen = &mut candidates[chosen];
        if let Coded::Numbers(numbers) = &terms.columns[chosen.feature as usize]
            && let Some(position) = node.numbers.iter().position(|segment| segment.column == chosen.feature)
        {
            let items = node.items_of(position);
            let row = |at: usize| node.rows[item::place_of(items[at]) as usize];
            chosen.way = numbers.question(row(node.below - 1), row(node.below), &terms.rules);
        }
        out.append(&mut candidates);
        Ok(())
    }

    fn divide(&mut self, node: Node, chosen: &Candidate) -> Result<Vec<Node>> {
        let child_of = self.child_of(&node, chosen)?;
        let levels = self.terms.levels_below(&node, chosen.feature);
        let children = chosen.way.children as usize;
        let children = divide::divide(self.terms, &node, children, child_of, &levels, self.threads)?;
        self.terms.spares.give(node.items);
        Ok(children)
    }
}

impl Divisible for Sorted<'_> {
    type Part<'p>
        = Sorted<'p>
    where
        Self: 'p;

    fn small(&self, _: usize) -> u32 {
        SHARED as u32
    }

    fn parts(&mut self, nodes: Vec<Node>) -> Result<Vec<Sorted<'_>>> {
        collected(nodes.into_iter().map(|node| Sorted::new(self.terms, node, 1)))
    }
}

impl<'a> Terms<'a> {
    /// Sorts the columns; and all rows of the table with a weight.
    fn new(
        plan: &Plan<'a>,
        table: &Table<'a>,
        classes: Classes<'a>,
        weights: &Weights,
        threads: usize,
    ) -> Result<(Terms<'a>, Node)> {
        let first = weights.units.iter().copied().find(|&units| units > 0).unwrap_or(0);
        let units = if weights.units.iter().all(|&units| units == first || units == 0) { first } else { 0 };
        let criterion = ClassCriterion::new(Impurity::Entropy, classes);
        let mut root = present_rows(classes, weights, units)?;
        let total = criterion.weight(&root.stats);
        let scale = Fixed::new(total, weights.unit, classes.classes);
        let tabulated = if units > 0 { root.count } else { 0 };
        let logarithms = Logarithms::new(tabulated, units, &scale)?;
        let total = plan.rules.total.unwrap_or(total);
        let columns = sort_columns(plan, table, &mut root, total, threads)?;
        let (rules, chooser, cancel) = (plan.rules, *plan.chooser, plan.cancel);
        let spares = SpareItems::default();
        Ok((Terms { criterion, rules, chooser, columns, units, scale, logarithms, spares, cancel }, root))
    }

    /// Whether a node of these class weights is searched for a split.
    fn is_searched(&self, stats: &[u64]) -> bool {
        let (weight, tolerance) = (self.criterion.weight(stats), self.rules.tolerance);
        let largest = stats.iter().copied().max().unwrap_or(0) as f64 * self.criterion.unit();
        weight >= 2.0 * self.rules.min_cases - tolerance && weight - largest > tolerance
    }

    /// The best split of each column that has one.
    fn search(&self, node: &Node, threads: usize) -> Result<Vec<(Candidate, usize)>> {
        let jobs = node.numbers.len() + node.levels.len();
        let mut offers = room(jobs)?;
        match (&node.weights, threads) {
            (None, 1) if self.logarithms.knows(node.count) => {
                let mut sides = self.counts(node)?;
                for position in 0..node.numbers.len() {
                    self.cancel.check()?;
                    offers.extend(self.offer_cut(node, position, |items, numbers, weight| {
                        best_cut(items, &numbers.gaps, &mut sides, weight, &self.rules)
                    }));
                }
                for position in node.numbers.len()..jobs {
                    offers.extend(self.offer(node, position)?);
                }
            }
            _ => {
                for offer in pool::each(threads, (0..jobs).collect(), |position| self.offer(node, position))? {
                    offers.extend(offer?);
                }
            }
        }
        Ok(offers)
    }

    fn counts<'n>(&'n self, node: &'n Node) -> Result<Counts<'n>> {
        Counts::new((&self.scale, &self.logarithms), &node.classes, &node.stats, self.units)
    }

    /// The best split of a column: of numbers, or of categories where there are no more of those.
    fn offer(&self, node: &Node, position: usize) -> Result<Offer> {
        self.cancel.check()?;
        if position >= node.numbers.len() {
            return self.offer_levels(node, node.levels[position - node.numbers.len()]);
        }
        if node.weights.is_none() && self.logarithms.knows(node.count) {
            let mut sides = self.counts(node)?;
            return Ok(self.offer_cut(node, position, |items, numbers, weight| {
                best_cut(items, &numbers.gaps, &mut sides, weight, &self.rules)
            }));
        }
        let same = [self.units];
        let weights = node.weights.as_deref().unwrap_or(&same);
        let mut sides = WeighedSides::new(&self.scale, &self.criterion, &node.classes, weights)?;
        Ok(self.offer_cut(node, position, |items, numbers, weight| {
            best_cut(items, &numbers.gaps, &mut sides, weight, &self.rules)
        }))
    }

    /// The best cut of a column of numbers, without its threshold.
    fn offer_cut(
        &self,
        node: &Node,
        position: usize,
        search: impl FnOnce(&[u64], &Numbers<'_>, f64) -> Option<Cut>,
    ) -> Offer {
        let feature = node.numbers[position].column;
        let Coded::Numbers(numbers) = &self.columns[feature as usize] else { return None };
        let all = self.criterion.weight(&node.stats);
        let cut = search(node.items_of(position), numbers, all)?;
        let weights = CutWeights { all, known: cut.known, below: cut.weight_below };
        let (gain, split_info) = gain_and_split_info(cut.saved, cut.tries, weights, &self.rules)?;
        let way = SplitRule::threshold(f64::NAN, SHARE);
        Some((Candidate { feature, gain, way, split_info, wide: false }, cut.below))
    }

    /// The best split of a column of categories.
    fn offer_levels(&self, node: &Node, feature: u32) -> Result<Offer> {
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
        Ok(found.map(|found| {
            let SharedSplit { gain, way, split_info } = found;
            (Candidate { feature, gain, way, split_info, wide }, 0)
        }))
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

/// All rows with a weight; `units` is the weight that they all have, or 0.
fn present_rows(classes: Classes<'_>, weights: &Weights, units: u64) -> Result<Node> {
    let (target, width) = (classes.target, classes.classes);
    let present = || weights.units.iter().zip(0u32..).filter(|(units, _)| **units > 0);
    let count = present().count();
    let mut node =
        Node { count, stats: filled(0, width)?, rows: room(count)?, classes: room(count)?, ..Node::default() };
    for (units, row) in present() {
        let class = target[row as usize];
        node.rows.push(row);
        node.classes.push(class as u16);
        node.stats[class as usize] += units;
    }
    if units == 0 {
        let mut list = room(count)?;
        list.extend(present().map(|(units, _)| *units));
        node.weights = Some(list);
    }
    Ok(node)
}

/// Columns that are read together: the numbers of a row lie beside each other in a matrix.
const TOGETHER: usize = 8;
/// Rows of such columns that are read at once, and stay in the cache meanwhile.
const ROWS_AT_ONCE: u32 = 512;

/// Sorts the columns of numbers and puts them into the root.
fn sort_columns<'a>(
    plan: &Plan<'a>,
    table: &Table<'a>,
    root: &mut Node,
    total: f64,
    threads: usize,
) -> Result<Vec<Coded<'a>>> {
    let levels_of = |column: &Column<'_>| match column {
        Column::Categorical { levels, .. } => Some(*levels),
        _ => None,
    };
    let wide = have_many_levels(table.columns().iter().map(levels_of), total, &plan.rules)?;
    let code = |(column, wide): (&Column<'a>, bool)| match *column {
        Column::Categorical { codes, levels } => Coded::Levels { codes, levels, wide },
        column => Coded::Numbers(Numbers::new(column, plan.rules.compare_as_f32)),
    };
    let mut columns: Vec<Coded<'a>> = collected(table.columns().iter().zip(wide).map(code))?;
    let features = |is_numeric: bool| {
        let columns = table.columns().iter().zip(0u32..);
        columns.filter(move |(column, _)| levels_of(column).is_none() == is_numeric).map(|(_, feature)| feature)
    };
    root.levels = features(false).collect();
    root.numbers = features(true).map(|column| Segment { column, known: 0 }).collect();
    root.stride = table.rows() + 1;
    root.items = zeros(root.stride.checked_mul(root.numbers.len()).ok_or(Error::Memory)?)?;
    let numbers = columns.iter_mut().filter_map(|column| match column {
        Coded::Numbers(numbers) => Some(numbers),
        Coded::Levels { .. } => None,
    });
    let mut jobs: Vec<(&mut Numbers<'a>, &mut [u64])> = numbers.zip(root.items.chunks_mut(root.stride)).collect();
    let read = |jobs: &mut [(&mut Numbers<'a>, &mut [u64])]| -> Result<()> {
        let rows = table.rows() as u32;
        for start in (0..rows).step_by(ROWS_AT_ONCE as usize) {
            plan.cancel.check()?;
            let end = (start + ROWS_AT_ONCE).min(rows);
            jobs.iter_mut().for_each(|(numbers, items)| numbers.read(start..end, items));
        }
        Ok(())
    };
    pool::each(threads, jobs.chunks_mut(TOGETHER).collect(), read)?.into_iter().collect::<Result<()>>()?;
    let sort = |(numbers, items): (&mut Numbers<'a>, &mut [u64])| numbers.sort(items, plan.cancel);
    for (segment, known) in root.numbers.iter_mut().zip(pool::each(threads, jobs, sort)?) {
        segment.known = known? as u32;
    }
    if root.count < table.rows() {
        let mut place_of_row = filled(NOWHERE, table.rows())?;
        (0u32..).zip(&root.rows).for_each(|(place, row)| place_of_row[*row as usize] = place);
        root.keep_rows(&place_of_row);
    }
    Ok(columns)
}
