//! What the cells of a column look like, all of them together.

use super::cell::{Cell, Shape};
use super::{CellRules, trim};

/// How many different examples of each shape are kept.
const EXAMPLES: usize = 4;
const SHAPES: usize = Shape::Text as usize + 1;
/// No cell of a file may be longer.
pub const LONGEST_CELL: usize = 1 << 20;

/// What the cells of a column look like.
#[derive(Clone, Debug, Default)]
pub struct Facts {
    /// How many cells are missing, by marker.
    pub missing: Vec<usize>,
    /// How many cells hold a word that stands for a missing value in this column, by its spelling, sorted. They are
    /// not counted among the shapes.
    pub words: Vec<(String, usize)>,
    /// How many cells have each shape.
    counts: [usize; SHAPES],
    /// The first different cells of each shape but numbers, with their lines.
    examples: [Vec<(u64, String)>; SHAPES],
    /// How many numbers are written without a point and an exponent.
    pub integers: usize,
    /// How many cells that are not numbers had blanks around them.
    pub padded: usize,
}

impl Facts {
    /// Nothing was seen yet; there are so many markers.
    pub fn new(markers: usize) -> Facts {
        Facts { missing: vec![0; markers], ..Facts::default() }
    }

    /// The shapes of texts of another container, as if they were cells of a file; None if no file can hold them.
    pub fn of_texts<'a>(texts: impl Iterator<Item = &'a [u8]>) -> Option<Facts> {
        let (mut facts, rules) = (Facts::default(), CellRules::default());
        for (line, text) in texts.enumerate() {
            if text.contains(&0) || text.len() > LONGEST_CELL {
                return None;
            }
            let cell = trim(text);
            facts.add(rules.look(cell), cell, || line as u64);
        }
        Some(facts)
    }

    /// Counts a trimmed cell that was looked at.
    #[inline]
    pub fn add(&mut self, Cell { shape, is_integer, .. }: Cell, text: &[u8], line: impl FnOnce() -> u64) {
        self.integers += usize::from(is_integer && shape.is_number());
        self.counts[shape as usize] += 1;
        let examples = &mut self.examples[shape as usize];
        let is_example = shape != Shape::Number && examples.len() < EXAMPLES;
        if is_example && examples.iter().all(|(_, other)| other.as_bytes() != text) {
            examples.push((line(), String::from_utf8_lossy(text).into_owned()));
        }
    }

    /// Counts a spelling of a word that may stand for a missing value.
    pub fn add_word(&mut self, word: &[u8]) {
        match self.words.iter_mut().find(|(other, _)| other.as_bytes() == word) {
            Some((_, count)) => *count += 1,
            None => self.words.push((String::from_utf8_lossy(word).into_owned(), 1)),
        }
    }

    /// Takes the words that stand for a missing value out of the shapes, and forgets the others.
    pub fn settle_words(&mut self, is_missing: impl Fn(&[u8]) -> bool) {
        self.words.retain(|(word, _)| is_missing(word.as_bytes()));
        self.words.sort_unstable();
        self.counts[Shape::Word as usize] -= self.words.iter().map(|(_, count)| count).sum::<usize>();
        self.examples[Shape::Word as usize].retain(|(_, text)| !is_missing(text.as_bytes()));
    }

    /// How many cells have this shape.
    pub fn count(&self, shape: Shape) -> usize {
        self.counts[shape as usize]
    }

    /// How many cells hold something.
    pub fn present(&self) -> usize {
        self.counts.iter().sum()
    }

    /// How many cells are numbers.
    pub fn numbers(&self) -> usize {
        [Shape::Number, Shape::Zeros, Shape::Phone, Shape::Large].map(|shape| self.count(shape)).iter().sum()
    }

    /// How many cells are not numbers.
    pub fn texts(&self) -> usize {
        self.present() - self.numbers()
    }

    /// How many cells are numbers that are written with a comma, a currency or a percent sign.
    pub fn amounts(&self) -> usize {
        self.count(Shape::Comma) + self.count(Shape::Amount)
    }

    /// Whether every cell is a number or a date, however it is written, or a word for a missing value.
    pub fn are_quantities(&self) -> bool {
        self.count(Shape::Text) == 0
    }

    /// Whether some numbers would lose something as numbers: leading zeros, a plus, or digits of whole numbers.
    pub fn are_lossy(&self) -> bool {
        let large_integers = self.count(Shape::Large) > 0 && self.integers == self.numbers();
        self.count(Shape::Zeros) + self.count(Shape::Phone) > 0 || large_integers
    }

    /// Whether every cell is a date or a word for a missing one.
    pub fn are_dates(&self) -> bool {
        let (dates, words) = (self.count(Shape::Date), self.count(Shape::Word));
        dates > words && dates + words == self.present()
    }

    /// Whether most texts are numbers as [`Facts::amounts`] are written.
    pub fn are_amounts(&self) -> bool {
        self.amounts() > self.count(Shape::Text)
    }

    /// Whether some cells are such numbers, and all others plain numbers.
    pub fn all_amounts(&self) -> bool {
        self.amounts() > 0 && self.amounts() + self.count(Shape::Number) == self.present()
    }

    /// The first examples of some shapes with their lines, in the order of the file.
    pub fn examples(&self, shapes: &[Shape]) -> Vec<&(u64, String)> {
        let mut examples: Vec<_> = shapes.iter().flat_map(|&shape| &self.examples[shape as usize]).collect();
        examples.sort();
        examples
    }
}
