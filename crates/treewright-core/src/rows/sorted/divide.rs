//! Dividing the rows of a node among its children.

use super::columns::NOWHERE;
use super::deal::Deal;
use super::node::SortedNode;
use super::{MIN_ROWS_FOR_THREADS, TreeContext};
use crate::Result;
use crate::rows::list::distribute::each_share;
use crate::sys::memory::{filled, room};
use std::sync::Arc;

/// Divides a node. `child_of` says for each row to which child it goes, or that it is shared among all
/// ([`SHARE`](crate::model::tree::SHARE)); `levels` are the columns of categories that may still be asked about.
pub fn divide(
    context: &TreeContext<'_>,
    mut node: SortedNode,
    children: usize,
    child_of: Vec<u16>,
    levels: &Arc<[u32]>,
    threads: usize,
) -> Result<Vec<SortedNode>> {
    let (mut children, deal) = deal_rows(context, &node, children, child_of)?;
    for child in &mut children {
        if context.is_searched(&child.stats) {
            child.levels = levels.clone();
        } else {
            (child.rows, child.classes, child.weights) = Default::default();
        }
    }
    let threads = if node.count < MIN_ROWS_FOR_THREADS { 1 } else { threads };
    let rows: Vec<usize> = children.iter().map(|child| child.rows.len()).collect();
    let numbers = std::mem::take(&mut node.numbers);
    let numbers = deal.columns(numbers, &rows, &context.spares, threads, context.cancel)?;
    children.iter_mut().zip(numbers).for_each(|(child, numbers)| child.numbers = numbers);
    Ok(children)
}

/// Deals the rows; the columns come later.
fn deal_rows(
    context: &TreeContext<'_>,
    node: &SortedNode,
    count: usize,
    child_of: Vec<u16>,
) -> Result<(Vec<SortedNode>, Deal)> {
    let weight_at = |place: usize| node.weights.as_ref().map_or(context.units, |weights| weights[place]);
    let (mut known, mut counts, mut unknown) = (filled(0u64, count)?, filled(0usize, count)?, 0);
    for (place, &child) in child_of.iter().enumerate() {
        match counts.get_mut(child as usize) {
            Some(count) => {
                *count += 1;
                known[child as usize] += weight_at(place);
            }
            None => unknown += 1,
        }
    }
    let (mut children, mut places): (Vec<SortedNode>, Vec<u32>) = (room(count)?, room(node.count)?);
    let is_weighed = node.weights.is_some() || unknown > 0;
    for rows in counts {
        children.push(SortedNode::with_room(rows, node.stats.len(), is_weighed)?);
    }
    let (mut shared, mut passed) = (filled(NOWHERE, unknown * count)?, 0usize);
    for (place, &child) in child_of.iter().enumerate() {
        let (row, class, weight) = (node.rows[place], node.classes[place], weight_at(place));
        if let Some(child) = children.get_mut(child as usize) {
            places.push(child.rows.len() as u32);
            child.push(row, class, weight);
            continue;
        }
        if passed.is_multiple_of(BETWEEN_LOOKS) {
            context.cancel.check()?;
        }
        places.push(passed as u32);
        let parts = &mut shared[passed * count..][..count];
        each_share(weight, &known, |child, part| {
            parts[child] = children[child].rows.len() as u32;
            children[child].push_fraction(row, class, part)
        })?;
        passed += 1;
    }
    for child in &mut children {
        child.count = child.rows.len();
        if child.weights.as_ref().is_some_and(|weights| weights.iter().all(|weight| *weight == context.units)) {
            child.weights = None;
        }
    }
    Ok((children, Deal { child_of, place_of: places, shared }))
}

/// Shared rows between two looks at the cancel flag.
const BETWEEN_LOOKS: usize = 1 << 10;
