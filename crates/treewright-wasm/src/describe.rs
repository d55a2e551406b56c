//! Documents about tables and models, from what the engine holds.

use crate::documents::{Feature, LevelRows, Prediction, SourceColumn};
use crate::failure::Result;
use crate::level::Level;
use crate::model::{Contents, Model, RuleErrors, largest};
use crate::source::texts;
use crate::spec::{Algorithm, Spec};
use crate::table::{Cells, FeatureColumn, OpenTable, Rows, different};
use crate::tree_columns::{TreeDocument, tree_columns};
use serde::Serialize;
use serde_json::Value;
use treewright_core::prelude::{Cancel, Forest, Table, Tree, Values};

/// Categories of a column that are listed.
const MAX_LEVELS: usize = 200;
/// Trees of a model that are sent, and their nodes.
const MAX_TREES: usize = 20;
const MAX_NODES: usize = 20_000;

/// What a model says of rows; where it has one tree, with the nodes from the root to where each row ends.
pub fn predictions(
    says: &[f64],
    cells: &[Cells],
    classes: &[Level],
    tree: Option<(&Forest, Option<&[u32]>)>,
    cancel: &Cancel,
) -> Result<Vec<Prediction>> {
    let outputs = classes.len().max(1);
    let count = says.len() / outputs;
    let ends = match tree {
        Some((forest, _)) => {
            let table = Table::new(cells.iter().map(Cells::column).collect(), count)?;
            Some(forest.apply(0, &table, cancel)?)
        }
        None => None,
    };
    let path = |row: usize| {
        let (forest, ids) = tree?;
        let nodes = forest.trees()[0].path(ends.as_ref()?[row] as usize);
        Some(nodes.into_iter().map(|node| ids.map_or(node as u32, |ids| ids[node])).collect())
    };
    let one = |row: usize| {
        let values = &says[row * outputs..(row + 1) * outputs];
        Prediction {
            prediction: answer(values, classes),
            probabilities: (!classes.is_empty()).then(|| values.to_vec()),
            path: path(row),
        }
    };
    Ok((0..count).map(one).collect())
}

/// A model that was fitted, as a page reads it.
#[derive(Debug, Serialize)]
pub struct FittedDocument {
    id: u32,
    spec: Spec,
    #[serde(skip_serializing_if = "Option::is_none")]
    trees: Option<Vec<TreeDocument>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    n_trees: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    rules: Option<Vec<RuleErrors>>,
    training_error: f64,
}

/// The document of a fitted model.
pub fn fitted_document(id: u32, model: &Model, target: &str, cancel: &Cancel) -> Result<FittedDocument> {
    let spec = model.spec.clone();
    let trees = match &model.contents {
        Contents::Forest(forest) => Some(forest.trees()),
        Contents::Neighbors(_) => None,
    };
    let shown = trees.map(|trees| {
        let mut nodes = 0;
        let few = trees.iter().take(MAX_TREES).take_while(|tree| {
            nodes += tree.len();
            nodes <= MAX_NODES || nodes == tree.len()
        });
        few.map(|tree| tree_document(model, tree, target)).collect()
    });
    Ok(FittedDocument {
        id,
        spec,
        trees: shown,
        n_trees: trees.map(<[Tree]>::len),
        rules: model.rules.clone(),
        training_error: model.training_error(cancel)?,
    })
}

fn tree_document(model: &Model, tree: &Tree, target: &str) -> TreeDocument {
    let of_classes = tree.outputs > 1 && tree.outputs == model.rows.target.classes().len();
    let entropy = matches!(model.spec.algorithm, Algorithm::Id3 | Algorithm::C45)
        || model.spec.params.get("criterion").and_then(Value::as_str) == Some("entropy");
    TreeDocument {
        features: model.rows.features.iter().map(feature).collect(),
        target: target.to_owned(),
        classes: if of_classes { class_names(&model.rows) } else { None },
        criterion: match (of_classes, entropy) {
            (false, _) => "variance",
            (true, true) => "entropy",
            (true, false) => "gini",
        },
        tree: tree_columns(tree, of_classes),
    }
}

/// The class that shares answer, the first of the largest; or the number.
fn answer(values: &[f64], classes: &[Level]) -> Level {
    match classes.get(largest(values)) {
        Some(class) => class.clone(),
        None => Level::Number(values.first().copied().unwrap_or(f64::NAN)),
    }
}

/// The names of the classes; none for numbers.
pub fn class_names(rows: &Rows) -> Option<Vec<String>> {
    let classes = rows.target.classes();
    (!classes.is_empty()).then(|| classes.iter().map(Level::label).collect())
}

/// A column as trees ask about it.
pub fn feature(column: &FeatureColumn) -> Feature {
    let levels = match &column.cells {
        Cells::Numbers(_) => None,
        Cells::Codes(_, levels) => Some(levels.iter().map(Level::label).collect()),
    };
    Feature {
        name: column.name.clone(),
        kind: if levels.is_some() { "categorical" } else { "numeric" },
        levels,
        ordered: None,
        date: None,
        decimals: None,
        source: column.source,
    }
}

/// A column of the file.
pub fn source_column(table: &OpenTable, place: usize) -> SourceColumn {
    let role = if place == table.target {
        "target"
    } else if table.ignored[place] {
        "ignored"
    } else {
        "feature"
    };
    let common = |kind, missing, distinct| SourceColumn {
        name: table.source.header[place].clone(),
        kind,
        role,
        note: table.column_notes[place].clone(),
        missing,
        distinct,
        levels: None,
        min: None,
        max: None,
    };
    match &table.source.columns[place].values {
        Values::Numbers(numbers) => {
            let values = different(numbers);
            let missing = numbers.iter().filter(|number| number.is_nan()).count();
            SourceColumn {
                min: values.first().copied(),
                max: values.last().copied(),
                ..common("numeric", missing, values.len())
            }
        }
        Values::Codes(codes, levels) => {
            let names = texts(levels);
            let mut rows = vec![0; names.len()];
            let mut missing = 0;
            for &code in codes {
                match rows.get_mut(code as usize) {
                    Some(count) => *count += 1,
                    None => missing += 1,
                }
            }
            let listed = names.iter().zip(rows).take(MAX_LEVELS);
            let levels = listed.map(|(name, rows)| LevelRows { name: name.clone(), rows }).collect();
            SourceColumn { levels: Some(levels), ..common("categorical", missing, names.len()) }
        }
    }
}
