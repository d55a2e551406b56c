//! Rows for a model that exists: cells to the numbers and codes that its columns know.

use super::chunk::{Chunk, Text};
use super::complaint::{grouped, shorten};
use super::{CellRules, TypedValues, trim};
use crate::data::table::{MISSING, UNSEEN};
use crate::error::hint;
use crate::sys::memory::room;
use crate::sys::pool::Cancel;
use crate::{Error, Result};
use std::borrow::Cow;
use std::collections::HashMap;

/// How many characters of a text are shown.
const LONGEST_TEXT: usize = 40;

/// A column of the model.
pub struct ModelColumn {
    /// The position among the kept columns of a chunk.
    pub position: usize,
    /// The name, for errors.
    pub name: String,
    /// The code of each text, and where levels are numbers the code of the bits of each ("1.0" is then the level 1; zero
    /// has one sign). None for a column of numbers.
    pub levels: Option<(HashMap<String, u32>, HashMap<u64, u32>)>,
}

/// Texts that are no level of the model, sorted, with how often each occurs.
pub type UnseenTexts = Vec<(String, usize)>;

/// The model's columns for the rows of a chunk; `label` is what the user calls the file. The values do not repeat the levels
/// of the model.
pub fn encode(
    label: &str,
    columns: &[ModelColumn],
    rules: &CellRules,
    chunk: &Chunk,
    cancel: &Cancel,
) -> Result<Vec<(TypedValues<'static>, UnseenTexts)>> {
    let one = |column: &ModelColumn| {
        cancel.check()?;
        match &column.levels {
            None => Ok((TypedValues::Numbers(Cow::Owned(numbers(label, column, rules, chunk)?)), Vec::new())),
            Some((texts, numbers)) => {
                let (codes, unseen) = codes(cells(column, chunk)?, chunk.rows, texts, numbers, rules)?;
                Ok((TypedValues::Codes(Cow::Owned(codes), Text::default()), unseen))
            }
        }
    };
    columns.iter().map(one).collect()
}

fn numbers(label: &str, column: &ModelColumn, rules: &CellRules, chunk: &Chunk) -> Result<Vec<f64>> {
    let mut values = room(chunk.rows)?;
    for (row, cell) in cells(column, chunk)?.map(trim).enumerate() {
        // A marker wins: 999 may stand for a missing value.
        let marked = rules.marker(cell).is_some();
        let value = if marked { f64::NAN } else { rules.look(cell).value };
        if value.is_nan() && !marked && !rules.is_missing_number(cell) {
            return Err(no_number(label, &column.name, cell, chunk.line(row)));
        }
        values.push(value);
    }
    Ok(values)
}

fn codes<'a>(
    cells: impl Iterator<Item = &'a [u8]>,
    rows: usize,
    texts: &HashMap<String, u32>,
    numbers: &HashMap<u64, u32>,
    rules: &CellRules,
) -> Result<(Vec<u32>, UnseenTexts)> {
    let mut codes = room(rows)?;
    let mut unseen: HashMap<&str, usize> = HashMap::new();
    let code_of = |text: &str| texts.get(text).copied();
    for raw in cells {
        let cell = trim(raw);
        let text = std::str::from_utf8(cell).unwrap_or_default();
        let number = || (!numbers.is_empty()).then(|| rules.look(cell).value.to_bits());
        // A level of the model is a level, also where it is written like a marker or with blanks around it.
        let known = code_of(text)
            .or_else(|| std::str::from_utf8(raw).ok().and_then(code_of))
            .or_else(|| number().and_then(|bits| numbers.get(&bits).copied()));
        codes.push(match known {
            Some(code) => code,
            None if rules.is_missing_text(cell) => MISSING,
            None => {
                unseen.try_reserve(1)?;
                *unseen.entry(text).or_default() += 1;
                UNSEEN
            }
        });
    }
    let mut unseen: Vec<_> = unseen.into_iter().map(|(text, count)| (text.to_owned(), count)).collect();
    unseen.sort_unstable();
    Ok((codes, unseen))
}

fn no_number(label: &str, name: &str, cell: &[u8], line: u64) -> Error {
    let (name, cell) = (shorten(name.as_bytes(), LONGEST_TEXT), shorten(cell, LONGEST_TEXT));
    let message = format!(
        "{label} line {}: \"{cell}\" is not a number, and \"{name}\" was numeric in training\n\
         {}",
        grouped(line),
        hint("missing", &cell, "if it stands for a missing value"),
    );
    Error::data("predict.not-a-number", message)
}

fn cells<'a>(column: &ModelColumn, chunk: &'a Chunk) -> Result<impl Iterator<Item = &'a [u8]>> {
    let lost = || Error::data("data.lengths", format!("the chunk has no column {}", column.position));
    Ok(chunk.columns.get(column.position).ok_or_else(lost)?.cells())
}
