//! A tree without alternative splits in few bytes, for another process of the same fit. Files are written elsewhere.
//!
//! Leaves ask no question, so the columns of questions hold branches only. What follows from other numbers is left out
//! (`derived_numbers`), and a column is written in the fewest bytes that give back its bits: whole numbers in up to eight
//! bytes each. Each output has a column of its own.

use super::derived_numbers::{Derived, as_integer, counts_of};
use super::number_bytes::{NAN_BITS, Number, append, layout, sizes_disagree, take};
use super::tree::{STOP, Tree};
use crate::Result;
use crate::sys::memory::{filled, room};

/// A column of floating-point numbers. Whole numbers have their width here: 0 (all are 0), 1, 2, 4 or 8 bytes.
const FLOATS: u8 = 16;
/// Bytes of a node, about.
const NODE: usize = 16;
/// Numbers that are put together before they are appended.
const FEW: usize = 64;

/// Appends a tree; its leaves must be as all leaves are, which a sound tree's are.
pub fn put_tree(tree: &Tree, bytes: &mut Vec<u8>) -> Result<()> {
    bytes.try_reserve(NODE * tree.len() + 2 * tree.route.len())?;
    append(&[tree.outputs, tree.len(), tree.route.len()].map(|size| size as u64), bytes);
    put_whole(tree.n_children.iter().map(|&n| u64::from(n)), bytes);
    let (branches, leaves) = divide(&tree.n_children)?;
    put_whole(branches.iter().map(|&node| u64::from(tree.first_child[node])), bytes);
    put_whole(branches.iter().map(|&node| u64::from(tree.feature[node])), bytes);
    put_whole(branches.iter().map(|&node| u64::from(tree.route_start[node])), bytes);
    put_whole(branches.iter().map(|&node| u64::from(tree.missing[node])), bytes);
    put_floats(branches.iter().map(|&node| tree.threshold[node]), bytes);
    let counts = counts_of(tree)?;
    let derived = Derived::of(tree, counts.as_deref());
    bytes.push(derived.to_byte());
    let values = counts.as_ref().unwrap_or(&tree.value);
    for (nodes, are_sums) in [(&branches, derived.sums), (&leaves, false)] {
        if !are_sums {
            put_whole(nodes.iter().map(|&node| tree.count[node]), bytes);
            put_floats(nodes.iter().map(|&node| tree.weight[node]), bytes);
        }
        for output in 0..if are_sums && derived.counts { 0 } else { tree.outputs } {
            put_floats(nodes.iter().map(|&node| values[node * tree.outputs + output]), bytes);
        }
    }
    if !derived.costs {
        put_floats(branches.iter().map(|&node| tree.cost[node]), bytes);
        put_floats(leaves.iter().map(|&node| tree.cost[node]), bytes);
    }
    if !derived.gains {
        put_floats(branches.iter().map(|&node| tree.gain[node]), bytes);
    }
    append(&tree.route, bytes);
    Ok(())
}

/// Takes a tree from the front of some bytes.
pub fn take_tree(bytes: &mut &[u8]) -> Result<Tree> {
    let mut sizes: Vec<u64> = Vec::new();
    take(&mut sizes, 3, bytes)?;
    let (outputs, nodes, routes) = (sizes[0] as usize, sizes[1] as usize, sizes[2] as usize);
    let mut tree = empty(outputs, nodes)?;
    take_whole(bytes, nodes, |node, n| tree.n_children[node] = n as u16)?;
    let (branches, leaves) = divide(&tree.n_children)?;
    take_whole(bytes, branches.len(), |i, n| tree.first_child[branches[i]] = n as u32)?;
    take_whole(bytes, branches.len(), |i, n| tree.feature[branches[i]] = n as u32)?;
    take_whole(bytes, branches.len(), |i, n| tree.route_start[branches[i]] = n as u32)?;
    take_whole(bytes, branches.len(), |i, n| tree.missing[branches[i]] = n as u16)?;
    take_floats(bytes, branches.len(), |i, x| tree.threshold[branches[i]] = x)?;
    let derived = Derived::of_byte(take_tag(bytes)?);
    for (nodes, are_sums) in [(&branches, derived.sums), (&leaves, false)] {
        if !are_sums {
            take_whole(bytes, nodes.len(), |i, n| tree.count[nodes[i]] = n)?;
            take_floats(bytes, nodes.len(), |i, x| tree.weight[nodes[i]] = x)?;
        }
        for output in 0..if are_sums && derived.counts { 0 } else { outputs } {
            take_floats(bytes, nodes.len(), |i, x| tree.value[nodes[i] * outputs + output] = x)?;
        }
    }
    if !derived.costs {
        take_floats(bytes, branches.len(), |i, x| tree.cost[branches[i]] = x)?;
        take_floats(bytes, leaves.len(), |i, x| tree.cost[leaves[i]] = x)?;
    }
    if !derived.gains {
        take_floats(bytes, branches.len(), |i, x| tree.gain[branches[i]] = x)?;
    }
    take(&mut tree.route, routes, bytes)?;
    derived.fill(&mut tree)?;
    Ok(tree)
}

/// A tree of so many nodes in which everything is as in a leaf, or 0.
fn empty(outputs: usize, nodes: usize) -> Result<Tree> {
    Ok(Tree {
        outputs,
        first_child: filled(0, nodes)?,
        n_children: filled(0, nodes)?,
        feature: filled(0, nodes)?,
        threshold: filled(f64::from_bits(NAN_BITS), nodes)?,
        route_start: filled(0, nodes)?,
        missing: filled(STOP, nodes)?,
        value: filled(0.0, nodes.saturating_mul(outputs))?,
        weight: filled(0.0, nodes)?,
        count: filled(0, nodes)?,
        cost: filled(0.0, nodes)?,
        gain: filled(0.0, nodes)?,
        route: Vec::new(),
        spares: None,
    })
}

/// The branches and the leaves.
fn divide(n_children: &[u16]) -> Result<(Vec<usize>, Vec<usize>)> {
    let (mut branches, mut leaves) = (room(n_children.len())?, room(n_children.len())?);
    for (node, &children) in n_children.iter().enumerate() {
        if children > 0 { branches.push(node) } else { leaves.push(node) }
    }
    Ok((branches, leaves))
}

/// Appends whole numbers, all in the bytes that the largest needs.
fn put_whole(numbers: impl Iterator<Item = u64> + Clone, bytes: &mut Vec<u8>) {
    let width = match numbers.clone().fold(0, |bits, number| bits | number) {
        0 => 0,
        1..=0xff => 1,
        0x100..=0xffff => 2,
        0x1_0000..=0xffff_ffff => 4,
        _ => 8,
    };
    bytes.push(width);
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
    if numbers.clone().all(|x| as_integer(x).is_some()) {
        return put_whole(numbers.map(|x| x as u64), bytes);
    }
    bytes.push(FLOATS);
    put_all(numbers.map(f64::to_le_bytes), bytes);
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
        2 => front.chunks_exact(2).enumerate().for_each(|(i, chunk)| set(i, u16::read(chunk).into())),
        4 => front.chunks_exact(4).enumerate().for_each(|(i, chunk)| set(i, u32::read(chunk).into())),
        8 => front.chunks_exact(8).enumerate().for_each(|(i, chunk)| set(i, u64::read(chunk))),
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

    /// A tree of two questions as a learner of classes leaves it: Gini costs, gains of a row times the rows.
    fn learned() -> Tree {
        let rows: [[f64; 2]; 5] = [[60.0, 241.0], [3.0, 241.0], [57.0, 0.0], [3.0, 0.0], [0.0, 241.0]];
        let mut tree = Tree::new(2);
        for [one, other] in rows {
            let weight = one + other;
            let cost = (weight * weight - (one * one + other * other)) / weight;
            tree.push(Leaf { value: &[one / weight, other / weight], weight, count: weight as u64, cost });
        }
        for (node, first) in [(0, 1), (1, 3)] {
            let rest = tree.cost[first] + tree.cost[first + 1];
            (tree.first_child[node], tree.n_children[node], tree.missing[node]) = (first as u32, 2, 0);
            tree.threshold[node] = 0.1;
            tree.gain[node] = (tree.cost[node] - rest) / tree.weight[node] * tree.weight[node];
        }
        tree
    }

    #[test]
    fn a_tree_comes_back() {
        assert!(comes_back(&tree()) < 180);
    }

    #[test]
    fn what_follows_from_leaves_does_not_travel() {
        // Sizes, questions, and for each of three leaves its rows, its weight and two counts.
        assert_eq!(comes_back(&learned()), 24 + 6 + 3 + 3 + 17 + 1 + 4 * 4);
    }

    #[test]
    fn what_does_not_follow_travels() {
        let smallest = comes_back(&learned());
        let changes: [fn(&mut Tree); 6] = [
            |tree| tree.count[0] += 1,
            |tree| tree.weight[1] += 0.5,
            |tree| tree.value[0] = tree.value[0].next_up(),
            |tree| tree.cost[1] = tree.cost[1].next_down(),
            |tree| tree.gain[0] = tree.gain[0].next_up(),
            |tree| tree.weight[0] = 0.0,
        ];
        for change in changes {
            let mut tree = learned();
            change(&mut tree);
            assert!(comes_back(&tree) > smallest);
        }
    }

    #[test]
    fn children_that_stand_before_their_parent_are_refused() {
        let mut bytes = Vec::new();
        put_tree(&learned(), &mut bytes).unwrap();
        let mut wrong = bytes.clone();
        // After the sizes and the numbers of children: the first children of the two branches.
        let place = 24 + 1 + 5 + 1 + 1;
        assert_eq!(bytes[place], 3);
        for first in [0, 1, 4, 255] {
            wrong[place] = first;
            assert!(take_tree(&mut &wrong[..]).is_err());
        }
    }

    #[test]
    fn any_number_comes_back() {
        let numbers = [0.1, -0.0, 3.0, 1e300, 4_294_967_296.0, 65_536.0, -1.0, 1.0 / 3.0];
        for (i, &number) in numbers.iter().enumerate() {
            for mut tree in [tree(), learned()] {
                let nodes = tree.len();
                (tree.cost[(i + 1) % nodes], tree.value[i], tree.weight[i % nodes]) = (number, number, number);
                (tree.gain[0], tree.count[i % nodes], tree.missing[0]) = (number, 1 << (8 * i), i as u16);
                comes_back(&tree);
            }
        }
    }
}
