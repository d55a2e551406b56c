//! Squared error: sums of targets, and what cuts save, estimated for many cuts at once.
//!
//! With `n` rows and `m` on the left whose targets, counted from the mean, add up to `e`, a cut saves `e^2 n / (m (n - m))`.

use super::{LANES, interesting, load};
use crate::learn::rows::columns::bins::Bins;
use crate::learn::rows::columns::sums::Total;
use crate::learn::rows::columns::tally::{LaneScan, Wish};
use crate::wide::twins;

/// The cuts behind all bins: rows on the left and the sum of their targets, counted from the mean; and for each bin how far
/// the cuts inside it may lie off the line between its edges.
#[derive(Clone, Debug, Default)]
pub struct Line {
    left: Vec<u32>,
    sum: Vec<f32>,
    off: Vec<f32>,
}

impl Line {
    /// From a histogram of packed counts and sums, and squares.
    pub fn draw(&mut self, bins: &[[i64; 2]], count_bits: u32, square_shift: u32, mean: f64) {
        self.left.clear();
        self.sum.clear();
        self.off.clear();
        self.left.push(0);
        self.sum.push(0.0);
        let mask = (1i64 << count_bits) - 1;
        let mut packed = 0i64;
        for [bin, squares] in bins {
            packed += bin;
            let (left, sum) = (packed & mask, packed >> count_bits);
            self.left.push(left as u32);
            self.sum.push((sum as f64 - left as f64 * mean) as f32);
            let (count, sum) = ((bin & mask) as f64, (bin >> count_bits) as f64);
            let squares = (squares << square_shift) as f64 * count;
            // Rounding may hide a little of the difference.
            self.off.push((0.5 * (squares * (1.0 + 1e-12) - sum * sum).max(0.0).sqrt()) as f32);
        }
    }
}

/// Adds the rows of each bin.
#[inline]
pub fn count(codes: &[u16], records: &[[i64; 2]], bins: &Bins, out: &mut [[i64; 2]]) {
    let out = &mut out[..bins.count()];
    for (&code, record) in codes.iter().zip(records) {
        let bin = &mut out[bins.of(code)];
        bin[0] += record[0];
        bin[1] += record[1];
    }
}

twins! {
    /// Estimates edges and bounds. `lean` is how far a sum may be off, per row of the smaller side.
    pub fn estimate(
        line: &Line,
        rows: u32,
        limits: (u32, u32),
        scale: f32,
        lean: f32,
        edges: &mut [f32],
        bounds: &mut [f32],
    ) {
        let bins = edges.len();
        let (m0, m1) = (&line.left[..bins], &line.left[1..=bins]);
        let (e0, e1) = (&line.sum[..bins], &line.sum[1..=bins]);
        let (off, bounds) = (&line.off[..bins], &mut bounds[..bins]);
        let saved = |m: u32, e: f32| {
            let least = m.min(rows - m) as f32;
            let e = e + least * lean;
            e * e * (scale / (m as f32 * (rows - m) as f32).max(1.0))
        };
        for b in 0..bins {
            let edge = saved(m1[b], e1[b].abs());
            edges[b] = if m1[b] < limits.0 || m1[b] > limits.1 { -1.0 } else { edge };
            let count = m1[b] - m0[b];
            let share = 1.0 / count.max(1) as f32;
            // A cut inside a bin at either end has a row on each side.
            let (low, low_e) = if m0[b] == 0 { (1, e1[b].abs() * share) } else { (m0[b], e0[b].abs()) };
            let (high, high_e) = if m1[b] == rows { (rows - 1, e0[b].abs() * share) } else { (m1[b], e1[b].abs()) };
            let bound = saved(low, low_e + off[b]).max(saved(high, high_e + off[b]));
            let none = count < 2 || m1[b] <= limits.0 || m0[b] >= limits.1;
            bounds[b] = if none { -1.0 } else { bound };
        }
    }
}

twins! {
    /// How many rows have a smaller code, and the sum of their targets.
    pub fn sum_below(codes: &[u16], targets: &[i64], code: u32) -> (u64, i128) {
        let (mut count, mut sum) = (0, 0);
        // A run is short enough for 64 bits.
        for (codes, targets) in codes.chunks(512).zip(targets.chunks(512)) {
            let (mut run, mut below) = (0i64, 0i64);
            for (&c, &target) in codes.iter().zip(targets) {
                let inside = -i64::from(u32::from(c) < code);
                run += target & inside;
                below -= inside;
            }
            count += below as u64;
            sum += i128::from(run);
        }
        (count, sum)
    }
}

twins! {
    /// Estimates the cut behind each of a few rows. `lean` is how far a sum may be off.
    pub fn few(
        codes: &[u16],
        targets: &[f32],
        mean: f32,
        lean: f32,
        scale: f32,
        wish: &Wish,
        scan: &mut LaneScan,
    ) -> u32 {
        let lanes = load(codes, wish.rows);
        let (mut m, mut sum) = ([0u16; LANES], [0f32; LANES]);
        for (&code, &target) in lanes.iter().zip(targets) {
            let target = target - mean;
            for i in 0..LANES {
                let inside = lanes[i] >= code;
                m[i] += u16::from(inside);
                sum[i] += if inside { target } else { 0.0 };
            }
        }
        let rows = targets.len() as f32;
        for i in 0..LANES {
            let m = f32::from(m[i]);
            let e = sum[i].abs() + lean;
            scan.saved[i] = e * e * (scale / (m * (rows - m)).max(1.0));
        }
        scan.left = m;
        scan.codes = lanes;
        interesting(scan, wish)
    }
}

/// The greatest distance of a target from a number.
pub fn reach(targets: &[i64], from: i64) -> u64 {
    targets.iter().map(|target| target.abs_diff(from)).fold(0, u64::max)
}

/// What targets add up to.
pub fn add_up(targets: impl Iterator<Item = i64>) -> Total {
    let mut total = Total::default();
    targets.for_each(|target| total.add(target));
    total
}
