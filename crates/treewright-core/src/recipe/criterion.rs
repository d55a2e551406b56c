//! From the kind of a criterion to the criterion with its target: the one place that does so.

use super::{CriterionKind, Recipe};
use crate::stats::criterion::{ClassCriterion, Classes, Criterion, SquaredError};
use crate::stats::numbers::Numbers;
use crate::stats::target::Target;
use crate::stats::weights::Weights;
use crate::{Error, Result};

/// A criterion by its type, as fast engines take it.
#[derive(Clone, Copy, Debug)]
pub enum KnownCriterion<'a> {
    /// Classes.
    Classes(&'a ClassCriterion<'a>),
    /// Numbers.
    Numbers(&'a SquaredError<'a>),
}

/// Something to do with a criterion, whatever its type.
pub trait Visitor {
    /// What comes of it.
    type Output;
    /// Does it; `known` is the same criterion.
    fn visit<C: Criterion>(self, criterion: &C, known: KnownCriterion<'_>) -> Result<Self::Output>;
}

/// Visits the criterion of a recipe for a target whose rows have these weights.
pub fn with_criterion<V: Visitor>(
    recipe: &Recipe,
    target: Target<'_>,
    weights: &Weights,
    visitor: V,
) -> Result<V::Output> {
    match target {
        Target::Classes { codes, classes } => {
            with_known_target(recipe, KnownTarget::Classes { codes, classes }, weights.unit, visitor)
        }
        Target::Numbers(numbers) => {
            let numbers = Numbers::new(numbers, weights.units.iter().sum());
            with_known_target(recipe, KnownTarget::Numbers(&numbers), weights.unit, visitor)
        }
    }
}

/// A target in integers.
#[derive(Clone, Copy, Debug)]
pub enum KnownTarget<'a> {
    /// A class for each row.
    Classes {
        /// The class of each row.
        codes: &'a [u32],
        /// How many classes there are.
        classes: usize,
    },
    /// A number for each row.
    Numbers(&'a Numbers),
}

/// The same for a target in integers, whose rows are weighed in this unit.
pub fn with_known_target<V: Visitor>(
    recipe: &Recipe,
    target: KnownTarget<'_>,
    unit: f64,
    visitor: V,
) -> Result<V::Output> {
    match (target, recipe.criterion) {
        (KnownTarget::Classes { codes, classes }, CriterionKind::Classes(impurity)) => {
            let classes = Classes { target: codes, classes, unit };
            let criterion =
                ClassCriterion::new(impurity, classes).with_factors(&recipe.class_weights, &recipe.class_prices);
            visitor.visit(&criterion, KnownCriterion::Classes(&criterion))
        }
        (KnownTarget::Numbers(numbers), CriterionKind::SquaredError) => {
            let criterion = SquaredError { target: numbers, unit };
            visitor.visit(&criterion, KnownCriterion::Numbers(&criterion))
        }
        _ => Err(Error::data("recipe.criterion", "the criterion does not fit the target")),
    }
}
