//! Words become parts here, and only here. The lists are compared with those of `_recipe.py` by a test.

use super::choose::Chooser;
use super::grow::Limits;
use crate::{Error, Result};

/// What a recipe says, as it crosses the boundary: words and numbers.
#[derive(Clone, Debug, Default)]
pub struct Words {
    /// What is added up: see [`CRITERIA`].
    pub criterion: String,
    /// How a categorical column is split: see [`CATEGORICAL`].
    pub categorical: String,
    /// How the split is chosen: see [`CHOOSERS`].
    pub choose: String,
    /// The gain that a split must exceed.
    pub min_gain: Option<f64>,
    /// The most questions on a path.
    pub max_depth: Option<u32>,
    /// Nodes with fewer rows are leaves.
    pub min_samples_split: u32,
}

/// The words for criteria.
pub const CRITERIA: &[&str] = &["entropy"];
/// The words for splitting categorical columns.
pub const CATEGORICAL: &[&str] = &["levels"];
/// The words for choosing.
pub const CHOOSERS: &[&str] = &["gain"];

/// Parts, ready to grow a tree.
#[derive(Clone, Copy, Debug)]
pub struct Recipe {
    /// How the split of a node is chosen.
    pub chooser: Chooser,
    /// Where growing stops.
    pub limits: Limits,
}

impl Recipe {
    /// Looks the words up.
    pub fn new(words: &Words) -> Result<Recipe> {
        known("criterion", &words.criterion, CRITERIA)?;
        known("categorical", &words.categorical, CATEGORICAL)?;
        known("choose", &words.choose, CHOOSERS)?;
        Ok(Recipe {
            chooser: Chooser::Gain { min_gain: words.min_gain },
            limits: Limits {
                max_depth: words.max_depth.unwrap_or(u32::MAX),
                min_samples_split: words.min_samples_split,
            },
        })
    }
}

fn known(part: &str, word: &str, words: &[&str]) -> Result<()> {
    if words.contains(&word) {
        return Ok(());
    }
    let message = format!("\"{word}\" is no {part}; known: {}", words.join(", "));
    Err(Error::data("recipe.word", message))
}
