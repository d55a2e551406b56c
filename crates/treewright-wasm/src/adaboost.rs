//! AdaBoost: rounds of weak learners, for classes (SAMME) and for numbers (R2).

use crate::ensembles::seed;
use crate::exact_sum::exact_sum;
use crate::failure::{Failure, Result};
use crate::params::Params;
use crate::recipes::{class_factors, tree_words};
use crate::spec::Algorithm;
use crate::table::{Rows, TargetColumn};
use treewright_core::prelude::{Cancel, Combine, Forest, How, Link, Progress, Rounds, Tree, adaboost, grow_tree};

/// The votes and errors of all rounds, with their trees.
pub struct Boosted {
    /// The model.
    pub forest: Forest,
    /// The vote of each round.
    pub votes: Vec<f64>,
    /// Its weighted error.
    pub errors: Vec<f64>,
}

struct Limits {
    rounds: usize,
    rate: f64,
}

/// Fits the rounds; `tell` hears how many are done.
pub fn boost(params: &Params, rows: &Rows, tell: &mut dyn FnMut(usize, usize), cancel: &Cancel) -> Result<Boosted> {
    let known = ["n_estimators", "learning_rate", "n_jobs", "random_state", "verbose", "warm_start"];
    let own: &[&str] = if rows.target.classes().is_empty() { &["loss", "resample"] } else { &["class_weight"] };
    params.refuse_others("AdaBoost", &[&known[..], own].concat())?;
    seed(params)?;
    let rounds = params.count("n_estimators", 1)?.unwrap_or(50) as usize;
    let rate = params.number("learning_rate", 0.0, f64::MAX)?.unwrap_or(1.0);
    if rate <= 0.0 {
        return Err(Failure::usage(format!("learning_rate must be a number greater than 0; got {rate}")));
    }
    let limits = Limits { rounds, rate };
    match &rows.target {
        TargetColumn::Classes(codes, classes) => of_classes(params, rows, codes, classes.len(), &limits, tell, cancel),
        TargetColumn::Numbers(numbers) => of_numbers(params, rows, numbers, &limits, tell, cancel),
    }
}

/// A tree of so many questions on a path, grown with weights.
fn weak_learner(rows: &Rows, depth: u32, weights: &[f64], cancel: &Cancel) -> Result<Tree> {
    let mut params = serde_json::Map::new();
    params.insert("max_depth".into(), depth.into());
    let recipe = tree_words(Algorithm::Cart, &Params(params), rows)?.read()?;
    Ok(grow_tree(&recipe, &rows.table()?, rows.target.target(), Some(weights), cancel)?)
}

fn combined(rows: &Rows, trees: Vec<Tree>, votes: &[f64], how: How, link: Link) -> Result<Forest> {
    let kinds = rows.table()?.kinds();
    if rows.target.classes().len() == 1 {
        return Ok(Forest::grown(kinds, trees)?);
    }
    let combine = Combine { how, link, scales: votes.to_vec(), ..Combine::default() };
    Ok(Forest::grown_and_combined(kinds, trees, combine)?)
}

/// Stumps of two classes; None where a column is not one of finite numbers.
fn boost_stumps(
    rows: &Rows,
    target: &[u32],
    weights: Option<&[f64]>,
    limits: &Limits,
    cancel: &Cancel,
) -> Result<Option<Boosted>> {
    let Limits { rounds, rate } = *limits;
    let plan = Rounds { target, classes: 2, weights, rounds, rate, threads: 1, before: &[] };
    let Some(done) = adaboost(&rows.table()?, &plan, &Progress::default(), cancel)? else { return Ok(None) };
    let forest = combined(rows, done.trees, &done.votes, How::Vote, Link::Softmax)?;
    Ok(Some(Boosted { forest, votes: done.votes, errors: done.errors }))
}

fn of_classes(
    params: &Params,
    rows: &Rows,
    codes: &[u32],
    classes: usize,
    limits: &Limits,
    tell: &mut dyn FnMut(usize, usize),
    cancel: &Cancel,
) -> Result<Boosted> {
    let factors = class_factors(params, rows)?;
    let keeps_classes = params.word("class_weight", &["balanced"])?.is_some();
    let weights: Option<Vec<f64>> =
        (!factors.is_empty()).then(|| codes.iter().map(|&code| factors[code as usize]).collect());
    if classes == 2
        && !keeps_classes
        && let Some(boosted) = boost_stumps(rows, codes, weights.as_deref(), limits, cancel)?
    {
        tell(limits.rounds, limits.rounds);
        return Ok(boosted);
    }
    // A tree needs a leaf for each class to tell them all apart.
    let depth = classes.max(1).next_power_of_two().ilog2().max(1);
    let vote = |error: f64| limits.rate * (((1.0 - error) / error).ln() + (classes as f64 - 1.0).ln());
    let losses = |tree: &Tree| -> Result<Vec<f64>> {
        let says = predict(rows, tree, cancel)?;
        let answer = |row: usize| largest(&says[row * classes..(row + 1) * classes]);
        Ok(codes.iter().enumerate().map(|(row, &code)| if answer(row) == code as usize { 0.0 } else { 1.0 }).collect())
    };
    let reweight = |shares: &[f64], losses: &[f64], _: f64, vote: f64| -> Vec<f64> {
        let factor = vote.exp();
        let raise = |(share, loss): (&f64, &f64)| if *loss > 0.0 { share * factor } else { *share };
        let raised: Vec<f64> = shares.iter().zip(losses).map(raise).collect();
        if keeps_classes { keep_class_shares(shares, &raised, codes, classes) } else { raised }
    };
    let rule = Rule { depth, chance: 1.0 - 1.0 / classes as f64, vote: &vote, losses: &losses, reweight: &reweight };
    let (trees, votes, errors) = run(rows, &rule, weights, limits, tell, cancel)?;
    Ok(Boosted { forest: combined(rows, trees, &votes, How::Vote, Link::Softmax)?, votes, errors })
}

fn of_numbers(
    params: &Params,
    rows: &Rows,
    numbers: &[f64],
    limits: &Limits,
    tell: &mut dyn FnMut(usize, usize),
    cancel: &Cancel,
) -> Result<Boosted> {
    if params.flag("resample", false)? {
        return Err(Failure::usage("resample is not supported in a page").with_hint("use the package"));
    }
    let loss = params.choice("loss", &["linear", "square", "exponential"])?;
    let vote = |error: f64| limits.rate * (((1.0 - error) / error).ln() + 0.0);
    let losses = |tree: &Tree| -> Result<Vec<f64>> {
        let says = predict(rows, tree, cancel)?;
        let errors: Vec<f64> = says.iter().zip(numbers).map(|(said, number)| (said - number).abs()).collect();
        Ok(scaled(errors, loss))
    };
    let reweight = |shares: &[f64], losses: &[f64], error: f64, _: f64| -> Vec<f64> {
        let ratio = error / (1.0 - error);
        shares.iter().zip(losses).map(|(share, loss)| share * ratio.powf((1.0 - loss) * limits.rate)).collect()
    };
    let rule = Rule { depth: 3, chance: 0.5, vote: &vote, losses: &losses, reweight: &reweight };
    let (trees, votes, errors) = run(rows, &rule, None, limits, tell, cancel)?;
    Ok(Boosted { forest: combined(rows, trees, &votes, How::Median, Link::Identity)?, votes, errors })
}

/// Losses between 0 and 1.
fn scaled(errors: Vec<f64>, loss: &str) -> Vec<f64> {
    let largest = errors.iter().copied().fold(0.0, f64::max);
    let scale = |error: f64| if largest > 0.0 { error / largest } else { error };
    let finish = |x: f64| match loss {
        "square" => x * x,
        "exponential" => 1.0 - (-x).exp(),
        _ => x,
    };
    errors.into_iter().map(|error| finish(scale(error))).collect()
}

/// New weights from the weights, the losses, the error and the vote of a round.
type Reweight<'a> = dyn Fn(&[f64], &[f64], f64, f64) -> Vec<f64> + 'a;

/// How wrong a weak learner is, what its vote is, and how weights change.
struct Rule<'a> {
    depth: u32,
    /// The error of guessing.
    chance: f64,
    vote: &'a dyn Fn(f64) -> f64,
    losses: &'a dyn Fn(&Tree) -> Result<Vec<f64>>,
    reweight: &'a Reweight<'a>,
}

type Done = (Vec<Tree>, Vec<f64>, Vec<f64>);

fn run(
    rows: &Rows,
    rule: &Rule<'_>,
    weights: Option<Vec<f64>>,
    limits: &Limits,
    tell: &mut dyn FnMut(usize, usize),
    cancel: &Cancel,
) -> Result<Done> {
    let mut shares = weights.unwrap_or_else(|| vec![1.0; rows.count]);
    let (mut trees, mut votes, mut errors) = (Vec::new(), Vec::new(), Vec::new());
    while trees.len() < limits.rounds {
        tell(trees.len(), limits.rounds);
        // Exact sums: the order of the rows does not matter.
        let total = exact_sum(shares.iter().copied());
        shares.iter_mut().for_each(|share| *share /= total);
        let tree = weak_learner(rows, rule.depth, &shares, cancel)?;
        let losses = (rule.losses)(&tree)?;
        let error = exact_sum(shares.iter().zip(&losses).map(|(share, loss)| share * loss));
        if error >= rule.chance && !trees.is_empty() {
            break;
        }
        let is_last = error <= 0.0 || error >= rule.chance;
        let vote = if is_last { 1.0 } else { (rule.vote)(error) };
        trees.push(tree);
        votes.push(vote);
        errors.push(error);
        if is_last {
            break;
        }
        shares = (rule.reweight)(&shares, &losses, error, vote);
    }
    tell(limits.rounds, limits.rounds);
    Ok((trees, votes, errors))
}

fn predict(rows: &Rows, tree: &Tree, cancel: &Cancel) -> Result<Vec<f64>> {
    let table = rows.table()?;
    let forest = Forest::grown(table.kinds(), vec![tree.copied()?])?;
    Ok(forest.predict(&table, cancel)?)
}

fn largest(values: &[f64]) -> usize {
    (0..values.len()).reduce(|best, next| if values[next] > values[best] { next } else { best }).unwrap_or(0)
}

/// The new weights, with the share of each class in the total as before.
fn keep_class_shares(before: &[f64], after: &[f64], codes: &[u32], classes: usize) -> Vec<f64> {
    let sum = |weights: &[f64], class: u32| {
        exact_sum(weights.iter().zip(codes).filter(|(_, code)| **code == class).map(|(weight, _)| *weight))
    };
    let factor = |class: u32| sum(before, class) / sum(after, class);
    let factors: Vec<f64> = (0..classes as u32).map(factor).collect();
    after.iter().zip(codes).map(|(weight, &code)| weight * factors[code as usize]).collect()
}
