//! A column as the target: numbers or classes.

use super::column::{TypedColumn, compact};
use super::kinds::number_levels;
use crate::Result;
use crate::data::csv::TypedValues;
use crate::sys::memory::copied;
use std::borrow::Cow;

/// So many distinct whole numbers may be classes.
pub const AMBIGUOUS_VALUES: usize = 20;

/// What is predicted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Task {
    /// A class.
    Classes,
    /// A number.
    Numbers,
}

/// The values of a target.
#[derive(Clone, Debug, PartialEq)]
pub enum TargetValues {
    /// Codes, and the names of the classes that occur: in their declared order, otherwise sorted.
    Classes(Vec<u32>, Vec<String>),
    /// Numbers, NaN where missing.
    Numbers(Vec<f64>),
}

/// Whether numbers may be classes: there are few distinct whole numbers.
pub fn are_ambiguous(column: &TypedColumn<'_>) -> Result<bool> {
    let TypedValues::Numbers(numbers) = &column.values else { return Ok(false) };
    let only_integers = numbers.iter().all(|number| number.is_nan() || *number == number.floor());
    Ok(only_integers && column.different()? <= AMBIGUOUS_VALUES)
}

/// The task of a target of which the user said nothing; numbers that may be classes are classes.
pub fn guess_task(column: &TypedColumn<'_>) -> Result<Task> {
    let numbers = column.is_numeric() && !are_ambiguous(column)?;
    Ok(if numbers { Task::Numbers } else { Task::Classes })
}

/// The values of a target; text cannot be numbers and stays classes.
pub fn target_values(column: &TypedColumn<'_>, task: Task) -> Result<TargetValues> {
    match (&column.values, task) {
        (TypedValues::Numbers(numbers), Task::Numbers) => Ok(TargetValues::Numbers(copied(numbers)?)),
        (TypedValues::Numbers(numbers), Task::Classes) => present_classes(&number_levels(numbers)?),
        (values, _) => present_classes(values),
    }
}

/// The classes that occur.
fn present_classes(values: &TypedValues<'_>) -> Result<TargetValues> {
    let TypedValues::Codes(codes, levels) = values else { return Ok(TargetValues::Numbers(Vec::new())) };
    match compact(codes, levels)? {
        TypedValues::Codes(codes, classes) => {
            Ok(TargetValues::Classes(codes.into_owned(), classes.texts().map(Cow::into_owned).collect()))
        }
        TypedValues::Numbers(numbers) => Ok(TargetValues::Numbers(numbers.into_owned())),
    }
}
