//! Bagging, random forests and extremely randomized trees: many trees, each of its own sample.

use crate::failure::{Failure, Result};
use crate::params::Params;
use crate::recipes::tree_words;
use crate::spec::Algorithm;
use crate::table::Rows;
use serde_json::Value;
use treewright_core::prelude::{Bagging, Cancel, Forest, Progress, RowSampling, Sampling, Tree};

/// Trees that are grown between two reports.
const TREES_PER_REPORT: u32 = 5;

const RUN: [&str; 4] = ["n_jobs", "random_state", "verbose", "warm_start"];
const FOREST: [&str; 15] = [
    "n_estimators",
    "criterion",
    "max_depth",
    "min_samples_split",
    "min_samples_leaf",
    "min_weight_fraction_leaf",
    "max_features",
    "max_leaf_nodes",
    "min_gain",
    "bootstrap",
    "max_samples",
    "missing",
    "oob_score",
    "class_weight",
    "keep_targets",
];
/// The parameters of forests that CART has too.
const CART: [&str; 9] = [
    "criterion",
    "max_depth",
    "min_samples_split",
    "min_samples_leaf",
    "min_weight_fraction_leaf",
    "max_leaf_nodes",
    "min_gain",
    "missing",
    "class_weight",
];

/// Grows the trees; `tell` hears how many are done.
pub fn grow(
    algorithm: Algorithm,
    params: &Params,
    rows: &Rows,
    tell: &mut dyn FnMut(usize, usize),
    cancel: &Cancel,
) -> Result<Forest> {
    let kinds = rows.table()?.kinds();
    // Nodes would draw columns in vain whose values all count as one.
    let usable: Vec<usize> = (0..kinds.len()).filter(|&place| !rows.features[place].is_constant()).collect();
    if algorithm == Algorithm::Bagging || usable.is_empty() || usable.len() == kinds.len() {
        return Ok(Forest::grown(kinds, grow_trees(algorithm, params, rows, tell, cancel)?)?);
    }
    let features = usable.iter().map(|&place| rows.features[place].clone()).collect();
    let some = Rows { features, target: rows.target.clone(), count: rows.count };
    let mut trees = grow_trees(algorithm, params, &some, tell, cancel)?;
    for tree in &mut trees {
        for node in (0..tree.len()).filter(|&node| tree.n_children[node] > 0) {
            tree.feature[node] = usable[tree.feature[node] as usize] as u32;
        }
    }
    Ok(Forest::grown(kinds, trees)?)
}

fn grow_trees(
    algorithm: Algorithm,
    params: &Params,
    rows: &Rows,
    tell: &mut dyn FnMut(usize, usize),
    cancel: &Cancel,
) -> Result<Vec<Tree>> {
    let (default, sampling) = match algorithm {
        Algorithm::Bagging => (10, bagging_sampling(params, rows)?),
        _ => (100, forest_sampling(algorithm, params, rows)?),
    };
    let total = params.count("n_estimators", 1)?.unwrap_or(default);
    if params.word("missing", &["direction", "branch"]).is_err() {
        return Err(Failure::usage("missing must be \"direction\" or \"branch\" for forests"));
    }
    let is_of_cart = |name: &str| algorithm != Algorithm::Bagging && CART.contains(&name);
    let own = params.0.iter().filter(|(name, _)| is_of_cart(name)).map(|(name, value)| (name.clone(), value.clone()));
    let recipe = tree_words(Algorithm::Cart, &Params(own.collect()), rows)?.read()?;
    let (table, progress) = (rows.table()?, Progress::default());
    let bagging = Bagging {
        recipe: &recipe,
        sampling: &sampling,
        table: &table,
        weights: None,
        cache: None,
        progress: &progress,
        cancel,
    };
    let mut trees = Vec::new();
    let mut first = 0;
    while first < total {
        tell(first as usize, total as usize);
        let last = first.saturating_add(TREES_PER_REPORT).min(total);
        trees.extend(bagging.grow(rows.target.target(), first..last, None)?);
        first = last;
    }
    tell(total as usize, total as usize);
    Ok(trees)
}

fn bagging_sampling(params: &Params, rows: &Rows) -> Result<Sampling> {
    let own = ["n_estimators", "max_samples", "max_features", "bootstrap", "oob_score", "class_weight"];
    params.refuse_others("bagging", &[&own[..], &RUN[..]].concat())?;
    if count_columns(params, 1.0.into(), rows.features.len())? < rows.features.len() {
        return Err(not_in_a_page("max_features"));
    }
    if params.word("class_weight", &["balanced"])?.is_some() {
        return Err(not_in_a_page("class_weight"));
    }
    let draws = count_draws(params, rows.count)?;
    let how = match (params.flag("bootstrap", true)?, draws) {
        (true, _) => RowSampling::Bootstrap,
        (false, None) => RowSampling::All,
        (false, Some(_)) => RowSampling::Subset,
    };
    Ok(Sampling { how, draws, seed: seed(params)?, ..Sampling::default() })
}

fn not_in_a_page(name: &str) -> Failure {
    Failure::usage(format!("{name} of bagging is not supported in a page"))
        .with_hint("use the package or the command line")
}

fn forest_sampling(algorithm: Algorithm, params: &Params, rows: &Rows) -> Result<Sampling> {
    params.refuse_others("a forest", &[&FOREST[..], &RUN[..]].concat())?;
    let classes = !rows.target.classes().is_empty();
    let random = algorithm == Algorithm::ExtraTrees;
    let how = match params.0.get("bootstrap").filter(|value| !value.is_null()) {
        Some(Value::String(word)) if word == "balanced" && classes => RowSampling::Balanced,
        Some(Value::String(_)) => {
            return Err(Failure::usage("bootstrap must be true, false, or \"balanced\" for classes"));
        }
        _ if params.flag("bootstrap", !random)? => RowSampling::Bootstrap,
        _ => RowSampling::All,
    };
    let draws = count_draws(params, rows.count)?;
    if how == RowSampling::All && draws.is_some() {
        return Err(Failure::usage("max_samples cannot be set if bootstrap=False"));
    }
    let default = if classes { Value::from("sqrt") } else { Value::from(1.0) };
    Ok(Sampling {
        how,
        draws,
        seed: seed(params)?,
        columns: Some(count_columns(params, default, rows.features.len())?),
        cuts: random,
        balanced: false,
        counts: None,
    })
}

/// The seed of a learner; 0 by default.
pub fn seed(params: &Params) -> Result<u64> {
    Ok(params.integer("random_state", 0, i64::MAX as u64)?.unwrap_or(0))
}

fn count_draws(params: &Params, rows: usize) -> Result<Option<usize>> {
    match params.0.get("max_samples") {
        Some(value) if value.is_f64() => {
            let share = params.number("max_samples", 0.0, 1.0)?.unwrap_or(1.0);
            Ok(Some(((share * rows as f64).round_ties_even() as usize).max(1)))
        }
        _ => Ok(params.integer("max_samples", 1, u64::MAX)?.map(|count| count as usize)),
    }
}

/// How many columns a node considers.
pub fn count_columns(params: &Params, default: Value, columns: usize) -> Result<usize> {
    let value = match params.0.get("max_features") {
        None => default,
        Some(Value::Null) => return Ok(columns),
        Some(value) => value.clone(),
    };
    let share = value.as_f64().filter(|share| value.is_f64() && *share > 0.0 && *share <= 1.0);
    match (&value, value.as_u64(), share) {
        (Value::String(word), ..) if word == "sqrt" => Ok(columns.isqrt().max(1)),
        (Value::String(word), ..) if word == "log2" => Ok((columns.max(1).ilog2() as usize).max(1)),
        (_, Some(count), _) if count >= 1 => Ok((count as usize).min(columns)),
        (.., Some(share)) => Ok(((share * columns as f64) as usize).max(1)),
        _ => Err(Failure::usage(format!(
            "max_features must be \"sqrt\", \"log2\", null, a whole number of at least 1, or a fraction above 0 and at \
             most 1; got {value}"
        ))),
    }
}
