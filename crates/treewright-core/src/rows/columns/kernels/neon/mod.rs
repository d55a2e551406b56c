//! Kernels written out for NEON, which every 64-bit ARM processor has.
//!
//! The other kernels need no form here: their portable loops are compiled to NEON.

pub mod lanes;
pub mod pairs;
pub mod partition;

use std::arch::aarch64::*;

/// The first codes, eight a register, followed by the greatest code.
#[inline]
#[target_feature(enable = "neon")]
fn load_codes<const N: usize>(codes: &[u16], rows: usize) -> [uint16x8_t; N] {
    let mut cells = [[u16::MAX; 8]; N];
    cells.as_flattened_mut()[..rows].copy_from_slice(&codes[..rows]);
    // SAFETY: each array is one register long.
    cells.map(|cells| unsafe { vld1q_u16(cells.as_ptr()) })
}

/// The lower and the upper four of eight integers, as f32.
#[inline]
#[target_feature(enable = "neon")]
fn as_floats(x: uint16x8_t) -> [float32x4_t; 2] {
    [vcvtq_f32_u32(vmovl_u16(vget_low_u16(x))), vcvtq_f32_u32(vmovl_high_u16(x))]
}

/// The lower and the upper four of eight masks.
#[inline]
#[target_feature(enable = "neon")]
fn widen_mask(x: uint16x8_t) -> [uint32x4_t; 2] {
    let x = vreinterpretq_s16_u16(x);
    [vreinterpretq_u32_s32(vmovl_s16(vget_low_s16(x))), vreinterpretq_u32_s32(vmovl_high_s16(x))]
}

/// `left * (rows - left)`, at least 1.
#[inline]
#[target_feature(enable = "neon")]
fn sides(left: float32x4_t, rows: float32x4_t) -> float32x4_t {
    vmaxq_f32(vmulq_f32(left, vsubq_f32(rows, left)), vdupq_n_f32(1.0))
}
