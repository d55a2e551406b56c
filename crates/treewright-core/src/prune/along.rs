//! How well each tree of a path answers some rows.
//!
//! As the price of a leaf falls the tree grows, so a row only ever goes on from where it stood: a row costs its path and
//! the number of prices. Only a row that is divided is walked anew for each price.

use super::truth::Truth;
use crate::Result;
use crate::data::table::Table;
use crate::model::tree::{SHARE, STOP, Tree};
use crate::model::walk::{answer, say_until};
use crate::stats::numbers::ExactSum;
use crate::sys::pool::Cancel;

/// The errors on the rows of a table at each price, ascending: the sums of weight times error, and of weight times squared
/// error. `link` is the price at which a node becomes a leaf.
pub fn along(
    tree: &Tree,
    link: &[f64],
    prices: &[f64],
    table: &Table<'_>,
    truth: Truth<'_>,
    weights: &[f64],
    cancel: &Cancel,
) -> Result<(Vec<f64>, Vec<f64>)> {
    truth.check(tree, table, weights)?;
    // Added up as integers: the order of the rows does not matter.
    let (worst, heaviest) = (truth.worst(tree), weights.iter().copied().fold(0.0, f64::max));
    let mut errors = vec![ExactSum::new(heaviest * worst, weights.len()); prices.len()];
    let mut squares = vec![ExactSum::new(heaviest * worst * worst, weights.len()); prices.len()];
    let mut says = vec![0.0; tree.outputs];
    for (row, &weight) in weights.iter().enumerate() {
        if row % 1024 == 0 {
            cancel.check()?;
        }
        let (mut node, mut divided) = (0, false);
        for (i, &price) in prices.iter().enumerate().rev() {
            let is_leaf = |node: usize| tree.is_leaf(node) || link[node] <= price;
            while !divided && !is_leaf(node) {
                match answer(tree, node, table.columns(), row) {
                    STOP => break,
                    SHARE => divided = true,
                    child => node = tree.first_child[node] as usize + child as usize,
                }
            }
            if divided {
                says.fill(0.0);
                say_until(tree, table.columns(), row, &mut says, is_leaf);
            } else {
                says.copy_from_slice(tree.value_of(node));
            }
            let error = truth.error(row, &says);
            errors[i].add(weight * error);
            squares[i].add(weight * error * error);
        }
    }
    let real = |sums: Vec<ExactSum>| sums.iter().map(ExactSum::real).collect();
    Ok((real(errors), real(squares)))
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::data::table::Column;
    use crate::model::tree::{Leaf, SplitRule};

    #[test]
    fn rows_go_on_as_the_price_falls() {
        let mut tree = Tree::new(1);
        let leaf = |tree: &mut Tree, says: f64| tree.push(Leaf { value: &[says], weight: 1.0, count: 1, cost: 0.0 });
        leaf(&mut tree, 5.0);
        tree.ask(0, 0, &SplitRule::threshold(1.0, SHARE), 1.0);
        leaf(&mut tree, 1.0);
        leaf(&mut tree, 9.0);
        tree.weight = vec![4.0, 1.0, 3.0];
        let numbers = [0.0, 2.0, f64::NAN];
        let table = Table::new(vec![Column::Numeric(&numbers)], 3).unwrap();
        let truth = Truth::Numbers(&[1.0, 8.0, 7.0]);
        let weights = [1.0, 2.0, 1.0];
        let (errors, squares) =
            along(&tree, &[3.0, 0.0, 0.0], &[0.0, 3.0], &table, truth, &weights, &Cancel::default()).unwrap();
        assert_eq!(errors, vec![2.0, 16.0 + 18.0 + 4.0]);
        assert_eq!(squares, vec![2.0, 256.0 + 162.0 + 16.0]);
    }
}
