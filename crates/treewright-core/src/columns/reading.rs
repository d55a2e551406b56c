//! All rules in their order: from cells or typed columns to columns with a role.

use super::column::{Choice, Meaning, TypedColumn};
use super::date_columns::split_dates;
use super::declared::declare_levels;
use super::explanation::{Explanation, NO_NAME};
use super::file_notes::{FileFacts, note_file, seen_missing};
use super::kinds::{read_amounts, type_levels, type_text};
use super::refusal::{Refusal, Stop};
use super::roles::{ReadColumn, assign_role};
use super::sentence::Sentence;
use crate::Result;
use crate::data::csv::TypedValues;
use crate::data::csv::column::{self, WantedKind};
use crate::data::csv::complaint::grouped;
use crate::data::csv::facts::Facts;
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
    mut chunks: Vec<Chunk>,
    (rules, file): (&CellRules, &FileFacts),
    decisions: Decisions<'_>,
    unnamed: bool,
    cancel: &Cancel,
) -> Result<ReadTable<'static>, Stop> {
    let wanted: Vec<WantedKind> = decisions.choices.iter().map(Choice::wanted_kind).collect();
    let (facts, values): (Vec<_>, Vec<_>) = column::read(&mut chunks, &wanted, rules, cancel)?.into_iter().unzip();
    let missing = seen_missing(&facts, &file.missing);
    let place = |mut row: usize| {
        let mut line = 0;
        for chunk in &chunks {
            if row < chunk.rows {
                line = chunk.line(row);
                break;
            }
            row -= chunk.rows;
        }
        format!("{} line {}", decisions.label, grouped(line))
    };
    let mut columns = Vec::with_capacity(values.len());
    for (((name, values), facts), choice) in header.iter().zip(values).zip(&facts).zip(decisions.choices) {
        columns.push(type_text(name, facts, values, choice, &missing)?);
    }
    declare_levels(&mut columns, decisions.choices, place)?;
    let notes = note_file(file, &facts, &columns);
    let mut table = assign_roles(columns, notes, decisions)?;
    match (table.columns.first_mut(), decisions.choices.first()) {
        (Some(first), Some(choice)) if unnamed && !choice.is_made() && !choice.ignored => {
            (first.ignored, first.column.reasons) = (true, vec![Explanation::no_name(&first.column.name)]);
        }
        _ => {}
    }
    Ok(table)
}

/// Reads a table of another container; its columns keep their types unless the user, or their texts, say otherwise.
pub fn read_typed<'a>(columns: Vec<TypedColumn<'a>>, decisions: Decisions<'_>) -> Result<ReadTable<'a>, Stop> {
    let mut typed = Vec::with_capacity(columns.len());
    for (column, choice) in columns.into_iter().zip(decisions.choices) {
        typed.push(type_column(column, choice)?);
    }
    declare_levels(&mut typed, decisions.choices, |row| format!("row {row}"))?;
    assign_roles(typed, Vec::new(), decisions)
}

/// Gives the columns, or the parts of their dates, their roles; `file` are the decisions about the file.
fn assign_roles<'a>(
    columns: Vec<TypedColumn<'a>>,
    file: Vec<Explanation>,
    decisions: Decisions<'_>,
) -> Result<ReadTable<'a>, Stop> {
    let mut table = ReadTable { file, ..ReadTable::default() };
    for (source, (column, choice)) in columns.into_iter().zip(decisions.choices).enumerate() {
        for part in split_dates(column, choice, decisions.date_parts)? {
            let derived = matches!(part.meaning, Some(Meaning::DatePart { source: Some(_), .. }));
            let own = Choice::default();
            table.columns.push(assign_role(part, if derived { &own } else { choice }, decisions.can_ignore)?);
            table.sources.push(source);
        }
    }
    Ok(table)
}

/// Decides what a column with a type is.
fn type_column<'a>(mut column: TypedColumn<'a>, choice: &Choice) -> Result<TypedColumn<'a>, Stop> {
    if choice.wanted == WantedKind::Numbers && !column.is_numeric() {
        return read_numbers(&column);
    }
    if column.is_text && !column.is_numeric() && !column.declared && !column.dates && !choice.is_made() {
        type_levels(&mut column)?;
    }
    Ok(column)
}

/// The texts of a column as numbers, which the user asked for.
fn read_numbers(column: &TypedColumn<'_>) -> Result<TypedColumn<'static>, Stop> {
    if let TypedValues::Codes(codes, levels) = &column.values
        && let Some(facts) = Facts::of_texts(levels.cells())
        && let Some(numbers) = read_amounts(&column.name, codes, levels, &facts)?
    {
        return Ok(TypedColumn { reasons: Vec::new(), ..numbers });
    }
    let values = column.levels().into_iter().flat_map(|levels| levels.texts());
    let message = Sentence::about(&column.name).say(" holds text, not numbers");
    let advice = vec![Sentence::from("values: ").list(values, SHOWN)];
    Err(Refusal { slug: "data.mixed-column", message, advice }.into())
}
