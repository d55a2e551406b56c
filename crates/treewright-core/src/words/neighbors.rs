//! The words of nearest-row searches.

use super::Words;
use crate::neighbors::distance::Finish::{Half, Mean, Root};
use crate::neighbors::distance::Missing::{Costs, Skipped};
use crate::neighbors::distance::{Distance, Power};
use crate::neighbors::index::Search;
use crate::{Error, Result};

/// The words for searches; the first is the quickest that can.
pub const SEARCHES: &Words<Search> = &[
    ("auto", Search::Quickest),
    ("plain", Search::Plain),
    ("tree", Search::Tree),
    ("singles", Search::Singles),
    ("bytes", Search::Bytes),
    ("mixed", Search::Mixed),
];

/// The search that a word stands for.
pub fn search(word: &str) -> Result<Search> {
    let row = SEARCHES.iter().find(|(known, _)| *known == word);
    row.map(|(_, search)| *search).ok_or_else(|| Error::data("usage.search", format!("there is no search {word:?}")))
}

/// The word for a search.
pub fn search_word(search: Search) -> &'static str {
    SEARCHES.iter().find(|(_, known)| *known == search).map_or("", |(word, _)| word)
}

/// The distance that a word stands for; `p` is the power of "minkowski".
pub fn distance(word: &str, p: f64, weights: Vec<f64>) -> Result<Distance> {
    let (power, missing, finish) = match word {
        "euclidean" => (Power::Two, Skipped, Root),
        "manhattan" => (Power::One, Skipped, Root),
        "chebyshev" => (Power::Max, Skipped, Root),
        "minkowski" if p == 1.0 => (Power::One, Skipped, Root),
        "minkowski" if p == 2.0 => (Power::Two, Skipped, Root),
        "minkowski" if p == f64::INFINITY => (Power::Max, Skipped, Root),
        "minkowski" if p >= 1.0 => (Power::Any(p), Skipped, Root),
        "hamming" => (Power::One, Costs, Mean),
        "cosine" => (Power::Two, Skipped, Half),
        "heom" => (Power::Two, Costs, Root),
        "gower" => (Power::One, Skipped, Mean),
        _ => return Err(Error::data("usage.metric", format!("there is no distance {word:?} (p = {p})"))),
    };
    Ok(Distance::new(power, missing, finish, weights))
}
