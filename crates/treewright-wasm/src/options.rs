//! What the user decided about a file.

use crate::failure::{Failure, Result};
use serde::Deserialize;
use std::collections::BTreeMap;
use treewright_core::prelude::columns::{Choice, TableOptions, Task};
use treewright_core::prelude::{Delimiter, NumberFormat, WantedKind};

/// The decisions of a user, as a page sends them.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
pub struct OpenOptions {
    /// The column to predict; the last one that the user does not ignore by default.
    pub target: Option<String>,
    /// `classification` or `regression`.
    pub task: Option<String>,
    /// What separates fields.
    pub delimiter: Option<String>,
    /// Whether the first row holds the names of the columns.
    pub header: Option<bool>,
    /// The cells that stand for a missing value.
    pub missing: Option<Vec<String>>,
    /// What stands before the fraction of a number.
    pub decimal: Option<String>,
    /// What stands between the thousands of a number.
    pub thousands: Option<String>,
    /// Lines that begin with it are left out.
    pub comment: Option<String>,
    /// `drop` leaves out rows with too many or too few fields.
    pub ragged: Option<String>,
    /// How columns are read, by name: `numeric`, `categorical`, `ignore`, `keep`.
    pub columns: BTreeMap<String, String>,
    /// The possible values of columns in their order, by name.
    pub levels: BTreeMap<String, Vec<String>>,
}

impl OpenOptions {
    /// The same in the core's own terms.
    pub fn read(&self, label: &str) -> Result<TableOptions> {
        let task = match self.task.as_deref() {
            None => None,
            Some("classification") => Some(Task::Classes),
            Some("regression") => Some(Task::Numbers),
            Some(other) => return Err(unknown("task", other, "classification, regression")),
        };
        let decimal_comma = one_of("decimal", self.decimal.as_deref(), &[".", ","])? == Some(",");
        let thousands = one_of("thousands", self.thousands.as_deref(), &[".", ",", " ", "'", "_"])?;
        if thousands == Some(if decimal_comma { "," } else { "." }) {
            return Err(Failure::new("usage", "decimal and thousands cannot both be the same mark"));
        }
        Ok(TableOptions {
            label: label.to_owned(),
            delimiter: delimiter(self.delimiter.as_deref())?,
            header: self.header.unwrap_or(true),
            comment: self.comment.as_deref().map(|text| character("comment", text)).transpose()?,
            drop_ragged: one_of("ragged", self.ragged.as_deref(), &["error", "drop"])? == Some("drop"),
            missing: self.missing.clone(),
            numbers: NumberFormat { decimal_comma, thousands: thousands.and_then(|text| text.chars().next()) },
            choices: self.choices()?,
            date_parts: false,
            target: self.target.clone(),
            task,
        })
    }

    /// What was decided about each column. Levels that a table declares do not hold once it is read as numbers.
    fn choices(&self) -> Result<BTreeMap<String, Choice>> {
        let mut choices: BTreeMap<String, Choice> =
            self.columns.iter().map(|(name, how)| Ok((name.clone(), choice(how)?))).collect::<Result<_>>()?;
        for (name, levels) in &self.levels {
            let choice = choices.entry(name.clone()).or_default();
            if choice.wanted != WantedKind::Numbers {
                choice.levels = Some(levels.clone());
            }
        }
        Ok(choices)
    }
}

fn delimiter(text: Option<&str>) -> Result<Delimiter> {
    match text {
        None => Ok(Delimiter::Find),
        Some("whitespace") => Ok(Delimiter::Blanks),
        Some(text) => Ok(Delimiter::Byte(character("delimiter", text)?)),
    }
}

/// One ASCII character that does not quote or end lines.
fn character(name: &str, text: &str) -> Result<u8> {
    match text.as_bytes() {
        &[byte] if byte.is_ascii() && !b"\"\r\n\0".contains(&byte) => Ok(byte),
        _ => Err(Failure::new("usage", format!("{name} is one ASCII character, not {text:?}"))),
    }
}

fn one_of<'a>(name: &str, word: Option<&str>, known: &[&'a str]) -> Result<Option<&'a str>> {
    let Some(word) = word else { return Ok(None) };
    let choice = known.iter().copied().find(|known| *known == word);
    choice.map(Some).ok_or_else(|| unknown(name, word, &known.join(" ")))
}

fn choice(how: &str) -> Result<Choice> {
    let free = Choice::default();
    match how {
        "numeric" => Ok(Choice { wanted: WantedKind::Numbers, ..free }),
        "categorical" => Ok(Choice { wanted: WantedKind::Codes, ..free }),
        "ignore" => Ok(Choice { ignored: true, ..free }),
        "keep" => Ok(Choice { kept: true, ..free }),
        other => Err(unknown("a column", other, "numeric, categorical, ignore, keep")),
    }
}

fn unknown(name: &str, word: &str, known: &str) -> Failure {
    Failure::new("usage", format!("{name} cannot be {word:?}")).with_hint(format!("one of: {known}"))
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn declared_levels_hold_unless_a_column_is_read_as_numbers() {
        let text =
            r#"{"columns": {"a": "numeric", "b": "ignore"}, "levels": {"a": ["1"], "b": ["x"], "c": ["z", "y"]}}"#;
        let options: OpenOptions = serde_json::from_str(text).unwrap();
        let choices = options.read("t").unwrap().choices;
        assert_eq!(choices["a"].levels, None);
        assert!(choices["b"].ignored && choices["b"].levels.is_some());
        assert_eq!(choices["c"].levels.as_deref(), Some(&["z".to_owned(), "y".to_owned()][..]));
    }
}
