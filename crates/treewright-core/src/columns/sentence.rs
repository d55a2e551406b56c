//! Sentences about a table, as data: words of ours, texts of the user, and options to type.
//!
//! Texts of a table are apart from the words around them, so that each surface can show them in its own way: a terminal
//! clips and escapes them, a page makes text nodes of them.

use crate::data::csv::complaint::{grouped, shorten};
use std::borrow::Cow;

/// How many characters of a text are shown where nobody else decides.
const LONGEST_TEXT: usize = 40;

/// The value of an option.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum HintValue {
    /// Only the user knows it.
    Open,
    /// The option is switched off.
    No,
    /// One text.
    Text(&'static str),
    /// Some texts, such as names of columns.
    Texts(Vec<String>),
}

/// What to type: an option with a value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hint {
    /// The name of the option.
    pub option: &'static str,
    /// Its value.
    pub value: HintValue,
    /// A remark behind it.
    pub note: &'static str,
}

impl Hint {
    /// An option with one text.
    pub fn text(option: &'static str, value: &'static str) -> Hint {
        Hint { option, value: HintValue::Text(value), note: "" }
    }

    /// An option with one column.
    pub fn column(option: &'static str, name: &str) -> Hint {
        Hint { option, value: HintValue::Texts(vec![name.to_owned()]), note: "" }
    }
}

impl std::fmt::Display for Hint {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let value = match &self.value {
            HintValue::Open => "...".to_owned(),
            HintValue::No => "no".to_owned(),
            HintValue::Text(text) => format!("\"{text}\""),
            HintValue::Texts(texts) => {
                let quoted: Vec<_> = texts.iter().map(|text| format!("\"{}\"", show(text))).collect();
                quoted.join(", ")
            }
        };
        write!(f, "{}: {value}", self.option)?;
        if self.note.is_empty() { Ok(()) } else { write!(f, " ({})", self.note) }
    }
}

/// A part of a sentence.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Piece {
    /// Words of ours.
    Words(Cow<'static, str>),
    /// A text of the table.
    Text(String),
    /// An option, as it is typed.
    Option(Hint),
}

/// A sentence; empty where there is nothing to say.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Sentence(pub Vec<Piece>);

impl From<&'static str> for Sentence {
    fn from(words: &'static str) -> Sentence {
        Sentence::default().say(words)
    }
}

impl From<Hint> for Sentence {
    fn from(hint: Hint) -> Sentence {
        Sentence::default().option(hint)
    }
}

impl Sentence {
    /// A sentence that begins with the name of a column.
    pub fn about(name: &str) -> Sentence {
        Sentence::default().quote(name)
    }

    /// Adds words.
    pub fn say(mut self, words: impl Into<Cow<'static, str>>) -> Sentence {
        let words = words.into();
        if !words.is_empty() {
            self.0.push(Piece::Words(words));
        }
        self
    }

    /// Adds a text of the table.
    pub fn show(mut self, text: &str) -> Sentence {
        self.0.push(Piece::Text(text.to_owned()));
        self
    }

    /// Adds a text of the table in quotation marks.
    pub fn quote(self, text: &str) -> Sentence {
        self.say("\"").show(text).say("\"")
    }

    /// Adds an option.
    pub fn option(mut self, hint: Hint) -> Sentence {
        self.0.push(Piece::Option(hint));
        self
    }

    /// Adds a number with its thousands apart.
    pub fn count(self, number: usize) -> Sentence {
        self.say(grouped(number as u64))
    }

    /// Adds a number of things.
    pub fn plural(self, number: usize, noun: &str) -> Sentence {
        self.say(format!("{} {noun}{}", grouped(number as u64), if number == 1 { "" } else { "s" }))
    }

    /// Adds texts in quotation marks with something between them.
    pub fn quote_all<T: AsRef<str>>(self, texts: &[T], between: &'static str) -> Sentence {
        texts
            .iter()
            .enumerate()
            .fold(self, |sentence, (at, text)| sentence.say(if at > 0 { between } else { "" }).quote(text.as_ref()))
    }

    /// Adds the first few of some texts, and dots where there are more.
    pub fn list<T: AsRef<str>>(self, texts: impl IntoIterator<Item = T>, few: usize) -> Sentence {
        let mut texts = texts.into_iter();
        let listed = texts
            .by_ref()
            .take(few)
            .enumerate()
            .fold(self, |sentence, (at, text)| sentence.say(if at > 0 { ", " } else { "" }).show(text.as_ref()));
        if texts.next().is_some() { listed.say(", …") } else { listed }
    }

    /// Whether there is nothing to say.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl std::fmt::Display for Sentence {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.0.iter().try_for_each(|piece| match piece {
            Piece::Words(words) => f.write_str(words),
            Piece::Text(text) => f.write_str(&show(text)),
            Piece::Option(hint) => write!(f, "{hint}"),
        })
    }
}

fn show(text: &str) -> String {
    shorten(text.as_bytes(), LONGEST_TEXT)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_of_the_table_stay_on_their_line() {
        let sentence =
            Sentence::about("a\nb").say(" has ").plural(1204, "row").say(" (").list(["x", "y", "z"], 2).say(")");
        assert_eq!(sentence.to_string(), "\"a\\nb\" has 1,204 rows (x, y, …)");
        let hint = Hint { note: "each a category", ..Hint::column("categorical", "a") };
        assert_eq!(Sentence::default().option(hint).to_string(), "categorical: \"a\" (each a category)");
    }
}
