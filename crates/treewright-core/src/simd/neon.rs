//! Registers of 128 bits, four at a time: NEON, which every 64-bit ARM processor has.
//!
//! Six times sixteen f32 are 24 sums, which fit into the 32 registers.

use super::pack::PACK_WORDS;
use super::{BYTES, FLOATS, Simd};
use std::arch::aarch64::*;

/// An expression for each of four registers.
macro_rules! quarters {
    ($i:ident => $e:expr) => {
        written_out!($i in 0 1 2 3 => $e)
    };
}

/// The registers. Nothing needs to be proved.
#[derive(Clone, Copy, Debug)]
pub struct Neon;

/// The bit that each of 16 lanes has in the mask of its half.
const BITS: [u8; 16] = [1, 2, 4, 8, 16, 32, 64, 128, 1, 2, 4, 8, 16, 32, 64, 128];

#[inline]
#[target_feature(enable = "neon")]
fn load_bytes(from: &[u8; 16]) -> uint8x16_t {
    // SAFETY: the array is one register long.
    unsafe { vld1q_u8(from.as_ptr()) }
}

/// Turns 16 lanes of 8 bits, all set or none, into a bit each. NEON has no instruction for that.
#[inline]
#[target_feature(enable = "neon")]
pub(crate) fn gather_bits(lanes: uint8x16_t) -> u16 {
    let bits = vandq_u8(lanes, load_bytes(&BITS));
    u16::from(vaddv_u8(vget_low_u8(bits))) | u16::from(vaddv_u8(vget_high_u8(bits))) << 8
}

/// Turns 16 lanes of 32 bits, all set or none, into a bit each.
#[inline]
#[target_feature(enable = "neon")]
pub(crate) fn gather_word_bits(lanes: [uint32x4_t; 4]) -> u16 {
    let [a, b, c, d] = quarters!(i => vreinterpretq_u16_u32(lanes[i]));
    let (low, high) = (vuzp1q_u16(a, b), vuzp1q_u16(c, d));
    gather_bits(vuzp1q_u8(vreinterpretq_u8_u16(low), vreinterpretq_u8_u16(high)))
}

/// Turns 16 bits into lanes of 8 bits, all set or none.
#[inline]
#[target_feature(enable = "neon")]
fn spread_bits(mask: u16) -> uint8x16_t {
    vtstq_u8(vcombine_u8(vdup_n_u8(mask as u8), vdup_n_u8((mask >> 8) as u8)), load_bytes(&BITS))
}

/// Turns 16 bits into lanes of 32 bits, all set or none.
#[inline]
#[target_feature(enable = "neon")]
fn spread_word_bits(mask: u16) -> [uint32x4_t; 4] {
    let bits = [1, 2, 4, 8];
    // SAFETY: the array is one register long.
    let bits = unsafe { vld1q_u32(bits.as_ptr()) };
    quarters!(i => vtstq_u32(vdupq_n_u32(u32::from(mask >> (4 * i))), bits))
}

/// The masks of four registers, the lowest first, as one.
#[inline(always)]
fn join_masks([a, b, c, d]: [u16; 4]) -> u64 {
    u64::from(a) | u64::from(b) << 16 | u64::from(c) << 32 | u64::from(d) << 48
}

/// The products of two lanes each, added, for numbers that were bytes.
#[inline]
#[target_feature(enable = "neon")]
fn pair_products(a: uint16x8_t, b: int16x8_t) -> int32x4_t {
    let a = vreinterpretq_s16_u16(a);
    vpaddq_s32(vmull_s16(vget_low_s16(a), vget_low_s16(b)), vmull_high_s16(a, b))
}

/// Uses instructions of NEON.
macro_rules! op {
    ($e:expr) => {
        // SAFETY: every processor of this architecture has the instructions. A slice is cut to the length that is read, and
        // an array has the length that is written, before a pointer to it is taken.
        unsafe { $e }
    };
}

impl Simd for Neon {
    const PARTS: usize = 1;
    type F = [float32x4_t; 4];
    type I = [int32x4_t; 4];
    type B = [uint8x16_t; 4];

    #[inline(always)]
    fn splat_f(self, x: f32) -> Self::F {
        op!([vdupq_n_f32(x); 4])
    }
    #[inline(always)]
    fn load_f(self, from: &[f32]) -> Self::F {
        let from = &from[..FLOATS];
        op!(quarters!(i => vld1q_f32(from.as_ptr().add(4 * i))))
    }
    #[inline(always)]
    fn store_f(self, x: Self::F, to: &mut [f32; FLOATS]) {
        op!({
            for (i, x) in x.into_iter().enumerate() {
                vst1q_f32(to.as_mut_ptr().add(4 * i), x);
            }
        })
    }
    #[inline(always)]
    fn sub_f(self, a: Self::F, b: Self::F) -> Self::F {
        op!(quarters!(i => vsubq_f32(a[i], b[i])))
    }
    #[inline(always)]
    fn abs_f(self, a: Self::F) -> Self::F {
        op!(quarters!(i => vabsq_f32(a[i])))
    }
    #[inline(always)]
    fn mul_add_f(self, a: Self::F, b: Self::F, c: Self::F) -> Self::F {
        op!(quarters!(i => vfmaq_f32(c[i], a[i], b[i])))
    }
    #[inline(always)]
    fn add_f(self, a: Self::F, b: Self::F) -> Self::F {
        op!(quarters!(i => vaddq_f32(a[i], b[i])))
    }
    #[inline(always)]
    fn max_f(self, a: Self::F, b: Self::F) -> Self::F {
        op!({
            // Not `vmaxq_f32`: where a is NaN, b is taken, as on other processors.
            quarters!(i => vbslq_f32(vcgtq_f32(a[i], b[i]), a[i], b[i]))
        })
    }
    #[inline(always)]
    fn or_f(self, a: Self::F, b: Self::F) -> Self::F {
        op!(quarters!(i => vbslq_f32(vceqq_f32(a[i], a[i]), a[i], b[i])))
    }
    #[inline(always)]
    fn ge_f(self, a: Self::F, b: Self::F) -> u16 {
        op!(gather_word_bits(quarters!(i => vcgeq_f32(a[i], b[i]))))
    }

    #[inline(always)]
    fn widen(self, from: &[u8; FLOATS]) -> Self::F {
        op!({
            let bytes = load_bytes(from);
            let (low, high) = (vmovl_u8(vget_low_u8(bytes)), vmovl_u8(vget_high_u8(bytes)));
            let quarters = [vget_low_u16(low), vget_high_u16(low), vget_low_u16(high), vget_high_u16(high)];
            quarters!(i => vcvtq_f32_u32(vmovl_u16(quarters[i])))
        })
    }
    #[inline(always)]
    fn mul_f(self, a: Self::F, b: Self::F) -> Self::F {
        op!(quarters!(i => vmulq_f32(a[i], b[i])))
    }
    #[inline(always)]
    fn round(self, a: Self::F) -> Self::I {
        op!(quarters!(i => vcvtnq_s32_f32(a[i])))
    }

    #[inline(always)]
    fn lane(self, a: Self::F, lane: usize) -> f32 {
        let mut cells = [0.0; FLOATS];
        self.store_f(a, &mut cells);
        cells[lane]
    }
    #[inline(always)]
    fn least(self, a: Self::F, among: u16) -> usize {
        op!({
            let (here, infinite) = (spread_word_bits(among), vdupq_n_f32(f32::INFINITY));
            let [x, y, z, w] = quarters!(i => vbslq_f32(here[i], a[i], infinite));
            let least = vdupq_n_f32(vminvq_f32(vminq_f32(vminq_f32(x, y), vminq_f32(z, w))));
            (gather_word_bits(quarters!(i => vceqq_f32(a[i], least))) & among).trailing_zeros() as usize
        })
    }
    /// Each number with one shift: every lane becomes the smaller of itself and the larger of the new number and the lane
    /// below. A label stays where its own number is not larger than the new one; it is the new label where only the number
    /// below is not larger; elsewhere it comes from below.
    #[inline(always)]
    fn insert(self, list: (Self::F, Self::I), a: Self::F, mut mask: u16, first: u32) -> (Self::F, Self::I) {
        op!({
            let (mut numbers, mut labels) = list;
            let mut cells = [0.0; FLOATS];
            self.store_f(a, &mut cells);
            while mask != 0 {
                let lane = mask.trailing_zeros();
                mask &= mask - 1;
                let (number, label) = (vdupq_n_f32(cells[lane as usize]), vdupq_n_s32((first + lane) as i32));
                let (mut lower, mut lower_label) = (vdupq_n_f32(f32::NEG_INFINITY), label);
                for i in 0..4 {
                    let below = vextq_f32::<3>(lower, numbers[i]);
                    let moved = vextq_s32::<3>(lower_label, labels[i]);
                    (lower, lower_label) = (numbers[i], labels[i]);
                    let (stays, comes) = (vcleq_f32(numbers[i], number), vcleq_f32(below, number));
                    labels[i] = vbslq_s32(stays, labels[i], vbslq_s32(comes, label, moved));
                    numbers[i] = vminq_f32(numbers[i], vmaxq_f32(number, below));
                }
            }
            (numbers, labels)
        })
    }

    #[inline(always)]
    fn splat_i(self, x: i32) -> Self::I {
        op!([vdupq_n_s32(x); 4])
    }
    #[inline(always)]
    fn load_i(self, from: &[i32; FLOATS]) -> Self::I {
        op!(quarters!(i => vld1q_s32(from.as_ptr().add(4 * i))))
    }
    #[inline(always)]
    fn store_i(self, x: Self::I, to: &mut [i32; FLOATS]) {
        op!({
            for (i, x) in x.into_iter().enumerate() {
                vst1q_s32(to.as_mut_ptr().add(4 * i), x);
            }
        })
    }
    #[inline(always)]
    fn store_some(self, x: Self::I, mask: u16, to: &mut [i32]) {
        // Of each register before, at most four lanes were chosen, so that there is room for a whole one behind them.
        op!({
            let count = mask.count_ones() as usize;
            let (mut packed, mut at) = ([0; FLOATS], 0);
            for (i, x) in x.into_iter().enumerate() {
                let here = mask >> (4 * i) & 15;
                let places = load_bytes(&PACK_WORDS[usize::from(here)]);
                let lanes = vreinterpretq_s32_u8(vqtbl1q_u8(vreinterpretq_u8_s32(x), places));
                vst1q_s32(packed.as_mut_ptr().add(at), lanes);
                at += here.count_ones() as usize;
            }
            to[..count].copy_from_slice(&packed[..count]);
        })
    }
    #[inline(always)]
    fn max_i(self, a: Self::I, b: Self::I) -> Self::I {
        op!(quarters!(i => vmaxq_s32(a[i], b[i])))
    }
    #[inline(always)]
    fn ge_i(self, a: Self::I, b: Self::I) -> u16 {
        op!(gather_word_bits(quarters!(i => vcgeq_s32(a[i], b[i]))))
    }
    /// Widened to 16 bits, multiplied to 32, and added in pairs. (Processors with `usdot` have it in one instruction.)
    #[inline(always)]
    fn dot_bytes(self, c: Self::I, a: Self::I, b: Self::I) -> Self::I {
        op!({
            quarters!(i => {
                let (a, b) = (vreinterpretq_u8_s32(a[i]), vreinterpretq_s8_s32(b[i]));
                let low = pair_products(vmovl_u8(vget_low_u8(a)), vmovl_s8(vget_low_s8(b)));
                let high = pair_products(vmovl_u8(vget_high_u8(a)), vmovl_s8(vget_high_s8(b)));
                vaddq_s32(c[i], vpaddq_s32(low, high))
            })
        })
    }

    #[inline(always)]
    fn splat_b(self, x: u8) -> Self::B {
        op!([vdupq_n_u8(x); 4])
    }
    #[inline(always)]
    fn load_b(self, from: &[u8]) -> Self::B {
        let from = &from[..BYTES];
        op!(quarters!(i => vld1q_u8(from.as_ptr().add(16 * i))))
    }
    #[inline(always)]
    fn store_b(self, x: Self::B, to: &mut [u8; BYTES]) {
        op!({
            for (i, x) in x.into_iter().enumerate() {
                vst1q_u8(to.as_mut_ptr().add(16 * i), x);
            }
        })
    }
    #[inline(always)]
    fn ne_b(self, a: Self::B, b: Self::B) -> u64 {
        !join_masks(op!(quarters!(i => gather_bits(vceqq_u8(a[i], b[i])))))
    }
    #[inline(always)]
    fn le_b(self, a: Self::B, b: Self::B) -> u64 {
        join_masks(op!(quarters!(i => gather_bits(vcleq_u8(a[i], b[i])))))
    }
    #[inline(always)]
    fn add_b(self, a: Self::B, mask: u64, b: Self::B) -> Self::B {
        op!(quarters!(i => vqaddq_u8(a[i], vandq_u8(b[i], spread_bits((mask >> (16 * i)) as u16)))))
    }
}
