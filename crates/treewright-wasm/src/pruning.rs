//! Pruning during a fit, as the Python package does it: by expected errors, by held-out rows, or by a penalty per leaf.

use crate::failure::{Failure, Result};
use crate::folds::{folds, without};
use crate::params::Params;
use crate::spec::Algorithm;
use crate::table::{Rows, TargetColumn};
use crate::training::Training;
use treewright_core::prelude::{
    Cancel, Costs, PessimisticWords, Tree, Truth, along, cost_complexity, cut, in_parts, reduced_error,
};

/// Penalties that differ by no more than this share of the root's risk are one.
const SAME: f64 = 1e-12;

/// The checked parameters of pruning.
#[derive(Clone, Debug)]
pub struct Plan {
    /// The method.
    pub method: &'static str,
    /// The confidence of expected errors.
    pub confidence: f64,
    /// The share of rows to hold out.
    pub fraction: Option<f64>,
    /// The penalty per leaf.
    pub alpha: Option<f64>,
    /// Whether the risk of a leaf is its errors, not its impurity.
    pub by_errors: bool,
    /// The number of folds.
    pub folds: usize,
    /// The seed of the folds.
    pub seed: u64,
    /// Whether the path is found as rpart finds it.
    pub shallow: bool,
    /// Whether rows are held out by their position, as Weka does.
    pub by_position: bool,
}

const METHODS: [&str; 3] = ["pessimistic", "reduced_error", "cost_complexity"];

/// Checks the parameters of pruning; None where the tree is not pruned.
pub fn plan_of(algorithm: Algorithm, params: &Params, classes: bool) -> Result<Option<Plan>> {
    let known = if classes { &METHODS[..] } else { &METHODS[1..] };
    let off = params.0.get("prune").is_some_and(serde_json::Value::is_null);
    let named_method =
        METHODS.iter().copied().find(|method| params.0.get("prune").and_then(|v| v.as_str()) == Some(method));
    params.word("prune", known)?;
    let mut method = named_method.or((algorithm == Algorithm::C45 && !off).then_some("pessimistic"));
    let alpha = params.number("ccp_alpha", 0.0, f64::INFINITY)?;
    if alpha.is_some_and(|alpha| alpha > 0.0) {
        if let Some(other) = method.filter(|method| *method != "cost_complexity") {
            return Err(Failure::usage(format!("ccp_alpha belongs to prune='cost_complexity', not to '{other}'")));
        }
        method = Some("cost_complexity");
    }
    let variant = params.0.get("variant").and_then(|value| value.as_str()).unwrap_or_default();
    let shallow = variant == "rpart";
    let risk = params.word("ccp_risk", &["impurity", "errors"])?;
    let folds = params.integer("folds", 2, u64::MAX)?;
    let default = if method == Some("reduced_error") { 3 } else { 10 };
    let plan = Plan {
        method: method.unwrap_or_default(),
        confidence: params.number("confidence", 0.0, 1.0)?.unwrap_or(0.25),
        fraction: params.number("validation_fraction", 0.0, 1.0)?,
        alpha,
        by_errors: risk.map_or(shallow, |risk| risk == "errors"),
        folds: folds.unwrap_or(default) as usize,
        seed: params.integer("random_state", 0, u64::from(u32::MAX))?.unwrap_or(0),
        shallow,
        by_position: variant == "j48",
    };
    Ok(method.map(|_| plan))
}

/// The trees that are the cheapest for some penalty per leaf, the largest first.
pub struct PruningPath {
    /// The penalty from which each is the best.
    pub alpha: Vec<f64>,
    /// Its leaves.
    pub leaves: Vec<u32>,
    /// For each node the penalty from which it is a leaf; infinite for leaves.
    pub link: Vec<f64>,
    root_risk: f64,
}

impl PruningPath {
    /// The path of a tree.
    pub fn of(tree: &Tree, classes: bool, by_errors: bool, shallow: bool, cancel: &Cancel) -> Result<PruningPath> {
        let total = if tree.weight[0] > 0.0 { tree.weight[0] } else { 1.0 };
        let cost = |node: usize| match by_errors && classes {
            true => tree.weight[node] * errors_of(tree.value_of(node)),
            false => tree.cost[node],
        };
        let risk: Vec<f64> = (0..tree.len()).map(|node| cost(node) / total).collect();
        let find = if shallow { cost_complexity::shallow_path } else { cost_complexity::path };
        let path = find(tree, &risk, cancel)?;
        let link = (0..tree.len()).map(|node| if tree.n_children[node] > 0 { path.link[node] } else { f64::INFINITY });
        Ok(PruningPath { alpha: path.price, leaves: path.leaves, link: link.collect(), root_risk: risk[0] })
    }

    /// Which nodes are leaves at a penalty.
    pub fn is_leaf(&self, alpha: f64) -> Vec<bool> {
        let limit = alpha + SAME * self.root_risk.abs();
        self.link.iter().map(|&link| link <= limit).collect()
    }

    /// A typical penalty of each tree: the geometric mean of its first and last one.
    pub fn between(&self) -> Vec<f64> {
        let ends = self.alpha.iter().skip(1).map(Some).chain([None]);
        self.alpha
            .iter()
            .zip(ends)
            .map(|(first, last)| last.map_or(f64::INFINITY, |last| (first * last).sqrt()))
            .collect()
    }
}

/// The share of the classes that a node does not answer.
fn errors_of(shares: &[f64]) -> f64 {
    // As the expected cost of each answer: the sum of the other shares.
    let others = |answer: usize| shares.iter().enumerate().filter(|(i, _)| *i != answer).map(|(_, share)| share).sum();
    (0..shares.len()).map(others).fold(f64::INFINITY, f64::min)
}

/// The truth about rows.
pub fn truth(rows: &Rows) -> Truth<'_> {
    match &rows.target {
        TargetColumn::Classes(codes, _) => Truth::Classes(codes, Costs(&[])),
        TargetColumn::Numbers(numbers) => Truth::Numbers(numbers),
    }
}

/// The cross-validated error of each tree of a path, and its standard error.
pub struct CrossValidated {
    /// The error per row.
    pub error: Vec<f64>,
    /// Its standard error.
    pub deviation: Vec<f64>,
}

impl CrossValidated {
    /// The last, smallest tree whose error is within so many standard errors of the least.
    pub fn within(&self, errors: f64) -> usize {
        let least = (0..self.error.len()).reduce(|a, b| if self.error[b] < self.error[a] { b } else { a }).unwrap_or(0);
        let limit = self.error[least] + errors * self.deviation[least];
        self.error.iter().rposition(|&error| error <= limit + SAME * limit.abs()).unwrap_or(least)
    }
}

impl Training {
    /// The errors of the trees of a path on rows that they were not grown from; `tell` hears of each part.
    pub fn cross_validate(
        &self,
        path: &PruningPath,
        (by_errors, shallow): (bool, bool),
        parts: &[Vec<u32>],
        tell: &mut dyn FnMut(usize, usize),
        cancel: &Cancel,
    ) -> Result<CrossValidated> {
        let penalties = path.between();
        let (mut error, mut square) = (vec![0.0; penalties.len()], vec![0.0; penalties.len()]);
        let mut weight = 0.0;
        for (done, part) in parts.iter().enumerate() {
            tell(done, parts.len());
            let rest = without(self.rows.count, part);
            let (rows, held) = (self.rows.take(&rest), self.rows.take(part));
            let tree = self.grow(&rows, self.weights_of(&rest).as_deref(), true, cancel)?;
            let link = PruningPath::of(&tree, !rows.target.classes().is_empty(), by_errors, shallow, cancel)?.link;
            let weights = self.weights_of(part).unwrap_or_else(|| vec![1.0; part.len()]);
            let (errors, squares) =
                along::along(&tree, &link, &penalties, &held.table()?, truth(&held), &weights, cancel)?;
            error.iter_mut().zip(&errors).for_each(|(total, one)| *total += one);
            square.iter_mut().zip(&squares).for_each(|(total, one)| *total += one);
            weight += weights.iter().sum::<f64>();
        }
        tell(parts.len(), parts.len());
        let spread = |(error, square): (&f64, &f64)| (square - error * error / weight).max(0.0).sqrt() / weight;
        let deviation = error.iter().zip(&square).map(spread).collect();
        Ok(CrossValidated { error: error.iter().map(|error| error / weight).collect(), deviation })
    }

    /// Prunes a tree as the fit does.
    pub fn prune(&self, tree: Tree, cancel: &Cancel) -> Result<Tree> {
        let Some(plan) = &self.plan else { return Ok(tree) };
        match plan.method {
            "pessimistic" => self.prune_pessimistic(tree, plan, cancel),
            "reduced_error" => self.prune_by_rows(tree, plan, cancel),
            _ => self.prune_by_penalty(tree, plan, cancel),
        }
    }

    fn prune_pessimistic(&self, tree: Tree, plan: &Plan, cancel: &Cancel) -> Result<Tree> {
        let c45 = self.algorithm == Algorithm::C45;
        let as_weka = c45 && plan.by_position;
        let groups = c45 && self.params.choice("categorical", &["levels", "groups"])? == "groups";
        let words = PessimisticWords {
            confidence: plan.confidence,
            interval: if as_weka { "normal" } else { "table" }.into(),
            tolerance: if as_weka { 1e-6 } else { 1e-9 },
            keep_class: !as_weka,
            empty: if as_weka { "shares" } else { "majority" }.into(),
            criterion: "entropy".into(),
            tidy: groups,
        };
        let (pruning, forest) = (words.read()?, self.forest(tree)?);
        let (tree, _) = if c45 && self.params.flag("raising", true)? {
            pruning.raise(&forest, &self.rows.table()?, self.rows.target.target(), self.weights.as_deref(), cancel)?
        } else {
            pruning.replace(&forest)?
        };
        Ok(tree)
    }

    fn prune_by_rows(&self, tree: Tree, plan: &Plan, cancel: &Cancel) -> Result<Tree> {
        let part = self.held_out(plan)?;
        let rows = self.rows.take(&part);
        let weights = self.weights_of(&part).unwrap_or_else(|| vec![1.0; part.len()]);
        let prune = if self.algorithm == Algorithm::C45 { in_parts::prune } else { reduced_error::prune };
        let (is_leaf, _) = prune(&tree, &rows.table()?, truth(&rows), &weights, cancel)?;
        Ok(cut(&tree, &self.kinds()?, &is_leaf)?)
    }

    fn prune_by_penalty(&self, tree: Tree, plan: &Plan, cancel: &Cancel) -> Result<Tree> {
        let classes = !self.rows.target.classes().is_empty();
        let path = PruningPath::of(&tree, classes, plan.by_errors, plan.shallow, cancel)?;
        let mut alpha = plan.alpha;
        if alpha.is_none() && self.rows.count > 1 {
            let parts = folds(&self.rows.target, self.order(plan.seed)?, plan.folds.min(self.rows.count));
            let how = (plan.by_errors, plan.shallow);
            let validation = self.cross_validate(&path, how, &parts, &mut |_, _| {}, cancel)?;
            alpha = Some(path.alpha[validation.within(1.0)]);
        }
        Ok(cut(&tree, &self.kinds()?, &path.is_leaf(alpha.unwrap_or(0.0)))?)
    }
}
