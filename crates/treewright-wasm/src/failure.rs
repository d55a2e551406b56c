//! What an error is for a page: a stable name, a sentence, and what to do.

use serde::Serialize;
use treewright_core::Error;

/// The core separates the option, the value and the remark of a hint by this character.
const SEPARATOR: char = '\u{1f}';

/// An error, as on every surface.
#[derive(Debug, Serialize, PartialEq)]
pub struct Failure {
    /// A stable name such as `data.ragged-row`.
    pub slug: String,
    /// One sentence: what, where, what was seen.
    pub message: String,
    /// What to do instead.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hint: Option<String>,
}

/// A result with such an error.
pub type Result<T> = std::result::Result<T, Failure>;

impl Failure {
    /// An error without a hint.
    pub fn new(slug: &str, message: impl Into<String>) -> Failure {
        Failure { slug: slug.to_owned(), message: message.into(), hint: None }
    }

    /// A parameter or an argument that cannot be.
    pub fn usage(message: impl Into<String>) -> Failure {
        Failure::new("usage.parameter", message)
    }

    /// The same with a hint.
    pub fn with_hint(self, hint: impl Into<String>) -> Failure {
        Failure { hint: Some(hint.into()), ..self }
    }
}

impl From<Error> for Failure {
    fn from(error: Error) -> Failure {
        match error {
            Error::Data { slug, message } | Error::Model { slug, message } => {
                let mut lines = message.lines();
                let first = lines.next().unwrap_or_default().to_owned();
                let hints: Vec<String> = lines.map(written_hint).collect();
                Failure { slug: slug.to_owned(), message: first, hint: (!hints.is_empty()).then(|| hints.join("\n")) }
            }
            Error::PeerLost { message, .. } => Failure::new("fit.peer-lost", &message),
            Error::Cancelled => Failure::new("stopped", "the work was stopped"),
            Error::Memory => Failure::new("memory", "there is not enough memory for this table in a page")
                .with_hint("use the command line, which has no such limit"),
        }
    }
}

/// A hint as a line: an option of the core is written as a name and its value.
fn written_hint(line: &str) -> String {
    let mut parts = line.split(SEPARATOR);
    match (parts.next(), parts.next(), parts.next(), parts.next()) {
        (Some(""), Some(option), Some(value), remark) => {
            let remark = remark.filter(|remark| !remark.is_empty()).map(|remark| format!(" ({remark})"));
            format!("{option}: {value}{}", remark.unwrap_or_default())
        }
        _ => line.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_hint_of_the_core_becomes_a_line() {
        let error = Error::data("data.ragged-row", "what is wrong\n\u{1f}missing\u{1f}NA\u{1f}if it is\nanother line");
        let failure = Failure::from(error);
        assert_eq!(failure.message, "what is wrong");
        assert_eq!(failure.hint.as_deref(), Some("missing: NA (if it is)\nanother line"));
        assert_eq!(Failure::from(Error::Cancelled).slug, "stopped");
    }
}
