//! A tree without alternative splits as bytes, for another process of the same fit. Files are written elsewhere.

use super::number_bytes::{Read, Write, read, write};
use super::tree::Tree;
use crate::Result;

/// Appends a tree.
pub fn put_tree(tree: &Tree, bytes: &mut Vec<u8>) {
    write(Read::U64(&[tree.outputs as u64, tree.len() as u64, tree.route.len() as u64]), bytes);
    let columns = [
        Read::U32(&tree.first_child),
        Read::U16(&tree.n_children),
        Read::U32(&tree.feature),
        Read::F64(&tree.threshold),
        Read::U32(&tree.route_start),
        Read::U16(&tree.missing),
        Read::F64(&tree.value),
        Read::F64(&tree.weight),
        Read::U64(&tree.count),
        Read::F64(&tree.cost),
        Read::F64(&tree.gain),
        Read::U16(&tree.route),
    ];
    columns.into_iter().for_each(|column| write(column, bytes));
}

/// Takes a tree from the front of some bytes.
pub fn take_tree(bytes: &mut &[u8]) -> Result<Tree> {
    let mut sizes = Vec::new();
    read(Write::U64(&mut sizes), 3, bytes)?;
    let (outputs, nodes, routes) = (sizes[0] as usize, sizes[1] as usize, sizes[2] as usize);
    let mut tree = Tree::new(outputs);
    read(Write::U32(&mut tree.first_child), nodes, bytes)?;
    read(Write::U16(&mut tree.n_children), nodes, bytes)?;
    read(Write::U32(&mut tree.feature), nodes, bytes)?;
    read(Write::F64(&mut tree.threshold), nodes, bytes)?;
    read(Write::U32(&mut tree.route_start), nodes, bytes)?;
    read(Write::U16(&mut tree.missing), nodes, bytes)?;
    read(Write::F64(&mut tree.value), nodes.saturating_mul(outputs), bytes)?;
    read(Write::F64(&mut tree.weight), nodes, bytes)?;
    read(Write::U64(&mut tree.count), nodes, bytes)?;
    read(Write::F64(&mut tree.cost), nodes, bytes)?;
    read(Write::F64(&mut tree.gain), nodes, bytes)?;
    read(Write::U16(&mut tree.route), routes, bytes)?;
    Ok(tree)
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::model::tree::{Leaf, SplitRule};

    #[test]
    fn a_tree_comes_back() {
        let mut tree = Tree::new(2);
        let leaf = Leaf { value: &[0.25, 0.75], weight: 4.0, count: 3, cost: 0.5 };
        tree.push(leaf);
        tree.ask(0, 1, &SplitRule::levels(2, true), 0.25);
        (0..3).for_each(|_| _ = tree.push(leaf));
        tree.ask(2, 0, &SplitRule::threshold(1.5, 0), 0.25);
        (0..2).for_each(|_| _ = tree.push(leaf));
        let mut bytes = Vec::new();
        put_tree(&tree, &mut bytes);
        bytes.push(7);
        let mut rest = &bytes[..];
        assert_eq!(format!("{:?}", take_tree(&mut rest).unwrap()), format!("{tree:?}"));
        assert_eq!(rest, [7]);
        assert!(take_tree(&mut &bytes[..40]).is_err());
    }
}
