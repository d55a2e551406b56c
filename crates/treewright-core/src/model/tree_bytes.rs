//! A tree without alternative splits in few bytes, for another process of the same fit. Files are written elsewhere.
//!
//! Leaves ask no question, so the columns of questions hold branches only. A column is written in the fewest bytes that
//! give back its bits: whole numbers in up to eight bytes each, and shares of classes as counts where the weight of the
//! node divides them.

use super::columns::{layout, sizes_disagree};
use super::number_bytes::{NAN_BITS, Read, Write, number, read, write};
use super::tree::{STOP, Tree};
use crate::Result;
use crate::sys::memory::{filled, room};

/// A column of floating-point numbers. Whole numbers have their width here: 0 (all are 0), 1, 2, 4 or 8 bytes.
const FLOATS: u8 = 16;
/// Added to the width of whole numbers that are to be divided by the weights of their nodes.
const PARTS: u8 = 32;
/// Bytes of a node, about.
const NODE: usize = 40;
/// Numbers that are put together before they are appended.
const FEW: usize = 64;
/// The largest whole number whose neighbors are floating-point numbers, too.
const LARGEST_WHOLE: f64 = 9_007_199_254_740_992.0;

/// Appends a tree.
pub fn put_tree(tree: &Tree, bytes: &mut Vec<u8>) -> Result<()> {
    bytes.try_reserve(NODE * tree.len() + 2 * tree.route.len())?;
    write(Read::U64(&[tree.outputs as u64, tree.len() as u64, tree.route.len() as u64]), bytes);
    put_whole(tree.n_children.iter().map(|&n| u64::from(n)), bytes);
    let all_asked = (0..tree.len()).any(|node| tree.n_children[node] == 0 && !is_plain(tree, node));
    bytes.push(u8::from(all_asked));
    let (branches, leaves) = divide(&tree.n_children, all_asked)?;
    let asked = branches.iter().map(|&node| node as usize);
    put_whole(asked.clone().map(|node| u64::from(tree.first_child[node])), bytes);
    put_whole(asked.clone().map(|node| u64::from(tree.feature[node])), bytes);
    put_whole(asked.clone().map(|node| u64::from(tree.route_start[node])), bytes);
    put_whole(asked.clone().map(|node| u64::from(tree.missing[node])), bytes);
    put_floats(asked.clone().map(|node| tree.threshold[node]), bytes);
    put_floats(asked.map(|node| tree.gain[node]), bytes);
    for nodes in [&branches, &leaves] {
        let nodes = nodes.iter().map(|&node| node as usize);
        put_whole(nodes.clone().map(|node| tree.count[node]), bytes);
        put_floats(nodes.clone().map(|node| tree.weight[node]), bytes);
        put_floats(nodes.clone().map(|node| tree.cost[node]), bytes);
        put_values(tree, nodes, bytes);
    }
    write(Read::U16(&tree.route), bytes);
    Ok(())
}

/// Takes a tree from the front of some bytes.
pub fn take_tree(bytes: &mut &[u8]) -> Result<Tree> {
    let mut sizes = Vec::new();
    read(Write::U64(&mut sizes), 3, bytes)?;
    let (outputs, nodes, routes) = (sizes[0] as usize, sizes[1] as usize, sizes[2] as usize);
    let mut tree = Tree::new(outputs);
    tree.n_children = filled(0, nodes)?;
    take_whole(bytes, nodes, |node, n| tree.n_children[node] = n as u16)?;
    let all_asked = take_tag(bytes)? != 0;
    let (branches, leaves) = divide(&tree.n_children, all_asked)?;
    tree.first_child = filled(0, nodes)?;
    tree.feature = filled(0, nodes)?;
    tree.route_start = filled(0, nodes)?;
    tree.missing = filled(STOP, nodes)?;
    tree.threshold = filled(f64::from_bits(NAN_BITS), nodes)?;
    tree.gain = filled(0.0, nodes)?;
    tree.count = filled(0, nodes)?;
    tree.weight = filled(0.0, nodes)?;
    tree.cost = filled(0.0, nodes)?;
    tree.value = filled(0.0, nodes.saturating_mul(outputs))?;
    let asked = |i: usize| branches[i] as usize;
    take_whole(bytes, branches.len(), |i, n| tree.first_child[asked(i)] = n as u32)?;
    take_whole(bytes, branches.len(), |i, n| tree.feature[asked(i)] = n as u32)?;
    take_whole(bytes, branches.len(), |i, n| tree.route_start[asked(i)] = n as u32)?;
    take_whole(bytes, branches.len(), |i, n| tree.missing[asked(i)] = n as u16)?;
    take_floats(bytes, branches.len(), |i, x| tree.threshold[asked(i)] = x)?;
    take_floats(bytes, branches.len(), |i, x| tree.gain[asked(i)] = x)?;
    for nodes in [&branches, &leaves] {
        let (node, width) = (|i: usize| nodes[i] as usize, nodes.len());
        take_whole(bytes, width, |i, n| tree.count[node(i)] = n)?;
        take_floats(bytes, width, |i, x| tree.weight[node(i)] = x)?;
        take_floats(bytes, width, |i, x| tree.cost[node(i)] = x)?;
        take_values(&mut tree, nodes, bytes)?;
    }
    read(Write::U16(&mut tree.route), routes, bytes)?;
    Ok(tree)
}

/// Whether a leaf is as every leaf is, bit by bit: then its question need not be written.
fn is_plain(tree: &Tree, node: usize) -> bool {
    let whole = [tree.first_child[node], tree.feature[node], tree.route_start[node]];
    let floats = (tree.threshold[node].is_nan(), tree.gain[node].to_bits());
    whole == [0; 3] && tree.missing[node] == STOP && floats == (true, 0)
}

/// The nodes whose questions are written, and the others.
fn divide(n_children: &[u16], all_asked: bool) -> Result<(Vec<u32>, Vec<u32>)> {
    let (mut branches, mut leaves) = (room(n_children.len())?, room(n_children.len())?);
    for (node, &children) in (0..).zip(n_children) {
        if all_asked || children > 0 { branches.push(node) } else { leaves.push(node) }
    }
    Ok((branches, leaves))
}

/// Appends whole numbers, all in the bytes that the largest needs.
fn put_whole(numbers: impl Iterator<Item = u64> + Clone, bytes: &mut Vec<u8>) {
    put_tagged(numbers, 0, bytes);
}

fn put_tagged(numbers: impl Iterator<Item = u64> + Clone, tag: u8, bytes: &mut Vec<u8>) {
    let width = match numbers.clone().fold(0, |bits, number| bits | number) {
        0 => 0,
        1..=0xff => 1,
        0x100..=0xffff => 2,
        0x1_0000..=0xffff_ffff => 4,
        _ => 8,
    };
    bytes.push(tag + width);
    match width {
        0 => {}
        1 => bytes.extend(numbers.map(|number| number as u8)),
        2 => put_all(numbers.map(|number| (number as u16).to_le_bytes()), bytes),
        4 => put_all(numbers.map(|number| (number as u32).to_le_bytes()), bytes),
        _ => put_all(numbers.map(u64::to_le_bytes), bytes),
    }
}

/// Appends numbers of so many bytes each. A few are put together first: that is several times as fast.
fn put_all<const N: usize>(mut numbers: impl Iterator<Item = [u8; N]>, bytes: &mut Vec<u8>) {
    let mut few = [[0; N]; FEW];
    loop {
        let mut count = 0;
        for (place, number) in few.iter_mut().zip(&mut numbers) {
            *place = number;
            count += 1;
        }
        bytes.extend_from_slice(few[..count].as_flattened());
        if count < FEW {
            break;
        }
    }
}

/// Appends numbers, as whole ones where all of them are.
fn put_floats(numbers: impl Iterator<Item = f64> + Clone, bytes: &mut Vec<u8>) {
    if numbers.clone().all(|x| whole(x).is_some()) {
        return put_whole(numbers.map(|x| x as u64), bytes);
    }
    bytes.push(FLOATS);
    put_all(numbers.map(f64::to_le_bytes), bytes);
}

/// Appends what nodes say: as it is, or as what it says times the weight where that is whole.
fn put_values(tree: &Tree, nodes: impl Iterator<Item = usize> + Clone, bytes: &mut Vec<u8>) {
    let values = nodes.clone().flat_map(|node| tree.value_of(node).iter().copied());
    if values.clone().all(|x| whole(x).is_some()) {
        return put_whole(values.map(|x| x as u64), bytes);
    }
    let outputs = tree.outputs;
    // The counts of one node after the other; they are needed twice.
    let mut parts: Vec<u64> = Vec::new();
    let are_parts = nodes.clone().all(|node| {
        let weight = tree.weight[node];
        tree.value_of(node).iter().all(|&share| {
            let part = (share * weight).round();
            parts.push(part as u64);
            whole(part).is_some() && (part / weight).to_bits() == share.to_bits()
        })
    });
    if are_parts {
        return put_tagged(parts.into_iter(), PARTS, bytes);
    }
    bytes.push(FLOATS);
    let places = nodes.flat_map(|node| node * outputs..(node + 1) * outputs);
    put_all(places.map(|place| tree.value[place].to_le_bytes()), bytes);
}

/// A number that is whole and not negative; -0 is not.
fn whole(x: f64) -> Option<u64> {
    (x.is_sign_positive() && x <= LARGEST_WHOLE && (x as u64) as f64 == x).then_some(x as u64)
}

fn take_tag(bytes: &mut &[u8]) -> Result<u8> {
    let (&tag, rest) = bytes.split_first().ok_or_else(sizes_disagree)?;
    *bytes = rest;
    Ok(tag)
}

/// Takes so many whole numbers; `set` is told the place and the value of each.
fn take_whole(bytes: &mut &[u8], entries: usize, set: impl FnMut(usize, u64)) -> Result<()> {
    let tag = take_tag(bytes)?;
    take_tagged(tag, bytes, entries, set)
}

fn take_tagged(width: u8, bytes: &mut &[u8], entries: usize, mut set: impl FnMut(usize, u64)) -> Result<()> {
    let split = entries.checked_mul(width.into()).and_then(|length| bytes.split_at_checked(length));
    let (front, rest) = split.ok_or_else(sizes_disagree)?;
    *bytes = rest;
    match width {
        0 => (0..entries).for_each(|i| set(i, 0)),
        1 => front.iter().enumerate().for_each(|(i, &byte)| set(i, byte.into())),
        2 => front.chunks_exact(2).enumerate().for_each(|(i, chunk)| set(i, number(chunk, u16::from_le_bytes).into())),
        4 => front.chunks_exact(4).enumerate().for_each(|(i, chunk)| set(i, number(chunk, u32::from_le_bytes).into())),
        8 => front.chunks_exact(8).enumerate().for_each(|(i, chunk)| set(i, number(chunk, u64::from_le_bytes))),
        _ => return Err(layout("a column of a tree is written in an unknown way")),
    }
    Ok(())
}

/// The same for numbers.
fn take_floats(bytes: &mut &[u8], entries: usize, mut set: impl FnMut(usize, f64)) -> Result<()> {
    match take_tag(bytes)? {
        FLOATS => take_tagged(8, bytes, entries, |i, bits| set(i, f64::from_bits(bits))),
        width => take_tagged(width, bytes, entries, |i, number| set(i, number as f64)),
    }
}

/// Takes what nodes say; their weights are known.
fn take_values(tree: &mut Tree, nodes: &[u32], bytes: &mut &[u8]) -> Result<()> {
    let outputs = tree.outputs;
    let entries = nodes.len().saturating_mul(outputs);
    let place = |i: usize| nodes[i / outputs] as usize * outputs + i % outputs;
    match bytes.first() {
        Some(&tag) if tag >= PARTS => {
            *bytes = &bytes[1..];
            let (value, weight) = (&mut tree.value, &tree.weight);
            take_tagged(tag - PARTS, bytes, entries, |i, part| {
                value[place(i)] = part as f64 / weight[nodes[i / outputs] as usize];
            })
        }
        _ => take_floats(bytes, entries, |i, x| tree.value[place(i)] = x),
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::model::tree::{Leaf, SplitRule};

    fn tree() -> Tree {
        let mut tree = Tree::new(2);
        let leaf = Leaf { value: &[0.25, 0.75], weight: 4.0, count: 3, cost: 0.5 };
        tree.push(leaf);
        tree.ask(0, 1, &SplitRule::levels(2, true), 0.25);
        (0..3).for_each(|_| _ = tree.push(leaf));
        tree.ask(2, 0, &SplitRule::threshold(1.5, 0), 0.25);
        (0..2).for_each(|_| _ = tree.push(leaf));
        tree
    }

    fn comes_back(tree: &Tree) -> usize {
        let mut bytes = Vec::new();
        put_tree(tree, &mut bytes).unwrap();
        let length = bytes.len();
        bytes.push(7);
        let mut rest = &bytes[..];
        let again = take_tree(&mut rest).unwrap();
        assert_eq!(format!("{again:?}"), format!("{tree:?}"));
        let bits = |tree: &Tree| -> Vec<u64> {
            [&tree.threshold, &tree.value, &tree.weight, &tree.cost, &tree.gain]
                .iter()
                .flat_map(|column| column.iter().map(|x| x.to_bits()))
                .collect()
        };
        assert_eq!(bits(&again), bits(tree));
        assert_eq!(rest, [7]);
        for cut in 0..length {
            assert!(take_tree(&mut &bytes[..cut]).is_err());
        }
        length
    }

    #[test]
    fn a_tree_comes_back() {
        assert!(comes_back(&tree()) < 180);
    }

    #[test]
    fn any_number_comes_back() {
        let numbers = [0.1, -0.0, 3.0, 1e300, 4_294_967_296.0, 65_536.0, -1.0, 1.0 / 3.0];
        for (i, &number) in numbers.iter().enumerate() {
            let mut tree = tree();
            (tree.gain[i % 6], tree.cost[(i + 1) % 6], tree.value[i], tree.weight[i % 5]) =
                (number, number, number, number);
            (tree.count[i % 6], tree.missing[i % 6]) = (1 << (8 * i), i as u16);
            comes_back(&tree);
        }
    }
}
