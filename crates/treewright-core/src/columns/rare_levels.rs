//! Nearly unique text: categories with too few rows to learn from count as one.
//!
//! A set of categories that is ordered by its share of a class separates any rows if most categories have a single row:
//! such a column would be the first split of every tree and say nothing about new rows. Categories with few rows
//! therefore become one, "other values". Values that training never saw count as it too.

use super::column::{TypedColumn, map_codes, to_levels};
use crate::Result;
use crate::data::csv::{Text, TypedValues};
use crate::data::table::MISSING;
use crate::sys::memory::filled;
use std::borrow::Cow;

/// The rows of a category that is told from others, in a nearly unique column.
pub const MIN_ROWS: usize = 10;
/// The category that stands for all others.
pub const OTHER: &str = "other values";
/// Half of the rows are in categories of fewer rows.
const FEW_ROWS: usize = 5;
/// Rows, of which most have a text of their own.
const MIN_TABLE: usize = 20;
/// In a smaller table, of a textbook, all categories have few rows.
const MIN_TABLE_OF_FEW: usize = 100;
/// The words of an average text that somebody wrote.
const MIN_WORDS: usize = 5;

/// Whether most rows have a value of few rows; `rows` has one entry for each category.
pub fn are_nearly_unique(rows: &[usize]) -> bool {
    let present: usize = rows.iter().sum();
    if present < MIN_TABLE {
        return false;
    }
    let alone = rows.iter().filter(|&&rows| rows == 1).count();
    let few: usize = rows.iter().filter(|&&rows| rows < FEW_ROWS).sum();
    let many = present >= MIN_TABLE_OF_FEW && rows.len() as f64 > 0.2 * (present as f64).sqrt();
    2 * alone > present || (many && 2 * few > present)
}

/// Whether texts are sentences.
pub fn are_sentences<T: AsRef<str>>(texts: impl Iterator<Item = T>) -> bool {
    let (mut words, mut count) = (0, 0);
    for text in texts {
        words += text.as_ref().split(is_blank).filter(|word| !word.is_empty()).count();
        count += 1;
    }
    words >= MIN_WORDS * count
}

/// Blanks, and the separators of ASCII, as Python splits words.
fn is_blank(letter: char) -> bool {
    letter.is_whitespace() || matches!(letter, '\u{1c}'..='\u{1f}')
}

/// The categories that stay, and the name of the one that stands for the others.
pub fn pool(rows: &[usize], levels: &Text) -> (Vec<usize>, String) {
    let common: Vec<usize> = (0..rows.len()).filter(|&code| rows[code] >= MIN_ROWS).collect();
    let mut other = OTHER.to_owned();
    while common.iter().any(|&code| levels.get(code) == other.as_bytes()) {
        other = format!("({other})");
    }
    (common, other)
}

impl TypedColumn<'_> {
    /// Whether it is text of which most rows have a value of few rows.
    pub fn is_nearly_unique(&self) -> Result<bool> {
        let may_be = self.is_text && !self.declared && self.level_count() > 0;
        Ok(may_be && are_nearly_unique(&self.level_rows()?))
    }

    /// Whether it is nearly unique and holds sentences.
    pub fn is_free_text(&self) -> Result<bool> {
        Ok(self.is_nearly_unique()? && self.levels().is_some_and(|levels| are_sentences(levels.texts())))
    }

    /// The values with the rare categories as one; the name of that one.
    pub fn pool_rare_levels(&self) -> Result<Option<(TypedValues<'static>, String)>> {
        let TypedValues::Codes(codes, levels) = &self.values else { return Ok(None) };
        if !self.is_nearly_unique()? {
            return Ok(None);
        }
        let (common, other) = pool(&self.level_rows()?, levels);
        let mut place = filled(common.len() as u32, levels.len())?;
        for (at, &code) in common.iter().enumerate() {
            place[code] = at as u32;
        }
        let codes = map_codes(codes, &place, MISSING)?;
        let names = common.iter().map(|&code| levels.get(code)).chain([other.as_bytes()]);
        Ok(Some((TypedValues::Codes(Cow::Owned(codes), to_levels(names)?), other)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn most_rows_of_a_nearly_unique_column_are_rare() {
        assert!(are_nearly_unique(&[1; 20]));
        assert!(!are_nearly_unique(&[1; 19]));
        assert!(are_nearly_unique(&[2; 200]));
        assert!(!are_nearly_unique(&[10; 40]));
        assert!(!are_nearly_unique(&[10, 10]));
        assert!(!are_nearly_unique(&[]));
    }

    #[test]
    fn sentences_have_five_words_or_more() {
        assert!(are_sentences(["the parcel came very late", "it did not come at all"].iter()));
        assert!(!are_sentences(["the parcel", "it did not come at all"].iter()));
    }

    #[test]
    fn rare_levels_are_pooled_under_a_free_name() -> Result<()> {
        let names: Vec<String> = (0..30).map(|i| if i == 0 { OTHER.to_owned() } else { format!("v{i}") }).collect();
        let codes = (0..60).map(|i: u32| if i < 12 { 0 } else { i % 29 + 1 }).chain([MISSING]).collect();
        let column = TypedColumn::new("a", TypedValues::Codes(Cow::Owned(codes), to_levels(&names)?));
        // 48 of 60 rows are in categories of one or two rows, but the table is too small to tell.
        assert!(column.pool_rare_levels()?.is_none());
        let codes = (0..29).chain([29; 10]).chain([MISSING]).collect();
        let column = TypedColumn::new("a", TypedValues::Codes(Cow::Owned(codes), to_levels(names.iter().rev())?));
        let (values, other) =
            column.pool_rare_levels()?.unwrap_or((TypedValues::Numbers(Cow::Owned(Vec::new())), String::new()));
        let pooled = TypedColumn::new("a", values);
        assert_eq!(other, "(other values)");
        assert_eq!(pooled.level_rows()?, [10, 29]);
        let names: Vec<_> = pooled.levels().into_iter().flat_map(Text::texts).collect();
        assert_eq!(names, [OTHER, "(other values)"]);
        assert_eq!(pooled.present(), 39);
        Ok(())
    }
}
