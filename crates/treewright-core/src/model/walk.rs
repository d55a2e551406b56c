//! The way of one row through one tree: the only place where a question is answered.

use super::tree::{STOP, Tree};
use crate::data::table::{Column, MISSING, UNSEEN};

/// The child that the row goes to, or [`STOP`]. `node` must be a branch of a checked tree.
#[inline]
pub fn answer(tree: &Tree, node: usize, columns: &[Column<'_>], row: usize) -> u16 {
    match columns[tree.feature[node] as usize] {
        Column::Numeric(values) => {
            let x = values[row];
            if x.is_nan() { tree.missing[node] } else { u16::from(x > tree.threshold[node]) }
        }
        Column::Categorical { codes, .. } => match codes[row] {
            MISSING => tree.missing[node],
            UNSEEN => STOP,
            code => tree.route[tree.route_start[node] as usize + code as usize],
        },
    }
}

/// The node where the row's walk ends: a leaf, or a branch that has no way on for it.
#[inline]
pub fn reach(tree: &Tree, columns: &[Column<'_>], row: usize) -> usize {
    let mut node = 0;
    while tree.n_children[node] > 0 {
        match answer(tree, node, columns, row) {
            STOP => break,
            child => node = tree.first_child[node] as usize + child as usize,
        }
    }
    node
}
