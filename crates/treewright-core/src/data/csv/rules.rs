//! How cells are read: which texts stand for a missing value, and how numbers are written.

use super::cell::{Cell, Shape, look};
use super::number_format::NumberFormat;
use super::trim;

/// Words that stand for a missing value also among texts. In a column of numbers every spelling of them does, and so do
/// "None" and "-", which are often categories of their own: no garage, no allowance.
const WORDS_AMONG_TEXTS: [&[u8]; 9] = [b"NA", b"N/A", b"n/a", b"#N/A", b"<NA>", b"NaN", b"nan", b"null", b"NULL"];

/// The texts that stand for a missing value, without blanks around them.
#[derive(Clone, Debug, Default)]
pub struct Markers(Vec<Box<[u8]>>);

impl Markers {
    /// The markers of these texts.
    pub fn new<'a>(texts: impl IntoIterator<Item = &'a str>) -> Markers {
        Markers(texts.into_iter().map(|text| trim(text.as_bytes()).into()).collect())
    }

    /// Which marker a trimmed cell is, if any.
    #[inline]
    pub fn find(&self, cell: &[u8]) -> Option<usize> {
        self.0.iter().position(|marker| **marker == *cell)
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

/// How cells are read.
#[derive(Clone, Debug, Default)]
pub struct CellRules {
    /// Cells that are missing in every column.
    pub markers: Markers,
    /// Whether the usual words for a missing value (NA, null, None) are missing where the column allows it.
    pub words: bool,
    /// How numbers are written.
    pub numbers: NumberFormat,
}

impl CellRules {
    /// Looks at a trimmed cell.
    #[inline]
    pub fn look(&self, cell: &[u8]) -> Cell {
        if self.numbers.is_usual() { look(cell) } else { self.numbers.look(cell) }
    }

    /// Whether a trimmed cell is missing in a column of numbers.
    #[inline]
    pub fn is_missing_number(&self, cell: &[u8]) -> bool {
        self.markers.find(cell).is_some() || (self.words && look(cell).shape == Shape::Word)
    }

    /// Whether a trimmed cell is missing in a column of texts.
    #[inline]
    pub fn is_missing_text(&self, cell: &[u8]) -> bool {
        self.markers.find(cell).is_some() || (self.words && WORDS_AMONG_TEXTS.contains(&cell))
    }
}
