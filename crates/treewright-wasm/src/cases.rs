//! Rows that a model is asked about: cells as text or numbers to the codes of its features.

use crate::failure::{Failure, Result};
use crate::level::Level;
use crate::table::{Cells, FeatureColumn, OpenTable};
use serde_json::Value;
use std::collections::HashMap;
use treewright_core::prelude::columns::{Meaning, read_amount};
use treewright_core::prelude::{MISSING, trim};

/// One cell, without blanks around it.
fn text_of(cell: &Value) -> Option<String> {
    match cell {
        Value::Null => None,
        Value::String(text) => Some(text.clone()),
        other => Some(other.to_string()),
    }
}

/// The features of some rows; each row has a cell for each column of the file.
pub fn encode(table: &OpenTable, features: &[FeatureColumn], rows: &[Vec<Value>]) -> Result<Vec<Cells>> {
    let columns = table.file.header.len();
    if let Some(row) = rows.iter().position(|row| row.len() != columns) {
        let message = format!("row {row} has {} values, the table has {columns} columns", rows[row].len());
        return Err(Failure::new("data.one-row", message));
    }
    features.iter().map(|feature| one(table, feature, rows.iter().map(|row| &row[feature.source]))).collect()
}

fn one<'a>(table: &OpenTable, feature: &FeatureColumn, cells: impl Iterator<Item = &'a Value>) -> Result<Cells> {
    match &feature.cells {
        Cells::Numbers(_) => cells.map(|cell| number(table, feature, cell)).collect::<Result<_>>().map(Cells::Numbers),
        Cells::Codes(_, levels) => {
            let codes: HashMap<String, u32> =
                levels.iter().enumerate().map(|(code, level)| (level.label(), code as u32)).collect();
            let numbers = matches!(levels.first(), Some(Level::Number(_)));
            let known = cells.map(|cell| code(table, &codes, numbers, feature.unknown_code(), cell)).collect();
            Ok(Cells::Codes(known, levels.clone()))
        }
    }
}

fn number(table: &OpenTable, feature: &FeatureColumn, cell: &Value) -> Result<f64> {
    if let Some(number) = cell.as_f64() {
        return Ok(number + 0.0);
    }
    let Some(text) = text_of(cell) else { return Ok(f64::NAN) };
    let cell = trim(text.as_bytes());
    if table.rules.is_missing_number(cell) {
        return Ok(f64::NAN);
    }
    let value = match &feature.meaning {
        Some(Meaning::Amount(mark)) => read_amount(&text, *mark),
        _ => table.rules.look(cell).value,
    };
    if value.is_finite() {
        return Ok(value + 0.0);
    }
    let message = format!("\"{text}\" is not a number, and \"{}\" was numeric in training", feature.name);
    Err(Failure::new("predict.not-a-number", message))
}

fn code(table: &OpenTable, codes: &HashMap<String, u32>, numbers: bool, unknown: u32, cell: &Value) -> u32 {
    let Some(text) = text_of(cell) else { return MISSING };
    let bytes = trim(text.as_bytes());
    let trimmed = String::from_utf8_lossy(bytes);
    if let Some(&code) = codes.get(trimmed.as_ref()).or_else(|| codes.get(&text)) {
        return code;
    }
    if table.rules.is_missing_text(bytes) || (numbers && table.rules.is_missing_number(bytes)) {
        return MISSING;
    }
    let value = table.rules.look(bytes).value;
    let same_number = numbers && !value.is_nan();
    same_number.then(|| codes.get(&crate::level::write_number(value)).copied()).flatten().unwrap_or(unknown)
}
