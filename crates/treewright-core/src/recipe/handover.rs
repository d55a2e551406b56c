//! The rows of nodes on their way to the process that grows what is below: cells, target and weights in integers.
//!
//! Rows stand in the order of the processes that held them. No tree depends on the order of its rows.

use super::criterion::TreeCriterion;
use super::grow_tree::TreeInput;
use crate::Result;
use crate::data::table::{Column, Kind, Table};
use crate::peers::Peers;
use crate::stats::criterion::Stat;
use crate::stats::entry::Entry;
use crate::stats::portable::take;
use crate::stats::weights::Weights;

/// The process that each node goes to, given their rows, the largest node first: each to the one that has fewest so far.
pub fn assign_nodes(rows: impl Iterator<Item = u64>, processes: usize) -> Vec<usize> {
    let mut loads = vec![0u64; processes];
    let mut to = Vec::new();
    for rows in rows {
        let least = (0..processes).reduce(|a, b| if loads[b] < loads[a] { b } else { a }).unwrap_or(0);
        loads[least] += rows;
        to.push(least);
    }
    to
}

/// A column that belongs to a node.
#[derive(Debug)]
enum Cells {
    Numbers(Vec<f64>),
    Codes(Vec<u32>, u32),
}

/// The rows of one node, from all processes.
#[derive(Debug)]
pub struct NodeRows {
    /// The weights.
    pub weights: Weights,
    /// Classes, or numbers in units.
    pub target: Vec<i64>,
    cells: Vec<Cells>,
}

impl NodeRows {
    /// No rows yet, which are weighed in this unit.
    pub fn new(kinds: &[Kind], unit: f64) -> NodeRows {
        let cells = |kind: &Kind| match kind {
            Kind::Numeric => Cells::Numbers(Vec::new()),
            Kind::Categorical(levels) => Cells::Codes(Vec::new(), *levels),
        };
        let weights = Weights { units: Vec::new(), unit };
        NodeRows { weights, target: Vec::new(), cells: kinds.iter().map(cells).collect() }
    }

    /// The columns.
    pub fn table(&self) -> Result<Table<'_>> {
        let columns = self.cells.iter().map(|cells| match cells {
            Cells::Numbers(numbers) => Column::Numeric(numbers),
            Cells::Codes(codes, levels) => Column::Categorical { codes, levels: *levels },
        });
        Table::new(columns.collect(), self.target.len())
    }

    /// Takes rows of one process from the front of some bytes.
    pub fn take(&mut self, bytes: &mut &[u8]) -> Result<()> {
        let rows = u64::take_bytes(bytes)? as usize;
        for _ in 0..rows {
            self.weights.units.try_reserve(1)?;
            self.weights.units.push(u64::take_bytes(bytes)?);
        }
        for _ in 0..rows {
            self.target.try_reserve(1)?;
            self.target.push(i128::take_bytes(bytes)? as i64);
        }
        for cells in &mut self.cells {
            match cells {
                Cells::Numbers(numbers) => {
                    let front = take(bytes, rows.saturating_mul(8))?;
                    let bits = |bytes: &[u8]| bytes.iter().rev().fold(0, |bits, &byte| bits << 8 | u64::from(byte));
                    numbers.try_reserve(rows)?;
                    numbers.extend(front.chunks_exact(8).map(|bytes| f64::from_bits(bits(bytes))));
                }
                Cells::Codes(codes, _) => {
                    let front = take(bytes, rows.saturating_mul(4))?;
                    let code = |bytes: &[u8]| bytes.iter().rev().fold(0, |code, &byte| code << 8 | u32::from(byte));
                    codes.try_reserve(rows)?;
                    codes.extend(front.chunks_exact(4).map(code));
                }
            }
        }
        Ok(())
    }
}

/// Appends the rows of a node that lie in this process.
fn put_rows(entries: &[Entry], table: &Table<'_>, criterion: &TreeCriterion<'_>, bytes: &mut Vec<u8>) -> Result<()> {
    bytes.try_reserve(entries.len().saturating_mul(8 * table.columns().len() + 16))?;
    (entries.len() as u64).put_bytes(bytes);
    entries.iter().for_each(|entry| entry.weight.put_bytes(bytes));
    for entry in entries {
        let target = match criterion {
            TreeCriterion::Classes(criterion) => i64::from(criterion.classes().target[entry.row as usize]),
            TreeCriterion::Numbers(criterion) => criterion.target.units[entry.row as usize],
        };
        i128::from(target).put_bytes(bytes);
    }
    for column in table.columns() {
        match column {
            Column::Categorical { codes, .. } => {
                entries.iter().for_each(|entry| bytes.extend(codes[entry.row as usize].to_le_bytes()));
            }
            numbers => {
                entries.iter().for_each(|entry| bytes.extend(numbers.number(entry.row as usize).to_le_bytes()));
            }
        }
    }
    Ok(())
}

/// Sends the rows of each node to the process that it goes to; returns the rows of those that come here, in their order.
pub fn hand_over(
    nodes: &[Vec<Entry>],
    to: &[usize],
    input: &TreeInput<'_>,
    criterion: &TreeCriterion<'_>,
    peers: &dyn Peers,
) -> Result<Vec<NodeRows>> {
    let mut parts = vec![Vec::new(); peers.size()];
    for (entries, &rank) in nodes.iter().zip(to) {
        put_rows(entries, input.table, criterion, &mut parts[rank])?;
    }
    let parts = peers.exchange(&parts)?;
    let mut rest: Vec<&[u8]> = parts.iter().map(Vec::as_slice).collect();
    let kinds = input.table.kinds();
    let here = to.iter().filter(|&&rank| rank == peers.rank());
    here.map(|_| {
        let mut rows = NodeRows::new(&kinds, input.weights.unit);
        rest.iter_mut().try_for_each(|bytes| rows.take(bytes))?;
        Ok(rows)
    })
    .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_process_gets_about_as_many_rows() {
        assert_eq!(assign_nodes([9, 5, 4, 3, 2, 1].into_iter(), 2), [0, 1, 1, 0, 1, 1]);
        assert_eq!(assign_nodes([9, 5].into_iter(), 1), [0, 0]);
        assert!(assign_nodes(std::iter::empty(), 3).is_empty());
    }
}
