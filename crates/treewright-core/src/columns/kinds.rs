//! What a column of text is, numeric or categorical: the rules, applied to whole columns.
//!
//! | cells | kind |
//! | --- | --- |
//! | every cell is a number | numeric |
//! | a leading zero, a telephone number, beyond 2^53 | categorical: as a number it would lose information |
//! | only 0 and 1 | categorical |
//! | currency or percent signs, thousands separators, decimal commas (`$1,542.58`) | numeric, if only one decimal mark makes numbers of all cells; otherwise categorical |
//! | more numbers than text | an error: a word for "missing", or a typing mistake |
//! | anything else | categorical; `TRUE` and `Yes` stay the text they are |
//!
//! What the user asked for wins. Every other decision is noted.

use super::amounts::{decimal_mark, read_amount};
use super::column::{Choice, Meaning, TypedColumn, different_numbers, map_codes, to_levels};
use super::explanation::Explanation;
use super::mixed::refuse_mixed;
use super::number_label::write_number;
use super::refusal::Stop;
use crate::Result;
use crate::data::csv::cell::Shape;
use crate::data::csv::column::WantedKind;
use crate::data::csv::facts::Facts;
use crate::data::csv::{Text, TypedValues};
use crate::data::table::MISSING;
use crate::sys::memory::collected;
use std::borrow::Cow;

/// Decides what a column of a text file is; `missing` lists all texts that were read as missing in the file.
pub fn type_text(
    name: &str,
    facts: &Facts,
    values: TypedValues<'static>,
    choice: &Choice,
    missing: &[String],
) -> Result<TypedColumn<'static>, Stop> {
    let free = choice.wanted_kind() == WantedKind::Free;
    let mut words = Vec::new();
    if !facts.words.is_empty() {
        words.push(Explanation::missing_words(&facts.words));
    }
    if let TypedValues::Codes(codes, levels) = &values
        && choice.wanted_kind() != WantedKind::Codes
        && let Some(mut column) = read_amounts(name, codes, levels, facts)?
    {
        column.reasons = if free { [words, column.reasons].concat() } else { words };
        return Ok(column);
    }
    if !choice.ignored && choice.wanted_kind() != WantedKind::Codes {
        refuse_mixed(name, facts, free, missing)?;
    }
    let mut column = TypedColumn { reasons: words, ..TypedColumn::new(name, values) };
    match &column.values {
        TypedValues::Codes(..) if free => {
            column.reasons.extend(explain_text(name, facts, missing));
            (column.dates, column.amounts) = (facts.are_dates(), facts.are_amounts());
        }
        TypedValues::Numbers(numbers) => {
            let only_integers = facts.integers == facts.numbers() && facts.integers > 0;
            if free && only_integers && numbers.iter().all(|number| number.is_nan() || *number == 0.0 || *number == 1.0)
            {
                column.values = number_levels(numbers)?;
                column.reasons.push(Explanation::zero_one(name));
            } else {
                column.floats = facts.integers < facts.numbers();
            }
        }
        TypedValues::Codes(..) => {}
    }
    Ok(column)
}

/// Decides what a text column of another container is, about which the user said nothing.
pub fn type_levels(column: &mut TypedColumn<'_>) -> Result<()> {
    let TypedValues::Codes(codes, levels) = &column.values else { return Ok(()) };
    let Some(facts) = Facts::of_texts(levels.cells()) else { return Ok(()) };
    if let Some(numbers) = read_amounts(&column.name, codes, levels, &facts)? {
        *column = numbers;
        return Ok(());
    }
    column.dates = facts.are_dates();
    column.amounts = facts.are_amounts();
    column.reasons.extend(column.amounts.then(|| open_mark(&column.name, &facts)));
    Ok(())
}

/// Reads texts such as `$1,542.58` as numbers; None if they are no such numbers or two decimal marks are possible.
pub fn read_amounts(name: &str, codes: &[u32], levels: &Text, facts: &Facts) -> Result<Option<TypedColumn<'static>>> {
    if !facts.all_amounts() {
        return Ok(None);
    }
    let texts: Vec<Cow<'_, str>> = levels.texts().collect();
    let Some(mark) = decimal_mark(&texts) else { return Ok(None) };
    let numbers = collected(texts.iter().map(|text| read_amount(text, mark)))?;
    let values = TypedValues::Numbers(Cow::Owned(map_codes(codes, &numbers, f64::NAN)?));
    let example = facts.examples(&[Shape::Amount, Shape::Comma]).first().map_or("", |(_, text)| text);
    Ok(Some(TypedColumn {
        meaning: Some(Meaning::Amount(mark)),
        reasons: vec![Explanation::amounts(name, example, mark)],
        floats: true,
        ..TypedColumn::new(name, values)
    }))
}

/// Numbers as categories, with a level per number in their order.
pub fn number_levels(numbers: &[f64]) -> Result<TypedValues<'static>> {
    let sorted = different_numbers(numbers)?;
    let code = |number: &f64| {
        if number.is_nan() { MISSING } else { sorted.partition_point(|level| level < number) as u32 }
    };
    let codes = collected(numbers.iter().map(code))?;
    Ok(TypedValues::Codes(Cow::Owned(codes), to_levels(sorted.iter().map(|&number| write_number(number)))?))
}

/// The decisions about a text column of which the user said nothing.
fn explain_text(name: &str, facts: &Facts, missing: &[String]) -> Vec<Explanation> {
    let (numbers, texts) = (facts.numbers(), facts.texts());
    let lossy = [Shape::Zeros, Shape::Phone, Shape::Large].into_iter().find(|&shape| facts.count(shape) > 0);
    if let Some(shape) = lossy.filter(|_| texts == 0) {
        return vec![Explanation::lossy_numbers(name, shape, &examples(facts, shape))];
    }
    let mut reasons = Vec::new();
    if numbers > 0 {
        reasons.push(Explanation::numbers_among_text(name, numbers, texts));
    }
    if facts.are_amounts() {
        reasons.push(open_mark(name, facts));
    }
    if facts.count(Shape::Word) > 0 {
        let words = examples(facts, Shape::Word);
        let missing = unite(words.iter().copied(), missing);
        reasons.push(Explanation::words_kept(name, &words, facts.count(Shape::Word), missing));
    }
    reasons
}

/// The decision about numbers that are written in a way that is not read as numbers.
fn open_mark(name: &str, facts: &Facts) -> Explanation {
    let signs = facts.count(Shape::Amount) > facts.count(Shape::Comma);
    Explanation::open_mark(name, signs, &examples(facts, if signs { Shape::Amount } else { Shape::Comma }))
}

fn examples(facts: &Facts, shape: Shape) -> Vec<&String> {
    facts.examples(&[shape]).into_iter().map(|(_, text)| text).collect()
}

/// Texts and those of another list that are not among them.
pub fn unite<'a>(texts: impl Iterator<Item = &'a String>, others: &'a [String]) -> Vec<String> {
    let mut all: Vec<String> = Vec::new();
    for text in texts.chain(others) {
        if !all.contains(text) {
            all.push(text.clone());
        }
    }
    all
}
