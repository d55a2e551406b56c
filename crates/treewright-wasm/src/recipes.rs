//! How ID3, C4.5 and CART grow a tree: their parameters in the words of the core, as the Python estimators read them.

use crate::failure::{Failure, Result};
use crate::params::Params;
use crate::spec::Algorithm;
use crate::table::{Rows, TargetColumn};
use treewright_core::prelude::{BinaryWords, ShareWords, SurrogateWords, TreeWords};

/// Parameters of every single tree.
const TREE: &[&str] =
    &["max_depth", "prune", "validation_fraction", "folds", "ccp_alpha", "ccp_risk", "random_state", "keep_work"];
/// Parameters of single trees of classes.
const CLASS_TREE: &[&str] = &["max_p_value", "confidence", "smoothing"];
/// Parameters of ID3 and C4.5.
const QUINLAN: &[&str] = &["min_gain", "sufficient_majority", "class_weight"];
const C45: &[&str] = &["criterion", "min_cases", "categorical", "thresholds", "raising", "variant", "min_gain_ratio"];
const CART: &[&str] = &[
    "min_samples_split",
    "min_samples_leaf",
    "min_weight_fraction_leaf",
    "min_gain",
    "max_leaf_nodes",
    "missing",
    "max_surrogates",
    "max_competitors",
    "undecided",
    "agreement",
    "variant",
    "complexity",
    "n_jobs",
    "criterion",
];

/// The words for growing a single tree on some rows.
pub fn tree_words(algorithm: Algorithm, params: &Params, rows: &Rows) -> Result<TreeWords> {
    let classes = matches!(rows.target, TargetColumn::Classes(..));
    match algorithm {
        Algorithm::Id3 | Algorithm::C45 if !classes => {
            Err(Failure::new("fit.task", "this algorithm predicts classes, and the target is a number")
                .with_hint("take CART, or read the target as classes"))
        }
        Algorithm::Id3 => id3_words(params, rows.count),
        Algorithm::C45 => c45_words(params),
        Algorithm::Cart => cart_words(params, rows),
        _ => Err(Failure::usage("this algorithm grows no single tree")),
    }
}

fn base(params: &Params) -> Result<TreeWords> {
    Ok(TreeWords {
        engine: "fastest".into(),
        criterion: "entropy".into(),
        categorical: "levels".into(),
        choose: "gain".into(),
        min_gain: params.number("min_gain", 0.0, f64::INFINITY)?,
        max_depth: params.count("max_depth", 1)?,
        min_samples_split: 2,
        max_p_value: params.number("max_p_value", 0.0, 1.0)?,
        sufficient_majority: params.number("sufficient_majority", 0.0, 1.0)?,
        threads: 1,
        ..TreeWords::default()
    })
}

fn id3_words(params: &Params, rows: usize) -> Result<TreeWords> {
    params.refuse_others("ID3", &[TREE, CLASS_TREE, QUINLAN, &["min_samples_split"]].concat())?;
    let least = params.rows("min_samples_split", rows, 2)?.unwrap_or(2);
    Ok(TreeWords { min_samples_split: least, ..base(params)? })
}

fn c45_words(params: &Params) -> Result<TreeWords> {
    params.refuse_others("C4.5", &[TREE, CLASS_TREE, QUINLAN, C45].concat())?;
    let by_ratio = params.choice("criterion", &["gain_ratio", "gain"])? == "gain_ratio";
    let min_ratio = params.number("min_gain_ratio", 0.0, f64::INFINITY)?;
    if min_ratio.is_some() && !by_ratio {
        let message = "min_gain_ratio belongs to criterion='gain_ratio', not to 'gain'";
        return Err(Failure::usage(message).with_hint("try: min_gain"));
    }
    let shares = ShareWords {
        min_cases: params.number("min_cases", 0.0, f64::INFINITY)?.unwrap_or(2.0),
        threshold: params.choice("thresholds", &["value", "midpoint"])?.into(),
        min_ratio,
        total: None,
        ..variant(params.choice("variant", &["c4.5", "j48"])?)
    };
    Ok(TreeWords {
        categorical: params.choice("categorical", &["levels", "groups"])?.into(),
        choose: if by_ratio { "ratio" } else { "gain" }.into(),
        fractions: Some(shares),
        ..base(params)?
    })
}

/// Where C4.5 and J48 differ. C4.5 compares numbers in single precision; the tolerance keeps rounding from deciding an
/// exact tie.
fn variant(word: &str) -> ShareWords {
    let as_weka = word == "j48";
    ShareWords {
        tolerance: if as_weka { 1e-6 } else { 1e-9 },
        single: !as_weka,
        empty: if as_weka { "shares" } else { "majority" }.into(),
        collapse: if as_weka { "top-down" } else { "bottom-up" }.into(),
        floor: if as_weka { 1e-6 } else { -1e-3 },
        ..ShareWords::default()
    }
}

fn cart_words(params: &Params, rows: &Rows) -> Result<TreeWords> {
    let classes = !rows.target.classes().is_empty();
    let own: &[&str] = if classes { &["class_weight"] } else { &[] };
    let of_classes = if classes { CLASS_TREE } else { &[] };
    params.refuse_others("CART", &[TREE, of_classes, CART, own].concat())?;
    let rpart = params.choice("variant", &["cart", "rpart"])? == "rpart";
    let leaf = params.rows("min_samples_leaf", rows.count, 1)?;
    let split = params.rows("min_samples_split", rows.count, 2)?;
    let split = split.unwrap_or(if !rpart { 2 } else { leaf.map_or(20, |leaf| leaf.saturating_mul(3)) });
    // Rounded to even, as Python does.
    let third = (f64::from(split) / 3.0).round_ties_even() as u32;
    let leaf = leaf.unwrap_or(if rpart { third.max(1) } else { 1 });
    let criterion = if classes { params.choice("criterion", &["gini", "entropy"])? } else { regression(params)? };
    let limits = base(params)?;
    Ok(TreeWords {
        criterion: criterion.into(),
        categorical: "subset".into(),
        max_depth: if rpart { limits.max_depth.or(Some(30)) } else { limits.max_depth },
        min_samples_split: split,
        sufficient_majority: None,
        binary: Some(binary_words(params, rpart, leaf, rows)?),
        ..limits
    })
}

fn regression(params: &Params) -> Result<&'static str> {
    params.choice("criterion", &["squared_error"])?;
    Ok("squared")
}

fn binary_words(params: &Params, rpart: bool, leaf: u32, rows: &Rows) -> Result<BinaryWords> {
    let missing = params.word("missing", &["direction", "branch", "surrogate"])?;
    let missing = missing.unwrap_or(if rpart { "surrogate" } else { "direction" }.to_owned());
    let max_leaves = params.count("max_leaf_nodes", 2)?;
    let share = params.number("min_weight_fraction_leaf", 0.0, 0.5)?.unwrap_or(0.0);
    for (is_set, name) in [
        (missing != "surrogate", format!("missing={missing:?}")),
        (max_leaves.is_some(), "max_leaf_nodes".to_owned()),
        (share > 0.0, "min_weight_fraction_leaf".to_owned()),
    ] {
        if rpart && is_set {
            return Err(excludes("variant=\"rpart\"", &name));
        }
    }
    if params.0.get("complexity").is_some_and(|value| !value.is_null()) && !rpart {
        return Err(excludes("complexity", "variant=\"cart\""));
    }
    Ok(BinaryWords {
        min_leaf: leaf,
        min_leaf_share: share,
        max_leaves,
        class_weights: class_factors(params, rows)?,
        surrogates: if missing == "surrogate" { Some(surrogate_words(params, rpart)?) } else { None },
        missing,
        ..BinaryWords::default()
    })
}

fn surrogate_words(params: &Params, rpart: bool) -> Result<SurrogateWords> {
    let max_surrogates = params.integer("max_surrogates", 0, u64::MAX)?.unwrap_or(5) as usize;
    let majority = params.choice("undecided", &["majority", "stay"])? == "majority";
    if !rpart && !majority {
        return Err(excludes("undecided=\"stay\"", "variant=\"cart\""));
    }
    let undecided = match (rpart, majority && max_surrogates > 0) {
        (false, _) => "heavier",
        (true, true) => "heavier-or-stay",
        (true, false) => "stay",
    };
    let complexity = params.number("complexity", 0.0, f64::INFINITY)?;
    Ok(SurrogateWords {
        max_surrogates,
        max_competitors: params.integer("max_competitors", 0, u64::MAX)?.unwrap_or(4) as usize,
        of_known: params.choice("agreement", &["sent", "known"])? == "known",
        imperfect: rpart,
        undecided: undecided.into(),
        later_by_count: rpart.then_some(majority),
        vanishing: rpart.then_some(1e-10),
        exhaustive: if rpart { 16 } else { 10 },
        orderly: rpart,
        complexity: rpart.then_some(complexity.unwrap_or(0.01)),
        costs: Vec::new(),
    })
}

fn excludes(one: &str, other: &str) -> Failure {
    Failure::usage(format!("{one} and {other} exclude each other"))
}

/// By how much the rows of each class count; empty where all count the same. A page gives no weights but "balanced".
pub fn class_factors(params: &Params, rows: &Rows) -> Result<Vec<f64>> {
    let TargetColumn::Classes(codes, classes) = &rows.target else { return Ok(Vec::new()) };
    if params.word("class_weight", &["balanced"])?.is_none() {
        return Ok(Vec::new());
    }
    let mut totals = vec![0.0; classes.len()];
    codes.iter().for_each(|&code| totals[code as usize] += 1.0);
    let mean = rows.count as f64 / classes.len() as f64;
    let factors: Vec<f64> = totals.iter().map(|&total| if total > 0.0 { mean / total } else { 1.0 }).collect();
    Ok(if factors.iter().all(|&factor| factor == 1.0) { Vec::new() } else { factors })
}

/// The weight of each row where classes have weights and the recipe does not take them; else nothing.
pub fn row_weights(algorithm: Algorithm, params: &Params, rows: &Rows) -> Result<Option<Vec<f64>>> {
    if !matches!(algorithm, Algorithm::Id3 | Algorithm::C45 | Algorithm::OneR | Algorithm::ZeroR) {
        return Ok(None);
    }
    let factors = class_factors(params, rows)?;
    let TargetColumn::Classes(codes, _) = &rows.target else { return Ok(None) };
    Ok((!factors.is_empty()).then(|| codes.iter().map(|&code| factors[code as usize]).collect()))
}
