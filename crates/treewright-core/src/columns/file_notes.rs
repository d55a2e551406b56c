//! Decisions about a text file as a whole: its delimiter, its header, words for missing values.

use super::column::TypedColumn;
use super::explanation::Explanation;
use super::sentence::{Hint, HintValue, Sentence};
use crate::data::csv::TypedValues;
use crate::data::csv::facts::Facts;
use crate::data::csv::trim;

/// How many names are listed.
const FEW: usize = 3;

/// What a reader found out about a file, and what the user said about it.
#[derive(Clone, Debug, Default)]
pub struct FileFacts {
    /// The delimiter, where the user did not name it; None in the option for blanks.
    pub found_delimiter: Option<Option<char>>,
    /// Whether the first row holds the names of the columns.
    pub header: bool,
    /// The texts that are missing in every column.
    pub missing: Vec<String>,
    /// Rows left out because they were ragged.
    pub ragged: usize,
    /// Blank lines between rows.
    pub blank_lines: usize,
    /// Comment lines before rows.
    pub comment_lines: usize,
}

/// The texts that were read as missing somewhere in the file.
pub fn seen_missing(facts: &[Facts], markers: &[String]) -> Vec<String> {
    let seen = |at: usize| facts.iter().any(|each| each.missing.get(at).is_some_and(|&cells| cells > 0));
    let mut texts: Vec<String> = Vec::new();
    let markers = markers.iter().enumerate().filter(|(at, _)| seen(*at)).map(|(_, text)| text);
    for text in markers.chain(facts.iter().flat_map(|each| each.words.iter().map(|(word, _)| word))) {
        if !texts.contains(text) {
            texts.push(text.clone());
        }
    }
    texts
}

/// The decisions about the whole file; `columns` are as they were read, before dates were split.
pub fn note_file(file: &FileFacts, facts: &[Facts], columns: &[TypedColumn<'_>]) -> Vec<Explanation> {
    let mut notes = Vec::new();
    notes.extend(file.found_delimiter.filter(|delimiter| *delimiter != Some(',')).map(explain_delimiter));
    let left_out = [
        ("ragged-rows", file.ragged, "ragged row"),
        ("blank-lines", file.blank_lines, "blank line"),
        ("comment-lines", file.comment_lines, "comment line"),
    ];
    for (slug, count, noun) in left_out.into_iter().filter(|(_, count, _)| *count > 0) {
        notes.push(note(slug, Sentence::default().plural(count, noun).say(" left out.")));
    }
    notes.extend(note_missing(facts, &file.missing));
    notes.extend(note_missing_words(facts));
    let padded = columns.iter().zip(facts).filter(|(_, facts)| facts.padded > 0);
    let names: Vec<_> = padded.map(|(column, _)| &column.name).collect();
    if !names.is_empty() {
        notes.push(note("padded", Sentence::from("blanks around text left out: ").list(names, FEW).say(".")));
    }
    notes.extend(if file.header { note_header(columns) } else { None });
    notes
}

/// A decision that is only a sentence.
fn note(slug: &'static str, sentence: Sentence) -> Explanation {
    Explanation::new(slug, Sentence::default(), sentence)
}

/// The delimiter that the first lines show; None for blanks.
fn explain_delimiter(delimiter: Option<char>) -> Explanation {
    let sentence = delimiter.map_or("the lines are separated by blanks.".into(), |delimiter| {
        let name = match delimiter {
            ';' => "semicolon".to_owned(),
            '\t' => "tab".to_owned(),
            '|' => "vertical bar".to_owned(),
            _ => delimiter.to_string(),
        };
        Sentence::default().say(format!("the first line is separated by a {name}: so are the others."))
    });
    let hint = Hint { option: "delimiter", value: HintValue::Open, note: "" };
    note("delimiter", sentence).changed_by(hint, "names another delimiter")
}

/// How often each marker was read as missing.
fn note_missing(facts: &[Facts], markers: &[String]) -> Vec<Explanation> {
    let visible = markers.iter().enumerate().filter(|(_, marker)| !trim(marker.as_bytes()).is_empty());
    let counts = |at: usize| facts.iter().filter_map(move |each| each.missing.get(at).copied());
    let notes = visible.filter_map(|(at, marker)| {
        let sentence = count_cells(Sentence::about(marker).say(" is read as missing: "), counts(at))?;
        Some(note("missing", sentence))
    });
    notes.collect()
}

/// How often the usual words were read as missing.
fn note_missing_words(facts: &[Facts]) -> Option<Explanation> {
    let mut words: Vec<&String> = facts.iter().flat_map(|each| each.words.iter().map(|(word, _)| word)).collect();
    words.sort_unstable();
    words.dedup();
    let is = if words.len() == 1 { " is" } else { " are" };
    let sentence = Sentence::default().quote_all(&words, ", ").say(is).say(" read as missing: ");
    let sentence = count_cells(sentence, facts.iter().map(|each| each.words.iter().map(|(_, cells)| cells).sum()))?;
    let hint = Hint { option: "missing", value: HintValue::Texts(vec![String::new()]), note: "" };
    Some(note("missing-words", sentence).changed_by(hint, "keeps such words as text"))
}

/// Says how many cells of how many columns there are, given the cells of each; None where there are none.
fn count_cells(sentence: Sentence, counts: impl Iterator<Item = usize>) -> Option<Sentence> {
    let counts = counts.filter(|&count| count > 0);
    let (cells, columns) = counts.fold((0, 0), |(cells, columns), count| (cells + count, columns + 1));
    (cells > 0).then(|| sentence.plural(cells, "cell").say(" of ").plural(columns, "column").say("."))
}

fn note_header(columns: &[TypedColumn<'_>]) -> Option<Explanation> {
    if let [only] = columns
        && only.name.starts_with('#')
    {
        let sentence = Sentence::from("the first line starts with # (").show(&only.name);
        return Some(
            note("comment-as-name", sentence.say(") and was read as a name."))
                .changed_by(Hint::text("comment", "#"), "leaves out such lines"),
        );
    }
    let names = columns.iter().map(|column| &column.name);
    let sentence = Sentence::from("the first row (").list(names, FEW);
    let hint = Hint { option: "header", value: HintValue::No, note: "" };
    are_values(columns).then(|| {
        note("values-as-names", sentence.say(") looks like data and was read as names."))
            .changed_by(hint, "reads it as a row")
    })
}

/// Whether most names look like a value of their column: the file has no header.
fn are_values(columns: &[TypedColumn<'_>]) -> bool {
    if columns.iter().all(|column| is_number_text(&column.name)) {
        return true;
    }
    let alike: Vec<&str> =
        columns.iter().filter(|column| is_value(column)).map(|column| column.name.as_str()).collect();
    if 2 * alike.len() <= columns.len() {
        return false;
    }
    if !alike.iter().all(|name| name.bytes().all(|byte| byte.is_ascii_digit())) {
        return true;
    }
    // Names such as 2019, 2020, 2021 are years, and 0, 1, 2 are positions: both are names.
    let follows = |pair: &[&str]| match (pair[0].parse::<u128>(), pair[1].parse::<u128>()) {
        (Ok(before), Ok(after)) => before.checked_add(1) == Some(after),
        _ => false,
    };
    alike.len() == 1 || !alike.windows(2).all(follows)
}

fn is_value(column: &TypedColumn<'_>) -> bool {
    match &column.values {
        TypedValues::Numbers(_) => is_number_text(&column.name),
        TypedValues::Codes(_, levels) => levels.cells().any(|level| level == column.name.as_bytes()),
    }
}

/// Whether a text is a number, with or without blanks around it and underscores between digits.
fn is_number_text(text: &str) -> bool {
    let text = text.trim();
    let bytes = text.as_bytes();
    let is_digit = |at: usize| bytes.get(at).is_some_and(u8::is_ascii_digit);
    let joins = |at: usize| at > 0 && is_digit(at - 1) && is_digit(at + 1);
    if !(0..bytes.len()).filter(|&at| bytes[at] == b'_').all(joins) {
        return false;
    }
    text.replace('_', "").parse::<f64>().is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_of_a_header() {
        for text in ["1e3", " 5 ", "-1.5", "nan", "inf", "1_000", "Infinity", ".5", "5."] {
            assert!(is_number_text(text), "{text}");
        }
        for text in ["1,5", "", "_1", "1_", "1__0", "e5", "0x1F", "a"] {
            assert!(!is_number_text(text), "{text}");
        }
    }
}
