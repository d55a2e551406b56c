//! Cuts that leave too little weight on a side. Weights grow along the cuts, so these lie at both ends.

use super::tally::{Look, Scan, Tally};

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
    pub fn new<T: Tally>(tally: &T, total: &T::Total, rows: u32, weight: f64) -> LeafLimits {
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
pub fn forbid_light<T: Tally>(look: &Look<'_, T>, histogram: &T::Histogram, scan: &mut Scan) {
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

/// The first edge of which something is true that stays true; the number of bins where there is none.
fn first_edge(bins: usize, is_true: impl Fn(usize) -> bool) -> usize {
    let (mut low, mut high) = (0, bins);
    while low < high {
        let middle = low.midpoint(high);
        if is_true(middle) { high = middle } else { low = middle + 1 }
    }
    low
}
