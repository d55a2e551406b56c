//! A header and rows out of pieces of a file.
//!
//! The caller feeds pieces and asks for rows; "nothing yet" means that another piece is needed.

use super::chunk::Chunk;
use super::complaint;
use super::record::{RecordLines, Records, Step};
use super::trim;
use crate::sys::pool::Cancel;
use crate::{Error, Result};
use std::collections::HashMap;

/// A chunk ends early when its text is this long, so that a request for rows of any width has a bounded answer.
const LONGEST_CHUNK: usize = 1 << 28;
/// No cell may be longer: with a chunk before it, a column stays below what [`super::Text`] can hold.
const LONGEST_CELL: usize = 1 << 30;
/// How many cells are read between two looks at the cancel flag.
const CELLS_A_LOOK: usize = 1 << 16;

/// What separates fields.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Delimiter {
    /// What the first lines show.
    Find,
    /// This byte.
    Byte(u8),
    /// Runs of blanks and tabs.
    Blanks,
}

/// How a file is to be read.
#[derive(Clone, Debug)]
pub struct Options {
    /// What the user calls the file; errors start with it.
    pub label: String,
    /// What separates fields.
    pub delimiter: Delimiter,
    /// Whether the first row holds the names of the columns; otherwise they are c1, c2, c3.
    pub header: bool,
    /// Lines that begin with this byte are left out.
    pub comment: Option<u8>,
    /// Whether numbers have decimal commas, so that a comma is the least likely delimiter.
    pub decimal_comma: bool,
    /// Leave out and count rows of another length than the header instead of stopping.
    pub drop_ragged: bool,
    /// The most bytes of a cell; a quote that swallows the file is found by it.
    pub longest_cell: usize,
}

/// Reads rows from pieces of a file.
pub struct Reader {
    records: Records,
    header: Option<Vec<String>>,
    /// Whether the first row of a file without a header is still to be stored.
    first_row: bool,
    /// Whether the first column has no name in the header, and is called "index" here.
    pub unnamed_index: bool,
    kept: Vec<bool>,
    chunk: Chunk,
    /// Rows left out because they were ragged.
    pub dropped: u64,
    /// Blank lines between rows.
    pub blank_lines: u64,
    /// Comment lines before rows.
    pub comment_lines: u64,
}

impl Reader {
    /// A reader that has been fed nothing.
    pub fn new(options: Options) -> Reader {
        let longest_cell = options.longest_cell.min(LONGEST_CELL);
        Reader {
            records: Records::new(Options { longest_cell, ..options }),
            header: None,
            first_row: false,
            unnamed_index: false,
            kept: Vec::new(),
            chunk: Chunk::default(),
            dropped: 0,
            blank_lines: 0,
            comment_lines: 0,
        }
    }

    /// Takes the next piece of the file; an empty one says that there are no more.
    pub fn feed(&mut self, piece: &[u8]) -> Result<()> {
        self.records.feed(piece)
    }

    /// The names of the columns, once enough of the file is there.
    pub fn header(&mut self) -> Result<Option<&[String]>> {
        if self.header.is_none() {
            match self.records.step()? {
                Step::NeedsPiece => return Ok(None),
                Step::End => return Err(complaint::empty(&self.records.options.label)),
                Step::Record => {
                    let lines = self.records.check(None)?;
                    let named = self.records.options.header;
                    let numbered = || (1..=self.records.fields()).map(|column| format!("c{column}")).collect();
                    let (names, unnamed) = if named { self.read_names(lines)? } else { (numbered(), false) };
                    (self.first_row, self.unnamed_index) = (!named, unnamed);
                    self.kept = vec![true; names.len()];
                    self.header = Some(names);
                    if named {
                        self.comment_lines += lines.comments;
                        self.records.advance(lines.last);
                    }
                }
            }
        }
        Ok(self.header.as_deref())
    }

    /// The names in the header, and whether the first column has none: pandas and R write row numbers so.
    fn read_names(&self, lines: RecordLines) -> Result<(Vec<String>, bool)> {
        let place = self.records.place(lines.line);
        let columns = self.records.fields();
        let (mut names, mut first) = (Vec::new(), HashMap::new());
        names.try_reserve(columns)?;
        first.try_reserve(columns)?;
        for (column, cell) in self.records.cells().enumerate() {
            let name = trim(cell);
            if name.is_empty() {
                if column == 0 && columns > 1 {
                    names.push(String::new());
                    continue;
                }
                return Err(place.empty_name(column, columns));
            }
            let text = String::from_utf8_lossy(name).into_owned();
            if let Some(before) = first.insert(name, column) {
                return Err(place.twice(&text, before, column));
            }
            names.push(text);
        }
        let unnamed = names.first().is_some_and(String::is_empty);
        if unnamed {
            let mut free = "index".to_owned();
            while first.contains_key(free.as_bytes()) {
                free.push('_');
            }
            names[0] = free;
        }
        Ok((names, unnamed))
    }

    /// The delimiter, given or found; a blank where runs of blanks separate fields.
    pub fn delimiter(&self) -> u8 {
        self.records.delimiter()
    }

    /// Whether runs of blanks separate fields.
    pub fn splits_at_blanks(&self) -> bool {
        self.records.options.delimiter == Delimiter::Blanks
    }

    /// Whether the file begins with a line that names the delimiter: sep=;
    pub fn names_delimiter(&self) -> bool {
        self.records.names_delimiter
    }

    /// Keeps only these columns of the rows that are still to be read, in the file's order.
    pub fn keep(&mut self, columns: &[usize]) {
        self.kept.fill(false);
        for &column in columns {
            if let Some(kept) = self.kept.get_mut(column) {
                *kept = true;
            }
        }
    }

    /// The next rows, at most so many; None when another piece is needed; no rows at the end.
    pub fn read(&mut self, rows: usize, cancel: &Cancel) -> Result<Option<Chunk>> {
        if self.header()?.is_none() {
            return Ok(None);
        }
        if self.chunk.columns.is_empty() {
            let width = self.kept.iter().filter(|&&kept| kept).count();
            self.chunk.columns.try_reserve(width)?;
            self.chunk.columns.resize_with(width, Default::default);
        }
        let mut unlooked = 0;
        while self.chunk.rows < rows && self.chunk.bytes < LONGEST_CHUNK {
            let step = if std::mem::take(&mut self.first_row) { Step::Record } else { self.records.step()? };
            match step {
                Step::NeedsPiece => return Ok(None),
                Step::End => break,
                Step::Record => self.row()?,
            }
            unlooked += self.kept.len();
            if unlooked >= CELLS_A_LOOK {
                cancel.check()?;
                unlooked = 0;
            }
        }
        Ok(Some(std::mem::take(&mut self.chunk)))
    }

    /// Stores the record in hand as a row.
    fn row(&mut self) -> Result<()> {
        let lines = self.records.check(self.header.as_deref())?;
        self.blank_lines += lines.blank;
        self.comment_lines += lines.comments;
        if self.records.fields() == self.kept.len() {
            self.store(lines)?;
        } else if self.records.record().trim_ascii().is_empty() {
            self.blank_lines += 1;
        } else if self.records.options.drop_ragged {
            self.dropped += 1;
        } else {
            return Err(self.ragged(lines));
        }
        self.records.advance(lines.last);
        Ok(())
    }

    fn store(&mut self, lines: RecordLines) -> Result<()> {
        let chunk = &mut self.chunk;
        chunk.add_row(lines.line)?;
        let cells = self.records.cells().zip(&self.kept).filter(|(_, kept)| **kept);
        for (text, (cell, _)) in chunk.columns.iter_mut().zip(cells) {
            text.push(cell)?;
            chunk.bytes += cell.len();
        }
        Ok(())
    }

    fn ragged(&self, lines: RecordLines) -> Error {
        let cells: Vec<&[u8]> = self.records.cells().collect();
        let names = self.header.as_deref().unwrap_or_default();
        self.records.place(lines.line).ragged(&cells, names, self.delimiter(), lines.last)
    }
}
