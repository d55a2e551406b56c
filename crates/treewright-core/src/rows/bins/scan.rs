//! The best cut along the bins of one column: the quick way, for columns of numbers without constraints.
//!
//! The merit of a cut is `G1^2 / (H1 + l2) + G2^2 / (H2 + l2)` with the sums of its two sides. Nothing is divided: two merits
//! are compared as fractions, by cross products. Eight cuts are looked at side by side, each against the best of its own
//! lane; so a tie is decided by the lowest bin, and the result is the same with any instructions.

use super::packed::{AnySum, Sum, Wide};
#[cfg(target_arch = "x86_64")]
use crate::simd::Tier;
use crate::simd::{Isa, multiversion};
use std::ops::Range;

/// The best cut of a column.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BestCut {
    /// What its two sides are worth, in units.
    pub merit: f64,
    /// The last bin of the first side.
    pub bin: usize,
    /// The sum of the first side.
    pub left: Wide,
}

/// What every cut of a scan has in common, and what it must respect.
#[derive(Clone, Copy, Debug)]
pub struct CutLimits {
    /// The sum of the node.
    pub total: Wide,
    /// What belongs to the first side whatever the cut.
    pub begin: Wide,
    /// Added to the hessians of both sides, in units.
    pub l2: f64,
    /// The least hessian of a side, in units; more than 0.
    pub least: f64,
}

const LANES: usize = 8;

/// The best of the cuts behind some bins of a histogram of few rows, see [`AnySum::best_cut`].
pub fn best_cut(isa: Isa, sums: &[Sum], cuts: Range<usize>, limits: &CutLimits) -> Option<BestCut> {
    if cuts.is_empty() {
        return None;
    }
    let sums = &sums[..cuts.end.next_multiple_of(LANES)];
    let mut lanes = Lanes::default();
    #[cfg(target_arch = "x86_64")]
    if isa.tier() == Tier::Avx512 {
        // SAFETY: an `Isa` of this tier exists only where the processor has these instructions.
        unsafe { avx512::scan(sums, cuts, limits, &mut lanes) };
        return lanes.best();
    }
    scan_blocks(isa, sums, cuts, limits, &mut lanes);
    lanes.best()
}

/// The same for a histogram of many rows.
pub fn best_wide_cut(isa: Isa, sums: &[Wide], cuts: Range<usize>, limits: &CutLimits) -> Option<BestCut> {
    let (mut lefts, mut lanes) = ([0; BINS], Lanes::default());
    let (mut gradients, mut hessians) = ([0.0; BINS], [0.0; BINS]);
    let mut left = limits.begin;
    for (bin, sum) in sums[..cuts.end].iter().enumerate() {
        left = left.plus(*sum);
        lefts[bin] = left;
        (gradients[bin], hessians[bin]) = left.parts();
    }
    scan(isa, &gradients, &hessians, cuts, limits, &mut lanes);
    lanes.lefts = lanes.bins.map(|bin| lefts[bin as usize]);
    lanes.best()
}

/// The most bins of a column.
const BINS: usize = 256;

multiversion! {
    /// Looks at cuts of which the sums of the first sides are known; the same steps as those of [`scan_blocks`].
    fn scan(gradients: &[f64; BINS], hessians: &[f64; BINS], cuts: Range<usize>, limits: &CutLimits, lanes: &mut Lanes<Wide>) {
        let (gradient, hessian) = limits.total.parts();
        let first = cuts.start / LANES;
        let blocks = gradients.as_chunks::<LANES>().0.iter().zip(hessians.as_chunks::<LANES>().0);
        for (block, (g1, h1)) in blocks.enumerate().take(cuts.end.div_ceil(LANES)).skip(first) {
            for lane in 0..LANES {
                let (g2, h2) = (gradient - g1[lane], hessian - h1[lane]);
                let (d1, d2) = (h1[lane] + limits.l2, h2 + limits.l2);
                let (top, bottom) = (g1[lane] * g1[lane] * d2 + g2 * g2 * d1, d1 * d2);
                let bin = block * LANES + lane;
                let better = top * lanes.bottoms[lane] > lanes.tops[lane] * bottom;
                let enough = (h1[lane] >= limits.least) & (h2 >= limits.least);
                let replaces = better & enough & (bin >= cuts.start) & (bin < cuts.end);
                lanes.tops[lane] = if replaces { top } else { lanes.tops[lane] };
                lanes.bottoms[lane] = if replaces { bottom } else { lanes.bottoms[lane] };
                lanes.bins[lane] = if replaces { bin as u64 } else { lanes.bins[lane] };
            }
        }
    }
}

/// The best cut of each lane: its merit as a fraction, its bin, and the sum of its first side.
#[derive(Clone, Copy, Debug)]
struct Lanes<S> {
    tops: [f64; LANES],
    bottoms: [f64; LANES],
    bins: [u64; LANES],
    lefts: [S; LANES],
}

impl<S: AnySum> Default for Lanes<S> {
    fn default() -> Lanes<S> {
        Lanes { tops: [0.0; LANES], bottoms: [1.0; LANES], bins: [0; LANES], lefts: [S::default(); LANES] }
    }
}

impl<S: AnySum> Lanes<S> {
    fn best(&self) -> Option<BestCut> {
        let mut best: Option<BestCut> = None;
        let merits: [f64; LANES] = std::array::from_fn(|lane| self.tops[lane] / self.bottoms[lane]);
        for (lane, merit) in merits.into_iter().enumerate() {
            let bin = self.bins[lane] as usize;
            let better = |best: BestCut| merit > best.merit || (merit == best.merit && bin < best.bin);
            if self.tops[lane] > 0.0 && best.is_none_or(better) {
                best = Some(BestCut { merit, bin, left: self.lefts[lane].widened() });
            }
        }
        best
    }
}

multiversion! {
    /// Looks at cuts, eight at a time, with selections in place of branches: compilers vectorize that for any tier.
    fn scan_blocks(sums: &[Sum], cuts: Range<usize>, limits: &CutLimits, lanes: &mut Lanes<Sum>) {
        let (gradient, hessian) = limits.total.parts();
        let skipped = cuts.start / LANES;
        let mut left = sums[..skipped * LANES].iter().fold(Sum::narrowed(limits.begin), |a, b| a.plus(*b));
        let (first, end) = (cuts.start as u64, cuts.end as u64);
        let mut best = *lanes;
        for (block, sums) in sums.as_chunks::<LANES>().0.iter().enumerate().skip(skipped) {
            let mut lefts = [0; LANES];
            for lane in 0..LANES {
                left = left.plus(sums[lane]);
                lefts[lane] = left;
            }
            for (lane, left) in lefts.into_iter().enumerate() {
                let (g1, h1) = left.parts();
                let (g2, h2) = (gradient - g1, hessian - h1);
                let (d1, d2) = (h1 + limits.l2, h2 + limits.l2);
                let (top, bottom) = (g1 * g1 * d2 + g2 * g2 * d1, d1 * d2);
                let bin = (block * LANES + lane) as u64;
                let better = top * best.bottoms[lane] > best.tops[lane] * bottom;
                let enough = (h1 >= limits.least) & (h2 >= limits.least);
                let replaces = better & enough & (bin >= first) & (bin < end);
                best.tops[lane] = if replaces { top } else { best.tops[lane] };
                best.bottoms[lane] = if replaces { bottom } else { best.bottoms[lane] };
                best.bins[lane] = if replaces { bin } else { best.bins[lane] };
                best.lefts[lane] = if replaces { left } else { best.lefts[lane] };
            }
        }
        *lanes = best;
    }
}

#[cfg(target_arch = "x86_64")]
pub(super) mod avx512 {
    use super::{AnySum, CutLimits, LANES, Lanes, Range, Sum};
    use std::arch::x86_64::{
        __m512i, _CMP_GE_OQ, _CMP_GT_OQ, _mm512_add_epi64, _mm512_add_pd, _mm512_alignr_epi64, _mm512_and_epi64,
        _mm512_cmp_pd_mask, _mm512_cmplt_epi64_mask, _mm512_cvtepi64_pd, _mm512_loadu_epi64, _mm512_loadu_pd,
        _mm512_mask_mov_epi64, _mm512_mask_mov_pd, _mm512_mul_pd, _mm512_permutexvar_epi64, _mm512_set1_epi64,
        _mm512_set1_pd, _mm512_setr_epi64, _mm512_setzero_si512, _mm512_srai_epi64, _mm512_storeu_epi64,
        _mm512_storeu_pd, _mm512_sub_pd,
    };

    /// Running sums of eight, all behind `begin`: a register is added to itself, moved by 1, 2 and 4 places.
    #[inline]
    #[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512vbmi2,popcnt,bmi1,bmi2")]
    pub fn running_sums(sums: __m512i, begin: __m512i) -> __m512i {
        let nothing = _mm512_setzero_si512();
        let sums = _mm512_add_epi64(sums, _mm512_alignr_epi64::<7>(sums, nothing));
        let sums = _mm512_add_epi64(sums, _mm512_alignr_epi64::<6>(sums, nothing));
        let sums = _mm512_add_epi64(sums, _mm512_alignr_epi64::<4>(sums, nothing));
        _mm512_add_epi64(sums, begin)
    }

    /// Eight cuts at a time.
    #[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512vbmi2,popcnt,bmi1,bmi2")]
    pub(super) fn scan(sums: &[Sum], cuts: Range<usize>, limits: &CutLimits, lanes: &mut Lanes<Sum>) {
        let skipped = cuts.start / LANES;
        let begin = sums[..skipped * LANES].iter().fold(Sum::narrowed(limits.begin), |a, b| a.plus(*b));
        let first = 0xffu8 << (cuts.start % LANES);
        let (gradient, hessian) = limits.total.parts();
        let (gradient, hessian) = (_mm512_set1_pd(gradient), _mm512_set1_pd(hessian));
        let (least, l2) = (_mm512_set1_pd(limits.least), _mm512_set1_pd(limits.l2));
        let (nothing, last, half) = (_mm512_setzero_si512(), _mm512_set1_epi64(7), _mm512_set1_epi64(0xffff_ffff));
        let (end, step) = (_mm512_set1_epi64(cuts.end as i64), _mm512_set1_epi64(LANES as i64));
        let mut sum = _mm512_set1_epi64(begin as i64);
        let mut here = _mm512_setr_epi64(0, 1, 2, 3, 4, 5, 6, 7);
        here = _mm512_add_epi64(here, _mm512_set1_epi64((skipped * LANES) as i64));
        let mut asked = first;
        // SAFETY: a list of lanes is one register long.
        let (mut tops, mut bottoms) =
            unsafe { (_mm512_loadu_pd(lanes.tops.as_ptr()), _mm512_loadu_pd(lanes.bottoms.as_ptr())) };
        let (mut bins, mut lefts) = (nothing, nothing);
        for block in &sums.as_chunks::<LANES>().0[skipped..] {
            // SAFETY: a block is one register long.
            let left = running_sums(unsafe { _mm512_loadu_epi64(block.as_ptr().cast()) }, sum);
            sum = _mm512_permutexvar_epi64(last, left);
            let g1 = _mm512_cvtepi64_pd(_mm512_srai_epi64::<32>(left));
            let h1 = _mm512_cvtepi64_pd(_mm512_and_epi64(left, half));
            let (g2, h2) = (_mm512_sub_pd(gradient, g1), _mm512_sub_pd(hessian, h1));
            let (d1, d2) = (_mm512_add_pd(h1, l2), _mm512_add_pd(h2, l2));
            let first = _mm512_mul_pd(_mm512_mul_pd(g1, g1), d2);
            let top = _mm512_add_pd(first, _mm512_mul_pd(_mm512_mul_pd(g2, g2), d1));
            let bottom = _mm512_mul_pd(d1, d2);
            let better = _mm512_cmp_pd_mask::<_CMP_GT_OQ>(_mm512_mul_pd(top, bottoms), _mm512_mul_pd(tops, bottom));
            let enough = _mm512_cmp_pd_mask::<_CMP_GE_OQ>(h1, least) & _mm512_cmp_pd_mask::<_CMP_GE_OQ>(h2, least);
            let replaces = better & enough & asked & _mm512_cmplt_epi64_mask(here, end);
            asked = 0xff;
            tops = _mm512_mask_mov_pd(tops, replaces, top);
            bottoms = _mm512_mask_mov_pd(bottoms, replaces, bottom);
            bins = _mm512_mask_mov_epi64(bins, replaces, here);
            lefts = _mm512_mask_mov_epi64(lefts, replaces, left);
            here = _mm512_add_epi64(here, step);
        }
        // SAFETY: as above.
        unsafe {
            _mm512_storeu_pd(lanes.tops.as_mut_ptr(), tops);
            _mm512_storeu_pd(lanes.bottoms.as_mut_ptr(), bottoms);
            _mm512_storeu_epi64(lanes.bins.as_mut_ptr().cast(), bins);
            _mm512_storeu_epi64(lanes.lefts.as_mut_ptr().cast(), lefts);
        }
    }
}

/// Adds sums of at most as many rows as fit them to wide ones.
pub fn widen(to: &mut [Wide], sums: &[Sum]) {
    to.iter_mut().zip(sums).for_each(|(a, b)| *a = a.plus(b.widened()));
}

/// Takes a part from wide sums.
pub fn take<S: AnySum>(from: &mut [Wide], part: &[S]) {
    from.iter_mut().zip(part).for_each(|(a, b)| *a = a.minus(b.widened()));
}

multiversion! {
    /// Takes one set of sums from another.
    pub fn subtract(from: &mut [Sum], sums: &[Sum]) {
        from.iter_mut().zip(sums).for_each(|(a, b)| *a = a.wrapping_sub(*b));
    }
}

multiversion! {
    /// Adds one set of sums to another.
    pub fn merge(to: &mut [Sum], sums: &[Sum]) {
        to.iter_mut().zip(sums).for_each(|(a, b)| *a = a.wrapping_add(*b));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_best_cut_is_found_with_any_instructions() {
        let mut state = 3u64;
        let mut next = || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            state >> 33
        };
        for round in 0..300 {
            // Rows without a value have the bin behind the last cut; they belong to either side whatever the cut, so that
            // the sums of a block that ends behind it may exceed the total.
            let bins = 2 + (next() % 254) as usize;
            let sums: Vec<Sum> = (0..256)
                .map(|bin| {
                    if bin > bins || next().is_multiple_of(3) {
                        return 0;
                    }
                    let (g, h) = ((next() % 2001) as i64 - 1000, 1 + next() % 500);
                    ((g << 32) as u64).wrapping_add(h)
                })
                .collect();
            let total = sums.iter().fold(0, |a: Sum, b| a.wrapping_add(*b));
            let wide: Vec<Wide> = sums.iter().map(|sum| sum.widened()).collect();
            let limits = CutLimits {
                total: total.widened(),
                begin: if round % 2 == 0 { 0 } else { wide[bins] },
                l2: (round % 3) as f64,
                least: 1.0 + (round % 3 / 2) as f64 * 300.0,
            };
            let from = if round % 4 == 3 { (next() % bins as u64) as usize } else { 0 };
            let cuts = from..bins - 1;
            let portable = Sum::best_cut(Isa::PORTABLE, &sums, cuts.clone(), &limits);
            for isa in Isa::all() {
                assert_eq!(portable, Sum::best_cut(isa, &sums, cuts.clone(), &limits));
                assert_eq!(portable, Wide::best_cut(isa, &wide, cuts.clone(), &limits));
            }
            let mut best: Option<(f64, usize)> = None;
            let mut left = if round % 2 == 0 { 0 } else { sums[bins] };
            for (bin, sum) in sums[..cuts.end].iter().enumerate() {
                left = left.wrapping_add(*sum);
                let ((g1, h1), (g, h)) = (left.parts(), total.parts());
                let (g2, h2) = (g - g1, h - h1);
                let merit = g1 * g1 / (h1 + limits.l2) + g2 * g2 / (h2 + limits.l2);
                if bin >= from && h1.min(h2) >= limits.least && merit > 0.0 && best.is_none_or(|(most, _)| merit > most)
                {
                    best = Some((merit, bin));
                }
            }
            assert_eq!(portable.is_some(), best.is_some());
            if let (Some(portable), Some((merit, _))) = (portable, best) {
                assert!((portable.merit / merit - 1.0).abs() < 1e-12);
            }
        }
    }
}
