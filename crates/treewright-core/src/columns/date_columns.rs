//! Columns of dates as numbers: the date itself, and its year, month, day, weekday and hour.

use super::column::{Choice, Meaning, TypedColumn, map_codes};
use super::dates::{DateOrder, DatePart, find_written, read_date};
use super::explanation::Explanation;
use crate::Result;
use crate::data::csv::{Text, TypedValues};
use crate::sys::memory::collected;
use std::borrow::Cow;

/// The parts of a column of dates if they are asked for; otherwise the column alone.
pub fn split_dates<'a>(mut column: TypedColumn<'a>, choice: &Choice, parts: bool) -> Result<Vec<TypedColumn<'a>>> {
    let TypedValues::Codes(codes, levels) = &column.values else { return Ok(vec![column]) };
    if !column.dates || choice.is_made() {
        return Ok(vec![column]);
    }
    let written = find_written(levels.texts());
    column.meaning = Some(Meaning::Dates(written));
    if !parts || choice.ignored {
        return Ok(vec![column]);
    }
    let Some(written) = written else {
        column.reasons.push(Explanation::open_date_order(&column.name));
        return Ok(vec![column]);
    };
    let parts = DatePart::of(levels.texts());
    let mut columns =
        parts.iter().map(|&part| make_part(&column.name, codes, levels, part, written)).collect::<Result<Vec<_>>>()?;
    if let Some(whole) = columns.first_mut() {
        whole.reasons = std::mem::take(&mut column.reasons);
        whole.reasons.push(Explanation::date_parts(&column.name, parts));
    }
    Ok(columns)
}

/// One part of a column of dates.
fn make_part(
    name: &str,
    codes: &[u32],
    levels: &Text,
    part: DatePart,
    written: DateOrder,
) -> Result<TypedColumn<'static>> {
    let numbers = collected(levels.texts().map(|text| part_number(&text, part, written)))?;
    let values = TypedValues::Numbers(Cow::Owned(map_codes(codes, &numbers, f64::NAN)?));
    let source = (!part.is_whole()).then(|| name.to_owned());
    let name = if part.is_whole() { name.to_owned() } else { format!("{name} {}", part.name()) };
    Ok(TypedColumn { meaning: Some(Meaning::DatePart { part, source, written }), ..TypedColumn::new(&name, values) })
}

/// A part of the date that a text stands for; NaN if it is none.
pub fn part_number(text: &str, part: DatePart, written: DateOrder) -> f64 {
    read_date(text, written).map_or(f64::NAN, |moment| moment.number(part))
}
