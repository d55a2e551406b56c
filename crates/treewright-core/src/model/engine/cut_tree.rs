//! Numbers of 32 bits to codes, as in [`super::grid`]: how many of some sorted cuts lie below a number.
//!
//! The cuts are a complete search tree whose upper levels lie in registers, so that no number waits for memory: a level is
//! a permutation, a comparison and an addition for 8 or 16 numbers.

#[cfg(target_arch = "x86_64")]
use super::steps::SIGN;
use crate::simd::Isa;
#[cfg(target_arch = "x86_64")]
use crate::simd::Tier;

/// Numbers that are coded together.
pub(super) const GROUP: usize = 64;

/// Levels of the smallest tree: fewer would save little.
const LEAST_LEVELS: u32 = 5;

/// At most 255 sorted cuts as a search tree.
#[derive(Clone, Debug)]
#[cfg_attr(not(target_arch = "x86_64"), allow(dead_code))]
pub(super) struct CutTree {
    /// The root is node 1, and the children of node `i` are `2 i` and `2 i + 1`. What has no cut has infinity.
    nodes: Box<[f32; 256]>,
    levels: u32,
}

impl CutTree {
    /// `cuts` are sorted, distinct, not NaN, and 1 to 255.
    pub fn new(cuts: &[f64]) -> CutTree {
        let levels = (cuts.len() + 1).next_power_of_two().ilog2().max(LEAST_LEVELS);
        let mut nodes = Box::new([f32::INFINITY; 256]);
        for level in 0..levels {
            for place in 0..1 << level {
                let cut = ((2 * place + 1) << (levels - level - 1)) - 1;
                nodes[(1 << level) + place] = cuts.get(cut).map_or(f32::INFINITY, |&cut| round_down(cut));
            }
        }
        CutTree { nodes, levels }
    }

    /// Whether a tier has the instructions for it.
    pub fn suits(isa: Isa) -> bool {
        #[cfg(target_arch = "x86_64")]
        return matches!(isa.tier(), Tier::Avx2 | Tier::Avx512);
        #[cfg(not(target_arch = "x86_64"))]
        return {
            let _ = isa;
            false
        };
    }

    /// Writes the code of each number with its highest bit turned; that of a missing one is 0. There are as many codes as
    /// numbers, a multiple of [`GROUP`]. Only for tiers that it suits.
    #[inline(always)]
    pub fn code(&self, isa: Isa, numbers: &[f32], codes: &mut [u8]) {
        #[cfg(target_arch = "x86_64")]
        match isa.tier() {
            // SAFETY: an `Isa` of this tier exists only where the processor has these instructions.
            Tier::Avx512 => unsafe {
                match self.levels {
                    LEAST_LEVELS => avx512::code::<5>(self, numbers, codes),
                    6 => avx512::code::<6>(self, numbers, codes),
                    7 => avx512::code::<7>(self, numbers, codes),
                    _ => avx512::code::<8>(self, numbers, codes),
                }
            },
            // SAFETY: as above.
            _ => unsafe {
                match self.levels {
                    LEAST_LEVELS => avx2::code::<5>(self, numbers, codes),
                    6 => avx2::code::<6>(self, numbers, codes),
                    7 => avx2::code::<7>(self, numbers, codes),
                    _ => avx2::code::<8>(self, numbers, codes),
                }
            },
        }
        let _ = (isa, numbers, codes);
    }
}

/// The greatest number of 32 bits that is not above a cut: just the numbers of 32 bits above the cut are above this one.
fn round_down(cut: f64) -> f32 {
    let near = cut as f32;
    if f64::from(near) > cut { near.next_down() } else { near }
}

#[cfg(target_arch = "x86_64")]
mod avx512 {
    use super::{CutTree, GROUP, SIGN};
    use std::arch::x86_64::{
        __m512, __m512i, _CMP_GT_OQ, _mm_storeu_si128, _mm512_add_epi32, _mm512_cmp_ps_mask, _mm512_cvtepi32_epi8,
        _mm512_loadu_ps, _mm512_mask_add_epi32, _mm512_mask_blend_ps, _mm512_permutex2var_ps, _mm512_permutexvar_ps,
        _mm512_set1_epi32, _mm512_test_epi32_mask, _mm512_xor_si512,
    };

    const LANES: usize = 16;
    const SIDE: usize = GROUP / LANES;

    /// The children that some numbers go to.
    #[inline]
    #[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl")]
    fn descend(at: __m512i, x: __m512, cut: __m512) -> __m512i {
        let twice = _mm512_add_epi32(at, at);
        _mm512_mask_add_epi32(twice, _mm512_cmp_ps_mask::<_CMP_GT_OQ>(x, cut), twice, _mm512_set1_epi32(1))
    }

    /// Writes the lowest bytes.
    #[inline]
    #[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl")]
    fn write(words: __m512i, bytes: &mut [u8; LANES]) {
        // SAFETY: there is room for 16 bytes.
        unsafe { _mm_storeu_si128(bytes.as_mut_ptr().cast(), _mm512_cvtepi32_epi8(words)) };
    }

    /// The numbers that the lowest six bits of each node's number say.
    #[inline]
    #[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl")]
    fn of_four(at: __m512i, [a, b, c, d]: [__m512; 4]) -> __m512 {
        let is_high = _mm512_test_epi32_mask(at, _mm512_set1_epi32(32));
        _mm512_mask_blend_ps(is_high, _mm512_permutex2var_ps(a, at, b), _mm512_permutex2var_ps(c, at, d))
    }

    /// See [`CutTree::code`]. The tree has `LEVELS`, 5 to 8.
    #[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl")]
    pub fn code<const LEVELS: u32>(tree: &CutTree, numbers: &[f32], codes: &mut [u8]) {
        let parts = tree.nodes.as_chunks::<LANES>().0;
        // SAFETY: a part is one register long.
        let part = |i: usize| unsafe { _mm512_loadu_ps(parts[i].as_ptr()) };
        for (numbers, codes) in numbers.as_chunks::<GROUP>().0.iter().zip(codes.as_chunks_mut::<GROUP>().0) {
            // Four registers go side by side: a level waits for the one before it. By indices: the compiler does not always
            // inline an iterator into a function for some processors, and registers go through memory then.
            let numbers = numbers.as_chunks::<LANES>().0;
            let (mut at, mut x) = ([_mm512_set1_epi32(1); SIDE], [part(0); SIDE]);
            for i in 0..SIDE {
                // SAFETY: a chunk is one register long.
                x[i] = unsafe { _mm512_loadu_ps(numbers[i].as_ptr()) };
            }
            for _ in 0..4 {
                for i in 0..SIDE {
                    at[i] = descend(at[i], x[i], _mm512_permutexvar_ps(at[i], part(0)));
                }
            }
            for i in 0..SIDE {
                at[i] = descend(at[i], x[i], _mm512_permutexvar_ps(at[i], part(1)));
            }
            // A permutation reads the lowest bits of a node's number alone.
            if LEVELS > 5 {
                for i in 0..SIDE {
                    at[i] = descend(at[i], x[i], _mm512_permutex2var_ps(part(2), at[i], part(3)));
                }
            }
            if LEVELS > 6 {
                for i in 0..SIDE {
                    at[i] = descend(at[i], x[i], of_four(at[i], [part(4), part(5), part(6), part(7)]));
                }
            }
            if LEVELS > 7 {
                for i in 0..SIDE {
                    let low = of_four(at[i], [part(8), part(9), part(10), part(11)]);
                    let high = of_four(at[i], [part(12), part(13), part(14), part(15)]);
                    let is_high = _mm512_test_epi32_mask(at[i], _mm512_set1_epi32(64));
                    at[i] = descend(at[i], x[i], _mm512_mask_blend_ps(is_high, low, high));
                }
            }
            let flip = _mm512_set1_epi32((1 << LEVELS) ^ i32::from(SIGN));
            let codes = codes.as_chunks_mut::<LANES>().0;
            for i in 0..SIDE {
                write(_mm512_xor_si512(at[i], flip), &mut codes[i]);
            }
        }
    }
}

#[cfg(target_arch = "x86_64")]
mod avx2 {
    use super::{CutTree, SIGN};
    use std::arch::x86_64::{
        __m256, __m256i, _CMP_GT_OQ, _mm256_add_epi32, _mm256_blendv_ps, _mm256_castps_si256, _mm256_castsi256_ps,
        _mm256_cmp_ps, _mm256_i32gather_ps, _mm256_loadu_ps, _mm256_packus_epi16, _mm256_packus_epi32,
        _mm256_permutevar8x32_epi32, _mm256_permutevar8x32_ps, _mm256_set1_epi32, _mm256_setr_epi32, _mm256_slli_epi32,
        _mm256_storeu_si256, _mm256_sub_epi32, _mm256_xor_si256,
    };

    const LANES: usize = 8;
    /// Registers that go side by side.
    const SIDE: usize = 4;
    const TOGETHER: usize = SIDE * LANES;

    /// The children that some numbers go to.
    #[inline]
    #[target_feature(enable = "avx2")]
    fn descend(at: __m256i, x: __m256, cut: __m256) -> __m256i {
        _mm256_sub_epi32(_mm256_add_epi32(at, at), _mm256_castps_si256(_mm256_cmp_ps::<_CMP_GT_OQ>(x, cut)))
    }

    /// Of two numbers, the one that bit `31 - SHIFT` of a node's number chooses.
    #[inline]
    #[target_feature(enable = "avx2")]
    fn choose<const SHIFT: i32>(at: __m256i, low: __m256, high: __m256) -> __m256 {
        _mm256_blendv_ps(low, high, _mm256_castsi256_ps(_mm256_slli_epi32::<SHIFT>(at)))
    }

    /// Writes the lowest bytes, some of their bits turned.
    #[inline]
    #[target_feature(enable = "avx2")]
    fn write(mut words: [__m256i; SIDE], flip: __m256i, bytes: &mut [u8; TOGETHER]) {
        for words in &mut words {
            *words = _mm256_xor_si256(*words, flip);
        }
        let halves = [_mm256_packus_epi32(words[0], words[1]), _mm256_packus_epi32(words[2], words[3])];
        let mixed = _mm256_packus_epi16(halves[0], halves[1]);
        let order = _mm256_setr_epi32(0, 4, 1, 5, 2, 6, 3, 7);
        // SAFETY: there is room for 32 bytes.
        unsafe { _mm256_storeu_si256(bytes.as_mut_ptr().cast(), _mm256_permutevar8x32_epi32(mixed, order)) };
    }

    /// The numbers that the lowest four bits of each node's number say.
    #[inline]
    #[target_feature(enable = "avx2")]
    fn of_two(at: __m256i, [a, b]: [__m256; 2]) -> __m256 {
        choose::<28>(at, _mm256_permutevar8x32_ps(a, at), _mm256_permutevar8x32_ps(b, at))
    }

    /// See [`CutTree::code`]. The tree has `LEVELS`, 5 to 8.
    #[target_feature(enable = "avx2")]
    pub fn code<const LEVELS: u32>(tree: &CutTree, numbers: &[f32], codes: &mut [u8]) {
        let parts = tree.nodes.as_chunks::<LANES>().0;
        // SAFETY: a part is one register long.
        let part = |i: usize| unsafe { _mm256_loadu_ps(parts[i].as_ptr()) };
        let flip = _mm256_set1_epi32((1 << LEVELS) ^ i32::from(SIGN));
        for (numbers, codes) in numbers.as_chunks::<TOGETHER>().0.iter().zip(codes.as_chunks_mut::<TOGETHER>().0) {
            let numbers = numbers.as_chunks::<LANES>().0;
            let (mut at, mut x) = ([_mm256_set1_epi32(1); SIDE], [part(0); SIDE]);
            for i in 0..SIDE {
                // SAFETY: a chunk is one register long.
                x[i] = unsafe { _mm256_loadu_ps(numbers[i].as_ptr()) };
            }
            for _ in 0..3 {
                for i in 0..SIDE {
                    at[i] = descend(at[i], x[i], _mm256_permutevar8x32_ps(part(0), at[i]));
                }
            }
            // A permutation reads the lowest bits of a node's number alone.
            for i in 0..SIDE {
                at[i] = descend(at[i], x[i], _mm256_permutevar8x32_ps(part(1), at[i]));
            }
            for i in 0..SIDE {
                at[i] = descend(at[i], x[i], of_two(at[i], [part(2), part(3)]));
            }
            if LEVELS > 5 {
                for i in 0..SIDE {
                    let (low, high) = (of_two(at[i], [part(4), part(5)]), of_two(at[i], [part(6), part(7)]));
                    at[i] = descend(at[i], x[i], choose::<27>(at[i], low, high));
                }
            }
            for _ in 6..LEVELS {
                for i in 0..SIDE {
                    // SAFETY: above the last level, a node's number is less than 256.
                    let cut = unsafe { _mm256_i32gather_ps::<4>(tree.nodes.as_ptr(), at[i]) };
                    at[i] = descend(at[i], x[i], cut);
                }
            }
            write(at, flip, codes);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rng::Stream;

    #[test]
    fn a_code_counts_the_cuts_below() {
        let random = Stream::new(8, 0);
        for case in 0..300usize {
            let place = 1000 * case as u64;
            let count = 1 + random.below(place, 255);
            let cut = |i: u64| {
                let unit = random.uniform(place + i);
                [unit * 6.0 - 3.0, (unit * 200.0 - 100.0).exp(), (unit - 0.5) * f64::MAX, unit * 1e-44][case % 4]
            };
            let mut cuts: Vec<f64> =
                (1..=count).map(cut).chain([0.0, f64::INFINITY].into_iter().take(case % 3)).collect();
            cuts.sort_unstable_by(f64::total_cmp);
            cuts.dedup();
            cuts.truncate(255);
            let near = |cut: &f64| [*cut as f32, (*cut as f32).next_up(), (*cut as f32).next_down(), -*cut as f32];
            let mut numbers: Vec<f32> = cuts.iter().flat_map(near).collect();
            numbers.extend([0.0, -0.0, f32::INFINITY, f32::NEG_INFINITY, f32::MAX, f32::MIN, f32::NAN]);
            numbers.resize(numbers.len().next_multiple_of(GROUP), 1.0);
            for isa in Isa::all().filter(|isa| CutTree::suits(*isa)) {
                let mut codes = vec![0; numbers.len()];
                CutTree::new(&cuts).code(isa, &numbers, &mut codes);
                for (&x, &code) in numbers.iter().zip(&codes) {
                    let below = cuts.iter().filter(|&&cut| cut < f64::from(x)).count();
                    assert_eq!(usize::from(code ^ 128), below, "{x} in case {case}, {isa:?}");
                }
            }
        }
    }
}
