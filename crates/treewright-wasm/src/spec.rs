//! A learner on a table, as a page names it.

use crate::failure::Result;
use crate::params::Params;
use crate::table::Rows;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use std::rc::Rc;

/// A learner with its parameters.
#[derive(Clone, Debug, Deserialize, Serialize)]
pub struct Spec {
    /// The table.
    pub table: u32,
    /// The algorithm.
    pub algorithm: Algorithm,
    /// Parameters that differ from their default.
    #[serde(default)]
    pub params: Map<String, Value>,
}

impl Spec {
    /// The rows in the form in which the learner reads them: pooled rare categories, or a level for each number.
    pub fn prepare(&self, rows: &Rc<Rows>) -> Result<Rc<Rows>> {
        let word = |name: &str| self.params.get(name).and_then(Value::as_str);
        match self.algorithm {
            Algorithm::Id3 => Ok(Rc::new(rows.to_levels())),
            Algorithm::Knn if word("metric") == Some("hamming") => Ok(Rc::new(rows.to_levels())),
            // rpart takes every category as it is.
            Algorithm::Cart if word("variant") == Some("rpart") => Ok(rows.clone()),
            Algorithm::ZeroR | Algorithm::OneR | Algorithm::Boosting | Algorithm::Knn => Ok(rows.clone()),
            _ => Ok(Rc::new(rows.pooled()?)),
        }
    }

    /// The parameters, to be checked.
    pub fn params(&self) -> Params {
        Params(self.params.clone())
    }
}

/// The algorithms, by the words of the command line.
#[derive(Clone, Copy, Debug, Deserialize, Serialize, PartialEq, Eq)]
#[serde(rename_all = "kebab-case")]
pub enum Algorithm {
    /// The most frequent class, or the mean.
    ZeroR,
    /// The one column with the fewest errors.
    OneR,
    /// ID3.
    Id3,
    /// C4.5.
    C45,
    /// CART.
    Cart,
    /// Bagging.
    Bagging,
    /// Random forest.
    Forest,
    /// Extremely randomized trees.
    ExtraTrees,
    /// AdaBoost.
    Adaboost,
    /// Gradient boosting.
    Boosting,
    /// Nearest neighbors.
    Knn,
}

impl Algorithm {
    /// Its usual name.
    pub fn name(self) -> &'static str {
        match self {
            Algorithm::ZeroR => "0-R",
            Algorithm::OneR => "1-R",
            Algorithm::Id3 => "ID3",
            Algorithm::C45 => "C4.5",
            Algorithm::Cart => "CART",
            Algorithm::Bagging => "bagging",
            Algorithm::Forest => "random forest",
            Algorithm::ExtraTrees => "extra trees",
            Algorithm::Adaboost => "AdaBoost",
            Algorithm::Boosting => "gradient boosting",
            Algorithm::Knn => "nearest neighbors",
        }
    }
}
