//! What the columns of a table are, for Python: the rules of the core with its sentences as data.

use crate::csv::{PyChunk, PyRules, lock, strings};
use crate::enter::enter;
use numpy::{IntoPyArray, PyReadonlyArray1};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList, PyTuple};
use std::borrow::Cow;
use treewright_core::prelude::columns::{
    AMBIGUOUS_VALUES, BETWEEN, Choice, DateOrder, DatePart, Decisions, Explanation, FileFacts, Hint, HintValue,
    MIN_ROWS, MISSING_TEXTS, Mark, Meaning, OTHER, Piece, ReadColumn, ReadTable, Refusal, Sentence, Stop, TypedColumn,
    TypedValues, UNITS, are_nearly_unique, are_sentences, count_rows, decimal_mark, find_written, part_number, pool,
    read_amount, read_text, read_typed, to_levels,
};
use treewright_core::prelude::{Chunk, WantedKind};

/// What the user decided about a column: its form ("free", "numbers", "codes"), whether it is ignored, whether it is
/// kept, its levels, and whether they are ordered.
pub type Chosen = (String, bool, bool, Option<Vec<String>>, bool);

/// The choice about a column.
pub fn choice((form, ignored, kept, levels, ordered): Chosen) -> PyResult<Choice> {
    Ok(Choice { wanted: wanted_kind(&form)?, ignored, kept, levels, ordered })
}

fn wanted_kind(word: &str) -> PyResult<WantedKind> {
    match word {
        "free" => Ok(WantedKind::Free),
        "numbers" => Ok(WantedKind::Numbers),
        "codes" => Ok(WantedKind::Codes),
        _ => Err(PyValueError::new_err("a form is free, numbers or codes")),
    }
}

/// The table or why it is refused; other failures are errors.
pub fn settle<T>(decided: Result<T, Stop>) -> treewright_core::Result<Result<T, Box<Refusal>>> {
    match decided {
        Ok(value) => Ok(Ok(value)),
        Err(Stop::Refused(refusal)) => Ok(Err(refusal)),
        Err(Stop::Failed(error)) => Err(error),
    }
}

/// Reads all columns of a text file by the rules; gives its columns and notes, or a refusal.
///
/// The chunks give away their text, so that it is not held twice. `file` is the delimiter that was found (None where the
/// user named it, "" for blanks), whether there is a header, the texts that are missing, and the rows and lines left out.
#[pyfunction]
#[expect(clippy::too_many_arguments, reason = "a file and what the user decided about it")]
fn read_columns<'py>(
    py: Python<'py>,
    label: String,
    header: Vec<String>,
    chunks: Vec<PyRef<'py, PyChunk>>,
    rules: &PyRules,
    file: (Option<String>, bool, Vec<String>, [usize; 3]),
    choices: Vec<Chosen>,
    date_parts: bool,
    can_ignore: bool,
    unnamed: bool,
) -> PyResult<Bound<'py, PyAny>> {
    let choices = choices.into_iter().map(choice).collect::<PyResult<Vec<_>>>()?;
    let (delimiter, has_header, missing, [ragged, blank_lines, comment_lines]) = file;
    let found_delimiter = delimiter.map(|text| text.chars().next());
    let file = FileFacts { found_delimiter, header: has_header, missing, ragged, blank_lines, comment_lines };
    let rules = &rules.0;
    let mutexes: Vec<_> = chunks.iter().map(|chunk| &chunk.0).collect();
    let chunks: Vec<Chunk> = py.detach(|| mutexes.into_iter().map(|chunk| lock(chunk).take_text()).collect());
    let cells = chunks.iter().map(|chunk| chunk.rows).sum::<usize>().saturating_mul(header.len());
    let read = enter(py, cells, move |cancel| {
        let decisions = Decisions { label: &label, choices: &choices, date_parts, can_ignore };
        settle(read_text(&header, chunks, (rules, &file), decisions, unnamed, cancel))
    })?;
    answer(py, read)
}

/// A column of another container: its name, values, labels of its levels, and whether they are declared, ordered, texts,
/// dates, or have a meaning of their own.
type Given<'py> = (String, Bound<'py, PyAny>, Option<Vec<String>>, [bool; 5]);

/// One borrowed column.
enum Borrowed<'py> {
    Numbers(PyReadonlyArray1<'py, f64>),
    Codes(PyReadonlyArray1<'py, u32>, Vec<String>),
}

/// Applies the rules to typed columns; gives columns and notes, or a refusal.
#[pyfunction]
fn judge_columns<'py>(
    py: Python<'py>,
    label: String,
    columns: Vec<Given<'py>>,
    choices: Vec<Chosen>,
    date_parts: bool,
    can_ignore: bool,
) -> PyResult<Bound<'py, PyAny>> {
    let choices = choices.into_iter().map(choice).collect::<PyResult<Vec<_>>>()?;
    let mut borrowed = Vec::new();
    for (name, values, levels, flags) in columns {
        let values = match levels {
            None => Borrowed::Numbers(values.extract()?),
            Some(levels) => Borrowed::Codes(values.extract()?, levels),
        };
        borrowed.push((name, values, flags));
    }
    let mut typed = Vec::new();
    let mut cells = 0usize;
    for (name, values, [declared, ordered, is_text, dates, has_meaning]) in &borrowed {
        let values = match values {
            Borrowed::Numbers(numbers) => TypedValues::Numbers(Cow::Borrowed(numbers.as_slice()?)),
            Borrowed::Codes(codes, levels) => {
                let levels = to_levels(levels).map_err(|error| crate::enter::raise(py, error))?;
                TypedValues::Codes(Cow::Borrowed(codes.as_slice()?), levels)
            }
        };
        let meaning = has_meaning.then_some(Meaning::Given);
        let column = TypedColumn::new(name, values);
        cells = cells.saturating_add(column.rows());
        typed.push(TypedColumn {
            declared: *declared,
            ordered: *ordered,
            is_text: *is_text,
            dates: *dates,
            meaning,
            ..column
        });
    }
    let read = enter(py, cells, move |_| {
        settle(read_typed(typed, Decisions { label: &label, choices: &choices, date_parts, can_ignore }))
    })?;
    answer(py, read)
}

/// Columns and notes, or a refusal.
pub fn answer<'py>(py: Python<'py>, read: Result<ReadTable<'_>, Box<Refusal>>) -> PyResult<Bound<'py, PyAny>> {
    let table = match read {
        Ok(table) => table,
        Err(refusal) => return refuse(py, &refusal),
    };
    let notes = PyList::empty(py);
    for (column, reason) in table.notes() {
        notes.append((column, explanation(py, reason)?))?;
    }
    let columns = PyList::empty(py);
    for (read, source) in table.columns.into_iter().zip(table.sources) {
        columns.append(column(py, read, source)?)?;
    }
    let answer = PyDict::new(py);
    answer.set_item("columns", columns)?;
    answer.set_item("notes", notes)?;
    Ok(answer.into_any())
}

/// A refusal: its slug, its message, and what was seen or is to be typed.
pub fn refuse<'py>(py: Python<'py>, refusal: &Refusal) -> PyResult<Bound<'py, PyAny>> {
    let advice = PyList::empty(py);
    for line in &refusal.advice {
        match line.0.as_slice() {
            [Piece::Option(option)] => advice.append(hint(py, option)?)?,
            _ => advice.append(sentence(py, line)?)?,
        }
    }
    Ok((refusal.slug, sentence(py, &refusal.message)?, advice).into_pyobject(py)?.into_any())
}

/// One column for Python; values that are the caller's own are None.
fn column<'py>(py: Python<'py>, read: ReadColumn<'_>, source: usize) -> PyResult<Bound<'py, PyDict>> {
    let ReadColumn { column, read_as, ignored, missing } = read;
    let reasons = PyList::empty(py);
    for reason in &column.reasons {
        reasons.append(explanation(py, reason)?)?;
    }
    let item = PyDict::new(py);
    item.set_item("kind", if column.is_numeric() { "numeric" } else { "categorical" })?;
    item.set_item("declared", column.declared)?;
    item.set_item("ordered", column.ordered)?;
    item.set_item("meaning", meaning(py, column.meaning.as_ref())?)?;
    item.set_item("read_as", read_as.name())?;
    item.set_item("ignored", ignored)?;
    item.set_item("missing", missing)?;
    item.set_item("reasons", reasons)?;
    item.set_item("source", source)?;
    item.set_item("name", column.name)?;
    let (values, levels) = match column.values {
        TypedValues::Numbers(Cow::Owned(numbers)) => (Some(numbers.into_pyarray(py).into_any()), None),
        TypedValues::Codes(Cow::Owned(codes), levels) => {
            (Some(codes.into_pyarray(py).into_any()), Some(strings(py, &levels)?))
        }
        _ => (None, None),
    };
    item.set_item("values", values)?;
    item.set_item("levels", levels)?;
    Ok(item)
}

/// What values stand for, with the names that model files use; None for nothing that is new.
pub fn meaning<'py>(py: Python<'py>, meaning: Option<&Meaning>) -> PyResult<Option<Bound<'py, PyDict>>> {
    let item = PyDict::new(py);
    match meaning {
        None | Some(Meaning::Given) => return Ok(None),
        Some(Meaning::Dates(written)) => {
            item.set_item("part", "dates")?;
            item.set_item("written", written.map_or("", DateOrder::name))?;
        }
        Some(Meaning::DatePart { part, source, written }) => {
            item.set_item("order", PyTuple::new(py, part.order())?)?;
            item.set_item("part", part.name())?;
            item.set_item("source", source.as_deref().unwrap_or_default())?;
            item.set_item("written", written.name())?;
        }
        Some(Meaning::Amount(mark)) => item.set_item("written", mark.letter())?,
    }
    Ok(Some(item))
}

/// A decision in words: slug, few words, sentence, option, and what the option does.
type Explained<'py> =
    (&'static str, Bound<'py, PyList>, Bound<'py, PyList>, Option<Bound<'py, PyAny>>, Bound<'py, PyList>);

fn explanation<'py>(py: Python<'py>, explained: &Explanation) -> PyResult<Explained<'py>> {
    Ok((
        explained.slug,
        sentence(py, &explained.short)?,
        sentence(py, &explained.sentence)?,
        explained.hint.as_ref().map(|option| hint(py, option)).transpose()?,
        sentence(py, &explained.effect)?,
    ))
}

/// A sentence: texts of ours, tuples of one text of the table, and options.
fn sentence<'py>(py: Python<'py>, sentence: &Sentence) -> PyResult<Bound<'py, PyList>> {
    let pieces = PyList::empty(py);
    for piece in &sentence.0 {
        match piece {
            Piece::Words(words) => pieces.append(words.as_ref())?,
            Piece::Text(text) => pieces.append((text,))?,
            Piece::Option(option) => pieces.append(hint(py, option)?)?,
        }
    }
    Ok(pieces)
}

/// An option, its value and a remark; the ellipsis stands for a value that only the user knows.
fn hint<'py>(py: Python<'py>, hint: &Hint) -> PyResult<Bound<'py, PyAny>> {
    let value = match &hint.value {
        HintValue::Open => py.Ellipsis().into_bound(py),
        HintValue::No => false.into_pyobject(py)?.to_owned().into_any(),
        HintValue::Text(text) => text.into_pyobject(py)?.into_any(),
        HintValue::Texts(texts) => PyList::new(py, texts)?.into_any(),
    };
    Ok((hint.option, value, hint.note).into_pyobject(py)?.into_any())
}

fn find<T: Copy>(names: &[(&str, T)], word: &str) -> PyResult<T> {
    let value = names.iter().find(|(name, _)| *name == word).map(|(_, value)| *value);
    value.ok_or_else(|| PyValueError::new_err(format!("there is no \"{word}\"")))
}

fn mark(word: &str) -> PyResult<Mark> {
    find(&[(".", Mark::Point), (",", Mark::Comma)], word)
}

/// The decimal mark with which all texts are numbers: a point, a comma, or None.
#[pyfunction(name = "decimal_mark")]
fn py_decimal_mark(texts: Vec<String>) -> Option<char> {
    decimal_mark(&texts).map(Mark::letter)
}

/// The numbers that texts such as `$1,542.58` stand for; NaN where a text is none.
#[pyfunction]
fn amount_numbers<'py>(py: Python<'py>, texts: Vec<String>, decimal: &str) -> PyResult<Bound<'py, PyAny>> {
    let mark = mark(decimal)?;
    let numbers: Vec<f64> = texts.iter().map(|text| read_amount(text, mark)).collect();
    Ok(numbers.into_pyarray(py).into_any())
}

/// How texts order day, month and year; None if they leave it open or some text is no date.
#[pyfunction]
fn date_order(texts: Vec<String>) -> Option<&'static str> {
    find_written(texts.iter()).map(DateOrder::name)
}

/// The words that the numbers of a part stand for; none for plain numbers.
#[pyfunction]
fn date_words(part: &str) -> PyResult<Vec<&'static str>> {
    Ok(find(&DatePart::NAMES, part)?.order().to_vec())
}

/// One part of dates as numbers; NaN where a text is no date.
#[pyfunction]
fn date_numbers<'py>(py: Python<'py>, texts: Vec<String>, part: &str, written: &str) -> PyResult<Bound<'py, PyAny>> {
    // An order that is open, "", reads dates that begin with the year.
    let written = find(&DateOrder::NAMES, written).unwrap_or(DateOrder::YearFirst);
    let part = find(&DatePart::NAMES, part)?;
    let numbers: Vec<f64> = texts.iter().map(|text| part_number(text, part, written)).collect();
    Ok(numbers.into_pyarray(py).into_any())
}

/// Whether most rows of coded text have a value of few rows.
#[pyfunction]
fn is_nearly_unique(py: Python<'_>, codes: PyReadonlyArray1<'_, u32>, levels: usize) -> PyResult<bool> {
    let codes = codes.as_slice()?;
    enter(py, codes.len(), |_| Ok(are_nearly_unique(&count_rows(codes, levels)?)))
}

/// Whether texts are sentences.
#[pyfunction(name = "are_sentences")]
fn py_are_sentences(texts: Vec<String>) -> bool {
    are_sentences(texts.iter())
}

/// The categories of nearly unique text that stay, and the name of the one that stands for the others.
#[pyfunction]
fn common_levels(
    py: Python<'_>,
    codes: PyReadonlyArray1<'_, u32>,
    levels: Vec<String>,
) -> PyResult<(Vec<usize>, String)> {
    let codes = codes.as_slice()?;
    enter(py, codes.len(), |_| Ok(pool(&count_rows(codes, levels.len())?, &to_levels(&levels)?)))
}

/// Adds everything here to the module.
pub fn register(m: &Bound<'_, PyModule>) -> PyResult<()> {
    m.add("AMOUNT_UNITS", UNITS.iter().collect::<String>())?;
    m.add("AMOUNT_SPACES", BETWEEN.iter().collect::<String>())?;
    m.add("COMMON_ROWS", MIN_ROWS)?;
    m.add("OTHER_VALUES", OTHER)?;
    m.add("MISSING_TEXTS", MISSING_TEXTS)?;
    m.add("AMBIGUOUS_VALUES", AMBIGUOUS_VALUES)?;
    m.add_function(wrap_pyfunction!(read_columns, m)?)?;
    m.add_function(wrap_pyfunction!(judge_columns, m)?)?;
    m.add_function(wrap_pyfunction!(py_decimal_mark, m)?)?;
    m.add_function(wrap_pyfunction!(amount_numbers, m)?)?;
    m.add_function(wrap_pyfunction!(date_order, m)?)?;
    m.add_function(wrap_pyfunction!(date_words, m)?)?;
    m.add_function(wrap_pyfunction!(date_numbers, m)?)?;
    m.add_function(wrap_pyfunction!(is_nearly_unique, m)?)?;
    m.add_function(wrap_pyfunction!(py_are_sentences, m)?)?;
    m.add_function(wrap_pyfunction!(common_levels, m)?)
}
