//! The NEON form of [`super::super::pairs`]: eight lanes of 16 bits a register, in two to eight registers.

use super::super::pairs::{PairQuery, Pairs, limit};
use super::{as_floats, load_codes, sides, widen_mask};
use crate::simd::neon::gather_word_bits;
use std::arch::aarch64::*;

/// # Safety
/// There must be at least one and at most 64 rows, and a code for each.
#[target_feature(enable = "neon")]
pub unsafe fn scan(query: &PairQuery<'_>, codes: &[u16], floor: f32, pairs: &mut Pairs) -> u128 {
    let codes = &codes[..query.rows];
    pairs.constant = codes.iter().fold(true, |same, &code| same & (code == codes[0]));
    if pairs.constant {
        pairs.tied = true;
        pairs.most = -1.0;
        return 0;
    }
    // SAFETY: as asked for; there are as many registers as the rows need.
    unsafe {
        match (query.rows.div_ceil(16), query.min_leaf > 1) {
            (0..=1, false) => scan_rows::<2, false>(query, codes, floor, pairs),
            (2, false) => scan_rows::<4, false>(query, codes, floor, pairs),
            (3, false) => scan_rows::<6, false>(query, codes, floor, pairs),
            (_, false) => scan_rows::<8, false>(query, codes, floor, pairs),
            (0..=1, true) => scan_rows::<2, true>(query, codes, floor, pairs),
            (2, true) => scan_rows::<4, true>(query, codes, floor, pairs),
            (3, true) => scan_rows::<6, true>(query, codes, floor, pairs),
            (_, true) => scan_rows::<8, true>(query, codes, floor, pairs),
        }
    }
}

/// Rows are counted only where more than one must be on each side.
///
/// # Safety
/// There must be at most `8 N` codes; `N` is even and at most 8.
#[target_feature(enable = "neon")]
unsafe fn scan_rows<const N: usize, const COUNTED: bool>(
    query: &PairQuery<'_>,
    codes: &[u16],
    floor: f32,
    pairs: &mut Pairs,
) -> u128 {
    let lanes = load_codes::<N>(codes, query.rows);
    let zero = vdupq_n_u16(0);
    let (mut left, mut rows) = ([zero; N], [zero; N]);
    for (&code, &weight) in codes.iter().zip(&query.weights.0) {
        let (code, weight) = (vdupq_n_u16(code), vdupq_n_u16(weight));
        for i in 0..N {
            let inside = vcgeq_u16(lanes[i], code);
            left[i] = vaddq_u16(left[i], vandq_u16(inside, weight));
            if COUNTED {
                rows[i] = vsubq_u16(rows[i], inside);
            }
        }
    }
    let (all, second) = (vdupq_n_f32(query.times[0] as f32), vdupq_n_f32(query.times[1] as f32));
    let never = vdupq_n_f32(-1.0);
    let (mut products, mut most, mut saved) = (vdupq_n_u32(0), never, [[never; 2]; N]);
    for i in 0..N {
        // SAFETY: there are 64 weights, eight registers of them.
        let weights = unsafe { vld1q_u16(query.weights.0.as_ptr().add(8 * i)) };
        let (times, bytes) = (vandq_u16(left[i], vdupq_n_u16(255)), vandq_u16(weights, vdupq_n_u16(255)));
        // The product of two bytes fits into 16 bits.
        products = vpadalq_u16(products, vmulq_u16(times, bytes));
        let refused = if COUNTED {
            let (least, most) = (query.min_leaf as u16, (query.rows - query.min_leaf) as u16);
            vorrq_u16(vcltq_u16(rows[i], vdupq_n_u16(least)), vcgtq_u16(rows[i], vdupq_n_u16(most)))
        } else {
            // Where any row on a side is enough, how often rows count tells as much as how many there are.
            vorrq_u16(vceqq_u16(times, zero), vceqq_u16(times, vdupq_n_u16(query.times[0] as u16)))
        };
        let (m, l, refused) = (as_floats(times), as_floats(vshrq_n_u16::<8>(left[i])), widen_mask(refused));
        for half in 0..2 {
            let e = vsubq_f32(vmulq_f32(l[half], all), vmulq_f32(m[half], second));
            let share = vdivq_f32(vmulq_f32(e, e), sides(m[half], all));
            saved[i][half] = vbslq_f32(refused[half], never, vmulq_f32(share, vdupq_n_f32(query.scale)));
            most = vmaxq_f32(most, saved[i][half]);
        }
    }
    pairs.tied = vaddvq_u32(products) != query.untied;
    pairs.most = vmaxvq_f32(most);
    let limit = limit(pairs.most, floor);
    if limit == f32::INFINITY {
        return 0;
    }
    let (limit, mut hits) = (vdupq_n_f32(limit), 0);
    for (i, two) in saved.as_chunks::<2>().0.iter().enumerate() {
        let [[a, b], [c, d]] = *two;
        hits |= u128::from(gather_word_bits([a, b, c, d].map(|saved| vcgeq_f32(saved, limit)))) << (16 * i);
    }
    for i in 0..N {
        // SAFETY: each of the arrays has room for 64 lanes, at least as many as the registers.
        unsafe {
            vst1q_u16(pairs.codes.as_mut_ptr().add(8 * i), lanes[i]);
            vst1q_u16(pairs.left.as_mut_ptr().add(8 * i), left[i]);
            vst1q_f32(pairs.saved.as_mut_ptr().add(8 * i), saved[i][0]);
            vst1q_f32(pairs.saved.as_mut_ptr().add(8 * i + 4), saved[i][1]);
        }
    }
    hits
}
