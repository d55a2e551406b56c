//! The node table's columns as bytes: the data part of a model file, and its description in safetensors' words.
//!
//! The trees of a forest lie end to end in each column, so a thousand trees need no more tensors than one. The
//! tensor `trees` says how many nodes and route entries each tree has, and where there are spare questions, how many of
//! them and of their route entries; without any, their columns are left out, as are those of how the trees combine where
//! it is by their mean. Everything is little-endian.
//!
//! What this is not: it does not know the header, the checksum or the document, and it does not judge the numbers;
//! `Tree::check` does.

use super::combine::Combine;
use super::document::printable;
use super::forest::Forest;
use super::number_bytes::{Read, Write, number, read, write};
use super::packed::{CombineShape, Packed};
use super::tree::Tree;
use crate::sys::pool::Cancel;
use crate::{Error, Result};
use safetensors::tensor::{Dtype, TensorInfo};

/// How large each dimension of a model is; it fixes every tensor's type, shape and place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Shape {
    /// The version of the format.
    pub version: u64,
    /// Trees.
    pub trees: usize,
    /// Nodes of all trees.
    pub nodes: usize,
    /// Numbers that a node says.
    pub outputs: usize,
    /// Route entries of all trees.
    pub routes: usize,
    /// The spare questions of all trees, where there are any.
    pub spares: Option<SpareShape>,
    /// How the trees combine, unless by their mean.
    pub combine: Option<CombineShape>,
}

/// How large the columns of spare questions are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct SpareShape {
    /// Nodes of the trees that have spares.
    pub nodes: usize,
    /// AlternativeSplits of all trees.
    pub spares: usize,
    /// Their route entries.
    pub routes: usize,
}

/// How many entries the columns of one tree have.
#[derive(Clone, Copy, Debug, Default)]
struct Size {
    nodes: usize,
    routes: usize,
    spares: usize,
    spare_routes: usize,
}

/// The version of the format that is written.
pub(super) const VERSION: u64 = 2;
/// The tensor that says how many nodes and route entries each tree has.
pub(super) const SIZES: &str = "trees";

/// What a column has one entry for.
#[derive(Clone, Copy)]
enum Each {
    Node,
    Value,
    Route,
    SpareNode,
    AlternativeSplit,
    SpareRoute,
    Combine(fn(&CombineShape) -> usize),
}

/// Whose a column is, with the ways to it.
enum Of {
    Tree(fn(&Tree) -> Read<'_>, fn(&mut Tree) -> Write<'_>),
    Combine(fn(&Packed) -> Read<'_>, fn(&mut Packed) -> Write<'_>),
}

struct Column {
    name: &'static str,
    dtype: Dtype,
    each: Each,
    of: Of,
}

macro_rules! column {
    ($dtype:ident, $each:ident, $name:literal, $field:ident) => {
        Column {
            name: $name,
            dtype: Dtype::$dtype,
            each: Each::$each,
            of: Of::Tree(|tree| Read::$dtype(&tree.$field), |tree| Write::$dtype(&mut tree.$field)),
        }
    };
    ($dtype:ident, $each:ident, $name:literal, spares.$field:ident) => {
        Column {
            name: $name,
            dtype: Dtype::$dtype,
            each: Each::$each,
            of: Of::Tree(
                |tree| Read::$dtype(tree.spares.as_ref().map_or(&[], |spares| &spares.$field)),
                |tree| Write::$dtype(&mut tree.spares.get_or_insert_default().$field),
            ),
        }
    };
    ($dtype:ident, $length:expr, $name:literal, combine.$field:ident) => {
        Column {
            name: $name,
            dtype: Dtype::$dtype,
            each: Each::Combine($length),
            of: Of::Combine(|packed| Read::$dtype(&packed.$field), |packed| Write::$dtype(&mut packed.$field)),
        }
    };
}

/// The columns in the order of the file, which is safetensors' own: wide types first, then by name; [`SIZES`] stands behind
/// the first. Part of the format.
const COLUMNS: [Column; 26] = [
    column!(U64, Node, "count", count),
    column!(F64, |shape| shape.base, "base", combine.base),
    column!(F64, Node, "cost", cost),
    column!(F64, Node, "gain", gain),
    column!(F64, |shape| shape.scales, "scales", combine.scales),
    column!(F64, AlternativeSplit, "spare_adjusted", spares.adjusted),
    column!(F64, AlternativeSplit, "spare_merit", spares.merit),
    column!(F64, AlternativeSplit, "spare_threshold", spares.threshold),
    column!(F64, Node, "threshold", threshold),
    column!(F64, Value, "value", value),
    column!(F64, Node, "weight", weight),
    column!(U32, Node, "feature", feature),
    column!(U32, Node, "first_child", first_child),
    column!(U32, Node, "route_start", route_start),
    column!(U32, AlternativeSplit, "spare_count", spares.count),
    column!(U32, AlternativeSplit, "spare_feature", spares.feature),
    column!(U32, AlternativeSplit, "spare_route_start", spares.route_start),
    column!(U32, SpareNode, "spare_start", spares.start),
    column!(U32, |shape| shape.targets, "targets", combine.targets),
    column!(U16, |_| 2, "combine", combine.words),
    column!(U16, Node, "missing", missing),
    column!(U16, Node, "n_children", n_children),
    column!(U16, Route, "route", route),
    column!(U16, AlternativeSplit, "spare_below", spares.below),
    column!(U16, AlternativeSplit, "spare_role", spares.role),
    column!(U16, SpareRoute, "spare_route", spares.route),
];

/// The row counts of version 1, which stood before all other columns of 32 bits.
const COUNTS_OF_VERSION_1: [Column; 1] = [Column {
    name: "count",
    dtype: Dtype::U32,
    each: Each::Node,
    of: Of::Tree(|_| Read::U32(&[]), |tree| Write::FromU32(&mut tree.count)),
}];

/// All columns of a version of the format.
fn columns_of(version: u64) -> impl Iterator<Item = &'static Column> {
    let (counts, others) = COLUMNS.split_at(1);
    let (wide, narrow) = others.split_at(others.partition_point(|column| column.dtype == Dtype::F64));
    let (first, between) = if version == 1 { (&[][..], &COUNTS_OF_VERSION_1[..]) } else { (counts, &[][..]) };
    first.iter().chain(wide).chain(between).chain(narrow)
}

impl Each {
    fn is_spare(self) -> bool {
        matches!(self, Each::SpareNode | Each::AlternativeSplit | Each::SpareRoute)
    }

    fn is_combine(self) -> bool {
        matches!(self, Each::Combine(_))
    }
}

impl Size {
    fn of(tree: &Tree) -> Size {
        let (spares, spare_routes) = tree.spares.as_ref().map_or((0, 0), |spares| (spares.len(), spares.route.len()));
        Size { nodes: tree.len(), routes: tree.route.len(), spares, spare_routes }
    }

    fn entries(&self, each: Each, outputs: usize) -> Option<usize> {
        Some(match each {
            Each::Node => self.nodes,
            Each::Value => self.nodes.checked_mul(outputs)?,
            Each::Route => self.routes,
            Each::SpareNode => self.nodes,
            Each::AlternativeSplit => self.spares,
            Each::SpareRoute => self.spare_routes,
            Each::Combine(_) => 0,
        })
    }

    /// The numbers of [`SIZES`]; the last two are there only where a tree has spares.
    fn numbers(&self) -> [usize; 4] {
        [self.nodes, self.routes, self.spares, self.spare_routes]
    }
}

impl Shape {
    /// The dimensions of a forest.
    pub fn of(forest: &Forest) -> Shape {
        let sizes = || forest.trees().iter().map(Size::of);
        let spares = SpareShape {
            nodes: sizes().filter(|size| size.spares > 0).map(|size| size.nodes).sum(),
            spares: sizes().map(|size| size.spares).sum(),
            routes: sizes().map(|size| size.spare_routes).sum(),
        };
        Shape {
            version: VERSION,
            trees: forest.trees().len(),
            nodes: sizes().map(|size| size.nodes).sum(),
            outputs: forest.tree_outputs(),
            routes: sizes().map(|size| size.routes).sum(),
            spares: (spares.spares > 0).then_some(spares),
            combine: CombineShape::of(forest.combine()),
        }
    }

    /// The columns that a model of this shape has.
    fn columns(&self) -> impl Iterator<Item = &'static Column> {
        let (spares, combine) = (self.spares.is_some(), self.combine.is_some());
        let has = move |each: Each| (spares || !each.is_spare()) && (combine || !each.is_combine());
        columns_of(self.version).filter(move |column| has(column.each))
    }

    /// How many columns stand before [`SIZES`]: row counts, which are as wide and come first by name.
    fn before_sizes(&self) -> usize {
        usize::from(self.version > 1)
    }

    /// How many of [`Size::numbers`] the file has for each tree.
    fn numbers(&self) -> usize {
        if self.spares.is_some() { 4 } else { 2 }
    }

    /// The tensors of a model of this shape, end to end; nothing when their sizes overflow.
    pub fn tensors(&self) -> Option<Vec<(String, TensorInfo)>> {
        let sizes = [(SIZES, Dtype::U64, vec![self.trees, self.numbers()])];
        let more = self.spares.unwrap_or(SpareShape { nodes: 0, spares: 0, routes: 0 });
        let combine = self.combine.unwrap_or_default();
        let tensor = |column: &Column| {
            let shape = match column.each {
                Each::Node => vec![self.nodes],
                Each::Value => vec![self.nodes, self.outputs],
                Each::Route => vec![self.routes],
                Each::SpareNode => vec![more.nodes],
                Each::AlternativeSplit => vec![more.spares],
                Each::SpareRoute => vec![more.routes],
                Each::Combine(length) => vec![length(&combine)],
            };
            (column.name, column.dtype, shape)
        };
        let (before, after) = (self.columns().take(self.before_sizes()), self.columns().skip(self.before_sizes()));
        tensors(before.map(tensor).chain(sizes).chain(after.map(tensor)))
    }
}

/// Tensors end to end; nothing when their sizes overflow.
pub(super) fn tensors(
    list: impl Iterator<Item = (&'static str, Dtype, Vec<usize>)>,
) -> Option<Vec<(String, TensorInfo)>> {
    let mut end = 0usize;
    list.map(|(name, dtype, shape)| {
        let start = end;
        let entries = shape.iter().try_fold(1usize, |product, &n| product.checked_mul(n))?;
        end = entries.checked_mul(dtype.bitsize() / 8)?.checked_add(start)?;
        Some((name.to_string(), TensorInfo { dtype, shape, data_offsets: (start, end) }))
    })
    .collect()
}

/// Appends the data of all tensors.
pub(super) fn encode(forest: &Forest, out: &mut Vec<u8>, cancel: &Cancel) -> Result<()> {
    let shape = Shape::of(forest);
    let packed = Packed::of(forest.combine());
    for (place, column) in shape.columns().enumerate() {
        cancel.check()?;
        if place == shape.before_sizes() {
            for tree in forest.trees() {
                let numbers = Size::of(tree).numbers();
                numbers[..shape.numbers()].iter().for_each(|&n| out.extend_from_slice(&(n as u64).to_le_bytes()));
            }
        }
        match column.of {
            Of::Tree(read, _) => forest.trees().iter().for_each(|tree| write(read(tree), out)),
            Of::Combine(read, _) => write(read(&packed), out),
        }
    }
    Ok(())
}

/// The trees in the data part of a file, and how they combine. `data` must be as long as [`Shape::tensors`] says.
pub(super) fn decode(shape: &Shape, data: &[u8], cancel: &Cancel) -> Result<(Vec<Tree>, Combine)> {
    let before = shape.nodes.checked_mul(size_of::<u64>() * shape.before_sizes());
    let (mut front, mut data) = before.and_then(|bytes| data.split_at_checked(bytes)).ok_or_else(sizes_disagree)?;
    let sizes = tree_sizes(shape, &mut data)?;
    let mut trees = Vec::new();
    trees.try_reserve_exact(sizes.len())?;
    trees.resize_with(sizes.len(), || Tree::new(shape.outputs));
    let mut packed = Packed::default();
    for (place, column) in shape.columns().enumerate() {
        cancel.check()?;
        let data = if place < shape.before_sizes() { &mut front } else { &mut data };
        match (&column.of, column.each) {
            (Of::Combine(_, write), Each::Combine(length)) => {
                let entries = length(&shape.combine.unwrap_or_default());
                read(write(&mut packed), entries, data)?;
            }
            (Of::Tree(_, write), each) => {
                for (tree, size) in trees.iter_mut().zip(&sizes).filter(|(_, s)| s.spares > 0 || !each.is_spare()) {
                    let entries = size.entries(each, shape.outputs).ok_or_else(sizes_disagree)?;
                    read(write(tree), entries, data)?;
                }
            }
            (Of::Combine(..), _) => {}
        }
    }
    Ok((trees, packed.unpacked()?))
}

fn tree_sizes(shape: &Shape, data: &mut &[u8]) -> Result<Vec<Size>> {
    let each = shape.numbers() * size_of::<u64>();
    let split = shape.trees.checked_mul(each).and_then(|bytes| data.split_at_checked(bytes));
    let (front, rest) = split.ok_or_else(sizes_disagree)?;
    *data = rest;
    let more = shape.spares.unwrap_or(SpareShape { nodes: 0, spares: 0, routes: 0 });
    // Nodes, routes, spares, their routes, and nodes of trees with spares.
    let mut left = [shape.nodes, shape.routes, more.spares, more.routes, more.nodes];
    let mut sizes = Vec::new();
    sizes.try_reserve_exact(shape.trees)?;
    for numbers in front.chunks_exact(each) {
        let mut size = [0; 4];
        for (to, from) in size.iter_mut().zip(numbers.chunks_exact(size_of::<u64>())) {
            *to = usize::try_from(number(from, u64::from_le_bytes)).map_err(|_| sizes_disagree())?;
        }
        let [nodes @ 1..=usize::MAX, routes, spares, spare_routes] = size else { return Err(sizes_disagree()) };
        let size = Size { nodes, routes, spares, spare_routes };
        let uses = [nodes, routes, spares, spare_routes, if spares > 0 { nodes } else { 0 }];
        for (left, used) in left.iter_mut().zip(uses) {
            *left = left.checked_sub(used).ok_or_else(sizes_disagree)?;
        }
        sizes.push(size);
    }
    if left == [0; 5] { Ok(sizes) } else { Err(sizes_disagree()) }
}

pub(super) fn sizes_disagree() -> Error {
    layout("the sizes of its trees do not add up to its columns")
}

/// The error for bytes with a right checksum that no treewright wrote.
pub(super) fn layout(what: &str) -> Error {
    Error::model("model.layout", format!("this file is not laid out as a model: {}", printable(what)))
}
