//! Which columns are used as features.
//!
//! | column | role |
//! | --- | --- |
//! | a different text in every row | an identifier: ignored |
//! | a different whole number in each of 20 rows or more | an identifier: ignored; in fewer rows only where its name says so (id, customer_id, index, row) |
//! | numbers with a comma that may be decimal or separate thousands | text; ignored if most rows have a different text |
//! | dates | ignored, unless their parts are asked for |
//! | missing in every row | ignored |
//! | sentences | ignored |
//! | text with few rows for each value | used, with a note |
//! | more than 1,000 categories | an error with choices |
//! | anything else | used |
//!
//! What the user asked for wins. An ignored column stays in the table.

use super::column::{Choice, TypedColumn};
use super::explanation::{Explanation, marks};
use super::refusal::{Refusal, Stop};
use super::sentence::{Hint, Sentence};
use crate::Result;
use crate::data::csv::TypedValues;
use crate::data::table::MISSING;

const MAX_CATEGORIES: usize = 1000;
/// Above it, every float is an integer, even a measurement.
const EXACT: f64 = 9_007_199_254_740_992.0;
/// In a single row, every column has a different value per row.
const MIN_ROWS: usize = 2;
/// In a shorter table, different numbers are often measurements: x = 1, 2, 3, 4, 5, 6.
const MIN_ROWS_OF_NUMBERS: usize = 20;
/// The last words of the name of an identifier.
const IDENTIFIER_NAMES: [&str; 3] = ["id", "index", "row"];
/// How many values of a column with too many are shown.
const SHOWN: usize = 4;

/// What a column is read as.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReadAs {
    /// Numbers.
    Numeric,
    /// Categories.
    Categorical,
    /// Categories whose order means something.
    Ordered,
    /// A different value in every row.
    Identifier,
    /// Dates.
    Date,
    /// Sentences.
    Text,
    /// Nothing.
    Empty,
}

impl ReadAs {
    /// Its name in reports.
    pub fn name(self) -> &'static str {
        ["numeric", "categorical", "ordered", "identifier", "date", "text", "empty"][self as usize]
    }

    fn kind(column: &TypedColumn<'_>) -> ReadAs {
        if column.is_numeric() { ReadAs::Numeric } else { ReadAs::Categorical }
    }
}

/// A column with its role.
#[derive(Clone, Debug)]
pub struct ReadColumn<'a> {
    /// The column; its reasons are those of its role too.
    pub column: TypedColumn<'a>,
    /// What it is read as.
    pub read_as: ReadAs,
    /// Whether it is left out of the features.
    pub ignored: bool,
    /// How many rows have no value.
    pub missing: usize,
}

/// Gives a column its role; `can_ignore` says whether the user can leave columns out at all.
pub fn assign_role<'a>(mut column: TypedColumn<'a>, choice: &Choice, can_ignore: bool) -> Result<ReadColumn<'a>, Stop> {
    let present = column.present();
    let (read_as, ignored) = decide_role(&mut column, choice, present)?;
    if !ignored && !column.declared && !choice.is_made() && column.level_count() > MAX_CATEGORIES {
        return Err(too_many(&column, present, can_ignore).into());
    }
    let missing = column.rows() - present;
    Ok(ReadColumn { column, read_as, ignored, missing })
}

/// What a column is read as, and whether it is ignored; the reasons are added to it.
fn decide_role(column: &mut TypedColumn<'_>, choice: &Choice, present: usize) -> Result<(ReadAs, bool)> {
    let kind = ReadAs::kind(column);
    if choice.ignored {
        column.reasons = vec![Explanation::ignored_as_asked()];
        return Ok((if column.dates { ReadAs::Date } else { kind }, true));
    }
    if column.ordered {
        return Ok((ReadAs::Ordered, false));
    }
    if choice.is_made() {
        return Ok((kind, false));
    }
    if present == 0 {
        column.reasons = vec![Explanation::empty(&column.name)];
        return Ok((ReadAs::Empty, true));
    }
    if column.dates {
        column.reasons.push(Explanation::dates(&column.name));
        return Ok((ReadAs::Date, true));
    }
    if column.amounts {
        let different = column.different()?;
        if 2 * different > present {
            column.reasons.push(Explanation::many_amounts(&column.name, different));
            return Ok((kind, true));
        }
    }
    if is_identifier(column, present)? {
        column.reasons = vec![Explanation::identifier(&column.name, present, column.is_numeric())];
        return Ok((ReadAs::Identifier, true));
    }
    if column.is_nearly_unique()? {
        let texts = column.level_count();
        if column.is_free_text()? {
            column.reasons.push(Explanation::sentences(&column.name, texts, present));
            return Ok((ReadAs::Text, true));
        }
        column.reasons.push(Explanation::nearly_unique(&column.name, texts, present));
        return Ok((kind, false));
    }
    if present > 1 && is_constant(column) {
        column.reasons.push(Explanation::constant(&column.name));
    }
    Ok((kind, false))
}

fn is_constant(column: &TypedColumn<'_>) -> bool {
    match &column.values {
        TypedValues::Numbers(numbers) => are_equal(numbers.iter().filter(|number| !number.is_nan())),
        TypedValues::Codes(codes, _) => are_equal(codes.iter().filter(|&&code| code != MISSING)),
    }
}

fn are_equal<T: PartialEq>(mut values: impl Iterator<Item = T>) -> bool {
    values.next().is_none_or(|first| values.all(|value| value == first))
}

fn is_identifier(column: &TypedColumn<'_>, present: usize) -> Result<bool> {
    if column.declared || column.meaning.is_some() || column.floats || present < MIN_ROWS {
        return Ok(false);
    }
    let numbers = match &column.values {
        TypedValues::Codes(_, levels) => return Ok(levels.len() >= present && column.different()? == present),
        TypedValues::Numbers(numbers) => numbers,
    };
    let rows = numbers.len();
    if present < rows || (rows < MIN_ROWS_OF_NUMBERS && !names_identifier(&column.name)) {
        return Ok(false);
    }
    // A range narrower than the number of rows has repeated values: sort only the others.
    let (low, high) = numbers
        .iter()
        .fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), &number| (low.min(number), high.max(number)));
    let is_integer = |number: &f64| *number == number.floor() && number.abs() <= EXACT;
    Ok(high - low >= (rows - 1) as f64 && numbers.iter().all(is_integer) && column.different()? == rows)
}

/// Whether a name ends in a word for an identifier: id, customer_id, row.
fn names_identifier(name: &str) -> bool {
    let lower = name.to_ascii_lowercase();
    IDENTIFIER_NAMES.iter().any(|word| {
        lower.strip_suffix(word).is_some_and(|before| {
            before.is_empty() || (before.ends_with([' ', '_', '.', '-']) && !before.contains('\n'))
        })
    })
}

fn too_many(column: &TypedColumn<'_>, present: usize, can_ignore: bool) -> Refusal {
    let name = &column.name;
    let values = column.levels().into_iter().flat_map(|levels| levels.texts());
    let message = Sentence::about(name)
        .say(" has ")
        .count(column.level_count())
        .say(" different values in ")
        .plural(present, "row");
    let mut advice = vec![Sentence::from("values: ").list(values, SHOWN)];
    if column.amounts {
        advice.extend(marks().map(Sentence::from));
    }
    if can_ignore {
        advice.push(Hint::column("ignore", name).into());
    }
    advice.push(Hint { note: "each value a category", ..Hint::column("categorical", name) }.into());
    Refusal { slug: "data.too-many-categories", message, advice }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_identifiers() {
        for name in ["id", "ID", "customer_id", "Row", "a.b-index", "x id"] {
            assert!(names_identifier(name), "{name}");
        }
        for name in ["paid", "identity", "rows", "a\n_id", ""] {
            assert!(!names_identifier(name), "{name}");
        }
    }
}
