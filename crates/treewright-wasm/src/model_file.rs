//! The model file that `treewright.load` reads.

use crate::canonical::canonical;
use crate::failure::Result;
use crate::model::{Contents, Model};
use crate::spec::{Algorithm, Spec};
use crate::table::{Cells, FeatureColumn, Rows};
use serde_json::{Map, Value, json};
use treewright_core::prelude::columns::Meaning;
use treewright_core::prelude::{Cancel, Forest, file};

/// The class of the Python package for an algorithm.
fn estimator(algorithm: Algorithm, classes: bool) -> String {
    let name = match algorithm {
        Algorithm::ZeroR => "ZeroR",
        Algorithm::OneR => "OneR",
        Algorithm::Id3 => "ID3",
        Algorithm::C45 => "C45",
        Algorithm::Cart => "CART",
        Algorithm::Bagging => "Bagging",
        Algorithm::Forest => "RandomForest",
        Algorithm::ExtraTrees => "ExtraTrees",
        Algorithm::Adaboost => "AdaBoost",
        Algorithm::Boosting => "GradientBoosting",
        Algorithm::Knn => "KNeighbors",
    };
    format!("{name}{}", if classes { "Classifier" } else { "Regressor" })
}

/// What the values of a column stand for.
fn meaning(feature: &FeatureColumn) -> Map<String, Value> {
    let mut meaning = Map::new();
    if let Some(Meaning::Amount(mark)) = &feature.meaning {
        meaning.insert("written".into(), json!(mark.letter()));
    }
    if let Some(other) = &feature.other {
        meaning.insert("other".into(), json!(other));
    }
    meaning
}

/// What the model reads and predicts.
fn schema(rows: &Rows, target: &str) -> Value {
    let column = |feature: &FeatureColumn| {
        let mut column = Map::new();
        column.insert("name".into(), json!(feature.name));
        match &feature.cells {
            Cells::Numbers(_) => column.insert("kind".into(), json!("numeric")),
            Cells::Codes(_, levels) => {
                column.insert("levels".into(), json!(levels));
                column.insert("kind".into(), json!("categorical"))
            }
        };
        let meaning = meaning(feature);
        if !meaning.is_empty() {
            column.insert("meaning".into(), Value::Object(meaning));
        }
        if feature.cells.count_missing() == 0 {
            column.insert("missing".into(), json!(false));
        }
        Value::Object(column)
    };
    let mut schema = Map::new();
    schema.insert("columns".into(), rows.features.iter().map(column).collect());
    schema.insert("target".into(), json!(target));
    if !rows.target.classes().is_empty() {
        schema.insert("classes".into(), json!(rows.target.classes()));
    }
    Value::Object(schema)
}

/// The description of a model.
fn describe(spec: &Spec, rows: &Rows, target: &str, kept: Option<&Value>) -> Result<String> {
    let classes = !rows.target.classes().is_empty();
    let mut document = Map::new();
    document.insert("estimator".into(), json!(estimator(spec.algorithm, classes)));
    document.insert("params".into(), Value::Object(spec.params.clone()));
    document.insert("schema".into(), schema(rows, target));
    document.insert("named".into(), json!(true));
    if classes {
        document.insert("classes_dtype".into(), json!("str"));
    }
    if let Some(kept) = kept {
        document.insert("kept".into(), kept.clone());
    }
    canonical(&Value::Object(document))
}

/// The file of a fitted model.
pub fn model_file(model: &Model, target: &str, cancel: &Cancel) -> Result<Vec<u8>> {
    let document = describe(&model.spec, &model.rows, target, model.kept.as_ref())?;
    Ok(match &model.contents {
        Contents::Forest(forest) => file::to_bytes(forest, &document, cancel)?,
        Contents::Neighbors(neighbors) => file::cases_to_bytes(&neighbors.cases(&model.rows)?, &document, cancel)?,
    })
}

/// The file of a tree that was grown step by step.
pub fn tree_file(spec: &Spec, rows: &Rows, forest: &Forest, target: &str, cancel: &Cancel) -> Result<Vec<u8>> {
    Ok(file::to_bytes(forest, &describe(spec, rows, target, None)?, cancel)?)
}
