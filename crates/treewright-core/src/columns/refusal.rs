//! A table that cannot be used as it is: what is wrong with it, and what to type.

use super::sentence::{Hint, Sentence};
use crate::Error;

/// One line of advice.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Advice {
    /// What was seen, or what may be meant.
    Line(Sentence),
    /// An option.
    Option(Hint),
}

impl From<Hint> for Advice {
    fn from(hint: Hint) -> Advice {
        Advice::Option(hint)
    }
}

impl From<Sentence> for Advice {
    fn from(sentence: Sentence) -> Advice {
        Advice::Line(sentence)
    }
}

/// Why a table is refused.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal {
    /// A stable name such as `data.mixed-column`.
    pub slug: &'static str,
    /// What is wrong.
    pub message: Sentence,
    /// What was seen and what to type.
    pub advice: Vec<Advice>,
}

/// Why there is no answer.
#[derive(Debug)]
pub enum Stop {
    /// The table is refused.
    Refused(Box<Refusal>),
    /// The work failed.
    Failed(Error),
}

/// An answer about a table, or why there is none.
pub type Decided<T> = std::result::Result<T, Stop>;

impl From<Refusal> for Stop {
    fn from(refusal: Refusal) -> Stop {
        Stop::Refused(Box::new(refusal))
    }
}

impl From<Error> for Stop {
    fn from(error: Error) -> Stop {
        Stop::Failed(error)
    }
}

impl From<Stop> for Error {
    /// One line for each piece of advice, for surfaces that show errors as plain text.
    fn from(stop: Stop) -> Error {
        let refusal = match stop {
            Stop::Failed(error) => return error,
            Stop::Refused(refusal) => refusal,
        };
        let lines = refusal.advice.iter().map(|advice| match advice {
            Advice::Line(sentence) => format!("\n{sentence}"),
            Advice::Option(hint) => format!("\n{hint}"),
        });
        Error::data(refusal.slug, lines.fold(refusal.message.to_string(), |all, line| all + &line))
    }
}
