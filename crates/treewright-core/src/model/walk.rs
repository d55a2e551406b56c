//! The way of one row through one tree: the only place where a question is answered.

use super::tree::{SHARE, STOP, Tree};
use crate::data::table::{Column, MISSING, UNSEEN};

/// The child that the row goes to, or [`STOP`], or [`SHARE`]. `node` must be a branch of a checked tree.
#[inline]
pub fn answer(tree: &Tree, node: usize, columns: &[Column<'_>], row: usize) -> u16 {
    let spare = tree.spares.is_some();
    match columns[tree.feature[node] as usize] {
        column @ (Column::Numeric(_) | Column::Strided(_) | Column::Sparse(_)) => {
            let x = column.number(row);
            if x.is_nan() { unanswered(tree, node, columns, row) } else { u16::from(x > tree.threshold[node]) }
        }
        Column::Categorical { codes, .. } => match codes[row] {
            MISSING => unanswered(tree, node, columns, row),
            UNSEEN if spare => unanswered(tree, node, columns, row),
            // A value never seen is as good as missing where rows are divided.
            UNSEEN if tree.missing[node] == SHARE => SHARE,
            UNSEEN => STOP,
            code => match tree.route[tree.route_start[node] as usize + code as usize] {
                STOP if spare => unanswered(tree, node, columns, row),
                child => child,
            },
        },
    }
}

/// The child of a row that the node's own question does not answer.
#[inline]
fn unanswered(tree: &Tree, node: usize, columns: &[Column<'_>], row: usize) -> u16 {
    match tree.spares.as_ref().map_or(STOP, |spares| spares.answer(node, columns, row)) {
        STOP => tree.missing[node],
        child => child,
    }
}

/// The node where the walk of an undivided row ends: a leaf, or a branch that has no single child for it.
#[inline]
pub fn reach(tree: &Tree, columns: &[Column<'_>], row: usize) -> usize {
    reach_from(tree, 0, columns, row, |node| tree.is_leaf(node))
}

#[inline]
fn reach_from(
    tree: &Tree,
    mut node: usize,
    columns: &[Column<'_>],
    row: usize,
    is_leaf: impl Fn(usize) -> bool,
) -> usize {
    while !is_leaf(node) {
        match answer(tree, node, columns, row) {
            STOP | SHARE => break,
            child => node = tree.first_child[node] as usize + child as usize,
        }
    }
    node
}

/// The prediction of the tree for a row: the value where its walk ends, or the mean over its parts, computed in `own`,
/// which has room for it.
#[inline]
pub fn value_of_row<'a>(tree: &'a Tree, columns: &[Column<'_>], row: usize, own: &'a mut [f64]) -> &'a [f64] {
    let is_leaf = |node: usize| tree.is_leaf(node);
    let node = reach_from(tree, 0, columns, row, is_leaf);
    if is_leaf(node) || answer(tree, node, columns, row) != SHARE {
        return tree.value_of(node);
    }
    own.fill(0.0);
    visit_parts(tree, node, columns, row, is_leaf, |node, part| add(tree, node, part, own));
    own
}

#[inline]
fn add(tree: &Tree, node: usize, part: f64, out: &mut [f64]) {
    out.iter_mut().zip(tree.value_of(node)).for_each(|(sum, value)| *sum += part * value);
}

/// Visits the node where the row's walk ends, with 1, or those of its parts, with their shares of the row.
#[inline]
pub fn ends(tree: &Tree, columns: &[Column<'_>], row: usize, visit: impl FnMut(usize, f64)) {
    ends_until(tree, columns, row, |node| tree.is_leaf(node), visit);
}

#[inline]
fn ends_until(
    tree: &Tree,
    columns: &[Column<'_>],
    row: usize,
    is_leaf: impl Fn(usize) -> bool + Copy,
    mut visit: impl FnMut(usize, f64),
) {
    let node = reach_from(tree, 0, columns, row, is_leaf);
    if !is_leaf(node) && answer(tree, node, columns, row) == SHARE {
        visit_parts(tree, node, columns, row, is_leaf, visit);
    } else {
        visit(node, 1.0);
    }
}

/// Adds what the tree says of the row to `out` where the tree ends earlier; it must end at its leaves.
#[inline]
pub fn say_until(
    tree: &Tree,
    columns: &[Column<'_>],
    row: usize,
    out: &mut [f64],
    is_leaf: impl Fn(usize) -> bool + Copy,
) {
    ends_until(tree, columns, row, is_leaf, |node, part| add(tree, node, part, out));
}

/// The nodes where the parts of the row end, each with its share of the row; one node where the row is not divided.
pub fn parts(tree: &Tree, columns: &[Column<'_>], row: usize) -> Vec<(usize, f64)> {
    let mut ends = Vec::new();
    visit_parts(tree, 0, columns, row, |node| tree.is_leaf(node), |node, part| ends.push((node, part)));
    ends
}

/// The share of the row that comes to the last of these nodes, which lead from the root to it.
pub fn share_at(tree: &Tree, path: &[usize], columns: &[Column<'_>], row: usize) -> f64 {
    let mut share = 1.0;
    for step in path.windows(2) {
        match answer(tree, step[0], columns, row) {
            SHARE if tree.weight[step[1]] > 0.0 => share *= tree.weight[step[1]] / tree.weight[step[0]],
            STOP | SHARE => return 0.0,
            child if tree.first_child[step[0]] as usize + child as usize == step[1] => {}
            _ => return 0.0,
        }
    }
    share
}

/// Parts are visited depth first, first child first, so that the order of the additions is the tree's own.
#[cold]
fn visit_parts(
    tree: &Tree,
    node: usize,
    columns: &[Column<'_>],
    row: usize,
    is_leaf: impl Fn(usize) -> bool + Copy,
    mut visit: impl FnMut(usize, f64),
) {
    let mut open = vec![(node, 1.0)];
    while let Some((start, part)) = open.pop() {
        let node = reach_from(tree, start, columns, row, is_leaf);
        if !is_leaf(node) && answer(tree, node, columns, row) == SHARE {
            let children = tree.children(node).rev().filter(|&child| tree.weight[child] > 0.0);
            open.extend(children.map(|child| (child, part * tree.weight[child] / tree.weight[node])));
        } else {
            visit(node, part);
        }
    }
}
