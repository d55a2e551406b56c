//! Large pieces of memory that cost nothing before they are used, on large pages where the system has them: dozens of
//! columns are read side by side, and with small pages the processor would forget where they are.

use crate::{Error, Result};
use std::alloc::{Layout, alloc_zeroed};

/// Numbers that are zero where all their bits are.
pub trait Plain: Copy {}

impl Plain for f32 {}
impl Plain for f64 {}
impl Plain for i32 {}
impl Plain for u8 {}
impl Plain for u16 {}
impl Plain for u32 {}

/// So many zeros.
pub fn zeros<T: Plain>(len: usize) -> Result<Vec<T>> {
    if len == 0 {
        return Ok(Vec::new());
    }
    let layout = Layout::array::<T>(len).map_err(|_| Error::Memory)?;
    // SAFETY: the layout is not empty: no number is.
    let place = unsafe { alloc_zeroed(layout) }.cast::<T>();
    if place.is_null() {
        return Err(Error::Memory);
    }
    ask_for_large_pages(place.cast(), layout.size());
    // SAFETY: the global allocator gave this memory for just this layout, and zeros are numbers.
    Ok(unsafe { Vec::from_raw_parts(place, len, len) })
}

/// Asks the system to back memory with large pages. It may refuse; nothing depends on it.
#[cfg(target_os = "linux")]
fn ask_for_large_pages(place: *mut u8, size: usize) {
    const PAGE: usize = 1 << 21;
    const LARGE_PAGES: i32 = 14;
    unsafe extern "C" {
        fn madvise(place: *mut u8, size: usize, advice: i32) -> i32;
    }
    let skipped = place.align_offset(PAGE);
    if skipped < size && size - skipped >= PAGE {
        let whole = (size - skipped) / PAGE * PAGE;
        // SAFETY: the range is inside the memory that was just given to us; the advice changes how it is backed, not what
        // it holds.
        unsafe { madvise(place.add(skipped), whole, LARGE_PAGES) };
    }
}

#[cfg(not(target_os = "linux"))]
fn ask_for_large_pages(_: *mut u8, _: usize) {}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn memory_is_zero_and_impossible_sizes_are_refused() {
        for len in [0, 1, 5_000_000] {
            let mut numbers = zeros::<u16>(len).unwrap();
            assert!(numbers.len() == len && numbers.iter().all(|&number| number == 0));
            numbers.fill(7);
            numbers.push(8);
        }
        assert!(zeros::<u16>(usize::MAX / 3).is_err());
    }
}
