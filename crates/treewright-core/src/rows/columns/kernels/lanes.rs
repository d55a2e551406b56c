//! Up to 32 rows at once: for each the cut behind it, and how many rows or which sum that leaves on the left.
//!
//! All forms do the same operations on the same numbers in the same order; lanes behind the last row hold the greatest
//! code, so nothing is on the right of their cut and it is never allowed. What such lanes save may not be written.

use crate::rows::columns::shape::Shape;
use crate::rows::columns::tally::{LaneQuery, LaneScan, Lanes};
use crate::simd::Isa;

/// Rows that the kernels for small nodes take at once.
pub const LANES: usize = 32;

/// How often the rows of a small node may count in all: `2 TIMES^4` is less than 2^24.
pub const TIMES: usize = 53;

/// The first codes, followed by the greatest code.
pub fn load(codes: &[u16], rows: usize) -> Lanes {
    let mut lanes = [u16::MAX; LANES];
    lanes[..rows].copy_from_slice(&codes[..rows]);
    lanes
}

/// The lanes whose cut is allowed and of interest.
pub fn interesting(scan: &LaneScan, query: &LaneQuery) -> u32 {
    let allowed = query.min_leaf..=query.rows - query.min_leaf;
    let hit = |i: &usize| scan.saved[*i] >= query.floor && allowed.contains(&usize::from(scan.left[*i]));
    (0..LANES).filter(hit).fold(0, |hits, i| hits | 1 << i)
}

/// Whether all rows have the same code: then every cut leaves all rows on the left, and nothing is estimated.
pub fn is_constant(codes: &[u16], query: &LaneQuery, scan: &mut LaneScan) -> bool {
    scan.constant = codes[..query.rows].iter().all(|code| *code == codes[0]);
    if scan.constant {
        (scan.codes, scan.left) = (load(codes, query.rows), [query.rows as u16; LANES]);
    }
    scan.constant
}

/// Lanes that portable forms work on together: compilers turn such a block into whole registers of any length.
const BLOCK: usize = 16;

/// Gini's index of few rows; see [`super::gini`] for the formula. The sum of `(l n - m N)^2` is put together from the sums
/// of `l^2`, `l N` and `N^2`: all are small integers, exact in single precision if rows count at most [`TIMES`] in all.
pub fn gini(isa: Isa, shape: &Shape<'_>, scale: f32, codes: &[u16], query: &LaneQuery, scan: &mut LaneScan) -> u32 {
    assert!((1..=LANES).contains(&query.rows) && codes.len() >= query.rows);
    dispatch!(
        isa,
        lanes::gini(shape, scale, codes, query, scan),
        if is_constant(codes, query, scan) { 0 } else { gini_portable(shape, scale, codes, query, scan) }
    )
}

fn gini_portable(shape: &Shape<'_>, scale: f32, codes: &[u16], query: &LaneQuery, scan: &mut LaneScan) -> u32 {
    scan.codes = load(codes, query.rows);
    scan.left = [query.rows as u16; LANES];
    for block in 0..query.rows.div_ceil(BLOCK) {
        let lanes = &scan.codes.as_chunks::<BLOCK>().0[block];
        let (mut squares, mut products, mut times) = ([0f32; BLOCK], [0f32; BLOCK], [0f32; BLOCK]);
        let (mut left, mut all, mut rest) = ([0u16; BLOCK], 0f32, codes);
        for (class, total) in shape.segments.chunk_by(|a, b| a.class == b.class).zip(shape.classes) {
            let (mut weight, total) = ([0u16; BLOCK], *total as f32);
            for segment in class {
                let (here, behind) = rest.split_at(segment.len as usize);
                rest = behind;
                let mut count = [0u16; BLOCK];
                for &code in here {
                    (0..BLOCK).for_each(|i| count[i] += u16::from(lanes[i] >= code));
                }
                for i in 0..BLOCK {
                    left[i] += count[i];
                    weight[i] = weight[i].wrapping_add(count[i].wrapping_mul(segment.times as u16));
                }
            }
            for i in 0..BLOCK {
                let weight = f32::from(weight[i]);
                times[i] += weight;
                squares[i] += weight * weight;
                products[i] += weight * total;
            }
            all += total * total;
        }
        let rows = shape.rows as f32;
        let saved = &mut scan.saved.as_chunks_mut::<BLOCK>().0[block];
        for i in 0..BLOCK {
            let m = times[i];
            let sum = rows * rows * squares[i] - 2.0 * rows * m * products[i] + m * m * all;
            saved[i] = sum / at_least_one(m * (rows - m)) * scale;
        }
        scan.left.as_chunks_mut::<BLOCK>().0[block] = left;
    }
    interesting(scan, query)
}

/// The larger of a number, not NaN, and 1.
#[inline(always)]
fn at_least_one(x: f32) -> f32 {
    if x > 1.0 { x } else { 1.0 }
}

/// The form of a sum that [`squares`] estimates with.
#[derive(Clone, Copy, Debug)]
pub struct Sum {
    /// How often all rows count.
    pub rows: f32,
    /// How far a sum may be off.
    pub lean: f32,
    /// What one unit saves, as a share of the node's cost.
    pub scale: f32,
}

/// Squared error of few rows; see [`super::squares`] for the formula. Targets are counted from their mean.
pub fn squares(
    isa: Isa,
    targets: &[f32],
    times: &[f32],
    form: Sum,
    codes: &[u16],
    query: &LaneQuery,
    scan: &mut LaneScan,
) -> u32 {
    assert!((1..=LANES).contains(&query.rows) && codes.len().min(targets.len()).min(times.len()) >= query.rows);
    dispatch!(
        isa,
        lanes::squares(targets, times, form, codes, query, scan),
        match is_constant(codes, query, scan) {
            true => 0,
            // Where rows count once each, how often they count is how many there are.
            false if form.rows == query.rows as f32 =>
                squares_portable::<false>(targets, times, form, codes, query, scan),
            false => squares_portable::<true>(targets, times, form, codes, query, scan),
        }
    )
}

fn squares_portable<const REPEATED: bool>(
    targets: &[f32],
    times: &[f32],
    form: Sum,
    codes: &[u16],
    query: &LaneQuery,
    scan: &mut LaneScan,
) -> u32 {
    scan.codes = load(codes, query.rows);
    scan.left = [query.rows as u16; LANES];
    for block in 0..query.rows.div_ceil(BLOCK) {
        // As wide as sums, so that a comparison is the mask of a sum at once.
        let lanes = scan.codes.as_chunks::<BLOCK>().0[block].map(i32::from);
        let (mut left, mut sums, mut all) = ([0i32; BLOCK], [0f32; BLOCK], [0f32; BLOCK]);
        for (&code, (target, times)) in codes[..query.rows].iter().zip(targets.iter().zip(times)) {
            let (code, target, times) = (i32::from(code), target.to_bits(), times.to_bits());
            for i in 0..BLOCK {
                // All bits or none. A sum that starts at 0 is never -0, so adding 0 to it changes nothing.
                let inside = u32::from(lanes[i] >= code).wrapping_neg();
                left[i] -= inside as i32;
                sums[i] += f32::from_bits(target & inside);
                if REPEATED {
                    all[i] += f32::from_bits(times & inside);
                }
            }
        }
        let saved = &mut scan.saved.as_chunks_mut::<BLOCK>().0[block];
        for i in 0..BLOCK {
            let m = if REPEATED { all[i] } else { left[i] as f32 };
            let e = sums[i].abs() + form.lean;
            saved[i] = e * e * (form.scale / at_least_one(m * (form.rows - m)));
        }
        scan.left.as_chunks_mut::<BLOCK>().0[block] = left.map(|left| left as u16);
    }
    interesting(scan, query)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rows::columns::segments::Segment;

    #[test]
    fn all_tiers_give_equal_bits() {
        for rows in 2..=LANES {
            for turn in 0..20usize {
                let most = [3, 50, 65_536][turn % 3];
                let codes: Vec<u16> =
                    (0..40).map(|i| ((i + turn * 97) * 7919 % 10_007 * most / 10_007) as u16).collect();
                let targets: Vec<f32> = (0..rows).map(|i| ((i * 31 + turn) % 17) as f32 * 1e5 - 7e5).collect();
                let cuts = [rows / 3, rows / 3 + rows / 4, rows];
                let times = |place: usize| [1, 1 + (place + turn) as u32 % 5][turn % 2];
                let segments: Vec<Segment> = [(0, 0, cuts[0]), (1, cuts[0], cuts[1]), (1, cuts[1], rows)]
                    .into_iter()
                    .map(|(class, start, end)| Segment { class, len: (end - start) as u32, times: times(start) })
                    .filter(|segment| segment.len > 0)
                    .collect();
                let of_class = |class: u32| {
                    let segments = segments.iter().filter(move |segment| segment.class == class);
                    segments.map(|segment| segment.len * segment.times).sum::<u32>()
                };
                let classes: Vec<u32> = (0..2).map(of_class).filter(|times| *times > 0).collect();
                let all = classes.iter().sum::<u32>() as usize;
                let query = LaneQuery { rows, min_leaf: 1 + turn % 2, floor: 0.1 };
                let weights: Vec<f32> = (0..rows).map(|i| [1.0, (1 + i % 4) as f32][turn % 2]).collect();
                let form = Sum { rows: weights.iter().sum(), lean: 7.5, scale: 1e-11 };
                let mut runs = Isa::all().map(|isa| {
                    let (mut a, mut b) = (LaneScan::default(), LaneScan::default());
                    let (labels, factors) = (&[0, 1][..], &[1.0, 1.0][..]);
                    let shape = Shape {
                        segments: &segments,
                        classes: &classes,
                        labels,
                        factors,
                        units: 1,
                        rows: all,
                        cost: 1.0,
                        isa,
                    };
                    let hits = gini(isa, &shape, 0.01, &codes, &query, &mut a);
                    let more = squares(isa, &targets, &weights, form, &codes, &query, &mut b);
                    let bits = |scan: &LaneScan| scan.saved[..rows].iter().map(|x| x.to_bits()).collect::<Vec<_>>();
                    let saved = [&a, &b].map(|scan| if scan.constant { Vec::new() } else { bits(scan) });
                    (hits, more, a.left, a.codes, b.left, b.codes, saved)
                });
                let first = runs.next();
                assert!(runs.all(|run| Some(run) == first));
            }
        }
    }
}
