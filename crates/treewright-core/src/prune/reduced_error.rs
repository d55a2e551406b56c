//! Reduced-error pruning: a question goes where the tree makes no more errors without it on rows it was not grown from.
//!
//! Children first, and again until nothing changes. A row counts by what the whole tree says of it, so that no step ever
//! raises the error on these rows, not even where a row is divided among several leaves.

use super::truth::Truth;
use crate::Result;
use crate::data::table::{Column, Table};
use crate::model::tree::{SHARE, Tree};
use crate::model::walk::{answer, say_until};
use crate::stats::numbers::ExactSum;
use crate::sys::pool::Cancel;

/// The figures behind a verdict.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Trial {
    /// The node.
    pub node: usize,
    /// The weight of the rows that come to it, whole or in part.
    pub weight: f64,
    /// The error of the tree on these rows: wrong classes, or squared differences.
    pub before: f64,
    /// The same with a leaf in the node's place.
    pub after: f64,
    /// Whether it became a leaf.
    pub cut: bool,
}

struct Pruner<'a> {
    tree: &'a Tree,
    columns: &'a [Column<'a>],
    truth: Truth<'a>,
    weights: &'a [f64],
    /// How many units of error make 1: errors are added up as integers, so the order of the rows does not matter.
    scale: f64,
    is_leaf: Vec<bool>,
    /// The error of each row with the tree as it is.
    error: Vec<u64>,
    /// Whether a row is divided somewhere.
    divided: Vec<bool>,
    says: Vec<f64>,
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
    let mut pruner = Pruner {
        tree,
        columns: table.columns(),
        truth,
        weights,
        scale: scale(tree, truth, weights),
        is_leaf: tree.n_children.iter().map(|&children| children == 0).collect(),
        error: vec![0; table.rows()],
        divided: vec![false; table.rows()],
        says: vec![0.0; tree.outputs],
    };
    for row in 0..table.rows() {
        pruner.error[row] = pruner.error_of(row);
    }
    let mut trace: Vec<Trial> = Vec::new();
    loop {
        let mut pass = Vec::new();
        let changed = pruner.pass(&mut pass, cancel)?;
        if trace.is_empty() {
            trace = pass;
        } else {
            // Of a later pass only what it changed is news.
            trace.extend(pass.into_iter().filter(|trial| trial.cut));
        }
        // A whole row below one node does not care what happens beside it: only divided ones are worth another look.
        if !changed || !pruner.divided.contains(&true) {
            return Ok((pruner.is_leaf, trace));
        }
    }
}

/// A power of two with which the errors of all rows add up to less than 2^62.
fn scale(tree: &Tree, truth: Truth<'_>, weights: &[f64]) -> f64 {
    let (_, exponent) = libm::frexp(truth.worst(tree) * weights.iter().copied().fold(0.0, f64::max));
    let count = (usize::BITS - weights.len().leading_zeros()) as i32;
    libm::ldexp(1.0, (62 - exponent - count).min(1000))
}

impl Pruner<'_> {
    /// Looks at every branch once; says whether anything changed.
    fn pass(&mut self, trace: &mut Vec<Trial>, cancel: &Cancel) -> Result<bool> {
        let mut rows = self.ends();
        // The node that last took a row in, so that the parts of one row are counted once.
        let mut taken = vec![usize::MAX; self.error.len()];
        let mut changed = false;
        for node in (0..self.tree.len()).rev() {
            if self.is_leaf[node] {
                continue;
            }
            cancel.check()?;
            let mut here: Vec<u32> = std::mem::take(&mut rows[node]);
            for child in self.tree.children(node) {
                here.append(&mut rows[child]);
            }
            here.retain(|&row| std::mem::replace(&mut taken[row as usize], node) != node);
            changed |= self.judge(node, &here, trace);
            rows[node] = here;
        }
        Ok(changed)
    }

    /// The rows that end at each node, divided ones at several.
    fn ends(&mut self) -> Vec<Vec<u32>> {
        let mut rows = vec![Vec::new(); self.tree.len()];
        for row in 0..self.error.len() {
            let mut open = vec![0];
            while let Some(node) = open.pop() {
                if self.is_leaf[node] {
                    rows[node].push(row as u32);
                    continue;
                }
                match answer(self.tree, node, self.columns, row) {
                    SHARE => {
                        self.divided[row] = true;
                        open.extend(self.tree.children(node));
                    }
                    child if child < self.tree.n_children[node] => {
                        open.push(self.tree.first_child[node] as usize + child as usize);
                    }
                    _ => rows[node].push(row as u32),
                }
            }
        }
        rows
    }

    fn judge(&mut self, node: usize, rows: &[u32], trace: &mut Vec<Trial>) -> bool {
        self.is_leaf[node] = true;
        let after: Vec<u64> = rows.iter().map(|&row| self.error_at(row as usize, node)).collect();
        let before: u64 = rows.iter().map(|&row| self.error[row as usize]).sum();
        let sum: u64 = after.iter().sum();
        let cut = sum <= before;
        trace.push(Trial {
            node,
            weight: ExactSum::of(rows.iter().map(|&row| self.weights[row as usize])),
            before: before as f64 / self.scale,
            after: sum as f64 / self.scale,
            cut,
        });
        if cut {
            rows.iter().zip(after).for_each(|(&row, error)| self.error[row as usize] = error);
        } else {
            self.is_leaf[node] = false;
        }
        cut
    }

    /// The error of a row if it ends at a node; a divided one is walked anew.
    fn error_at(&mut self, row: usize, node: usize) -> u64 {
        if self.divided[row] {
            return self.error_of(row);
        }
        let tree = self.tree;
        self.measure(row, tree.value_of(node))
    }

    /// The error of a row with the tree as it is.
    fn error_of(&mut self, row: usize) -> u64 {
        let mut says = std::mem::take(&mut self.says);
        says.fill(0.0);
        say_until(self.tree, self.columns, row, &mut says, |node| self.is_leaf[node]);
        let error = self.measure(row, &says);
        self.says = says;
        error
    }

    fn measure(&self, row: usize, says: &[f64]) -> u64 {
        libm::rint(self.truth.error(row, says) * self.weights[row] * self.scale) as u64
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::model::tree::{Leaf, SplitRule};
    use crate::stats::risk::Costs;

    fn small() -> Tree {
        let mut tree = Tree::new(2);
        let leaf = |tree: &mut Tree, yes: f64, weight: f64| {
            tree.push(Leaf { value: &[yes, 1.0 - yes], weight, count: weight as u64, cost: 0.0 });
        };
        leaf(&mut tree, 0.6, 10.0);
        tree.ask(0, 0, &SplitRule::threshold(1.0, SHARE), 0.1);
        leaf(&mut tree, 1.0, 6.0);
        leaf(&mut tree, 0.0, 4.0);
        tree
    }

    #[test]
    fn a_question_that_helps_stays_and_one_that_hurts_goes() {
        let numbers = [0.0, 2.0, f64::NAN];
        let table = Table::new(vec![Column::Numeric(&numbers)], 3).unwrap();
        let weights = [1.0, 1.0, 1.0];
        let run = |codes: &[u32]| {
            let truth = Truth::Classes(codes, Costs(&[]));
            prune(&small(), &table, truth, &weights, &Cancel::default()).unwrap()
        };
        let (is_leaf, trace) = run(&[0, 1, 0]);
        assert!(!is_leaf[0]);
        assert_eq!(trace, vec![Trial { node: 0, weight: 3.0, before: 0.0, after: 1.0, cut: false }]);
        assert!(run(&[0, 0, 0]).0[0]);
    }
}
