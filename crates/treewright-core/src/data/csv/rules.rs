//! How cells are read: which texts stand for a missing value, and how numbers are written.

use super::cell::{Cell, Shape, look};
use super::number_format::NumberFormat;
use super::trim;

/// Words that stand for a missing value also among texts. In a column of numbers every spelling of them does, and so do
/// "None" and "-", which are often categories of their own: no garage, no allowance.
const WORDS_AMONG_TEXTS: [&[u8]; 9] = [b"NA", b"N/A", b"n/a", b"#N/A", b"<NA>", b"NaN", b"nan", b"null", b"NULL"];

/// How cells are read.
#[derive(Clone, Debug, Default)]
pub struct CellRules {
    /// Cells that are missing in every column, without blanks around them.
    markers: Vec<Box<[u8]>>,
    /// Whether the usual words for a missing value (NA, null, None) are missing where the column allows it.
    pub words: bool,
    /// How numbers are written.
    numbers: NumberFormat,
}

impl CellRules {
    /// Rules with these texts as markers of missing values.
    pub fn new<T: AsRef<str>>(missing: &[T], words: bool, numbers: NumberFormat) -> CellRules {
        let markers = missing.iter().map(|text| trim(text.as_ref().as_bytes()).into()).collect();
        CellRules { markers, words, numbers }
    }

    /// Which marker a trimmed cell is, if any.
    #[inline]
    pub fn marker(&self, cell: &[u8]) -> Option<usize> {
        self.markers.iter().position(|marker| **marker == *cell)
    }

    /// How many markers there are.
    pub fn marker_count(&self) -> usize {
        self.markers.len()
    }

    /// Looks at a trimmed cell.
    #[inline]
    pub fn look(&self, cell: &[u8]) -> Cell {
        if self.numbers.is_usual() { look(cell) } else { self.numbers.look(cell) }
    }

    /// Whether a trimmed cell is missing in a column of numbers.
    #[inline]
    pub fn is_missing_number(&self, cell: &[u8]) -> bool {
        self.marker(cell).is_some() || (self.words && look(cell).shape == Shape::Word)
    }

    /// Whether a trimmed cell is missing in a column of texts.
    #[inline]
    pub fn is_missing_text(&self, cell: &[u8]) -> bool {
        self.marker(cell).is_some() || (self.words && WORDS_AMONG_TEXTS.contains(&cell))
    }
}
