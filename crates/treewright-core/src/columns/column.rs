//! A column with its values and what is known about it.

use super::amounts::Mark;
use super::dates::{DateOrder, DatePart};
use super::explanation::Explanation;
use crate::Result;
use crate::data::csv::column::WantedKind;
use crate::data::csv::{Text, TypedValues};
use crate::data::table::MISSING;
use crate::sys::memory::{collected, filled};
use std::borrow::Cow;

/// What the user decided about a column.
#[derive(Clone, Debug, Default)]
pub struct Choice {
    /// What its cells are read as.
    pub wanted: WantedKind,
    /// It is no feature.
    pub ignored: bool,
    /// It is a feature, whatever it looks like.
    pub kept: bool,
    /// Its possible values; they are categories.
    pub levels: Option<Vec<String>>,
    /// The order of `levels` means something.
    pub ordered: bool,
}

impl Choice {
    /// Whether the user decided what the column is, or that it is used.
    pub fn is_made(&self) -> bool {
        self.kept || self.levels.is_some() || self.wanted != WantedKind::Free
    }

    /// What the core makes of the cells.
    pub fn wanted_kind(&self) -> WantedKind {
        if self.levels.is_some() { WantedKind::Codes } else { self.wanted }
    }
}

/// What the values of a column stand for.
#[derive(Clone, Debug, PartialEq)]
pub enum Meaning {
    /// Texts that are dates; `None` where the order of day and month is open.
    Dates(Option<DateOrder>),
    /// A part of the dates of a column.
    DatePart {
        /// Which part.
        part: DatePart,
        /// The column of dates; None where it has the same name.
        source: Option<String>,
        /// How its dates are written.
        written: DateOrder,
    },
    /// Numbers that are written with signs or a comma.
    Amount(Mark),
    /// Something that the table's owner said.
    Given,
}

/// A column with its kind and the decisions behind it.
#[derive(Clone, Debug)]
pub struct TypedColumn<'a> {
    /// Its name.
    pub name: String,
    /// Its values.
    pub values: TypedValues<'a>,
    /// Whether the levels were listed by their owner, including those that do not occur.
    pub declared: bool,
    /// Whether the order of the levels means something.
    pub ordered: bool,
    /// Whether the levels are texts; those of other containers may be numbers or booleans.
    pub is_text: bool,
    /// What the values stand for.
    pub meaning: Option<Meaning>,
    /// The decisions that the user did not make.
    pub reasons: Vec<Explanation>,
    /// Whether the texts are dates.
    pub dates: bool,
    /// Whether some numbers have a point or an exponent.
    pub floats: bool,
    /// Whether most texts are numbers with a comma, a currency or a percent sign.
    pub amounts: bool,
}

impl<'a> TypedColumn<'a> {
    /// A column of which nothing else is known.
    pub fn new(name: &str, values: TypedValues<'a>) -> TypedColumn<'a> {
        TypedColumn {
            name: name.to_owned(),
            values,
            declared: false,
            ordered: false,
            is_text: true,
            meaning: None,
            reasons: Vec::new(),
            dates: false,
            floats: false,
            amounts: false,
        }
    }

    /// The column of some rows; levels that were not declared and have no row are left out.
    pub fn take(&self, rows: &[u32]) -> Result<TypedColumn<'static>> {
        let values = match &self.values {
            TypedValues::Numbers(numbers) => {
                TypedValues::Numbers(Cow::Owned(collected(rows.iter().map(|&row| numbers[row as usize]))?))
            }
            TypedValues::Codes(codes, levels) => {
                let taken = collected(rows.iter().map(|&row| codes[row as usize]))?;
                if self.declared {
                    TypedValues::Codes(Cow::Owned(taken), levels.clone())
                } else {
                    compact(&taken, levels)?
                }
            }
        };
        Ok(TypedColumn {
            name: self.name.clone(),
            meaning: self.meaning.clone(),
            reasons: self.reasons.clone(),
            values,
            ..*self
        })
    }

    /// The number of rows.
    pub fn rows(&self) -> usize {
        match &self.values {
            TypedValues::Numbers(numbers) => numbers.len(),
            TypedValues::Codes(codes, _) => codes.len(),
        }
    }

    /// Whether it holds numbers.
    pub fn is_numeric(&self) -> bool {
        matches!(self.values, TypedValues::Numbers(_))
    }

    /// The levels; none for numbers.
    pub fn levels(&self) -> Option<&Text> {
        match &self.values {
            TypedValues::Numbers(_) => None,
            TypedValues::Codes(_, levels) => Some(levels),
        }
    }

    /// How many levels there are.
    pub fn level_count(&self) -> usize {
        self.levels().map_or(0, Text::len)
    }

    /// How many rows have a value.
    pub fn present(&self) -> usize {
        match &self.values {
            TypedValues::Numbers(numbers) => numbers.iter().filter(|number| !number.is_nan()).count(),
            TypedValues::Codes(codes, _) => codes.iter().filter(|&&code| code != MISSING).count(),
        }
    }

    /// How many rows each level has; nothing for numbers.
    pub fn level_rows(&self) -> Result<Vec<usize>> {
        match &self.values {
            TypedValues::Numbers(_) => Ok(Vec::new()),
            TypedValues::Codes(codes, levels) => count_rows(codes, levels.len()),
        }
    }

    /// How many different values occur.
    pub fn different(&self) -> Result<usize> {
        Ok(match &self.values {
            TypedValues::Numbers(numbers) => different_numbers(numbers)?.len(),
            TypedValues::Codes(..) => self.level_rows()?.iter().filter(|&&rows| rows > 0).count(),
        })
    }
}

/// The different numbers, ascending, without those that are missing.
pub fn different_numbers(numbers: &[f64]) -> Result<Vec<f64>> {
    let mut sorted = collected(numbers.iter().copied().filter(|number| !number.is_nan()))?;
    sorted.sort_unstable_by(f64::total_cmp);
    sorted.dedup();
    Ok(sorted)
}

/// How many rows each code has; codes that are no level do not count.
pub fn count_rows(codes: &[u32], levels: usize) -> Result<Vec<usize>> {
    let mut rows = filled(0, levels)?;
    for &code in codes {
        if let Some(count) = rows.get_mut(code as usize) {
            *count += 1;
        }
    }
    Ok(rows)
}

/// Codes with only the levels that occur.
pub fn compact(codes: &[u32], levels: &Text) -> Result<TypedValues<'static>> {
    let rows = count_rows(codes, levels.len())?;
    let mut place = filled(MISSING, levels.len())?;
    let mut kept = Text::default();
    for code in (0..rows.len()).filter(|&code| rows[code] > 0) {
        place[code] = kept.len() as u32;
        kept.push(levels.get(code))?;
    }
    Ok(TypedValues::Codes(Cow::Owned(map_codes(codes, &place, MISSING)?), kept))
}

/// Gives each row what its level is mapped to; `missing` for rows without one.
pub fn map_codes<T: Copy>(codes: &[u32], values: &[T], missing: T) -> Result<Vec<T>> {
    collected(codes.iter().map(|&code| values.get(code as usize).copied().unwrap_or(missing)))
}

/// Texts as levels.
pub fn to_levels<T: AsRef<[u8]>>(texts: impl IntoIterator<Item = T>) -> Result<Text> {
    let mut levels = Text::default();
    texts.into_iter().try_for_each(|text| levels.push(text.as_ref()))?;
    Ok(levels)
}
