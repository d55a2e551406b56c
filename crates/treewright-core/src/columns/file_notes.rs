//! Decisions about a text file as a whole: its delimiter, its header, words for missing values.

use super::column::{Column, Values};
use super::number_text::is_number_text;
use super::reason::{Examples, FileReason};
use crate::data::csv::column::Facts;
use crate::data::csv::trim;

/// How many names are listed.
const FEW: usize = 3;

/// What a reader found out about a file, and what the user said about it.
#[derive(Clone, Debug, Default)]
pub struct FileFacts {
    /// The delimiter, where the user did not name it; None in the option for blanks.
    pub found_delimiter: Option<Option<char>>,
    /// Whether the first row holds the names of the columns.
    pub header: bool,
    /// The texts that are missing in every column.
    pub missing: Vec<String>,
    /// Rows left out because they were ragged.
    pub ragged: usize,
    /// Blank lines between rows.
    pub blank_lines: usize,
    /// Comment lines before rows.
    pub comment_lines: usize,
}

/// The texts that were read as missing somewhere in the file.
pub fn seen_missing(facts: &[Facts], markers: &[String]) -> Vec<String> {
    let seen = |at: usize| facts.iter().any(|each| each.missing.get(at).is_some_and(|&cells| cells > 0));
    let mut texts: Vec<String> = Vec::new();
    let markers = markers.iter().enumerate().filter(|(at, _)| seen(*at)).map(|(_, text)| text);
    for text in markers.chain(facts.iter().flat_map(|each| each.words.iter().map(|(word, _)| word))) {
        if !texts.contains(text) {
            texts.push(text.clone());
        }
    }
    texts
}

/// The decisions about the whole file; `columns` are as they were read, before dates were split.
pub fn note_file(file: &FileFacts, facts: &[Facts], columns: &[Column<'_>]) -> Vec<FileReason> {
    let mut notes = Vec::new();
    if let Some(delimiter) = file.found_delimiter.filter(|delimiter| *delimiter != Some(',')) {
        notes.push(FileReason::Delimiter(delimiter));
    }
    notes.extend((file.ragged > 0).then_some(FileReason::Ragged(file.ragged)));
    notes.extend((file.blank_lines > 0).then_some(FileReason::BlankLines(file.blank_lines)));
    notes.extend((file.comment_lines > 0).then_some(FileReason::CommentLines(file.comment_lines)));
    notes.extend(note_missing(facts, &file.missing));
    let padded: Vec<_> = columns.iter().zip(facts).filter(|(_, facts)| facts.padded > 0).collect();
    if !padded.is_empty() {
        let names: Vec<_> = padded.iter().map(|(column, _)| &column.name).collect();
        notes.push(FileReason::Padded(Examples::of(&names, FEW)));
    }
    notes.extend(if file.header { note_header(columns) } else { None });
    notes
}

/// How often each marker, and how often the usual words were read as missing.
fn note_missing(facts: &[Facts], markers: &[String]) -> Vec<FileReason> {
    let mut notes = Vec::new();
    for (at, marker) in markers.iter().enumerate() {
        let counts = facts.iter().filter_map(|each| each.missing.get(at).copied());
        let (cells, columns) = sum(counts);
        if cells > 0 && !trim(marker.as_bytes()).is_empty() {
            notes.push(FileReason::Missing { marker: marker.clone(), cells, columns });
        }
    }
    let mut words: Vec<String> =
        facts.iter().flat_map(|each| each.words.iter().map(|(word, _)| word.clone())).collect();
    words.sort_unstable();
    words.dedup();
    if !words.is_empty() {
        let (cells, columns) = sum(facts.iter().map(|each| each.words.iter().map(|(_, cells)| cells).sum()));
        notes.push(FileReason::MissingWords { words, cells, columns });
    }
    notes
}

/// How many cells there are, and in how many columns.
fn sum(counts: impl Iterator<Item = usize>) -> (usize, usize) {
    counts.filter(|&count| count > 0).fold((0, 0), |(cells, columns), count| (cells + count, columns + 1))
}

fn note_header(columns: &[Column<'_>]) -> Option<FileReason> {
    if let [only] = columns
        && only.name.starts_with('#')
    {
        return Some(FileReason::CommentAsName(only.name.clone()));
    }
    let names: Vec<_> = columns.iter().map(|column| &column.name).collect();
    are_values(columns).then(|| FileReason::ValuesAsNames(Examples::of(&names, FEW)))
}

/// Whether most names look like a value of their column: the file has no header.
fn are_values(columns: &[Column<'_>]) -> bool {
    if columns.iter().all(|column| is_number_text(&column.name)) {
        return true;
    }
    let alike: Vec<&str> =
        columns.iter().filter(|column| is_value(column)).map(|column| column.name.as_str()).collect();
    if 2 * alike.len() <= columns.len() {
        return false;
    }
    if !alike.iter().all(|name| name.bytes().all(|byte| byte.is_ascii_digit())) {
        return true;
    }
    // Names such as 2019, 2020, 2021 are years, and 0, 1, 2 are positions: both are names.
    let follows = |pair: &[&str]| match (pair[0].parse::<u128>(), pair[1].parse::<u128>()) {
        (Ok(before), Ok(after)) => before.checked_add(1) == Some(after),
        _ => false,
    };
    alike.len() == 1 || !alike.windows(2).all(follows)
}

fn is_value(column: &Column<'_>) -> bool {
    match &column.values {
        Values::Numbers(_) => is_number_text(&column.name),
        Values::Codes(_, levels) => levels.cells().any(|level| level == column.name.as_bytes()),
    }
}
