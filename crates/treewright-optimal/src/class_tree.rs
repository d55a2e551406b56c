//! The tree of a search as a node table: class counts, thresholds, the side of values that were never missing.

use crate::problem::Columns;
use crate::solution::Nodes;
use treewright_core::Result;
use treewright_core::prelude::{Leaf, SplitRule, Tree};

/// Counts the rows of each node by class. Every row has weight 1, so all sums are exact. Nodes are numbered level by
/// level, the two children of a node side by side.
/// `names` are the columns of the node table that those of the search were.
pub fn class_tree(
    nodes: &Nodes,
    columns: Columns<'_>,
    names: impl Fn(usize) -> u32,
    codes: &[u32],
    classes: usize,
) -> Result<Tree> {
    let counts = count_rows(nodes, columns, codes, classes);
    let of_node = |node: usize| &counts[node * classes..(node + 1) * classes];
    let rows = |node: usize| of_node(node).iter().sum::<u64>();
    let errors = |node: usize| rows(node) - of_node(node).iter().max().copied().unwrap_or(0);
    let mut tree = Tree::with_room(classes, nodes.feature.len())?;
    let mut value = vec![0.0; classes];
    let mut push = |tree: &mut Tree, node: usize| {
        let total = rows(node);
        for (share, &count) in value.iter_mut().zip(of_node(node)) {
            *share = count as f64 / total as f64;
        }
        tree.push(Leaf { value: &value, weight: total as f64, count: total, cost: errors(node) as f64 })
    };
    push(&mut tree, 0);
    let mut order = vec![0];
    let mut number = 0;
    while let Some(&node) = order.get(number) {
        if let Ok(column) = usize::try_from(nodes.feature[node]) {
            let (left, right) = (nodes.left[node] as usize, nodes.right[node] as usize);
            let heavier = u16::from(rows(left) < rows(right));
            let gain = errors(node) - errors(left) - errors(right);
            tree.ask(number, names(column), &SplitRule::threshold(nodes.cut[node], heavier), gain as f64);
            for child in [left, right] {
                push(&mut tree, child);
                order.push(child);
            }
        }
        number += 1;
    }
    Ok(tree)
}

/// The number of rows of each class at each node.
fn count_rows(nodes: &Nodes, columns: Columns<'_>, codes: &[u32], classes: usize) -> Vec<u64> {
    let mut counts = vec![0; nodes.feature.len() * classes];
    let children: Vec<[i32; 2]> = nodes.left.iter().zip(&nodes.right).map(|(&left, &right)| [left, right]).collect();
    for (row, &code) in codes.iter().enumerate() {
        let mut node = 0;
        while let Ok(column) = usize::try_from(nodes.feature[node]) {
            let goes_right = match columns {
                Columns::Bits(bits) => bits.get(row, column),
                Columns::Numbers(columns) => columns[column][row] > nodes.cut[node],
            };
            node = children[node][usize::from(goes_right)] as usize;
        }
        counts[node * classes + code as usize] += 1;
    }
    // Children stand after their parent.
    for node in (0..nodes.feature.len()).rev() {
        if nodes.feature[node] >= 0 {
            for class in 0..classes {
                let [left, right] = [nodes.left[node], nodes.right[node]].map(|child| child as usize);
                counts[node * classes + class] = counts[left * classes + class] + counts[right * classes + class];
            }
        }
    }
    counts
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::bits::BitMatrix;

    #[test]
    fn nodes_are_numbered_level_by_level_with_their_counts() {
        // Column 0 first; its ones are asked about column 1.
        let mut nodes = Nodes::default();
        let root = nodes.push_leaf(0.0);
        nodes.make_split(root, 0, 0.5);
        let left = nodes.push_leaf(0.0);
        let right = nodes.push_leaf(1.0);
        nodes.make_split(right, 1, 0.5);
        nodes.set_children(root, left, right);
        let (below, above) = (nodes.push_leaf(1.0), nodes.push_leaf(2.0));
        nodes.set_children(right, below, above);
        let bits = BitMatrix::from_rows(5, 2, &[0, 1, 0, 0, 1, 0, 1, 1, 1, 1]).unwrap();
        let tree = class_tree(&nodes, Columns::Bits(&bits), |column| column as u32, &[0, 1, 1, 2, 2], 3).unwrap();
        assert_eq!(tree.first_child, [1, 0, 3, 0, 0]);
        assert_eq!(tree.feature, [0, 0, 1, 0, 0]);
        assert_eq!(tree.count, [5, 2, 3, 1, 2]);
        assert_eq!(tree.cost, [3.0, 1.0, 1.0, 0.0, 0.0]);
        assert_eq!(tree.gain, [1.0, 0.0, 1.0, 0.0, 0.0]);
        assert_eq!(tree.missing[0], 1);
        assert_eq!(tree.value_of(2), [0.0, 1.0 / 3.0, 2.0 / 3.0]);
        // The same rows as numbers, columns of a wider table.
        let numbers: [&[f64]; 2] = [&[0.0, 0.0, 1.0, 1.0, 1.0], &[0.5, 0.25, 0.0, 2.0, 1.0]];
        let columns = Columns::Numbers(&numbers);
        let wider = class_tree(&nodes, columns, |column| 3 + column as u32, &[0, 1, 1, 2, 2], 3).unwrap();
        assert_eq!((wider.feature[0], wider.feature[2], wider.count), (3, 4, tree.count));
    }
}
