//! What the shapes of all cells of a column say together.

use crate::data::csv::CellRules;
use crate::data::csv::cell::Shape;
use crate::data::csv::column::{Facts, Seen};
use crate::data::csv::trim;

/// No cell of a file may be longer.
pub const LONGEST_CELL: usize = 1 << 20;

impl Facts {
    /// The shapes of texts of another container, as if they were cells of a file; None if no file can hold them.
    pub fn of_texts<'a>(texts: impl Iterator<Item = &'a [u8]>) -> Option<Facts> {
        let (mut facts, rules) = (Facts::default(), CellRules::default());
        for (line, text) in texts.enumerate() {
            if text.contains(&0) || text.len() > LONGEST_CELL {
                return None;
            }
            let cell = trim(text);
            let seen = rules.look(cell);
            facts.integers += usize::from(seen.is_integer && seen.shape.is_number());
            facts.shapes[seen.shape as usize].add(cell, || line as u64);
        }
        Some(facts)
    }

    /// How many cells are not numbers.
    pub fn texts(&self) -> usize {
        self.present() - self.numbers()
    }

    /// Whether every cell is a date or a word for a missing one.
    pub fn are_dates(&self) -> bool {
        let (dates, words) = (self.count(Shape::Date), self.count(Shape::Word));
        dates > words && dates + words == self.present()
    }

    /// How many cells are numbers that are written with a comma, a currency or a percent sign.
    pub fn amounts(&self) -> usize {
        self.count(Shape::Comma) + self.count(Shape::Amount)
    }

    /// Whether most texts are such numbers.
    pub fn are_amounts(&self) -> bool {
        self.amounts() > self.count(Shape::Text)
    }

    /// Whether some cells are such numbers, and all others plain numbers.
    pub fn all_amounts(&self) -> bool {
        self.amounts() > 0 && self.amounts() + self.count(Shape::Number) == self.present()
    }

    /// The first examples of some shapes with their lines, in the order of the file.
    pub fn seen(&self, shapes: &[Shape]) -> Vec<&(u64, String)> {
        let of = |shape: &Shape| -> &Seen { &self.shapes[*shape as usize] };
        let mut seen: Vec<_> = shapes.iter().flat_map(|shape| &of(shape).examples).collect();
        seen.sort();
        seen
    }
}
