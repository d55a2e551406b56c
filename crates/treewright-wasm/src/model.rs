//! A fitted model: any learner on a table, what it predicts and how it is described.

use crate::adaboost;
use crate::baselines::{one_r, zero_r};
use crate::boosting;
use crate::ensembles;
use crate::failure::{Failure, Result};
use crate::neighbors::NeighborModel;
use crate::recipes::row_weights;
use crate::spec::{Algorithm, Spec};
use crate::table::{Cells, Rows, TargetColumn};
use crate::training::Training;
use serde::Serialize;
use serde_json::{Value, json};
use std::rc::Rc;
use treewright_core::prelude::{Cancel, Forest, Table, Tree};

/// What a model is made of.
pub enum Contents {
    /// Trees.
    Forest(Forest),
    /// Training rows.
    Neighbors(Box<NeighborModel>),
}

/// A learner that was fitted.
pub struct Model {
    /// The learner.
    pub spec: Spec,
    /// The rows that it was fitted to, in the form in which it reads them.
    pub rows: Rc<Rows>,
    /// What it learned.
    pub contents: Contents,
    /// Fitted numbers that a model file holds besides.
    pub kept: Option<Value>,
    /// 1-R: the errors of every column.
    pub rules: Option<Vec<RuleErrors>>,
}

/// The errors of the rule of one column.
#[derive(Clone, Debug, Serialize)]
pub struct RuleErrors {
    feature: usize,
    errors: f64,
    rows: usize,
    chosen: bool,
}

/// Hears how far long work is.
pub type Tell<'a> = &'a mut dyn FnMut(usize, usize);

impl Model {
    /// Fits a learner.
    pub fn fit(spec: &Spec, rows: &Rc<Rows>, tell: Tell<'_>, cancel: &Cancel) -> Result<Model> {
        let params = spec.params();
        check_target(rows)?;
        let all_rows = rows;
        let rows = &spec.prepare(all_rows)?;
        let plain = |contents, kept| Model { spec: spec.clone(), rows: rows.clone(), contents, kept, rules: None };
        let one =
            |tree| -> Result<Contents> { Ok(Contents::Forest(Forest::grown(rows.table()?.kinds(), vec![tree])?)) };
        match spec.algorithm {
            Algorithm::Id3 | Algorithm::C45 | Algorithm::Cart => {
                let training = Training::new(spec, all_rows)?;
                let forest = training.forest(training.fit(cancel)?)?;
                Ok(Model { rows: training.rows.clone(), ..plain(Contents::Forest(forest), None) })
            }
            Algorithm::ZeroR => {
                params.refuse_others("0-R", if rows.target.classes().is_empty() { &[] } else { &["class_weight"] })?;
                let weights = row_weights(spec.algorithm, &params, rows)?;
                Ok(plain(one(zero_r(rows, weights.as_deref())?)?, None))
            }
            Algorithm::OneR => {
                params.refuse_others("1-R", &["class_weight", "min_bucket"])?;
                let weights = row_weights(spec.algorithm, &params, rows)?;
                let (tree, rules, best) = one_r(&params, rows, weights.as_deref())?;
                let errors = rules.iter().map(|rule| rule.errors()).enumerate();
                let rule =
                    |(feature, errors)| RuleErrors { feature, errors, rows: rows.count, chosen: feature == best };
                Ok(Model { rules: Some(errors.map(rule).collect()), ..plain(one(tree)?, None) })
            }
            Algorithm::Bagging | Algorithm::Forest | Algorithm::ExtraTrees => {
                let forest = ensembles::grow(spec.algorithm, &params, rows, tell, cancel)?;
                Ok(plain(Contents::Forest(forest), Some(json!({}))))
            }
            Algorithm::Adaboost => {
                let done = adaboost::boost(&params, rows, tell, cancel)?;
                let kept = json!({"estimator_weights_": done.votes, "estimator_errors_": done.errors});
                Ok(plain(Contents::Forest(done.forest), Some(kept)))
            }
            Algorithm::Boosting => {
                let done = boosting::boost(&params, rows, tell, cancel)?;
                Ok(plain(Contents::Forest(done.forest), Some(json!({"n_estimators_": done.rounds}))))
            }
            Algorithm::Knn => {
                let model = NeighborModel::fit(&params, rows, cancel)?;
                Ok(plain(Contents::Neighbors(Box::new(model)), None))
            }
        }
    }

    /// How many numbers it says of a row.
    pub fn outputs(&self) -> usize {
        self.rows.target.classes().len().max(1)
    }

    /// What it says of rows: the share of each class, or a number, row after row.
    pub fn predict(&self, cells: &[Cells], count: usize, cancel: &Cancel) -> Result<Vec<f64>> {
        match &self.contents {
            Contents::Forest(forest) => {
                let table = Table::new(cells.iter().map(Cells::column).collect(), count)?;
                Ok(forest.predict(&table, cancel)?)
            }
            Contents::Neighbors(neighbors) => neighbors.predict(cells, count, cancel),
        }
    }

    /// How wrong it is about some rows, given in its own codes: the share of wrong classes, or the mean squared error.
    pub fn error_on(&self, cells: &[Cells], truth: &TargetColumn, cancel: &Cancel) -> Result<f64> {
        let count = match truth {
            TargetColumn::Classes(codes, _) => codes.len(),
            TargetColumn::Numbers(numbers) => numbers.len(),
        };
        let says = self.predict(cells, count, cancel)?;
        let outputs = self.outputs();
        Ok(match truth {
            TargetColumn::Classes(codes, _) => {
                let wrong =
                    |(row, code): (usize, &u32)| largest(&says[row * outputs..(row + 1) * outputs]) != *code as usize;
                codes.iter().enumerate().filter(|&(row, code)| wrong((row, code))).count() as f64 / count as f64
            }
            TargetColumn::Numbers(numbers) => {
                let squares = says.iter().zip(numbers).map(|(said, number)| (said - number) * (said - number));
                crate::exact_sum::exact_sum(squares) / count as f64
            }
        })
    }

    /// The error on the training rows.
    pub fn training_error(&self, cancel: &Cancel) -> Result<f64> {
        let cells: Vec<Cells> = self.rows.features.iter().map(|feature| feature.cells.clone()).collect();
        self.error_on(&cells, &self.rows.target, cancel)
    }

    /// How many leaves its trees have together; 0 for rows.
    pub fn leaves(&self) -> usize {
        match &self.contents {
            Contents::Forest(forest) => {
                let leaves = |tree: &Tree| tree.n_children.iter().filter(|&&children| children == 0).count();
                forest.trees().iter().map(leaves).sum()
            }
            Contents::Neighbors(_) => 0,
        }
    }
}

/// The first of the largest.
pub fn largest(values: &[f64]) -> usize {
    (0..values.len()).reduce(|best, next| if values[next] > values[best] { next } else { best }).unwrap_or(0)
}

/// Refuses a target from which nothing can be learned.
fn check_target(rows: &Rows) -> Result<()> {
    if rows.count < 2 {
        return Err(Failure::new("fit.one-row", "there is only one row; at least two are needed"));
    }
    if rows.target.classes().len() == 1 {
        let only = rows.target.classes()[0].label();
        return Err(Failure::new("fit.one-class", format!("the target has only one class, \"{only}\"")));
    }
    Ok(())
}
