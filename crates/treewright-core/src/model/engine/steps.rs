//! A block of rows takes the steps of one tree: see [`super::masks`].

use super::levels::{TablePlace, Tables};
use super::masks::BLOCK;
#[cfg(target_arch = "x86_64")]
use crate::simd::Tier;
use crate::simd::{Isa, multiversion};

/// Rows whose ends fit the registers of AVX2.
const PART: usize = 256;
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
        for (part, ends) in ends.as_chunks_mut::<PART>().0.iter_mut().enumerate() {
            // Own room, which stays in registers; a masked addition in place of a selection, which AVX2 does slowly.
            let (mut at, mut children) = ([0u8; PART], [0; PART]);
            for step in steps {
                let start = step.slot as usize * BLOCK + part * PART;
                let Some(mut bytes) = bytes[start..].first_chunk::<PART>() else { break };
                if let Some(table) = step.table {
                    tables.look_up(tier, table, bytes, &mut children);
                    bytes = &children;
                }
                let (from, distance, cut) = (step.from[0], step.distance[0], step.cut[0] as i8);
                for i in 0..PART {
                    let moves = u8::from((at[i] == from) & (bytes[i] as i8 > cut)).wrapping_neg();
                    at[i] = at[i].wrapping_add(moves & distance);
                }
            }
            *ends = at;
        }
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
        const REGISTERS: usize = BLOCK / LANES;
        let (mut at, mut children) = ([_mm512_setzero_si512(); REGISTERS], [0; BLOCK]);
        for step in steps {
            let Some(mut bytes) = bytes[step.slot as usize * BLOCK..].first_chunk::<BLOCK>() else { break };
            if let Some(table) = step.table {
                tables.look_up(isa, table, bytes, &mut children);
                bytes = &children;
            }
            let (cut, from, distance) = (fill(step.cut), fill(step.from), fill(step.distance));
            let bytes = bytes.as_chunks::<LANES>().0;
            // By indices: the compiler does not always inline an iterator here, and registers go through memory then.
            for i in 0..REGISTERS {
                // SAFETY: a chunk is one register long.
                let bytes = unsafe { _mm512_loadu_epi8(bytes[i].as_ptr().cast()) };
                let moves = _mm512_mask_cmpgt_epi8_mask(_mm512_cmpeq_epi8_mask(at[i], from), bytes, cut);
                at[i] = _mm512_mask_add_epi8(at[i], moves, at[i], distance);
            }
        }
        let ends = ends.as_chunks_mut::<LANES>().0;
        for i in 0..REGISTERS {
            // SAFETY: as above.
            unsafe { _mm512_storeu_epi8(ends[i].as_mut_ptr().cast(), at[i]) };
        }
    }
}
