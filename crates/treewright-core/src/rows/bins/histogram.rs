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

/// Rows of one chunk of the table, by their distance from its first row, and what each adds.
#[derive(Clone, Copy, Debug)]
pub enum Which<'a> {
    /// All rows, with their packed gradients.
    All(&'a [u32]),
    /// Some rows; packed gradients are there for all of the chunk.
    These(&'a [u32], &'a [u16]),
}

/// Adds rows of a chunk that begins at row `first` to the histograms of some groups, of which `sums` begins with the first.
///
/// # Safety
/// The groups are some of the store's, one after the other; `sums` has a place for each bin of each of them; there are words
/// for no more rows than the store has from `first` on; and each row of a list is the place of a word.
pub unsafe fn add(store: &Store, groups: &[Group], first: usize, which: Which<'_>, sums: &mut [Sum]) {
    let codes = store.rows_from(first);
    let begin = groups.first().map_or(0, |group| group.place);
    debug_assert!(groups.last().is_none_or(|last| sums.len() >= last.place + last.width * last.count - begin));
    let mut each = |codes: &[u8], which: Which<'_>| {
        for group in groups {
            // SAFETY: the caller's promise; the store has codes below the width of their group, and bytes behind the last row.
            unsafe { kernel(group)(store.stride, &codes[group.byte..], which, &mut sums[group.place - begin..]) };
        }
    };
    match which {
        Which::All(words) => {
            debug_assert!(first + words.len() <= store.rows);
            for (block, words) in words.chunks(BLOCK).enumerate() {
                each(&codes[block * BLOCK * store.stride..], Which::All(words));
            }
        }
        Which::These(words, rows) => {
            debug_assert!(rows.iter().all(|&row| usize::from(row) < words.len()));
            rows.chunks(BLOCK).for_each(|rows| each(codes, Which::These(words, rows)));
        }
    }
}

/// What adds up one group: the stride, the codes, the rows, the sums.
type Kernel = unsafe fn(usize, &[u8], Which<'_>, &mut [Sum]);

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
    which: Which<'_>,
    sums: &mut [Sum],
) {
    let (codes, sums) = (codes.as_ptr(), sums.as_mut_ptr());
    match which {
        Which::All(words) => {
            for (row, &word) in words.iter().enumerate() {
                // SAFETY: the caller's promise.
                unsafe { add_row::<WIDTH, COUNT>(load(codes.add(row * stride)), sums, widen(word)) };
            }
        }
        Which::These(words, rows) => {
            let word = |_: usize, row: u16| {
                // SAFETY: the caller's promise.
                unsafe { widen(*words.get_unchecked(usize::from(row))) }
            };
            // SAFETY: the caller's promise; asking for a word that is there.
            let ask = |row: u16| unsafe { prefetch(words.as_ptr().add(usize::from(row))) };
            // SAFETY: the caller's promise.
            unsafe { listed::<WIDTH, COUNT>(stride, codes, rows, word, ask, sums) };
        }
    }
}

/// Adds the rows of a list. The codes of a row are loaded while the one before it is added: what waits for memory is then a
/// load, never an addition that others must wait for.
///
/// # Safety
/// As for [`group`].
#[inline(always)]
unsafe fn listed<const WIDTH: usize, const COUNT: usize>(
    stride: usize,
    codes: *const u8,
    rows: &[u16],
    word: impl Fn(usize, u16) -> Sum,
    ask: impl Fn(u16),
    sums: *mut Sum,
) {
    let Some(last) = rows.len().checked_sub(1) else { return };
    // SAFETY: these are rows.
    let load = |row: u16| unsafe { load(codes.add(usize::from(row) * stride)) };
    let mut here = (load(rows[0]), word(0, rows[0]));
    for i in 0..rows.len() {
        let later = rows[(i + AHEAD).min(last)];
        // SAFETY: this is a row too.
        unsafe { prefetch(codes.add(usize::from(later) * stride)) };
        ask(later);
        let after = (i + 1).min(last);
        let next = (load(rows[after]), word(after, rows[after]));
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
