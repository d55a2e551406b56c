//! Squared error: sums of targets, and what cuts save, estimated for many cuts at once.
//!
//! With `n` rows and `m` on the left whose targets, counted from the mean, add up to `e`, a cut saves `e^2 n / (m (n - m))`.

use super::histogram::{WIDTH, low_bits};
use super::larger;
use crate::rows::columns::bins::{Bins, MOST};
use crate::rows::columns::node::ABSENT;
use crate::rows::columns::sums::SumTotal;
use crate::rows::columns::tally::Scan;
use crate::simd::{Isa, Tier, multiversion};

/// A histogram: for each bin the packed count and sum of its rows, and their squares.
pub type SquaresBin = [i64; 2];

/// Adds up the rows of each bin; clears as many as estimates read.
#[inline]
pub fn count(codes: &[u16], records: &[SquaresBin], bins: &Bins, out: &mut [SquaresBin; MOST]) {
    out[..bins.count().next_multiple_of(WIDTH)].fill([0; 2]);
    let mut one = |code: u16, record: &SquaresBin| {
        let bin = &mut out[bins.of(code)];
        *bin = [bin[0] + record[0], bin[1] + record[1]];
    };
    // Eight at a time: the loop itself costs as much as an addition.
    let (eights, rest) = codes.as_chunks::<8>();
    let (eight_records, rest_records) = records.as_chunks::<8>();
    for (codes, records) in eights.iter().zip(eight_records) {
        for i in 0..8 {
            one(codes[i], &records[i]);
        }
    }
    rest.iter().zip(rest_records).for_each(|(&code, record)| one(code, record));
}

/// What the rows without a number add up to.
pub fn absent(codes: &[u16], records: &[SquaresBin]) -> SquaresBin {
    let absent = codes.iter().zip(records).filter(|(code, _)| **code == ABSENT);
    absent.fold([0; 2], |sum, (_, record)| [sum[0] + record[0], sum[1] + record[1]])
}

/// How the numbers of a histogram are to be read.
#[derive(Clone, Copy, Debug)]
pub struct SquaresShape {
    /// Bits of a packed count.
    pub count_bits: u32,
    /// Lowest bits of squares that were dropped.
    pub square_shift: u32,
    /// The mean of all targets.
    pub mean: f64,
    /// How many rows there are in all.
    pub rows: u32,
    /// The fewest rows on each side.
    pub min_leaf: u32,
    /// What one unit saves, as a share of the node's cost.
    pub scale: f32,
    /// How far a sum may be off, per row of the smaller side.
    pub lean: f32,
    /// The packed count and sum of the rows in front of all bins.
    pub before: i64,
}

/// Estimates edges and bounds, 16 bins at a time: so many must hold numbers. `packed` has room for the running totals, one
/// more than bins.
pub fn estimate(isa: Isa, bins: &[SquaresBin], form: &SquaresShape, packed: &mut [i64], scan: &mut Scan) {
    if isa.tier() == Tier::Avx512 || cfg!(target_arch = "aarch64") {
        estimate_native(isa, bins, form, packed, scan);
    } else {
        estimate_by_halves(isa, bins, form, packed, scan);
    }
}

multiversion! {
    fn estimate_native(bins: &[SquaresBin], form: &SquaresShape, packed: &mut [i64], scan: &mut Scan) {
        estimate_with::<true>(bins, form, packed, scan);
    }
}

multiversion! {
    fn estimate_by_halves(bins: &[SquaresBin], form: &SquaresShape, packed: &mut [i64], scan: &mut Scan) {
        estimate_with::<false>(bins, form, packed, scan);
    }
}

/// Converts an integer, rounded once. AVX-512 and NEON have an instruction for several at a time (`NATIVE`); AVX2 and SSE2
/// have not, and compilers would convert one after the other. There the upper half is put into the lowest bits of
/// 2^84 + 2^63 (with its sign bit turned, which adds 2^63) and the lower half into those of 2^52. The subtraction of
/// 2^84 + 2^63 + 2^52 is exact, so that the only rounding is that of the last addition: the result is that of `as f64` for
/// every integer.
#[inline(always)]
fn as_f64<const NATIVE: bool>(x: i64) -> f64 {
    if NATIVE {
        return x as f64;
    }
    let low = f64::from_bits(x as u64 & 0xffff_ffff | 0x4330_0000_0000_0000);
    let high = f64::from_bits(x as u64 >> 32 ^ 0x4530_0000_8000_0000);
    (high - f64::from_bits(0x4530_0000_8010_0000)) + low
}

#[inline(always)]
fn estimate_with<const NATIVE: bool>(bins: &[SquaresBin], form: &SquaresShape, packed: &mut [i64], scan: &mut Scan) {
    let room = scan.room();
    // Bins behind the last hold nothing; whole registers take less time than single bins.
    let count = room.edges.len();
    let (bins, packed) = (&bins[..count], &mut packed[..=count]);
    packed[0] = form.before;
    for i in 0..count {
        packed[i + 1] = packed[i] + bins[i][0];
    }
    let (left, sums, sides) = (&mut room.left[..=count], &mut room.high[..=count], &mut room.sides[..=count]);
    let mask = (1i64 << form.count_bits) - 1;
    // A range with its end included would not become several at a time.
    for i in 0..packed.len() {
        let m = packed[i] & mask;
        left[i] = m as u32;
        // Counts fit into 32 bits, which are converted several at a time.
        let (m, rest) = (m as u32, form.rows.wrapping_sub(m as u32));
        let most_off = m.min(rest) as f32 * form.lean;
        let sum = as_f64::<NATIVE>(packed[i] >> form.count_bits);
        sums[i] = (sum - f64::from(m) * form.mean).abs() as f32 + most_off;
        sides[i] = form.scale / larger(m as f32 * rest as f32, 1.0);
    }
    let (least, most) = (form.min_leaf, form.rows - form.min_leaf);
    let (edges, bounds) = (&mut room.edges[..count], &mut room.bounds[..count]);
    for i in 0..count {
        let saved = sums[i + 1] * sums[i + 1] * sides[i + 1];
        edges[i] = if left[i + 1] < least || left[i + 1] > most { -1.0 } else { saved };
    }
    if !room.bounded {
        return;
    }
    for i in 0..count {
        let off = form.off::<NATIVE>(bins[i]);
        let (low, high) = (sums[i] + off, sums[i + 1] + off);
        let bound = larger(low * low * sides[i], high * high * sides[i + 1]);
        let none = left[i + 1] < left[i] + 2 || left[i + 1] <= least || left[i] >= most;
        bounds[i] = if none { -1.0 } else { bound };
    }
    // The first and the last bin that has rows.
    let first = left[1..].iter().position(|&m| m > 0);
    let last = left[..count].iter().rposition(|&m| m < form.rows);
    for i in first.into_iter().chain(last) {
        if bounds[i] >= 0.0 {
            bounds[i] = form.bound_at_end::<NATIVE>(bins[i], [left[i], left[i + 1]], [sums[i], sums[i + 1]]);
        }
    }
}

impl SquaresShape {
    /// How far the sum of some rows of a bin may be from their share of the bin's.
    #[inline(always)]
    fn off<const NATIVE: bool>(&self, bin: SquaresBin) -> f32 {
        let rows = as_f64::<NATIVE>(bin[0] & ((1 << self.count_bits) - 1));
        let sum = as_f64::<NATIVE>(bin[0] >> self.count_bits);
        // Shifted back as integers, the squares of many far rows would overflow.
        let squares = as_f64::<NATIVE>(bin[1]) * (1u64 << self.square_shift) as f64 * rows;
        // Rounding may hide a little of the difference, and of its root.
        ((squares * (1.0 + 1e-12) - sum * sum).max(0.0) as f32).sqrt() * 0.500_001
    }

    /// A cut inside the first or the last bin has a row on each side: the line between the bin's edges counts from there.
    #[inline(always)]
    fn bound_at_end<const NATIVE: bool>(&self, bin: SquaresBin, left: [u32; 2], sums: [f32; 2]) -> f32 {
        let (off, share) = (self.off::<NATIVE>(bin), 1.0 / (left[1] - left[0]) as f32);
        let low = if left[0] == 0 { (1, sums[1] * share) } else { (left[0], sums[0]) };
        let high = if left[1] == self.rows { (self.rows - 1, sums[0] * share) } else { (left[1], sums[1]) };
        let saved = |(m, sum): (u32, f32)| {
            let e = sum + off;
            e * e * (self.scale / (m as f32 * (self.rows - m) as f32))
        };
        larger(saved(low), saved(high))
    }
}

multiversion! {
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

/// The greatest distance of a target from a number.
pub fn reach(targets: &[i64], from: i64) -> u64 {
    targets.iter().map(|target| target.abs_diff(from)).fold(0, u64::max)
}

/// What targets add up to.
pub fn add_up(targets: &[i64]) -> SumTotal {
    let mut total = SumTotal::default();
    targets.iter().for_each(|target| total.add(*target));
    total
}

/// What the targets add up to whose bit is set.
pub fn add_up_set(targets: &[i64], mask: impl Iterator<Item = u32>) -> SumTotal {
    let mut total = SumTotal::default();
    for (targets, mut word) in targets.chunks(32).zip(mask) {
        word &= low_bits(targets.len());
        while word != 0 {
            total.add(targets[word.trailing_zeros() as usize]);
            word &= word - 1;
        }
    }
    total
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn integers_are_converted_with_one_rounding() {
        let mut x = 1i64;
        for turn in 0..20_000u32 {
            x = x.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            for x in
                [x >> (turn % 64), i64::MIN + i64::from(turn), i64::MAX - i64::from(turn), (1 << 53) + i64::from(turn)]
            {
                assert_eq!(as_f64::<false>(x).to_bits(), (x as f64).to_bits());
            }
        }
        assert_eq!(as_f64::<false>(0).to_bits(), 0);
    }
}
