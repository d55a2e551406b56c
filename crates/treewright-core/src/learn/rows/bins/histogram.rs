//! Adding up the gradients of a node's rows by bin: the inner loop of boosting, one addition of 64 bits a cell.
//!
//! A group's histograms fit the nearest cache. The number of columns and the width of their histograms are known to the
//! compiler, so a row is as many loads of a byte and additions to memory as it has columns, and nothing else. Rows that
//! are not next to each other are asked for a little before they are needed.

use super::packed::{Sum, widen};
use super::store::{Group, Store};

/// So many rows before it is needed, a row is asked for.
const AHEAD: usize = 24;
/// Rows that all groups add up before the next ones are begun: their codes stay near.
const BLOCK: usize = 4096;

/// Rows of one chunk of the table, by their distance from its first row.
#[derive(Clone, Copy, Debug)]
pub enum Which<'a> {
    /// All rows.
    All,
    /// Some rows.
    These(&'a [u16]),
}

/// Adds the rows of a chunk that begins at row `first` to the histograms. `words` are the packed gradients of the chunk.
pub fn add(store: &Store, first: usize, words: &[u32], rows: Which<'_>, sums: &mut [Sum]) {
    debug_assert!(sums.len() >= store.places && first + words.len() <= store.rows);
    let codes = store.rows_from(first);
    match rows {
        Which::All => {
            for (block, words) in words.chunks(BLOCK).enumerate() {
                let codes = &codes[block * BLOCK * store.stride..];
                for group in &store.groups {
                    // SAFETY: there is a row of codes for each word, and histograms for every group.
                    unsafe { kernel(group)(store.stride, &codes[group.byte..], words, None, &mut sums[group.place..]) };
                }
            }
        }
        Which::These(rows) => {
            debug_assert!(rows.iter().all(|&row| usize::from(row) < words.len()));
            for rows in rows.chunks(BLOCK) {
                for group in &store.groups {
                    // SAFETY: as above; the rows of a chunk lie within it.
                    unsafe {
                        kernel(group)(store.stride, &codes[group.byte..], words, Some(rows), &mut sums[group.place..])
                    };
                }
            }
        }
    }
}

/// What adds up one group: the stride, the codes, the words, the rows, the sums.
type Kernel = unsafe fn(usize, &[u8], &[u32], Option<&[u16]>, &mut [Sum]);

fn kernel(group: &Group) -> Kernel {
    match group.width {
        16 => of_width::<16>(group.count),
        64 => of_width::<64>(group.count),
        _ => of_width::<256>(group.count),
    }
}

fn of_width<const WIDTH: usize>(count: usize) -> Kernel {
    match count {
        1 => group::<WIDTH, 1>,
        2 => group::<WIDTH, 2>,
        3 => group::<WIDTH, 3>,
        4 => group::<WIDTH, 4>,
        5 => group::<WIDTH, 5>,
        6 => group::<WIDTH, 6>,
        7 => group::<WIDTH, 7>,
        8 => group::<WIDTH, 8>,
        9 => group::<WIDTH, 9>,
        10 => group::<WIDTH, 10>,
        11 => group::<WIDTH, 11>,
        12 => group::<WIDTH, 12>,
        13 => group::<WIDTH, 13>,
        14 => group::<WIDTH, 14>,
        15 => group::<WIDTH, 15>,
        _ => group::<WIDTH, 16>,
    }
}

/// # Safety
/// `codes` holds `COUNT` codes below `WIDTH` for every row of the words, `stride` bytes apart; all rows are below the number
/// of words; there are `COUNT * WIDTH` sums.
unsafe fn group<const WIDTH: usize, const COUNT: usize>(
    stride: usize,
    codes: &[u8],
    words: &[u32],
    rows: Option<&[u16]>,
    sums: &mut [Sum],
) {
    let (codes, sums) = (codes.as_ptr(), sums.as_mut_ptr());
    match rows {
        None => {
            for (row, &word) in words.iter().enumerate() {
                // SAFETY: the caller's promise.
                unsafe { add_row::<WIDTH, COUNT>(codes.add(row * stride), sums, word) };
            }
        }
        Some(rows) => {
            for (i, &row) in rows.iter().enumerate() {
                let later = rows[(i + AHEAD).min(rows.len() - 1)] as usize;
                // SAFETY: the caller's promise: these are rows too.
                unsafe {
                    prefetch(codes.add(later * stride));
                    prefetch(words.as_ptr().add(later).cast());
                    let word = *words.get_unchecked(row as usize);
                    add_row::<WIDTH, COUNT>(codes.add(row as usize * stride), sums, word);
                }
            }
        }
    }
}

/// # Safety
/// There are `COUNT` codes below `WIDTH`, and `COUNT * WIDTH` sums.
#[inline(always)]
unsafe fn add_row<const WIDTH: usize, const COUNT: usize>(codes: *const u8, sums: *mut Sum, word: u32) {
    let word = widen(word);
    for column in 0..COUNT {
        // SAFETY: the caller's promise.
        unsafe {
            let place = sums.add(column * WIDTH + *codes.add(column) as usize);
            *place = (*place).wrapping_add(word);
        }
    }
}

/// Asks for the cache line of a place.
#[inline(always)]
unsafe fn prefetch(place: *const u8) {
    #[cfg(target_arch = "x86_64")]
    // SAFETY: a request that may be ignored; it touches nothing.
    unsafe {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        _mm_prefetch::<_MM_HINT_T0>(place.cast());
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = place;
}
