//! A fitted model as bytes, and back: the format of `.tree` files.
//!
//! The container is safetensors. Its one metadata entry, `treewright`, is a JSON text: a checksum, the version of the
//! format, and the document (estimator, parameters, schema). Its tensors are the columns of the node table, or of the
//! cases that a model remembers.
//!
//! What must stay true:
//! - The checksum is at the same place in every version and covers every byte but its own digits, so damage is
//!   found before anything is interpreted. It stops accidents; the checks behind it stop attackers.
//! - One model has one byte string in each version: the loader rebuilds the header from what it read and compares.
//! - Files of every earlier version stay readable. Version 1 had row counts of 32 bits; version 2 has 64.
//! - Memory is asked for only where the bytes are already there. Nothing is compressed, nothing falls back.

use super::canonical::escape_length;
use super::cases::{self, CaseShape, Cases};
use super::columns::{ForestShape, VERSION, decode, encode};
use super::combine::How;
pub use super::document::Description;
use super::document::{self, describe};
use super::foreign;
use super::forest::Forest;
use super::number_bytes::layout;
use super::tree::Tree;
use crate::sys::pool::Cancel;
use crate::tolerance::SHARES_IN_FILE;
use crate::{Error, Result};
use safetensors::tensor::{Metadata, TensorInfo};
use serde::Deserialize;
use std::ops::Range;

/// The first treewright that reads it. It is in the file so that an older one can say what to install.
const SINCE: &str = "0.1";
/// The one metadata entry.
const ENTRY: &str = "treewright";
/// What every model file says after the eight bytes of its header's length.
const MAGIC: &[u8] = br#"{"__metadata__":{"treewright":"{\"checksum\":\""#;
/// Where in it the metadata entry's text begins.
const QUOTE: usize = 30;
/// The key of the document, as the header has it.
const KEY: &str = r#"\"document\":"#;
/// The length of the header comes first.
const LENGTH: usize = 8;
/// Where the checksum's hexadecimal digits are.
const DIGITS: Range<usize> = LENGTH + MAGIC.len()..LENGTH + MAGIC.len() + 64;
/// The digits while the checksum is computed.
const BLANK: &str = "0000000000000000000000000000000000000000000000000000000000000000";
/// The largest header that safetensors reads.
const LARGEST_HEADER: usize = 100_000_000;
/// More than the tensors' descriptions ever need; less than would cost memory to parse.
const LARGEST_DESCRIPTION: usize = 1 << 13;

/// Bytes that are read between two looks at the cancel flag.
const PIECE: usize = 1 << 20;
/// The greatest weight, cost or gain that a file may hold, also for each unit of weight.
const LARGEST_FIGURE: f64 = 1e300;
/// The greatest number that a node may say: its square is finite.
const LARGEST_NUMBER: f64 = 1e150;

/// What a model is made of.
#[derive(Clone, Debug, PartialEq)]
pub enum Contents {
    /// Trees.
    Forest(Forest),
    /// Cases that are remembered.
    Cases(Cases),
}

/// The bytes of a model: the same bytes for the same forest and document, anywhere.
pub fn to_bytes(forest: &Forest, document: &str, cancel: &Cancel) -> Result<Vec<u8>> {
    if document::kinds(document, forest.outputs())? != forest.kinds() {
        return Err(document::bad("its columns are not those of the trees"));
    }
    sealed(ForestShape::of(forest).tensors()?, document, cancel, |out| encode(forest, out, cancel))
}

/// The same for cases.
pub fn cases_to_bytes(cases: &Cases, document: &str, cancel: &Cancel) -> Result<Vec<u8>> {
    if document::kinds(document, cases.outputs())? != cases.kinds() {
        return Err(document::bad("its columns are not those of the cases"));
    }
    sealed(CaseShape::of(cases).tensors()?, document, cancel, |out| {
        cases::encode(cases, out);
        Ok(())
    })
}

fn sealed(
    tensors: Vec<(String, TensorInfo)>,
    document: &str,
    cancel: &Cancel,
    encode: impl FnOnce(&mut Vec<u8>) -> Result<()>,
) -> Result<Vec<u8>> {
    let (mut bytes, data) = header(tensors, document, BLANK)?;
    bytes.try_reserve_exact(data)?;
    encode(&mut bytes)?;
    let seal = checksum(&bytes, cancel)?;
    bytes[DIGITS].copy_from_slice(seal.as_bytes());
    Ok(bytes)
}

/// The trees in the bytes, and their document.
pub fn from_bytes(bytes: &[u8], cancel: &Cancel) -> Result<(Forest, String)> {
    match open(bytes, cancel)? {
        (Contents::Forest(forest), description) => Ok((forest, description.text)),
        (Contents::Cases(_), _) => Err(Error::model("model.no-tree", "this file holds a model without a tree")),
    }
}

/// The model in the bytes, and its document. Whatever the bytes are, this ends with a sound model or an error.
///
/// Besides the bytes, memory is needed for the document once, for the contents once, and for the names of columns, levels
/// and classes while they are compared.
pub fn open(bytes: &[u8], cancel: &Cancel) -> Result<(Contents, Description)> {
    check_seal(bytes, cancel)?;
    let (mut text, end) = entry(bytes)?;
    let version = version_of(&text)?;
    let seal = String::from_utf8_lossy(&bytes[DIGITS]);
    let other_form = || layout("its metadata has another form");
    let start = Some(prefix(version, &seal)).filter(|prefix| text.starts_with(prefix)).ok_or_else(other_form)?;
    text.pop().filter(|last| *last == '}').ok_or_else(other_form)?;
    text.drain(..start.len());
    let metadata = metadata(bytes, end)?;
    let contents = match ForestShape::read(&metadata, version) {
        Some(shape) => {
            let data = data(bytes, end, shape.tensors()?, version, &seal)?;
            let (trees, combine) = decode(&shape, data, cancel)?;
            let kinds = document::kinds(&text, combine.outputs(shape.outputs))?;
            let forest = Forest::combined(kinds, trees, combine.clone()).map_err(impossible)?;
            if *forest.combine() != combine || ForestShape::of(&forest).entries != shape.entries {
                return Err(layout("it says in a second way how its trees combine"));
            }
            check_figures(&forest, document::classes(&text)?.is_some())?;
            Contents::Forest(forest)
        }
        None => {
            let shape = CaseShape::read(&metadata).ok_or_else(|| layout("it lacks columns"))?;
            let data = data(bytes, end, shape.tensors()?, version, &seal)?;
            let classes = document::classes(&text)?;
            let kinds = document::kinds(&text, classes.unwrap_or(1))?;
            Contents::Cases(shape.decode(kinds, classes, data)?)
        }
    };
    // Only a model of one tree keeps something for each node.
    let nodes = match &contents {
        Contents::Forest(forest) if forest.trees().len() == 1 => forest.trees()[0].len(),
        _ => 0,
    };
    Ok((contents, describe(text, nodes, bytes.len())?))
}

/// Refuses figures that no training gives and no view could write: shares of classes that are none, and numbers so large
/// that their products overflow.
fn check_figures(forest: &Forest, classes: bool) -> Result<()> {
    let shares = classes && forest.combine().how != How::Sum;
    let is_sound = |tree: &Tree, node: usize| {
        let (weight, cost, gain) = (tree.weight[node], tree.cost[node].abs(), tree.gain[node].abs());
        let says = tree.value_of(node);
        let is_value_sound = if shares {
            says.iter().all(|&share| share >= 0.0) && says.iter().sum::<f64>() <= 1.0 + SHARES_IN_FILE
        } else {
            says.iter().all(|number| number.abs() <= LARGEST_NUMBER)
        };
        let per_weight = if weight > 0.0 { cost.max(gain) / weight } else { 0.0 };
        is_value_sound && weight.max(cost).max(gain).max(per_weight) <= LARGEST_FIGURE
    };
    for tree in forest.trees() {
        if let Some(node) = (0..tree.len()).find(|&node| !is_sound(tree, node)) {
            let message = format!("this file holds an impossible tree: node {node} has figures that no training gives");
            return Err(Error::model("model.table", message));
        }
    }
    Ok(())
}

/// The data behind the header, which must be the one that these tensors have. `end` is where the metadata ends.
///
/// The document is not written again for the comparison: that it is escaped as in no other way was seen when it was read.
fn data<'a>(
    bytes: &'a [u8],
    end: usize,
    tensors: Vec<(String, TensorInfo)>,
    version: u64,
    seal: &str,
) -> Result<&'a [u8]> {
    let (expected, length) = header_text(tensors, version, "", seal)?;
    let other = || layout("its header is not the one of its contents");
    let (before, after) = expected.find(KEY).map(|at| expected.split_at(at + KEY.len())).ok_or_else(other)?;
    // Behind the document come the bracket and the quote that end the entry.
    let tail = bytes.get(end - 2..).and_then(|tail| tail.strip_prefix(after.as_bytes())).ok_or_else(other)?;
    let header = (end - 2 + after.len() - LENGTH).next_multiple_of(LENGTH);
    let data = bytes.get(LENGTH + header..).ok_or_else(other)?;
    let padding = tail.len() - data.len();
    let right = bytes[LENGTH..].starts_with(before.as_bytes())
        && bytes[..LENGTH] == (header as u64).to_le_bytes()
        && tail[..padding].iter().all(|&byte| byte == b' ')
        && header <= LARGEST_HEADER
        && data.len() == length;
    if right { Ok(data) } else { Err(other()) }
}

/// The text of the header, and how many bytes of data must follow.
fn header_text(
    tensors: Vec<(String, TensorInfo)>,
    version: u64,
    document: &str,
    seal: &str,
) -> Result<(String, usize)> {
    let data = tensors.last().map_or(0, |(_, info)| info.data_offsets.1);
    let entry = (ENTRY.to_string(), format!("{}{document}}}", prefix(version, seal)));
    let text = Metadata::new(Some([entry].into_iter().collect()), tensors)
        .and_then(|metadata| Ok(serde_json::to_string(&metadata)?))
        .map_err(|e| layout(&e.to_string()))?;
    Ok((text, data))
}

/// The header with its length, and how many bytes of data must follow.
fn header(tensors: Vec<(String, TensorInfo)>, document: &str, seal: &str) -> Result<(Vec<u8>, usize)> {
    let (text, data) = header_text(tensors, VERSION, document, seal)?;
    // Spaces until the data begins at a multiple of eight, as safetensors' own writer does.
    let length = text.len().next_multiple_of(LENGTH);
    if length > LARGEST_HEADER {
        let message = format!("the names and values of this model take {length} bytes, at most {LARGEST_HEADER} fit");
        return Err(Error::model("model.too-large", message));
    }
    let mut bytes = (length as u64).to_le_bytes().to_vec();
    bytes.extend_from_slice(text.as_bytes());
    bytes.resize(LENGTH + length, b' ');
    Ok((bytes, data))
}

/// The metadata entry up to the document. Keys and order are part of the format.
fn prefix(version: u64, seal: &str) -> String {
    format!(r#"{{"checksum":"{seal}","version":{version},"since":"{SINCE}","document":"#)
}

fn checksum(bytes: &[u8], cancel: &Cancel) -> Result<String> {
    let mut hasher = blake3::Hasher::new();
    hasher.update(&bytes[..DIGITS.start]).update(BLANK.as_bytes());
    for piece in bytes[DIGITS.end..].chunks(PIECE) {
        cancel.check()?;
        hasher.update(piece);
    }
    Ok(hasher.finalize().to_hex().to_string())
}

/// Whether the bytes are a model file as it was written, before any of it is interpreted.
fn check_seal(bytes: &[u8], cancel: &Cancel) -> Result<()> {
    let start = bytes.get(LENGTH..).unwrap_or_default();
    // A file whose beginning was altered or cut still resembles one of ours.
    let alike = start.iter().zip(MAGIC).filter(|(a, b)| a == b).count();
    if alike * 2 <= start.len().min(MAGIC.len()) {
        return Err(foreign::refuse(bytes));
    }
    if let (true, Some(digits)) = (start.starts_with(MAGIC), bytes.get(DIGITS))
        && digits == checksum(bytes, cancel)?.as_bytes()
    {
        return Ok(());
    }
    let message = format!(
        "this file is damaged: its {} bytes do not agree with its checksum\n\
         copy it again from where it came from, or save the model again",
        bytes.len()
    );
    Err(Error::model("model.damaged", message))
}

/// The text of the metadata entry, and where it ends in the file.
fn entry(bytes: &[u8]) -> Result<(String, usize)> {
    let other = || layout("its metadata is not escaped in its one form");
    let mut rest = &bytes[LENGTH + QUOTE + 1..];
    let length = bytes.first_chunk().map_or(0, |length| u64::from_le_bytes(*length));
    let mut text = Vec::new();
    // No more than the text will need, so that it never moves.
    text.try_reserve_exact(rest.len().min(usize::try_from(length).unwrap_or(0)))?;
    loop {
        let plain = rest.iter().position(|byte| matches!(byte, b'"' | b'\\' | 0..0x20));
        let (front, back) = rest.split_at(plain.ok_or_else(|| layout("its metadata does not end"))?);
        text.extend_from_slice(front);
        if back[0] == b'"' {
            let end = bytes.len() - back.len() + 1;
            return Ok((String::from_utf8(text).map_err(|e| layout(&e.to_string()))?, end));
        }
        let length = escape_length(back).filter(|_| back[0] == b'\\').ok_or_else(other)?;
        text.push(unescaped(&back[..length]));
        rest = &back[length..];
    }
}

/// The character of an escape.
fn unescaped(escape: &[u8]) -> u8 {
    let digit = |byte: u8| char::from(byte).to_digit(16).unwrap_or(0) as u8;
    match escape {
        [_, b'u', .., high, low] => digit(*high) * 16 + digit(*low),
        [_, b'b'] => 8,
        [_, b't'] => b'\t',
        [_, b'n'] => b'\n',
        [_, b'f'] => 12,
        [_, b'r'] => b'\r',
        _ => escape[1],
    }
}

/// The description of the tensors, as safetensors reads it. `end` is where the document ends.
fn metadata(bytes: &[u8], end: usize) -> Result<Metadata> {
    // safetensors holds every number of the description in many bytes, so a long one is refused before.
    let length = bytes.first_chunk().map_or(u64::MAX, |length| u64::from_le_bytes(*length));
    if length > (end + LARGEST_DESCRIPTION) as u64 {
        return Err(layout("its header is too long"));
    }
    // The description alone: safetensors would copy the document twice.
    let rest =
        bytes.get(end..LENGTH.saturating_add(length as usize)).ok_or_else(|| layout("its header is too short"))?;
    let alone = [&MAGIC[..QUOTE], b"\"\"", rest].concat();
    serde_json::from_slice(&alone).map_err(|e| layout(&e.to_string()))
}

/// What every version of the format says of itself; the rest may differ in a later one.
#[derive(Deserialize)]
struct Version {
    version: u64,
    #[serde(default)]
    since: String,
}

/// The version of a file, where this program reads it.
fn version_of(text: &str) -> Result<u64> {
    let version: Version = serde_json::from_str(text).map_err(|e| layout(&e.to_string()))?;
    if version.version == 0 {
        return Err(layout("its version never was"));
    }
    if version.version <= VERSION {
        return Ok(version.version);
    }
    let plain = |s: &String| (1..20).contains(&s.len()) && s.chars().all(|c| c.is_ascii_digit() || c == '.');
    let since = Some(version.since).filter(plain);
    let needs = since.map_or("a newer treewright".to_string(), |since| format!("treewright {since} or later"));
    let message = format!(
        "this file needs {needs} (its format is version {}); this is treewright {} (reads versions up to {VERSION})\n\
         try: pip install --upgrade treewright",
        version.version,
        env!("CARGO_PKG_VERSION"),
    );
    Err(Error::model("model.too-new", message))
}

fn impossible(error: Error) -> Error {
    match error {
        Error::Model { slug, message } => Error::model(slug, format!("this file holds an impossible tree: {message}")),
        other => other,
    }
}
