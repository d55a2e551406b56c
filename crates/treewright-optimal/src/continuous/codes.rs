//! Numbers of a column as ordered codes, and what is done with thousands of them at once: comparing and keeping some.

use treewright_core::prelude::{Isa, Tier};

/// The instructions that the loops of this folder use.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Instructions {
    /// What any processor can do.
    Portable,
    /// Counting and gathering bits in one instruction.
    #[cfg(target_arch = "x86_64")]
    Bits,
    /// Registers of 64 bytes too.
    #[cfg(target_arch = "x86_64")]
    Wide,
}

impl Instructions {
    /// The best that this processor has, or what `TREEWRIGHT_SIMD` allows.
    pub fn detect() -> Instructions {
        Instructions::of(Isa::detect())
    }

    /// The best of a tier.
    pub fn of(isa: Isa) -> Instructions {
        match isa.tier() {
            #[cfg(target_arch = "x86_64")]
            Tier::Avx512 if is_x86_feature_detected!("avx512vpopcntdq") => Instructions::Wide,
            #[cfg(target_arch = "x86_64")]
            Tier::Avx512 | Tier::Avx2 => Instructions::Bits,
            _ => Instructions::Portable,
        }
    }
}

/// The place of a number among the distinct numbers of its column. 16 bits where they suffice: twice as many fit a
/// register.
pub trait Code: Copy + Ord + Send + Sync + std::fmt::Debug + 'static {
    /// Above every code: what rows are padded with.
    const PAD: Self;

    /// The code of the number at a place, which is below [`Code::PAD`].
    fn new(place: usize) -> Self;

    /// The place.
    fn place(self) -> usize;

    /// For each 64 codes, the bits of those below a cut.
    fn find_below(instructions: Instructions, codes: &[Self], cut: Self, below: &mut [u64]) {
        let _ = instructions;
        find_below_portable(codes, cut, below);
    }

    /// Copies the codes whose bit is set to the front of `chosen`, which has room for all of them and a register more.
    fn keep(instructions: Instructions, codes: &[Self], members: &[u64], chosen: &mut [Self]) {
        let _ = instructions;
        keep_portable(codes, members, chosen);
    }
}

/// Room behind the last code for a whole register.
pub const REGISTER: usize = 64;

#[inline(always)]
fn find_below_portable<T: Code>(codes: &[T], cut: T, below: &mut [u64]) {
    for (codes, below) in codes.chunks_exact(64).zip(below) {
        *below = codes.iter().enumerate().fold(0, |bits, (i, &code)| bits | u64::from(code < cut) << i);
    }
}

/// Copies what has its bit set to the front: no branch depends on the bits.
#[inline(always)]
pub fn keep_portable<T: Copy>(values: &[T], members: &[u64], chosen: &mut [T]) {
    let mut count = 0;
    for (values, &members) in values.chunks(64).zip(members) {
        for (i, &value) in values.iter().enumerate() {
            chosen[count] = value;
            count += (members >> i & 1) as usize;
        }
    }
}

impl Code for u32 {
    const PAD: u32 = u32::MAX;

    fn new(place: usize) -> u32 {
        place as u32
    }

    fn place(self) -> usize {
        self as usize
    }
}

impl Code for u16 {
    const PAD: u16 = u16::MAX;

    fn new(place: usize) -> u16 {
        place as u16
    }

    fn place(self) -> usize {
        usize::from(self)
    }

    fn find_below(instructions: Instructions, codes: &[u16], cut: u16, below: &mut [u64]) {
        match instructions {
            // SAFETY: `Wide` exists only where the processor has these instructions.
            #[cfg(target_arch = "x86_64")]
            Instructions::Wide => unsafe { wide::find_below(codes, cut, below) },
            // SAFETY: as above.
            #[cfg(target_arch = "x86_64")]
            Instructions::Bits => unsafe { bits::find_below(codes, cut, below) },
            Instructions::Portable => find_below_portable(codes, cut, below),
        }
    }

    fn keep(instructions: Instructions, codes: &[u16], members: &[u64], chosen: &mut [u16]) {
        match instructions {
            // SAFETY: `Wide` exists only where the processor has these instructions.
            #[cfg(target_arch = "x86_64")]
            Instructions::Wide => unsafe { wide::keep(codes, members, chosen) },
            _ => keep_portable(codes, members, chosen),
        }
    }
}

#[cfg(target_arch = "x86_64")]
mod wide {
    use std::arch::x86_64::*;

    #[target_feature(enable = "avx512f,avx512bw")]
    pub fn find_below(codes: &[u16], cut: u16, below: &mut [u64]) {
        let cut = _mm512_set1_epi16(cut as i16);
        for (codes, below) in codes.chunks_exact(64).zip(below) {
            // SAFETY: a chunk has 64 codes.
            let (low, high) = unsafe {
                (_mm512_loadu_si512(codes.as_ptr().cast()), _mm512_loadu_si512(codes.as_ptr().add(32).cast()))
            };
            let (low, high) = (_mm512_cmplt_epu16_mask(low, cut), _mm512_cmplt_epu16_mask(high, cut));
            *below = u64::from(low) | u64::from(high) << 32;
        }
    }

    #[target_feature(enable = "avx512f,avx512bw,avx512vbmi2,popcnt")]
    pub fn keep(codes: &[u16], members: &[u64], chosen: &mut [u16]) {
        let mut count = 0;
        for (codes, &members) in codes.chunks_exact(64).zip(members) {
            for half in 0..2 {
                let bits = (members >> (32 * half)) as u32;
                let room = &mut chosen[count..count + 32];
                // SAFETY: a chunk has 64 codes, and the room has 32.
                unsafe {
                    let values = _mm512_loadu_si512(codes.as_ptr().add(32 * half).cast());
                    _mm512_storeu_si512(room.as_mut_ptr().cast(), _mm512_maskz_compress_epi16(bits, values));
                }
                count += bits.count_ones() as usize;
            }
        }
    }
}

#[cfg(target_arch = "x86_64")]
mod bits {
    use std::arch::x86_64::*;

    #[target_feature(enable = "avx2")]
    pub fn find_below(codes: &[u16], cut: u16, below: &mut [u64]) {
        // Codes compare as signed numbers after their first bit is turned.
        let turn = _mm256_set1_epi16(i16::MIN);
        let cut = _mm256_xor_si256(_mm256_set1_epi16(cut as i16), turn);
        for (codes, below) in codes.chunks_exact(64).zip(below) {
            let mut word = 0;
            for half in 0..2 {
                // SAFETY: a chunk has 64 codes.
                let (low, high) = unsafe {
                    let place = codes.as_ptr().add(32 * half);
                    (_mm256_loadu_si256(place.cast()), _mm256_loadu_si256(place.add(16).cast()))
                };
                let low = _mm256_cmpgt_epi16(cut, _mm256_xor_si256(low, turn));
                let high = _mm256_cmpgt_epi16(cut, _mm256_xor_si256(high, turn));
                let bytes = _mm256_permute4x64_epi64::<0b11_01_10_00>(_mm256_packs_epi16(low, high));
                word |= u64::from(_mm256_movemask_epi8(bytes) as u32) << (32 * half);
            }
            *below = word;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check<T: Code>() {
        let mut seed = 1u64;
        let mut next = |most: u64| {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (seed >> 33) % most
        };
        for words in 0..5 {
            let mut codes: Vec<T> = (0..64 * words).map(|_| T::new(next(65_535) as usize)).collect();
            if let Some(last) = codes.last_mut() {
                *last = T::PAD;
            }
            let members: Vec<u64> = (0..words).map(|_| (next(1 << 31) * next(1 << 31)) | (next(2) << 63)).collect();
            let chosen: Vec<T> =
                (0..64 * words).filter(|&i| members[i / 64] >> (i % 64) & 1 == 1).map(|i| codes[i]).collect();
            for instructions in Isa::all().map(Instructions::of) {
                for cut in [0, 1, 30_000, 40_000, 65_534] {
                    let mut below = vec![7; words];
                    T::find_below(instructions, &codes, T::new(cut), &mut below);
                    let right = |i: usize| below[i / 64] >> (i % 64) & 1 == u64::from(codes[i] < T::new(cut));
                    assert!((0..64 * words).all(right), "{instructions:?} {cut}");
                }
                let mut room = vec![T::PAD; 64 * words + REGISTER];
                T::keep(instructions, &codes, &members, &mut room);
                assert_eq!(room[..chosen.len()], chosen, "{instructions:?}");
            }
        }
    }

    #[test]
    fn every_form_compares_and_keeps_alike() {
        check::<u16>();
        check::<u32>();
    }
}
