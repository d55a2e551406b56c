//! Rows for a model that exists: cells to the numbers and codes that its columns know.

use super::chunk::Chunk;
use super::complaint::{grouped, shorten};
use super::{CellRules, trim};
use crate::data::table::{MISSING, UNSEEN};
use crate::error::hint;
use crate::sys::pool::Cancel;
use crate::{Error, Result};
use std::collections::HashMap;

const LONGEST_CELL: usize = 40;

/// What a column of the model takes.
pub enum Kind {
    /// Numbers.
    Numbers,
    /// The code of each text, and the code of each number where levels are numbers ("1.0" is then the level 1).
    Levels {
        /// Codes by text.
        texts: HashMap<String, u32>,
        /// Codes by the bits of a number; zero has one sign.
        numbers: HashMap<u64, u32>,
    },
}

/// One column of the model: where it is among the columns of a chunk, its name, and what it takes.
pub struct Feature {
    /// The position among the kept columns.
    pub column: usize,
    /// The name, for errors.
    pub name: String,
    /// What it takes.
    pub kind: Kind,
}

/// The values of one column.
pub enum Encoded {
    /// Numbers, NaN where missing.
    Numbers(Vec<f64>),
    /// Codes, and the texts that are no level with how often each occurs, sorted.
    Codes(Vec<u32>, Vec<(String, usize)>),
}

/// Turns chunks into the columns of a model.
pub struct Encoder {
    /// What the user calls the file.
    pub label: String,
    /// The model's columns.
    pub features: Vec<Feature>,
    /// How cells are read.
    pub rules: CellRules,
}

impl Encoder {
    /// The model's columns for the rows of a chunk.
    pub fn encode(&self, chunk: &Chunk, cancel: &Cancel) -> Result<Vec<Encoded>> {
        let one = |feature: &Feature| {
            cancel.check()?;
            match &feature.kind {
                Kind::Numbers => self.numbers(feature, chunk),
                Kind::Levels { texts, numbers } => self.codes(feature, chunk, texts, numbers),
            }
        };
        self.features.iter().map(one).collect()
    }

    fn numbers(&self, feature: &Feature, chunk: &Chunk) -> Result<Encoded> {
        let mut values = Vec::new();
        values.try_reserve_exact(chunk.rows)?;
        for (row, cell) in cells(feature, chunk)?.enumerate() {
            let cell = trim(cell);
            // A marker wins: 999 may stand for a missing value.
            let marked = self.rules.markers.find(cell).is_some();
            let value = if marked { f64::NAN } else { self.rules.look(cell).value };
            if value.is_nan() && !marked && !self.rules.is_missing_number(cell) {
                return Err(self.no_number(feature, cell, chunk.lines.line(row)));
            }
            values.push(value);
        }
        Ok(Encoded::Numbers(values))
    }

    fn codes(
        &self,
        feature: &Feature,
        chunk: &Chunk,
        texts: &HashMap<String, u32>,
        numbers: &HashMap<u64, u32>,
    ) -> Result<Encoded> {
        let mut codes = Vec::new();
        codes.try_reserve_exact(chunk.rows)?;
        let mut unseen: HashMap<&str, usize> = HashMap::new();
        let code_of = |text: &str| texts.get(text).copied();
        for raw in cells(feature, chunk)? {
            let cell = trim(raw);
            let text = std::str::from_utf8(cell).unwrap_or_default();
            let number = || (!numbers.is_empty()).then(|| self.rules.look(cell).value.to_bits());
            // A level of the model is a level, also where it is written like a marker or with blanks around it.
            let known = code_of(text)
                .or_else(|| std::str::from_utf8(raw).ok().and_then(code_of))
                .or_else(|| number().and_then(|bits| numbers.get(&bits).copied()));
            codes.push(match known {
                Some(code) => code,
                None if self.rules.is_missing_text(cell) => MISSING,
                None => {
                    unseen.try_reserve(1)?;
                    *unseen.entry(text).or_default() += 1;
                    UNSEEN
                }
            });
        }
        let mut unseen: Vec<_> = unseen.into_iter().map(|(text, count)| (text.to_owned(), count)).collect();
        unseen.sort_unstable();
        Ok(Encoded::Codes(codes, unseen))
    }

    fn no_number(&self, feature: &Feature, cell: &[u8], line: u64) -> Error {
        let (name, cell) = (shorten(feature.name.as_bytes(), LONGEST_CELL), shorten(cell, LONGEST_CELL));
        let message = format!(
            "{} line {}: \"{cell}\" is not a number, and \"{name}\" was numeric in training\n\
             {}",
            self.label,
            grouped(line),
            hint("missing", &cell, "if it stands for a missing value"),
        );
        Error::data("predict.not-a-number", message)
    }
}

fn cells<'a>(feature: &Feature, chunk: &'a Chunk) -> Result<impl Iterator<Item = &'a [u8]>> {
    let lost = || Error::data("data.lengths", format!("the chunk has no column {}", feature.column));
    Ok(chunk.columns.get(feature.column).ok_or_else(lost)?.cells())
}
