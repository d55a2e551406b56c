//! Documents about tables and models, from what the engine holds.

use crate::documents::{Feature, LevelRows, Prediction, SourceColumn};
use crate::failure::Result;
use crate::level::Level;
use crate::model::{Contents, Model, RuleErrors, largest};
use crate::spec::{Algorithm, Spec};
use crate::table::{Cells, FeatureColumn, OpenTable, Rows};
use crate::tree_columns::{TreeDocument, tree_columns};
use serde::Serialize;
use serde_json::Value;
use treewright_core::prelude::columns::{ReadAs, ReadColumn, TypedValues};
use treewright_core::prelude::{Cancel, Forest, Table, Tree};

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
    let documents = trees.map(|trees| {
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
        trees: documents,
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

/// The columns of the file.
pub fn source_columns(table: &OpenTable) -> Result<Vec<SourceColumn>> {
    let notes = table.file.table.notes();
    let read = &table.file.table;
    (0..table.file.header.len())
        .map(|source| {
            let place = read.sources.iter().position(|&other| other == source).unwrap_or_default();
            let about = notes.iter().filter(|(column, _)| *column == Some(place));
            let mut sentences: Vec<String> = about.map(|(_, reason)| reason.sentence.to_string()).collect();
            sentences.extend(table.target_note.clone().filter(|_| place == table.file.target));
            source_column(&read.columns[place], place == table.file.target, sentences.join(" "))
        })
        .collect()
}

fn source_column(read: &ReadColumn<'_>, is_target: bool, note: String) -> Result<SourceColumn> {
    let column = &read.column;
    let mut document = SourceColumn {
        name: column.name.clone(),
        kind: match read.read_as {
            ReadAs::Ordered => "ordered",
            ReadAs::Date => "date",
            _ if column.is_numeric() => "numeric",
            _ => "categorical",
        },
        role: match (is_target, read.ignored) {
            (true, _) => "target",
            (false, true) => "ignored",
            (false, false) => "feature",
        },
        note,
        missing: read.missing,
        distinct: column.different()?,
        levels: None,
        min: None,
        max: None,
    };
    match &column.values {
        TypedValues::Numbers(numbers) => {
            let known = numbers.iter().copied().filter(|number| !number.is_nan());
            let ends = known.fold(None, |ends, x: f64| {
                Some(ends.map_or((x, x), |(low, high): (f64, f64)| (low.min(x), high.max(x))))
            });
            (document.min, document.max) = (ends.map(|(low, _)| low), ends.map(|(_, high)| high));
        }
        TypedValues::Codes(_, levels) => {
            let rows = column.level_rows()?;
            let listed = levels.texts().zip(rows).take(MAX_LEVELS);
            document.levels = Some(listed.map(|(name, rows)| LevelRows { name: name.into_owned(), rows }).collect());
        }
    }
    Ok(document)
}

/// Sentences on the file as a whole.
pub fn file_notes(table: &OpenTable) -> Vec<String> {
    let notes = table.file.table.notes();
    let about = notes.iter().filter(|(column, _)| column.is_none());
    let mut sentences: Vec<String> = about.map(|(_, reason)| reason.sentence.to_string()).collect();
    match table.left_out {
        0 => {}
        1 => sentences.push("1 row has no target and is left out.".to_owned()),
        rows => sentences.push(format!("{rows} rows have no target and are left out.")),
    }
    sentences
}
