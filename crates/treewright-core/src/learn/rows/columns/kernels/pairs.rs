//! Up to 64 rows of two classes at once: for each the cut behind it, and what it saves under Gini's index.
//!
//! What a row counts is packed: how often in the upper byte if it is of the second class, how often in the lower byte in
//! any case. One addition a row then counts both, for the cuts of all rows that are not smaller. The plain and the wide
//! form do the same operations on the same numbers; lanes behind the last row hold the greatest code and count nothing, so
//! nothing is on the right of their cut and it is never allowed.
//!
//! With `n` and `N` for all rows and those of the second class, `m` and `l` for those on the left, a cut saves
//! `2 (l n - m N)^2 / (n m (n - m))` of the node's cost; see [`super::gini`].

use crate::wide::Isa;

/// Rows that the kernel takes at once.
pub const PAIRS: usize = 64;
/// How often the rows may count in all: a byte has to hold it.
pub const PAIR_TIMES: usize = 255;
/// How far apart estimates may be of cuts that save the same, relative to them.
const APART: f32 = 4e-6;

/// What the rows of a node count, packed; nothing behind the last row.
#[derive(Clone, Debug)]
pub struct Weights(pub [u16; PAIRS]);

impl Default for Weights {
    fn default() -> Weights {
        Weights([0; PAIRS])
    }
}

/// What is asked of all columns of a node.
#[derive(Clone, Copy, Debug)]
pub struct Ask<'a> {
    /// What its rows count.
    pub weights: &'a Weights,
    /// How many rows.
    pub rows: usize,
    /// How often they count, in all and those of the second class.
    pub times: [u32; 2],
    /// The fewest rows on each side of a cut.
    pub min_leaf: usize,
    /// What one unit of `e^2 / (m (n - m))` saves, as a share of the node's cost.
    pub scale: f32,
    /// What all pairs of rows, each with itself too, multiply to if no two have the same code.
    pub untied: u32,
}

/// What came of one column.
#[derive(Clone, Debug)]
pub struct Pairs {
    /// The code of each row.
    pub codes: [u16; PAIRS],
    /// What is on the left of the cut behind each row, packed.
    pub left: [u16; PAIRS],
    /// What that cut saves; less than 0 where it is not allowed.
    pub saved: [f32; PAIRS],
    /// The largest of them.
    pub most: f32,
    /// Whether rows have the same code.
    pub tied: bool,
    /// Whether all of them have.
    pub constant: bool,
}

impl Default for Pairs {
    fn default() -> Pairs {
        let (codes, left, saved) = ([0; PAIRS], [0; PAIRS], [0.0; PAIRS]);
        Pairs { codes, left, saved, most: -1.0, tied: false, constant: false }
    }
}

/// Estimates the cuts of one column, whose codes may go on behind the rows. Tells the lanes whose cut saves as much as
/// the column's best, but for rounding, if that is not below the floor; nothing else is written then.
pub fn scan(isa: Isa, ask: &Ask<'_>, codes: &[u16], floor: f32, pairs: &mut Pairs) -> u64 {
    debug_assert!(ask.rows <= PAIRS && codes.len() >= ask.rows);
    #[cfg(target_arch = "x86_64")]
    if isa.is_wide() && ask.rows <= PAIRS && codes.len() >= ask.rows {
        // SAFETY: `Isa::detect` has seen the instructions; the rows are as many as they must be.
        return unsafe { wide::scan(ask, codes, floor, pairs) };
    }
    let _ = isa;
    plain(ask, codes, floor, pairs)
}

/// The limit that estimates must reach; more than any if none does.
fn limit(most: f32, floor: f32) -> f32 {
    if most < floor.max(0.0) { f32::INFINITY } else { floor.max(most - most * APART) }
}

fn plain(ask: &Ask<'_>, codes: &[u16], floor: f32, pairs: &mut Pairs) -> u64 {
    let codes = &codes[..ask.rows];
    pairs.constant = codes.iter().all(|code| *code == codes[0]);
    if pairs.constant {
        pairs.tied = true;
        pairs.most = -1.0;
        return 0;
    }
    pairs.codes = [u16::MAX; PAIRS];
    pairs.codes[..ask.rows].copy_from_slice(codes);
    let (mut left, mut rows) = ([0u16; PAIRS], [0u16; PAIRS]);
    for (code, weight) in codes.iter().zip(&ask.weights.0) {
        for lane in 0..PAIRS {
            if pairs.codes[lane] >= *code {
                left[lane] += weight;
                rows[lane] += 1;
            }
        }
    }
    let product = |(left, weight): (&u16, &u16)| u32::from(left & 255) * u32::from(weight & 255);
    pairs.tied = left.iter().zip(&ask.weights.0).map(product).sum::<u32>() != ask.untied;
    let (all, second) = (ask.times[0] as f32, ask.times[1] as f32);
    let allowed = ask.min_leaf as u16..=(ask.rows - ask.min_leaf) as u16;
    pairs.most = -1.0;
    for lane in 0..PAIRS {
        let (m, l) = (f32::from(left[lane] & 255), f32::from(left[lane] >> 8));
        let e = l * all - m * second;
        let saved = e * e / (m * (all - m)).max(1.0) * ask.scale;
        pairs.saved[lane] = if allowed.contains(&rows[lane]) { saved } else { -1.0 };
        pairs.most = pairs.most.max(pairs.saved[lane]);
    }
    pairs.left = left;
    let limit = limit(pairs.most, floor);
    (0..PAIRS).filter(|&lane| pairs.saved[lane] >= limit).fold(0, |hits, lane| hits | 1 << lane)
}

#[cfg(target_arch = "x86_64")]
mod wide {
    use super::super::histogram::low_bits;
    use super::{Ask, PAIRS, Pairs, limit};
    use std::arch::x86_64::*;

    /// # Safety
    /// The processor must have these instructions; there must be at most 64 rows and a code for each.
    #[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl")]
    pub unsafe fn scan(ask: &Ask<'_>, codes: &[u16], floor: f32, pairs: &mut Pairs) -> u64 {
        // SAFETY: as asked for; each takes as many lanes as there are rows.
        unsafe {
            match ask.rows {
                0..=16 => few(ask, codes, floor, pairs),
                17..=32 => many::<1>(ask, codes, floor, pairs),
                _ => many::<2>(ask, codes, floor, pairs),
            }
        }
    }

    /// What 16 cuts save; less than 0 where they are not allowed.
    #[inline]
    #[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl")]
    fn saved(ask: &Ask<'_>, left: __m256i, rows: __m256i) -> __m512 {
        let left = _mm512_cvtepu16_epi32(left);
        let m = _mm512_cvtepi32_ps(_mm512_and_si512(left, _mm512_set1_epi32(255)));
        let l = _mm512_cvtepi32_ps(_mm512_srli_epi32::<8>(left));
        let (all, second) = (_mm512_set1_ps(ask.times[0] as f32), _mm512_set1_ps(ask.times[1] as f32));
        let e = _mm512_sub_ps(_mm512_mul_ps(l, all), _mm512_mul_ps(m, second));
        let sides = _mm512_max_ps(_mm512_mul_ps(m, _mm512_sub_ps(all, m)), _mm512_set1_ps(1.0));
        let saved = _mm512_mul_ps(_mm512_div_ps(_mm512_mul_ps(e, e), sides), _mm512_set1_ps(ask.scale));
        let least = _mm256_set1_epi16(ask.min_leaf as i16);
        let most = _mm256_set1_epi16((ask.rows - ask.min_leaf) as i16);
        let allowed = _mm256_cmpge_epu16_mask(rows, least) & _mm256_cmple_epu16_mask(rows, most);
        _mm512_mask_mov_ps(_mm512_set1_ps(-1.0), allowed, saved)
    }

    /// # Safety
    /// See [`scan`]; at most 16 rows.
    #[inline]
    #[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl")]
    unsafe fn few(ask: &Ask<'_>, codes: &[u16], floor: f32, pairs: &mut Pairs) -> u64 {
        let here = low_bits(ask.rows) as u16;
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
        let counted = ask.min_leaf > 1;
        for (&code, &weight) in codes[..ask.rows].iter().zip(&ask.weights.0) {
            let inside = _mm256_cmpge_epu16_mask(lanes, _mm256_set1_epi16(code as i16));
            left = _mm256_mask_add_epi16(left, inside, left, _mm256_set1_epi16(weight as i16));
            if counted {
                rows = _mm256_mask_add_epi16(rows, inside, rows, one);
            }
        }
        let bytes = _mm256_set1_epi16(255);
        let times = _mm256_and_si256(left, bytes);
        // SAFETY: the weights are longer than the register.
        let weights = unsafe { _mm256_loadu_si256(ask.weights.0.as_ptr().cast()) };
        let products = _mm256_madd_epi16(times, _mm256_and_si256(weights, bytes));
        pairs.tied = _mm512_reduce_add_epi32(_mm512_zextsi256_si512(products)) as u32 != ask.untied;
        let saved = saved(ask, left, if counted { rows } else { as_rows(times, ask) });
        pairs.most = _mm512_reduce_max_ps(saved);
        let limit = limit(pairs.most, floor);
        let hits = _mm512_cmp_ps_mask::<_CMP_GE_OQ>(saved, _mm512_set1_ps(limit));
        // SAFETY: the arrays are longer than the registers.
        unsafe {
            _mm256_storeu_epi16(pairs.codes.as_mut_ptr().cast(), lanes);
            _mm256_storeu_epi16(pairs.left.as_mut_ptr().cast(), left);
            _mm512_storeu_ps(pairs.saved.as_mut_ptr(), saved);
        }
        u64::from(hits)
    }

    /// Where any row on a side is enough, how often rows count tells as much as how many there are, but for its end.
    #[inline]
    #[target_feature(enable = "avx512f,avx512bw,avx512vl")]
    fn as_rows(times: __m256i, ask: &Ask<'_>) -> __m256i {
        let all = _mm256_cmpeq_epi16_mask(times, _mm256_set1_epi16(ask.times[0] as i16));
        let some = _mm256_min_epu16(times, _mm256_set1_epi16(1));
        _mm256_mask_mov_epi16(some, all, _mm256_set1_epi16(ask.rows as i16))
    }

    /// # Safety
    /// See [`scan`]; at most 32 rows a register.
    #[inline]
    #[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl")]
    unsafe fn many<const REGISTERS: usize>(ask: &Ask<'_>, codes: &[u16], floor: f32, pairs: &mut Pairs) -> u64 {
        let zero = _mm512_setzero_si512();
        let mut lanes = [_mm512_set1_epi16(-1); REGISTERS];
        let first = _mm512_set1_epi16(codes[0] as i16);
        let mut differs = 0;
        for (i, lanes) in lanes.iter_mut().enumerate() {
            let here = low_bits(ask.rows.saturating_sub(32 * i));
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
        let counted = ask.min_leaf > 1;
        for (&code, &weight) in codes[..ask.rows].iter().zip(&ask.weights.0) {
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
            // SAFETY: there are 64 weights, two registers of them.
            let weights = unsafe { _mm512_loadu_si512(ask.weights.0.as_ptr().add(32 * i).cast()) };
            products = _mm512_add_epi32(products, _mm512_madd_epi16(times, _mm512_and_si512(weights, bytes)));
            for half in 0..2 {
                let half_of = |lanes| {
                    if half == 0 { _mm512_castsi512_si256(lanes) } else { _mm512_extracti64x4_epi64::<1>(lanes) }
                };
                let rows = if counted { half_of(rows[i]) } else { as_rows(half_of(times), ask) };
                let saved = saved(ask, half_of(left[i]), rows);
                most = _mm512_max_ps(most, saved);
                // SAFETY: there is room for 64 numbers, four registers of them.
                unsafe { _mm512_storeu_ps(pairs.saved.as_mut_ptr().add(32 * i + 16 * half), saved) };
            }
        }
        pairs.tied = _mm512_reduce_add_epi32(products) as u32 != ask.untied;
        pairs.most = _mm512_reduce_max_ps(most);
        let limit = _mm512_set1_ps(limit(pairs.most, floor));
        let mut hits = 0;
        for i in 0..2 * REGISTERS {
            // SAFETY: they were written above.
            let saved = unsafe { _mm512_loadu_ps(pairs.saved.as_ptr().add(16 * i)) };
            hits |= u64::from(_mm512_cmp_ps_mask::<_CMP_GE_OQ>(saved, limit)) << (16 * i);
        }
        for i in 0..REGISTERS {
            // SAFETY: there is room for 64 codes and counts, two registers of them.
            unsafe {
                _mm512_storeu_epi16(pairs.codes.as_mut_ptr().add(32 * i).cast(), lanes[i]);
                _mm512_storeu_epi16(pairs.left.as_mut_ptr().add(32 * i).cast(), left[i]);
            }
        }
        debug_assert!(32 * REGISTERS <= PAIRS);
        hits
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_forms_give_equal_bits() {
        for rows in 2..=PAIRS {
            for turn in 0..24usize {
                let most = [1, 2, 9, 200, 65_536][turn % 5];
                let codes: Vec<u16> =
                    (0..70).map(|i| ((i + turn * 97) * 7919 % 10_007 * most / 10_007) as u16).collect();
                let mut weights = Weights::default();
                for (i, weight) in weights.0[..rows].iter_mut().enumerate() {
                    let times = if turn % 2 == 0 { 1 } else { 1 + (i * 5 + turn) as u16 % 3 };
                    *weight = times | if (i * 3 + turn) % 7 < 3 { times << 8 } else { 0 };
                }
                let sum = |shift: u32| weights.0.iter().map(|w| u32::from(w >> shift & 255)).sum::<u32>();
                let times = [sum(0), sum(8)];
                let square = |w: &u16| u32::from(w & 255).pow(2);
                let untied = (times[0] * times[0] + weights.0.iter().map(square).sum::<u32>()) / 2;
                let min_leaf = 1 + turn % 3 / 2;
                let ask = Ask { weights: &weights, rows, times, min_leaf, scale: 0.01, untied };
                let mut sorted = codes[..rows].to_vec();
                sorted.sort_unstable();
                sorted.dedup();
                for floor in [f32::NEG_INFINITY, 0.05] {
                    let runs = [Isa::PLAIN, Isa::detect()].map(|isa| {
                        let mut pairs = Pairs::default();
                        let hits = scan(isa, &ask, &codes, floor, &mut pairs);
                        assert_eq!(pairs.tied, sorted.len() < rows);
                        assert_eq!(pairs.constant, sorted.len() == 1);
                        let lanes = if pairs.constant { 0 } else { rows };
                        let saved: Vec<u32> = pairs.saved[..lanes].iter().map(|saved| saved.to_bits()).collect();
                        (hits, pairs.most.to_bits(), pairs.codes[..lanes].to_vec(), pairs.left[..lanes].to_vec(), saved)
                    });
                    assert_eq!(runs[0], runs[1]);
                }
            }
        }
    }
}
