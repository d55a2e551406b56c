//! A table from the bytes of a text file, by all rules at once: what a page does with a file that is dropped on it.

use super::column::{Choice, TypedColumn};
use super::features::{Feature, make_feature};
use super::file_notes::FileFacts;
use super::reading::{Decisions, ReadTable, read_text};
use super::refusal::{Refusal, Stop};
use super::sentence::Sentence;
use super::target::{TargetValues, Task, guess_task, target_values};
use crate::Result;
use crate::data::csv::column::WantedKind;
use crate::data::csv::facts::LONGEST_CELL;
use crate::data::csv::{CellRules, Chunk, Delimiter, NumberFormat, Options, Reader};
use crate::sys::pool::Cancel;
use std::collections::BTreeMap;

/// Missing in every column unless the user lists other texts; words such as NA are added where the column allows it.
pub const MISSING_TEXTS: [&str; 2] = ["", "?"];
const ROWS_PER_CHUNK: usize = 1 << 16;
/// How many names an error lists.
const LISTED: usize = 20;

/// What the user decided about a file.
#[derive(Clone, Debug)]
pub struct TableOptions {
    /// What the user calls the file.
    pub label: String,
    /// What separates fields.
    pub delimiter: Delimiter,
    /// Whether the first row holds the names of the columns.
    pub header: bool,
    /// Lines that begin with this byte are left out.
    pub comment: Option<u8>,
    /// Leave out rows of another length than the header.
    pub drop_ragged: bool,
    /// The texts that are missing; None for the usual ones.
    pub missing: Option<Vec<String>>,
    /// How numbers are written.
    pub numbers: NumberFormat,
    /// What the user decided about columns, by name.
    pub choices: BTreeMap<String, Choice>,
    /// Whether dates become numbers.
    pub date_parts: bool,
    /// The column to predict; None for the last one that is not ignored by the user.
    pub target: Option<String>,
    /// What is predicted; None for what the target looks like.
    pub task: Option<Task>,
}

impl Default for TableOptions {
    fn default() -> TableOptions {
        TableOptions {
            label: "the table".to_owned(),
            delimiter: Delimiter::Find,
            header: true,
            comment: None,
            drop_ragged: false,
            missing: None,
            numbers: NumberFormat::default(),
            choices: BTreeMap::new(),
            date_parts: false,
            target: None,
            task: None,
        }
    }
}

impl TableOptions {
    /// How cells are read.
    pub fn rules(&self) -> CellRules {
        CellRules::new(&self.missing_texts(), self.missing.is_none(), self.numbers)
    }

    fn missing_texts(&self) -> Vec<String> {
        self.missing.clone().unwrap_or_else(|| MISSING_TEXTS.map(str::to_owned).to_vec())
    }

    fn reader(&self) -> Reader {
        Reader::new(Options {
            label: self.label.clone(),
            delimiter: self.delimiter,
            header: self.header,
            comment: self.comment,
            decimal_comma: self.numbers.decimal_comma,
            drop_ragged: self.drop_ragged,
            longest_cell: LONGEST_CELL,
        })
    }

    /// Refuses names that the file lacks.
    fn check_names(&self, header: &[String]) -> Result<(), Stop> {
        match self.choices.keys().chain(&self.target).find(|name| !header.contains(name)) {
            None => Ok(()),
            Some(name) => {
                let message = Sentence::default().say(format!("{} has no column ", self.label)).quote(name);
                let advice = vec![Sentence::from("columns: ").list(header, LISTED)];
                Err(Refusal { slug: "data.no-such-column", message, advice }.into())
            }
        }
    }

    /// The position of the target in the file.
    fn find_target(&self, header: &[String]) -> usize {
        let is_used = |name: &String| self.choices.get(name).is_none_or(|choice| !choice.ignored);
        let named = self.target.as_ref().and_then(|target| header.iter().position(|name| name == target));
        named.or_else(|| header.iter().rposition(is_used)).unwrap_or(header.len().saturating_sub(1))
    }

    /// What the user decided about each column; the target is never taken for an identifier.
    fn choices_of(&self, header: &[String], target: usize) -> Vec<Choice> {
        let mut choices: Vec<Choice> =
            header.iter().map(|name| self.choices.get(name).cloned().unwrap_or_default()).collect();
        if let Some(choice) = choices.get_mut(target) {
            (choice.kept, choice.ignored) = (true, false);
            if self.task == Some(Task::Numbers) {
                choice.wanted = WantedKind::Numbers;
            }
        }
        choices
    }
}

/// A file, read.
#[derive(Clone, Debug)]
pub struct OpenTable {
    /// The names of the columns of the file.
    pub header: Vec<String>,
    /// The columns with their roles.
    pub table: ReadTable<'static>,
    /// How many rows there are.
    pub rows: usize,
    /// What separates fields; None for runs of blanks.
    pub delimiter: Option<char>,
    /// The position of the target among the columns of `table`.
    pub target: usize,
    /// What is predicted.
    pub task: Task,
    /// The cells as they are in the file.
    text: Vec<Chunk>,
}

impl OpenTable {
    /// Reads the bytes of a file.
    pub fn read(bytes: &[u8], options: &TableOptions, cancel: &Cancel) -> Result<OpenTable, Stop> {
        let mut reader = options.reader();
        reader.feed(bytes)?;
        reader.feed(&[])?;
        let header = reader.header()?.map(<[String]>::to_vec).unwrap_or_default();
        options.check_names(&header)?;
        let mut text = Vec::new();
        while let Some(chunk) = reader.read(ROWS_PER_CHUNK, cancel)?.filter(|chunk| chunk.rows > 0) {
            text.push(chunk);
        }
        if text.is_empty() {
            return Err(no_rows(&options.label, reader.dropped as usize).into());
        }
        let delimiter = (!reader.splits_at_blanks()).then(|| char::from(reader.delimiter()));
        let named = options.delimiter != Delimiter::Find || reader.names_delimiter();
        let file = FileFacts {
            found_delimiter: (!named).then_some(delimiter),
            header: options.header,
            missing: options.missing_texts(),
            ragged: reader.dropped as usize,
            blank_lines: reader.blank_lines as usize,
            comment_lines: reader.comment_lines as usize,
        };
        let source = options.find_target(&header);
        let choices = options.choices_of(&header, source);
        let (label, date_parts) = (options.label.as_str(), options.date_parts);
        let decisions = Decisions { label, choices: &choices, date_parts, can_ignore: true };
        let rules = options.rules();
        let table = read_text(&header, text.clone(), (&rules, &file), decisions, reader.unnamed_index, cancel)?;
        let target = table.sources.iter().position(|&from| from == source).unwrap_or_default();
        let task = match (options.task, table.columns.get(target)) {
            (None, Some(read)) => guess_task(&read.column)?,
            (task, _) => task.unwrap_or(Task::Classes),
        };
        let rows = text.iter().map(|chunk| chunk.rows).sum();
        Ok(OpenTable { header, table, rows, delimiter, target, task, text })
    }

    /// The values of the target.
    pub fn target_values(&self) -> Result<TargetValues> {
        let target = self.table.columns.get(self.target);
        target.map_or(Ok(TargetValues::Numbers(Vec::new())), |read| target_values(&read.column, self.task))
    }

    /// The columns that learners split; `pooled`: rare categories of nearly unique text count as one.
    pub fn features(&self, pooled: bool) -> Result<Vec<Feature>> {
        self.used_columns().map(|(column, source)| make_feature(column, source, pooled)).collect()
    }

    /// The same in some rows: categories that no row has are left out.
    pub fn features_of(&self, rows: &[u32], pooled: bool) -> Result<Vec<Feature>> {
        self.used_columns().map(|(column, source)| make_feature(&column.take(rows)?, source, pooled)).collect()
    }

    /// The columns that are features, with their positions in the file.
    fn used_columns(&self) -> impl Iterator<Item = (&TypedColumn<'static>, usize)> {
        let columns = self.table.columns.iter().zip(&self.table.sources).enumerate();
        let used = columns.filter(|(at, (read, _))| *at != self.target && !read.ignored);
        used.map(|(_, (read, &source))| (&read.column, source))
    }

    /// Some rows as they are in the file, in the order of `header`.
    pub fn cells(&self, offset: usize, limit: usize) -> Vec<Vec<String>> {
        let last = offset.saturating_add(limit).min(self.rows);
        let mut rows: Vec<Vec<String>> = (offset..last).map(|_| Vec::with_capacity(self.header.len())).collect();
        let mut first = 0;
        for chunk in &self.text {
            let (begin, end) = (offset.max(first), last.min(first + chunk.rows));
            for text in chunk.columns.iter().filter(|_| begin < end) {
                for at in begin..end {
                    rows[at - offset].push(text.text(at - first).into_owned());
                }
            }
            first += chunk.rows;
        }
        rows
    }
}

fn no_rows(label: &str, dropped: usize) -> Refusal {
    let advice = match dropped {
        0 => "the first row holds the names of the columns".into(),
        _ => Sentence::default().plural(dropped, "row").say(" left out: not as many fields as the header has"),
    };
    let message = Sentence::default().say(format!("{label} has no rows under its header"));
    Refusal { slug: "data.no-rows", message, advice: vec![advice] }
}
