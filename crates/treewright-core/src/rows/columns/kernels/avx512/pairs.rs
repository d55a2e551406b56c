//! The AVX-512 form of [`super::super::pairs`]: 32 lanes of 16 bits in one register.

use super::super::histogram::low_bits;
use super::super::pairs::{PAIRS, PairQuery, Pairs, limit};
use std::arch::x86_64::*;

/// # Safety
/// The processor must have these instructions; there must be at most 128 rows and a code for each.
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl")]
pub unsafe fn scan(query: &PairQuery<'_>, codes: &[u16], floor: f32, pairs: &mut Pairs) -> u128 {
    // SAFETY: as asked for; each takes as many lanes as there are rows.
    unsafe {
        match query.rows {
            0..=16 => few(query, codes, floor, pairs),
            17..=32 => many::<1>(query, codes, floor, pairs),
            33..=64 => many::<2>(query, codes, floor, pairs),
            65..=96 => many::<3>(query, codes, floor, pairs),
            _ => many::<4>(query, codes, floor, pairs),
        }
    }
}

/// What 16 cuts save; less than 0 where they are not allowed.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl")]
fn saved(query: &PairQuery<'_>, left: __m256i, rows: __m256i) -> __m512 {
    let left = _mm512_cvtepu16_epi32(left);
    let m = _mm512_cvtepi32_ps(_mm512_and_si512(left, _mm512_set1_epi32(255)));
    let l = _mm512_cvtepi32_ps(_mm512_srli_epi32::<8>(left));
    let (all, second) = (_mm512_set1_ps(query.times[0] as f32), _mm512_set1_ps(query.times[1] as f32));
    let e = _mm512_sub_ps(_mm512_mul_ps(l, all), _mm512_mul_ps(m, second));
    let sides = _mm512_max_ps(_mm512_mul_ps(m, _mm512_sub_ps(all, m)), _mm512_set1_ps(1.0));
    let saved = _mm512_mul_ps(_mm512_div_ps(_mm512_mul_ps(e, e), sides), _mm512_set1_ps(query.scale));
    let least = _mm256_set1_epi16(query.min_leaf as i16);
    let most = _mm256_set1_epi16((query.rows - query.min_leaf) as i16);
    let allowed = _mm256_cmpge_epu16_mask(rows, least) & _mm256_cmple_epu16_mask(rows, most);
    _mm512_mask_mov_ps(_mm512_set1_ps(-1.0), allowed, saved)
}

/// # Safety
/// See [`scan`]; at most 16 rows.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl")]
unsafe fn few(query: &PairQuery<'_>, codes: &[u16], floor: f32, pairs: &mut Pairs) -> u128 {
    let here = low_bits(query.rows) as u16;
    // SAFETY: the load is masked to the rows, which are there.
    let lanes = unsafe { _mm256_mask_loadu_epi16(_mm256_set1_epi16(-1), here, codes.as_ptr().cast()) };
    let first = _mm256_broadcastw_epi16(_mm256_castsi256_si128(lanes));
    pairs.constant = _mm256_mask_cmpneq_epu16_mask(here, lanes, first) == 0;
    if pairs.constant {
        pairs.tied = true;
        pairs.most = -1.0;
        return 0;
    }
    let (mut left, mut rows) = (_mm256_setzero_si256(), _mm256_setzero_si256());
    let one = _mm256_set1_epi16(1);
    let counted = query.min_leaf > 1;
    for (&code, &weight) in codes[..query.rows].iter().zip(&query.weights.0) {
        let inside = _mm256_cmpge_epu16_mask(lanes, _mm256_set1_epi16(code as i16));
        left = _mm256_mask_add_epi16(left, inside, left, _mm256_set1_epi16(weight as i16));
        if counted {
            rows = _mm256_mask_add_epi16(rows, inside, rows, one);
        }
    }
    let bytes = _mm256_set1_epi16(255);
    let times = _mm256_and_si256(left, bytes);
    // SAFETY: the weights are longer than the register.
    let weights = unsafe { _mm256_loadu_si256(query.weights.0.as_ptr().cast()) };
    let products = _mm256_madd_epi16(times, _mm256_and_si256(weights, bytes));
    pairs.tied = _mm512_reduce_add_epi32(_mm512_zextsi256_si512(products)) as u32 != query.untied;
    let saved = saved(query, left, if counted { rows } else { as_rows(times, query) });
    pairs.most = _mm512_reduce_max_ps(saved);
    let limit = limit(pairs.most, floor);
    let hits = _mm512_cmp_ps_mask::<_CMP_GE_OQ>(saved, _mm512_set1_ps(limit));
    // SAFETY: the arrays are longer than the registers.
    unsafe {
        _mm256_storeu_epi16(pairs.codes.as_mut_ptr().cast(), lanes);
        _mm256_storeu_epi16(pairs.left.as_mut_ptr().cast(), left);
        _mm512_storeu_ps(pairs.saved.as_mut_ptr(), saved);
    }
    u128::from(hits)
}

/// Where any row on a side is enough, how often rows count tells as much as how many there are, but for its end.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl")]
fn as_rows(times: __m256i, query: &PairQuery<'_>) -> __m256i {
    let all = _mm256_cmpeq_epi16_mask(times, _mm256_set1_epi16(query.times[0] as i16));
    let some = _mm256_min_epu16(times, _mm256_set1_epi16(1));
    _mm256_mask_mov_epi16(some, all, _mm256_set1_epi16(query.rows as i16))
}

/// # Safety
/// See [`scan`]; at most 32 rows a register.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl")]
unsafe fn many<const REGISTERS: usize>(query: &PairQuery<'_>, codes: &[u16], floor: f32, pairs: &mut Pairs) -> u128 {
    let zero = _mm512_setzero_si512();
    let mut lanes = [_mm512_set1_epi16(-1); REGISTERS];
    let first = _mm512_set1_epi16(codes[0] as i16);
    let mut differs = 0;
    for (i, lanes) in lanes.iter_mut().enumerate() {
        let here = low_bits(query.rows.saturating_sub(32 * i));
        // SAFETY: the load is masked to the rows, which are there.
        *lanes = unsafe { _mm512_mask_loadu_epi16(*lanes, here, codes.as_ptr().wrapping_add(32 * i).cast()) };
        differs |= _mm512_mask_cmpneq_epu16_mask(here, *lanes, first);
    }
    pairs.constant = differs == 0;
    if pairs.constant {
        pairs.tied = true;
        pairs.most = -1.0;
        return 0;
    }
    let (mut left, mut rows) = ([zero; REGISTERS], [zero; REGISTERS]);
    let one = _mm512_set1_epi16(1);
    let counted = query.min_leaf > 1;
    for (&code, &weight) in codes[..query.rows].iter().zip(&query.weights.0) {
        let (code, weight) = (_mm512_set1_epi16(code as i16), _mm512_set1_epi16(weight as i16));
        for i in 0..REGISTERS {
            let inside = _mm512_cmpge_epu16_mask(lanes[i], code);
            left[i] = _mm512_mask_add_epi16(left[i], inside, left[i], weight);
            if counted {
                rows[i] = _mm512_mask_add_epi16(rows[i], inside, rows[i], one);
            }
        }
    }
    let bytes = _mm512_set1_epi16(255);
    let (mut products, mut most) = (zero, _mm512_set1_ps(-1.0));
    for i in 0..REGISTERS {
        let times = _mm512_and_si512(left[i], bytes);
        // SAFETY: there are 128 weights, four registers of them.
        let weights = unsafe { _mm512_loadu_si512(query.weights.0.as_ptr().add(32 * i).cast()) };
        products = _mm512_add_epi32(products, _mm512_madd_epi16(times, _mm512_and_si512(weights, bytes)));
        for half in 0..2 {
            let half_of = |lanes| {
                if half == 0 { _mm512_castsi512_si256(lanes) } else { _mm512_extracti64x4_epi64::<1>(lanes) }
            };
            let rows = if counted { half_of(rows[i]) } else { as_rows(half_of(times), query) };
            let saved = saved(query, half_of(left[i]), rows);
            most = _mm512_max_ps(most, saved);
            // SAFETY: there is room for 128 numbers, eight registers of them.
            unsafe { _mm512_storeu_ps(pairs.saved.as_mut_ptr().add(32 * i + 16 * half), saved) };
        }
    }
    pairs.tied = _mm512_reduce_add_epi32(products) as u32 != query.untied;
    pairs.most = _mm512_reduce_max_ps(most);
    let limit = _mm512_set1_ps(limit(pairs.most, floor));
    let mut hits = 0;
    for i in 0..2 * REGISTERS {
        // SAFETY: they were written above.
        let saved = unsafe { _mm512_loadu_ps(pairs.saved.as_ptr().add(16 * i)) };
        hits |= u128::from(_mm512_cmp_ps_mask::<_CMP_GE_OQ>(saved, limit)) << (16 * i);
    }
    for i in 0..REGISTERS {
        // SAFETY: there is room for 128 codes and counts, four registers of them.
        unsafe {
            _mm512_storeu_epi16(pairs.codes.as_mut_ptr().add(32 * i).cast(), lanes[i]);
            _mm512_storeu_epi16(pairs.left.as_mut_ptr().add(32 * i).cast(), left[i]);
        }
    }
    debug_assert!(32 * REGISTERS <= PAIRS);
    hits
}
