//! The words of recipes for one tree.

use super::pruning::EMPTY;
use super::{CRITERIA, Words, part};
use crate::grow::Limits;
use crate::prune::collapse::Collapse;
use crate::recipe::{CriterionKind, Engine, Finish, Recipe};
use crate::simd::Isa;
use crate::split::choose::Chooser;
use crate::split::groups::GroupScore;
use crate::split::shared::{ShareRules, ThresholdAt};
use crate::split::subset::{SubsetRules, Unused};
use crate::split::surrogate::{SavingUnit, SurrogateRules, Undecided};
use crate::split::unknowns::Unknowns;
use crate::{Error, Result};

/// The words for engines.
pub const ENGINES: &Words<Engine> = &[("fastest", Engine::Fastest), ("list", Engine::List)];
/// The words for splitting categorical columns.
pub const CATEGORICAL: &Words<Categorical> =
    &[("levels", Categorical::Levels), ("groups", Categorical::Groups), ("subset", Categorical::Subset)];
/// The words for choosing.
pub const CHOOSERS: &Words<GroupScore> = &[("gain", GroupScore::Gain), ("ratio", GroupScore::Ratio)];
/// The words for what a numeric question compares with.
pub const THRESHOLDS: &Words<ThresholdAt> = &[("value", ThresholdAt::Value), ("midpoint", ThresholdAt::Midpoint)];
/// The words for undoing splits that save no error.
pub const COLLAPSE: &Words<Option<Collapse>> =
    &[("none", None), ("bottom-up", Some(Collapse::BottomUp)), ("top-down", Some(Collapse::TopDown))];
/// The words for where missing values go.
pub const MISSING: &Words<Missing> =
    &[("branch", Missing::Branch), ("direction", Missing::Direction), ("surrogate", Missing::Surrogate)];
/// The words for where rows go that no surrogate decides.
pub const UNDECIDED: &Words<Undecided> =
    &[("heavier", Undecided::Heavier), ("heavier-or-stay", Undecided::HeavierOrStay), ("stay", Undecided::Stay)];

/// How a categorical column is split.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Categorical {
    /// A branch for each level.
    Levels,
    /// A branch for each of several groups of levels.
    Groups,
    /// Two sets of levels.
    Subset,
}

/// Where missing values go in trees of two answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Missing {
    /// To a third child.
    Branch,
    /// To one of the two.
    Direction,
    /// Where a surrogate sends them.
    Surrogate,
}

/// What a recipe says, as it crosses the boundary: words and numbers.
#[derive(Clone, Debug, Default)]
pub struct TreeWords {
    /// Which engine holds the rows: see [`ENGINES`].
    pub engine: String,
    /// What is added up: see [`CRITERIA`].
    pub criterion: String,
    /// How a categorical column is split: see [`CATEGORICAL`].
    pub categorical: String,
    /// How the split is chosen: see [`CHOOSERS`].
    pub choose: String,
    /// The gain that a split must exceed.
    pub min_gain: Option<f64>,
    /// The most questions on a path.
    pub max_depth: Option<u32>,
    /// Nodes with fewer rows are leaves.
    pub min_samples_split: u32,
    /// See [`Limits::max_p_value`]; only for classes.
    pub max_p_value: Option<f64>,
    /// See [`Limits::sufficient_majority`]; only for classes.
    pub sufficient_majority: Option<f64>,
    /// What trees need besides that share out rows with a missing value.
    pub fractions: Option<ShareWords>,
    /// What trees of two answers need besides.
    pub binary: Option<BinaryWords>,
    /// See [`Recipe::threads`].
    pub threads: usize,
    /// Whether to use the portable tier of instructions ([`crate::simd`]).
    pub plain: bool,
}

/// The words and numbers of [`ShareRules`].
#[derive(Clone, Debug, Default)]
pub struct ShareWords {
    /// See [`ShareRules::min_cases`].
    pub min_cases: f64,
    /// See [`ShareRules::tolerance`].
    pub tolerance: f64,
    /// See [`ShareRules::compare_as_f32`].
    pub single: bool,
    /// See [`THRESHOLDS`].
    pub threshold: String,
    /// See [`EMPTY`].
    pub empty: String,
    /// See [`COLLAPSE`].
    pub collapse: String,
    /// The ratio that a split must exceed to be compared.
    pub floor: f64,
    /// Where the largest ratio is not above this, the node is a leaf.
    pub min_ratio: Option<f64>,
    /// See [`ShareRules::total`].
    pub total: Option<f64>,
}

/// What trees of two answers need besides.
#[derive(Clone, Debug, Default)]
pub struct BinaryWords {
    /// Where missing values go: see [`MISSING`].
    pub missing: String,
    /// See [`Recipe::min_leaf`].
    pub min_leaf: u32,
    /// See [`Recipe::min_leaf_share`].
    pub min_leaf_share: f64,
    /// The most leaves; where given, the most saving question is asked first.
    pub max_leaves: Option<u32>,
    /// See [`Recipe::monotone`].
    pub monotone: Vec<i8>,
    /// See [`Recipe::class_weights`].
    pub class_weights: Vec<f64>,
    /// See [`Recipe::class_prices`].
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
    /// See [`Finish::undecided_by_count`].
    pub later_by_count: Option<bool>,
    /// The share of the largest saving so far that a split must save; None takes all.
    pub vanishing: Option<f64>,
    /// See [`SubsetRules::exhaustive`].
    pub exhaustive: usize,
    /// See [`SubsetRules::ordered_only`].
    pub orderly: bool,
    /// See [`Finish::complexity`].
    pub complexity: Option<f64>,
    /// See [`Finish::costs`].
    pub costs: Vec<f64>,
}

/// More levels are never divided in every possible way: it would take too long.
const MAX_EXHAUSTIVE: usize = 24;

impl TreeWords {
    /// What the words stand for.
    pub fn read(&self) -> Result<Recipe> {
        let recipe = self.of_levels()?;
        match (&self.fractions, &self.binary) {
            (Some(more), _) => self.of_shared_rows(more, recipe),
            (None, Some(more)) => self.of_two_answers(more, recipe),
            (None, None) => Ok(recipe),
        }
    }

    /// Trees with a branch for each level.
    fn of_levels(&self) -> Result<Recipe> {
        let engine = part("engine", &self.engine, ENGINES)?;
        let criterion = part("criterion", &self.criterion, CRITERIA)?;
        part("categorical", &self.categorical, CATEGORICAL)?;
        part("choose", &self.choose, CHOOSERS)?;
        Ok(Recipe {
            criterion,
            class_weights: Vec::new(),
            class_prices: Vec::new(),
            subsets: None,
            unknowns: Unknowns::Level,
            chooser: Chooser::Gain { min_gain: self.min_gain },
            limits: Limits {
                max_depth: self.max_depth.unwrap_or(u32::MAX),
                min_samples_split: self.min_samples_split,
                max_leaves: None,
                max_p_value: self.max_p_value,
                sufficient_majority: self.sufficient_majority,
            },
            min_leaf: 0,
            min_leaf_share: 0.0,
            monotone: Vec::new(),
            finish: Finish::default(),
            threads: self.threads,
            isa: if self.plain { Isa::PORTABLE } else { Isa::detect() },
            engine,
        })
    }

    /// Trees that share out rows with a missing value.
    fn of_shared_rows(&self, more: &ShareWords, recipe: Recipe) -> Result<Recipe> {
        let score = part("choose", &self.choose, CHOOSERS)?;
        let groups = part("categorical", &self.categorical, CATEGORICAL)? == Categorical::Groups;
        let rules = ShareRules {
            min_cases: more.min_cases,
            tolerance: more.tolerance,
            compare_as_f32: more.single,
            threshold: part("threshold", &more.threshold, THRESHOLDS)?,
            groups: groups.then_some(score),
            total: more.total,
            empty: part("empty", &more.empty, EMPTY)?,
        };
        let min_gain = self.min_gain;
        let chooser = match score {
            GroupScore::Ratio => {
                Chooser::Ratio { floor: more.floor, tie: more.tolerance, min_gain, min_ratio: more.min_ratio }
            }
            GroupScore::Gain => recipe.chooser,
        };
        let finish = Finish { collapse: part("collapse", &more.collapse, COLLAPSE)?, ..Finish::default() };
        Ok(Recipe { unknowns: Unknowns::Share(rules), chooser, finish, ..recipe })
    }

    /// Trees whose questions have two answers.
    fn of_two_answers(&self, more: &BinaryWords, recipe: Recipe) -> Result<Recipe> {
        let subset = part("categorical", &self.categorical, CATEGORICAL)? == Categorical::Subset;
        let recipe = Recipe {
            class_weights: more.class_weights.clone(),
            class_prices: more.class_prices.clone(),
            subsets: subset.then(SubsetRules::default),
            chooser: Chooser::Share { min_gain: self.min_gain },
            limits: Limits { max_leaves: more.max_leaves, ..recipe.limits },
            min_leaf: more.min_leaf,
            min_leaf_share: more.min_leaf_share,
            monotone: more.monotone.clone(),
            ..recipe
        };
        match (part("missing", &more.missing, MISSING)?, &more.surrogates) {
            (Missing::Branch, None) => Ok(Recipe { unknowns: Unknowns::Branch, ..recipe }),
            (Missing::Direction, None) => Ok(Recipe { unknowns: Unknowns::Side, ..recipe }),
            (Missing::Surrogate, Some(words)) => words.of_surrogates(recipe),
            _ => Err(Error::data("recipe.binary", "the recipe does not fit the table")),
        }
    }
}

impl SurrogateWords {
    fn of_surrogates(&self, recipe: Recipe) -> Result<Recipe> {
        let unit = match recipe.criterion {
            CriterionKind::Classes(_) => SavingUnit::Cost,
            CriterionKind::SquaredError => SavingUnit::Share,
        };
        let rules = SurrogateRules {
            max_surrogates: self.max_surrogates,
            max_competitors: self.max_competitors,
            of_known: self.of_known,
            imperfect: self.imperfect,
            undecided: part("undecided", &self.undecided, UNDECIDED)?,
            vanishing: self.vanishing.map(|share| (share, unit)),
        };
        let exhaustive = self.exhaustive.min(MAX_EXHAUSTIVE);
        Ok(Recipe {
            subsets: Some(SubsetRules { unused: Unused::Unanswered, exhaustive, ordered_only: self.orderly }),
            unknowns: Unknowns::Surrogates(rules),
            // Answers that must rise or fall are not searched for with surrogates.
            monotone: Vec::new(),
            finish: Finish {
                collapse: None,
                undecided_by_count: self.later_by_count,
                complexity: self.complexity,
                costs: self.costs.clone(),
            },
            ..recipe
        })
    }
}
