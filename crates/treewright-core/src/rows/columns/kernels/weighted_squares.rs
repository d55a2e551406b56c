//! Squared error of rows that weigh differently: what cuts save, estimated for many cuts at once.
//!
//! With a total weight `W`, of which `m` is on the left, where the targets, counted from the mean and multiplied by their
//! weights, add up to `e`, a cut saves `e^2 W / (m (W - m))`. Weights are whole numbers below 2^52, so their sums are
//! exact; sums of targets are rounded, for which [`WeightedSquares::slack`] allows.
//!
//! Why a bin's bound holds: see [`crate::rows::columns::sums`], with weights in place of counts. A cut inside the first bin
//! with rows, of weight `c`, spread `q` and distance `e` of its sum, saves at most
//! `(|e| / sqrt(c) + sqrt(q))^2 W / (W - c)`, however light its first row is: rows of weight `k` of a bin are within
//! `sqrt(q k (c - k) / c)` of their share of its sum. It is the same from the other end.

use super::lanes::LANES;
use crate::rows::columns::bins::{Bins, MOST};
use crate::rows::columns::node::ABSENT;
use crate::rows::columns::tally::{Lanes, Room};
use crate::simd::multiversion;

/// What a row weighs, and its target counted from a whole number next to the mean.
pub type WeightedRecord = [f64; 2];
/// How many rows, what they weigh, the sum of their weighted targets, and of the squares of these.
pub type WeightedBin = [f64; 4];

/// What one row adds to a bin.
#[inline(always)]
fn add(bin: &mut WeightedBin, [weight, target]: WeightedRecord) {
    let sum = weight * target;
    *bin = [bin[0] + 1.0, bin[1] + weight, bin[2] + sum, bin[3] + sum * target];
}

/// Adds the rows of each bin.
pub fn count(codes: &[u16], records: &[WeightedRecord], bins: &Bins, out: &mut [WeightedBin; MOST]) {
    codes.iter().zip(records).for_each(|(&code, &record)| add(&mut out[bins.of(code)], record));
}

/// Adds the rows that have a number to their bins; returns what the others add up to.
pub fn count_known(
    codes: &[u16],
    records: &[WeightedRecord],
    bins: &Bins,
    out: &mut [WeightedBin; MOST],
) -> WeightedBin {
    let mut absent = [0.0; 4];
    for (&code, &record) in codes.iter().zip(records) {
        add(if code == ABSENT { &mut absent } else { &mut out[bins.of(code)] }, record);
    }
    absent
}

/// What estimates know about a node.
#[derive(Clone, Copy, Debug)]
pub struct WeightedSquares {
    /// How many rows there are.
    pub rows: f64,
    /// What they weigh.
    pub weight: f64,
    /// Their mean, counted as targets are.
    pub mean: f64,
    /// What one unit saves, as a share of the node's cost.
    pub scale: f64,
    /// How far a sum may be off.
    pub slack: f64,
    /// The fewest rows on each side.
    pub min_leaf: f64,
}

impl WeightedSquares {
    /// The distance of a sum from its share of the whole, at most.
    #[inline(always)]
    fn distance(&self, weight: f64, sum: f64) -> f64 {
        (sum - weight * self.mean).abs() + self.slack
    }

    /// What a distance saves with so much weight on the left, of which some is on either side.
    #[inline(always)]
    fn saved(&self, distance: f64, weight: f64) -> f64 {
        distance * distance * (self.scale / (weight * (self.weight - weight)).max(1.0))
    }

    /// The spread of a bin, not less than it is.
    #[inline(always)]
    fn spread(&self, bin: &WeightedBin) -> f64 {
        (bin[3] * (1.0 + 1e-9) - bin[2] * bin[2] / bin[1].max(1.0) * (1.0 - 1e-9)).max(0.0)
    }

    /// The bound of a bin at an end of all rows: what is on the bin's inner edge tells all.
    fn bound_at_end(&self, bin: &WeightedBin, distance: f64) -> f64 {
        let (weight, rest) = (bin[1], self.weight - bin[1]);
        if rest <= 0.0 {
            return f64::INFINITY;
        }
        let root = distance / weight.sqrt() + self.spread(bin).sqrt();
        root * root * (1.0 + 1e-9) * self.scale / rest
    }
}

multiversion! {
    /// Estimates edges and bounds. `before` is in front of all bins; `below` is room for running totals, one more than bins.
    pub fn estimate(bins: &[WeightedBin], form: &WeightedSquares, before: &WeightedBin, below: &mut [[f64; 3]], room: &mut Room<'_>) {
        let count = room.bins;
        let (bins, below) = (&bins[..count], &mut below[..=count]);
        below[0] = [before[0], before[1], before[2]];
        for i in 0..count {
            let (last, bin) = (below[i], &bins[i]);
            below[i + 1] = [last[0] + bin[0], last[1] + bin[1], last[2] + bin[2]];
        }
        let (edges, bounds) = (&mut room.edges[..count], &mut room.bounds[..count]);
        let (least, most) = (form.min_leaf, form.rows - form.min_leaf);
        for i in 0..count {
            let [rows, weight, sum] = below[i + 1];
            let saved = form.saved(form.distance(weight, sum), weight) as f32;
            edges[i] = if rows < least || rows > most { -1.0 } else { saved };
        }
        if !room.bounded {
            return;
        }
        for i in 0..count {
            let (from, to) = (below[i], below[i + 1]);
            // Half the root of weight times spread.
            let off = (form.spread(&bins[i]) * bins[i][1]).sqrt() * 0.500_001;
            let low = form.saved(form.distance(from[1], from[2]) + off, from[1]);
            let high = form.saved(form.distance(to[1], to[2]) + off, to[1]);
            let none = to[0] - from[0] < 2.0 || to[0] <= least || from[0] >= most;
            bounds[i] = if none { -1.0 } else { low.max(high) as f32 };
        }
        let first = below[1..].iter().position(|below| below[0] > 0.0);
        let last = below[..count].iter().rposition(|below| below[0] < form.rows);
        if let Some(i) = first.filter(|&i| below[i][0] == 0.0 && bounds[i] >= 0.0) {
            bounds[i] = form.bound_at_end(&bins[i], form.distance(below[i + 1][1], below[i + 1][2])) as f32;
        }
        if let Some(i) = last.filter(|&i| below[i + 1][0] == form.rows && bounds[i] >= 0.0) {
            bounds[i] = form.bound_at_end(&bins[i], form.distance(below[i][1], below[i][2])) as f32;
        }
    }
}

multiversion! {
    /// Few rows: what the cut behind each of them saves, and how many it leaves on the left.
    pub fn lanes(
        form: &WeightedSquares,
        records: &[WeightedRecord],
        codes: &Lanes,
        left: &mut [u16; LANES],
        saved: &mut [f32; LANES],
    ) {
        let (mut weights, mut sums) = ([0f64; LANES], [0f64; LANES]);
        left.fill(0);
        for (&code, &[weight, target]) in codes.iter().zip(records) {
            let sum = weight * target;
            for i in 0..LANES {
                let inside = codes[i] >= code;
                left[i] += u16::from(inside);
                weights[i] += if inside { weight } else { 0.0 };
                sums[i] += if inside { sum } else { 0.0 };
            }
        }
        (0..LANES).for_each(|i| saved[i] = form.saved(form.distance(weights[i], sums[i]), weights[i]) as f32);
    }
}
