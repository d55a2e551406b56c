//! Reduced-error pruning that counts a divided row in parts, each at its own leaf, as if the parts were rows.
//!
//! It needs one pass and the node table's own additions, and is what Weka does; but what a tree says of a divided row is
//! not what its parts say, so on such rows the error may rise. [`super::reduced_error`] never lets it.

use super::reduced_error::Trial;
use super::truth::Truth;
use crate::Result;
use crate::data::table::Table;
use crate::model::tree::{SHARE, STOP, Tree};
use crate::model::walk::answer;
use crate::sys::pool::Cancel;
use crate::tolerance::ESTIMATED_ERRORS;

/// What the rows of a node add up to.
#[derive(Clone, Copy, Debug, Default)]
struct NodeErrors {
    weight: f64,
    /// The error of the node as a leaf.
    leaf: f64,
    /// The error of the rows that go no further.
    stopped: f64,
}

/// Which nodes become leaves. `weights` has a number for each row of the table.
pub fn prune(
    tree: &Tree,
    table: &Table<'_>,
    truth: Truth<'_>,
    weights: &[f64],
    cancel: &Cancel,
) -> Result<(Vec<bool>, Vec<Trial>)> {
    truth.check(tree, table, weights)?;
    let mut sums = vec![NodeErrors::default(); tree.len()];
    for (row, &weight) in weights.iter().enumerate() {
        if row % 1024 == 0 {
            cancel.check()?;
        }
        count(tree, table, truth, row, weight, &mut sums);
    }
    let mut is_leaf: Vec<bool> = tree.n_children.iter().map(|&children| children == 0).collect();
    let mut error: Vec<f64> = sums.iter().map(|sums| sums.leaf).collect();
    let mut trace = Vec::new();
    for node in tree.branches().rev() {
        let before = sums[node].stopped + error[tree.children(node)].iter().sum::<f64>();
        let cut = sums[node].leaf <= before + ESTIMATED_ERRORS;
        trace.push(Trial { node, weight: sums[node].weight, before, after: sums[node].leaf, cut });
        (is_leaf[node], error[node]) = (cut, if cut { sums[node].leaf } else { before });
    }
    Ok((is_leaf, trace))
}

/// Adds a row to every node that it comes to, in parts where it is divided.
fn count(tree: &Tree, table: &Table<'_>, truth: Truth<'_>, row: usize, weight: f64, sums: &mut [NodeErrors]) {
    let mut open = vec![(0, weight)];
    while let Some((node, part)) = open.pop() {
        let wrong = part * truth.error(row, tree.value_of(node));
        sums[node].weight += part;
        sums[node].leaf += wrong;
        if tree.is_leaf(node) {
            continue;
        }
        match answer(tree, node, table.columns(), row) {
            STOP => sums[node].stopped += wrong,
            SHARE => {
                let weight_of_children: f64 = tree.weight[tree.children(node)].iter().sum();
                let children = tree.children(node).filter(|&child| tree.weight[child] > 0.0);
                open.extend(children.map(|child| (child, part * tree.weight[child] / weight_of_children)));
            }
            child => open.push((tree.first_child[node] as usize + child as usize, part)),
        }
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::data::table::Column;
    use crate::model::tree::{Leaf, SplitRule};
    use crate::stats::risk::Costs;

    #[test]
    fn a_divided_row_is_partly_right() {
        let mut tree = Tree::new(2);
        for (node, yes, weight) in [(0, 0.6, 10.0), (1, 1.0, 6.0), (2, 0.0, 4.0)] {
            if node == 1 {
                tree.ask(0, 0, &SplitRule::threshold(1.0, SHARE), 0.1);
            }
            tree.push(Leaf { value: &[yes, 1.0 - yes], weight, count: weight as u64, cost: 0.0 });
        }
        let numbers = [0.0, f64::NAN];
        let table = Table::new(vec![Column::Numeric(&numbers)], 2).unwrap();
        let truth = Truth::Classes(&[0, 1], Costs(&[]));
        let (is_leaf, trace) = prune(&tree, &table, truth, &[1.0, 1.0], &Cancel::default()).unwrap();
        // Three fifths of the second row are answered with the first class, by the leaf as by the whole node.
        assert_eq!(trace, vec![Trial { node: 0, weight: 2.0, before: 0.6, after: 1.0, cut: false }]);
        assert_eq!(is_leaf, vec![false, true, true]);
    }
}
