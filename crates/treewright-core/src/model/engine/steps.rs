//! A block of rows takes the steps of one tree: see [`super::masks`].

use super::levels::{TablePlace, Tables};
use super::masks::BLOCK;
use crate::simd::Isa;
#[cfg(target_arch = "x86_64")]
use crate::simd::Tier;

/// The highest bit of a byte.
pub(super) const SIGN: u8 = 128;

/// A question as a move between ends: each byte four times, so that a register is filled by one load of 32 bits.
#[derive(Clone, Copy, Debug)]
pub(super) struct Step {
    pub slot: u32,
    /// The cut, its highest bit turned like that of the codes.
    pub cut: [u8; 4],
    pub from: [u8; 4],
    pub to: [u8; 4],
    /// Where the children of the slot's levels are, their highest bits turned.
    table: Option<TablePlace>,
}

impl Step {
    /// A step from the end `from` to the end `to`.
    pub fn new(slot: u32, cut: u8, table: Option<TablePlace>, from: u8, to: u8) -> Step {
        Step { slot, cut: [cut ^ SIGN; 4], from: [from; 4], to: [to; 4], table }
    }
}

/// The end of each row of a block after some steps.
pub(super) fn ends(isa: Isa, tables: &Tables, steps: &[Step], bytes: &[u8], ends: &mut [u8; BLOCK]) {
    #[cfg(target_arch = "x86_64")]
    match isa.tier() {
        // SAFETY: an `Isa` of this tier exists only where the processor has these instructions.
        Tier::Avx512 => return unsafe { avx512::ends(isa, tables, steps, bytes, ends) },
        // SAFETY: as above.
        Tier::Avx2 => return unsafe { avx2::ends(isa, tables, steps, bytes, ends) },
        _ => {}
    }
    let mut children = [0; BLOCK];
    ends.fill(0);
    for step in steps {
        let bytes = bytes_of(isa, tables, step, bytes, 0, &mut children);
        // A masked addition in place of a selection, which SSE2 does slowly.
        let (from, distance, cut) = (step.from[0], step.to[0].wrapping_sub(step.from[0]), step.cut[0] as i8);
        for (end, &byte) in ends.iter_mut().zip(bytes) {
            let moves = u8::from((*end == from) & (byte as i8 > cut)).wrapping_neg();
            *end = end.wrapping_add(moves & distance);
        }
    }
}

/// The bytes of a step's slot from some row on, or the children that a table has for them.
#[inline(always)]
fn bytes_of<'a, const ROWS: usize>(
    isa: Isa,
    tables: &Tables,
    step: &Step,
    bytes: &'a [u8],
    first: usize,
    children: &'a mut [u8; ROWS],
) -> &'a [u8; ROWS] {
    let codes = &bytes[step.slot as usize * BLOCK + first..][..ROWS];
    match step.table {
        Some(table) => tables.look_up(isa, table, codes, children),
        None => {
            if let Some(codes) = codes.first_chunk() {
                return codes;
            }
        }
    }
    children
}

// Both by indices: the compiler does not always inline an iterator into a function for some processors, and registers go
// through memory then.

#[cfg(target_arch = "x86_64")]
mod avx512 {
    use super::{BLOCK, Isa, Step, Tables, bytes_of};
    use std::arch::x86_64::{
        _mm512_cmpeq_epi8_mask, _mm512_loadu_epi8, _mm512_mask_cmpgt_epi8_mask, _mm512_mask_mov_epi8,
        _mm512_set1_epi32, _mm512_setzero_si512, _mm512_storeu_epi8,
    };

    /// Bytes of a register.
    const LANES: usize = 64;
    const REGISTERS: usize = BLOCK / LANES;

    /// The same as [`super::ends`]. Registers are filled with a step's bytes by loads alone: filling them from other registers
    /// takes the one port that compares.
    #[target_feature(enable = "avx512f,avx512bw,avx512vl,bmi1,bmi2")]
    pub fn ends(isa: Isa, tables: &Tables, steps: &[Step], bytes: &[u8], ends: &mut [u8; BLOCK]) {
        let fill = |byte: [u8; 4]| _mm512_set1_epi32(i32::from_ne_bytes(byte));
        let (mut at, mut children) = ([_mm512_setzero_si512(); REGISTERS], [0; BLOCK]);
        for step in steps {
            let bytes = bytes_of(isa, tables, step, bytes, 0, &mut children).as_chunks::<LANES>().0;
            let (cut, from, to) = (fill(step.cut), fill(step.from), fill(step.to));
            for i in 0..REGISTERS {
                // SAFETY: a chunk is one register long.
                let bytes = unsafe { _mm512_loadu_epi8(bytes[i].as_ptr().cast()) };
                let moves = _mm512_mask_cmpgt_epi8_mask(_mm512_cmpeq_epi8_mask(at[i], from), bytes, cut);
                at[i] = _mm512_mask_mov_epi8(at[i], moves, to);
            }
        }
        let ends = ends.as_chunks_mut::<LANES>().0;
        for i in 0..REGISTERS {
            // SAFETY: as above.
            unsafe { _mm512_storeu_epi8(ends[i].as_mut_ptr().cast(), at[i]) };
        }
    }
}

#[cfg(target_arch = "x86_64")]
mod avx2 {
    use super::{BLOCK, Isa, Step, Tables, bytes_of};
    use std::arch::x86_64::{
        _mm256_and_si256, _mm256_blendv_epi8, _mm256_cmpeq_epi8, _mm256_cmpgt_epi8, _mm256_loadu_si256,
        _mm256_set1_epi32, _mm256_setzero_si256, _mm256_storeu_si256,
    };

    /// Bytes of a register.
    const LANES: usize = 32;
    /// Rows whose ends stay in registers.
    const PART: usize = 256;
    const REGISTERS: usize = PART / LANES;

    /// The same as [`super::ends`].
    #[target_feature(enable = "avx2,bmi1,bmi2")]
    pub fn ends(isa: Isa, tables: &Tables, steps: &[Step], bytes: &[u8], ends: &mut [u8; BLOCK]) {
        let fill = |byte: [u8; 4]| _mm256_set1_epi32(i32::from_ne_bytes(byte));
        for (part, ends) in ends.as_chunks_mut::<PART>().0.iter_mut().enumerate() {
            let (mut at, mut children) = ([_mm256_setzero_si256(); REGISTERS], [0; PART]);
            for step in steps {
                let bytes = bytes_of(isa, tables, step, bytes, part * PART, &mut children).as_chunks::<LANES>().0;
                let (cut, from, to) = (fill(step.cut), fill(step.from), fill(step.to));
                for i in 0..REGISTERS {
                    // SAFETY: a chunk is one register long.
                    let bytes = unsafe { _mm256_loadu_si256(bytes[i].as_ptr().cast()) };
                    let moves = _mm256_and_si256(_mm256_cmpeq_epi8(at[i], from), _mm256_cmpgt_epi8(bytes, cut));
                    at[i] = _mm256_blendv_epi8(at[i], to, moves);
                }
            }
            let ends = ends.as_chunks_mut::<LANES>().0;
            for i in 0..REGISTERS {
                // SAFETY: as above.
                unsafe { _mm256_storeu_si256(ends[i].as_mut_ptr().cast(), at[i]) };
            }
        }
    }
}
