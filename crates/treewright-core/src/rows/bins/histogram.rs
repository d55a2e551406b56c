//! Adding up the gradients of a node's rows by bin: the inner loop of boosting, one addition of 64 bits a cell.
//!
//! A group's histograms fit the nearest cache. The number of columns and the width of their histograms are known to the
//! compiler, so a row is two loads and as many additions to memory as it has columns, and nothing else. Rows that are not
//! next to each other are asked for a little before they are needed.

use super::packed::{Sum, widen};
use super::store::{Group, Store};
use crate::simd::prefetch;

/// So many rows before it is needed, a row is asked for.
const AHEAD: usize = 48;
/// Rows that all groups add up before the next ones are begun: their codes stay near.
const BLOCK: usize = 4096;

/// Adds rows of a chunk that begins at row `first` to the histograms of some groups, of which `sums` begins with the
/// first: those of a list, by their distance from the first row, or all. `words` are the packed gradients of the chunk.
///
/// # Safety
/// The groups are some of the store's, one after the other; `sums` has a place for each bin of each of them; there are words
/// for no more rows than the store has from `first` on; and each row of a list is the place of a word.
pub unsafe fn add(
    store: &Store,
    groups: &[Group],
    first: usize,
    words: &[u32],
    rows: Option<&[u16]>,
    sums: &mut [Sum],
) {
    let codes = store.rows_from(first);
    let begin = groups.first().map_or(0, |group| group.place);
    debug_assert!(groups.last().is_none_or(|last| sums.len() >= last.place + last.width * last.count - begin));
    let mut each = |codes: &[u8], words: &[u32], rows: Option<&[u16]>| {
        for group in groups {
            // SAFETY: the caller's promise; the store has codes below the width of their group, and bytes behind the last row.
            unsafe { kernel(group)(store.stride, &codes[group.byte..], words, rows, &mut sums[group.place - begin..]) };
        }
    };
    match rows {
        None => {
            debug_assert!(first + words.len() <= store.rows);
            for (block, words) in words.chunks(BLOCK).enumerate() {
                each(&codes[block * BLOCK * store.stride..], words, None);
            }
        }
        Some(rows) => {
            debug_assert!(rows.iter().all(|&row| usize::from(row) < words.len()));
            rows.chunks(BLOCK).for_each(|rows| each(codes, words, Some(rows)));
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
/// `codes` holds `COUNT` codes below `WIDTH` for every row, `stride` bytes apart, and readable bytes behind them; all rows of a
/// list are below the number of words; there are `COUNT * WIDTH` sums.
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
                unsafe { add_row::<WIDTH, COUNT>(load(codes.add(row * stride)), sums, widen(word)) };
            }
        }
        // SAFETY: the caller's promise.
        Some(rows) => unsafe { add_listed::<WIDTH, COUNT>(stride, codes, words, rows, sums) },
    }
}

/// Adds the rows of a list. The codes of a row are loaded while the one before it is added: what waits for memory is then a
/// load, never an addition that others must wait for.
///
/// # Safety
/// As for [`group`].
#[inline(always)]
unsafe fn add_listed<const WIDTH: usize, const COUNT: usize>(
    stride: usize,
    codes: *const u8,
    words: &[u32],
    rows: &[u16],
    sums: *mut Sum,
) {
    let Some(last) = rows.len().checked_sub(1) else { return };
    // SAFETY: these are rows.
    let load = |row: u16| unsafe { load(codes.add(usize::from(row) * stride)) };
    // SAFETY: all rows have a word.
    let word = |row: u16| unsafe { widen(*words.get_unchecked(usize::from(row))) };
    let mut here = (load(rows[0]), word(rows[0]));
    for i in 0..rows.len() {
        let row_ahead = usize::from(rows[(i + AHEAD).min(last)]);
        // SAFETY: this is a row too, and has a word.
        unsafe {
            prefetch(codes.add(row_ahead * stride));
            prefetch(words.as_ptr().add(row_ahead));
        }
        let after = rows[(i + 1).min(last)];
        let next = (load(after), word(after));
        // SAFETY: the caller's promise.
        unsafe { add_row::<WIDTH, COUNT>(here.0, sums, here.1) };
        here = next;
    }
}

/// The codes of a row: those of the most columns that a group has.
///
/// # Safety
/// 16 bytes are readable.
#[inline(always)]
unsafe fn load(codes: *const u8) -> [u64; 2] {
    // SAFETY: the caller's promise.
    unsafe { codes.cast::<[u64; 2]>().read_unaligned() }
}

/// # Safety
/// The first `COUNT` codes are below `WIDTH`, and there are `COUNT * WIDTH` sums.
#[inline(always)]
unsafe fn add_row<const WIDTH: usize, const COUNT: usize>(codes: [u64; 2], sums: *mut Sum, by: Sum) {
    let (mut low, mut high) = (codes[0].to_le(), codes[1].to_le());
    let add = |column: usize, code: u64| {
        // SAFETY: the caller's promise.
        unsafe {
            let place = sums.add(column * WIDTH + (code & 255) as usize);
            *place = (*place).wrapping_add(by);
        }
    };
    for column in 0..COUNT.min(8) {
        add(column, low);
        low >>= 8;
    }
    for column in 8..COUNT {
        add(column, high);
        high >>= 8;
    }
}
