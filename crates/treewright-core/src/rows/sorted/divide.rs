//! Dividing the rows of a node among its children.

use super::deal::Deal;
use super::node::{NOWHERE, Node};
use super::{MIN_ROWS_FOR_THREADS, TreeContext};
use crate::Result;
use crate::rows::list::distribute::each_share;
use crate::sys::memory::{filled, room};
use std::sync::Arc;

/// Where the rows of a node go.
#[derive(Debug)]
struct Dealt {
    children: Vec<Node>,
    /// The child of each row, or [`SHARE`](crate::model::tree::SHARE).
    child_of: Vec<u16>,
    /// The place of each row in its child; for rows that are shared, their position among those.
    place_of: Vec<u32>,
    /// The places of the rows that are shared, one for each child.
    shared: Vec<u32>,
}

/// Divides a node. `child_of` says for each row to which child it goes, or that it is shared among all; `levels` are the
/// columns of categories that may still be asked about.
pub fn divide(
    context: &TreeContext<'_>,
    node: &Node,
    children: usize,
    child_of: Vec<u16>,
    levels: &Arc<[u32]>,
    threads: usize,
) -> Result<Vec<Node>> {
    let mut dealt = deal_rows(context, node, children, child_of)?;
    let positions = node.numbers.varying();
    for child in &mut dealt.children {
        if context.is_searched(&child.stats) {
            child.numbers.make_room(positions.len(), child.count, &context.spares)?;
            child.levels = levels.clone();
        } else {
            (child.rows, child.classes, child.weights) = Default::default();
        }
    }
    let Dealt { mut children, child_of, place_of, shared } = dealt;
    let deal = Deal { child_of: &child_of, place_of: &place_of, shared: &shared };
    let columns = children.iter_mut().map(|child| &mut child.numbers).collect();
    let threads = if node.count < MIN_ROWS_FOR_THREADS { 1 } else { threads };
    deal.columns(&node.numbers, &positions, columns, threads, context.cancel)?;
    Ok(children)
}

/// Deals the rows; the columns come later.
fn deal_rows(context: &TreeContext<'_>, node: &Node, children: usize, child_of: Vec<u16>) -> Result<Dealt> {
    let width = node.stats.len();
    let weight_at = |place: usize| node.weights.as_ref().map_or(context.units, |weights| weights[place]);
    let (mut known, mut counts, mut unknown) = (filled(0u64, children)?, filled(0usize, children)?, 0);
    for (place, &child) in child_of.iter().enumerate() {
        match counts.get_mut(child as usize) {
            Some(count) => {
                *count += 1;
                known[child as usize] += weight_at(place);
            }
            None => unknown += 1,
        }
    }
    let mut dealt = Dealt { children: room(children)?, child_of, place_of: room(node.count)?, shared: Vec::new() };
    let is_weighed = node.weights.is_some() || unknown > 0;
    for &count in &counts {
        let mut child = Node { stats: filled(0, width)?, rows: room(count)?, classes: room(count)?, ..Node::default() };
        child.weights = if is_weighed { Some(room(count)?) } else { None };
        dealt.children.push(child);
    }
    dealt.shared = filled(NOWHERE, unknown * children)?;
    let mut shared = 0usize;
    for (place, &child) in dealt.child_of.iter().enumerate() {
        let (row, class, weight) = (node.rows[place], node.classes[place], weight_at(place));
        if let Some(child) = dealt.children.get_mut(child as usize) {
            dealt.place_of.push(child.rows.len() as u32);
            child.rows.push(row);
            child.classes.push(class);
            child.stats[class as usize] += weight;
            child.weights.iter_mut().for_each(|weights| weights.push(weight));
            continue;
        }
        if shared.is_multiple_of(BETWEEN_LOOKS) {
            context.cancel.check()?;
        }
        dealt.place_of.push(shared as u32);
        let places = &mut dealt.shared[shared * children..][..children];
        each_share(weight, &known, |child, part| {
            let receiver = &mut dealt.children[child];
            places[child] = receiver.rows.len() as u32;
            receiver.add_fraction(row, class, part)
        })?;
        shared += 1;
    }
    for child in &mut dealt.children {
        child.count = child.rows.len();
        if child.weights.as_ref().is_some_and(|weights| weights.iter().all(|weight| *weight == context.units)) {
            child.weights = None;
        }
    }
    Ok(dealt)
}

/// Shared rows between two looks at the cancel flag.
const BETWEEN_LOOKS: usize = 1 << 10;

impl Node {
    fn add_fraction(&mut self, row: u32, class: u16, weight: u64) -> Result<()> {
        self.rows.try_reserve(1)?;
        self.classes.try_reserve(1)?;
        self.rows.push(row);
        self.classes.push(class);
        self.stats[class as usize] += weight;
        if let Some(weights) = &mut self.weights {
            weights.try_reserve(1)?;
            weights.push(weight);
        }
        Ok(())
    }
}
