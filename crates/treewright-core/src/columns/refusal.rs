//! A table that cannot be used as it is: what is wrong with it, and what to type.

use super::sentence::Sentence;
use crate::Error;

/// Why a table is refused.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal {
    /// A stable name such as `data.mixed-column`.
    pub slug: &'static str,
    /// What is wrong.
    pub message: Sentence,
    /// What was seen and what to type: a line each, of which some are an option alone.
    pub advice: Vec<Sentence>,
}

/// Why there is no answer.
#[derive(Debug)]
pub enum Stop {
    /// The table is refused.
    Refused(Box<Refusal>),
    /// The work failed.
    Failed(Error),
}

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
        let message = refusal.advice.iter().fold(refusal.message.to_string(), |all, line| format!("{all}\n{line}"));
        Error::data(refusal.slug, message)
    }
}
