//! Whether a cut of a column may be worth more than a question that is known: half the work of finding the best cut, so most
//! columns of a node need no search.
//!
//! With `D = H + 2 l2`, `d1 = H1 + l2` and `d2 = H2 + l2`, a cut is worth `G^2 / D + u^2 / (d1 d2 D)`, where
//! `u = G1 D - G d1`. So it is worth more than `m` if `u^2 > (m D - G^2) d1 d2`: two products fewer than the merit itself,
//! nothing to remember of the best cut, and no limits to compare with (a cut that is not allowed may pass).

use super::packed::{AnySum, Sum};
use super::scan::CutLimits;
#[cfg(target_arch = "x86_64")]
use crate::simd::Tier;
use crate::simd::{Isa, multiversion};
use std::ops::Range;

const LANES: usize = 8;
/// Rounding makes an allowed cut seem worth less than it is by at most 2^-32 of that: hessians of a [`Sum`] are below 2^32
/// and those of both sides at least 1, so `D / sqrt(d1 d2)` is below 2^17. (`D - d1` in place of `d2` would lose more.)
const MARGIN: f64 = 1e-8;
/// Above this, products may leave the range of numbers.
const MAX_HESSIAN: f64 = 1e60;

/// The numbers that the sums of a cut are compared with.
#[derive(Clone, Copy, Debug)]
struct MeritBound {
    gradient: f64,
    hessian: f64,
    /// `D`
    both: f64,
    l2: f64,
    /// `m D - G^2`
    rest: f64,
}

/// Whether any of the cuts behind some bins may be worth more than `merit`. There are sums from bin 0 up to the next
/// multiple of 8.
pub fn may_exceed(isa: Isa, sums: &[Sum], cuts: Range<usize>, limits: &CutLimits, merit: f64) -> bool {
    let (gradient, hessian) = limits.total.parts();
    let both = hessian + 2.0 * limits.l2;
    let rest = merit * (1.0 - MARGIN) * both - gradient * gradient;
    if !(rest > 0.0 && both < MAX_HESSIAN) {
        return true;
    }
    let bound = MeritBound { gradient, hessian, both, l2: limits.l2, rest };
    let first = cuts.start / LANES * LANES;
    let begin = sums[..first].iter().fold(Sum::narrowed(limits.begin), |a, b| a.plus(*b));
    let blocks = sums[first..cuts.end.next_multiple_of(LANES)].as_chunks::<LANES>().0;
    #[cfg(target_arch = "x86_64")]
    if isa.tier() == Tier::Avx512 {
        // SAFETY: an `Isa` of this tier exists only where the processor has these instructions.
        return unsafe { avx512::exceeds(blocks, begin, bound) };
    }
    exceeds(isa, blocks, begin, bound)
}

multiversion! {
    fn exceeds(blocks: &[[Sum; LANES]], begin: Sum, bound: MeritBound) -> bool {
        let mut left = begin;
        for sums in blocks {
            let mut lefts = [0; LANES];
            for lane in 0..LANES {
                left = left.plus(sums[lane]);
                lefts[lane] = left;
            }
            let mut any = false;
            for left in lefts {
                let (g1, h1) = left.parts();
                let (d1, d2) = (h1 + bound.l2, bound.hessian - h1 + bound.l2);
                let u = g1 * bound.both - d1 * bound.gradient;
                any |= u * u > d1 * d2 * bound.rest;
            }
            if any {
                return true;
            }
        }
        false
    }
}

#[cfg(target_arch = "x86_64")]
mod avx512 {
    use super::{LANES, MeritBound, Sum};
    use crate::rows::bins::scan::avx512::running_sums;
    use std::arch::x86_64::{
        _CMP_GT_OQ, _mm512_add_pd, _mm512_and_epi64, _mm512_cmp_pd_mask, _mm512_cvtepi64_pd, _mm512_loadu_epi64,
        _mm512_mul_pd, _mm512_permutexvar_epi64, _mm512_set1_epi64, _mm512_set1_pd, _mm512_srai_epi64, _mm512_sub_pd,
    };

    #[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512vbmi2,popcnt,bmi1,bmi2")]
    pub fn exceeds(blocks: &[[Sum; LANES]], begin: Sum, bound: MeritBound) -> bool {
        let (gradient, hessian) = (_mm512_set1_pd(bound.gradient), _mm512_set1_pd(bound.hessian));
        let (both, l2, rest) = (_mm512_set1_pd(bound.both), _mm512_set1_pd(bound.l2), _mm512_set1_pd(bound.rest));
        let (last, half) = (_mm512_set1_epi64(7), _mm512_set1_epi64(0xffff_ffff));
        let mut sum = _mm512_set1_epi64(begin as i64);
        for block in blocks {
            // SAFETY: a block is one register long.
            let left = running_sums(unsafe { _mm512_loadu_epi64(block.as_ptr().cast()) }, sum);
            sum = _mm512_permutexvar_epi64(last, left);
            let g1 = _mm512_cvtepi64_pd(_mm512_srai_epi64::<32>(left));
            let h1 = _mm512_cvtepi64_pd(_mm512_and_epi64(left, half));
            let (d1, d2) = (_mm512_add_pd(h1, l2), _mm512_add_pd(_mm512_sub_pd(hessian, h1), l2));
            let u = _mm512_sub_pd(_mm512_mul_pd(g1, both), _mm512_mul_pd(d1, gradient));
            let least = _mm512_mul_pd(_mm512_mul_pd(d1, d2), rest);
            if _mm512_cmp_pd_mask::<_CMP_GT_OQ>(_mm512_mul_pd(u, u), least) != 0 {
                return true;
            }
        }
        false
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_better_cut_is_missed_and_most_worse_ones_are_seen() {
        let mut state = 7u64;
        let mut next = || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            state >> 33
        };
        let mut answers = [0; 2];
        for round in 0..400u32 {
            let (bins, drift) = (2 + (next() % 254) as usize, (round % 5) as i64 * 300);
            let sums: Vec<Sum> = (0..256)
                .map(|bin| {
                    if bin >= bins || next().is_multiple_of(3) {
                        return 0;
                    }
                    let (g, h) = ((next() % 2001) as i64 - 1000 + drift, 1 + next() % 500);
                    ((g << 32) as u64).wrapping_add(h)
                })
                .collect();
            let total = sums.iter().fold(0, |a: Sum, b| a.wrapping_add(*b)).widened();
            let limits = CutLimits { total, begin: 0, l2: f64::from(round % 3), least: 1.0 };
            let cuts = (round as usize % 4) * bins / 8..bins - 1;
            let Some(best) = Sum::best_cut(Isa::PORTABLE, &sums, cuts.clone(), &limits) else { continue };
            for isa in Isa::all() {
                let exceeds = |merit: f64| may_exceed(isa, &sums, cuts.clone(), &limits, merit);
                assert!(exceeds(best.merit) && exceeds(best.merit * 0.5) && exceeds(0.0));
                answers[usize::from(exceeds(best.merit * 1.000_001))] += 1;
            }
        }
        assert!(answers[0] > 10 * answers[1], "{answers:?}");
    }

    #[test]
    fn a_side_of_one_row_beside_many_is_not_rounded_away() {
        let pack = |g: i64, h: u64| ((g << 32) as u64).wrapping_add(h);
        let mut sums = [0; LANES];
        (sums[0], sums[1]) = (pack(9913, 1_711_149_986), pack(-21_344, 1));
        let total = sums.iter().fold(0, |a: Sum, b| a.wrapping_add(*b)).widened();
        let limits = CutLimits { total, begin: 0, l2: 0.37, least: 1.0 };
        for isa in Isa::all() {
            let merit = Sum::best_cut(isa, &sums, 0..1, &limits).map(|best| best.merit);
            assert!(merit.is_some_and(|merit| may_exceed(isa, &sums, 0..1, &limits, merit)));
            assert!(merit.is_some_and(|merit| !may_exceed(isa, &sums, 0..1, &limits, merit * 1.000_001)));
        }
    }
}
