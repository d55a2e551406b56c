//! A block of rows takes the steps of one tree: see [`super::masks`].

use super::levels::{TablePlace, Tables};
use super::masks::BLOCK;
#[cfg(target_arch = "x86_64")]
use crate::simd::Tier;
use crate::simd::{Isa, multiversion};

/// The highest bit of a byte.
pub(super) const SIGN: u8 = 128;

/// A question as a move between ends: each byte four times, so that a register is filled by one load of 32 bits.
#[derive(Clone, Copy, Debug)]
pub(super) struct Step {
    pub slot: u32,
    /// The cut, its highest bit turned like that of the codes.
    pub cut: [u8; 4],
    pub from: [u8; 4],
    /// From the end `from` to the new one.
    distance: [u8; 4],
    /// Where the children of the slot's levels are, their highest bits turned.
    table: Option<TablePlace>,
}

impl Step {
    /// A step from the end `from` to the end `to`.
    pub fn new(slot: u32, cut: u8, table: Option<TablePlace>, from: u8, to: u8) -> Step {
        Step { slot, cut: [cut ^ SIGN; 4], from: [from; 4], distance: [to.wrapping_sub(from); 4], table }
    }
}

/// The end of each row of a block after some steps.
pub(super) fn ends(isa: Isa, tables: &Tables, steps: &[Step], bytes: &[u8], ends: &mut [u8; BLOCK]) {
    #[cfg(target_arch = "x86_64")]
    if isa.tier() == Tier::Avx512 {
        // SAFETY: an `Isa` of this tier exists only where the processor has these instructions.
        return unsafe { avx512::ends(isa, tables, steps, bytes, ends) };
    }
    ends_of(isa, isa, tables, steps, bytes, ends);
}

multiversion! {
    /// The same by what the compiler makes of it.
    fn ends_of(tier: Isa, tables: &Tables, steps: &[Step], bytes: &[u8], ends: &mut [u8; BLOCK]) {
        // Own room, which stays in registers; a masked addition in place of a selection, which AVX2 does slowly.
        let (mut at, mut children) = ([0u8; BLOCK], [0; BLOCK]);
        for step in steps {
            let Some(mut bytes) = bytes[step.slot as usize * BLOCK..].first_chunk::<BLOCK>() else { break };
            if let Some(table) = step.table {
                tables.look_up(tier, table, bytes, &mut children);
                bytes = &children;
            }
            let (from, distance, cut) = (step.from[0], step.distance[0], step.cut[0] as i8);
            for i in 0..BLOCK {
                let moves = u8::from((at[i] == from) & (bytes[i] as i8 > cut)).wrapping_neg();
                at[i] = at[i].wrapping_add(moves & distance);
            }
        }
        *ends = at;
    }
}

#[cfg(target_arch = "x86_64")]
mod avx512 {
    use super::{BLOCK, Isa, Step, Tables};
    use std::arch::x86_64::{
        _mm512_cmpeq_epi8_mask, _mm512_loadu_epi8, _mm512_mask_add_epi8, _mm512_mask_cmpgt_epi8_mask,
        _mm512_set1_epi32, _mm512_setzero_si512, _mm512_storeu_epi8,
    };

    /// Bytes of a register.
    const LANES: usize = 64;

    /// The same as [`super::ends_of`], and registers are filled with a step's bytes by loads alone: filling them from other
    /// registers takes the one port that compares.
    #[target_feature(enable = "avx512f,avx512bw,avx512vl,bmi1,bmi2")]
    pub fn ends(isa: Isa, tables: &Tables, steps: &[Step], bytes: &[u8], ends: &mut [u8; BLOCK]) {
        let fill = |byte: [u8; 4]| _mm512_set1_epi32(i32::from_ne_bytes(byte));
        let (mut at, mut children) = ([_mm512_setzero_si512(); BLOCK / LANES], [0; BLOCK]);
        for step in steps {
            let Some(mut bytes) = bytes[step.slot as usize * BLOCK..].first_chunk::<BLOCK>() else { break };
            if let Some(table) = step.table {
                tables.look_up(isa, table, bytes, &mut children);
                bytes = &children;
            }
            let (cut, from, distance) = (fill(step.cut), fill(step.from), fill(step.distance));
            for (at, bytes) in at.iter_mut().zip(bytes.as_chunks::<LANES>().0) {
                // SAFETY: a chunk is one register long.
                let bytes = unsafe { _mm512_loadu_epi8(bytes.as_ptr().cast()) };
                let moves = _mm512_mask_cmpgt_epi8_mask(_mm512_cmpeq_epi8_mask(*at, from), bytes, cut);
                *at = _mm512_mask_add_epi8(*at, moves, *at, distance);
            }
        }
        for (at, ends) in at.into_iter().zip(ends.as_chunks_mut::<LANES>().0) {
            // SAFETY: as above.
            unsafe { _mm512_storeu_epi8(ends.as_mut_ptr().cast(), at) };
        }
    }
}
