//! Cuts that leave too little weight on a side. Weights grow along the cuts, so these lie at both ends.

use super::kernels::codes::count_below;
use super::tally::{ColumnTally, Look, Room, Scan, Tally};

/// How little a child may have.
#[derive(Clone, Copy, Debug)]
pub struct LeafLimits {
    /// The fewest rows, at least 1.
    pub rows: usize,
    /// The least weight; 0 where rows are enough.
    pub weight: f64,
    /// The same for sets of levels, where which divisions are tried depends on the fewest rows that were asked for.
    pub of_levels: (u32, f64),
}

impl LeafLimits {
    /// Where all rows weigh the same, the least weight is a number of rows.
    pub fn new<T: ColumnTally>(tally: &T, total: &T::Total, rows: u32, weight: f64) -> LeafLimits {
        let limits = LeafLimits { rows: rows.max(1) as usize, weight, of_levels: (rows, weight) };
        match tally.rows_of_weight(total, weight) {
            Some(least) if weight > 0.0 => LeafLimits { rows: limits.rows.max(least), weight: 0.0, ..limits },
            _ => limits,
        }
    }
}

/// The fewest rows that weigh so much, where `weigh` tells what a number of rows weighs.
pub fn fewest_rows(weight: f64, weigh: impl Fn(u64) -> f64) -> usize {
    first_edge(1 << 31, |rows| weigh(rows as u64) >= weight)
}

/// Marks the edges and bins at which no cut leaves enough weight on both sides.
pub fn forbid_light<T: ColumnTally>(look: &Look<'_, T>, histogram: &T::Histogram, scan: &mut Scan) {
    let (bins, least) = (look.bins.count(), look.context.min_weight);
    let first = first_edge(bins, |edge| look.context.tally.weights_at_edge(look, edge, histogram)[0] >= least);
    let last = first_edge(bins, |edge| look.context.tally.weights_at_edge(look, edge, histogram)[1] < least);
    let room = scan.room();
    for edge in (0..first).chain(last..bins) {
        room.edges[edge] = -1.0;
    }
    if room.bounded {
        // A bin at whose one edge there is too little may have a better cut inside than at its other edge.
        for bin in [first, last].into_iter().filter(|&bin| bin < bins) {
            room.bounds[bin] = f32::INFINITY;
        }
        for bin in (0..first).chain(last + 1..bins) {
            room.bounds[bin] = -1.0;
        }
    }
}

/// How many rows are on the left of a bin.
pub fn rows_below<T: Tally>(look: &Look<'_, T>, bin: usize) -> usize {
    let Look { context, codes, bins, gap, .. } = *look;
    let known = match bin {
        0 => 0,
        _ if bin < bins.count() => count_below(context.isa, codes, bins.first(bin)) as usize,
        _ => context.len - gap.rows as usize,
    };
    gap.on_left() + known
}

/// Marks the edges and bins at which no cut leaves enough rows of so many; `below` tells how many lie on the left of a bin.
/// A bin that loses an edge so must be looked into, even if its rows are all alike, for which estimates think its edges are
/// enough: `bound` bounds it anew.
pub fn forbid_few_rows(
    (rows, least): (usize, usize),
    below: impl Fn(usize) -> usize,
    scan: &mut Scan,
    bound: impl Fn(usize) -> Option<f32>,
) {
    let most = rows - least;
    let Room { edges, bounds, bins, .. } = scan.room();
    let mut forbid = |bin: usize| {
        let (before, after) = (below(bin), below(bin + 1));
        if after < least || after > most {
            edges[bin] = -1.0;
        }
        if after <= least || before >= most {
            bounds[bin] = -1.0;
        } else if (before < least || after > most) && least > 1 {
            bounds[bin] = bound(bin).unwrap_or(bounds[bin]);
        }
        (before, after)
    };
    // Only bins near the ends can be concerned.
    let _ = (0..bins).find(|&bin| forbid(bin).1 > least);
    let _ = (0..bins).rev().find(|&bin| forbid(bin).0 < most);
}

/// The first edge of which something is true that stays true; the number of bins where there is none.
fn first_edge(bins: usize, is_true: impl Fn(usize) -> bool) -> usize {
    let (mut low, mut high) = (0, bins);
    while low < high {
        let middle = low.midpoint(high);
        if is_true(middle) { high = middle } else { low = middle + 1 }
    }
    low
}
