//! Recipes of trees that ask questions with two answers: which rows, which splits, what to cut off again.

use super::task::{Look, Task};
use super::{Words, impurity, known, part};
use crate::codes::ranks::RankedColumn;
use crate::data::table::Table;
use crate::grow::study::Report;
use crate::grow::{Limits, grow};
use crate::model::tree::{STOP, Tree};
use crate::prune::complexity;
use crate::rows::columns::kernels::Isa;
use crate::rows::columns::plan::Plan;
use crate::rows::list::{List, SplitRules};
use crate::split::choose::Chooser;
use crate::split::draw::Draw;
use crate::split::subset::{SubsetRules, Unused};
use crate::split::surrogate::{SavingUnit, SurrogateRules, Undecided};
use crate::split::unknowns::Unknowns;
use crate::stats::criterion::{ClassCriterion, Classes, Criterion, SquaredError};
use crate::stats::numbers::Numbers;
use crate::stats::risk::Costs;
use crate::stats::target::Target;
use crate::stats::weights::Weights;
use crate::sys::pool::Cancel;
use crate::{Error, Result};
use std::sync::Arc;

/// The words for where missing values go.
pub const MISSING: &[&str] = &["branch", "direction", "surrogate"];
/// The words for where rows go that no surrogate decides.
pub const UNDECIDED: &[&str] = &["heavier", "heavier-or-stay", "stay"];

/// What trees of two answers need besides.
#[derive(Clone, Debug, Default)]
pub struct BinaryWords {
    /// Where missing values go: see [`MISSING`].
    pub missing: String,
    /// The fewest rows of a child.
    pub min_leaf: u32,
    /// The least share of the whole weight that a child has.
    pub min_leaf_share: f64,
    /// The most leaves; where given, the most saving question is asked first.
    pub max_leaves: Option<u32>,
    /// See [`SplitRules::monotone`].
    pub monotone: Vec<i8>,
    /// By how much each class's rows count; empty for 1 each.
    pub class_weights: Vec<f64>,
    /// By how much more they count while the tree grows; empty for 1 each.
    pub class_prices: Vec<f64>,
    /// What surrogates need.
    pub surrogates: Option<SurrogateWords>,
}

/// The words and numbers of [`SurrogateRules`], and of cutting afterwards.
#[derive(Clone, Debug, Default)]
pub struct SurrogateWords {
    /// See [`SurrogateRules::max_surrogates`].
    pub max_surrogates: usize,
    /// See [`SurrogateRules::max_competitors`].
    pub max_competitors: usize,
    /// See [`SurrogateRules::of_known`].
    pub of_known: bool,
    /// See [`SurrogateRules::imperfect`].
    pub imperfect: bool,
    /// Where undecided rows go while the tree grows: see [`UNDECIDED`].
    pub undecided: String,
    /// Where they go later: to the child that more rows came to, or nowhere; None for the heavier one.
    pub later_by_count: Option<bool>,
    /// The share of the largest saving so far that a split must save; None takes all.
    pub vanishing: Option<f64>,
    /// See [`SubsetRules::exhaustive`].
    pub exhaustive: usize,
    /// See [`SubsetRules::ordered_only`].
    pub orderly: bool,
    /// The share of the root's risk that each split must save; None cuts nothing off.
    pub complexity: Option<f64>,
    /// What it costs to answer a class (column) where another is true (row), row by row; empty for 1 each.
    pub costs: Vec<f64>,
}

/// Grows one tree after a recipe with binary words.
pub(super) fn grow_binary(
    words: &Words,
    more: &BinaryWords,
    table: &Table<'_>,
    target: Target<'_>,
    weights: Option<&[f64]>,
    cancel: &Cancel,
) -> Result<Tree> {
    grow_with(words, more, table, target, weights, Means { cancel, coded: None, draw: None })
}

/// What growing has at hand.
#[derive(Debug)]
pub(super) struct Means<'a, 't> {
    /// The word to stop.
    pub cancel: &'a Cancel,
    /// The columns, where many trees share them.
    pub coded: Option<Arc<Vec<RankedColumn<'t>>>>,
    /// How columns and cuts are drawn.
    pub draw: Option<Draw>,
}

/// The same with what is at hand.
pub(super) fn grow_with(
    words: &Words,
    more: &BinaryWords,
    table: &Table<'_>,
    target: Target<'_>,
    weights: Option<&[f64]>,
    means: Means<'_, '_>,
) -> Result<Tree> {
    let (mut tree, turned) = with_law(words, more, table, target, weights, &Growing(means))?;
    let Some(surrogates) = &more.surrogates else { return Ok(tree) };
    if let Some(by_count) = surrogates.later_by_count {
        send_by_count(&mut tree, by_count);
    }
    let Some(share) = surrogates.complexity else { return Ok(tree) };
    let risk = Costs(&surrogates.costs).risks(&tree);
    complexity::prune(&tree, &table.kinds(), &risk, &turned, share * risk[0]).map(|(tree, _)| tree)
}

/// Studies a node of such a tree.
pub(super) fn study_binary(
    words: &Words,
    more: &BinaryWords,
    table: &Table<'_>,
    target: Target<'_>,
    weights: Option<&[f64]>,
    look: &Look<'_>,
) -> Result<Vec<Report>> {
    with_law(words, more, table, target, weights, &Studying(look))
}

/// What is done with a tree of two answers, once its law is known.
trait Deed {
    type Done;
    /// `quick` holds the rows as columns, where it can.
    fn perform<C: Criterion>(
        &self,
        job: &Job<'_>,
        law: &C,
        unit: SavingUnit,
        quick: impl FnOnce(&Plan<'_>) -> Result<Option<Tree>>,
    ) -> Result<Self::Done>;
}

/// Finds the law and does the deed.
fn with_law<D: Deed>(
    words: &Words,
    more: &BinaryWords,
    table: &Table<'_>,
    target: Target<'_>,
    weights: Option<&[f64]>,
    deed: &D,
) -> Result<D::Done> {
    known("missing", &more.missing, MISSING)?;
    more.check(table.columns().len(), target)?;
    let weights = weights.map_or_else(|| Ok(Weights::ones(table.rows())), Weights::new)?;
    let unit = weights.unit;
    let job = Job { words, more, table, weights: &weights };
    match (target, words.criterion.as_str()) {
        (Target::Classes { codes, classes }, "entropy" | "gini") => {
            let classes = Classes { target: codes, classes, unit };
            let law = ClassCriterion::new(impurity(&words.criterion)?, classes)
                .with_factors(&more.class_weights, &more.class_prices);
            deed.perform(&job, &law, SavingUnit::Cost, |plan| plan.classes(table, &law, codes, &weights))
        }
        (Target::Numbers(numbers), "squared") => {
            let numbers = Numbers::new(numbers, weights.units.iter().sum());
            let law = SquaredError { target: &numbers, unit };
            deed.perform(&job, &law, SavingUnit::Share, |plan| plan.numbers(table, &law, &weights))
        }
        _ => Err(Error::data("recipe.criterion", "the criterion does not fit the target")),
    }
}

/// One tree, and the rows it is grown from.
struct Job<'a> {
    words: &'a Words,
    more: &'a BinaryWords,
    table: &'a Table<'a>,
    weights: &'a Weights,
}

/// Growing: the tree, and for each node whether its second child is the one that answers less (see
/// [`List::second_answers_less`]).
struct Growing<'a, 't>(Means<'a, 't>);

impl Deed for Growing<'_, '_> {
    type Done = (Tree, Vec<bool>);

    fn perform<C: Criterion>(
        &self,
        job: &Job<'_>,
        law: &C,
        unit: SavingUnit,
        quick: impl FnOnce(&Plan<'_>) -> Result<Option<Tree>>,
    ) -> Result<Self::Done> {
        let (chooser, limits) = (job.chooser(), job.limits());
        let Means { cancel, coded, draw } = &self.0;
        if job.words.rows == "columns" && is_plain(job.more) && coded.is_none() {
            let isa = if job.words.plain { Isa::PORTABLE } else { Isa::detect() };
            let (min_leaf, min_gain) = (job.more.min_leaf, job.words.min_gain);
            let threads = job.words.threads;
            let (mixed, monotone) = (is_mixed(job.words, job.more), &job.more.monotone[..]);
            let min_leaf_share = job.more.min_leaf_share;
            let plan =
                Plan { min_leaf, min_leaf_share, min_gain, limits: &limits, threads, isa, cancel, mixed, monotone };
            if let Some(tree) = quick(&plan)? {
                return Ok((tree, Vec::new()));
            }
        }
        let rules = SplitRules { draw: *draw, ..job.rules(law, unit)? };
        let mut rows = job.list(law, rules, coded.clone(), cancel)?;
        let tree = grow(&mut rows, &chooser, &limits, cancel)?;
        Ok((tree, rows.second_answers_less()))
    }
}

/// Looking at a node.
struct Studying<'a>(&'a Look<'a>);

impl Deed for Studying<'_> {
    type Done = Vec<Report>;

    fn perform<C: Criterion>(
        &self,
        job: &Job<'_>,
        law: &C,
        unit: SavingUnit,
        _: impl FnOnce(&Plan<'_>) -> Result<Option<Tree>>,
    ) -> Result<Vec<Report>> {
        let (chooser, limits) = (job.chooser(), job.limits());
        self.0.run(&mut job.list(law, job.rules(law, unit)?, None, self.0.cancel)?, &chooser, &limits)
    }
}

impl Job<'_> {
    fn chooser(&self) -> Chooser {
        self.words.chooser()
    }

    fn limits(&self) -> Limits {
        limits(self.words, self.more)
    }

    fn min_weight<C: Criterion>(&self, law: &C) -> f64 {
        let share = self.more.min_leaf_share;
        if share > 0.0 { share * self.whole(law) } else { 0.0 }
    }

    /// The rows as lists.
    fn list<'s, C: Criterion>(
        &'s self,
        law: &'s C,
        rules: SplitRules,
        coded: Option<Arc<Vec<RankedColumn<'s>>>>,
        cancel: &'s Cancel,
    ) -> Result<List<'s, C>> {
        let rows = match coded {
            Some(coded) => List::coded(coded, law, self.weights, rules, cancel)?,
            None => List::new(self.table, law, self.weights, rules, cancel)?,
        };
        Ok(match &self.more.surrogates {
            Some(SurrogateWords { complexity: Some(share), costs, .. }) => rows.stop_below_risk(*share, Costs(costs)),
            _ => rows,
        })
    }

    fn rules<C: Criterion>(&self, law: &C, unit: SavingUnit) -> Result<SplitRules> {
        let (min_leaf, min_weight) = (self.more.min_leaf, self.min_weight(law));
        if let Some(words) = &self.more.surrogates {
            let unknowns = Unknowns::Surrogates(words.rules(unit)?);
            let exhaustive = words.exhaustive.min(24);
            let sets = SubsetRules { unused: Unused::Unanswered, exhaustive, ordered_only: words.orderly };
            return Ok(SplitRules { subsets: Some(sets), unknowns, min_leaf, min_weight, ..SplitRules::default() });
        }
        Ok(SplitRules {
            subsets: (self.words.categorical == "subset").then(SubsetRules::default),
            unknowns: if self.more.missing == "branch" { Unknowns::Branch } else { Unknowns::Side },
            min_leaf,
            min_weight,
            monotone: self.more.monotone.clone(),
            draw: None,
        })
    }
}

impl Job<'_> {
    /// The weight of all rows.
    fn whole<C: Criterion>(&self, law: &C) -> f64 {
        let mut stats = vec![C::Stat::default(); law.width()];
        self.weights.units.iter().enumerate().for_each(|(row, &weight)| law.add(&mut stats, row, weight));
        law.weight(&stats)
    }
}

/// Where growing stops.
pub(super) fn limits(words: &Words, more: &BinaryWords) -> Limits {
    Limits { max_leaves: more.max_leaves, ..words.limits() }
}

/// Whether rows may be held as columns.
pub(super) fn is_plain(more: &BinaryWords) -> bool {
    more.surrogates.is_none()
}

/// Whether these columns may have categories and missing values.
pub(super) fn is_mixed(words: &Words, more: &BinaryWords) -> bool {
    words.categorical == "subset" && more.missing == "direction"
}

impl BinaryWords {
    fn check(&self, columns: usize, target: Target<'_>) -> Result<()> {
        let classes = if let Target::Classes { classes, .. } = target { classes } else { 0 };
        let costs = self.surrogates.as_ref().map_or(0, |words| words.costs.len());
        let whole = |length: usize, full: usize| length == 0 || length == full;
        let fits = whole(self.monotone.len(), columns)
            && (self.monotone.is_empty() || classes <= 2)
            && whole(self.class_weights.len(), classes)
            && whole(self.class_prices.len(), classes)
            && whole(costs, classes * classes)
            && self.surrogates.is_some() == (self.missing == "surrogate");
        let positive = |numbers: &[f64]| numbers.iter().all(|x| x.is_finite() && *x > 0.0);
        if fits && positive(&self.class_weights) && positive(&self.class_prices) {
            return Ok(());
        }
        Err(Error::data("recipe.binary", "the recipe does not fit the table"))
    }
}

impl SurrogateWords {
    fn rules(&self, unit: SavingUnit) -> Result<SurrogateRules> {
        let undecided = [Undecided::Heavier, Undecided::HeavierOrStay, Undecided::Stay];
        Ok(SurrogateRules {
            max_surrogates: self.max_surrogates,
            max_competitors: self.max_competitors,
            of_known: self.of_known,
            imperfect: self.imperfect,
            undecided: part("undecided", &self.undecided, UNDECIDED, &undecided)?,
            vanishing: self.vanishing.map(|share| (share, unit)),
        })
    }
}

/// Sends rows that nothing decides to the child with more training rows, or nowhere where they are as many.
fn send_by_count(tree: &mut Tree, by_count: bool) {
    for node in 0..tree.len() {
        if tree.n_children[node] == 2 {
            let first = tree.first_child[node] as usize;
            tree.missing[node] = match tree.count[first].cmp(&tree.count[first + 1]) {
                std::cmp::Ordering::Greater if by_count => 0,
                std::cmp::Ordering::Less if by_count => 1,
                _ => STOP,
            };
        }
    }
}
