//! One branch for each possible value of a categorical column; missing is one more where the column has it.

use crate::Result;
use crate::data::table::MISSING;
use crate::rows::entries::{Coded, Entry};
use crate::stats::criterion::Criterion;
use crate::sys::memory::filled;

/// What is left of a node's cost when each possible value has a branch of its own: the sum over them, in their order.
pub fn remaining_cost<C: Criterion>(criterion: &C, column: &Coded<'_>, entries: &[Entry]) -> Result<f64> {
    let width = criterion.width();
    let mut stats = filled(C::Stat::default(), column.possible() * width)?;
    for entry in entries {
        let code = column.codes()[entry.row as usize];
        let branch = if code == MISSING { column.levels() } else { code } as usize;
        criterion.add(&mut stats[branch * width..(branch + 1) * width], entry.row as usize, entry.weight);
    }
    Ok(stats.chunks_exact(width).map(|branch| criterion.cost(branch)).sum())
}
