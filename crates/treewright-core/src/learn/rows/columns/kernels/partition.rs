//! Moving the rows of a node to the side they go to. Rows keep their order on both sides.
//!
//! Bit `i % 32` of word `i / 32` of a mask says whether value `i` goes to the front.

use super::Isa;
use super::histogram::low_bits;

/// Room that a spare needs beyond the values.
pub const SLOP: usize = 64;

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
    fn all_kinds_of_values_keep_their_order() {
        check(|i| i as u16);
        check(|i| i as u32);
        check(|i| i as i64);
    }
}
