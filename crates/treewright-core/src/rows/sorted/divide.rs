//! Dividing the rows of a node among its children.

use super::item::{moved, place_of};
use super::node::{NOWHERE, Node, Segment};
use super::{MIN_ROWS_FOR_THREADS, TreeContext};
use crate::Result;
use crate::model::tree::SHARE;
use crate::rows::list::distribute::each_share;
use crate::sys::memory::{filled, room};
use crate::sys::pool;
use std::sync::Arc;

/// Where the rows of a node go.
#[derive(Debug)]
struct Dealt {
    children: Vec<Node>,
    /// The child of each row, or [`SHARE`].
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
    let positions: Vec<usize> = (0..node.numbers.len()).filter(|&position| node.varies(position)).collect();
    for child in &mut dealt.children {
        if context.is_searched(&child.stats) {
            child.stride = child.count + 1;
            child.items = context.spares.take(child.stride * positions.len())?;
            child.levels = levels.clone();
        } else {
            (child.rows, child.classes, child.weights) = Default::default();
        }
    }
    deal_items(context, node, &mut dealt, &positions, threads)?;
    Ok(dealt.children)
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

/// A column of a child that is being filled.
#[derive(Debug, Default)]
struct Output<'a> {
    items: &'a mut [u64],
    len: usize,
}

impl Output<'_> {
    #[inline]
    fn push(&mut self, item: u64) {
        // (A child that is not searched has no room.)
        if let Some(next) = self.items.get_mut(self.len) {
            *next = item;
            self.len += 1;
        }
    }
}

/// Deals the numbers of the columns at these positions.
fn deal_items(
    context: &TreeContext<'_>,
    node: &Node,
    dealt: &mut Dealt,
    positions: &[usize],
    threads: usize,
) -> Result<()> {
    if dealt.children.iter().all(|child| child.items.is_empty()) {
        return Ok(());
    }
    let Dealt { children, child_of, place_of, shared } = dealt;
    let two = children.len() == 2 && shared.is_empty();
    let mut outputs: Vec<Vec<Output<'_>>> = positions.iter().map(|_| Vec::with_capacity(children.len())).collect();
    for child in children.iter_mut() {
        let mut chunks = child.items.chunks_mut(child.stride.max(1));
        outputs.iter_mut().for_each(|list| list.push(Output { items: chunks.next().unwrap_or_default(), len: 0 }));
    }
    let places: Vec<u32> = match two {
        // The place above, the child in the lowest bit.
        true => child_of.iter().zip(place_of.iter()).map(|(child, place)| place << 1 | u32::from(*child)).collect(),
        false => Vec::new(),
    };
    let one = |(position, mut outputs): (usize, Vec<Output<'_>>)| -> Result<Vec<usize>> {
        context.cancel.check()?;
        let items = node.items_of(position);
        match &mut outputs[..] {
            [low, high] if two => deal_to_two(items, &places, low, high),
            outputs => deal_to_many(items, (child_of, place_of), shared, outputs),
        }
        Ok(outputs.iter().map(|output| output.len).collect())
    };
    let jobs = positions.iter().copied().zip(outputs).collect();
    let threads = if node.count < MIN_ROWS_FOR_THREADS { 1 } else { threads };
    let known = pool::each(threads, jobs, one)?.into_iter().collect::<Result<Vec<_>>>()?;
    for (which, child) in children.iter_mut().enumerate().filter(|(_, child)| !child.items.is_empty()) {
        let segment = |(&position, known): (&usize, &Vec<usize>)| Segment {
            column: node.numbers[position].column,
            known: known[which] as u32,
        };
        child.numbers = positions.iter().zip(&known).map(segment).collect();
    }
    Ok(())
}

/// Each item to one of two children, without a branch.
fn deal_to_two<'a>(items: &[u64], places: &[u32], low: &mut Output<'a>, high: &mut Output<'a>) {
    if low.items.is_empty() || high.items.is_empty() {
        let wanted = u32::from(low.items.is_empty());
        let output = if wanted == 0 { low } else { high };
        for old in items {
            let place = places[place_of(*old) as usize];
            output.items[output.len] = moved(*old, place >> 1);
            output.len += usize::from(place & 1 == wanted);
        }
        return;
    }
    let (mut lows, mut highs) = (0, 0);
    for old in items {
        let place = places[place_of(*old) as usize];
        let new = moved(*old, place >> 1);
        low.items[lows] = new;
        high.items[highs] = new;
        let is_high = place as usize & 1;
        lows += 1 - is_high;
        highs += is_high;
    }
    (low.len, high.len) = (lows, highs);
}

/// Each item to one of the children, or to several.
fn deal_to_many(items: &[u64], (child_of, new_place): (&[u16], &[u32]), shared: &[u32], outputs: &mut [Output<'_>]) {
    for old in items {
        let place = place_of(*old) as usize;
        let new = new_place[place];
        if child_of[place] == SHARE {
            let places = &shared[new as usize * outputs.len()..];
            for (output, place) in outputs.iter_mut().zip(places).filter(|(_, place)| **place != NOWHERE) {
                output.push(moved(*old, *place));
            }
        } else {
            outputs[child_of[place] as usize].push(moved(*old, new));
        }
    }
}
