//! One tree from rows that lie in several processes. It has the bytes of the tree of one process with all rows.
//!
//! Large nodes are searched by sums over all processes ([`List::beside`]). The rows of each small node then go to one
//! process, which grows what is below, and all processes put the tree together.

use super::Recipe;
use super::criterion::{KnownCriterion, KnownTarget, Visitor, with_known_target};
use super::handover::{assign_nodes, hand_over};
use super::subtree::{NumericSplit, SharedTerms, ranked_parts};
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
use crate::stats::criterion::Criterion;
use crate::stats::entry::Entry;
use crate::stats::numbers::Numbers;
use crate::stats::portable::{Portable, add_everywhere};
use crate::stats::target::{Target, check_square};
use crate::stats::weights::Weights;
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

/// The columns of this process, and the bins of each.
type Coded<'a> = (Arc<Vec<RankedColumn<'a>>>, Arc<Vec<Bins>>);

/// What the trees of one forest share, and what one of them draws.
#[derive(Clone, Debug, Default)]
pub(crate) struct Shared<'a> {
    /// The coded columns; None where each tree codes them.
    pub columns: Option<Coded<'a>>,
    /// How columns and cuts are drawn.
    pub draw: Option<FeatureSampling>,
}

impl<'a> Shared<'a> {
    /// Codes the columns.
    pub fn new(table: &Table<'a>, peers: &dyn Peers, cancel: &Cancel) -> Result<Shared<'a>> {
        let columns = Arc::new(ranked_parts(table, false, &has_missing(table, peers)?, cancel)?);
        let bins = Arc::new(Bins::all(&columns, peers)?);
        Ok(Shared { columns: Some((columns, bins)), draw: None })
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
    grow_shared(recipe, table, target, weights, merging, &Shared::default(), cancel)
}

/// The same for a tree of a forest.
pub(crate) fn grow_shared(
    recipe: &Recipe,
    table: &Table<'_>,
    target: Target<'_>,
    weights: Option<&[f64]>,
    merging: Merging<'_>,
    shared: &Shared<'_>,
    cancel: &Cancel,
) -> Result<Tree> {
    check_support(recipe)?;
    target.check(table.rows(), weights)?;
    recipe.check(table.columns().len(), target)?;
    let Merging { peers, .. } = merging;
    check_rows(table, peers)?;
    let weights = recipe.weights_of_part(weights, table.rows(), peers)?;
    let total = weights.total(peers)?;
    let job = Merged { recipe, table, weights: &weights, total, merging, shared, cancel };
    let tree = match target {
        Target::Classes { codes, classes } => {
            with_known_target(recipe, KnownTarget::Classes { codes, classes }, weights.unit, job)
        }
        Target::Numbers(numbers) => {
            let numbers = Numbers::part(numbers, total, peers)?;
            check_range(&numbers, total as f64 * weights.unit, peers)?;
            with_known_target(recipe, KnownTarget::Numbers(&numbers), weights.unit, job)
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

/// Growing a tree from the rows of several processes.
struct Merged<'a> {
    recipe: &'a Recipe,
    table: &'a Table<'a>,
    weights: &'a Weights,
    /// The weight of all rows, in units.
    total: u64,
    merging: Merging<'a>,
    shared: &'a Shared<'a>,
    cancel: &'a Cancel,
}

/// A node whose subtree is still to be grown.
struct OpenNode {
    node: usize,
    depth: u32,
    rows: u64,
    start: Start,
}

/// A subtree, and the questions whose thresholds are still open.
struct Grown {
    place: usize,
    tree: Tree,
    splits: Vec<NumericSplit>,
}

impl Visitor for Merged<'_> {
    type Output = Tree;

    fn visit<C: Criterion>(self, criterion: &C, known: KnownCriterion<'_>) -> Result<Tree> {
        let (peers, cancel, recipe) = (self.merging.peers, self.cancel, self.recipe);
        let has_missing = has_missing(self.table, peers)?;
        let (columns, bins) = match &self.shared.columns {
            Some((columns, bins)) => (columns.clone(), bins.clone()),
            None => {
                let single = matches!(recipe.unknowns, Unknowns::Share(rules) if rules.compare_as_f32);
                let columns = Arc::new(ranked_parts(self.table, single, &has_missing, cancel)?);
                let bins = Arc::new(Bins::all(&columns, peers)?);
                (columns, bins)
            }
        };
        let rules = self.search_rules(criterion)?;
        let shared = SharedTerms {
            recipe,
            rules: &rules,
            has_missing: &has_missing,
            criterion: known,
            unit: self.weights.unit,
            cancel,
        };
        let list = List::coded(columns.clone(), criterion, self.weights, rules.clone(), cancel)?;
        let small = self.merging.small;
        let mut list = list.beside(peers, &recipe.chooser, bins);
        let (top, open) = grow_top(&mut list, &recipe.chooser, &recipe.limits, small, cancel)?;
        if open.is_empty() {
            return Ok(top);
        }
        let (open, entries) = open_nodes(open, &top);
        let own = self.grow_own(&shared, &open, &entries)?;
        let mut grown = gather_trees(&own, peers)?;
        self.settle_thresholds(&mut grown, &columns, &rules)?;
        stitch(&top, grown.into_iter().map(|grown| (open[grown.place].node, grown.tree)).collect(), cancel)
    }
}

/// What is known everywhere of the open nodes, and their rows in this process.
fn open_nodes<S>(open: Vec<Open<ListNode<S>>>, top: &Tree) -> (Vec<OpenNode>, Vec<Vec<Entry>>) {
    let one = |open: Open<ListNode<S>>| {
        let Open { node, depth, rows } = open;
        (OpenNode { node, depth, rows: top.count[node], start: rows.start }, rows.entries)
    };
    open.into_iter().map(one).unzip()
}

impl Merged<'_> {
    /// The rules of searching, with the limits that depend on all rows.
    fn search_rules<C: Criterion>(&self, criterion: &C) -> Result<SearchRules> {
        let share = self.recipe.min_leaf_share;
        let mut stats = vec![C::Stat::default(); criterion.width()];
        if share > 0.0 {
            let rows = self.weights.units.iter().enumerate();
            rows.for_each(|(row, &weight)| criterion.add(&mut stats, row, weight));
            add_everywhere(self.merging.peers, &mut stats)?;
        }
        let mut rules = self.recipe.search_rules(share * criterion.weight(&stats), self.shared.draw);
        if let Unknowns::Share(rules) = &mut rules.unknowns {
            rules.total = Some(rules.total.unwrap_or(self.total as f64 * self.weights.unit));
        }
        Ok(rules)
    }

    /// The subtrees of the nodes that come to this process.
    fn grow_own(&self, shared: &SharedTerms<'_>, open: &[OpenNode], entries: &[Vec<Entry>]) -> Result<Vec<Grown>> {
        let peers = self.merging.peers;
        let to = assign_nodes(open.iter().map(|open| open.rows), peers.size());
        let lists: Vec<&[Entry]> = entries.iter().map(Vec::as_slice).collect();
        let rows = hand_over(&lists, &to, self.table, shared.criterion, peers)?;
        let places = (0..open.len()).filter(|&place| to[place] == peers.rank());
        let jobs: Vec<_> = places.zip(rows).collect();
        let threads = pool::bounded(self.recipe.threads);
        // Few large nodes have all threads each, many small ones have one.
        let (beside, inside) = if jobs.len() < threads { (1, threads) } else { (threads, 1) };
        let grow = |(place, rows): (usize, _)| -> Result<Grown> {
            let OpenNode { depth, start, .. } = &open[place];
            let tree = shared.grow_below(*depth, start, &rows, inside)?;
            Ok(Grown { place, splits: shared.numeric_splits(&tree, &rows)?, tree })
        };
        if beside == 1 {
            return jobs.into_iter().map(grow).collect();
        }
        pool::each(beside, jobs, grow)?.into_iter().collect()
    }

    /// Sets the thresholds that depend on the numbers of all rows.
    fn settle_thresholds(&self, grown: &mut [Grown], columns: &[RankedColumn<'_>], rules: &SearchRules) -> Result<()> {
        let Unknowns::Share(rules) = &rules.unknowns else { return Ok(()) };
        let cuts = grown.iter().flat_map(|grown| &grown.splits).map(|split| (split.feature, split.between));
        let mut thresholds = thresholds_everywhere(columns, cuts, rules, self.merging.peers)?.into_iter();
        for Grown { tree, splits, .. } in grown {
            splits.iter().zip(&mut thresholds).for_each(|(split, cut)| tree.threshold[split.node] = cut);
        }
        Ok(())
    }
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
fn gather_trees(own: &[Grown], peers: &dyn Peers) -> Result<Vec<Grown>> {
    let mut bytes = Vec::new();
    for Grown { place, tree, splits } in own {
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
            all.push(take_grown(&mut rest)?);
        }
    }
    all.sort_unstable_by_key(|grown| grown.place);
    Ok(all)
}

fn take_grown(bytes: &mut &[u8]) -> Result<Grown> {
    let place = u64::take_bytes(bytes)? as usize;
    let (tree, count) = (take_tree(bytes)?, u64::take_bytes(bytes)?);
    let split = |_| {
        let (node, feature) = (u64::take_bytes(bytes)? as usize, u64::take_bytes(bytes)? as u32);
        let between = (f64::from_bits(u64::take_bytes(bytes)?), f64::from_bits(u64::take_bytes(bytes)?));
        Ok(NumericSplit { node, feature, between })
    };
    let splits = (0..count).map(split).collect::<Result<_>>()?;
    Ok(Grown { place, tree, splits })
}
