//! Questions about categories, asked of a block of rows: a byte says the level of a row, and a table of bytes the child.
//!
//! A processor looks up 16 or 64 bytes at once in a table that fits its registers, so such a question costs little more than
//! a comparison of numbers. Equal tables are kept once.

use crate::simd::Isa;
#[cfg(target_arch = "x86_64")]
use crate::simd::Tier;
use std::collections::BTreeMap;
use std::num::NonZeroU32;

/// Most levels of a column whose questions are tables: a missing value has a byte too.
pub(super) const LEVELS: u32 = 255;
/// Bytes of a part of a table: one register of AVX-512.
const PART: usize = 64;
/// Most parts of all tables: 16 MB. Trees beyond are answered another way.
const PARTS: usize = 1 << 18;
/// The number of parts stands below the place of the first one.
const SHIFT: u32 = 3;

/// Where a table is: 1, 2 or 4 parts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct TablePlace(NonZeroU32);

/// The tables of a model, in parts.
#[derive(Debug, Default)]
pub(super) struct Tables(Vec<[u8; PART]>);

impl Tables {
    /// Where the table is that has these bytes, at most 256. `places` are those of the tables so far.
    pub fn place(&mut self, places: &mut BTreeMap<Vec<u8>, TablePlace>, bytes: Vec<u8>) -> Option<TablePlace> {
        if let Some(&place) = places.get(&bytes) {
            return Some(place);
        }
        let parts = bytes.len().div_ceil(PART).next_power_of_two();
        let place = TablePlace(NonZeroU32::new((self.0.len() as u32) << SHIFT | parts as u32)?);
        let mut all = bytes.clone();
        all.resize(parts * PART, 0);
        self.0.extend_from_slice(all.as_chunks().0);
        places.insert(bytes, place);
        Some(place)
    }

    /// Whether so many more tables fit.
    pub fn have_room(&self, tables: usize) -> bool {
        self.0.len() + tables * (256 / PART) <= PARTS
    }

    /// The parts of a table.
    #[inline(always)]
    fn parts(&self, place: TablePlace) -> &[[u8; PART]] {
        let place = place.0.get();
        let first = (place >> SHIFT) as usize;
        &self.0[first..first + (place & ((1 << SHIFT) - 1)) as usize]
    }

    /// The byte of each code. There are as many as children, a multiple of 64. Never inlined, and called cold: the ends of a
    /// block stay in registers where no question is about levels.
    #[cold]
    #[inline(never)]
    pub fn look_up(&self, isa: Isa, place: TablePlace, codes: &[u8], children: &mut [u8]) {
        let table = self.parts(place);
        #[cfg(target_arch = "x86_64")]
        match isa.tier() {
            // SAFETY: an `Isa` of this tier exists only where the processor has these instructions.
            Tier::Avx512 => return unsafe { avx512(table, codes, children) },
            // SAFETY: as above.
            Tier::Avx2 if table.len() < 4 => return unsafe { avx2(table, codes, children) },
            _ => {}
        }
        let _ = isa;
        one_by_one(table, codes, children);
    }
}

fn one_by_one(table: &[[u8; PART]], codes: &[u8], children: &mut [u8]) {
    // Own room of this length: no byte leads outside, so that nothing is checked.
    let mut all = [0; 256];
    all[..table.len() * PART].copy_from_slice(table.as_flattened());
    children.iter_mut().zip(codes).for_each(|(children, &code)| *children = all[usize::from(code)]);
}

/// 64 codes at a time. One instruction looks up in 128 bytes at most.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f,avx512bw,avx512vbmi")]
fn avx512(table: &[[u8; PART]], codes: &[u8], children: &mut [u8]) {
    use std::arch::x86_64::{
        __m512i, _mm512_loadu_si512, _mm512_mask_blend_epi8, _mm512_movepi8_mask, _mm512_permutex2var_epi8,
        _mm512_permutexvar_epi8, _mm512_storeu_si512,
    };
    // SAFETY: every array has 64 bytes.
    let load = |bytes: &[u8; PART]| unsafe { _mm512_loadu_si512(bytes.as_ptr().cast::<__m512i>()) };
    for (codes, children) in codes.as_chunks::<PART>().0.iter().zip(children.as_chunks_mut::<PART>().0) {
        let codes = load(codes);
        let bytes = match table {
            [a] => _mm512_permutexvar_epi8(codes, load(a)),
            [a, b] => _mm512_permutex2var_epi8(load(a), codes, load(b)),
            [a, b, c, d] => {
                let low = _mm512_permutex2var_epi8(load(a), codes, load(b));
                let high = _mm512_permutex2var_epi8(load(c), codes, load(d));
                _mm512_mask_blend_epi8(_mm512_movepi8_mask(codes), low, high)
            }
            _ => return,
        };
        // SAFETY: there is room for 64 bytes.
        unsafe { _mm512_storeu_si512(children.as_mut_ptr().cast(), bytes) };
    }
}

/// 32 codes at a time, in 16 bytes of the table after the other. With 256 bytes it would be slower than one by one.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
fn avx2(table: &[[u8; PART]], codes: &[u8], children: &mut [u8]) {
    use std::arch::x86_64::{
        _mm_loadu_si128, _mm256_adds_epu8, _mm256_broadcastsi128_si256, _mm256_loadu_si256, _mm256_or_si256,
        _mm256_set1_epi8, _mm256_setzero_si256, _mm256_shuffle_epi8, _mm256_storeu_si256, _mm256_sub_epi8,
    };
    const LANES: usize = 32;
    for (codes, children) in codes.as_chunks::<LANES>().0.iter().zip(children.as_chunks_mut::<LANES>().0) {
        // SAFETY: 32 bytes are there.
        let mut codes = unsafe { _mm256_loadu_si256(codes.as_ptr().cast()) };
        let mut bytes = _mm256_setzero_si256();
        for sixteen in table.as_flattened().as_chunks::<16>().0 {
            // SAFETY: 16 bytes are there.
            let table = _mm256_broadcastsi128_si256(unsafe { _mm_loadu_si128(sixteen.as_ptr().cast()) });
            // Codes outside get the highest bit, with which a byte is looked up as 0.
            let places = _mm256_adds_epu8(codes, _mm256_set1_epi8(0x70));
            bytes = _mm256_or_si256(bytes, _mm256_shuffle_epi8(table, places));
            codes = _mm256_sub_epi8(codes, _mm256_set1_epi8(16));
        }
        // SAFETY: there is room for 32 bytes.
        unsafe { _mm256_storeu_si256(children.as_mut_ptr().cast(), bytes) };
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::super::masks::BLOCK;
    use super::*;
    use crate::rng::Stream;

    #[test]
    fn all_tiers_look_up_the_same_bytes() {
        let random = Stream::new(4, 0);
        let (mut tables, mut places) = (Tables::default(), BTreeMap::new());
        for (case, length) in [3, 16, 17, 63, 64, 65, 128, 129, 200, 255, 256].into_iter().enumerate() {
            let byte = |place: usize, bound| random.below((case * 1000 + place) as u64, bound) as u8;
            let bytes: Vec<u8> = (0..length).map(|i| byte(i, 256)).collect();
            let place = tables.place(&mut places, bytes.clone()).unwrap();
            assert_eq!(tables.place(&mut places, bytes.clone()), Some(place), "an equal table is the same one");
            let codes: [u8; BLOCK] = std::array::from_fn(|i| byte(300 + i, length as u64));
            for isa in Isa::all() {
                let mut children = [0; BLOCK];
                tables.look_up(isa, place, &codes, &mut children);
                assert_eq!(children, codes.map(|code| bytes[usize::from(code)]), "{length} bytes, {isa:?}");
            }
        }
    }

    #[test]
    fn the_room_is_bounded() {
        assert!(Tables::default().have_room(PARTS / 4));
        assert!(!Tables::default().have_room(PARTS / 4 + 1));
    }
}
