//! One tree from rows that lie in several processes. It has the bytes of the tree of one process with all rows.
//!
//! Large nodes are searched by sums over all processes ([`List::beside`]). The rows of each small node then go to one
//! process, which grows what is below, and all processes put the tree together.

use super::Recipe;
use super::criterion::TreeCriterion;
use super::grow_tree::TreeInput;
use super::handover::{assign_nodes, hand_over};
use super::subtree::{BelowTop, NumericSplit, ranked_parts};
use crate::codes::ranks::RankedColumn;
use crate::data::table::{Column, MAX_ROWS, MISSING, Table};
use crate::grow::frontier::Open;
use crate::grow::grow_top;
use crate::grow::stitch::stitch;
use crate::model::tree::Tree;
use crate::model::tree_bytes::{put_tree, take_tree};
use crate::peers::Peers;
use crate::rows::list::coarse::Bins;
use crate::rows::list::{List, ListNode, SearchRules, Start};
use crate::split::priced_threshold::thresholds_everywhere;
use crate::split::sampling::FeatureSampling;
use crate::split::unknowns::Unknowns;
use crate::stats::criterion::{Classes, Criterion, Stat};
use crate::stats::entry::Entry;
use crate::stats::numbers::Numbers;
use crate::stats::portable::add_everywhere;
use crate::stats::target::{Target, check_square};
use crate::sys::pool::{self, Cancel};
use crate::{Error, Result};
use std::sync::Arc;

/// The processes that hold the rows, and from when on one of them is enough.
#[derive(Clone, Copy, Debug)]
pub struct Merging<'a> {
    /// The processes.
    pub peers: &'a dyn Peers,
    /// A node with at most so many rows in all is grown by one process. The tree does not depend on it.
    pub small: u64,
}

/// The columns of this process, coded for one tree or for all trees of a forest.
#[derive(Debug)]
pub(crate) struct MergedColumns<'a> {
    columns: Arc<Vec<RankedColumn<'a>>>,
    bins: Arc<Vec<Bins>>,
    /// For each column whether a value is missing in any process.
    has_missing: Vec<bool>,
}

impl<'a> MergedColumns<'a> {
    /// Codes the columns.
    pub fn new(recipe: &Recipe, table: &Table<'a>, peers: &dyn Peers, cancel: &Cancel) -> Result<MergedColumns<'a>> {
        let single = matches!(recipe.unknowns, Unknowns::Share(rules) if rules.compare_as_f32);
        let has_missing = has_missing(table, peers)?;
        let columns = Arc::new(ranked_parts(table, single, &has_missing, cancel)?);
        let bins = Arc::new(Bins::all(&columns, peers)?);
        Ok(MergedColumns { columns, bins, has_missing })
    }
}

/// Grows one tree; every process calls this with its own rows and gets the whole tree. Recipes, kinds of columns and
/// whether there are weights must be the same everywhere.
pub fn grow_merged(
    recipe: &Recipe,
    table: &Table<'_>,
    target: Target<'_>,
    weights: Option<&[f64]>,
    merging: Merging<'_>,
    cancel: &Cancel,
) -> Result<Tree> {
    grow_on_columns(recipe, table, target, weights, merging, None, None, cancel)
}

/// The same on columns that may be coded already; the nodes may draw columns and cuts.
#[expect(clippy::too_many_arguments, reason = "all that a tree of a forest depends on")]
pub(crate) fn grow_on_columns(
    recipe: &Recipe,
    table: &Table<'_>,
    target: Target<'_>,
    weights: Option<&[f64]>,
    merging: Merging<'_>,
    columns: Option<&MergedColumns<'_>>,
    draw: Option<FeatureSampling>,
    cancel: &Cancel,
) -> Result<Tree> {
    check_support(recipe)?;
    target.check(table.rows(), weights)?;
    recipe.check(table.columns().len(), target)?;
    let Merging { peers, .. } = merging;
    check_rows(table, peers)?;
    let weights = recipe.weights_of_part(weights, table.rows(), peers)?;
    let total = weights.total(peers)?;
    let input = TreeInput { recipe, table, weights: &weights, cancel };
    let grow = |known: &TreeCriterion<'_>| {
        let own;
        let columns = match columns {
            Some(columns) => columns,
            None => {
                own = MergedColumns::new(recipe, table, peers, cancel)?;
                &own
            }
        };
        match known {
            TreeCriterion::Classes(criterion) => grow_by(input, known, criterion, total, merging, columns, draw),
            TreeCriterion::Numbers(criterion) => grow_by(input, known, criterion, total, merging, columns, draw),
        }
    };
    let tree = match target {
        Target::Classes { codes, classes } => {
            let classes = Classes { target: codes, classes, unit: weights.unit };
            grow(&TreeCriterion::of_classes(recipe, classes)?)
        }
        Target::Numbers(numbers) => {
            let numbers = Numbers::part(numbers, total, peers)?;
            check_range(&numbers, total as f64 * weights.unit, peers)?;
            grow(&TreeCriterion::of_numbers(recipe, &numbers, weights.unit)?)
        }
    }?;
    recipe.finish.apply(tree, &table.kinds(), &[])
}

/// Checks that the recipe can be followed by several processes.
fn check_support(recipe: &Recipe) -> Result<()> {
    let message = match recipe.unknowns {
        Unknowns::Surrogates(_) => {
            "surrogate splits are not supported for rows in several processes\ntry: missing=\"direction\""
        }
        _ => return Ok(()),
    };
    Err(Error::data("fit.peers", message))
}

/// Checks that there are rows, and not too many.
fn check_rows(table: &Table<'_>, peers: &dyn Peers) -> Result<()> {
    let mut rows = [table.rows() as u64];
    peers.add(&mut rows)?;
    if rows[0] > MAX_ROWS as u64 {
        let message = format!("the table has {} rows; at most {MAX_ROWS} can be used", rows[0]);
        return Err(Error::data("data.too-many-rows", message));
    }
    Ok(())
}

/// Checks that the squares of the target of all processes can be added up.
fn check_range(numbers: &Numbers, weight: f64, peers: &dyn Peers) -> Result<()> {
    let farthest = numbers.units.iter().fold(0.0, |most: f64, &unit| most.max(numbers.real(unit as f64).abs()));
    let mut words = [farthest.to_bits()];
    peers.max(&mut words)?;
    check_square(f64::from_bits(words[0]), weight.max(1.0))
}

/// A subtree, the place of its root among the open nodes, and the questions whose thresholds are still open.
struct Subtree {
    place: usize,
    tree: Tree,
    splits: Vec<NumericSplit>,
}

/// Grows a tree by a criterion (`known` is the same one) from rows that weigh so many units in all processes.
fn grow_by<C: Criterion>(
    input: TreeInput<'_>,
    known: &TreeCriterion<'_>,
    criterion: &C,
    total: u64,
    merging: Merging<'_>,
    columns: &MergedColumns<'_>,
    draw: Option<FeatureSampling>,
) -> Result<Tree> {
    let TreeInput { recipe, weights, cancel, .. } = input;
    let (Merging { peers, small }, MergedColumns { columns, bins, has_missing }) = (merging, columns);
    let rules = search_rules(input, criterion, total, peers, draw)?;
    let list = List::coded(columns.clone(), criterion, weights, rules.clone(), cancel)?;
    let mut list = list.beside(peers, &recipe.chooser, bins.clone());
    let (top, open) = grow_top(&mut list, &recipe.chooser, &recipe.limits, small, cancel)?;
    if open.is_empty() {
        return Ok(top);
    }
    let split = |Open { node, depth, rows }: Open<ListNode<_>>| {
        let ListNode { start, entries, .. } = rows;
        (Open { node, depth, rows: start }, entries)
    };
    let (open, entries): (Vec<_>, Vec<_>) = open.into_iter().map(split).unzip();
    let below = BelowTop { input, criterion: known, rules: &rules, has_missing };
    let own = grow_own(&below, &top, &open, &entries, peers)?;
    let mut subtrees = gather_trees(&own, peers)?;
    settle_thresholds(&mut subtrees, columns, &rules, peers)?;
    stitch(&top, subtrees.into_iter().map(|subtree| (open[subtree.place].node, subtree.tree)).collect(), cancel)
}

/// The rules of searching, with the limits that depend on all rows.
fn search_rules<C: Criterion>(
    input: TreeInput<'_>,
    criterion: &C,
    total: u64,
    peers: &dyn Peers,
    draw: Option<FeatureSampling>,
) -> Result<SearchRules> {
    let TreeInput { recipe, weights, .. } = input;
    let share = recipe.min_leaf_share;
    let mut stats = vec![C::Stat::default(); criterion.width()];
    if share > 0.0 {
        let rows = weights.units.iter().enumerate();
        rows.for_each(|(row, &weight)| criterion.add(&mut stats, row, weight));
        add_everywhere(peers, &mut stats)?;
    }
    let mut rules = recipe.search_rules(share * criterion.weight(&stats), draw);
    if let Unknowns::Share(rules) = &mut rules.unknowns {
        rules.total = Some(rules.total.unwrap_or(total as f64 * weights.unit));
    }
    Ok(rules)
}

/// The subtrees of the open nodes that come to this process; the entries are their rows in this process.
fn grow_own(
    below: &BelowTop<'_>,
    top: &Tree,
    open: &[Open<Start>],
    entries: &[Vec<Entry>],
    peers: &dyn Peers,
) -> Result<Vec<Subtree>> {
    let to = assign_nodes(open.iter().map(|open| top.count[open.node]), peers.size());
    let rows = hand_over(entries, &to, &below.input, below.criterion, peers)?;
    let places = (0..open.len()).filter(|&place| to[place] == peers.rank());
    let jobs: Vec<_> = places.zip(rows).collect();
    let threads = pool::bounded(below.input.recipe.threads);
    // Few large nodes have all threads each, many small ones have one.
    let (beside, inside) = if jobs.len() < threads { (1, threads) } else { (threads, 1) };
    let grow = |(place, rows): (usize, _)| -> Result<Subtree> {
        let tree = below.grow(&open[place], &rows, inside)?;
        Ok(Subtree { place, splits: below.numeric_splits(&tree, &rows)?, tree })
    };
    if beside == 1 {
        return jobs.into_iter().map(grow).collect();
    }
    pool::each(beside, jobs, grow)?.into_iter().collect()
}

/// Sets the thresholds that depend on the numbers of all rows.
fn settle_thresholds(
    subtrees: &mut [Subtree],
    columns: &[RankedColumn<'_>],
    rules: &SearchRules,
    peers: &dyn Peers,
) -> Result<()> {
    let Unknowns::Share(rules) = &rules.unknowns else { return Ok(()) };
    let cuts = subtrees.iter().flat_map(|subtree| &subtree.splits).map(|split| (split.feature, split.between));
    let mut thresholds = thresholds_everywhere(columns, cuts, rules, peers)?.into_iter();
    for Subtree { tree, splits, .. } in subtrees {
        splits.iter().zip(&mut thresholds).for_each(|(split, cut)| tree.threshold[split.node] = cut);
    }
    Ok(())
}

/// For each column whether a value is missing in any process.
fn has_missing(table: &Table<'_>, peers: &dyn Peers) -> Result<Vec<bool>> {
    let missing = |column: &Column<'_>| match column {
        Column::Categorical { codes, .. } => codes.contains(&MISSING),
        numbers => (0..numbers.len()).any(|row| numbers.number(row).is_nan()),
    };
    let mut words: Vec<u64> = table.columns().iter().map(|column| u64::from(missing(column))).collect();
    peers.max(&mut words)?;
    Ok(words.into_iter().map(|word| word > 0).collect())
}

/// The subtrees of all processes, in the order of their places.
fn gather_trees(own: &[Subtree], peers: &dyn Peers) -> Result<Vec<Subtree>> {
    let mut bytes = Vec::new();
    for Subtree { place, tree, splits } in own {
        (*place as u64).put_bytes(&mut bytes);
        put_tree(tree, &mut bytes)?;
        (splits.len() as u64).put_bytes(&mut bytes);
        for NumericSplit { node, feature, between } in splits {
            let words = [*node as u64, u64::from(*feature), between.0.to_bits(), between.1.to_bits()];
            words.into_iter().for_each(|word| word.put_bytes(&mut bytes));
        }
    }
    let mut all = Vec::new();
    for bytes in peers.gather(&bytes)? {
        let mut rest = &bytes[..];
        while !rest.is_empty() {
            all.push(take_subtree(&mut rest)?);
        }
    }
    all.sort_unstable_by_key(|subtree| subtree.place);
    Ok(all)
}

fn take_subtree(bytes: &mut &[u8]) -> Result<Subtree> {
    let place = u64::take_bytes(bytes)? as usize;
    let (tree, count) = (take_tree(bytes)?, u64::take_bytes(bytes)?);
    let split = |_| {
        let (node, feature) = (u64::take_bytes(bytes)? as usize, u64::take_bytes(bytes)? as u32);
        let between = (f64::from_bits(u64::take_bytes(bytes)?), f64::from_bits(u64::take_bytes(bytes)?));
        Ok(NumericSplit { node, feature, between })
    };
    let splits = (0..count).map(split).collect::<Result<_>>()?;
    Ok(Subtree { place, tree, splits })
}
