//! What a page can ask for: a call with its arguments, answered by a document or by bytes.

use crate::cases::encode;
use crate::distribution::distribution;
use crate::documents::{Feature, LevelRows, NodeRows, Prediction, SourceColumn, TableDocument, TreeState};
use crate::failure::{Failure, Result};
use crate::growing::{Action, Growing};
use crate::level::Level;
use crate::source::{OpenOptions, Source};
use crate::spec::Spec;
use crate::table::{Cells, FeatureColumn, OpenTable, Rows, different};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::collections::BTreeMap;
use std::rc::Rc;
use treewright_core::prelude::{Cancel, Table};

/// Rows of a table that are sent with it.
const HEAD: usize = 50;
/// Categories of a column that are listed.
const MAX_LEVELS: usize = 200;

/// A call.
#[derive(Debug, Deserialize)]
#[serde(tag = "call", rename_all = "snake_case")]
enum Request {
    Open { r#as: u32, name: String, options: Box<OpenOptions> },
    Rows { table: u32, offset: usize, limit: usize },
    Start { r#as: u32, spec: Spec },
    Step { tree: u32, action: Action },
    Work { tree: u32, node: u32 },
    NodeRows { tree: u32, node: u32, offset: usize, limit: usize },
    Predict { model: u32, rows: Vec<Vec<Value>> },
    Distribution { table: u32, column: usize },
    Curve { tree: u32, folds: usize },
    Close { id: u32 },
}

/// An answer.
#[derive(Debug, PartialEq)]
pub enum Reply {
    /// A document as JSON.
    Document(Vec<u8>),
    /// A file.
    Bytes(Vec<u8>),
}

struct Opened {
    table: OpenTable,
    rows: Rc<Rows>,
}

/// Tables, trees and models of a page.
#[derive(Default)]
pub struct Engine {
    tables: BTreeMap<u32, Opened>,
    trees: BTreeMap<u32, Growing>,
}

/// Tells the page how far long work is.
#[cfg(target_family = "wasm")]
fn tell(done: usize, of: usize) {
    crate::exports::tell_page(done, of);
}

/// Nobody listens outside of a page.
#[cfg(not(target_family = "wasm"))]
fn tell(_done: usize, _of: usize) {}

fn document(value: &impl Serialize) -> Result<Reply> {
    let text = serde_json::to_vec(value).map_err(|error| Failure::new("internal", error.to_string()))?;
    Ok(Reply::Document(text))
}

impl Engine {
    /// Answers a call, whose arguments are JSON and whose file, if it has one, is bytes.
    pub fn call(&mut self, request: &[u8], file: &[u8]) -> Result<Reply> {
        let request = serde_json::from_slice(request)
            .map_err(|error| Failure::new("usage.call", format!("the engine does not know this call: {error}")))?;
        let cancel = Cancel::default();
        match request {
            Request::Open { r#as, name, options } => document(&self.open(r#as, file, &name, &options, &cancel)?),
            Request::Rows { table, offset, limit } => document(&self.table(table)?.table.source.cells(offset, limit)),
            Request::Start { r#as, spec } => document(&self.start(r#as, &spec, &cancel)?),
            Request::Step { tree, action } => document(&self.tree_mut(tree)?.step(&action, &cancel)?),
            Request::Work { tree, node } => document(&self.tree(tree)?.work(node, &cancel)?),
            Request::NodeRows { tree, node, offset, limit } => {
                document(&self.node_rows(tree, node, offset, limit, &cancel)?)
            }
            Request::Distribution { table, column } => document(&distribution(&self.table(table)?.table, column)?),
            Request::Curve { tree, folds } => document(&self.tree(tree)?.curve(folds, &mut tell, &cancel)?),
            Request::Close { id } => document(&self.close(id)),
            Request::Predict { model, rows } => document(&self.predict(model, &rows, &cancel)?),
        }
    }

    /// Drops a table with everything that was learned from it, or a tree.
    fn close(&mut self, id: u32) {
        self.tables.remove(&id);
        self.trees.retain(|&tree, growing| tree != id && growing.spec.table != id);
    }

    fn table(&self, id: u32) -> Result<&Opened> {
        self.tables.get(&id).ok_or_else(|| Failure::new("usage.table", format!("there is no table {id}")))
    }

    fn tree(&self, id: u32) -> Result<&Growing> {
        self.trees.get(&id).ok_or_else(|| Failure::new("usage.tree", format!("there is no tree {id}")))
    }

    fn tree_mut(&mut self, id: u32) -> Result<&mut Growing> {
        self.trees.get_mut(&id).ok_or_else(|| Failure::new("usage.tree", format!("there is no tree {id}")))
    }

    fn open(
        &mut self,
        id: u32,
        bytes: &[u8],
        name: &str,
        options: &OpenOptions,
        cancel: &Cancel,
    ) -> Result<TableDocument> {
        let table = OpenTable::new(Source::read(bytes, name, options, cancel)?, name, options)?;
        let document = TableDocument {
            id,
            name: name.to_owned(),
            rows: table.source.rows,
            columns: (0..table.source.header.len()).map(|column| source_column(&table, column)).collect(),
            features: table.rows.features.iter().map(feature).collect(),
            target: table.source.header[table.target].clone(),
            classes: class_names(&table.rows),
            notes: table.notes.clone(),
            head: table.source.cells(0, HEAD),
        };
        let rows = Rc::new(table.rows.clone());
        self.tables.insert(id, Opened { table, rows });
        Ok(document)
    }

    fn start(&mut self, id: u32, spec: &Spec, cancel: &Cancel) -> Result<TreeState> {
        let opened = self.table(spec.table)?;
        let target = opened.table.source.header[opened.table.target].clone();
        let tree = Growing::start(spec, &opened.rows, cancel)?;
        let (criterion, chooses_by) = tree.criterion();
        let state = TreeState {
            id,
            rev: tree.rev(),
            spec: spec.clone(),
            criterion,
            chooses_by,
            features: tree.rows().features.iter().map(feature).collect(),
            target,
            classes: class_names(tree.rows()),
            nodes: tree.nodes(),
        };
        self.trees.insert(id, tree);
        Ok(state)
    }

    fn node_rows(&self, tree: u32, node: u32, offset: usize, limit: usize, cancel: &Cancel) -> Result<NodeRows> {
        let tree = self.tree(tree)?;
        let opened = &self.table(tree.spec.table)?.table;
        let all = tree.rows_of(node, cancel)?;
        let some = all.iter().skip(offset).take(limit);
        let (index, fraction): (Vec<u32>, Vec<f64>) =
            some.map(|&(row, share)| (opened.positions[row as usize], share)).unzip();
        let cells = index.iter().filter_map(|&row| opened.source.cells(row as usize, 1).pop()).collect();
        Ok(NodeRows { total: all.len(), index, fraction, cells })
    }

    fn predict(&self, model: u32, rows: &[Vec<Value>], cancel: &Cancel) -> Result<Vec<Prediction>> {
        let tree = self.tree(model)?;
        let source = &self.table(tree.spec.table)?.table.source;
        let cells = encode(source, &tree.rows().features, rows)?;
        let table = Table::new(cells.iter().map(Cells::column).collect(), rows.len())?;
        let (forest, ids) = tree.model(cancel)?;
        let says = forest.predict(&table, cancel)?;
        let ends = forest.apply(0, &table, cancel)?;
        let classes = tree.rows().target.classes();
        let outputs = forest.outputs();
        let one = |(row, end): (usize, &u32)| {
            let values = &says[row * outputs..(row + 1) * outputs];
            Prediction {
                prediction: answer(values, classes),
                probabilities: (!classes.is_empty()).then(|| values.to_vec()),
                path: Some(path(&forest.trees()[0], *end as usize).into_iter().map(|node| ids[node]).collect()),
            }
        };
        Ok(ends.iter().enumerate().map(one).collect())
    }
}

/// The nodes from the root to a node.
fn path(tree: &treewright_core::prelude::Tree, node: usize) -> Vec<usize> {
    let mut path = vec![node];
    let mut below = node;
    for above in (0..node).rev() {
        if tree.children(above).contains(&below) {
            path.push(above);
            below = above;
        }
    }
    path.reverse();
    path
}

/// The class that shares answer, the first of the largest; or the number.
fn answer(values: &[f64], classes: &[Level]) -> Level {
    let largest = (0..values.len()).reduce(|best, next| if values[next] > values[best] { next } else { best });
    match largest.and_then(|class| classes.get(class)) {
        Some(class) => class.clone(),
        None => Level::Number(values.first().copied().unwrap_or(f64::NAN)),
    }
}

fn class_names(rows: &Rows) -> Option<Vec<String>> {
    let classes = rows.target.classes();
    (!classes.is_empty()).then(|| classes.iter().map(Level::label).collect())
}

fn feature(column: &FeatureColumn) -> Feature {
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

fn source_column(table: &OpenTable, place: usize) -> SourceColumn {
    use treewright_core::prelude::Values;
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
            let names = crate::source::texts(levels);
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
