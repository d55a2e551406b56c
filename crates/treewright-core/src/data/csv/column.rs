//! Whole columns of text to numbers or codes, with what was seen on the way.
//!
//! A column becomes numbers only when every cell is one and none would lose something by it (a leading zero, digits
//! beyond 2^53); otherwise it becomes codes. Every cell is looked at, never a sample. The caller may ask for either.

use super::cell::Shape;
use super::chunk::{Chunk, Text};
use super::{CellRules, trim};
use crate::data::table::{MISSING, UNSEEN};
use crate::sys::pool;
use crate::sys::pool::Cancel;
use crate::{Error, Result};
use rayon::prelude::*;
use std::collections::{BTreeMap, HashMap};

/// Tables of fewer cells are read on one thread: a pool would cost more than it saves.
const MANY_CELLS: usize = 1 << 18;
/// How many different examples of each shape are kept.
const EXAMPLES: usize = 4;

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

/// How often a shape was seen, with the first different examples and their lines.
#[derive(Clone, Debug, Default)]
pub struct Seen {
    /// The number of cells.
    pub count: usize,
    /// Lines and texts.
    pub examples: Vec<(u64, String)>,
}

impl Seen {
    /// Counts a cell.
    pub fn add(&mut self, cell: &[u8], line: impl FnOnce() -> u64) {
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
    /// How many cells hold a word that stands for a missing value in this column, by its spelling, sorted. They are
    /// not counted among the shapes.
    pub words: Vec<(String, usize)>,
    /// The shapes, in the order of [`Shape::NAMES`].
    pub shapes: [Seen; Shape::NAMES.len()],
    /// How many numbers are written without a point and an exponent.
    pub integers: usize,
    /// How many cells that are not numbers had blanks around them.
    pub padded: usize,
}

impl Facts {
    /// How many cells have this shape.
    pub fn count(&self, shape: Shape) -> usize {
        self.shapes[shape as usize].count
    }

    /// How many cells are numbers.
    pub fn numbers(&self) -> usize {
        [Shape::Number, Shape::Zeros, Shape::Phone, Shape::Large].map(|shape| self.count(shape)).iter().sum()
    }

    /// How many cells hold something.
    pub fn present(&self) -> usize {
        self.shapes.iter().map(|seen| seen.count).sum()
    }

    /// Moves the words that stand for a missing value from the shapes to `words`.
    fn take_words(&mut self, words: BTreeMap<&[u8], usize>, is_missing: impl Fn(&str) -> bool) {
        for (word, count) in words {
            let word = String::from_utf8_lossy(word).into_owned();
            if is_missing(&word) {
                let seen = &mut self.shapes[Shape::Word as usize];
                seen.count -= count;
                seen.examples.retain(|(_, text)| *text != word);
                self.words.push((word, count));
            }
        }
    }

    /// Whether every cell but the words for a missing value is a number or a date, however it is written.
    fn are_quantities(&self) -> bool {
        let quantities = [Shape::Date, Shape::Comma, Shape::Amount, Shape::Overflow, Shape::Word];
        self.numbers() + quantities.map(|shape| self.count(shape)).iter().sum::<usize>() == self.present()
    }

    /// Whether the column can be numbers, or is better as codes.
    fn are_numbers(&self, wanted: WantedKind) -> bool {
        let numbers = self.numbers();
        let lossy = self.count(Shape::Zeros) + self.count(Shape::Phone) > 0
            || (self.count(Shape::Large) > 0 && self.integers == numbers);
        numbers == self.present() && wanted != WantedKind::Codes && (wanted == WantedKind::Numbers || !lossy)
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

/// Reads all columns of a file that came in chunks; `wanted` has one entry a column.
pub fn read(chunks: Vec<Chunk>, wanted: &[WantedKind], rules: &CellRules, cancel: &Cancel) -> Result<Vec<Column>> {
    let rows: usize = chunks.iter().map(|chunk| chunk.rows).sum();
    let lines: Vec<_> = chunks.iter().map(|chunk| chunk.lines.clone()).collect();
    let mut texts: Vec<Vec<Text>> = wanted.iter().map(|_| Vec::new()).collect();
    for chunk in chunks {
        for (text, column) in chunk.columns.into_iter().zip(&mut texts) {
            column.try_reserve(1)?;
            column.push(text);
        }
    }
    let line = |chunk: usize, row: usize| lines.get(chunk).map_or(0, |lines| lines.line(row));
    // The text of a column is dropped as soon as it has been read.
    let one = |(texts, &wanted): (Vec<Text>, &WantedKind)| -> Result<Column> {
        column(&texts, rows, wanted, rules, &line, cancel)
    };
    if rows.saturating_mul(wanted.len()) < MANY_CELLS {
        return texts.into_iter().zip(wanted).map(one).collect();
    }
    pool::pool(0)?.install(|| texts.into_par_iter().zip(wanted).map(one).collect())
}

fn column(
    texts: &[Text],
    rows: usize,
    wanted: WantedKind,
    rules: &CellRules,
    line: &impl Fn(usize, usize) -> u64,
    cancel: &Cancel,
) -> Result<Column> {
    let mut survey = Survey::new(rows, rules)?;
    survey.look(texts, line, cancel)?;
    let Survey { mut facts, numbers, words, two_letters, .. } = survey;
    // Among texts, a word such as None may be a category; among numbers and dates it cannot.
    let all_words = wanted != WantedKind::Codes && facts.are_quantities();
    let has_codes = two_letters && facts.count(Shape::Text) > 0;
    // Among codes of two letters, NA is Namibia or North America.
    let is_code = |cell: &[u8]| has_codes && cell == b"NA";
    let is_missing = |cell: &[u8]| {
        if all_words { rules.is_missing_number(cell) } else { rules.is_missing_text(cell) && !is_code(cell) }
    };
    facts.take_words(words, |word| is_missing(word.as_bytes()));
    let values = match numbers.filter(|_| facts.are_numbers(wanted)) {
        Some(numbers) => Values::Numbers(numbers),
        None => codes(texts, rows, is_missing, cancel)?,
    };
    Ok(Column { facts, values })
}

/// Looks at every cell of a column.
struct Survey<'a> {
    rules: &'a CellRules,
    facts: Facts,
    /// The numbers, while all cells are numbers or may be missing.
    numbers: Option<Vec<f64>>,
    /// How often each spelling of a word for a missing value occurs.
    words: BTreeMap<&'a [u8], usize>,
    /// Whether all texts are two capital letters.
    two_letters: bool,
}

impl<'a> Survey<'a> {
    fn new(rows: usize, rules: &'a CellRules) -> Result<Survey<'a>> {
        let mut numbers = Vec::new();
        numbers.try_reserve_exact(rows)?;
        let facts = Facts { missing: vec![0; rules.markers.len()], ..Facts::default() };
        Ok(Survey { rules, facts, numbers: Some(numbers), words: BTreeMap::new(), two_letters: true })
    }

    fn look(&mut self, texts: &'a [Text], line: &impl Fn(usize, usize) -> u64, cancel: &Cancel) -> Result<()> {
        for (chunk, text) in texts.iter().enumerate() {
            cancel.check()?;
            for (row, raw) in text.cells().enumerate() {
                let value = self.look_at(raw, || line(chunk, row));
                if let Some(numbers) = &mut self.numbers {
                    numbers.push(value);
                }
            }
        }
        Ok(())
    }

    /// Counts one cell; gives its number, or NaN.
    #[inline]
    fn look_at(&mut self, raw: &'a [u8], line: impl FnOnce() -> u64) -> f64 {
        let (cell, facts) = (trim(raw), &mut self.facts);
        if let Some(marker) = self.rules.markers.find(cell) {
            facts.missing[marker] += 1;
            return f64::NAN;
        }
        let seen = self.rules.look(cell);
        facts.integers += usize::from(seen.is_integer && seen.shape.is_number());
        if seen.shape == Shape::Number {
            facts.shapes[Shape::Number as usize].count += 1;
            return seen.value;
        }
        facts.shapes[seen.shape as usize].add(cell, line);
        if seen.shape == Shape::Word && self.rules.words {
            *self.words.entry(cell).or_default() += 1;
        } else if !seen.shape.is_number() {
            self.two_letters &= cell.len() == 2 && cell.iter().all(u8::is_ascii_uppercase);
            facts.padded += usize::from(cell.len() < raw.len());
            self.numbers = None;
        }
        seen.value
    }
}

/// The column as codes of its different texts.
fn codes(texts: &[Text], rows: usize, is_missing: impl Fn(&[u8]) -> bool, cancel: &Cancel) -> Result<Values> {
    let mut code_of: HashMap<&[u8], u32> = HashMap::new();
    let mut codes: Vec<u32> = Vec::new();
    codes.try_reserve_exact(rows)?;
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
    let mut sorted: Vec<(&[u8], u32)> = Vec::new();
    sorted.try_reserve_exact(code_of.len())?;
    sorted.extend(code_of);
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
