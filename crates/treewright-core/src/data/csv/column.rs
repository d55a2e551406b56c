//! Whole columns of text to numbers or codes, with what was seen on the way.
//!
//! A column becomes numbers only when every cell is one and none would lose something by it (a leading zero, digits
//! beyond 2^53); otherwise it becomes codes. Every cell is looked at, never a sample. The caller may ask for either.

use super::cell::Shape;
use super::chunk::{Chunk, Text};
use super::facts::Facts;
use super::{CellRules, trim};
use crate::data::table::{MISSING, UNSEEN};
use crate::sys::memory::{filled, room};
use crate::sys::pool;
use crate::sys::pool::Cancel;
use crate::{Error, Result};
use rayon::prelude::*;
use std::borrow::Cow;
use std::collections::HashMap;

/// Tables of fewer cells are read on one thread: a pool would cost more than it saves.
const MANY_CELLS: usize = 1 << 18;

/// What the caller wants a column to be.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum WantedKind {
    /// Whatever its cells are.
    #[default]
    Free,
    /// Numbers, whatever that loses.
    Numbers,
    /// Codes, also of numbers.
    Codes,
}

/// The values of a column.
#[derive(Clone, Debug)]
pub enum TypedValues<'a> {
    /// Numbers, NaN where missing.
    Numbers(Cow<'a, [f64]>),
    /// Codes and the levels they stand for.
    Codes(Cow<'a, [u32]>, Text),
}

/// Reads all columns of a file that came in chunks: what their cells look like, and what they became, with levels sorted
/// by code point. `wanted` has one entry a column. The chunks lose their text.
pub fn read(
    chunks: &mut [Chunk],
    wanted: &[WantedKind],
    rules: &CellRules,
    cancel: &Cancel,
) -> Result<Vec<(Facts, TypedValues<'static>)>> {
    let rows: usize = chunks.iter().map(|chunk| chunk.rows).sum();
    let mut texts: Vec<Vec<Text>> = wanted.iter().map(|_| Vec::new()).collect();
    for chunk in chunks.iter_mut() {
        for (text, column) in std::mem::take(&mut chunk.columns).into_iter().zip(&mut texts) {
            column.try_reserve(1)?;
            column.push(text);
        }
    }
    let line = |chunk: usize, row: usize| chunks[chunk].line(row);
    // The text of a column is dropped as soon as it has been read.
    let one = |(texts, &wanted): (Vec<Text>, &WantedKind)| read_column(&texts, rows, wanted, rules, &line, cancel);
    if rows.saturating_mul(wanted.len()) < MANY_CELLS {
        return texts.into_iter().zip(wanted).map(one).collect();
    }
    pool::pool(0)?.install(|| texts.into_par_iter().zip(wanted).map(one).collect())
}

fn read_column(
    texts: &[Text],
    rows: usize,
    wanted: WantedKind,
    rules: &CellRules,
    line: &impl Fn(usize, usize) -> u64,
    cancel: &Cancel,
) -> Result<(Facts, TypedValues<'static>)> {
    let (mut facts, numbers, letter_pairs) = look(texts, rows, rules, line, cancel)?;
    // Among texts, a word such as None may be a category; among numbers and dates it cannot.
    let all_words = wanted != WantedKind::Codes && facts.are_quantities();
    // Among codes of two letters, NA is Namibia or North America.
    let has_codes = letter_pairs && facts.count(Shape::Text) > 0;
    let is_missing = |cell: &[u8]| match all_words {
        true => rules.is_missing_number(cell),
        false => rules.is_missing_text(cell) && !(has_codes && cell == b"NA"),
    };
    facts.settle_words(is_missing);
    let fits = facts.texts() == 0 && (wanted == WantedKind::Numbers || !facts.are_lossy());
    let values = match numbers.filter(|_| fits && wanted != WantedKind::Codes) {
        Some(numbers) => TypedValues::Numbers(Cow::Owned(numbers)),
        None => codes(texts, rows, is_missing, cancel)?,
    };
    Ok((facts, values))
}

/// Looks at every cell of a column: what they look like, their numbers if all are numbers or may be missing, and whether
/// all others are two capital letters.
fn look(
    texts: &[Text],
    rows: usize,
    rules: &CellRules,
    line: &impl Fn(usize, usize) -> u64,
    cancel: &Cancel,
) -> Result<(Facts, Option<Vec<f64>>, bool)> {
    let (mut facts, mut numbers, mut letter_pairs) = (Facts::new(rules.marker_count()), Some(room(rows)?), true);
    for (chunk, text) in texts.iter().enumerate() {
        cancel.check()?;
        for (row, raw) in text.cells().enumerate() {
            let cell = trim(raw);
            let mut value = f64::NAN;
            if let Some(marker) = rules.marker(cell) {
                facts.missing[marker] += 1;
            } else {
                let seen = rules.look(cell);
                value = seen.value;
                facts.add(seen, cell, || line(chunk, row));
                if seen.shape == Shape::Word && rules.words {
                    facts.add_word(cell);
                } else if !seen.shape.is_number() {
                    letter_pairs &= cell.len() == 2 && cell.iter().all(u8::is_ascii_uppercase);
                    facts.padded += usize::from(cell.len() < raw.len());
                    numbers = None;
                }
            }
            if let Some(numbers) = &mut numbers {
                numbers.push(value);
            }
        }
    }
    Ok((facts, numbers, letter_pairs))
}

/// The column as codes of its different texts.
fn codes(
    texts: &[Text],
    rows: usize,
    is_missing: impl Fn(&[u8]) -> bool,
    cancel: &Cancel,
) -> Result<TypedValues<'static>> {
    let mut code_of: HashMap<&[u8], u32> = HashMap::new();
    let mut codes: Vec<u32> = room(rows)?;
    for text in texts {
        cancel.check()?;
        for cell in text.cells().map(trim) {
            if is_missing(cell) {
                codes.push(MISSING);
                continue;
            }
            let next = code_of.len() as u32;
            code_of.try_reserve(1)?;
            codes.push(*code_of.entry(cell).or_insert(next));
        }
    }
    if code_of.len() >= UNSEEN as usize {
        return Err(Error::data("data.too-many-categories", "a column has more different values than can be counted"));
    }
    // The order of first appearance would depend on the order of the rows; the sorted one does not.
    let mut sorted: Vec<(&[u8], u32)> = room(code_of.len())?;
    sorted.extend(code_of);
    sorted.sort_unstable();
    let (mut levels, mut place) = (Text::default(), filled(0, sorted.len())?);
    for (code, &(text, first)) in sorted.iter().enumerate() {
        place[first as usize] = code as u32;
        levels.push(text)?;
    }
    for code in codes.iter_mut().filter(|code| **code != MISSING) {
        *code = place[*code as usize];
    }
    Ok(TypedValues::Codes(Cow::Owned(codes), levels))
}
