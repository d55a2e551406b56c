//! The best cut of a numeric column: sort the node's numbers, move the cut through them, keep the first best.
//!
//! Missing values have a branch of their own where the column has any in training.

use crate::data::table::MISSING;
use crate::learn::criterion::{Criterion, merge, remove};
use crate::learn::rows::entries::{Coded, Entry};
use crate::model::tree::{STOP, Way};

/// What is left of the node's cost after the best cut, and the cut; None where all known numbers are equal.
pub fn best<C: Criterion>(criterion: &C, column: &Coded<'_>, entries: &[Entry]) -> Option<(f64, Way)> {
    let width = criterion.width();
    let mut order: Vec<(u32, Entry)> = Vec::with_capacity(entries.len());
    let mut absent = vec![C::Stat::default(); width];
    let mut right = vec![C::Stat::default(); width];
    for &entry in entries {
        let code = column.codes()[entry.row as usize];
        if code == MISSING {
            criterion.add(&mut absent, entry.row as usize, entry.weight);
        } else {
            criterion.add(&mut right, entry.row as usize, entry.weight);
            order.push((code, entry));
        }
    }
    order.sort_unstable_by_key(|(code, entry)| (*code, entry.row));
    let rest = criterion.cost(&absent);
    let mut left = vec![C::Stat::default(); width];
    let mut run = vec![C::Stat::default(); width];
    let mut best: Option<(f64, f64)> = None;
    for pair in order.windows(2) {
        let (code, entry) = pair[0];
        criterion.add(&mut run, entry.row as usize, entry.weight);
        if code == pair[1].0 {
            continue;
        }
        merge(&mut left, &run);
        remove(&mut right, &run);
        run.fill(C::Stat::default());
        let cost = criterion.cost(&left) + criterion.cost(&right) + rest;
        if best.is_none_or(|(least, _)| cost < least) {
            let (below, above) = (column.values()[code as usize], column.values()[pair[1].0 as usize]);
            best = Some((cost, midpoint(below, above)));
        }
    }
    best.map(|(cost, cut)| {
        let mut way = Way::threshold(cut, STOP);
        if column.has_missing() {
            (way.children, way.missing) = (3, 2);
        }
        (cost, way)
    })
}

/// Half way between two numbers; the lower one where rounding would make the cut reach the upper.
pub fn midpoint(below: f64, above: f64) -> f64 {
    let cut = below / 2.0 + above / 2.0;
    if cut >= above || cut < below { below } else { cut }
}
