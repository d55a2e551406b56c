//! One row and many small trees: each byte of a register is a tree.
//!
//! Step `k` of 64 trees is one look-up of their slots' bytes, two comparisons and a move; a row goes through a hundred trees of
//! 31 leaves in as many instructions as a walk takes through a few of them.
//!
//! Glossary. A *lane* is the place of a tree in its group. Steps that a tree does not have come from an end that nothing
//! stands at.

use super::masks::Masks;
use super::steps::{SIGN, Step};
#[cfg(target_arch = "x86_64")]
use crate::simd::Tier;
use crate::simd::{Isa, multiversion};

/// Trees of a group.
pub(super) const LANES: usize = 64;
/// Most slots: the bytes of two registers.
pub(super) const SLOTS: usize = 128;
/// An end that nothing stands at.
const NOWHERE: u8 = u8::MAX;

/// One step of every tree of a group.
#[derive(Clone, Debug)]
#[repr(align(64))]
pub(super) struct LaneStep {
    slot: [u8; LANES],
    cut: [u8; LANES],
    from: [u8; LANES],
}

/// The trees of a model in groups, if all go by steps and few slots are enough.
pub(super) fn groups(masks: &Masks) -> Option<Vec<Vec<LaneStep>>> {
    if masks.slots() > SLOTS {
        return None;
    }
    Some(masks.steps()?.chunks(LANES).map(group).collect())
}

fn group(trees: &[&[Step]]) -> Vec<LaneStep> {
    let longest = trees.iter().map(|steps| steps.len()).max().unwrap_or(0);
    let empty = LaneStep { slot: [0; LANES], cut: [0; LANES], from: [NOWHERE; LANES] };
    let mut lane_steps = vec![empty; longest];
    for (lane, steps) in trees.iter().enumerate() {
        for (to, step) in lane_steps.iter_mut().zip(*steps) {
            (to.slot[lane], to.cut[lane], to.from[lane]) = (step.slot as u8, step.cut[0] ^ SIGN, step.from[0]);
        }
    }
    lane_steps
}

/// The ends of a row in the trees of a group. `bytes` are those of the row's slots.
pub(super) fn ends(isa: Isa, steps: &[LaneStep], bytes: &[u8; SLOTS]) -> [u8; LANES] {
    #[cfg(target_arch = "x86_64")]
    if isa.tier() == Tier::Avx512 {
        // SAFETY: an `Isa` of this tier exists only where the processor has these instructions.
        return unsafe { avx512(steps, bytes) };
    }
    one_by_one(isa, steps, bytes)
}

multiversion! {
    /// One look-up after the other.
    fn one_by_one(steps: &[LaneStep], bytes: &[u8; SLOTS]) -> [u8; LANES] {
        let mut ends = [0; LANES];
        for (step, to) in steps.iter().zip(1u8..) {
            for (lane, end) in ends.iter_mut().enumerate() {
                let byte = bytes[step.slot[lane] as usize];
                *end = if (*end == step.from[lane]) & (byte > step.cut[lane]) { to } else { *end };
            }
        }
        ends
    }
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f,avx512bw,avx512vbmi")]
fn avx512(steps: &[LaneStep], bytes: &[u8; SLOTS]) -> [u8; LANES] {
    use std::arch::x86_64::{
        __m512i, _mm512_cmpeq_epi8_mask, _mm512_loadu_si512, _mm512_mask_cmpgt_epu8_mask, _mm512_mask_mov_epi8,
        _mm512_permutex2var_epi8, _mm512_set1_epi8, _mm512_setzero_si512, _mm512_storeu_si512,
    };
    // SAFETY: every array has 64 bytes from where it is read.
    let load = |bytes: &[u8; LANES]| unsafe { _mm512_loadu_si512(bytes.as_ptr().cast::<__m512i>()) };
    // SAFETY: there are 128 bytes.
    let (low, high) = unsafe {
        let first = bytes.as_ptr();
        (_mm512_loadu_si512(first.cast::<__m512i>()), _mm512_loadu_si512(first.add(LANES).cast::<__m512i>()))
    };
    let mut ends = _mm512_setzero_si512();
    for (step, to) in steps.iter().zip(1i8..) {
        let byte = _mm512_permutex2var_epi8(low, load(&step.slot), high);
        let stands = _mm512_cmpeq_epi8_mask(ends, load(&step.from));
        let moves = _mm512_mask_cmpgt_epu8_mask(stands, byte, load(&step.cut));
        ends = _mm512_mask_mov_epi8(ends, moves, _mm512_set1_epi8(to));
    }
    let mut out = [0; LANES];
    // SAFETY: there is room for 64 bytes.
    unsafe { _mm512_storeu_si512(out.as_mut_ptr().cast::<__m512i>(), ends) };
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rng::Stream;

    #[test]
    fn all_tiers_end_at_the_same_place() {
        let random = Stream::new(1, 2);
        for case in 0..50u64 {
            let mut place = case << 32;
            let mut byte = |bound: u64| {
                place += 1;
                random.below(place, bound) as u8
            };
            let mut bytes = [0; SLOTS];
            bytes.fill_with(|| byte(256));
            let mut step = |to: u8| LaneStep {
                slot: std::array::from_fn(|_| byte(128)),
                cut: std::array::from_fn(|_| byte(256)),
                from: std::array::from_fn(|_| byte(u64::from(to) + 1)),
            };
            let steps: Vec<LaneStep> = (0..63).map(&mut step).collect();
            let expected = ends(Isa::PORTABLE, &steps, &bytes);
            Isa::all().for_each(|isa| assert_eq!(ends(isa, &steps, &bytes), expected));
        }
    }
}
