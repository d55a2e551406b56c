//! Every decision in words: in a few, in a sentence, and how to change it.

use super::amounts::Mark;
use super::reason::{FileReason, Lossy, Reason};
use super::sentence::{Hint, HintValue, Sentence};

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
    fn new(slug: &'static str, short: impl Into<Sentence>, sentence: Sentence) -> Explanation {
        Explanation { slug, short: short.into(), sentence, ..Explanation::default() }
    }

    fn changed_by(mut self, hint: Hint, effect: impl Into<Sentence>) -> Explanation {
        (self.hint, self.effect) = (Some(hint), effect.into());
        self
    }
}

/// What to type where a comma may be a decimal mark or separate thousands.
pub fn marks() -> [Hint; 2] {
    [Hint::text("decimal", ","), Hint::text("thousands", ",")]
}

const AS_CATEGORIES: &str = "uses them as categories";
const AS_NUMBERS: &str = "reads it as numbers";

impl Reason {
    /// The decision in words, about the column of this name.
    pub fn explain(&self, name: &str) -> Explanation {
        let kind = self.explain_kind(name).or_else(|| self.explain_marks(name));
        kind.or_else(|| self.explain_dates(name)).unwrap_or_else(|| self.explain_role(name))
    }

    /// Decisions about what a column of text is.
    fn explain_kind(&self, name: &str) -> Option<Explanation> {
        let about = Sentence::about(name);
        Some(match self {
            Reason::MissingWords(words) => {
                let short = words.iter().enumerate().fold(Sentence::from("missing: "), |short, (at, (word, rows))| {
                    short.say(if at > 0 { ", " } else { "" }).quote(word).say(" ").count(*rows)
                });
                Explanation::new("missing-words", short, Sentence::default())
            }
            Reason::Lossy(kind, examples) => {
                let (slug, short, why) = match kind {
                    Lossy::Zeros => ("leading-zeros", "leading zeros", " has leading zeros ("),
                    Lossy::Phone => ("telephone-numbers", "telephone numbers", " holds numbers that start with + ("),
                    Lossy::Large => ("large-numbers", "beyond 2^53", " holds whole numbers that would lose digits ("),
                };
                let sentence = about.say(why).list(&examples.texts, examples.more).say("): read as categorical.");
                Explanation::new(slug, short, sentence).changed_by(Hint::column("numeric", name), AS_NUMBERS)
            }
            Reason::ZeroOne => {
                let sentence = about.say(" holds only 0 and 1: read as categorical.");
                Explanation::new("zero-one", "two values", sentence)
                    .changed_by(Hint::column("numeric", name), AS_NUMBERS)
            }
            Reason::NumbersAmongText { numbers, texts } => {
                let short = Sentence::default().plural(*numbers, "number").say(" among text");
                let sentence = about.say(" holds ").plural(*numbers, "number").say(" among text (");
                Explanation::new(
                    "numbers-among-text",
                    short,
                    sentence.count(*texts).say(" texts): read as categorical."),
                )
            }
            Reason::WordsKept { words, rows, missing } => {
                let short = Sentence::default().quote_all(words, " and ").say(" kept");
                let sentence = about.say(" holds ").quote_all(words, " and ").say(" in ").plural(*rows, "row");
                let hint = Hint { option: "missing", value: HintValue::Texts(missing.clone()), note: "" };
                Explanation::new("words-kept", short, sentence.say(": kept as text."))
                    .changed_by(hint, "reads it as missing")
            }
            _ => return None,
        })
    }

    /// Decisions about the marks in numbers.
    fn explain_marks(&self, name: &str) -> Option<Explanation> {
        let about = Sentence::about(name);
        Some(match self {
            Reason::Amounts { example, mark } => {
                let decimals = match mark {
                    Mark::Comma => ": read as numbers with a decimal comma.",
                    Mark::Point => ": read as numbers with a decimal point.",
                };
                let sentence = about.say(" holds numbers written like ").quote(example).say(decimals);
                Explanation::new("amounts", Sentence::from("numbers like ").quote(example), sentence)
                    .changed_by(Hint::column("categorical", name), "keeps the texts")
            }
            Reason::OpenMark { signs, examples } => {
                let [decimal, thousands] = marks();
                let how = if *signs { "a currency or percent sign, or thousands apart" } else { "a comma" };
                let sentence = about
                    .say(format!(" holds numbers with {how} ("))
                    .list(&examples.texts, examples.more)
                    .say("); it is not clear which mark is decimal: kept as text.");
                let sign = if *signs { "a sign" } else { "a comma" };
                let short = Sentence::default().say(format!("numbers with {sign}: decimal mark or thousands?"));
                let effect = Sentence::from("reads them as decimals, ").option(thousands).say(" as thousands");
                Explanation::new("open-decimal-mark", short, sentence).changed_by(decimal, effect)
            }
            _ => return None,
        })
    }

    /// Decisions about dates.
    fn explain_dates(&self, name: &str) -> Option<Explanation> {
        let about = Sentence::about(name);
        Some(match self {
            Reason::OpenDateOrder => {
                let sentence = about.say(
                    " holds dates that can be read as day/month or month/day, or no calendar dates. \
                     Write them as 2024-03-31 to use their parts.",
                );
                Explanation::new("open-date-order", "day or month first? write 2024-03-31", sentence)
            }
            Reason::DateParts(parts) => {
                let names: Vec<_> = parts.iter().skip(1).map(|part| part.name()).collect();
                let says = format!(" holds dates: compared by date, with columns for its {}.", names.join(", "));
                Explanation::new("date-parts", "dates and their parts", about.say(says))
                    .changed_by(Hint::column("ignore", name), "leaves it out")
            }
            Reason::Dates => Explanation::new("dates", "ignored", about.say(" holds dates: ignored."))
                .changed_by(Hint::text("dates", "parts"), "uses year, month and weekday"),
            _ => return None,
        })
    }

    /// Decisions about whether a column is used.
    fn explain_role(&self, name: &str) -> Explanation {
        let about = Sentence::about(name);
        let keep = Hint::column("keep", name);
        match self {
            Reason::Empty => Explanation::new("empty", "ignored", about.say(" is missing in every row: ignored.")),
            Reason::ManyAmounts(different) => {
                let sentence = about.say(" has ").count(*different).say(" different texts: ignored.");
                Explanation::new("many-amounts", "ignored", sentence).changed_by(keep, AS_CATEGORIES)
            }
            Reason::Identifier { rows, numbers } => {
                let what = if *numbers { "whole number" } else { "value" };
                let sentence = about.say(format!(" has a different {what} in each of ")).count(*rows);
                Explanation::new("identifier", "one value per row: ignored", sentence.say(" rows: ignored."))
                    .changed_by(keep, "uses it")
            }
            Reason::Sentences { texts, rows } => {
                let sentence = describe(about.say(" holds sentences ("), *texts, *rows)
                    .say("): ignored. To use them, make columns of numbers of them.");
                Explanation::new("sentences", "sentences: ignored", sentence).changed_by(keep, "uses it")
            }
            Reason::NearlyUnique { texts, rows } => {
                let sentence = describe(about.say(" has "), *texts, *rows)
                    .say(", too few rows each to learn from: most algorithms treat rare values as one.");
                Explanation::new("nearly-unique", "nearly unique text", sentence)
                    .changed_by(Hint::column("ignore", name), "leaves it out")
            }
            Reason::Constant => {
                let sentence = about.say(" has the same value in every row: it cannot be used to predict.");
                Explanation::new("constant", "one value", sentence)
            }
            Reason::NoName => {
                let sentence = Sentence::from("the first column has no name: read as row numbers, called ");
                Explanation::new("no-name", "no name: ignored", sentence.quote(name).say(" and ignored."))
                    .changed_by(keep, "uses it")
            }
            _ => Explanation::new("ignored-as-asked", "ignored as asked", Sentence::default()),
        }
    }
}

/// How many values a column has.
fn describe(sentence: Sentence, texts: usize, rows: usize) -> Sentence {
    sentence.count(texts).say(" different texts in ").count(rows).say(" rows")
}

impl FileReason {
    /// The decision in words.
    pub fn explain(&self) -> Explanation {
        let note = |slug, sentence| Explanation::new(slug, Sentence::default(), sentence);
        let left_out = |slug, count: usize, noun| note(slug, Sentence::default().plural(count, noun).say(" left out."));
        match self {
            FileReason::Delimiter(delimiter) => {
                let hint = Hint { option: "delimiter", value: HintValue::Open, note: "" };
                let sentence = delimiter.map_or("the lines are separated by blanks.".into(), |delimiter| {
                    let named = name_delimiter(delimiter).map_or(delimiter.to_string(), str::to_owned);
                    Sentence::default().say(format!("the first line is separated by a {named}: so are the others."))
                });
                note("delimiter", sentence).changed_by(hint, "names another delimiter")
            }
            FileReason::Ragged(rows) => left_out("ragged-rows", *rows, "ragged row"),
            FileReason::BlankLines(lines) => left_out("blank-lines", *lines, "blank line"),
            FileReason::CommentLines(lines) => left_out("comment-lines", *lines, "comment line"),
            FileReason::Missing { marker, cells, columns } => {
                let sentence = Sentence::about(marker).say(" is read as missing: ");
                note("missing", count_cells(sentence, *cells, *columns))
            }
            FileReason::MissingWords { words, cells, columns } => {
                let is = if words.len() == 1 { " is" } else { " are" };
                let sentence = Sentence::default().quote_all(words, ", ").say(is).say(" read as missing: ");
                let hint = Hint { option: "missing", value: HintValue::Texts(vec![String::new()]), note: "" };
                note("missing-words", count_cells(sentence, *cells, *columns))
                    .changed_by(hint, "keeps such words as text")
            }
            FileReason::Padded(names) => {
                let sentence = Sentence::from("blanks around text left out: ").list(&names.texts, names.more);
                note("padded", sentence.say("."))
            }
            FileReason::CommentAsName(name) => {
                let sentence = Sentence::from("the first line starts with # (").show(name);
                note("comment-as-name", sentence.say(") and was read as a name."))
                    .changed_by(Hint::text("comment", "#"), "leaves out such lines")
            }
            FileReason::ValuesAsNames(names) => {
                let sentence = Sentence::from("the first row (").list(&names.texts, names.more);
                let hint = Hint { option: "header", value: HintValue::No, note: "" };
                note("values-as-names", sentence.say(") looks like data and was read as names."))
                    .changed_by(hint, "reads it as a row")
            }
        }
    }
}

/// How many cells of how many columns there are.
fn count_cells(sentence: Sentence, cells: usize, columns: usize) -> Sentence {
    sentence.plural(cells, "cell").say(" of ").plural(columns, "column").say(".")
}

/// The word for a delimiter.
pub fn name_delimiter(delimiter: char) -> Option<&'static str> {
    match delimiter {
        ',' => Some("comma"),
        ';' => Some("semicolon"),
        '\t' => Some("tab"),
        '|' => Some("vertical bar"),
        _ => None,
    }
}
