//! The AVX-512 form of [`super::super::partition`]: an instruction moves the chosen lanes of a register to its front.

use super::super::histogram::low_bits;
use std::arch::x86_64::{
    _mm512_mask_storeu_epi16, _mm512_maskz_compress_epi16, _mm512_maskz_loadu_epi16, _mm512_setzero_si512,
    _mm512_storeu_epi16,
};

/// Partitions columns of so many codes each, all by one mask. Where a column is a few registers, they are loaded and
/// written at once, and where they go is computed only once for all columns.
///
/// # Safety
/// Each column must have `len` codes, the mask a bit for each, and the spare room for all and 64 more.
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi2,popcnt,bmi1,bmi2")]
pub unsafe fn partition_columns<'c>(
    columns: impl Iterator<Item = &'c mut [u16]>,
    len: usize,
    mask: &[u32],
    spare: &mut [u16],
) {
    // SAFETY: as asked for; there are as many registers as the codes fill.
    unsafe {
        match len.div_ceil(32) {
            0 => {}
            1 => partition_registers::<1>(columns, len, mask),
            2 => partition_registers::<2>(columns, len, mask),
            3 => partition_registers::<3>(columns, len, mask),
            4 => partition_registers::<4>(columns, len, mask),
            _ => columns.for_each(|column| halves::partition(column, mask, spare)),
        }
    }
}

/// # Safety
/// See [`partition_columns`]; the codes fill `N` registers, the last of them perhaps in part.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi2,popcnt,bmi1,bmi2")]
unsafe fn partition_registers<'c, const N: usize>(
    columns: impl Iterator<Item = &'c mut [u16]>,
    len: usize,
    mask: &[u32],
) {
    let (mut here, mut front, mut left, mut right) = ([u32::MAX; N], [0; N], [0; N], [0; N]);
    here[N - 1] = low_bits(len - 32 * (N - 1));
    let (mut to_left, mut to_right) = (0, 0);
    for i in 0..N {
        front[i] = mask[i] & here[i];
        (left[i], right[i]) = (to_left, to_right);
        to_left += front[i].count_ones() as usize;
        to_right += (here[i] & !front[i]).count_ones() as usize;
    }
    for column in columns {
        let codes = column.as_mut_ptr().cast::<i16>();
        // SAFETY: loads are masked to the codes that are there. All are loaded before any is written. What a register in
        // front writes behind its own codes is written again later; but for the last, it ends before the last code, since
        // at most `32 i` codes come before it. The others are masked to their codes.
        unsafe {
            let mut lanes = [_mm512_setzero_si512(); N];
            for i in 0..N {
                lanes[i] = _mm512_maskz_loadu_epi16(here[i], codes.add(32 * i));
            }
            for i in 0..N - 1 {
                _mm512_storeu_epi16(codes.add(left[i]), _mm512_maskz_compress_epi16(front[i], lanes[i]));
            }
            let last = low_bits(to_left - left[N - 1]);
            let packed = _mm512_maskz_compress_epi16(front[N - 1], lanes[N - 1]);
            _mm512_mask_storeu_epi16(codes.add(left[N - 1]), last, packed);
            for i in 0..N {
                let behind = here[i] & !front[i];
                let packed = _mm512_maskz_compress_epi16(behind, lanes[i]);
                _mm512_mask_storeu_epi16(codes.add(to_left + right[i]), low_bits(behind.count_ones() as usize), packed);
            }
        }
    }
}

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
                let full = low_bits($width) as $bits;
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
                        let lanes = $load(full, from.add(start));
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
