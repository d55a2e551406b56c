//! The AVX-512 form of [`super::super::lanes`]: 32 lanes of 16 bits in one register.

use super::super::histogram::low_bits;
use super::super::lanes::{LANES, Sum};
use crate::rows::columns::shape::Shape;
use crate::rows::columns::tally::{LaneQuery, LaneScan};
use std::arch::x86_64::*;

// No closures here: one that is handed to a function without these instructions, such as `map` of arrays, is called for each
// register instead of becoming part of the loop.

/// 32 numbers: the lower and the upper 16 lanes.
type Pair = [__m512; 2];

/// The first codes, followed by the greatest code.
///
/// # Safety
/// There must be so many rows, at most 32.
#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
unsafe fn load(codes: &[u16], rows: usize) -> __m512i {
    // SAFETY: the load is masked to the rows, which are there.
    unsafe { _mm512_mask_loadu_epi16(_mm512_set1_epi16(-1), low_bits(rows), codes.as_ptr().cast()) }
}

/// See [`super::super::lanes::is_constant`].
#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
fn is_constant(lanes: __m512i, query: &LaneQuery, scan: &mut LaneScan) -> bool {
    let first = _mm512_broadcastw_epi16(_mm512_castsi512_si128(lanes));
    scan.constant = _mm512_mask_cmpneq_epu16_mask(low_bits(query.rows), lanes, first) == 0;
    if scan.constant {
        scan.left = [query.rows as u16; LANES];
        // SAFETY: the array is as long as the register.
        unsafe { _mm512_storeu_epi16(scan.codes.as_mut_ptr().cast(), lanes) };
    }
    scan.constant
}

/// Adds to each lane how many of some codes are not greater.
#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
fn count(lanes: __m512i, codes: &[u16], mut counts: __m512i) -> __m512i {
    for &code in codes {
        let inside = _mm512_cmpge_epu16_mask(lanes, _mm512_set1_epi16(code as i16));
        counts = _mm512_sub_epi16(counts, _mm512_movm_epi16(inside));
    }
    counts
}

#[inline]
#[target_feature(enable = "avx512f")]
fn floats(counts: __m512i) -> Pair {
    let low = _mm512_cvtepu16_epi32(_mm512_castsi512_si256(counts));
    let high = _mm512_cvtepu16_epi32(_mm512_extracti64x4_epi64::<1>(counts));
    [_mm512_cvtepi32_ps(low), _mm512_cvtepi32_ps(high)]
}

/// `left * (rows - left)`, at least 1.
#[inline]
#[target_feature(enable = "avx512f")]
fn sides(left: __m512, rows: __m512) -> __m512 {
    _mm512_max_ps(_mm512_mul_ps(left, _mm512_sub_ps(rows, left)), _mm512_set1_ps(1.0))
}

/// Writes the estimates and tells the lanes of interest.
#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
fn finish(lanes: __m512i, left: __m512i, saved: Pair, query: &LaneQuery, scan: &mut LaneScan) -> u32 {
    let floor = _mm512_set1_ps(query.floor);
    let low = u32::from(_mm512_cmp_ps_mask::<_CMP_GE_OQ>(saved[0], floor));
    let high = u32::from(_mm512_cmp_ps_mask::<_CMP_GE_OQ>(saved[1], floor));
    let (least, most) = (query.min_leaf as u16 as i16, (query.rows - query.min_leaf) as u16 as i16);
    let allowed = _mm512_cmpge_epu16_mask(left, _mm512_set1_epi16(least))
        & _mm512_cmple_epu16_mask(left, _mm512_set1_epi16(most));
    // SAFETY: each of the arrays is as long as the registers that are written to it.
    unsafe {
        _mm512_storeu_epi16(scan.codes.as_mut_ptr().cast(), lanes);
        _mm512_storeu_epi16(scan.left.as_mut_ptr().cast(), left);
        _mm512_storeu_ps(scan.saved.as_mut_ptr(), saved[0]);
        _mm512_storeu_ps(scan.saved.as_mut_ptr().add(LANES / 2), saved[1]);
    }
    (low | high << 16) & allowed
}

/// # Safety
/// The processor must have these instructions; there must be at most 32 rows and a code for each.
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl")]
pub unsafe fn gini(shape: &Shape<'_>, scale: f32, codes: &[u16], query: &LaneQuery, scan: &mut LaneScan) -> u32 {
    // SAFETY: as asked for.
    unsafe {
        match query.rows {
            0..=16 => gini_of::<1>(shape, scale, codes, query, scan),
            _ => gini_of::<2>(shape, scale, codes, query, scan),
        }
    }
}

/// # Safety
/// See [`gini`]; at most 16 rows for each of so many halves.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl")]
unsafe fn gini_of<const HALVES: usize>(
    shape: &Shape<'_>,
    scale: f32,
    codes: &[u16],
    query: &LaneQuery,
    scan: &mut LaneScan,
) -> u32 {
    // SAFETY: as asked for.
    let lanes = unsafe { load(codes, query.rows) };
    if is_constant(lanes, query, scan) {
        return 0;
    }
    let (mut left, zero) = (_mm512_setzero_si512(), _mm512_setzero_ps());
    let (mut squares, mut products, mut m, mut all) = ([zero; 2], [zero; 2], [zero; 2], 0f32);
    let mut rest = &codes[..query.rows];
    let mut segments = shape.segments.iter().peekable();
    for &total in shape.classes {
        let mut weight = _mm512_setzero_si512();
        let mut class = None;
        while let Some(segment) = segments.next_if(|next| class.is_none_or(|class| class == next.class)) {
            class = Some(segment.class);
            let (here, behind) = rest.split_at(segment.len as usize);
            rest = behind;
            let counts = count(lanes, here, _mm512_setzero_si512());
            left = _mm512_add_epi16(left, counts);
            let counts = _mm512_mullo_epi16(counts, _mm512_set1_epi16(segment.times as i16));
            weight = _mm512_add_epi16(weight, counts);
        }
        let (weight, total) = (floats(weight), total as f32);
        for half in 0..HALVES {
            m[half] = _mm512_add_ps(m[half], weight[half]);
            squares[half] = _mm512_add_ps(squares[half], _mm512_mul_ps(weight[half], weight[half]));
            products[half] = _mm512_add_ps(products[half], _mm512_mul_ps(weight[half], _mm512_set1_ps(total)));
        }
        all += total * total;
    }
    let n = shape.rows as f32;
    let (rows, scale) = (_mm512_set1_ps(n), _mm512_set1_ps(scale));
    let mut saved = [zero; 2];
    for half in 0..HALVES {
        let own = _mm512_mul_ps(_mm512_set1_ps(n * n), squares[half]);
        let twice = _mm512_mul_ps(_mm512_mul_ps(_mm512_set1_ps(2.0 * n), m[half]), products[half]);
        let theirs = _mm512_mul_ps(_mm512_mul_ps(m[half], m[half]), _mm512_set1_ps(all));
        let sum = _mm512_add_ps(_mm512_sub_ps(own, twice), theirs);
        saved[half] = _mm512_mul_ps(_mm512_div_ps(sum, sides(m[half], rows)), scale);
    }
    finish(lanes, left, saved, query, scan)
}

/// # Safety
/// The processor must have these instructions; there must be at most 32 rows and a code and a target for each.
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl")]
pub unsafe fn squares(
    targets: &[f32],
    times: &[f32],
    form: Sum,
    codes: &[u16],
    query: &LaneQuery,
    scan: &mut LaneScan,
) -> u32 {
    // SAFETY: as asked for.
    unsafe {
        match query.rows {
            0..=16 => squares_of::<1>(targets, times, form, codes, query, scan),
            _ => squares_of::<2>(targets, times, form, codes, query, scan),
        }
    }
}

/// # Safety
/// See [`squares`]; at most 16 rows for each of so many halves.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl")]
unsafe fn squares_of<const HALVES: usize>(
    targets: &[f32],
    times: &[f32],
    form: Sum,
    codes: &[u16],
    query: &LaneQuery,
    scan: &mut LaneScan,
) -> u32 {
    // SAFETY: as asked for.
    let lanes = unsafe { load(codes, query.rows) };
    if is_constant(lanes, query, scan) {
        return 0;
    }
    let (rows, zero) = (_mm512_set1_ps(form.rows), _mm512_setzero_ps());
    let repeated = form.rows != query.rows as f32;
    let (mut left, mut sums, mut all) = (_mm512_setzero_si512(), [zero; 2], [zero; 2]);
    for (&code, (&target, &times)) in codes[..query.rows].iter().zip(targets.iter().zip(times)) {
        let inside = _mm512_cmpge_epu16_mask(lanes, _mm512_set1_epi16(code as i16));
        left = _mm512_sub_epi16(left, _mm512_movm_epi16(inside));
        let (target, times) = (_mm512_set1_ps(target), _mm512_set1_ps(times));
        for half in 0..HALVES {
            let inside = (inside >> (16 * half)) as u16;
            sums[half] = _mm512_mask_add_ps(sums[half], inside, sums[half], target);
            if repeated {
                all[half] = _mm512_mask_add_ps(all[half], inside, all[half], times);
            }
        }
    }
    if !repeated {
        all = floats(left);
    }
    let (lean, scale) = (_mm512_set1_ps(form.lean), _mm512_set1_ps(form.scale));
    let mut saved = [zero; 2];
    for half in 0..HALVES {
        let e = _mm512_add_ps(_mm512_abs_ps(sums[half]), lean);
        saved[half] = _mm512_mul_ps(_mm512_mul_ps(e, e), _mm512_div_ps(scale, sides(all[half], rows)));
    }
    finish(lanes, left, saved, query, scan)
}
