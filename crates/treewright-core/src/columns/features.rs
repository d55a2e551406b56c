//! From the columns of a table to those that learners split: ordered categories as positions, no sentences, and for
//! learners that ask for it nearly unique text with its rare categories as one.

use super::column::{Meaning, TypedColumn, to_levels};
use super::rare_levels::OTHER;
use crate::Result;
use crate::data::csv::TypedValues;
use crate::data::table::MISSING;
use crate::sys::memory::{collected, copied, filled};
use std::borrow::Cow;

/// A column as learners split it.
#[derive(Clone, Debug)]
pub struct Feature {
    /// Its name.
    pub name: String,
    /// The position of the column in the file that it comes from.
    pub source: usize,
    /// Numbers, or codes with their levels.
    pub values: TypedValues<'static>,
    /// What the numbers are positions in: ordered categories, months, days of the week.
    pub order: Vec<String>,
    /// What the numbers stand for otherwise.
    pub meaning: Option<Meaning>,
    /// The level, the last one, that stands for all values that are not levels of their own.
    pub other: Option<String>,
}

/// A column as a feature; `pooled`: rare categories of nearly unique text count as one.
pub fn make_feature(column: &TypedColumn<'_>, source: usize, pooled: bool) -> Result<Feature> {
    let plain = |values| Feature {
        name: column.name.clone(),
        source,
        values,
        order: Vec::new(),
        meaning: column.meaning.clone(),
        other: None,
    };
    let is_dates = matches!(column.meaning, Some(Meaning::Dates(_)));
    if is_dates || column.is_free_text()? {
        let values = TypedValues::Codes(Cow::Owned(filled(0, column.rows())?), to_levels([OTHER])?);
        return Ok(Feature { other: Some(OTHER.to_owned()), meaning: None, ..plain(values) });
    }
    if column.present() == 0 {
        return Ok(plain(TypedValues::Codes(Cow::Owned(filled(MISSING, column.rows())?), to_levels([""; 0])?)));
    }
    match &column.values {
        TypedValues::Codes(codes, levels) if column.ordered && levels.len() > 1 => {
            let position = |&code: &u32| if code == MISSING { f64::NAN } else { f64::from(code) };
            let numbers = collected(codes.iter().map(position))?;
            let order = levels.texts().map(Cow::into_owned).collect();
            Ok(Feature { order, ..plain(TypedValues::Numbers(Cow::Owned(numbers))) })
        }
        TypedValues::Codes(codes, levels) => match if pooled { column.pool_rare_levels()? } else { None } {
            Some((values, other)) => Ok(Feature { other: Some(other), ..plain(values) }),
            None => Ok(plain(TypedValues::Codes(Cow::Owned(copied(codes)?), levels.clone()))),
        },
        TypedValues::Numbers(numbers) => {
            let order = match &column.meaning {
                Some(Meaning::DatePart { part, .. }) => part.order().iter().map(|&word| word.to_owned()).collect(),
                _ => Vec::new(),
            };
            Ok(Feature { order, ..plain(TypedValues::Numbers(Cow::Owned(copied(numbers)?))) })
        }
    }
}
