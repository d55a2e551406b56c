//! Moving the rows of a node to the side they go to. Rows keep their order on both sides.
//!
//! Bit `i % 32` of word `i / 32` of a mask says whether value `i` goes to the front.

use super::Isa;
use super::histogram::low_bits;

/// Room that a spare needs beyond the values, and the most values that are gathered.
pub const SLOP: usize = 64;

/// The members at the places whose bit is set in `chosen`: bit `i` stands for the `i`-th member.
pub fn members_at(isa: Isa, chosen: u64, members: u64) -> u64 {
    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "bmi2")]
    fn wide(chosen: u64, members: u64) -> u64 {
        std::arch::x86_64::_pdep_u64(chosen, members)
    }
    #[cfg(target_arch = "x86_64")]
    if isa.is_wide() {
        // SAFETY: `Isa::detect` has seen the instruction.
        return unsafe { wide(chosen, members) };
    }
    let _ = isa;
    let (mut rest, mut found, mut chosen) = (members, 0, chosen);
    while rest != 0 && chosen != 0 {
        found |= if chosen & 1 != 0 { rest & rest.wrapping_neg() } else { 0 };
        rest &= rest - 1;
        chosen >>= 1;
    }
    found
}

/// Values that can be moved, several at once.
pub trait Movable: Copy {
    /// Moves values whose bit is set to the front, the others behind them. `spare` has room for all and [`SLOP`] more.
    fn partition(isa: Isa, values: &mut [Self], mask: &[u32], spare: &mut [Self]) {
        debug_assert!(mask.len() * 32 >= values.len() && spare.len() >= values.len() + SLOP);
        #[cfg(target_arch = "x86_64")]
        if isa.is_wide() && mask.len() * 32 >= values.len() && spare.len() >= values.len() + SLOP {
            // SAFETY: `Isa::detect` has seen the instructions; the lengths are as asked for.
            return unsafe { Self::partition_wide(values, mask, spare) };
        }
        let _ = isa;
        plain(values, mask, spare);
    }

    /// Copies the values whose bit is set in `members` to the front of `out`, in their order; what is behind them there may
    /// be overwritten. Every member must be one of the values.
    fn gather(isa: Isa, values: &[Self], members: u64, out: &mut [Self; SLOP]) {
        debug_assert!(values.len() >= 64 - members.leading_zeros() as usize);
        #[cfg(target_arch = "x86_64")]
        if isa.is_wide() && values.len() >= 64 - members.leading_zeros() as usize {
            // SAFETY: `Isa::detect` has seen the instructions; the last member is there.
            return unsafe { Self::gather_wide(values, members, out) };
        }
        let _ = isa;
        let (mut rest, mut places) = (members, out.iter_mut());
        while let (true, Some(place)) = (rest != 0, places.next()) {
            *place = values[rest.trailing_zeros() as usize];
            rest &= rest - 1;
        }
    }

    /// # Safety
    /// The processor must have AVX-512 with VBMI2; there must be a value for each member.
    #[cfg(target_arch = "x86_64")]
    unsafe fn gather_wide(values: &[Self], members: u64, out: &mut [Self; SLOP]);

    /// # Safety
    /// The processor must have AVX-512 with VBMI2; `mask` must have a bit for each value and `spare` room for all values
    /// and [`SLOP`] more.
    #[cfg(target_arch = "x86_64")]
    unsafe fn partition_wide(values: &mut [Self], mask: &[u32], spare: &mut [Self]);
}

fn plain<T: Copy>(values: &mut [T], mask: &[u32], spare: &mut [T]) {
    let spare = &mut spare[..values.len()];
    let (mut left, mut right) = (0, 0);
    for i in 0..values.len() {
        // Both are written and one is kept: no branch that cannot be foreseen.
        let (value, bit) = (values[i], (mask[i / 32] >> (i % 32) & 1) as usize);
        values[left] = value;
        spare[right] = value;
        left += bit;
        right += 1 - bit;
    }
    values[left..].copy_from_slice(&spare[..right]);
}

/// Partitions `WIDTH` values at a time: those that stay in front move down over what was read already, the others wait in
/// the spare.
macro_rules! movable {
    ($type:ty, $width:literal, $bits:ty, $lane:ty, $load:ident, $store:ident, $mask_store:ident, $compress:ident, $expand:ident) => {
        impl Movable for $type {
            #[cfg(target_arch = "x86_64")]
            #[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi2,popcnt,bmi1,bmi2")]
            unsafe fn partition_wide(values: &mut [$type], mask: &[u32], spare: &mut [$type]) {
                use std::arch::x86_64::{$compress, $expand, $load, $mask_store, $store};
                if values.len() <= $width {
                    let here = low_bits(values.len()) as $bits;
                    let front = mask.first().map_or(0, |word| *word as $bits) & here;
                    let behind = here & !(low_bits(front.count_ones() as usize) as $bits);
                    // SAFETY: load and store are masked to the values that are there.
                    unsafe {
                        let lanes = $load(here, values.as_ptr().cast());
                        let moved = $expand($compress(front, lanes), behind, $compress(here & !front, lanes));
                        $mask_store(values.as_mut_ptr().cast(), here, moved);
                    }
                    return;
                }
                let (from, wait) = (values.as_mut_ptr().cast::<$lane>(), spare.as_mut_ptr().cast::<$lane>());
                let (mut left, mut right) = (0, 0);
                for start in (0..values.len()).step_by($width) {
                    let count = (values.len() - start).min($width);
                    let here = low_bits(count) as $bits;
                    let front = (mask[start / 32] >> (start % 32)) as $bits & here;
                    let kept = front.count_ones() as usize;
                    // SAFETY: the load is masked to the values that are there. `left` is at most `start`, so that the
                    // masked store touches only values that were loaded. `right` is at most `start`, and the spare has
                    // room for a whole register behind each value.
                    unsafe {
                        let lanes = $load(here, from.add(start));
                        $mask_store(from.add(left), low_bits(kept) as $bits, $compress(front, lanes));
                        $store(wait.add(right), $compress(here & !front, lanes));
                    }
                    left += kept;
                    right += count - kept;
                }
                values[left..].copy_from_slice(&spare[..right]);
            }

            #[cfg(target_arch = "x86_64")]
            #[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi2,popcnt,bmi1,bmi2")]
            unsafe fn gather_wide(values: &[$type], members: u64, out: &mut [$type; SLOP]) {
                use std::arch::x86_64::{$compress, $load, $store};
                let (mut rest, mut start, mut at) = (members, 0, 0);
                while rest != 0 {
                    let here = rest as $bits;
                    // SAFETY: the load is masked to members, which are there. `at` is at most `start`, and there is
                    // room for a whole register behind that.
                    unsafe {
                        let lanes = $load(here, values.as_ptr().add(start).cast());
                        $store(out.as_mut_ptr().add(at).cast(), $compress(here, lanes));
                    }
                    at += here.count_ones() as usize;
                    start += $width;
                    rest >>= $width;
                }
            }
        }
    };
}

movable!(
    u16,
    32,
    u32,
    i16,
    _mm512_maskz_loadu_epi16,
    _mm512_storeu_epi16,
    _mm512_mask_storeu_epi16,
    _mm512_maskz_compress_epi16,
    _mm512_mask_expand_epi16
);
movable!(
    u32,
    16,
    u16,
    i32,
    _mm512_maskz_loadu_epi32,
    _mm512_storeu_epi32,
    _mm512_mask_storeu_epi32,
    _mm512_maskz_compress_epi32,
    _mm512_mask_expand_epi32
);
movable!(
    i64,
    8,
    u8,
    i64,
    _mm512_maskz_loadu_epi64,
    _mm512_storeu_epi64,
    _mm512_mask_storeu_epi64,
    _mm512_maskz_compress_epi64,
    _mm512_mask_expand_epi64
);

#[cfg(test)]
mod tests {
    use super::*;

    fn check<T: Movable + PartialEq + std::fmt::Debug + Default>(make: impl Fn(usize) -> T) {
        for len in [0, 1, 7, 31, 32, 33, 64, 100, 1000] {
            for step in 1..7 {
                let values: Vec<T> = (0..len).map(&make).collect();
                let goes = |i: usize| i.wrapping_mul(2_654_435_761) >> 7 & 7 < step;
                let mut mask = vec![0u32; len.div_ceil(32)];
                (0..len).filter(|&i| goes(i)).for_each(|i| mask[i / 32] |= 1 << (i % 32));
                let mut expected: Vec<T> = (0..len).filter(|&i| goes(i)).map(|i| values[i]).collect();
                expected.extend((0..len).filter(|&i| !goes(i)).map(|i| values[i]));
                for isa in [Isa::PLAIN, Isa::detect()] {
                    let mut moved = values.clone();
                    T::partition(isa, &mut moved, &mask, &mut vec![T::default(); len + SLOP]);
                    assert_eq!(moved, expected);
                }
            }
        }
    }

    #[test]
    fn members_are_gathered_and_found_again() {
        let values: Vec<u32> = (100..164).collect();
        for turn in 0..200u64 {
            let members = turn.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> (turn % 60);
            let expected: Vec<u32> = (0..64).filter(|i| members >> i & 1 != 0).map(|i| 100 + i).collect();
            let len = 64 - members.leading_zeros() as usize;
            for isa in [Isa::PLAIN, Isa::detect()] {
                let (mut words, mut halves, mut longs) = ([0u32; SLOP], [0u16; SLOP], [0i64; SLOP]);
                u32::gather(isa, &values[..len], members, &mut words);
                assert_eq!(words[..expected.len()], expected);
                let narrow: Vec<u16> = values[..len].iter().map(|&value| value as u16).collect();
                u16::gather(isa, &narrow, members, &mut halves);
                assert!(halves.iter().zip(&expected).all(|(&a, &b)| u32::from(a) == b));
                let long: Vec<i64> = values[..len].iter().map(|&value| value.into()).collect();
                i64::gather(isa, &long, members, &mut longs);
                assert!(longs.iter().zip(&expected).all(|(&a, &b)| a == i64::from(b)));
            }
            let chosen = turn.wrapping_mul(0xd1b5_4a32_d192_ed03)
                & 1u64.checked_shl(members.count_ones()).unwrap_or(0).wrapping_sub(1);
            let found = (0..64).filter(|i| chosen >> i & 1 != 0).map(|i| 1u64 << (expected[i] - 100));
            let found = found.sum::<u64>();
            assert_eq!([Isa::PLAIN, Isa::detect()].map(|isa| members_at(isa, chosen, members)), [found; 2]);
        }
    }

    #[test]
    fn all_kinds_of_values_keep_their_order() {
        check(|i| i as u16);
        check(|i| i as u32);
        check(|i| i as i64);
    }
}
