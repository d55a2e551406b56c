//! The AVX2 form of [`super::super::pairs`]: 16 lanes of 16 bits a register, in one to four registers.

use super::super::pairs::{PairQuery, Pairs, limit};
use super::{are_equal, as_floats, halves, largest, load_codes, make_signed, sides, store_twice, sum};
use std::arch::x86_64::*;

/// # Safety
/// There must be at least one and at most 64 rows, and a code for each.
#[target_feature(enable = "avx2,fma,bmi1,bmi2,lzcnt,popcnt")]
pub unsafe fn scan(query: &PairQuery<'_>, codes: &[u16], floor: f32, pairs: &mut Pairs) -> u128 {
    // SAFETY: as asked for; there are as many registers as the rows need.
    unsafe {
        match (query.rows.div_ceil(16), query.min_leaf > 1) {
            (0..=1, false) => scan_rows::<1, false>(query, codes, floor, pairs),
            (2, false) => scan_rows::<2, false>(query, codes, floor, pairs),
            (3, false) => scan_rows::<3, false>(query, codes, floor, pairs),
            (_, false) => scan_rows::<4, false>(query, codes, floor, pairs),
            (0..=1, true) => scan_rows::<1, true>(query, codes, floor, pairs),
            (2, true) => scan_rows::<2, true>(query, codes, floor, pairs),
            (3, true) => scan_rows::<3, true>(query, codes, floor, pairs),
            (_, true) => scan_rows::<4, true>(query, codes, floor, pairs),
        }
    }
}

/// Rows are counted only where more than one must be on each side.
///
/// # Safety
/// There must be at least one and at most `16 N` rows, and a code for each; `N` is at most 4.
#[inline]
#[target_feature(enable = "avx2,fma,bmi1,bmi2,lzcnt,popcnt")]
unsafe fn scan_rows<const N: usize, const COUNTED: bool>(
    query: &PairQuery<'_>,
    codes: &[u16],
    floor: f32,
    pairs: &mut Pairs,
) -> u128 {
    let zero = _mm256_setzero_si256();
    // SAFETY: as asked for.
    let (lanes, none) = unsafe { load_codes::<N>(codes, query.rows) };
    pairs.constant = are_equal(&lanes, &none, codes[0]);
    if pairs.constant {
        pairs.tied = true;
        pairs.most = -1.0;
        return 0;
    }
    let (mut signed, mut weights) = ([zero; N], [zero; N]);
    let (mut code_words, mut weight_words) = ([[0u32; 16]; N], [[0u32; 16]; N]);
    for i in 0..N {
        signed[i] = make_signed(lanes[i]);
        // SAFETY: there are 64 weights, four registers of them.
        weights[i] = unsafe { _mm256_loadu_si256(query.weights.0.as_ptr().add(16 * i).cast()) };
        store_twice(signed[i], &mut code_words[i]);
        store_twice(weights[i], &mut weight_words[i]);
    }
    // What is on the left of each cut, packed, and less how many rows are on its right.
    let (mut left, mut outside) = ([zero; N], [zero; N]);
    let words = code_words.as_flattened().iter().zip(weight_words.as_flattened());
    for (&code, &weight) in words.take(query.rows) {
        let (code, weight) = (_mm256_set1_epi32(code as i32), _mm256_set1_epi32(weight as i32));
        for i in 0..N {
            let is_outside = _mm256_cmpgt_epi16(code, signed[i]);
            left[i] = _mm256_add_epi16(left[i], _mm256_andnot_si256(is_outside, weight));
            if COUNTED {
                outside[i] = _mm256_add_epi16(outside[i], is_outside);
            }
        }
    }
    let (all, second) = (_mm256_set1_ps(query.times[0] as f32), _mm256_set1_ps(query.times[1] as f32));
    let (scale, never) = (_mm256_set1_ps(query.scale), _mm256_set1_ps(-1.0));
    let bytes = _mm256_set1_epi16(255);
    let (mut products, mut most, mut saved) = (zero, never, [[never; 2]; N]);
    for i in 0..N {
        let times = _mm256_and_si256(left[i], bytes);
        products = _mm256_add_epi32(products, _mm256_madd_epi16(times, _mm256_and_si256(weights[i], bytes)));
        // Counts are small, so that their sign does not matter.
        let refused = if COUNTED {
            let rows = _mm256_add_epi16(_mm256_set1_epi16(query.rows as i16), outside[i]);
            let least = _mm256_set1_epi16(query.min_leaf as i16);
            let most = _mm256_set1_epi16((query.rows - query.min_leaf) as i16);
            _mm256_or_si256(_mm256_cmpgt_epi16(least, rows), _mm256_cmpgt_epi16(rows, most))
        } else {
            // Where any row on a side is enough, how often rows count tells as much as how many there are.
            let all = _mm256_set1_epi16(query.times[0] as i16);
            _mm256_or_si256(_mm256_cmpeq_epi16(times, zero), _mm256_cmpeq_epi16(times, all))
        };
        let (m, l, refused) = (halves(times), halves(_mm256_srli_epi16::<8>(left[i])), halves(refused));
        for half in 0..2 {
            let (m, l) = (as_floats(m[half]), as_floats(l[half]));
            let e = _mm256_sub_ps(_mm256_mul_ps(l, all), _mm256_mul_ps(m, second));
            let saving = _mm256_mul_ps(_mm256_div_ps(_mm256_mul_ps(e, e), sides(m, all)), scale);
            let refused = _mm256_castsi256_ps(_mm256_cvtepi16_epi32(refused[half]));
            saved[i][half] = _mm256_blendv_ps(saving, never, refused);
            most = _mm256_max_ps(most, saved[i][half]);
        }
    }
    pairs.tied = sum(products) != query.untied;
    pairs.most = largest(most);
    let limit = limit(pairs.most, floor);
    if limit == f32::INFINITY {
        return 0;
    }
    let (limit, mut hits) = (_mm256_set1_ps(limit), 0);
    for i in 0..N {
        // SAFETY: each of the arrays has room for 64 lanes, at least as many as the registers.
        unsafe {
            _mm256_storeu_si256(pairs.codes.as_mut_ptr().add(16 * i).cast(), lanes[i]);
            _mm256_storeu_si256(pairs.left.as_mut_ptr().add(16 * i).cast(), left[i]);
        }
        for (half, saved) in saved[i].into_iter().enumerate() {
            let hit = _mm256_movemask_ps(_mm256_cmp_ps::<_CMP_GE_OQ>(saved, limit)) as u32;
            hits |= u128::from(hit) << (16 * i + 8 * half);
            // SAFETY: as above.
            unsafe { _mm256_storeu_ps(pairs.saved.as_mut_ptr().add(16 * i + 8 * half), saved) };
        }
    }
    hits
}
