//! Delimited text to columns: bytes are fed in, tables of numbers and codes come out.
//!
//! The tokenising is `csv-core`'s, which prefers *a* parse over *no* parse. Everything it would pass over in silence is
//! refused here with the line: a row of another length, a quote that never closes, bytes that are not UTF-8. Nothing
//! here opens a file or waits for one: the caller feeds pieces, so a file of any size can be read in bounded memory, and
//! Ctrl-C is heard between two pieces.
//!
//! Not here: what a column *is* (numeric, categorical, an identifier). [`column`] only reports what its cells look like;
//! the policy is written once, in Python.
//!
//! Glossary. A *line* is a physical line of the file, counted from 1; a *record* is a row of the file, which may hold
//! several lines inside quotes; a *cell* is the text of one field; a *marker* is a text that stands for a missing value;
//! a *chunk* is some rows as columns of text.

pub mod cell;
pub mod chunk;
pub mod column;
mod complaint;
pub mod encode;
mod quotes;
pub mod reader;
mod record;
#[cfg(test)]
mod tests;

pub use chunk::{Chunk, Text};
pub use reader::{Options, Reader};

/// The cell without the blanks around it.
pub fn trim(cell: &[u8]) -> &[u8] {
    let blank = |byte: &u8| matches!(byte, b' ' | b'\t');
    let Some(start) = cell.iter().position(|byte| !blank(byte)) else { return &[] };
    let end = cell.iter().rposition(|byte| !blank(byte)).map_or(start, |last| last + 1);
    &cell[start..end]
}

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
