//! Delimited text to columns: bytes are fed in, tables of numbers and codes come out.
//!
//! The tokenising is `csv-core`'s, which prefers *a* parse over *no* parse. Everything it would pass over in silence is
//! refused here with the line: a row of another length, a quote that never closes, bytes that are not UTF-8. Nothing
//! here opens a file or waits for one: the caller feeds pieces, so a file of any size can be read in bounded memory, and
//! Ctrl-C is heard between two pieces.
//!
//! Not here: what a column *is* (numeric, categorical, an identifier). [`facts`] only reports what its cells look like;
//! the rules are in [`crate::columns`].
//!
//! Glossary. A *line* is a physical line of the file, counted from 1; a *record* is a row of the file, which may hold
//! several lines inside quotes; a *cell* is the text of one field; a *marker* is a text that stands for a missing value;
//! a *chunk* is some rows as columns of text.

mod blanks;
pub mod cell;
pub mod chunk;
pub mod column;
pub mod complaint;
pub mod encode;
pub mod facts;
pub mod number_format;
mod quotes;
pub mod reader;
mod record;
pub mod rules;
#[cfg(test)]
mod tests;

pub use chunk::{Chunk, Text};
pub use column::TypedValues;
pub use number_format::NumberFormat;
pub use reader::{Delimiter, Options, Reader};
pub use rules::CellRules;

/// The cell without the blanks around it.
pub fn trim(cell: &[u8]) -> &[u8] {
    let blank = |byte: &u8| matches!(byte, b' ' | b'\t');
    let Some(start) = cell.iter().position(|byte| !blank(byte)) else { return &[] };
    let end = cell.iter().rposition(|byte| !blank(byte)).map_or(start, |last| last + 1);
    &cell[start..end]
}
