//! The words for cutting the numbers of a column.

use super::{Words, names};
use crate::discretize::Way;
use crate::{Error, Result};

/// The words for ways to cut; the size of a bucket is filled in later.
const WAYS: &Words<Way> = &[
    ("entropy", Way::Entropy),
    ("gini", Way::Gini),
    ("chi2", Way::ChiSquared),
    ("variance", Way::Variance),
    ("mdl", Way::Mdl),
    ("buckets", Way::Buckets(0)),
];

/// All words.
pub fn ways() -> Vec<&'static str> {
    names(WAYS)
}

/// The way that a word stands for; `least` is the size of a bucket.
pub fn way(word: &str, least: u64) -> Result<Way> {
    match WAYS.iter().find(|(known, _)| *known == word) {
        Some((_, Way::Buckets(_))) => Ok(Way::Buckets(least)),
        Some((_, way)) => Ok(*way),
        None => Err(Error::data("usage.division", format!("there is no way {word:?} to cut numbers"))),
    }
}
