//! Columns that are neither numbers nor text.

use super::explanation::marks;
use super::kinds::unite;
use super::refusal::{Refusal, Stop};
use super::sentence::{Hint, HintValue, Sentence};
use crate::Result;
use crate::data::csv::cell::Shape;
use crate::data::csv::facts::Facts;

/// How many cells are shown.
const SHOWN: usize = 4;

/// Refuses a column that is neither numbers nor text; `free`: the user said nothing about it.
pub fn refuse_mixed(name: &str, facts: &Facts, free: bool, missing: &[String]) -> Result<(), Stop> {
    let (numbers, texts) = (facts.numbers(), facts.texts());
    if texts > 0 && facts.count(Shape::Overflow) == texts {
        let seen = facts.examples(&[Shape::Overflow]);
        let mut advice = vec![write_lines(&seen)];
        advice.extend(read_as_missing(name, &seen, free, missing));
        let message = Sentence::about(name).say(" holds a number too large to compute with");
        return Err(Refusal { slug: "data.number-too-large", message, advice }.into());
    }
    if texts == 0 || (free && numbers <= texts) {
        return Ok(());
    }
    let mut seen =
        facts.examples(&[Shape::Date, Shape::Comma, Shape::Amount, Shape::Word, Shape::Text, Shape::Overflow]);
    seen.truncate(SHOWN);
    let mut advice = vec![write_lines(&seen)];
    if texts == 1 && seen.first().is_some_and(|(line, _)| *line == 2) {
        advice.push("line 2 is the first row: a second header?".into());
    }
    if facts.amounts() > 0 {
        advice.extend(marks().map(Sentence::from));
        advice.extend(free.then(|| Hint::column("categorical", name).into()));
    } else if texts <= numbers {
        // With more texts, the advice would make most of the column missing.
        advice.extend(read_as_missing(name, &seen, free, missing));
    }
    let about = Sentence::about(name);
    let message = if numbers > 0 {
        about.say(" is numeric in ").plural(numbers, "row").say(" but not in ").count(texts)
    } else {
        about.say(" has no numeric values (").plural(texts, "row").say(" of text)")
    };
    Err(Refusal { slug: "data.mixed-column", message, advice }.into())
}

fn write_lines(seen: &[&(u64, String)]) -> Sentence {
    seen.iter().enumerate().fold(Sentence::default(), |sentence, (at, (line, text))| {
        sentence.say(if at > 0 { "    line " } else { "line " }).count(*line as usize).say(": ").quote(text)
    })
}

fn read_as_missing(name: &str, seen: &[&(u64, String)], free: bool, missing: &[String]) -> Vec<Sentence> {
    let texts = unite(seen.iter().map(|(_, text)| text), missing);
    let mut advice: Vec<Sentence> = vec![Hint { option: "missing", value: HintValue::Texts(texts), note: "" }.into()];
    advice.extend(free.then(|| Hint::column("categorical", name).into()));
    advice
}
