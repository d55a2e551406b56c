//! The sentences about a file that cannot be read: what, where, what was seen, what to type.
//!
//! Names and lines of the file are shown shortened and with their control characters escaped: each stays on its line.

use crate::Error;
use crate::error::hint;

const LONGEST_LINE: usize = 100;
const LONGEST_NAME: usize = 40;

/// A place in a file.
#[derive(Clone, Copy, Debug)]
pub struct Place<'a> {
    /// What the user calls the file.
    pub label: &'a str,
    /// The line, from 1.
    pub line: u64,
    /// The record around it.
    pub record: &'a [u8],
}

/// Text of a file, safe to show on one line.
pub fn shorten(text: &[u8], longest: usize) -> String {
    let text = String::from_utf8_lossy(text);
    let mut short = String::new();
    for (at, letter) in text.chars().enumerate() {
        if at == longest {
            short.push('…');
            break;
        }
        if letter.is_control() { short.extend(letter.escape_default()) } else { short.push(letter) }
    }
    short
}

/// A whole number with its thousands apart: 1,204.
pub fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::with_capacity(digits.len() * 4 / 3);
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

fn quoted(name: &str) -> String {
    format!("\"{}\"", shorten(name.as_bytes(), LONGEST_NAME))
}

fn fields(count: usize) -> String {
    format!("{} field{}", grouped(count as u64), if count == 1 { "" } else { "s" })
}

fn name_of(delimiter: u8) -> &'static str {
    match delimiter {
        b',' => "comma",
        b';' => "semicolon",
        b'\t' => "tab",
        b'|' => "vertical bar",
        b' ' => "blank",
        _ => "delimiter",
    }
}

impl Place<'_> {
    fn here(&self) -> String {
        format!("{} line {}", self.label, grouped(self.line))
    }

    /// The line as it is in the file, up to its first line break.
    fn source(&self) -> String {
        let start = self.record.iter().position(|byte| !matches!(byte, b'\n' | b'\r')).unwrap_or_default();
        let line = self.record[start..].split(|byte| matches!(byte, b'\n' | b'\r')).next().unwrap_or_default();
        format!("{} | {}", self.line, shorten(line, LONGEST_LINE))
    }

    /// A row with another number of fields than the header.
    pub fn ragged(&self, cells: &[&[u8]], header: &[String], delimiter: u8, last_line: u64) -> Error {
        let trailing = cells.len() > header.len() && cells[header.len()..].iter().all(|cell| cell.is_empty());
        let other = |text: &[u8]| {
            text.iter().copied().find(|&byte| byte != delimiter && matches!(byte, b',' | b';' | b'\t' | b'|'))
        };
        let unsplit = match (header, cells) {
            ([name], _) => other(name.as_bytes()).or_else(|| cells.first().and_then(|cell| other(cell))),
            (_, [cell]) => other(cell),
            _ => None,
        };
        let name = name_of(delimiter);
        let drop = hint("ragged", "drop", "drops and counts such rows");
        let advice = if last_line > self.line {
            format!("the row runs on to line {}: an unclosed quote?\n{drop}", grouped(last_line))
        } else if header.first().is_some_and(|name| name.starts_with('#')) {
            // Dropping the rows that differ from the comment would drop them all.
            let option = hint("comment", "#", "leave out lines that begin with #");
            format!("the first line starts with #: a comment?\n{option}")
        } else if trailing {
            format!("the last field is empty: a trailing {name}?\n{drop}")
        } else if let Some(byte) = unsplit {
            let better = hint("delimiter", &char::from(byte).to_string(), "");
            format!("the fields were split at each {name}; is another delimiter meant?\n{better}")
        } else {
            drop
        };
        let message = format!(
            "{} has {}, the header has {}\n{}\n{advice}",
            self.here(),
            fields(cells.len()),
            grouped(header.len() as u64),
            self.source(),
        );
        Error::data("data.ragged-row", message)
    }

    /// A quote that is never closed.
    pub fn open_quote(&self) -> Error {
        let message = format!(
            "{} opens a quote that is never closed\n{}\nclose it; a quote that belongs to the text is written twice: \"\"",
            self.here(),
            self.source(),
        );
        Error::data("data.open-quote", message)
    }

    /// Text behind a closing quote.
    pub fn stray_quote(&self, column: Option<&str>) -> Error {
        let column = column.map_or(String::new(), |name| format!(", column {}", quoted(name)));
        let message = format!(
            "{}{column}: the text goes on after its closing quote\n{}\na quote that belongs to the text is written twice: \"\"",
            self.here(),
            self.source(),
        );
        Error::data("data.stray-quote", message)
    }

    /// A field of more bytes than allowed.
    pub fn long_field(&self, limit: usize) -> Error {
        let message = format!(
            "{} holds a field of more than {} bytes\n{}\nis it delimited text?",
            self.here(),
            grouped(limit as u64),
            self.source(),
        );
        Error::data("data.long-field", message)
    }

    /// A byte that is not UTF-8.
    pub fn encoding(&self, column: Option<&str>, byte: u8, offset: u64) -> Error {
        let column = column.map_or(String::new(), |name| format!(", column {}", quoted(name)));
        let message = format!(
            "{}{column} is not UTF-8: byte 0x{byte:02X} at offset {}\n{}\n\
             {}\nor save the file as UTF-8",
            self.here(),
            grouped(offset),
            self.source(),
            hint("encoding", "cp1252", "common on Windows"),
        );
        Error::data("data.encoding", message)
    }

    /// A NUL byte.
    pub fn nul(&self, offset: u64) -> Error {
        let message = format!(
            "{} holds a NUL byte at offset {}\n{}\nis it text? UTF-16 without its mark looks like this\n{}",
            self.here(),
            grouped(offset),
            self.source(),
            hint("encoding", "utf-16-le", ""),
        );
        Error::data("data.nul", message)
    }

    /// A header name that is empty.
    pub fn empty_name(&self, column: usize, columns: usize) -> Error {
        let why = match column {
            _ if column + 1 == columns => "a trailing delimiter? Remove it, or name the column",
            _ => "name the column",
        };
        let message =
            format!("{}: column {} of the header has no name\n{}\n{why}", self.here(), column + 1, self.source());
        Error::data("data.empty-name", message)
    }

    /// Two columns of one name.
    pub fn twice(&self, name: &str, first: usize, second: usize) -> Error {
        let (first, second) = (first + 1, second + 1);
        let message = format!(
            "{}: columns {first} and {second} are both called {}\n{}\nrename one of them\n{}",
            self.label,
            quoted(name),
            self.source(),
            hint("header", "False", "if the first row is data"),
        );
        Error::data("data.duplicate-column", message)
    }

    /// More columns than a table may have.
    pub fn wide(&self, limit: usize) -> Error {
        let message = format!("{} has more than {}", self.here(), fields(limit));
        Error::data("data.too-many-columns", message)
    }
}

/// A file that is UTF-16 or UTF-32.
pub fn wide_text(label: &str, name: &str) -> Error {
    let tell = name.to_lowercase();
    let advice = hint("encoding", &tell, "");
    let message = format!("{label} is {name}, not UTF-8\n{advice}\nor save the file as UTF-8");
    Error::data("data.encoding", message)
}

/// A file without a single field.
pub fn empty(label: &str) -> Error {
    Error::data("data.empty", format!("{label} is empty\nthe first line must hold the names of the columns"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_grouped() {
        let numbers = [0, 7, 999, 1_000, 1_204, 123_456, 1_234_567].map(grouped);
        assert_eq!(numbers, ["0", "7", "999", "1,000", "1,204", "123,456", "1,234,567"]);
    }

    #[test]
    fn shown_text_stays_on_its_line() {
        assert_eq!(shorten(b"a\tb\x1b[31m\n", 40), "a\\tb\\u{1b}[31m\\n");
        assert_eq!(shorten("äöü".as_bytes(), 2), "äö…");
        assert_eq!(shorten(b"\xff", 2), "\u{fffd}");
    }
}
