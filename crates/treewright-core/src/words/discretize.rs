//! The words for cutting the numbers of a column.

use super::{Words, names};
use crate::discretize::CutMethod;
use crate::{Error, Result};

/// The words for ways to cut; the size of a bucket is filled in later.
const WAYS: &Words<CutMethod> = &[
    ("entropy", CutMethod::Entropy),
    ("gini", CutMethod::Gini),
    ("chi2", CutMethod::ChiSquared),
    ("variance", CutMethod::Variance),
    ("mdl", CutMethod::Mdl),
    ("buckets", CutMethod::Buckets(0)),
];

/// All words.
pub fn ways() -> Vec<&'static str> {
    names(WAYS)
}

/// The way that a word stands for; `least` is the size of a bucket.
pub fn way(word: &str, least: u64) -> Result<CutMethod> {
    match WAYS.iter().find(|(known, _)| *known == word) {
        Some((_, CutMethod::Buckets(_))) => Ok(CutMethod::Buckets(least)),
        Some((_, way)) => Ok(*way),
        None => Err(Error::data("usage.division", format!("there is no way {word:?} to cut numbers"))),
    }
}
