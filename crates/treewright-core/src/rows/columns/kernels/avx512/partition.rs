//! The AVX-512 form of [`super::super::partition`]: an instruction moves the chosen lanes of a register to its front.

/// Partitions `WIDTH` values at a time: those that stay in front move down over what was read already, the others wait in
/// the spare.
macro_rules! movable {
    ($module:ident, $type:ty, $width:literal, $bits:ty, $lane:ty, $load:ident, $store:ident, $mask_store:ident, $compress:ident, $expand:ident) => {
        pub mod $module {
            use super::super::super::histogram::low_bits;
            use super::super::super::partition::SLOP;
            use std::arch::x86_64::{$compress, $expand, $load, $mask_store, $store};

            /// # Safety
            /// `mask` must have a bit for each value and `spare` room for all values and [`SLOP`] more.
            #[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi2,popcnt,bmi1,bmi2")]
            pub unsafe fn partition(values: &mut [$type], mask: &[u32], spare: &mut [$type]) {
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
                let whole = low_bits($width) as $bits;
                let tail_start = values.len() / $width * $width;
                // Whole registers are written without a mask, which takes half the time: those behind the last value in
                // front are written again later.
                for start in (0..tail_start).step_by($width) {
                    let front = (mask[start / 32] >> (start % 32)) as $bits;
                    let to_front = front.count_ones() as usize;
                    // SAFETY: a whole register is there. `left` is at most `start`, so that only values are overwritten
                    // that were loaded. `right` is at most `start`, and the spare has room for a whole register behind
                    // each value.
                    unsafe {
                        let lanes = $load(whole, from.add(start));
                        $store(from.add(left), $compress(front, lanes));
                        $store(wait.add(right), $compress(!front, lanes));
                    }
                    left += to_front;
                    right += $width - to_front;
                }
                if tail_start < values.len() {
                    let count = values.len() - tail_start;
                    let here = low_bits(count) as $bits;
                    let front = (mask[tail_start / 32] >> (tail_start % 32)) as $bits & here;
                    let to_front = front.count_ones() as usize;
                    // SAFETY: load and store in front are masked to the values that are there; see above for the spare.
                    unsafe {
                        let lanes = $load(here, from.add(tail_start));
                        $mask_store(from.add(left), low_bits(to_front) as $bits, $compress(front, lanes));
                        $store(wait.add(right), $compress(here & !front, lanes));
                    }
                    left += to_front;
                    right += count - to_front;
                }
                values[left..].copy_from_slice(&spare[..right]);
            }

            /// # Safety
            /// There must be a value for each member.
            #[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi2,popcnt,bmi1,bmi2")]
            pub unsafe fn gather(values: &[$type], members: u64, out: &mut [$type; SLOP]) {
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
    halves,
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
    words,
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
    longs,
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
