//! What a page can ask for: a call with its arguments, answered by a document or by bytes.

use crate::cases::encode;
use crate::compare::{Comparison, compare};
use crate::describe::{FittedDocument, class_names, feature, file_notes, fitted_document, predictions, source_columns};
use crate::distribution::distribution;
use crate::documents::{NodeRows, Prediction, TableDocument, TreeState};
use crate::failure::{Failure, Result};
use crate::growing::{Action, Growing};
use crate::model::{Contents, Model};
use crate::model_file::{model_file, tree_file};
use crate::options::OpenOptions;
use crate::spec::Spec;
use crate::table::{Cells, OpenTable};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::collections::BTreeMap;
use treewright_core::prelude::{Cancel, Table, thread_pool};

/// Rows of a table that are sent with it.
const HEAD: usize = 50;

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
    Fit { r#as: u32, spec: Spec },
    Compare { specs: Vec<Spec>, folds: usize },
    ModelFile { model: u32 },
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

/// Tables, trees and models of a page.
#[derive(Default)]
pub struct Engine {
    tables: BTreeMap<u32, OpenTable>,
    trees: BTreeMap<u32, Growing>,
    models: BTreeMap<u32, Model>,
}

/// Tells the page how far long work is.
#[cfg(target_family = "wasm")]
fn tell(done: usize, of: usize) {
    crate::exports::tell_page(done, of);
}

/// Nobody listens outside of a page.
#[cfg(not(target_family = "wasm"))]
fn tell(_done: usize, _of: usize) {}

/// Seconds, for durations.
#[cfg(target_family = "wasm")]
fn now() -> f64 {
    crate::exports::seconds()
}

/// A page has no clock of Rust's own; elsewhere nobody asks.
#[cfg(not(target_family = "wasm"))]
fn now() -> f64 {
    0.0
}

fn document(value: &impl Serialize) -> Result<Reply> {
    let text = serde_json::to_vec(value).map_err(|error| Failure::new("internal", error.to_string()))?;
    Ok(Reply::Document(text))
}

impl Engine {
    /// Answers a call, whose arguments are JSON and whose file, if it has one, is bytes.
    pub fn call(&mut self, request: &[u8], file: &[u8]) -> Result<Reply> {
        let request = serde_json::from_slice(request)
            .map_err(|error| Failure::new("usage.call", format!("the engine does not know this call: {error}")))?;
        // First of all, so that the only thread of a page is the pool's and not that of a pool that rayon makes itself.
        thread_pool(1)?;
        let cancel = Cancel::default();
        match request {
            Request::Open { r#as, name, options } => document(&self.open(r#as, file, &name, &options, &cancel)?),
            Request::Rows { table, offset, limit } => document(&self.table(table)?.file.cells(offset, limit)),
            Request::Start { r#as, spec } => document(&self.start(r#as, &spec, &cancel)?),
            Request::Step { tree, action } => document(&self.tree_mut(tree)?.step(&action, &cancel)?),
            Request::Work { tree, node } => document(&self.tree(tree)?.work(node, &cancel)?),
            Request::NodeRows { tree, node, offset, limit } => {
                document(&self.node_rows(tree, node, offset, limit, &cancel)?)
            }
            Request::Distribution { table, column } => document(&distribution(self.table(table)?, column)?),
            Request::Curve { tree, folds } => document(&self.tree(tree)?.curve(folds, &mut tell, &cancel)?),
            Request::Fit { r#as, spec } => document(&self.fit(r#as, &spec, &cancel)?),
            Request::Compare { specs, folds } => document(&self.compare(&specs, folds, &cancel)?),
            Request::ModelFile { model } => Ok(Reply::Bytes(self.model_file(model, &cancel)?)),
            Request::Close { id } => document(&self.close(id)),
            Request::Predict { model, rows } => document(&self.predict(model, &rows, &cancel)?),
        }
    }

    /// Drops a table with everything that was learned from it, or a tree.
    fn close(&mut self, id: u32) {
        self.tables.remove(&id);
        self.trees.retain(|&tree, growing| tree != id && growing.spec.table != id);
        self.models.retain(|&other, model| other != id && model.spec.table != id);
    }

    fn table(&self, id: u32) -> Result<&OpenTable> {
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
        let table = OpenTable::read(bytes, name, options, cancel)?;
        let document = TableDocument {
            id,
            name: name.to_owned(),
            rows: table.file.rows,
            columns: source_columns(&table)?,
            features: table.rows.features.iter().map(feature).collect(),
            target: table.target().to_owned(),
            classes: class_names(&table.rows),
            notes: file_notes(&table),
            head: table.file.cells(0, HEAD),
        };
        self.tables.insert(id, table);
        Ok(document)
    }

    fn start(&mut self, id: u32, spec: &Spec, cancel: &Cancel) -> Result<TreeState> {
        let opened = self.table(spec.table)?;
        let target = opened.target().to_owned();
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
        let opened = self.table(tree.spec.table)?;
        let all = tree.rows_of(node, cancel)?;
        let some = all.iter().skip(offset).take(limit);
        let (index, fraction): (Vec<u32>, Vec<f64>) =
            some.map(|&(row, share)| (opened.positions[row as usize], share)).unzip();
        let cells = index.iter().filter_map(|&row| opened.file.cells(row as usize, 1).pop()).collect();
        Ok(NodeRows { total: all.len(), index, fraction, cells })
    }

    fn fit(&mut self, id: u32, spec: &Spec, cancel: &Cancel) -> Result<FittedDocument> {
        let opened = self.table(spec.table)?;
        let model = Model::fit(spec, &opened.rows, &mut tell, cancel)?;
        let target = opened.target().to_owned();
        let document = fitted_document(id, &model, &target, cancel)?;
        self.models.insert(id, model);
        Ok(document)
    }

    fn compare(&self, specs: &[Spec], folds: usize, cancel: &Cancel) -> Result<Comparison> {
        let Some(first) = specs.first() else { return Err(Failure::usage("there is nothing to compare")) };
        if specs.iter().any(|spec| spec.table != first.table) {
            return Err(Failure::usage("learners are compared on one table"));
        }
        compare(specs, &self.table(first.table)?.rows, folds, &mut tell, &now, cancel)
    }

    fn model_file(&self, id: u32, cancel: &Cancel) -> Result<Vec<u8>> {
        let target = |spec: &Spec| -> Result<&str> { Ok(self.table(spec.table)?.target()) };
        if let Some(model) = self.models.get(&id) {
            return model_file(model, target(&model.spec)?, cancel);
        }
        let tree = self.tree(id)?;
        let (forest, _) = tree.model(cancel)?;
        tree_file(&tree.spec, tree.rows(), &forest, target(&tree.spec)?, cancel)
    }

    fn predict(&self, id: u32, rows: &[Vec<Value>], cancel: &Cancel) -> Result<Vec<Prediction>> {
        match self.models.get(&id) {
            Some(model) => {
                let table = self.table(model.spec.table)?;
                let cells = encode(table, &model.rows.features, rows)?;
                let says = model.predict(&cells, rows.len(), cancel)?;
                let path = match &model.contents {
                    Contents::Forest(forest) if forest.trees().len() == 1 => Some((forest, None)),
                    _ => None,
                };
                predictions(&says, &cells, model.rows.target.classes(), path, cancel)
            }
            None => {
                let tree = self.tree(id)?;
                let opened = self.table(tree.spec.table)?;
                let cells = encode(opened, &tree.rows().features, rows)?;
                let (forest, ids) = tree.model(cancel)?;
                let table = Table::new(cells.iter().map(Cells::column).collect(), rows.len())?;
                let says = forest.predict(&table, cancel)?;
                predictions(&says, &cells, tree.rows().target.classes(), Some((&forest, Some(&ids))), cancel)
            }
        }
    }
}
