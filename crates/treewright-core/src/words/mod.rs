//! Words become parts here: the only place where a name decides something. Recipes cross the boundary as words and
//! numbers, are read once, and everything below works with types.
//!
//! Each list of words is a table of a word and the part that it stands for; [`all`] gives the lists, which a test
//! compares with those of Python.

pub mod boosting;
pub mod discretize;
pub mod neighbors;
pub mod pruning;
pub mod rules;
pub mod sampling;
#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests;
pub mod tree;

use crate::recipe::CriterionKind;
use crate::stats::criterion::Impurity;
use crate::{Error, Result};

/// The words for criteria.
pub(crate) const CRITERIA: &Words<CriterionKind> = &[
    ("entropy", CriterionKind::Classes(Impurity::Entropy)),
    ("gini", CriterionKind::Classes(Impurity::Gini)),
    #[cfg(test)]
    ("errors", CriterionKind::Classes(Impurity::Errors)),
    ("squared", CriterionKind::SquaredError),
];

/// Words, and the part that each stands for.
pub(crate) type Words<P> = [(&'static str, P)];

/// The part that a word of a table stands for; `kind` says in the error what it should have been.
pub(crate) fn part<P: Copy>(kind: &str, word: &str, words: &Words<P>) -> Result<P> {
    let row = words.iter().find(|(known, _)| *known == word);
    row.map(|(_, part)| *part).ok_or_else(|| {
        let message = format!("\"{word}\" is no {kind}; known: {}", names(words).join(", "));
        Error::data("recipe.word", message)
    })
}

/// The words of a table.
pub(crate) fn names<P>(words: &Words<P>) -> Vec<&'static str> {
    words.iter().map(|(word, _)| *word).collect()
}

/// The lists of words, each with its name in recipes.
pub fn all() -> [(&'static str, Vec<&'static str>); 11] {
    [
        ("engine", names(tree::ENGINES)),
        ("criterion", names(CRITERIA)),
        ("categorical", names(tree::CATEGORICAL)),
        ("choose", names(tree::CHOOSERS)),
        ("threshold", names(tree::THRESHOLDS)),
        ("empty", names(pruning::EMPTY)),
        ("collapse", names(tree::COLLAPSE)),
        ("interval", names(pruning::INTERVALS)),
        ("missing", names(tree::MISSING)),
        ("sampling", names(sampling::SAMPLING)),
        ("undecided", names(tree::UNDECIDED)),
    ]
}
