//! Columns whose possible values the user listed.

use super::column::{Choice, TypedColumn, map_codes, to_levels};
use super::refusal::{Refusal, Stop};
use super::sentence::Sentence;
use crate::Result;
use crate::data::csv::TypedValues;
use crate::data::table::MISSING;
use std::borrow::Cow;
use std::collections::HashMap;

/// How many levels are listed.
const LISTED: usize = 20;

/// Gives the columns of which the user listed the levels these, in their order; `place` says where a row is.
pub fn declare_levels(
    columns: &mut [TypedColumn<'_>],
    choices: &[Choice],
    place: impl Fn(usize) -> String,
) -> Result<(), Stop> {
    for (column, choice) in columns.iter_mut().zip(choices) {
        if let Some(levels) = &choice.levels {
            *column = declare(column, levels, choice.ordered, &place)?;
        }
    }
    Ok(())
}

fn declare(
    column: &TypedColumn<'_>,
    levels: &[String],
    ordered: bool,
    place: &impl Fn(usize) -> String,
) -> Result<TypedColumn<'static>, Stop> {
    let name = &column.name;
    let order: HashMap<&[u8], u32> = levels.iter().enumerate().map(|(at, text)| (text.as_bytes(), at as u32)).collect();
    if order.len() < levels.len() {
        let message = Sentence::about(name).say(" declares a level twice");
        return Err(Refusal { slug: "data.levels", message, advice: Vec::new() }.into());
    }
    let TypedValues::Codes(codes, found) = &column.values else {
        let message = Sentence::about(name).say(" holds numbers, not texts with levels");
        return Err(Refusal { slug: "data.levels", message, advice: Vec::new() }.into());
    };
    let places: Vec<u32> = found.cells().map(|text| order.get(text).copied().unwrap_or(MISSING)).collect();
    let data = map_codes(codes, &places, MISSING)?;
    if let Some(row) = (0..data.len()).find(|&row| data[row] == MISSING && codes[row] != MISSING) {
        let message = Sentence::default()
            .say(format!("{}: ", place(row)))
            .quote(&found.text(codes[row] as usize))
            .say(" is not among the declared levels of ")
            .quote(name);
        let advice = vec![Sentence::from("levels: ").list(levels, LISTED)];
        return Err(Refusal { slug: "data.levels", message, advice }.into());
    }
    let values = TypedValues::Codes(Cow::Owned(data), to_levels(levels)?);
    Ok(TypedColumn { declared: true, ordered, ..TypedColumn::new(name, values) })
}
