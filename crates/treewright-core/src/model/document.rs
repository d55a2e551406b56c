//! The document of a model: JSON, written by Python, that says what the numbers mean. Only the parts that the core
//! relies on are understood here: the schema's columns, levels and classes. Every other part must be a known one.
//!
//! Glossary. A *level* is one possible value of a categorical column, a *class* one of the target; both are JSON
//! strings, numbers, `true` or `false`.

use super::canonical::{check, elements, nests_too_deep, weigh};
use super::tree::Kind;
use crate::{Error, Result};
use serde::Deserialize;
use serde_json::value::RawValue;
use std::borrow::Cow;
use std::collections::HashSet;
use std::ops::Range;

/// The most bytes of a name, a level or a class. Views cut far shorter; this keeps one cell from being the file.
const LONGEST: usize = 1 << 16;
/// The parameters and what is left of a fit may take so many bytes in Python beyond the length of the file.
const ROOM: usize = 10 << 20;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Document<'a> {
    #[serde(borrow)]
    estimator: Cow<'a, str>,
    /// Python knows each estimator's own.
    #[serde(borrow)]
    params: &'a RawValue,
    #[serde(borrow)]
    schema: Schema<'a>,
    /// Whether the columns had names of their own.
    #[serde(rename = "named")]
    _named: bool,
    #[serde(default)]
    classes_dtype: Option<Dtype>,
    /// What Python keeps of a fit besides the trees.
    #[serde(borrow, default)]
    kept: Option<&'a RawValue>,
    /// The learner that an ensemble is made of, for Python.
    #[serde(borrow, default)]
    member: Option<&'a RawValue>,
    /// The pipeline or the search that the model is in, for Python.
    #[serde(borrow, default)]
    around: Option<&'a RawValue>,
    /// What tells the training rows from others, for Python.
    #[serde(borrow, default)]
    digest: Option<Cow<'a, str>>,
    /// What each node had to choose from, for Python.
    #[serde(borrow, default)]
    work: Option<&'a RawValue>,
    /// The least and the greatest number of the target in each node.
    #[serde(borrow, default)]
    ranges: Option<&'a RawValue>,
}

/// What a model says besides its numbers: its document, whose parts that may be long stand apart from the rest.
#[derive(Debug, Default)]
pub struct Description {
    /// The document.
    pub text: String,
    /// The document without its long parts.
    pub rest: String,
    /// Where in the document the work of each node is.
    pub work: Option<Vec<Range<usize>>>,
    /// The least and the greatest number of the target in each node; NaN where there is none.
    pub ranges: Option<Vec<[f64; 2]>>,
}

/// numpy's names for what labels can be. Any other, such as one that asks for gigabytes a label, is refused.
#[derive(Deserialize)]
#[serde(rename_all = "lowercase")]
enum Dtype {
    Str,
    Object,
    Bool,
    Int8,
    Int16,
    Int32,
    Int64,
    Uint8,
    Uint16,
    Uint32,
    Uint64,
    Float16,
    Float32,
    Float64,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Schema<'a> {
    #[serde(borrow)]
    columns: Vec<Column<'a>>,
    // A function of its own makes the key required, also where its value is null.
    #[serde(borrow, deserialize_with = "Option::deserialize")]
    target: Option<Cow<'a, str>>,
    #[serde(borrow, default)]
    classes: Option<Vec<&'a RawValue>>,
    /// What each answer costs where each class is true.
    #[serde(default)]
    costs: Option<Vec<Vec<f64>>>,
    /// How Python smooths the probabilities of the classes.
    #[serde(default)]
    smoothing: Option<Smoothing>,
}

#[derive(Deserialize)]
#[serde(rename_all = "lowercase")]
enum Smoothing {
    /// One more row of each class.
    Laplace,
    /// So many rows with the proportions of the root.
    #[serde(untagged)]
    Rows(f64),
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Column<'a> {
    #[serde(borrow)]
    name: Cow<'a, str>,
    kind: ColumnKind,
    #[serde(borrow, default)]
    levels: Option<Vec<&'a RawValue>>,
    /// Notes for views: whether training had missing values here, and how many digits its numbers have.
    #[serde(default, rename = "missing")]
    _missing: Option<bool>,
    #[serde(default, rename = "decimals")]
    _decimals: Option<u8>,
    #[serde(default, rename = "single")]
    _single: Option<bool>,
    #[serde(default, rename = "cut_decimals")]
    _cut_decimals: Option<u8>,
    #[serde(borrow, default)]
    meaning: Option<Meaning<'a>>,
}

/// What the numbers of a column stand for, for Python: ordered levels, a part of a date, amounts as they are written.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Meaning<'a> {
    #[serde(borrow, default)]
    order: Option<Vec<&'a RawValue>>,
    #[serde(borrow, default, rename = "part")]
    _part: Option<Cow<'a, str>>,
    #[serde(borrow, default)]
    source: Option<Cow<'a, str>>,
    #[serde(borrow, default, rename = "written")]
    _written: Option<Cow<'a, str>>,
    #[serde(borrow, default)]
    other: Option<Cow<'a, str>>,
}

#[derive(Deserialize)]
#[serde(rename_all = "lowercase")]
enum ColumnKind {
    Numeric,
    Categorical,
}

/// How many classes the target has; None where it is a number.
pub(super) fn classes(document: &str) -> Result<Option<usize>> {
    Ok(parse(document)?.schema.classes.map(|classes| classes.len()))
}

fn parse(document: &str) -> Result<Document<'_>> {
    serde_json::from_str(document).map_err(|e| bad(e.to_string()))
}

/// The description of a model with so many nodes, in a file of so many bytes. What Python would make of the document is
/// weighed before, so that no file makes it ask for much more memory than the file is long.
pub(super) fn describe(document: String, nodes: usize, length: usize) -> Result<Description> {
    check(&document)?;
    let parsed = parse(&document)?;
    let raw = [Some(parsed.params), parsed.kept, parsed.member, parsed.around];
    let needed: usize = raw.iter().flatten().map(|part| weigh(part.get()).0).sum();
    if needed > length.saturating_add(ROOM) {
        return Err(bad("its parameters take far more memory than the file is long"));
    }
    let work = parsed.work.map(|work| each_node("work", work.get(), nodes)).transpose()?;
    let ranges = parsed.ranges.map(|ranges| read_ranges(ranges.get(), nodes)).transpose()?;
    let mut rest = String::new();
    let mut from = 0;
    for (key, part) in [(",\"ranges\":", parsed.ranges), (",\"work\":", parsed.work)] {
        if let Some(part) = part {
            // The part is a slice of the document; the keys are sorted, so it is never the first.
            let start = part.get().as_ptr() as usize - document.as_ptr() as usize;
            rest.push_str(&document[from..start - key.len()]);
            from = start + part.get().len();
        }
    }
    rest.push_str(&document[from..]);
    let start = parsed.work.map_or(0, |work| work.get().as_ptr() as usize - document.as_ptr() as usize);
    let shift = |place: Range<usize>| place.start + start..place.end + start;
    let work = work.map(|work| work.into_iter().map(shift).collect());
    Ok(Description { text: document, rest, work, ranges })
}

/// The places of the elements of a list that has one for each node.
fn each_node(what: &str, list: &str, nodes: usize) -> Result<Vec<Range<usize>>> {
    let places = elements(list, nodes).filter(|places| places.len() == nodes);
    places.ok_or_else(|| bad(format!("its {what} has not one entry for each node")))
}

fn read_ranges(list: &str, nodes: usize) -> Result<Vec<[f64; 2]>> {
    let read = |place: Range<usize>| -> Result<[f64; 2]> {
        let pair: [Option<f64>; 2] = serde_json::from_str(&list[place]).map_err(|e| bad(e.to_string()))?;
        match pair {
            [None, None] => Ok([f64::NAN; 2]),
            [Some(least), Some(greatest)] if least <= greatest => Ok([least, greatest]),
            _ => Err(bad("the range of a node is not from its least to its greatest number")),
        }
    };
    each_node("ranges", list, nodes)?.into_iter().map(read).collect()
}

/// Refuses a part that is no object or array, or that nests too deep.
fn check_part(part: Option<&RawValue>, begins: char) -> Result<()> {
    match part.map(RawValue::get) {
        Some(text) if !text.starts_with(begins) => Err(bad("a part of it is of another kind")),
        Some(text) if nests_too_deep(text) => Err(bad("it nests too deep")),
        _ => Ok(()),
    }
}

/// What each column holds, after everything else that the core relies on was checked.
pub(super) fn kinds(document: &str, outputs: usize) -> Result<Vec<Kind>> {
    let parsed = parse(document)?;
    for part in [Some(parsed.params), parsed.kept, parsed.member, parsed.around] {
        check_part(part, '{')?;
    }
    for part in [parsed.work, parsed.ranges] {
        check_part(part, '[')?;
    }
    check_length("the estimator's name", &parsed.estimator)?;
    check_length("the digest", parsed.digest.as_deref().unwrap_or_default())?;
    let schema = parsed.schema;
    if schema.classes.is_some() != parsed.classes_dtype.is_some() {
        return Err(bad("it has classes without their type, or a type without classes"));
    }
    if let Some(target) = &schema.target {
        check_length("the target's name", target)?;
    }
    check_decisions(&schema, outputs)?;
    let mut names = HashSet::new();
    for (i, column) in schema.columns.iter().enumerate() {
        check_length(&format!("the name of column {i}"), &column.name)?;
        if !names.insert(column.name.as_ref()) {
            return Err(bad(format!("column {i} has the name of an earlier column")));
        }
    }
    schema.columns.iter().enumerate().map(|(i, column)| kind(i, column)).collect()
}

/// Checks the classes, and how one of them is decided for.
fn check_decisions(schema: &Schema<'_>, outputs: usize) -> Result<()> {
    if let Some(classes) = &schema.classes {
        check_values("the target", classes)?;
        if classes.len() != outputs {
            return Err(bad(format!("it has {} classes, its trees {outputs}", classes.len())));
        }
    }
    if let Some(costs) = &schema.costs {
        let square = costs.len() == outputs && costs.iter().all(|row| row.len() == outputs);
        let sound = costs.iter().flatten().all(|cost| cost.is_finite() && *cost >= 0.0);
        if schema.classes.is_none() || !square || !sound {
            return Err(bad("its costs are not a number of at least 0 for each class and answer"));
        }
    }
    if let Some(smoothing) = &schema.smoothing {
        let sound = match smoothing {
            Smoothing::Laplace => true,
            Smoothing::Rows(rows) => rows.is_finite() && *rows >= 0.0,
        };
        if schema.classes.is_none() || !sound {
            return Err(bad("its smoothing is not laplace or a number of at least 0, or it has no classes"));
        }
    }
    Ok(())
}

fn kind(i: usize, column: &Column<'_>) -> Result<Kind> {
    if let Some(meaning) = &column.meaning {
        check_length(&format!("a level of column {i}"), meaning.other.as_deref().unwrap_or_default())?;
        if matches!(column.kind, ColumnKind::Categorical) != meaning.other.is_some() {
            return Err(bad(format!("column {i} has a meaning of another kind")));
        }
        check_values(&format!("column {i}"), meaning.order.as_deref().unwrap_or_default())?;
        check_length(&format!("the source of column {i}"), meaning.source.as_deref().unwrap_or_default())?;
    }
    match (&column.kind, &column.levels) {
        (ColumnKind::Numeric, None) => Ok(Kind::Numeric),
        (ColumnKind::Categorical, Some(levels)) => {
            check_values(&format!("column {i}"), levels)?;
            let levels = u32::try_from(levels.len()).map_err(|_| bad(format!("column {i} has too many levels")))?;
            Ok(Kind::Categorical(levels))
        }
        (ColumnKind::Numeric, Some(_)) => Err(bad(format!("column {i} is numeric but has levels"))),
        (ColumnKind::Categorical, None) => Err(bad(format!("column {i} is categorical but has no levels"))),
    }
}

/// Levels or classes are scalars and differ. Their texts are compared: a number too large for a float keeps its digits,
/// and 1, 1.0 and true stay apart. (Python refuses a document that writes one value in two ways.)
fn check_values(whose: &str, values: &[&RawValue]) -> Result<()> {
    let mut seen = HashSet::new();
    seen.try_reserve(values.len())?;
    for (i, value) in values.iter().enumerate() {
        let text = value.get();
        if text.starts_with(['[', '{', 'n']) {
            return Err(bad(format!("value {i} of {whose} is not a string, a number, true or false")));
        }
        check_length(&format!("value {i} of {whose}"), text)?;
        if !seen.insert(text) {
            return Err(bad(format!("value {i} of {whose} is there twice")));
        }
    }
    Ok(())
}

fn check_length(what: &str, text: &str) -> Result<()> {
    if text.len() <= LONGEST {
        return Ok(());
    }
    Err(bad(format!("{what} has {} bytes, more than the {LONGEST} that a model file holds", text.len())))
}

/// The error for a document that no model has.
pub(super) fn bad(what: impl AsRef<str>) -> Error {
    let what = printable(what.as_ref());
    Error::model("model.document", format!("the description of the model is wrong: {what}"))
}

/// Words of a hostile file that are fit for a message: one line, not long, no control characters.
pub(super) fn printable(text: &str) -> String {
    text.chars().take(200).map(|c| if c.is_control() { '\u{fffd}' } else { c }).collect()
}
