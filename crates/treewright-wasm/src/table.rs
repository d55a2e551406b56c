//! A table as learners read it: features, target, and where each came from in the file.

use crate::failure::{Failure, Result};
use crate::level::Level;
use crate::options::OpenOptions;
use std::collections::HashMap;
use std::rc::Rc;
use treewright_core::Error;
use treewright_core::prelude::columns::{
    Feature, Meaning, OpenTable as File, TargetValues, Task, TypedValues, are_nearly_unique, count_rows, pool,
    to_levels,
};
use treewright_core::prelude::{Cancel, CellRules, Column, MISSING, Table, Target, Text, UNSEEN};

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
    /// What its numbers stand for, where they are written with signs.
    pub meaning: Option<Meaning>,
    /// The level, the last one, that stands for all values that are not levels of their own.
    pub other: Option<String>,
}

impl FeatureColumn {
    /// The column of a file.
    pub fn new(feature: Feature) -> FeatureColumn {
        let Feature { name, source, values, meaning, other, .. } = feature;
        let cells = match values {
            // Zero has one sign.
            TypedValues::Numbers(numbers) => Cells::Numbers(numbers.iter().map(|number| number + 0.0).collect()),
            TypedValues::Codes(codes, levels) => Cells::Codes(codes.into_owned(), text_levels(&levels)),
        };
        FeatureColumn { name, source, cells, meaning, other }
    }

    /// The same with other values.
    pub fn with(&self, cells: Cells) -> FeatureColumn {
        FeatureColumn { cells, ..self.clone() }
    }

    /// Whether all its values count as one, so that no tree splits on it.
    pub fn is_constant(&self) -> bool {
        self.other.is_some() && matches!(&self.cells, Cells::Codes(_, levels) if levels.len() == 1)
    }

    /// The same with rare categories as one, where most rows have a value of few rows.
    fn pooled(&self) -> Result<FeatureColumn> {
        let Cells::Codes(codes, levels) = &self.cells else { return Ok(self.clone()) };
        let is_text = levels.first().is_some_and(|level| matches!(level, Level::Text(_)));
        let rows = count_rows(codes, levels.len())?;
        if self.other.is_some() || !is_text || !are_nearly_unique(&rows) {
            return Ok(self.clone());
        }
        let (common, other) = pool(&rows, &to_levels(levels.iter().map(Level::label))?);
        let mut place = vec![common.len() as u32; levels.len()];
        common.iter().enumerate().for_each(|(at, &code)| place[code] = at as u32);
        let codes = codes.iter().map(|&code| place.get(code as usize).copied().unwrap_or(code)).collect();
        let named = common.iter().map(|&code| levels[code].clone()).chain([Level::Text(other.clone())]).collect();
        Ok(FeatureColumn { other: Some(other), ..self.with(Cells::Codes(codes, named)) })
    }
}

impl FeatureColumn {
    /// Values in the codes of this column; those that it does not have count as the others, or are unseen.
    pub fn encode(&self, cells: &Cells) -> Cells {
        let Cells::Codes(_, known) = &self.cells else { return cells.clone() };
        let Cells::Codes(codes, levels) = cells.to_levels() else { return cells.clone() };
        if levels == *known {
            return Cells::Codes(codes, levels);
        }
        let unknown = self.unknown_code();
        let places: HashMap<String, u32> = known.iter().zip(0..).map(|(level, code)| (level.label(), code)).collect();
        let lookup: Vec<u32> =
            levels.iter().map(|level| places.get(&level.label()).copied().unwrap_or(unknown)).collect();
        let codes = codes.iter().map(|&code| lookup.get(code as usize).copied().unwrap_or(code)).collect();
        Cells::Codes(codes, known.clone())
    }

    /// The code of a value that is no level.
    pub fn unknown_code(&self) -> u32 {
        match &self.cells {
            Cells::Codes(_, levels) if self.other.is_some() => levels.len() as u32 - 1,
            _ => UNSEEN,
        }
    }
}

/// The texts of a column.
pub fn text_levels(levels: &Text) -> Vec<Level> {
    levels.texts().map(|text| Level::Text(text.into_owned())).collect()
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
        let one = |feature: &FeatureColumn| feature.with(feature.cells.take(rows));
        Rows { features: self.features.iter().map(one).collect(), target: self.target.take(rows), count: rows.len() }
    }

    /// The same with rare categories as one.
    pub fn pooled(&self) -> Result<Rows> {
        let features = self.features.iter().map(FeatureColumn::pooled).collect::<Result<_>>()?;
        Ok(Rows { features, ..self.clone() })
    }

    /// The same with a level for each different number.
    pub fn to_levels(&self) -> Rows {
        let one = |feature: &FeatureColumn| feature.with(feature.cells.to_levels());
        Rows { features: self.features.iter().map(one).collect(), ..self.clone() }
    }
}

/// A file with what is learned from it.
pub struct OpenTable {
    /// The file.
    pub file: File,
    /// How cells are read.
    pub rules: CellRules,
    /// Why the target is read as it is, where the rules about columns do not say it.
    pub target_note: Option<String>,
    /// How many rows are left out because they have no target.
    pub left_out: usize,
    /// What is learned from.
    pub rows: Rc<Rows>,
    /// For each row that is learned from: its position in the file.
    pub positions: Vec<u32>,
}

impl OpenTable {
    /// Reads a file and decides what its columns are for.
    pub fn read(bytes: &[u8], name: &str, options: &OpenOptions, cancel: &Cancel) -> Result<OpenTable> {
        let options = options.read(name)?;
        let file = File::read(bytes, &options, cancel).map_err(Error::from)?;
        let values = file.target_values()?;
        let is_missing = |row: usize| match &values {
            TargetValues::Classes(codes, _) => codes[row] == MISSING,
            TargetValues::Numbers(numbers) => numbers[row].is_nan(),
        };
        let positions: Vec<u32> = (0..file.rows).filter(|&row| !is_missing(row)).map(|row| row as u32).collect();
        let left_out = file.rows - positions.len();
        let target = match values {
            TargetValues::Classes(codes, names) => {
                TargetColumn::Classes(codes, names.into_iter().map(Level::Text).collect())
            }
            TargetValues::Numbers(numbers) => TargetColumn::Numbers(numbers),
        };
        // Categories of rows that are left out are no categories of the others.
        let features = if left_out == 0 { file.features(false)? } else { file.features_of(&positions, false)? };
        let features: Vec<FeatureColumn> = features.into_iter().map(FeatureColumn::new).collect();
        if features.is_empty() || positions.is_empty() {
            return Err(Failure::new("fit.no-features", format!("{name} has no usable feature column")));
        }
        let target = if left_out == 0 { target } else { target.take(&positions) };
        let rows = Rows { features, target, count: positions.len() };
        let is_guess = options.task.is_none() && file.task == Task::Classes;
        let numeric = file.table.columns.get(file.target).is_some_and(|read| read.column.is_numeric());
        let target_note =
            (is_guess && numeric).then(|| "It has few distinct whole numbers: read as classes.".to_owned());
        Ok(OpenTable { rules: options.rules(), file, target_note, left_out, rows: Rc::new(rows), positions })
    }

    /// The name of the target.
    pub fn target(&self) -> &str {
        self.file.table.columns.get(self.file.target).map_or("", |read| &read.column.name)
    }
}
