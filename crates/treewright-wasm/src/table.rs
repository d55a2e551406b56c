//! A table as learners read it: features, target, and where each came from in the file.

use crate::failure::{Failure, Result};
use crate::level::{Level, write_number};
use crate::source::{OpenOptions, Source, texts};
use treewright_core::prelude::{Column, MISSING, Table, Target, UNSEEN, Values};

/// Whole numbers of no more different values are classes, unless the user says otherwise.
const FEW_VALUES: usize = 10;

/// The values of a column.
#[derive(Clone, Debug)]
pub enum Cells {
    /// Numbers; NaN is missing.
    Numbers(Vec<f64>),
    /// Codes of levels.
    Codes(Vec<u32>, Vec<Level>),
}

impl Cells {
    /// The column as the core reads it.
    pub fn column(&self) -> Column<'_> {
        match self {
            Cells::Numbers(numbers) => Column::Numeric(numbers),
            Cells::Codes(codes, levels) => Column::Categorical { codes, levels: levels.len() as u32 },
        }
    }

    /// Some of the rows.
    pub fn take(&self, rows: &[u32]) -> Cells {
        match self {
            Cells::Numbers(numbers) => Cells::Numbers(rows.iter().map(|&row| numbers[row as usize]).collect()),
            Cells::Codes(codes, levels) => {
                Cells::Codes(rows.iter().map(|&row| codes[row as usize]).collect(), levels.clone())
            }
        }
    }

    /// Whether a row has no value.
    pub fn is_missing(&self, row: usize) -> bool {
        match self {
            Cells::Numbers(numbers) => numbers[row].is_nan(),
            Cells::Codes(codes, _) => codes[row] == MISSING,
        }
    }

    /// How many rows have no value.
    pub fn count_missing(&self) -> usize {
        match self {
            Cells::Numbers(numbers) => numbers.iter().filter(|number| number.is_nan()).count(),
            Cells::Codes(codes, _) => codes.iter().filter(|&&code| code == MISSING).count(),
        }
    }

    /// The same values in the codes of another column; those that it does not have are unseen.
    pub fn in_codes_of(&self, other: &Cells) -> Cells {
        let Cells::Codes(_, known) = other else { return self.clone() };
        let Cells::Codes(codes, levels) = self.to_levels() else { return self.clone() };
        let code = |level: &Level| known.iter().position(|other| other == level).map_or(UNSEEN, |code| code as u32);
        let lookup: Vec<u32> =
            if levels == *known { (0..levels.len() as u32).collect() } else { levels.iter().map(code).collect() };
        let codes = codes.iter().map(|&code| lookup.get(code as usize).copied().unwrap_or(code)).collect();
        Cells::Codes(codes, known.clone())
    }

    /// The same with a level for each different number, ascending.
    pub fn to_levels(&self) -> Cells {
        let Cells::Numbers(numbers) = self else { return self.clone() };
        let values = different(numbers);
        let code = |number: &f64| {
            if number.is_nan() { MISSING } else { values.partition_point(|value| value < number) as u32 }
        };
        let codes = numbers.iter().map(code).collect();
        Cells::Codes(codes, values.into_iter().map(Level::Number).collect())
    }
}

/// The different numbers, ascending, without those that are missing.
pub fn different(numbers: &[f64]) -> Vec<f64> {
    let mut values: Vec<f64> = numbers.iter().copied().filter(|number| !number.is_nan()).collect();
    values.sort_unstable_by(f64::total_cmp);
    values.dedup();
    values
}

/// A feature.
#[derive(Clone, Debug)]
pub struct FeatureColumn {
    /// Its name.
    pub name: String,
    /// The position of its source column in the file.
    pub source: usize,
    /// Its values.
    pub cells: Cells,
}

/// What is predicted.
#[derive(Clone, Debug)]
pub enum TargetColumn {
    /// Classes: their codes and names.
    Classes(Vec<u32>, Vec<Level>),
    /// Numbers.
    Numbers(Vec<f64>),
}

impl TargetColumn {
    /// The target as the core reads it.
    pub fn target(&self) -> Target<'_> {
        match self {
            TargetColumn::Classes(codes, classes) => Target::Classes { codes, classes: classes.len() },
            TargetColumn::Numbers(numbers) => Target::Numbers(numbers),
        }
    }

    /// The classes; none for numbers.
    pub fn classes(&self) -> &[Level] {
        match self {
            TargetColumn::Classes(_, classes) => classes,
            TargetColumn::Numbers(_) => &[],
        }
    }

    /// Some of the rows.
    pub fn take(&self, rows: &[u32]) -> TargetColumn {
        match self {
            TargetColumn::Classes(codes, classes) => {
                TargetColumn::Classes(rows.iter().map(|&row| codes[row as usize]).collect(), classes.clone())
            }
            TargetColumn::Numbers(numbers) => {
                TargetColumn::Numbers(rows.iter().map(|&row| numbers[row as usize]).collect())
            }
        }
    }
}

/// Features and target of the rows that are learned from.
#[derive(Clone, Debug)]
pub struct Rows {
    /// The features.
    pub features: Vec<FeatureColumn>,
    /// The target.
    pub target: TargetColumn,
    /// How many rows there are.
    pub count: usize,
}

impl Rows {
    /// The features as the core reads them.
    pub fn table(&self) -> Result<Table<'_>> {
        Ok(Table::new(self.features.iter().map(|feature| feature.cells.column()).collect(), self.count)?)
    }

    /// Some of the rows.
    pub fn take(&self, rows: &[u32]) -> Rows {
        let one = |feature: &FeatureColumn| FeatureColumn { cells: feature.cells.take(rows), ..feature.clone() };
        Rows { features: self.features.iter().map(one).collect(), target: self.target.take(rows), count: rows.len() }
    }

    /// The same with a level for each different number.
    pub fn to_levels(&self) -> Rows {
        let one = |feature: &FeatureColumn| FeatureColumn { cells: feature.cells.to_levels(), ..feature.clone() };
        Rows { features: self.features.iter().map(one).collect(), ..self.clone() }
    }
}

/// A file with what is learned from it.
pub struct OpenTable {
    /// The file.
    pub source: Source,
    /// The position of the target in the file.
    pub target: usize,
    /// Which columns are left out.
    pub ignored: Vec<bool>,
    /// Why each column is read as it is; empty where there is nothing to say.
    pub column_notes: Vec<String>,
    /// Sentences on the file as a whole.
    pub notes: Vec<String>,
    /// What is learned from.
    pub rows: Rows,
    /// For each row that is learned from: its position in the file.
    pub positions: Vec<u32>,
}

impl OpenTable {
    /// Decides what the columns of a file are for.
    pub fn new(source: Source, name: &str, options: &OpenOptions) -> Result<OpenTable> {
        let columns: Vec<Cells> = source.columns.iter().map(|column| cells_of(&column.values)).collect();
        let ignored: Vec<bool> =
            source.header.iter().map(|name| options.columns.get(name).is_some_and(|how| how == "ignore")).collect();
        let target = match &options.target {
            Some(target) => source.header.iter().position(|name| name == target),
            None => (0..columns.len()).rev().find(|&column| !ignored[column]),
        };
        let Some(target) = target else {
            return Err(Failure::new("fit.no-features", format!("{name} has no column to predict")));
        };
        let known: Vec<u32> =
            (0..source.rows).filter(|&row| !columns[target].is_missing(row)).map(|row| row as u32).collect();
        let mut notes = vec![format!("Fields are separated by {}.", delimiter_words(&source.delimiter))];
        if known.len() < source.rows {
            let left_out = source.rows - known.len();
            notes.push(format!("{left_out} rows have no target and are left out."));
        }
        let kept = columns[target].take(&known);
        let (answers, note) = decide_target(&kept, options, &source.header[target])?;
        let features: Vec<FeatureColumn> = (0..columns.len())
            .filter(|&column| column != target && !ignored[column])
            .map(|column| FeatureColumn {
                name: source.header[column].clone(),
                source: column,
                cells: if known.len() < source.rows { columns[column].take(&known) } else { columns[column].clone() },
            })
            .collect();
        if features.is_empty() {
            return Err(Failure::new("fit.no-features", format!("{name} has no usable feature column")));
        }
        let mut column_notes = vec![String::new(); columns.len()];
        column_notes[target] = note;
        let rows = Rows { features, target: answers, count: known.len() };
        Ok(OpenTable { source, target, ignored, column_notes, notes, rows, positions: known })
    }
}

pub fn cells_of(values: &Values) -> Cells {
    match values {
        // Zero has one sign.
        Values::Numbers(numbers) => Cells::Numbers(numbers.iter().map(|number| number + 0.0).collect()),
        Values::Codes(codes, levels) => {
            Cells::Codes(codes.clone(), texts(levels).into_iter().map(Level::Text).collect())
        }
    }
}

fn delimiter_words(delimiter: &str) -> String {
    match delimiter {
        "," => "commas".to_owned(),
        ";" => "semicolons".to_owned(),
        "\t" => "tabs".to_owned(),
        "whitespace" => "blanks".to_owned(),
        other => format!("\"{other}\""),
    }
}

/// The target as classes or numbers, and a note on it.
fn decide_target(cells: &Cells, options: &OpenOptions, name: &str) -> Result<(TargetColumn, String)> {
    match (cells, options.task.as_deref()) {
        (Cells::Codes(..), Some("regression")) => {
            Err(Failure::new("data.mixed-column", format!("\"{name}\" holds text, not numbers"))
                .with_hint("choose classification, or another target"))
        }
        (Cells::Codes(codes, levels), _) => Ok((classes_of(codes, levels), String::new())),
        (Cells::Numbers(numbers), task) => {
            let values = different(numbers);
            let whole = values.iter().all(|value| value.floor() == *value);
            let few = values.len() <= FEW_VALUES && whole;
            if task == Some("classification") || (task.is_none() && few) {
                let Cells::Codes(codes, _) = cells.to_levels() else { return Err(Failure::usage("no classes")) };
                let names = values.iter().map(|value| Level::Text(write_number(*value))).collect();
                let note =
                    if task.is_none() { "Few whole numbers: read as classes.".to_owned() } else { String::new() };
                return Ok((TargetColumn::Classes(codes, names), note));
            }
            Ok((TargetColumn::Numbers(numbers.clone()), String::new()))
        }
    }
}

/// Classes without those that no row has.
fn classes_of(codes: &[u32], levels: &[Level]) -> TargetColumn {
    let mut present = vec![false; levels.len()];
    codes.iter().for_each(|&code| present[code as usize] = true);
    let mut place = vec![0; levels.len()];
    let mut classes = Vec::new();
    for (code, level) in levels.iter().enumerate().filter(|(code, _)| present[*code]) {
        place[code] = classes.len() as u32;
        classes.push(level.clone());
    }
    TargetColumn::Classes(codes.iter().map(|&code| place[code as usize]).collect(), classes)
}
