//! Every decision about a column that its owner did not make, in words: in a few, in a sentence, and how to change it.
//! Decisions about a file as a whole are in [`super::file_notes`].

use super::amounts::Mark;
use super::dates::DatePart;
use super::sentence::{Hint, HintValue, Sentence};
use crate::data::csv::cell::Shape;

/// How many examples an explanation has.
const FEW: usize = 2;
const AS_CATEGORIES: &str = "uses them as categories";
const AS_NUMBERS: &str = "reads it as numbers";
/// The slug of [`Explanation::no_name`], which comes before all other notes.
pub const NO_NAME: &str = "no-name";

/// What to type where a comma may be a decimal mark or separate thousands.
pub fn marks() -> [Hint; 2] {
    [Hint::text("decimal", ","), Hint::text("thousands", ",")]
}

/// A decision in words.
#[derive(Clone, Debug, Default)]
pub struct Explanation {
    /// A stable name of the decision.
    pub slug: &'static str,
    /// In a few words.
    pub short: Sentence,
    /// As a sentence; empty where the few words suffice.
    pub sentence: Sentence,
    /// The option that changes it.
    pub hint: Option<Hint>,
    /// What the option does, as the rest of a sentence that begins with it.
    pub effect: Sentence,
}

impl Explanation {
    /// A decision that no option changes.
    pub fn new(slug: &'static str, short: impl Into<Sentence>, sentence: Sentence) -> Explanation {
        Explanation { slug, short: short.into(), sentence, ..Explanation::default() }
    }

    /// The same with the option that changes it.
    pub fn changed_by(mut self, hint: Hint, effect: impl Into<Sentence>) -> Explanation {
        (self.hint, self.effect) = (Some(hint), effect.into());
        self
    }
}

/// Decisions about what a column of text is.
impl Explanation {
    /// Words that are missing here, with their rows.
    pub fn missing_words(words: &[(String, usize)]) -> Explanation {
        let short = words.iter().enumerate().fold(Sentence::from("missing: "), |short, (at, (word, rows))| {
            short.say(if at > 0 { ", " } else { "" }).quote(word).say(" ").count(*rows)
        });
        Explanation::new("missing-words", short, Sentence::default())
    }

    /// Numbers of a shape that would lose something, read as categories.
    pub fn lossy_numbers(name: &str, shape: Shape, examples: &[&String]) -> Explanation {
        let (slug, short, why) = match shape {
            Shape::Zeros => ("leading-zeros", "leading zeros", " has leading zeros ("),
            Shape::Phone => ("telephone-numbers", "telephone numbers", " holds numbers that start with + ("),
            _ => ("large-numbers", "beyond 2^53", " holds whole numbers that would lose digits ("),
        };
        let sentence = Sentence::about(name).say(why).list(examples, FEW).say("): read as categorical.");
        Explanation::new(slug, short, sentence).changed_by(Hint::column("numeric", name), AS_NUMBERS)
    }

    /// Only 0 and 1, read as categories.
    pub fn zero_one(name: &str) -> Explanation {
        let sentence = Sentence::about(name).say(" holds only 0 and 1: read as categorical.");
        Explanation::new("zero-one", "two values", sentence).changed_by(Hint::column("numeric", name), AS_NUMBERS)
    }

    /// Rows with a number among rows with another text.
    pub fn numbers_among_text(name: &str, numbers: usize, texts: usize) -> Explanation {
        let short = Sentence::default().plural(numbers, "number").say(" among text");
        let sentence = Sentence::about(name).say(" holds ").plural(numbers, "number").say(" among text (");
        Explanation::new("numbers-among-text", short, sentence.count(texts).say(" texts): read as categorical."))
    }

    /// Words that often stand for a missing value, kept as text; `missing` is what the option to read them so must list.
    pub fn words_kept(name: &str, words: &[&String], rows: usize, missing: Vec<String>) -> Explanation {
        let short = Sentence::default().quote_all(words, " and ").say(" kept");
        let sentence = Sentence::about(name).say(" holds ").quote_all(words, " and ").say(" in ").plural(rows, "row");
        let hint = Hint { option: "missing", value: HintValue::Texts(missing), note: "" };
        Explanation::new("words-kept", short, sentence.say(": kept as text.")).changed_by(hint, "reads it as missing")
    }

    /// Numbers with signs or a comma, read as numbers.
    pub fn amounts(name: &str, example: &str, mark: Mark) -> Explanation {
        let decimals = match mark {
            Mark::Comma => ": read as numbers with a decimal comma.",
            Mark::Point => ": read as numbers with a decimal point.",
        };
        let sentence = Sentence::about(name).say(" holds numbers written like ").quote(example).say(decimals);
        Explanation::new("amounts", Sentence::from("numbers like ").quote(example), sentence)
            .changed_by(Hint::column("categorical", name), "keeps the texts")
    }

    /// Numbers with signs, or else with a comma, kept as text because the decimal mark is open.
    pub fn open_mark(name: &str, signs: bool, examples: &[&String]) -> Explanation {
        let [decimal, thousands] = marks();
        let how = if signs { "a currency or percent sign, or thousands apart" } else { "a comma" };
        let sentence = Sentence::about(name)
            .say(format!(" holds numbers with {how} ("))
            .list(examples, FEW)
            .say("); it is not clear which mark is decimal: kept as text.");
        let sign = if signs { "a sign" } else { "a comma" };
        let short = Sentence::default().say(format!("numbers with {sign}: decimal mark or thousands?"));
        let effect = Sentence::from("reads them as decimals, ").option(thousands).say(" as thousands");
        Explanation::new("open-decimal-mark", short, sentence).changed_by(decimal, effect)
    }
}

/// Decisions about dates.
impl Explanation {
    /// The order of day and month is open.
    pub fn open_date_order(name: &str) -> Explanation {
        let sentence = Sentence::about(name).say(
            " holds dates that can be read as day/month or month/day, or no calendar dates. \
             Write them as 2024-03-31 to use their parts.",
        );
        Explanation::new("open-date-order", "day or month first? write 2024-03-31", sentence)
    }

    /// Dates as numbers, with these parts.
    pub fn date_parts(name: &str, parts: &[DatePart]) -> Explanation {
        let names: Vec<_> = parts.iter().skip(1).map(|part| part.name()).collect();
        let words = format!(" holds dates: compared by date, with columns for its {}.", names.join(", "));
        Explanation::new("date-parts", "dates and their parts", Sentence::about(name).say(words))
            .changed_by(Hint::column("ignore", name), "leaves it out")
    }

    /// Dates, ignored.
    pub fn dates(name: &str) -> Explanation {
        Explanation::new("dates", "ignored", Sentence::about(name).say(" holds dates: ignored."))
            .changed_by(Hint::text("dates", "parts"), "uses year, month and weekday")
    }
}

/// Decisions about whether a column is used.
impl Explanation {
    /// Ignored because the user said so.
    pub fn ignored_as_asked() -> Explanation {
        Explanation::new("ignored-as-asked", "ignored as asked", Sentence::default())
    }

    /// Missing in every row, ignored.
    pub fn empty(name: &str) -> Explanation {
        Explanation::new("empty", "ignored", Sentence::about(name).say(" is missing in every row: ignored."))
    }

    /// So many different texts that are numbers with an open decimal mark, ignored.
    pub fn many_amounts(name: &str, different: usize) -> Explanation {
        let sentence = Sentence::about(name).say(" has ").count(different).say(" different texts: ignored.");
        Explanation::new("many-amounts", "ignored", sentence).changed_by(Hint::column("keep", name), AS_CATEGORIES)
    }

    /// A different value in each of so many rows, ignored.
    pub fn identifier(name: &str, rows: usize, numbers: bool) -> Explanation {
        let what = if numbers { "whole number" } else { "value" };
        let sentence = Sentence::about(name).say(format!(" has a different {what} in each of ")).count(rows);
        Explanation::new("identifier", "one value per row: ignored", sentence.say(" rows: ignored."))
            .changed_by(Hint::column("keep", name), "uses it")
    }

    /// Sentences, ignored.
    pub fn sentences(name: &str, texts: usize, rows: usize) -> Explanation {
        let sentence = describe(Sentence::about(name).say(" holds sentences ("), texts, rows)
            .say("): ignored. To use them, make columns of numbers of them.");
        Explanation::new("sentences", "sentences: ignored", sentence).changed_by(Hint::column("keep", name), "uses it")
    }

    /// Text with few rows for each value, used.
    pub fn nearly_unique(name: &str, texts: usize, rows: usize) -> Explanation {
        let sentence = describe(Sentence::about(name).say(" has "), texts, rows)
            .say(", too few rows each to learn from: most algorithms treat rare values as one.");
        Explanation::new("nearly-unique", "nearly unique text", sentence)
            .changed_by(Hint::column("ignore", name), "leaves it out")
    }

    /// The same value in every row.
    pub fn constant(name: &str) -> Explanation {
        let sentence = Sentence::about(name).say(" has the same value in every row: it cannot be used to predict.");
        Explanation::new("constant", "one value", sentence)
    }

    /// The first column has no name, ignored.
    pub fn no_name(name: &str) -> Explanation {
        let sentence = Sentence::from("the first column has no name: read as row numbers, called ");
        Explanation::new(NO_NAME, "no name: ignored", sentence.quote(name).say(" and ignored."))
            .changed_by(Hint::column("keep", name), "uses it")
    }
}

/// How many values a column has.
fn describe(sentence: Sentence, texts: usize, rows: usize) -> Sentence {
    sentence.count(texts).say(" different texts in ").count(rows).say(" rows")
}
