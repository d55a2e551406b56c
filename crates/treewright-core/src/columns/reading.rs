//! All rules in their order: from cells or typed columns to columns with a role.

use super::column::{Choice, Column, Meaning, Values};
use super::date_columns::split_dates;
use super::declared::declare_levels;
use super::explanation::{Explanation, NO_NAME};
use super::file_notes::{FileFacts, note_file, seen_missing};
use super::kinds::{read_amounts, type_levels, type_text};
use super::refusal::{Refusal, Stop};
use super::roles::{ReadColumn, assign_role};
use super::sentence::Sentence;
use crate::Result;
use crate::data::csv::column::{self, Facts, WantedKind};
use crate::data::csv::complaint::grouped;
use crate::data::csv::{CellRules, Chunk};
use crate::sys::pool::Cancel;

/// How many values of a column are shown.
const SHOWN: usize = 4;

/// What the user decided about a table.
#[derive(Clone, Copy, Debug)]
pub struct Decisions<'a> {
    /// What the user calls the table.
    pub label: &'a str,
    /// One for each column.
    pub choices: &'a [Choice],
    /// Whether dates become numbers.
    pub date_parts: bool,
    /// Whether the user can leave columns out at all.
    pub can_ignore: bool,
}

/// The columns of a table, read.
#[derive(Clone, Debug, Default)]
pub struct ReadTable<'a> {
    /// The columns; dates may have become several.
    pub columns: Vec<ReadColumn<'a>>,
    /// The position in the file of each.
    pub sources: Vec<usize>,
    /// The decisions about the file.
    pub file: Vec<Explanation>,
}

impl ReadTable<'_> {
    /// All decisions that have a sentence, each with its column, or none for the file: a column without a name, the
    /// file, the columns.
    pub fn notes(&self) -> Vec<(Option<usize>, &Explanation)> {
        let reasons = self.columns.iter().enumerate().flat_map(|(at, read)| {
            let with_sentence = read.column.reasons.iter().filter(|reason| !reason.sentence.is_empty());
            with_sentence.map(move |reason| (Some(at), reason))
        });
        let (unnamed, others): (Vec<_>, Vec<_>) = reasons.partition(|(_, reason)| reason.slug == NO_NAME);
        let file = self.file.iter().map(|reason| (None, reason));
        unnamed.into_iter().chain(file).chain(others).collect()
    }
}

/// Reads a text file that came in chunks; `unnamed`: the first column has no name in the header.
pub fn read_text(
    header: &[String],
    chunks: Vec<Chunk>,
    (rules, file): (&CellRules, &FileFacts),
    decisions: Decisions<'_>,
    unnamed: bool,
    cancel: &Cancel,
) -> Result<ReadTable<'static>, Stop> {
    let lines: Vec<_> = chunks.iter().map(|chunk| (chunk.rows, chunk.lines.clone())).collect();
    let wanted: Vec<WantedKind> = decisions.choices.iter().map(Choice::wanted_kind).collect();
    let read = column::read(chunks, &wanted, rules, cancel)?;
    let facts: Vec<Facts> = read.iter().map(|column| column.facts.clone()).collect();
    let missing = seen_missing(&facts, &file.missing);
    let place = |row: usize| {
        let mut row = row;
        let chunk = lines.iter().find(|(rows, _)| {
            row < *rows || {
                row -= rows;
                false
            }
        });
        format!("{} line {}", decisions.label, grouped(chunk.map_or(0, |(_, lines)| lines.line(row))))
    };
    let mut columns = Vec::with_capacity(read.len());
    for ((name, read), choice) in header.iter().zip(read).zip(decisions.choices) {
        columns.push(type_text(name, read, choice, &missing)?);
    }
    for (column, choice) in columns.iter_mut().zip(decisions.choices) {
        if let Some(levels) = &choice.levels {
            *column = declare_levels(column, levels, choice.ordered, &place)?;
        }
    }
    let mut table = ReadTable { file: note_file(file, &facts, &columns), ..ReadTable::default() };
    for (at, (column, choice)) in columns.into_iter().zip(decisions.choices).enumerate() {
        table.add(column, choice, decisions, at)?;
    }
    match (table.columns.first_mut(), decisions.choices.first()) {
        (Some(first), Some(choice)) if unnamed && !choice.is_made() && !choice.ignored => {
            (first.ignored, first.column.reasons) = (true, vec![Explanation::no_name(&first.column.name)]);
        }
        _ => {}
    }
    Ok(table)
}

/// Reads a table of another container; its columns keep their types unless the user, or their texts, say otherwise.
pub fn read_typed<'a>(columns: Vec<Column<'a>>, decisions: Decisions<'_>) -> Result<ReadTable<'a>, Stop> {
    let mut typed = Vec::with_capacity(columns.len());
    for (column, choice) in columns.into_iter().zip(decisions.choices) {
        typed.push(type_column(column, choice)?);
    }
    for (column, choice) in typed.iter_mut().zip(decisions.choices) {
        if let Some(levels) = &choice.levels {
            *column = declare_levels(column, levels, choice.ordered, &|row| format!("row {row}"))?;
        }
    }
    let mut table = ReadTable::default();
    for (at, (column, choice)) in typed.into_iter().zip(decisions.choices).enumerate() {
        table.add(column, choice, decisions, at)?;
    }
    Ok(table)
}

impl<'a> ReadTable<'a> {
    /// Adds a column, or the parts of its dates, with roles.
    fn add(
        &mut self,
        column: Column<'a>,
        choice: &Choice,
        decisions: Decisions<'_>,
        source: usize,
    ) -> Result<(), Stop> {
        for part in split_dates(column, choice, decisions.date_parts)? {
            let derived = matches!(part.meaning, Some(Meaning::DatePart { source: Some(_), .. }));
            let own = Choice::default();
            let choice = if derived { &own } else { choice };
            self.columns.push(assign_role(part, choice, decisions.can_ignore)?);
            self.sources.push(source);
        }
        Ok(())
    }
}

/// Decides what a column with a type is.
fn type_column<'a>(mut column: Column<'a>, choice: &Choice) -> Result<Column<'a>, Stop> {
    if choice.wanted == WantedKind::Numbers && !column.is_numeric() {
        return read_numbers(&column);
    }
    if column.is_text && !column.is_numeric() && !column.declared && !column.dates && !choice.is_made() {
        type_levels(&mut column)?;
    }
    Ok(column)
}

/// The texts of a column as numbers, which the user asked for.
fn read_numbers(column: &Column<'_>) -> Result<Column<'static>, Stop> {
    if let Values::Codes(codes, levels) = &column.values
        && let Some(facts) = Facts::of_texts(levels.cells())
        && let Some(numbers) = read_amounts(&column.name, codes, levels, &facts)?
    {
        return Ok(Column { reasons: Vec::new(), ..numbers });
    }
    let values = column.levels().into_iter().flat_map(|levels| levels.texts());
    let message = Sentence::about(&column.name).say(" holds text, not numbers");
    let advice = vec![Sentence::from("values: ").list(values, SHOWN)];
    Err(Refusal { slug: "data.mixed-column", message, advice }.into())
}
