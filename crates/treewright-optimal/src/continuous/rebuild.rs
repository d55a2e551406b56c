//! The upper questions of a tree to its nodes: the best question of each side is found again by its definition.

use super::codes::Code;
use super::depth_three::Top;
use super::depth_two::Cut;
use super::table::Table;
use crate::solution::Nodes;
use treewright_core::Result;
use treewright_core::prelude::{memory, midpoint};

/// Writes the tree; no path has more questions than `depth`.
pub fn write_tree<T: Code>(table: &Table<T>, top: &Top<T>, depth: usize) -> Result<Nodes> {
    let mut nodes = Nodes::default();
    let rows: Vec<u32> = memory::collected(0..table.rows() as u32)?;
    let mut writer = Writer { table, nodes: &mut nodes };
    match top.root {
        Some(root) => {
            let lower = |side: Option<Cut<T>>| Lower { cut: side, may_ask: depth > 1 };
            writer.write_split(&rows, root, top.sides.map(lower))?;
        }
        None => drop(writer.write_lower(&rows, Lower { cut: None, may_ask: depth > 0 })?),
    }
    Ok(nodes)
}

/// What stands below a question: a question whose sides are best trees of one question, or such a tree itself.
#[derive(Clone, Copy)]
struct Lower<T> {
    cut: Option<Cut<T>>,
    may_ask: bool,
}

struct Writer<'a, T> {
    table: &'a Table<T>,
    nodes: &'a mut Nodes,
}

impl<T: Code> Writer<'_, T> {
    fn write_lower(&mut self, rows: &[u32], lower: Lower<T>) -> Result<usize> {
        let below = Lower { cut: None, may_ask: lower.cut.is_some() };
        let cut = lower.cut.or_else(|| lower.may_ask.then(|| best_question(self.table, rows)).flatten());
        match cut {
            Some(cut) => self.write_split(rows, cut, [below; 2]),
            None => Ok(self.write_leaf(rows)),
        }
    }

    fn write_leaf(&mut self, rows: &[u32]) -> usize {
        let weights = self.table.class_weights(rows);
        let most = weights.iter().copied().max().unwrap_or(0);
        self.nodes.push_leaf(weights.iter().position(|&weight| weight == most).unwrap_or(0) as f64)
    }

    fn write_split(&mut self, rows: &[u32], cut: Cut<T>, below: [Lower<T>; 2]) -> Result<usize> {
        let table = self.table;
        let codes = &table.codes[cut.feature];
        let (left, right): (Vec<u32>, Vec<u32>) = rows.iter().partition(|&&row| codes[row as usize] < cut.code);
        let node = self.write_leaf(rows);
        // Half way between the numbers that the node itself has on either side.
        let code = |&row: &u32| codes[row as usize].place();
        let below_cut = left.iter().map(code).max().unwrap_or(0);
        let above_cut = right.iter().map(code).min().unwrap_or(cut.code.place());
        let values = &table.values[cut.feature];
        self.nodes.make_split(node, table.names[cut.feature], midpoint(values[below_cut], values[above_cut]));
        let left = self.write_lower(&left, below[0])?;
        let right = self.write_lower(&right, below[1])?;
        self.nodes.set_children(node, left, right);
        Ok(node)
    }
}

/// The first question that costs less than a leaf and the least of all.
fn best_question<T: Code>(table: &Table<T>, rows: &[u32]) -> Option<Cut<T>> {
    let rules = table.rules;
    let total = table.class_weights(rows);
    let (mut best, mut cost) = (None, table.leaf_cost(rows));
    for (feature, codes) in table.codes.iter().enumerate() {
        let mut sorted = rows.to_vec();
        sorted.sort_unstable_by_key(|&row| codes[row as usize]);
        let mut left = vec![0; total.len()];
        for (i, &row) in sorted.iter().enumerate() {
            let place = row as usize;
            let is_cut = i > 0 && codes[sorted[i - 1] as usize] != codes[place];
            if is_cut && i.min(sorted.len() - i) >= rules.min_leaf {
                let right = total.iter().zip(&left).map(|(all, left)| all - left);
                let (most_left, most_right) = (left.iter().max().copied().unwrap_or(0), right.max().unwrap_or(0));
                let wrong = total.iter().sum::<i64>() - most_left - most_right;
                if 2 * rules.leaf + rules.unit * wrong < cost {
                    cost = 2 * rules.leaf + rules.unit * wrong;
                    best = Some(Cut { feature, code: codes[place] });
                }
            }
            left[table.class[place] as usize] += i64::from(table.weight[place]);
        }
    }
    best
}
