//! From the kind of a criterion to the criterion with its target: the one place that does so.

use super::{CriterionKind, Recipe};
use crate::stats::criterion::{ClassCriterion, Classes, SquaredError};
use crate::stats::numbers::Numbers;
use crate::stats::target::Target;
use crate::stats::weights::Weights;
use crate::{Error, Result};

/// The criterion of a tree, by its type.
#[derive(Clone, Debug)]
pub enum TreeCriterion<'a> {
    /// Classes.
    Classes(ClassCriterion<'a>),
    /// Numbers.
    Numbers(SquaredError<'a>),
}

impl<'a> TreeCriterion<'a> {
    /// The criterion of a recipe for classes.
    pub fn of_classes(recipe: &Recipe, classes: Classes<'a>) -> Result<TreeCriterion<'a>> {
        let CriterionKind::Classes(impurity) = recipe.criterion else { return Err(misfit()) };
        let criterion = ClassCriterion::new(impurity, classes);
        Ok(TreeCriterion::Classes(criterion.with_factors(&recipe.class_weights, &recipe.class_prices)))
    }

    /// The criterion of a recipe for numbers whose rows are weighed in this unit.
    pub fn of_numbers(recipe: &Recipe, target: &'a Numbers, unit: f64) -> Result<TreeCriterion<'a>> {
        match recipe.criterion {
            CriterionKind::SquaredError => Ok(TreeCriterion::Numbers(SquaredError { target, unit })),
            CriterionKind::Classes(_) => Err(misfit()),
        }
    }
}

/// What is wrong with a recipe of classes for numbers, or the other way round.
pub fn misfit() -> Error {
    Error::data("recipe.criterion", "the criterion does not fit the target")
}

/// Does something with the criterion of a recipe for a target whose rows have these weights.
pub fn with_criterion<T>(
    recipe: &Recipe,
    target: Target<'_>,
    weights: &Weights,
    work: impl FnOnce(&TreeCriterion<'_>) -> Result<T>,
) -> Result<T> {
    match target {
        Target::Classes { codes, classes } => {
            let classes = Classes { target: codes, classes, unit: weights.unit };
            work(&TreeCriterion::of_classes(recipe, classes)?)
        }
        Target::Numbers(numbers) => {
            let numbers = Numbers::new(numbers, weights.units.iter().sum());
            work(&TreeCriterion::of_numbers(recipe, &numbers, weights.unit)?)
        }
    }
}
