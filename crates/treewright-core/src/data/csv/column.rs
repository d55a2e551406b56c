//! Whole columns of text to numbers or codes, with what was seen on the way.
//!
//! A column becomes numbers only when every cell is one and none would lose something by it (a leading zero, digits
//! beyond 2^53); otherwise it becomes codes. Every cell is looked at, never a sample. The caller may ask for either.

use super::cell::{Shape, look};
use super::chunk::{Chunk, Text};
use super::{Markers, trim};
use crate::data::table::{MISSING, UNSEEN};
use crate::sys::pool;
use crate::sys::pool::Cancel;
use crate::{Error, Result};
use rayon::prelude::*;
use std::collections::HashMap;

/// Tables of fewer cells are read on one thread: a pool would cost more than it saves.
const MANY_CELLS: usize = 1 << 18;
/// How many different examples of each shape are kept.
const EXAMPLES: usize = 4;

/// What the caller wants a column to be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wish {
    /// Whatever its cells are.
    Free,
    /// Numbers, whatever that loses.
    Numbers,
    /// Codes, also of numbers.
    Codes,
}

/// How often a shape was seen, with the first different examples and their lines.
#[derive(Clone, Debug, Default)]
pub struct Seen {
    /// The number of cells.
    pub count: usize,
    /// Lines and texts.
    pub examples: Vec<(u64, String)>,
}

impl Seen {
    fn add(&mut self, cell: &[u8], line: impl FnOnce() -> u64) {
        self.count += 1;
        if self.examples.len() < EXAMPLES && self.examples.iter().all(|(_, text)| text.as_bytes() != cell) {
            self.examples.push((line(), String::from_utf8_lossy(cell).into_owned()));
        }
    }
}

/// What the cells of a column look like.
#[derive(Clone, Debug, Default)]
pub struct Facts {
    /// How many cells are missing, by marker.
    pub missing: Vec<usize>,
    /// The shapes, in the order of [`Shape::NAMES`].
    pub shapes: [Seen; Shape::NAMES.len()],
    /// How many numbers are written without a point and an exponent.
    pub whole: usize,
    /// How many cells that are not numbers had blanks around them.
    pub padded: usize,
}

impl Facts {
    /// How many cells have this shape.
    pub fn count(&self, shape: Shape) -> usize {
        self.shapes[shape as usize].count
    }

    fn numbers(&self) -> usize {
        [Shape::Number, Shape::Zeros, Shape::Phone, Shape::Large].map(|shape| self.count(shape)).iter().sum()
    }

    fn present(&self) -> usize {
        self.shapes.iter().map(|seen| seen.count).sum()
    }

    /// Whether the column can be numbers, or is better as codes.
    fn are_numbers(&self, wish: Wish) -> bool {
        let numbers = self.numbers();
        let lossy = self.count(Shape::Zeros) + self.count(Shape::Phone) > 0
            || (self.count(Shape::Large) > 0 && self.whole == numbers);
        numbers == self.present() && wish != Wish::Codes && (wish == Wish::Numbers || !lossy)
    }
}

/// The values of a column.
#[derive(Clone, Debug)]
pub enum Values {
    /// Numbers, NaN where missing.
    Numbers(Vec<f64>),
    /// Codes and the levels they stand for, sorted by code point.
    Codes(Vec<u32>, Text),
}

/// One column, read.
#[derive(Clone, Debug)]
pub struct Column {
    /// What its cells look like.
    pub facts: Facts,
    /// What they became.
    pub values: Values,
}

/// Reads all columns of a file that came in chunks; `wishes` has one entry a column.
pub fn read(chunks: Vec<Chunk>, wishes: &[Wish], markers: &Markers, cancel: &Cancel) -> Result<Vec<Column>> {
    let rows: usize = chunks.iter().map(|chunk| chunk.rows).sum();
    let lines: Vec<_> = chunks.iter().map(|chunk| chunk.lines.clone()).collect();
    let mut texts: Vec<Vec<Text>> = wishes.iter().map(|_| Vec::new()).collect();
    for chunk in chunks {
        for (text, column) in chunk.columns.into_iter().zip(&mut texts) {
            column.try_reserve(1)?;
            column.push(text);
        }
    }
    let line = |chunk: usize, row: usize| lines.get(chunk).map_or(0, |lines| lines.line(row));
    // The text of a column is dropped as soon as it has been read.
    let one =
        |(texts, &wish): (Vec<Text>, &Wish)| -> Result<Column> { column(&texts, rows, wish, markers, &line, cancel) };
    if rows.saturating_mul(wishes.len()) < MANY_CELLS {
        return texts.into_iter().zip(wishes).map(one).collect();
    }
    pool::pool(0)?.install(|| texts.into_par_iter().zip(wishes).map(one).collect())
}

fn column(
    texts: &[Text],
    rows: usize,
    wish: Wish,
    markers: &Markers,
    line: &impl Fn(usize, usize) -> u64,
    cancel: &Cancel,
) -> Result<Column> {
    let (facts, numbers) = survey(texts, rows, markers, line, cancel)?;
    let values = match numbers.filter(|_| facts.are_numbers(wish)) {
        Some(numbers) => Values::Numbers(numbers),
        None => codes(texts, rows, markers, cancel)?,
    };
    Ok(Column { facts, values })
}

/// Looks at every cell; gives the numbers while all cells are numbers.
fn survey(
    texts: &[Text],
    rows: usize,
    markers: &Markers,
    line: &impl Fn(usize, usize) -> u64,
    cancel: &Cancel,
) -> Result<(Facts, Option<Vec<f64>>)> {
    let mut facts = Facts { missing: vec![0; markers.len()], ..Facts::default() };
    let mut numbers = Some(Vec::new());
    if let Some(numbers) = &mut numbers {
        numbers.try_reserve_exact(rows)?;
    }
    for (chunk, text) in texts.iter().enumerate() {
        cancel.check()?;
        for (row, raw) in text.cells().enumerate() {
            let cell = trim(raw);
            let mut value = f64::NAN;
            if let Some(marker) = markers.find(cell) {
                facts.missing[marker] += 1;
            } else {
                let seen = look(cell);
                value = seen.value;
                facts.whole += usize::from(seen.whole && seen.shape.is_number());
                if seen.shape == Shape::Number {
                    facts.shapes[Shape::Number as usize].count += 1;
                } else {
                    facts.shapes[seen.shape as usize].add(cell, || line(chunk, row));
                }
                if !seen.shape.is_number() {
                    facts.padded += usize::from(cell.len() < raw.len());
                    numbers = None;
                }
            }
            if let Some(numbers) = &mut numbers {
                numbers.push(value);
            }
        }
    }
    Ok((facts, numbers))
}

/// The column as codes of its different texts.
fn codes(texts: &[Text], rows: usize, markers: &Markers, cancel: &Cancel) -> Result<Values> {
    let mut found: HashMap<&[u8], u32> = HashMap::new();
    let mut codes: Vec<u32> = Vec::new();
    codes.try_reserve_exact(rows)?;
    for text in texts {
        cancel.check()?;
        for cell in text.cells().map(trim) {
            if markers.find(cell).is_some() {
                codes.push(MISSING);
                continue;
            }
            let next = found.len() as u32;
            found.try_reserve(1)?;
            codes.push(*found.entry(cell).or_insert(next));
        }
    }
    if found.len() >= UNSEEN as usize {
        return Err(Error::data("data.too-many-categories", "a column has more different values than can be counted"));
    }
    // The order of first appearance would depend on the order of the rows; the sorted one does not.
    let mut sorted: Vec<(&[u8], u32)> = Vec::new();
    sorted.try_reserve_exact(found.len())?;
    sorted.extend(found);
    sorted.sort_unstable();
    let (mut levels, mut place) = (Text::default(), Vec::new());
    place.try_reserve_exact(sorted.len())?;
    place.resize(sorted.len(), 0);
    for (code, &(text, first)) in sorted.iter().enumerate() {
        place[first as usize] = code as u32;
        levels.push(text)?;
    }
    for code in codes.iter_mut().filter(|code| **code != MISSING) {
        *code = place[*code as usize];
    }
    Ok(Values::Codes(codes, levels))
}
