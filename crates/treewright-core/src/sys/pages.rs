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
impl Plain for u64 {}

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

/// Bytes that the processor fetches together.
const LINE: usize = 64;

/// Numbers of which the first begins a line of the cache: what is as long as a line is read from one, not from two.
#[derive(Debug, Default)]
pub struct Lined<T> {
    cells: Vec<T>,
    first: usize,
}

impl<T: Plain> Lined<T> {
    /// So many zeros.
    pub fn zeros(len: usize) -> Result<Lined<T>> {
        let spare = LINE / size_of::<T>();
        let mut cells: Vec<T> = zeros(len.checked_add(spare).ok_or(Error::Memory)?)?;
        let first = cells.as_ptr().align_offset(LINE).min(spare);
        cells.truncate(first + len);
        Ok(Lined { cells, first })
    }
}

impl<T> std::ops::Deref for Lined<T> {
    type Target = [T];
    #[inline(always)]
    fn deref(&self) -> &[T] {
        &self.cells[self.first..]
    }
}

impl<T> std::ops::DerefMut for Lined<T> {
    #[inline(always)]
    fn deref_mut(&mut self) -> &mut [T] {
        &mut self.cells[self.first..]
    }
}

/// An empty list with room for so many numbers.
pub fn room<T: Plain>(len: usize) -> Result<Vec<T>> {
    let mut list: Vec<T> = Vec::new();
    list.try_reserve_exact(len)?;
    ask_for_large_pages(list.as_mut_ptr().cast(), len * size_of::<T>());
    Ok(list)
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
        let length = (size - skipped) / PAGE * PAGE;
        // SAFETY: the range is inside the memory that was just given to us; the advice changes how it is backed, not what
        // it holds.
        unsafe { madvise(place.add(skipped), length, LARGE_PAGES) };
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
        assert!(zeros::<u16>(usize::MAX / 3).is_err() && room::<u16>(usize::MAX / 3).is_err());
        let mut list = room::<f64>(1_000_000).unwrap();
        list.push(1.0);
        assert_eq!(list, [1.0]);
        for len in [0, 1, 1000, 3_000_000] {
            let mut lined = Lined::<f32>::zeros(len).unwrap();
            assert!(lined.len() == len && lined.as_ptr().align_offset(LINE) == 0);
            lined.fill(2.0);
            assert!(lined.iter().all(|&x| x == 2.0));
        }
        assert!(Lined::<f32>::zeros(usize::MAX).is_err());
    }
}
