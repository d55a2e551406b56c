//! One branch for each possible value of a categorical column; missing is one more where the column has it.

use crate::data::table::MISSING;
use crate::learn::criterion::Criterion;
use crate::learn::rows::entries::Entry;

/// The branch that an entry takes: its level, or the one after the last for a missing value.
#[inline]
pub fn branch_of(code: u32, levels: u32) -> usize {
    if code == MISSING { levels as usize } else { code as usize }
}

/// Adds up the statistics of each branch; `stats` holds `branches * width` zeros when it comes in.
pub fn add_up(criterion: &impl Criterion, codes: &[u32], levels: u32, entries: &[Entry], stats: &mut [u64]) {
    let width = criterion.width();
    for entry in entries {
        let start = branch_of(codes[entry.row as usize], levels) * width;
        criterion.add(&mut stats[start..start + width], entry.row as usize, entry.weight);
    }
}

/// What is left of a node's cost after the split: the sum over the branches, in their order.
pub fn remaining_cost(criterion: &impl Criterion, stats: &[u64]) -> f64 {
    stats.chunks_exact(criterion.width()).map(|branch| criterion.cost(branch)).sum()
}
