//! The root: all rows with a weight, and each column of numbers in order.

use super::columns::{NOWHERE, SortedColumns};
use super::node::SortedNode;
use super::numbers::NumericColumn;
use super::{SearchedColumn, TreeContext};
use crate::Result;
use crate::data::table::{Column, Table};
use crate::split::shared::have_many_levels;
use crate::stats::criterion::Classes;
use crate::stats::weights::Weights;
use crate::sys::memory::{collected, filled};
use crate::sys::pool;

/// All rows with a weight; `units` is the weight that they all have, or 0.
pub(super) fn present_rows(classes: Classes<'_>, weights: &Weights, units: u64) -> Result<SortedNode> {
    let present = || weights.units.iter().zip(0u32..).filter(|(units, _)| **units > 0);
    let count = present().count();
    let mut node = SortedNode { count, ..SortedNode::with_room(count, classes.classes, units == 0)? };
    present().for_each(|(units, row)| node.push(row, classes.target[row as usize] as u16, *units));
    Ok(node)
}

/// Columns that are read together: the numbers of a row lie beside each other in a matrix.
const TOGETHER: usize = 8;
/// Rows of such columns that are read at once, and stay in the cache meanwhile.
const ROWS_AT_ONCE: u32 = 512;

impl<'a> TreeContext<'a> {
    /// Codes the columns and puts them into the root; `total` is the weight of the training table. Columns that are not among
    /// the `features`, where these are given, are not asked about.
    pub(super) fn code_columns(
        &mut self,
        table: &Table<'a>,
        features: Option<&[u32]>,
        root: &mut SortedNode,
        total: f64,
        threads: usize,
    ) -> Result<()> {
        let classes = self.criterion.classes().target;
        let levels_of = |column: &Column<'_>| match column {
            Column::Categorical { levels, .. } => Some(*levels),
            _ => None,
        };
        let wide = have_many_levels(table.columns().iter().map(levels_of), total, &self.rules)?;
        let searched = |(column, wide): (&Column<'a>, bool)| match *column {
            Column::Categorical { codes, levels } => SearchedColumn::Levels { codes, levels, wide },
            column => SearchedColumn::Numbers(NumericColumn::new(column, classes, self.rules.compare_as_f32)),
        };
        self.columns = collected(table.columns().iter().zip(wide).map(searched))?;
        let may_ask = |feature: &u32| features.is_none_or(|features| features.contains(feature));
        let has_levels = |feature: &u32| matches!(self.columns[*feature as usize], SearchedColumn::Levels { .. });
        let all = (0..self.columns.len() as u32).filter(may_ask);
        let (levels, numeric): (Vec<u32>, Vec<u32>) = all.partition(has_levels);
        root.levels = levels.into();
        root.numbers = self.sort_columns(numeric, table.rows(), threads)?;
        if root.count < table.rows() {
            let mut place_of_row = filled(NOWHERE, table.rows())?;
            (0u32..).zip(&root.rows).for_each(|(place, row)| place_of_row[*row as usize] = place);
            root.numbers.keep_rows(&place_of_row);
        }
        Ok(())
    }

    /// The columns of numbers, of all rows of the table, in order.
    fn sort_columns(&mut self, features: Vec<u32>, rows: usize, threads: usize) -> Result<SortedColumns> {
        let (spares, cancel) = (&self.spares, self.cancel);
        let mut sorted = SortedColumns::new(features.len(), rows, spares)?;
        let numbers = self.columns.iter_mut().filter_map(|column| match column {
            SearchedColumn::Numbers(numbers) => Some(numbers),
            SearchedColumn::Levels { .. } => None,
        });
        let mut jobs: Vec<(&mut NumericColumn<'a>, &mut [u64])> =
            numbers.zip(sorted.items.chunks_mut(sorted.stride)).collect();
        let read = |jobs: &mut [(&mut NumericColumn<'a>, &mut [u64])]| -> Result<()> {
            for start in (0..rows as u32).step_by(ROWS_AT_ONCE as usize) {
                cancel.check()?;
                let end = (start + ROWS_AT_ONCE).min(rows as u32);
                jobs.iter_mut().for_each(|(numbers, items)| numbers.read(start..end, items));
            }
            Ok(())
        };
        pool::each(threads, jobs.chunks_mut(TOGETHER).collect(), read)?.into_iter().collect::<Result<()>>()?;
        let sort = |(numbers, items): (&mut NumericColumn<'a>, &mut [u64])| numbers.sort(items, spares, cancel);
        for (feature, known) in features.into_iter().zip(pool::each(threads, jobs, sort)?) {
            sorted.columns.push((feature, known? as u32));
        }
        Ok(sorted)
    }
}
