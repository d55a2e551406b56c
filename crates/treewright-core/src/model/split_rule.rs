//! A question about one feature, and the child that each answer leads to.

use super::tree::STOP;
use crate::data::table::Kind;
use crate::{Error, Result};

/// A question and where each answer leads.
#[derive(Clone, Debug, PartialEq)]
pub struct SplitRule {
    /// What is asked.
    pub question: Question,
    /// How many children there are.
    pub children: u16,
    /// The child of a missing value, or [`STOP`], or [`super::tree::SHARE`].
    pub missing: u16,
}

/// What is asked of a value.
#[derive(Clone, Debug, PartialEq)]
pub enum Question {
    /// `x <= threshold` leads to child 0, greater to child 1; a third child is that of missing values alone.
    Threshold(f64),
    /// Child, [`STOP`] or [`super::tree::SHARE`] for each level of the feature.
    Route(Vec<u16>),
}

impl SplitRule {
    /// How many levels the question knows.
    pub fn n_levels(&self) -> usize {
        match &self.question {
            Question::Route(route) => route.len(),
            Question::Threshold(_) => 0,
        }
    }

    /// A child for each level, and one more for missing values where asked for.
    pub fn levels(levels: u16, missing: bool) -> SplitRule {
        SplitRule {
            question: Question::Route((0..levels).collect()),
            children: levels + u16::from(missing),
            missing: if missing { levels } else { STOP },
        }
    }

    /// Two children, below and above a cut.
    pub fn threshold(cut: f64, missing: u16) -> SplitRule {
        SplitRule { question: Question::Threshold(cut), children: 2, missing }
    }

    /// The child of a level.
    pub fn child_of(&self, code: u32) -> u16 {
        match &self.question {
            Question::Route(route) => route.get(code as usize).copied().unwrap_or(self.missing),
            Question::Threshold(_) => self.missing,
        }
    }

    /// Checks that it can be asked of a column.
    pub fn check(&self, kind: Kind) -> Result<()> {
        let is_child = |child: u16| child < self.children || child >= STOP;
        let fits = match (&self.question, kind) {
            (Question::Threshold(cut), Kind::Numeric) => !cut.is_nan() && (2..=3).contains(&self.children),
            (Question::Route(route), Kind::Categorical(levels)) => {
                route.len() == levels as usize && self.children >= 2 && route.iter().all(|&child| is_child(child))
            }
            _ => false,
        };
        match fits && is_child(self.missing) {
            true => Ok(()),
            false => Err(Error::data("grow.rule", "this question cannot be asked of the column")),
        }
    }
}
