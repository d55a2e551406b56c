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

use super::cases::{self, CaseShape, Cases};
use super::columns::{SIZES, Shape, SpareShape, VERSION, decode, encode, layout};
use super::document;
use super::foreign;
use super::forest::Forest;
use super::packed::CombineShape;
use crate::{Error, Result};
use safetensors::SafeTensors;
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

/// What a model is made of.
#[derive(Clone, Debug, PartialEq)]
pub enum Contents {
    /// Trees.
    Forest(Forest),
    /// Cases that are remembered.
    Cases(Cases),
}

/// The tensors of some contents.
#[derive(Clone, Copy)]
enum AnyShape {
    Forest(Shape),
    Cases(CaseShape),
}

impl AnyShape {
    fn tensors(&self) -> Option<Vec<(String, TensorInfo)>> {
        match self {
            AnyShape::Forest(shape) => shape.tensors(),
            AnyShape::Cases(shape) => shape.tensors(),
        }
    }
}

/// The bytes of a model: the same bytes for the same forest and document, anywhere.
pub fn to_bytes(forest: &Forest, document: &str) -> Result<Vec<u8>> {
    if document::kinds(document, forest.outputs())? != forest.kinds() {
        return Err(document::bad("its columns are not those of the trees"));
    }
    sealed(AnyShape::Forest(Shape::of(forest)), document, |out| encode(forest, out))
}

/// The same for cases.
pub fn cases_to_bytes(cases: &Cases, document: &str) -> Result<Vec<u8>> {
    if document::kinds(document, cases.outputs())? != cases.kinds() {
        return Err(document::bad("its columns are not those of the cases"));
    }
    sealed(AnyShape::Cases(CaseShape::of(cases)), document, |out| cases::encode(cases, out))
}

fn sealed(shape: AnyShape, document: &str, encode: impl FnOnce(&mut Vec<u8>)) -> Result<Vec<u8>> {
    let (mut bytes, data) = header(&shape, VERSION, document, BLANK)?;
    bytes.try_reserve_exact(data)?;
    encode(&mut bytes);
    let seal = checksum(&bytes);
    bytes[DIGITS].copy_from_slice(seal.as_bytes());
    Ok(bytes)
}

/// The trees in the bytes, and their document.
pub fn from_bytes(bytes: &[u8]) -> Result<(Forest, String)> {
    match open(bytes)? {
        (Contents::Forest(forest), document) => Ok((forest, document)),
        (Contents::Cases(_), _) => Err(Error::model("model.no-tree", "this file holds a model without a tree")),
    }
}

/// The model in the bytes, and its document. Whatever the bytes are, this ends with a sound model or an error.
pub fn open(bytes: &[u8]) -> Result<(Contents, String)> {
    check_seal(bytes)?;
    let (text, end) = entry(bytes)?;
    let version = version_of(&text)?;
    let seal = String::from_utf8_lossy(&bytes[DIGITS]);
    let document = text.strip_prefix(&prefix(version, &seal)).and_then(|rest| rest.strip_suffix('}'));
    let document = document.ok_or_else(|| layout("its metadata has another form"))?;
    let shape = shape(bytes, end, version)?;
    let (expected, _) = header(&shape, version, document, &seal)?;
    let data = bytes.strip_prefix(expected.as_slice());
    let data = data.ok_or_else(|| layout("its header is not the one of its contents"))?;
    let contents = match shape {
        AnyShape::Forest(shape) => {
            let (trees, combine) = decode(&shape, data)?;
            let kinds = document::kinds(document, combine.outputs(shape.outputs))?;
            let forest = Forest::combined(kinds, trees, combine.clone()).map_err(impossible)?;
            if *forest.combine() != combine || Shape::of(&forest).combine != shape.combine {
                return Err(layout("it says in a second way how its trees combine"));
            }
            Contents::Forest(forest)
        }
        AnyShape::Cases(shape) => {
            let classes = document::classes(document)?;
            let kinds = document::kinds(document, classes.unwrap_or(1))?;
            Contents::Cases(shape.decode(kinds, classes, data)?)
        }
    };
    Ok((contents, document.to_string()))
}

/// The header with its length, and how many bytes of data must follow.
fn header(shape: &AnyShape, version: u64, document: &str, seal: &str) -> Result<(Vec<u8>, usize)> {
    let tensors = shape.tensors().ok_or_else(|| layout("its columns are too large"))?;
    let data = tensors.last().map_or(0, |(_, info)| info.data_offsets.1);
    let entry = (ENTRY.to_string(), format!("{}{document}}}", prefix(version, seal)));
    let text = Metadata::new(Some([entry].into_iter().collect()), tensors)
        .and_then(|metadata| Ok(serde_json::to_string(&metadata)?))
        .map_err(|e| layout(&e.to_string()))?;
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

fn checksum(bytes: &[u8]) -> String {
    let mut hasher = blake3::Hasher::new();
    hasher.update(&bytes[..DIGITS.start]).update(BLANK.as_bytes()).update(&bytes[DIGITS.end..]);
    hasher.finalize().to_hex().to_string()
}

/// Whether the bytes are a model file as it was written, before any of it is interpreted.
fn check_seal(bytes: &[u8]) -> Result<()> {
    let start = bytes.get(LENGTH..).unwrap_or_default();
    // A file whose beginning was altered or cut still resembles one of ours.
    let alike = start.iter().zip(MAGIC).filter(|(a, b)| a == b).count();
    if alike * 2 <= start.len().min(MAGIC.len()) {
        return Err(foreign::refuse(bytes));
    }
    let digits = bytes.get(DIGITS);
    if start.starts_with(MAGIC) && digits.is_some_and(|digits| digits == checksum(bytes).as_bytes()) {
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
    let mut escaped = false;
    let length = bytes[DIGITS.end..].iter().position(|&byte| {
        let ends = byte == b'"' && !escaped;
        escaped = byte == b'\\' && !escaped;
        ends
    });
    let end = DIGITS.end + length.ok_or_else(|| layout("its metadata does not end"))? + 1;
    let text = serde_json::from_slice(&bytes[LENGTH + QUOTE..end]).map_err(|e| layout(&e.to_string()))?;
    Ok((text, end))
}

/// The dimensions of the tensors, as safetensors reads them. `end` is where the metadata ends.
fn shape(bytes: &[u8], end: usize, version: u64) -> Result<AnyShape> {
    // safetensors holds every number of the description in many bytes, so a long one is refused before.
    let length = bytes.first_chunk().map_or(u64::MAX, |length| u64::from_le_bytes(*length));
    if length > (end + LARGEST_DESCRIPTION) as u64 {
        return Err(layout("its header is too long"));
    }
    let (_, metadata) = SafeTensors::read_metadata(bytes).map_err(|e| layout(&e.to_string()))?;
    let dimensions = |name: &str| metadata.info(name).map(|info| info.shape.as_slice());
    let spares = match (dimensions("spare_start"), dimensions("spare_role"), dimensions("spare_route")) {
        (Some(&[nodes]), Some(&[spares @ 1..=usize::MAX]), Some(&[routes])) => {
            Some(SpareShape { nodes, spares, routes })
        }
        _ => None,
    };
    // What else the tensors are called, and their types, is compared with the header of this shape.
    match (dimensions(SIZES), dimensions("value"), dimensions("route")) {
        (Some(&[trees, _]), Some(&[nodes, outputs]), Some(&[routes])) => {
            let combine = CombineShape::read(&metadata);
            Ok(AnyShape::Forest(Shape { version, trees, nodes, outputs, routes, spares, combine }))
        }
        _ => CaseShape::read(&metadata).map(AnyShape::Cases).ok_or_else(|| layout("it lacks columns")),
    }
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
    let said: Version = serde_json::from_str(text).map_err(|e| layout(&e.to_string()))?;
    if said.version == 0 {
        return Err(layout("its version never was"));
    }
    if said.version <= VERSION {
        return Ok(said.version);
    }
    let plain = |s: &String| (1..20).contains(&s.len()) && s.chars().all(|c| c.is_ascii_digit() || c == '.');
    let since = Some(said.since).filter(plain);
    let needs = since.map_or("a newer treewright".to_string(), |since| format!("treewright {since} or later"));
    let message = format!(
        "this file needs {needs} (its format is version {}); this is treewright {} (reads versions up to {VERSION})\n\
         try: pip install --upgrade treewright",
        said.version,
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
