//! Gradient boosting: sums of trees, each fitted to the gradients of the loss.

use crate::ensembles::{count_columns, seed};
use crate::failure::{Failure, Result};
use crate::folds::{held_out, row_order};
use crate::params::Params;
use crate::recipes::class_factors;
use crate::table::{Rows, TargetColumn};
use serde_json::Value;
use treewright_core::prelude::{BoostWords, Boosting, Cancel, Exact, Forest, Start, TrainingData, model};

/// Rounds between two reports.
const ROUNDS_PER_REPORT: u32 = 5;
/// The core counts in 32 bits.
const MAX_LEAF_ROWS: u32 = 1 << 31;

const PARAMS: [&str; 22] = [
    "n_estimators",
    "learning_rate",
    "max_leaf_nodes",
    "max_depth",
    "min_samples_leaf",
    "min_gain",
    "l2_regularization",
    "max_bins",
    "max_features",
    "subsample",
    "splits",
    "early_stopping",
    "validation_fraction",
    "n_iter_no_change",
    "tol",
    "loss",
    "warm_start",
    "n_jobs",
    "random_state",
    "verbose",
    "quantile",
    "power",
];

/// Boosted trees, and how many rounds they are.
pub struct Boosted {
    /// The model.
    pub forest: Forest,
    /// The rounds.
    pub rounds: usize,
}

/// Fits the rounds; `tell` hears how many are done.
pub fn boost(params: &Params, rows: &Rows, tell: &mut dyn FnMut(usize, usize), cancel: &Cancel) -> Result<Boosted> {
    let own: &[&str] = if rows.target.classes().is_empty() { &[] } else { &["class_weight"] };
    params.refuse_others("gradient boosting", &[&PARAMS[..], own].concat())?;
    let words = boost_words(params, rows)?;
    let total = params.count("n_estimators", 1)?.unwrap_or(100);
    let training = training_data(params, rows, words.seed)?;
    let plan = words.plan()?;
    let sums = if words.classes > 2 { words.classes } else { 1 };
    let table = rows.table()?;
    let start = Start { base: None, scores: None, rounds: 0 };
    let mut run = if words.exact {
        Run::Exact(Box::new(Exact::new(&table, training, start, plan)?))
    } else {
        Run::Bins(Box::new(Boosting::new(&table, training, start, plan, cancel)?))
    };
    let mut done = 0;
    while done < total {
        tell(done as usize, total as usize);
        let step = ROUNDS_PER_REPORT.min(total - done);
        let is_over = match &mut run {
            Run::Bins(run) => run.advance(step, cancel)?,
            Run::Exact(run) => run.advance(&table, step, cancel)?,
        };
        done += step;
        if is_over {
            break;
        }
    }
    tell(total as usize, total as usize);
    let forest = match run {
        Run::Bins(run) => run.finish(table.kinds())?,
        Run::Exact(run) => model(&run.plan, run.base, run.trees, &run.progress, table.kinds())?,
    };
    let rounds = forest.trees().len() / sums;
    Ok(Boosted { forest, rounds })
}

/// A run on bins, or with exact splits.
enum Run {
    Bins(Box<Boosting>),
    Exact(Box<Exact>),
}

fn training_data(params: &Params, rows: &Rows, seed: u64) -> Result<TrainingData> {
    let factors = class_factors(params, rows)?;
    let mut training = TrainingData::default();
    let mut weights = None;
    match &rows.target {
        TargetColumn::Numbers(numbers) => training.numbers = numbers.clone(),
        TargetColumn::Classes(codes, _) => {
            training.classes = codes.clone();
            weights = (!factors.is_empty()).then(|| codes.iter().map(|&code| factors[code as usize]).collect());
        }
    }
    if params.flag("early_stopping", false)? {
        let share = params.number("validation_fraction", 0.0, 1.0)?.unwrap_or(0.1);
        if !(share > 0.0 && share < 1.0) {
            return Err(Failure::usage(format!("validation_fraction must be between 0 and 1; got {share}")));
        }
        if rows.count < 2 {
            return Err(Failure::usage("early_stopping needs at least two rows; got 1"));
        }
        let mut held = vec![false; rows.count];
        let order = row_order(rows, weights.as_deref(), seed)?;
        held_out(&rows.target, order, share).into_iter().for_each(|row| held[row as usize] = true);
        training.held = Some(held);
    }
    training.weights = weights;
    Ok(training)
}

fn boost_words(params: &Params, rows: &Rows) -> Result<BoostWords> {
    let patience = params.count("n_iter_no_change", 1)?.unwrap_or(10);
    let subsample = params.number("subsample", 0.0, 1.0)?.unwrap_or(1.0);
    let rate = params.number("learning_rate", 0.0, f64::MAX)?.unwrap_or(0.1);
    for (name, value) in [("subsample", subsample), ("learning_rate", rate)] {
        if value <= 0.0 {
            return Err(Failure::usage(format!("{name} must be greater than 0; got {value}")));
        }
    }
    let has_columns = params.0.get("max_features").is_some_and(|value| !value.is_null());
    let columns = rows.features.len();
    let max_features = if has_columns { Some(count_columns(params, Value::Null, columns)?) } else { None };
    let quantile = params.number("quantile", 0.0, 1.0)?.unwrap_or(0.9);
    let power = params.number("power", 1.0, 2.0)?.unwrap_or(1.5);
    let zero = |name: &str| -> Result<f64> { Ok(params.number(name, 0.0, f64::INFINITY)?.unwrap_or(0.0)) };
    Ok(BoostWords {
        loss: loss(params, rows, quantile, power)?,
        quantile,
        power,
        classes: rows.target.classes().len(),
        rate,
        max_leaves: optional(params, "max_leaf_nodes", 2, Some(31))?,
        max_depth: optional(params, "max_depth", 1, None)?,
        min_leaf: min_leaf(params, rows.count)?,
        min_gain: zero("min_gain")?,
        l2: zero("l2_regularization")?,
        max_features,
        max_bins: params.integer("max_bins", 2, 255)?.unwrap_or(255) as usize,
        subsample,
        seed: seed(params)?,
        patience: params.flag("early_stopping", false)?.then_some(patience),
        tolerance: params.number("tol", 0.0, f64::INFINITY)?.unwrap_or(1e-7),
        tell: false,
        exact: params.choice("splits", &["histogram", "exact"])? == "exact",
        threads: 1,
        ..BoostWords::default()
    })
}

/// A limit for which null means none.
fn optional(params: &Params, name: &str, least: u64, default: Option<u32>) -> Result<Option<u32>> {
    if params.0.contains_key(name) { params.count(name, least) } else { Ok(default) }
}

fn min_leaf(params: &Params, rows: usize) -> Result<u32> {
    match params.0.get("min_samples_leaf") {
        None | Some(Value::String(_)) => {
            params.choice("min_samples_leaf", &["auto"])?;
            Ok((rows / 20).clamp(1, 20) as u32)
        }
        _ => Ok(params.rows("min_samples_leaf", rows, 1)?.unwrap_or(1).min(MAX_LEAF_ROWS)),
    }
}

fn loss(params: &Params, rows: &Rows, quantile: f64, power: f64) -> Result<String> {
    let classes = rows.target.classes().len();
    if classes > 0 {
        params.choice("loss", &["log_loss"])?;
        return Ok(if classes <= 2 { "logistic" } else { "softmax" }.to_owned());
    }
    let known = ["squared_error", "absolute_error", "huber", "quantile", "poisson", "gamma", "tweedie"];
    let word = params.choice("loss", &known)?;
    if !(quantile > 0.0 && quantile < 1.0) {
        return Err(Failure::usage(format!("quantile must be between 0 and 1; got {quantile}")));
    }
    let loss = match word.trim_end_matches("_error") {
        "quantile" if quantile == 0.5 => "absolute",
        "tweedie" if power == 1.0 => "poisson",
        "tweedie" if power == 2.0 => "gamma",
        other => other,
    };
    check_target(loss, rows)?;
    Ok(loss.to_owned())
}

/// Refuses numbers that a loss cannot take a logarithm of.
fn check_target(loss: &str, rows: &Rows) -> Result<()> {
    let TargetColumn::Numbers(numbers) = &rows.target else { return Ok(()) };
    let least = numbers.iter().copied().fold(f64::INFINITY, f64::min);
    let wrong = match loss {
        "poisson" | "tweedie" if least < 0.0 => "non-negative",
        "gamma" if least <= 0.0 => "positive",
        "poisson" | "tweedie" if numbers.iter().all(|number| *number == 0.0) => "non-zero",
        _ => return Ok(()),
    };
    Err(Failure::usage(format!("loss=\"{loss}\" needs a {wrong} target; its minimum is {least}")))
}
