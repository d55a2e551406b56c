//! A file as it was opened: its text, and its columns as numbers or codes.

use crate::failure::{Failure, Result};
use serde::Deserialize;
use std::collections::BTreeMap;
use treewright_core::prelude::{
    Cancel, CellRules, Chunk, CsvColumn, Delimiter, Markers, NumberFormat, Options, Reader, Text, Wish, column,
};

/// Rows that are read together.
const ROWS_PER_CHUNK: usize = 1 << 16;
/// The most bytes of a cell.
const LONGEST_CELL: usize = 1 << 20;
/// What stands for a missing value in every column, unless the user says so.
const MISSING: [&str; 2] = ["", "?"];

/// What the user decided about a file.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
pub struct OpenOptions {
    /// The column to predict; the last one that is used by default.
    pub target: Option<String>,
    /// `classification` or `regression`.
    pub task: Option<String>,
    /// What separates fields.
    pub delimiter: Option<String>,
    /// Whether the first row holds the names of the columns.
    pub header: Option<bool>,
    /// The cells that stand for a missing value.
    pub missing: Option<Vec<String>>,
    /// What stands before the fraction of a number.
    pub decimal: Option<String>,
    /// What stands between the thousands of a number.
    pub thousands: Option<String>,
    /// Lines that begin with it are left out.
    pub comment: Option<String>,
    /// `drop` leaves out rows with too many or too few fields.
    pub ragged: Option<String>,
    /// How columns are read, by name: `numeric`, `categorical`, `ignore`, `keep`.
    pub columns: BTreeMap<String, String>,
}

/// A file that was read.
pub struct Source {
    /// The names of the columns.
    pub header: Vec<String>,
    /// What the columns are.
    pub columns: Vec<CsvColumn>,
    /// How cells are read.
    pub rules: CellRules,
    /// How many rows there are.
    pub rows: usize,
    /// What separates fields.
    pub delimiter: String,
    text: Vec<Chunk>,
}

impl Source {
    /// Reads a file.
    pub fn read(bytes: &[u8], name: &str, options: &OpenOptions, cancel: &Cancel) -> Result<Source> {
        let mut reader = Reader::new(reader_options(name, options)?);
        reader.feed(bytes)?;
        reader.feed(&[])?;
        let header = reader.header()?.map(<[String]>::to_vec).unwrap_or_default();
        check_names(&header, options, name)?;
        let mut text = Vec::new();
        while let Some(chunk) = reader.read(ROWS_PER_CHUNK, cancel)? {
            if chunk.rows == 0 {
                break;
            }
            text.push(chunk);
        }
        let rows = text.iter().map(|chunk| chunk.rows).sum();
        if rows == 0 {
            return Err(Failure::new("data.no-rows", format!("{name} has no rows under its header"))
                .with_hint("the first row holds the names of the columns"));
        }
        let rules = cell_rules(options);
        let wishes: Vec<Wish> = header.iter().map(|name| wish(options, name)).collect();
        let columns = column::read(text.clone(), &wishes, &rules, cancel)?;
        let delimiter = if reader.splits_at_blanks() {
            "whitespace".to_owned()
        } else {
            char::from(reader.delimiter()).to_string()
        };
        Ok(Source { header, columns, rules, rows, delimiter, text })
    }

    /// Some rows as text.
    pub fn cells(&self, offset: usize, limit: usize) -> Vec<Vec<String>> {
        let last = offset.saturating_add(limit).min(self.rows);
        let mut rows: Vec<Vec<String>> = (offset..last).map(|_| Vec::with_capacity(self.header.len())).collect();
        let mut first = 0;
        for chunk in &self.text {
            let (begin, end) = (offset.max(first), last.min(first + chunk.rows));
            if begin < end {
                for text in &chunk.columns {
                    let cells = text.cells().skip(begin - first).take(end - begin);
                    for (row, cell) in rows[begin - offset..].iter_mut().zip(cells) {
                        row.push(String::from_utf8_lossy(cell).into_owned());
                    }
                }
            }
            first += chunk.rows;
        }
        rows
    }
}

/// The texts of a list of cells.
pub fn texts(text: &Text) -> Vec<String> {
    text.cells().map(|cell| String::from_utf8_lossy(cell).into_owned()).collect()
}

fn reader_options(name: &str, options: &OpenOptions) -> Result<Options> {
    let delimiter = match options.delimiter.as_deref().map(str::as_bytes) {
        None => Delimiter::Find,
        Some(b"whitespace") => Delimiter::Blanks,
        Some(&[byte]) if byte.is_ascii() && !b"\"\r\n\0".contains(&byte) => Delimiter::Byte(byte),
        Some(_) => {
            return Err(Failure::new("usage", "a delimiter is one ASCII character or \"whitespace\""));
        }
    };
    Ok(Options {
        label: name.to_owned(),
        delimiter,
        header: options.header.unwrap_or(true),
        comment: options.comment.as_ref().and_then(|text| text.bytes().next()),
        decimal_comma: options.decimal.as_deref() == Some(","),
        drop_ragged: options.ragged.as_deref() == Some("drop"),
        longest_cell: LONGEST_CELL,
    })
}

fn cell_rules(options: &OpenOptions) -> CellRules {
    let markers = match &options.missing {
        Some(texts) => Markers::new(texts.iter().map(String::as_str)),
        None => Markers::new(MISSING),
    };
    let decimal_comma = options.decimal.as_deref() == Some(",");
    let thousands = options.thousands.as_ref().and_then(|text| text.chars().next());
    let numbers = NumberFormat { decimal_comma, thousands };
    CellRules { markers, words: options.missing.is_none(), numbers }
}

fn wish(options: &OpenOptions, name: &str) -> Wish {
    match options.columns.get(name).map(String::as_str) {
        Some("numeric") => Wish::Numbers,
        Some("categorical") => Wish::Codes,
        _ => Wish::Free,
    }
}

/// Refuses options about columns that the file does not have.
fn check_names(header: &[String], options: &OpenOptions, name: &str) -> Result<()> {
    let mut named = options.columns.keys().chain(&options.target);
    match named.find(|column| !header.contains(column)) {
        None => Ok(()),
        Some(column) => Err(Failure::new("data.no-such-column", format!("{name} has no column \"{column}\""))
            .with_hint(format!("columns: {}", header.join(", ")))),
    }
}
