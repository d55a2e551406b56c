//! Some rows as columns of text, without an allocation for each cell.

use crate::{Error, Result};
use std::borrow::Cow;

/// The cells of one column: their bytes one after the other, and where each ends.
#[derive(Clone, Debug, Default)]
pub struct Text {
    bytes: Vec<u8>,
    ends: Vec<u32>,
}

impl Text {
    /// Adds a cell. A chunk ends long before the 4 GiB that fit; different texts of a whole column may not.
    #[inline]
    pub fn push(&mut self, cell: &[u8]) -> Result<()> {
        self.bytes.try_reserve(cell.len())?;
        self.ends.try_reserve(1)?;
        let end = u32::try_from(self.bytes.len() + cell.len()).map_err(|_| too_long())?;
        self.bytes.extend_from_slice(cell);
        self.ends.push(end);
        Ok(())
    }

    /// How many cells there are.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// The cell at a position; an empty one where there is none.
    pub fn get(&self, at: usize) -> &[u8] {
        let start = at.checked_sub(1).and_then(|before| self.ends.get(before)).map_or(0, |&end| end as usize);
        self.ends.get(at).map_or(&[], |&end| &self.bytes[start..end as usize])
    }

    /// The cell at a position as text.
    pub fn text(&self, at: usize) -> Cow<'_, str> {
        String::from_utf8_lossy(self.get(at))
    }

    /// The cells in order, as text.
    pub fn texts(&self) -> impl Iterator<Item = Cow<'_, str>> {
        self.cells().map(String::from_utf8_lossy)
    }

    /// The cells in order.
    pub fn cells(&self) -> impl Iterator<Item = &[u8]> {
        let mut start = 0;
        self.ends.iter().map(move |&end| {
            let cell = &self.bytes[start..end as usize];
            start = end as usize;
            cell
        })
    }
}

fn too_long() -> Error {
    Error::data(
        "data.too-many-categories",
        "a column holds more than 4 GiB of different texts\nleave the column out of the file",
    )
}

/// Some rows.
#[derive(Clone, Debug, Default)]
pub struct Chunk {
    /// The columns that are kept.
    pub columns: Vec<Text>,
    /// The rows whose line is not simply the next one, with their lines.
    jumps: Vec<(usize, u64)>,
    /// How many rows there are.
    pub rows: usize,
    /// The bytes of all cells.
    pub(super) bytes: usize,
}

impl Chunk {
    /// Adds a row that starts on this line, without its cells.
    pub(super) fn add_row(&mut self, line: u64) -> Result<()> {
        let row = self.rows;
        if self.jumps.is_empty() || self.line(row) != line {
            self.jumps.try_reserve(1)?;
            self.jumps.push((row, line));
        }
        self.rows += 1;
        Ok(())
    }

    /// The line of the file on which a row starts (0 where nothing was read).
    pub fn line(&self, row: usize) -> u64 {
        let after = self.jumps.partition_point(|&(start, _)| start <= row);
        after.checked_sub(1).and_then(|at| self.jumps.get(at)).map_or(0, |&(start, line)| line + (row - start) as u64)
    }

    /// Gives away the text; the lines stay, to tell where a row stands.
    pub fn take_text(&mut self) -> Chunk {
        let columns = std::mem::take(&mut self.columns);
        Chunk { columns, ..self.clone() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_come_back_as_they_were() -> Result<()> {
        let mut text = Text::default();
        let cells: [&[u8]; 4] = [b"a", b"", b"long one", "ü".as_bytes()];
        for cell in cells {
            text.push(cell)?;
        }
        assert!(text.cells().eq(cells));
        assert!((0..cells.len()).all(|at| text.get(at) == cells[at]));
        assert_eq!((text.get(4), text.len(), text.is_empty()), (&b""[..], 4, false));
        Ok(())
    }

    #[test]
    fn lines_are_found_with_jumps_and_without() -> Result<()> {
        let mut chunk = Chunk::default();
        let starts = [2, 3, 4, 9, 10, 11, 20];
        starts.iter().try_for_each(|&line| chunk.add_row(line))?;
        assert_eq!((chunk.jumps.len(), chunk.rows), (3, starts.len()));
        assert!(starts.iter().enumerate().all(|(row, &line)| chunk.line(row) == line));
        Ok(())
    }
}
