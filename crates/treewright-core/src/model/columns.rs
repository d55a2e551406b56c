//! The node table's columns as bytes: the data part of a model file, and its description in safetensors' words.
//!
//! The trees of a forest lie end to end in each column, so a thousand trees need no more tensors than one. The
//! tensor `trees` says how many nodes and route entries each tree has, and where there are spare questions, how many of
//! them and of their route entries; without any, their columns are left out, as are those of how the trees combine where
//! it is by their mean. Everything is little-endian.
//!
//! What this is not: it does not know the header, the checksum or the document, and it does not judge the numbers;
//! `Tree::check` does.

use super::combine::{Combine, HOWS, LINKS};
use super::forest::Forest;
use super::number_bytes::{Number, append, layout, sizes_disagree, take, take_in_one_form, tensors};
use super::tree::Tree;
use crate::Result;
use crate::sys::pool::Cancel;
use safetensors::tensor::{Dtype, Metadata, TensorInfo};

/// The version of the format that is written.
pub(super) const VERSION: u64 = 2;
/// The tensor that says how many nodes and route entries each tree has.
const SIZES: &str = "trees";

/// What a column has one entry for; its place in a list of numbers of entries.
#[derive(Clone, Copy)]
enum Each {
    Node,
    Route,
    Spare,
    SpareRoute,
    /// A node of a tree that has spares.
    SpareNode,
    /// A sum that begins somewhere.
    Base,
    /// A tree with a scale: all or none.
    Scale,
    /// A tree with a target: all or none.
    Target,
    /// A word that says how the trees combine: none for the mean.
    Word,
    /// A number that a node says. How many there are follows from the nodes.
    Value,
}

/// How many numbers of entries a model or a tree has.
const COUNTED: usize = Each::Value as usize;

/// How large each dimension of a model is; it fixes every tensor's type, shape and place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct ForestShape {
    version: u64,
    trees: usize,
    /// Numbers that a node says.
    pub outputs: usize,
    /// Entries for each of [`Each`], of all trees.
    pub entries: [usize; COUNTED],
}

/// Whose a column is; how it is appended, and how so many entries of it are taken from the front of bytes.
enum Field {
    Tree(fn(&Tree, &mut Vec<u8>), fn(&mut Tree, usize, &mut &[u8]) -> Result<()>),
    Combine(fn(&Combine, &mut Vec<u8>), fn(&mut Combine, usize, &mut &[u8]) -> Result<()>),
}

struct Column {
    name: &'static str,
    dtype: Dtype,
    each: Each,
    field: Field,
}

macro_rules! column {
    ($dtype:ident, $each:ident, $name:literal, $field:expr) => {
        Column { name: $name, dtype: Dtype::$dtype, each: Each::$each, field: $field }
    };
}

macro_rules! of_tree {
    ($field:ident) => {
        Field::Tree(
            |tree, out| append(&tree.$field, out),
            |tree, entries, data| take_in_one_form(&mut tree.$field, entries, data),
        )
    };
}

macro_rules! of_spares {
    ($field:ident) => {
        Field::Tree(
            |tree, out| tree.spares.iter().for_each(|spares| append(&spares.$field, out)),
            |tree, entries, data| take_in_one_form(&mut tree.spares.get_or_insert_default().$field, entries, data),
        )
    };
}

macro_rules! of_combine {
    ($field:ident) => {
        Field::Combine(
            |combine, out| append(&combine.$field, out),
            |combine, entries, data| take_in_one_form(&mut combine.$field, entries, data),
        )
    };
}

/// The columns in the order of the file, which is safetensors' own: wide types first, then by name; [`SIZES`] stands behind
/// the first. Part of the format.
const COLUMNS: [Column; 26] = [
    column!(U64, Node, "count", of_tree!(count)),
    column!(F64, Base, "base", of_combine!(base)),
    column!(F64, Node, "cost", of_tree!(cost)),
    column!(F64, Node, "gain", of_tree!(gain)),
    column!(F64, Scale, "scales", of_combine!(scales)),
    column!(F64, Spare, "spare_adjusted", of_spares!(adjusted)),
    column!(F64, Spare, "spare_merit", of_spares!(merit)),
    column!(F64, Spare, "spare_threshold", of_spares!(threshold)),
    column!(F64, Node, "threshold", of_tree!(threshold)),
    column!(F64, Value, "value", of_tree!(value)),
    column!(F64, Node, "weight", of_tree!(weight)),
    column!(U32, Node, "feature", of_tree!(feature)),
    column!(U32, Node, "first_child", of_tree!(first_child)),
    column!(U32, Node, "route_start", of_tree!(route_start)),
    column!(U32, Spare, "spare_count", of_spares!(count)),
    column!(U32, Spare, "spare_feature", of_spares!(feature)),
    column!(U32, Spare, "spare_route_start", of_spares!(route_start)),
    column!(U32, SpareNode, "spare_start", of_spares!(start)),
    column!(U32, Target, "targets", of_combine!(targets)),
    column!(U16, Word, "combine", Field::Combine(append_words, take_words)),
    column!(U16, Node, "missing", of_tree!(missing)),
    column!(U16, Node, "n_children", of_tree!(n_children)),
    column!(U16, Route, "route", of_tree!(route)),
    column!(U16, Spare, "spare_below", of_spares!(below)),
    column!(U16, Spare, "spare_role", of_spares!(role)),
    column!(U16, SpareRoute, "spare_route", of_spares!(route)),
];

/// The row counts of version 1, which stood before all other columns of 32 bits.
const COUNTS_OF_VERSION_1: [Column; 1] = [column!(U32, Node, "count", Field::Tree(|_, _| {}, take_narrow_counts))];

fn take_narrow_counts(tree: &mut Tree, entries: usize, data: &mut &[u8]) -> Result<()> {
    let mut narrow: Vec<u32> = Vec::new();
    take(&mut narrow, entries, data)?;
    tree.count.try_reserve_exact(entries)?;
    tree.count.extend(narrow.into_iter().map(u64::from));
    Ok(())
}

/// How trees combine, and the link: words as numbers.
fn append_words(combine: &Combine, out: &mut Vec<u8>) {
    let how = HOWS.iter().position(|(_, how)| *how == combine.how).unwrap_or(0);
    let link = LINKS.iter().position(|(_, link)| *link == combine.link).unwrap_or(0);
    append(&[how as u16, link as u16], out);
}

fn take_words(combine: &mut Combine, entries: usize, data: &mut &[u8]) -> Result<()> {
    let mut words: Vec<u16> = Vec::new();
    take(&mut words, entries, data)?;
    let [how, link] = words[..] else { return Err(sizes_disagree()) };
    let known = HOWS.get(usize::from(how)).zip(LINKS.get(usize::from(link)));
    let ((_, how), (_, link)) = known.ok_or_else(|| layout("its trees combine in an unknown way"))?;
    (combine.how, combine.link) = (*how, *link);
    Ok(())
}

/// All columns of a version of the format.
fn columns_of(version: u64) -> impl Iterator<Item = &'static Column> {
    let (counts, others) = COLUMNS.split_at(1);
    let (wide, narrow) = others.split_at(others.partition_point(|column| column.dtype == Dtype::F64));
    let (first, between) = if version == 1 { (&[][..], &COUNTS_OF_VERSION_1[..]) } else { (counts, &[][..]) };
    first.iter().chain(wide).chain(between).chain(narrow)
}

/// What a file says of one tree: its nodes and route entries, and where there are spares, how many of them and of their
/// route entries.
fn sizes_of(tree: &Tree) -> [usize; 4] {
    let (spares, spare_routes) = tree.spares.as_ref().map_or((0, 0), |spares| (spares.len(), spares.route.len()));
    [tree.len(), tree.route.len(), spares, spare_routes]
}

/// The entries of the columns of a tree of these sizes.
fn entries_of([nodes, routes, spares, spare_routes]: [usize; 4]) -> [usize; COUNTED] {
    let mut entries = [0; COUNTED];
    let spare_nodes = if spares > 0 { nodes } else { 0 };
    entries[..Each::Base as usize].copy_from_slice(&[nodes, routes, spares, spare_routes, spare_nodes]);
    entries
}

impl ForestShape {
    /// The dimensions of a forest.
    pub fn of(forest: &Forest) -> ForestShape {
        let combine = forest.combine();
        let mut entries = [0; COUNTED];
        if *combine != Combine::mean() {
            entries[Each::Base as usize..].copy_from_slice(&[
                combine.base.len(),
                combine.scales.len(),
                combine.targets.len(),
                2,
            ]);
        }
        for tree in forest.trees() {
            entries.iter_mut().zip(entries_of(sizes_of(tree))).for_each(|(sum, entries)| *sum += entries);
        }
        ForestShape { version: VERSION, trees: forest.trees().len(), outputs: forest.tree_outputs(), entries }
    }

    /// The dimensions that a file states; None where it holds something else. What else the tensors are called, and their
    /// types, is compared with the header of this shape.
    pub fn read(metadata: &Metadata, version: u64) -> Option<ForestShape> {
        let dimensions = |name: &str| metadata.info(name).map(|info| info.shape.as_slice());
        let (&[trees, _], &[nodes, outputs], &[routes]) =
            (dimensions(SIZES)?, dimensions("value")?, dimensions("route")?)
        else {
            return None;
        };
        let mut entries = entries_of([nodes, routes, 0, 0]);
        if let (Some(&[nodes]), Some(&[spares @ 1..=usize::MAX]), Some(&[routes])) =
            (dimensions("spare_start"), dimensions("spare_role"), dimensions("spare_route"))
        {
            entries[Each::Spare as usize..=Each::SpareNode as usize].copy_from_slice(&[spares, routes, nodes]);
        }
        let length = |name: &str| dimensions(name).and_then(|shape| shape.first().copied());
        let lists = [length("base"), length("scales"), length("targets"), length("combine").map(|_| 2)];
        if let [Some(base), Some(scales), Some(targets), Some(words)] = lists {
            entries[Each::Base as usize..].copy_from_slice(&[base, scales, targets, words]);
        }
        Some(ForestShape { version, trees, outputs, entries })
    }

    fn has_spares(&self) -> bool {
        self.entries[Each::Spare as usize] > 0
    }

    /// The columns that a model of this shape has.
    fn columns(&self) -> impl Iterator<Item = &'static Column> {
        let (spares, combine) = (self.has_spares(), self.entries[Each::Word as usize] > 0);
        columns_of(self.version).filter(move |column| match column.each {
            Each::Spare | Each::SpareRoute | Each::SpareNode => spares,
            Each::Base | Each::Scale | Each::Target | Each::Word => combine,
            Each::Node | Each::Route | Each::Value => true,
        })
    }

    /// How many columns stand before [`SIZES`]: row counts, which are as wide and come first by name.
    fn before_sizes(&self) -> usize {
        usize::from(self.version > 1)
    }

    /// How many of [`sizes_of`] the file has for each tree.
    fn numbers(&self) -> usize {
        if self.has_spares() { 4 } else { 2 }
    }

    /// The tensors of a model of this shape, end to end.
    pub fn tensors(&self) -> Result<Vec<(String, TensorInfo)>> {
        let sizes = [(SIZES, Dtype::U64, vec![self.trees, self.numbers()])];
        let tensor = |column: &Column| {
            let shape = match column.each {
                Each::Value => vec![self.entries[Each::Node as usize], self.outputs],
                each => vec![self.entries[each as usize]],
            };
            (column.name, column.dtype, shape)
        };
        let (before, after) = (self.columns().take(self.before_sizes()), self.columns().skip(self.before_sizes()));
        tensors(before.map(tensor).chain(sizes).chain(after.map(tensor)))
    }
}

/// Appends the data of all tensors.
pub(super) fn encode(forest: &Forest, out: &mut Vec<u8>, cancel: &Cancel) -> Result<()> {
    let shape = ForestShape::of(forest);
    for (place, column) in shape.columns().enumerate() {
        cancel.check()?;
        if place == shape.before_sizes() {
            for tree in forest.trees() {
                sizes_of(tree)[..shape.numbers()].iter().for_each(|&size| (size as u64).append(out));
            }
        }
        match column.field {
            Field::Tree(append, _) => forest.trees().iter().for_each(|tree| append(tree, out)),
            Field::Combine(append, _) => append(forest.combine(), out),
        }
    }
    Ok(())
}

/// The trees in the data part of a file, and how they combine. `data` must be as long as [`ForestShape::tensors`] says.
pub(super) fn decode(shape: &ForestShape, data: &[u8], cancel: &Cancel) -> Result<(Vec<Tree>, Combine)> {
    let before = shape.entries[Each::Node as usize].checked_mul(size_of::<u64>() * shape.before_sizes());
    let (mut front, mut data) = before.and_then(|bytes| data.split_at_checked(bytes)).ok_or_else(sizes_disagree)?;
    let sizes = tree_sizes(shape, &mut data)?;
    let mut trees = Vec::new();
    trees.try_reserve_exact(sizes.len())?;
    trees.resize_with(sizes.len(), || Tree::new(shape.outputs));
    let mut combine = Combine::mean();
    for (place, column) in shape.columns().enumerate() {
        cancel.check()?;
        let data = if place < shape.before_sizes() { &mut front } else { &mut data };
        match column.field {
            Field::Combine(_, take) => take(&mut combine, shape.entries[column.each as usize], data)?,
            Field::Tree(_, take) => {
                for (tree, size) in trees.iter_mut().zip(&sizes) {
                    let entries = match column.each {
                        Each::Value => size[0].checked_mul(shape.outputs).ok_or_else(sizes_disagree)?,
                        each => entries_of(*size)[each as usize],
                    };
                    // A tree without spares must not get a list of them.
                    if entries > 0 {
                        take(tree, entries, data)?;
                    }
                }
            }
        }
    }
    Ok((trees, combine))
}

/// The sizes of each tree, see [`sizes_of`].
fn tree_sizes(shape: &ForestShape, data: &mut &[u8]) -> Result<Vec<[usize; 4]>> {
    let each = shape.numbers() * size_of::<u64>();
    let split = shape.trees.checked_mul(each).and_then(|bytes| data.split_at_checked(bytes));
    let (front, rest) = split.ok_or_else(sizes_disagree)?;
    *data = rest;
    let mut left = shape.entries;
    left[Each::Base as usize..].fill(0);
    let mut sizes = Vec::new();
    sizes.try_reserve_exact(shape.trees)?;
    for numbers in front.chunks_exact(each) {
        let mut size = [0; 4];
        for (to, from) in size.iter_mut().zip(numbers.chunks_exact(size_of::<u64>())) {
            *to = usize::try_from(u64::read(from)).map_err(|_| sizes_disagree())?;
        }
        if size[0] == 0 {
            return Err(sizes_disagree());
        }
        for (left, used) in left.iter_mut().zip(entries_of(size)) {
            *left = left.checked_sub(used).ok_or_else(sizes_disagree)?;
        }
        sizes.push(size);
    }
    if left == [0; COUNTED] { Ok(sizes) } else { Err(sizes_disagree()) }
}
