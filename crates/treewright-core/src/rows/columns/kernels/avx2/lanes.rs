//! The AVX2 form of [`super::super::lanes`].

use super::super::lanes::{LANES, Sum};
use super::{are_equal, as_floats, halves, load_codes, make_signed, sides, store_twice};
use crate::rows::columns::shape::Shape;
use crate::rows::columns::tally::{LaneQuery, LaneScan};
use std::arch::x86_64::*;

/// The codes of at most 32 rows, followed by the greatest code; nothing if all are the same, see
/// [`super::super::lanes::is_constant`].
///
/// # Safety
/// There must be so many codes, at least one.
#[inline]
#[target_feature(enable = "avx2,fma,bmi1,bmi2,lzcnt,popcnt")]
unsafe fn load(codes: &[u16], query: &LaneQuery, scan: &mut LaneScan) -> Option<[__m256i; 2]> {
    // SAFETY: as asked for.
    let (lanes, none) = unsafe { load_codes::<2>(codes, query.rows) };
    scan.constant = are_equal(&lanes, &none, codes[0]);
    // SAFETY: the array is two registers long.
    unsafe {
        _mm256_storeu_si256(scan.codes.as_mut_ptr().cast(), lanes[0]);
        _mm256_storeu_si256(scan.codes.as_mut_ptr().add(16).cast(), lanes[1]);
    }
    // Behind the rows, all of them are on the left.
    scan.left = [query.rows as u16; LANES];
    (!scan.constant).then_some(lanes)
}

/// # Safety
/// There must be at least one and at most 32 rows, and a code, a target and a count for each.
#[target_feature(enable = "avx2,fma,bmi1,bmi2,lzcnt,popcnt")]
pub unsafe fn squares(
    targets: &[f32],
    times: &[f32],
    form: Sum,
    codes: &[u16],
    query: &LaneQuery,
    scan: &mut LaneScan,
) -> u32 {
    // SAFETY: as asked for; there are as many registers as the rows need.
    unsafe {
        let Some(lanes) = load(codes, query, scan) else { return 0 };
        let repeated = form.rows != query.rows as f32;
        match (query.rows.div_ceil(8), repeated) {
            (0..=1, false) => squares_of::<1, false>(targets, times, form, lanes, query, scan),
            (2, false) => squares_of::<2, false>(targets, times, form, lanes, query, scan),
            (3, false) => squares_of::<3, false>(targets, times, form, lanes, query, scan),
            (_, false) => squares_of::<4, false>(targets, times, form, lanes, query, scan),
            (0..=1, true) => squares_of::<1, true>(targets, times, form, lanes, query, scan),
            (2, true) => squares_of::<2, true>(targets, times, form, lanes, query, scan),
            (3, true) => squares_of::<3, true>(targets, times, form, lanes, query, scan),
            (_, true) => squares_of::<4, true>(targets, times, form, lanes, query, scan),
        }
    }
}

/// Codes are widened to 32 bits, so that a comparison is the mask of the sums at once. Where rows count once each, how often
/// they count is how many there are.
///
/// # Safety
/// There must be at most `8 N` rows and a target and a count for each; `N` is at most 4.
#[inline]
#[target_feature(enable = "avx2,fma,bmi1,bmi2,lzcnt,popcnt")]
unsafe fn squares_of<const N: usize, const REPEATED: bool>(
    targets: &[f32],
    times: &[f32],
    form: Sum,
    lanes: [__m256i; 2],
    query: &LaneQuery,
    scan: &mut LaneScan,
) -> u32 {
    // (Not `map` of arrays: that has not these instructions and would call a function for each.)
    let lanes = [halves(lanes[0]), halves(lanes[1])];
    let (mut wide, mut codes) = ([_mm256_setzero_si256(); N], [[0i32; 8]; N]);
    for i in 0..N {
        wide[i] = _mm256_cvtepu16_epi32(lanes[i / 2][i % 2]);
        // SAFETY: the array is one register long.
        unsafe { _mm256_storeu_si256(codes[i].as_mut_ptr().cast(), wide[i]) };
    }
    let zero = _mm256_setzero_ps();
    let (mut left, mut sums, mut all) = ([_mm256_set1_epi32(query.rows as i32); N], [zero; N], [zero; N]);
    let rows = codes.as_flattened().iter().zip(targets.iter().zip(times));
    for (&code, (&target, &times)) in rows.take(query.rows) {
        let (code, target, times) = (_mm256_set1_epi32(code), _mm256_set1_ps(target), _mm256_set1_ps(times));
        for i in 0..N {
            let outside = _mm256_cmpgt_epi32(code, wide[i]);
            left[i] = _mm256_add_epi32(left[i], outside);
            // A sum that starts at 0 is never -0: adding 0 where the row is outside leaves it as it is.
            let outside = _mm256_castsi256_ps(outside);
            sums[i] = _mm256_add_ps(sums[i], _mm256_andnot_ps(outside, target));
            if REPEATED {
                all[i] = _mm256_add_ps(all[i], _mm256_andnot_ps(outside, times));
            }
        }
    }
    let (rows, lean, scale) = (_mm256_set1_ps(form.rows), _mm256_set1_ps(form.lean), _mm256_set1_ps(form.scale));
    let (floor, sign) = (_mm256_set1_ps(query.floor), _mm256_set1_ps(-0.0));
    let least = _mm256_set1_epi32(query.min_leaf as i32);
    let most = _mm256_set1_epi32((query.rows - query.min_leaf) as i32);
    let mut hits = 0;
    for i in 0..N {
        let m = if REPEATED { all[i] } else { _mm256_cvtepi32_ps(left[i]) };
        let e = _mm256_add_ps(_mm256_andnot_ps(sign, sums[i]), lean);
        let saved = _mm256_mul_ps(_mm256_mul_ps(e, e), _mm256_div_ps(scale, sides(m, rows)));
        let refused = _mm256_or_si256(_mm256_cmpgt_epi32(least, left[i]), _mm256_cmpgt_epi32(left[i], most));
        let hit = _mm256_andnot_ps(_mm256_castsi256_ps(refused), _mm256_cmp_ps::<_CMP_GE_OQ>(saved, floor));
        hits |= (_mm256_movemask_ps(hit) as u32) << (8 * i);
        let [low, high] = halves(left[i]);
        // SAFETY: each of the arrays has 32 lanes, at least as many as the registers.
        unsafe {
            _mm256_storeu_ps(scan.saved.as_mut_ptr().add(8 * i), saved);
            _mm_storeu_si128(scan.left.as_mut_ptr().add(8 * i).cast(), _mm_packus_epi32(low, high));
        }
    }
    hits
}

/// # Safety
/// There must be at least one and at most 32 rows, and a code for each.
#[target_feature(enable = "avx2,fma,bmi1,bmi2,lzcnt,popcnt")]
pub unsafe fn gini(shape: &Shape<'_>, scale: f32, codes: &[u16], query: &LaneQuery, scan: &mut LaneScan) -> u32 {
    // SAFETY: as asked for; there are as many registers as the rows need.
    unsafe {
        let Some(lanes) = load(codes, query, scan) else { return 0 };
        if query.rows <= 16 {
            gini_of::<1, 2>(shape, scale, lanes, query, scan)
        } else {
            gini_of::<2, 4>(shape, scale, lanes, query, scan)
        }
    }
}

/// Counts in `N` registers of 16 bits a lane, then estimates in `M`, twice as many, of 32 bits.
///
/// # Safety
/// There must be at most `16 N` rows; `N` is at most 2.
#[inline]
#[target_feature(enable = "avx2,fma,bmi1,bmi2,lzcnt,popcnt")]
unsafe fn gini_of<const N: usize, const M: usize>(
    shape: &Shape<'_>,
    scale: f32,
    lanes: [__m256i; 2],
    query: &LaneQuery,
    scan: &mut LaneScan,
) -> u32 {
    const { assert!(M == 2 * N) };
    let (zero, none) = (_mm256_setzero_si256(), _mm256_setzero_ps());
    let (mut signed, mut words) = ([zero; N], [[0u32; 16]; N]);
    for i in 0..N {
        signed[i] = make_signed(lanes[i]);
        store_twice(signed[i], &mut words[i]);
    }
    let mut left = [zero; N];
    let (mut squares, mut products, mut m, mut all) = ([none; M], [none; M], [none; M], 0f32);
    let mut rest = &words.as_flattened()[..query.rows];
    let mut segments = shape.segments.iter().peekable();
    for &total in shape.classes {
        let mut weight = [zero; N];
        let mut class = None;
        while let Some(segment) = segments.next_if(|next| class.is_none_or(|class| class == next.class)) {
            class = Some(segment.class);
            let (here, behind) = rest.split_at(segment.len as usize);
            rest = behind;
            // All rows of the segment, less those outside.
            let mut counts = [_mm256_set1_epi16(segment.len as i16); N];
            for &code in here {
                let code = _mm256_set1_epi32(code as i32);
                for i in 0..N {
                    counts[i] = _mm256_add_epi16(counts[i], _mm256_cmpgt_epi16(code, signed[i]));
                }
            }
            let times = _mm256_set1_epi16(segment.times as i16);
            for i in 0..N {
                left[i] = _mm256_add_epi16(left[i], counts[i]);
                weight[i] = _mm256_add_epi16(weight[i], _mm256_mullo_epi16(counts[i], times));
            }
        }
        let total = total as f32;
        for i in 0..M {
            let weight = as_floats(halves(weight[i / 2])[i % 2]);
            m[i] = _mm256_add_ps(m[i], weight);
            squares[i] = _mm256_add_ps(squares[i], _mm256_mul_ps(weight, weight));
            products[i] = _mm256_add_ps(products[i], _mm256_mul_ps(weight, _mm256_set1_ps(total)));
        }
        all += total * total;
    }
    let n = shape.rows as f32;
    let (rows, scale, floor) = (_mm256_set1_ps(n), _mm256_set1_ps(scale), _mm256_set1_ps(query.floor));
    let least = _mm256_set1_epi16(query.min_leaf as i16);
    let most = _mm256_set1_epi16((query.rows - query.min_leaf) as i16);
    let mut hits = 0;
    for i in 0..M {
        let own = _mm256_mul_ps(_mm256_set1_ps(n * n), squares[i]);
        let twice = _mm256_mul_ps(_mm256_mul_ps(_mm256_set1_ps(2.0 * n), m[i]), products[i]);
        let theirs = _mm256_mul_ps(_mm256_mul_ps(m[i], m[i]), _mm256_set1_ps(all));
        let sum = _mm256_add_ps(_mm256_sub_ps(own, twice), theirs);
        let saved = _mm256_mul_ps(_mm256_div_ps(sum, sides(m[i], rows)), scale);
        let left = left[i / 2];
        let refused = _mm256_or_si256(_mm256_cmpgt_epi16(least, left), _mm256_cmpgt_epi16(left, most));
        let refused = _mm256_castsi256_ps(_mm256_cvtepi16_epi32(halves(refused)[i % 2]));
        let hit = _mm256_andnot_ps(refused, _mm256_cmp_ps::<_CMP_GE_OQ>(saved, floor));
        hits |= (_mm256_movemask_ps(hit) as u32) << (8 * i);
        // SAFETY: there are 32 lanes, at least as many as the registers.
        unsafe { _mm256_storeu_ps(scan.saved.as_mut_ptr().add(8 * i), saved) };
    }
    for (i, left) in left.into_iter().enumerate() {
        // SAFETY: as above.
        unsafe { _mm256_storeu_si256(scan.left.as_mut_ptr().add(16 * i).cast(), left) };
    }
    hits
}
