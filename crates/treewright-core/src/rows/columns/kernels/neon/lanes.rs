//! The NEON form of [`super::super::lanes`].

use super::super::lanes::{LANES, Sum, interesting, is_constant, load};
use super::{as_floats, load_codes, sides};
use crate::rows::columns::shape::Shape;
use crate::rows::columns::tally::{LaneQuery, LaneScan};
use std::arch::aarch64::*;

/// # Safety
/// There must be at least one and at most 32 rows, and a code, a target and a count for each.
#[target_feature(enable = "neon")]
pub unsafe fn squares(
    targets: &[f32],
    times: &[f32],
    form: Sum,
    codes: &[u16],
    query: &LaneQuery,
    scan: &mut LaneScan,
) -> u32 {
    if is_constant(codes, query, scan) {
        return 0;
    }
    scan.codes = load(codes, query.rows);
    // Behind the rows, all of them are on the left.
    scan.left = [query.rows as u16; LANES];
    let repeated = form.rows != query.rows as f32;
    // SAFETY: as asked for; there are as many registers as the rows need.
    unsafe {
        match (query.rows.div_ceil(8), repeated) {
            (0..=1, false) => squares_of::<2, false>(targets, times, form, codes, query, scan),
            (2, false) => squares_of::<4, false>(targets, times, form, codes, query, scan),
            (3, false) => squares_of::<6, false>(targets, times, form, codes, query, scan),
            (_, false) => squares_of::<8, false>(targets, times, form, codes, query, scan),
            (0..=1, true) => squares_of::<2, true>(targets, times, form, codes, query, scan),
            (2, true) => squares_of::<4, true>(targets, times, form, codes, query, scan),
            (3, true) => squares_of::<6, true>(targets, times, form, codes, query, scan),
            (_, true) => squares_of::<8, true>(targets, times, form, codes, query, scan),
        }
    }
    interesting(scan, query)
}

/// Codes are widened to 32 bits, so that a comparison is the mask of the sums at once. Where rows count once each, how often
/// they count is how many there are.
///
/// # Safety
/// There must be at most `4 N` rows, with a code, a target and a count for each; `N` is at most 8. `scan.codes` holds the
/// codes.
#[target_feature(enable = "neon")]
unsafe fn squares_of<const N: usize, const REPEATED: bool>(
    targets: &[f32],
    times: &[f32],
    form: Sum,
    codes: &[u16],
    query: &LaneQuery,
    scan: &mut LaneScan,
) {
    // SAFETY: there are 32 codes, at least as many as the registers hold.
    let lanes: [uint32x4_t; N] =
        std::array::from_fn(|i| vmovl_u16(unsafe { vld1_u16(scan.codes.as_ptr().add(4 * i)) }));
    let (mut left, mut sums, mut all) = ([vdupq_n_u32(0); N], [vdupq_n_f32(0.0); N], [vdupq_n_f32(0.0); N]);
    for (&code, (&target, &times)) in codes[..query.rows].iter().zip(targets.iter().zip(times)) {
        let code = vdupq_n_u32(u32::from(code));
        let (target, times) = (vdupq_n_u32(target.to_bits()), vdupq_n_u32(times.to_bits()));
        for i in 0..N {
            let inside = vcgeq_u32(lanes[i], code);
            left[i] = vsubq_u32(left[i], inside);
            // A sum that starts at 0 is never -0: adding 0 where the row is outside leaves it as it is.
            sums[i] = vaddq_f32(sums[i], vreinterpretq_f32_u32(vandq_u32(inside, target)));
            if REPEATED {
                all[i] = vaddq_f32(all[i], vreinterpretq_f32_u32(vandq_u32(inside, times)));
            }
        }
    }
    let (rows, lean, scale) = (vdupq_n_f32(form.rows), vdupq_n_f32(form.lean), vdupq_n_f32(form.scale));
    for i in 0..N {
        let m = if REPEATED { all[i] } else { vcvtq_f32_u32(left[i]) };
        let e = vaddq_f32(vabsq_f32(sums[i]), lean);
        let saved = vmulq_f32(vmulq_f32(e, e), vdivq_f32(scale, sides(m, rows)));
        // SAFETY: each of the arrays has 32 lanes, at least as many as the registers.
        unsafe {
            vst1q_f32(scan.saved.as_mut_ptr().add(4 * i), saved);
            vst1_u16(scan.left.as_mut_ptr().add(4 * i), vmovn_u32(left[i]));
        }
    }
}

/// # Safety
/// There must be at least one and at most 32 rows, and a code for each.
#[target_feature(enable = "neon")]
pub unsafe fn gini(shape: &Shape<'_>, scale: f32, codes: &[u16], query: &LaneQuery, scan: &mut LaneScan) -> u32 {
    if is_constant(codes, query, scan) {
        return 0;
    }
    scan.codes = load(codes, query.rows);
    scan.left = [query.rows as u16; LANES];
    // SAFETY: as asked for; there are as many registers as the rows need.
    unsafe {
        match query.rows.div_ceil(8) {
            0..=1 => gini_of::<1>(shape, scale, codes, query, scan),
            2 => gini_of::<2>(shape, scale, codes, query, scan),
            3 => gini_of::<3>(shape, scale, codes, query, scan),
            _ => gini_of::<4>(shape, scale, codes, query, scan),
        }
    }
    interesting(scan, query)
}

/// Counts in registers of 16 bits a lane, then estimates in twice as many of 32 bits.
///
/// # Safety
/// There must be at most `8 N` rows and a code for each; `N` is at most 4.
#[target_feature(enable = "neon")]
unsafe fn gini_of<const N: usize>(
    shape: &Shape<'_>,
    scale: f32,
    codes: &[u16],
    query: &LaneQuery,
    scan: &mut LaneScan,
) {
    let lanes = load_codes::<N>(codes, query.rows);
    let (zero, none) = (vdupq_n_u16(0), [vdupq_n_f32(0.0); 2]);
    let mut left = [zero; N];
    let (mut squares, mut products, mut m, mut all) = ([none; N], [none; N], [none; N], 0f32);
    let mut rest = &codes[..query.rows];
    for (class, total) in shape.segments.chunk_by(|a, b| a.class == b.class).zip(shape.classes) {
        let mut weight = [zero; N];
        for segment in class {
            let (here, behind) = rest.split_at(segment.len as usize);
            rest = behind;
            let mut counts = [zero; N];
            for &code in here {
                let code = vdupq_n_u16(code);
                for i in 0..N {
                    counts[i] = vsubq_u16(counts[i], vcgeq_u16(lanes[i], code));
                }
            }
            for i in 0..N {
                left[i] = vaddq_u16(left[i], counts[i]);
                weight[i] = vaddq_u16(weight[i], vmulq_u16(counts[i], vdupq_n_u16(segment.times as u16)));
            }
        }
        let total = *total as f32;
        for i in 0..N {
            for (half, weight) in as_floats(weight[i]).into_iter().enumerate() {
                m[i][half] = vaddq_f32(m[i][half], weight);
                squares[i][half] = vaddq_f32(squares[i][half], vmulq_f32(weight, weight));
                products[i][half] = vaddq_f32(products[i][half], vmulq_f32(weight, vdupq_n_f32(total)));
            }
        }
        all += total * total;
    }
    let n = shape.rows as f32;
    for i in 0..N {
        for half in 0..2 {
            let m = m[i][half];
            let own = vmulq_f32(vdupq_n_f32(n * n), squares[i][half]);
            let twice = vmulq_f32(vmulq_f32(vdupq_n_f32(2.0 * n), m), products[i][half]);
            let theirs = vmulq_f32(vmulq_f32(m, m), vdupq_n_f32(all));
            let sum = vaddq_f32(vsubq_f32(own, twice), theirs);
            let saved = vmulq_f32(vdivq_f32(sum, sides(m, vdupq_n_f32(n))), vdupq_n_f32(scale));
            // SAFETY: there are 32 lanes, at least as many as the registers.
            unsafe { vst1q_f32(scan.saved.as_mut_ptr().add(8 * i + 4 * half), saved) };
        }
        // SAFETY: as above.
        unsafe { vst1q_u16(scan.left.as_mut_ptr().add(8 * i), left[i]) };
    }
}
