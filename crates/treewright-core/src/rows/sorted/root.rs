//! The root: all rows with a weight, and each column of numbers in order.

use super::columns::Segment;
use super::node::{NOWHERE, Node, SpareItems};
use super::numbers::Numbers;
use super::{Coded, Plan};
use crate::data::table::{Column, Table};
use crate::split::shared::have_many_levels;
use crate::stats::criterion::Classes;
use crate::stats::weights::Weights;
use crate::sys::memory::{collected, filled, room};
use crate::sys::pages::zeros;
use crate::sys::pool;
use crate::{Error, Result};

/// All rows with a weight; `units` is the weight that they all have, or 0.
pub(super) fn present_rows(classes: Classes<'_>, weights: &Weights, units: u64) -> Result<Node> {
    let (target, width) = (classes.target, classes.classes);
    let present = || weights.units.iter().zip(0u32..).filter(|(units, _)| **units > 0);
    let count = present().count();
    let mut node =
        Node { count, stats: filled(0, width)?, rows: room(count)?, classes: room(count)?, ..Node::default() };
    for (units, row) in present() {
        let class = target[row as usize];
        node.rows.push(row);
        node.classes.push(class as u16);
        node.stats[class as usize] += units;
    }
    if units == 0 {
        let mut list = room(count)?;
        list.extend(present().map(|(units, _)| *units));
        node.weights = Some(list);
    }
    Ok(node)
}

/// Columns that are read together: the numbers of a row lie beside each other in a matrix.
const TOGETHER: usize = 8;
/// Rows of such columns that are read at once, and stay in the cache meanwhile.
const ROWS_AT_ONCE: u32 = 512;

/// Sorts the columns of numbers and puts them into the root.
pub(super) fn sort_columns<'a>(
    plan: &Plan<'a>,
    table: &Table<'a>,
    classes: Classes<'a>,
    root: &mut Node,
    total: f64,
    (spares, threads): (&SpareItems, usize),
) -> Result<Vec<Coded<'a>>> {
    let levels_of = |column: &Column<'_>| match column {
        Column::Categorical { levels, .. } => Some(*levels),
        _ => None,
    };
    let wide = have_many_levels(table.columns().iter().map(levels_of), total, &plan.rules)?;
    let code = |(column, wide): (&Column<'a>, bool)| match *column {
        Column::Categorical { codes, levels } => Coded::Levels { codes, levels, wide },
        column => Coded::Numbers(Numbers::new(column, classes.target, plan.rules.compare_as_f32)),
    };
    let mut columns: Vec<Coded<'a>> = collected(table.columns().iter().zip(wide).map(code))?;
    let features = |is_numeric: bool| {
        let columns = table.columns().iter().zip(0u32..);
        let may_ask = |feature: &u32| plan.features.is_none_or(|features| features.contains(feature));
        let is_kind = move |(column, _): &(&Column<'_>, u32)| levels_of(column).is_none() == is_numeric;
        columns.filter(is_kind).map(|(_, feature)| feature).filter(may_ask)
    };
    root.levels = features(false).collect();
    let sorted = &mut root.numbers;
    sorted.segments = features(true).map(|column| Segment { column, known: 0 }).collect();
    sorted.stride = table.rows() + 1;
    sorted.items = zeros(sorted.stride.checked_mul(sorted.segments.len()).ok_or(Error::Memory)?)?;
    let numbers = columns.iter_mut().filter_map(|column| match column {
        Coded::Numbers(numbers) => Some(numbers),
        Coded::Levels { .. } => None,
    });
    let mut jobs: Vec<(&mut Numbers<'a>, &mut [u64])> = numbers.zip(sorted.items.chunks_mut(sorted.stride)).collect();
    let read = |jobs: &mut [(&mut Numbers<'a>, &mut [u64])]| -> Result<()> {
        let rows = table.rows() as u32;
        for start in (0..rows).step_by(ROWS_AT_ONCE as usize) {
            plan.cancel.check()?;
            let end = (start + ROWS_AT_ONCE).min(rows);
            jobs.iter_mut().for_each(|(numbers, items)| numbers.read(start..end, items));
        }
        Ok(())
    };
    pool::each(threads, jobs.chunks_mut(TOGETHER).collect(), read)?.into_iter().collect::<Result<()>>()?;
    let sort = |(numbers, items): (&mut Numbers<'a>, &mut [u64])| numbers.sort(items, spares, plan.cancel);
    for (segment, known) in sorted.segments.iter_mut().zip(pool::each(threads, jobs, sort)?) {
        segment.known = known? as u32;
    }
    if root.count < table.rows() {
        let mut place_of_row = filled(NOWHERE, table.rows())?;
        (0u32..).zip(&root.rows).for_each(|(place, row)| place_of_row[*row as usize] = place);
        sorted.keep_rows(&place_of_row);
    }
    Ok(columns)
}
