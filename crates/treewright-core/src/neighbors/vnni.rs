//! Products of bytes with AVX-VNNI: one instruction where AVX2 needs three. Some processors of the tier have it, so it is
//! asked for apart; the sums are the same whole numbers.

use super::packed::{PANEL, TILE};
use std::arch::x86_64::{
    __m256i, _mm256_castsi256_ps, _mm256_cmpgt_epi32, _mm256_cvtps_epi32, _mm256_dpbusd_avx_epi32, _mm256_loadu_ps,
    _mm256_loadu_si256, _mm256_max_ps, _mm256_movemask_ps, _mm256_mul_ps, _mm256_or_si256, _mm256_set1_epi32,
    _mm256_set1_ps, _mm256_setzero_si256, _mm256_storeu_si256, _mm256_testz_si256,
};

const LANES: usize = 8;
/// Registers of rows whose sums with six queries are held in registers at once. Four with three queries take a sixth longer.
const SIDE: usize = 2;
const ROWS: usize = SIDE * LANES;

/// Whether the processor has it.
pub fn is_there() -> bool {
    is_x86_feature_detected!("avxvnni")
}

/// The same as [`super::packed::Packed::above`]. Half squares are multiplied by `per`, and not below `lowest`.
#[target_feature(enable = "avx2,avxvnni")]
pub fn above(
    rows: &[i32],
    halves: &[f32],
    [per, lowest]: [f32; 2],
    words: &[i32],
    floors: &[i32; TILE],
    out: &mut [[i32; PANEL]; TILE],
) -> [u64; TILE] {
    let mut above = [0; TILE];
    for part in 0..PANEL / ROWS {
        let mut sums = [[_mm256_setzero_si256(); SIDE]; TILE];
        for j in 0..SIDE {
            let halves = &halves[part * ROWS + j * LANES..][..LANES];
            // SAFETY: eight numbers are there.
            let half = _mm256_mul_ps(unsafe { _mm256_loadu_ps(halves.as_ptr()) }, _mm256_set1_ps(per));
            let start = _mm256_cvtps_epi32(_mm256_max_ps(half, _mm256_set1_ps(lowest)));
            for sums in &mut sums {
                sums[j] = start;
            }
        }
        for (column, queries) in rows.as_chunks::<PANEL>().0.iter().zip(words.as_chunks::<TILE>().0) {
            let column = column.as_chunks::<LANES>().0;
            let mut rows = sums[0];
            for j in 0..SIDE {
                // SAFETY: eight words are there.
                rows[j] = unsafe { _mm256_loadu_si256(column[part * SIDE + j].as_ptr().cast()) };
            }
            for i in 0..TILE {
                let query = _mm256_set1_epi32(queries[i]);
                for j in 0..SIDE {
                    sums[i][j] = _mm256_dpbusd_avx_epi32(sums[i][j], rows[j], query);
                }
            }
        }
        for i in 0..TILE {
            above[i] |= above_floor(sums[i], floors[i], &mut out[i][part * ROWS..]) << (part * ROWS);
        }
    }
    above
}

/// Which sums are not below a floor; writes all where one is not.
#[inline]
#[target_feature(enable = "avx2,avxvnni")]
fn above_floor(sums: [__m256i; SIDE], floor: i32, out: &mut [i32]) -> u64 {
    // Not below the floor is above the number before it: a sum is far above the least number.
    let before = _mm256_set1_epi32(floor.saturating_sub(1));
    let is_above = [_mm256_cmpgt_epi32(sums[0], before), _mm256_cmpgt_epi32(sums[1], before)];
    let any = _mm256_or_si256(is_above[0], is_above[1]);
    if _mm256_testz_si256(any, any) != 0 {
        return 0;
    }
    let mut above = 0;
    for j in 0..SIDE {
        above |= (_mm256_movemask_ps(_mm256_castsi256_ps(is_above[j])) as u64) << (j * LANES);
        // SAFETY: there is room for eight numbers.
        unsafe { _mm256_storeu_si256(out[j * LANES..][..LANES].as_mut_ptr().cast(), sums[j]) };
    }
    above
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::super::packed::{PANEL, Packed, TILE};
    use super::super::rows::Rows;
    use super::is_there;
    use crate::rng::Stream;
    use crate::simd::{Isa, largest_factor, multiversion};

    multiversion! {
        fn compare<S: Simd>(simd: S, packed: &mut Packed<i32>, queries: &[&[f64]]) {
            for radius in [0.3, 1.0, f64::INFINITY] {
                let (words, mut tile) = packed.pack(queries);
                tile[..queries.len()].iter_mut().for_each(|query| query.radius = radius);
                let floors = std::array::from_fn(|i| packed.floor(0, &tile[i]));
                let [mut sums, mut by_vnni] = [[[0; PANEL]; TILE]; 2];
                for panel in 0..2 {
                    packed.vnni = false;
                    let above = packed.above(simd, panel, &words, &tile, &floors, &mut sums);
                    packed.vnni = is_there();
                    assert_eq!(packed.above(simd, panel, &words, &tile, &floors, &mut by_vnni), above);
                    for (i, row) in (0..TILE * PANEL).map(|place| (place / PANEL, place % PANEL)) {
                        assert!(above[i] >> row & 1 == 0 || sums[i][row] == by_vnni[i][row]);
                    }
                }
            }
        }
    }

    #[test]
    fn vnni_gives_the_same_sums() {
        let random = Stream::new(5, 0);
        for columns in [3, 16, 61] {
            let numbers: Vec<f64> = (0..columns * 100).map(|i| random.uniform(i as u64)).collect();
            let rows = Rows::new(100, numbers.clone(), &[]).unwrap();
            let queries: Vec<&[f64]> = numbers.chunks_exact(columns).take(5).collect();
            for isa in Isa::all() {
                let mut packed = Packed::new(&rows, isa).unwrap();
                packed.most = largest_factor(isa).into();
                compare(isa, &mut packed, &queries);
            }
        }
    }
}
