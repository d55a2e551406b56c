//! The node table's columns as bytes: the data part of a model file, and its description in safetensors' words.
//!
//! The trees of a forest lie end to end in each column, so a thousand trees need no more tensors than one. The first
//! tensor, `trees`, says how many nodes and route entries each tree has. Everything is little-endian.
//!
//! What this is not: it does not know the header, the checksum or the document, and it does not judge the numbers;
//! `Tree::check` does.

use super::document::printable;
use super::forest::Forest;
use super::tree::Tree;
use crate::{Error, Result};
use safetensors::tensor::{Dtype, TensorInfo};

/// How large each dimension of a model is; it fixes every tensor's type, shape and place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Shape {
    /// Trees.
    pub trees: usize,
    /// Nodes of all trees.
    pub nodes: usize,
    /// Numbers that a node says.
    pub outputs: usize,
    /// Route entries of all trees.
    pub routes: usize,
}

/// NaN in a file: one pattern, so that equal tables have equal bytes.
const NAN_BITS: u64 = 0x7ff8_0000_0000_0000;
/// The first tensor: nodes and route entries of each tree.
pub(super) const SIZES: &str = "trees";

enum Read<'a> {
    F64(&'a [f64]),
    U32(&'a [u32]),
    U16(&'a [u16]),
}

enum Write<'a> {
    F64(&'a mut Vec<f64>),
    U32(&'a mut Vec<u32>),
    U16(&'a mut Vec<u16>),
}

struct Column {
    name: &'static str,
    dtype: Dtype,
    read: fn(&Tree) -> Read<'_>,
    write: fn(&mut Tree) -> Write<'_>,
}

macro_rules! column {
    ($dtype:ident, $name:ident) => {
        Column {
            name: stringify!($name),
            dtype: Dtype::$dtype,
            read: |tree| Read::$dtype(&tree.$name),
            write: |tree| Write::$dtype(&mut tree.$name),
        }
    };
}

/// The columns in the order of the file, which is safetensors' own: wide types first, then by name. Part of the format.
const COLUMNS: [Column; 12] = [
    column!(F64, cost),
    column!(F64, gain),
    column!(F64, threshold),
    column!(F64, value),
    column!(F64, weight),
    column!(U32, count),
    column!(U32, feature),
    column!(U32, first_child),
    column!(U32, route_start),
    column!(U16, missing),
    column!(U16, n_children),
    column!(U16, route),
];

impl Shape {
    /// The dimensions of a forest.
    pub fn of(forest: &Forest) -> Shape {
        let trees = forest.trees();
        Shape {
            trees: trees.len(),
            nodes: trees.iter().map(Tree::len).sum(),
            outputs: forest.outputs(),
            routes: trees.iter().map(|tree| tree.route.len()).sum(),
        }
    }

    /// The tensors of a model of this shape, end to end; nothing when their sizes overflow.
    pub fn tensors(&self) -> Option<Vec<(String, TensorInfo)>> {
        let sizes = (SIZES, Dtype::U64, vec![self.trees, 2]);
        let columns = COLUMNS.iter().map(|column| {
            let shape = match column.name {
                "value" => vec![self.nodes, self.outputs],
                "route" => vec![self.routes],
                _ => vec![self.nodes],
            };
            (column.name, column.dtype, shape)
        });
        let mut end = 0usize;
        std::iter::once(sizes)
            .chain(columns)
            .map(|(name, dtype, shape)| {
                let start = end;
                let entries = shape.iter().try_fold(1usize, |product, &n| product.checked_mul(n))?;
                end = entries.checked_mul(dtype.bitsize() / 8)?.checked_add(start)?;
                Some((name.to_string(), TensorInfo { dtype, shape, data_offsets: (start, end) }))
            })
            .collect()
    }

    fn entries(&self, column: &Column, nodes: usize, routes: usize) -> Option<usize> {
        match column.name {
            "value" => nodes.checked_mul(self.outputs),
            "route" => Some(routes),
            _ => Some(nodes),
        }
    }
}

/// Appends the data of all tensors.
pub(super) fn encode(forest: &Forest, out: &mut Vec<u8>) {
    for tree in forest.trees() {
        out.extend_from_slice(&(tree.len() as u64).to_le_bytes());
        out.extend_from_slice(&(tree.route.len() as u64).to_le_bytes());
    }
    for column in &COLUMNS {
        for tree in forest.trees() {
            match (column.read)(tree) {
                Read::F64(values) => values.iter().for_each(|x| {
                    let bits = if x.is_nan() { NAN_BITS } else { x.to_bits() };
                    out.extend_from_slice(&bits.to_le_bytes());
                }),
                Read::U32(values) => values.iter().for_each(|x| out.extend_from_slice(&x.to_le_bytes())),
                Read::U16(values) => values.iter().for_each(|x| out.extend_from_slice(&x.to_le_bytes())),
            }
        }
    }
}

/// The trees in the data part of a file. `data` must be as long as [`Shape::tensors`] says.
pub(super) fn decode(shape: &Shape, mut data: &[u8]) -> Result<Vec<Tree>> {
    let sizes = tree_sizes(shape, &mut data)?;
    let mut trees = Vec::new();
    trees.try_reserve_exact(sizes.len())?;
    trees.resize_with(sizes.len(), || Tree::new(shape.outputs));
    for column in &COLUMNS {
        for (tree, &(nodes, routes)) in trees.iter_mut().zip(&sizes) {
            let entries = shape.entries(column, nodes, routes).ok_or_else(sizes_disagree)?;
            match (column.write)(tree) {
                Write::F64(to) => numbers(&mut data, entries, to, f64::from_le_bytes)?,
                Write::U32(to) => numbers(&mut data, entries, to, u32::from_le_bytes)?,
                Write::U16(to) => numbers(&mut data, entries, to, u16::from_le_bytes)?,
            }
            if let Write::F64(values) = (column.write)(tree) {
                if values.iter().any(|x| x.is_nan() && x.to_bits() != NAN_BITS) {
                    return Err(layout("it writes NaN in a second way"));
                }
            }
        }
    }
    Ok(trees)
}

fn tree_sizes(shape: &Shape, data: &mut &[u8]) -> Result<Vec<(usize, usize)>> {
    let mut numbers_of_trees: Vec<u64> = Vec::new();
    let entries = shape.trees.checked_mul(2).ok_or_else(sizes_disagree)?;
    numbers(data, entries, &mut numbers_of_trees, u64::from_le_bytes)?;
    let mut left = (shape.nodes, shape.routes);
    let mut sizes = Vec::new();
    sizes.try_reserve_exact(shape.trees)?;
    for pair in numbers_of_trees.chunks_exact(2) {
        let size = (usize::try_from(pair[0]), usize::try_from(pair[1]));
        let (Ok(nodes @ 1..), Ok(routes)) = size else { return Err(sizes_disagree()) };
        let rest = (left.0.checked_sub(nodes), left.1.checked_sub(routes));
        let (Some(nodes_left), Some(routes_left)) = rest else { return Err(sizes_disagree()) };
        left = (nodes_left, routes_left);
        sizes.push((nodes, routes));
    }
    if left == (0, 0) { Ok(sizes) } else { Err(sizes_disagree()) }
}

/// Moves `entries` numbers from the front of `data` into `to`. The bytes are there before the memory is asked for.
fn numbers<T, const N: usize>(
    data: &mut &[u8],
    entries: usize,
    to: &mut Vec<T>,
    number: fn([u8; N]) -> T,
) -> Result<()> {
    let split = entries.checked_mul(N).and_then(|bytes| data.split_at_checked(bytes));
    let (front, rest) = split.ok_or_else(sizes_disagree)?;
    to.try_reserve_exact(entries)?;
    to.extend(front.chunks_exact(N).map(|chunk| {
        let mut bytes = [0; N];
        bytes.copy_from_slice(chunk);
        number(bytes)
    }));
    *data = rest;
    Ok(())
}

fn sizes_disagree() -> Error {
    layout("the sizes of its trees do not add up to its columns")
}

/// The error for bytes with a right checksum that no treewright wrote.
pub(super) fn layout(what: &str) -> Error {
    Error::model("model.layout", format!("this file is not laid out as a model: {}", printable(what)))
}
