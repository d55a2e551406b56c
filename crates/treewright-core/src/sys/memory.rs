//! Running out of memory without dying of it.
//!
//! What grows with the cells of a table, the nodes of a tree or the product of two such numbers asks first (`try_reserve`)
//! and is refused with an error. What grows with the rows alone, and all that is small, cannot be refused: Rust ends the
//! process. So a *reserve* is set aside before work begins, which costs address space and no memory. When the
//! system refuses an allocation, the reserve is given back and the allocation tried again; from then on memory is *short*,
//! and whoever looks at [`crate::sys::pool::Cancel`] is told to stop.
//!
//! Only a program that declares [`Frugal`] as its allocator has a reserve.

use crate::{Error, Result};
use std::alloc::{GlobalAlloc, Layout, System};
use std::ptr::null_mut;
use std::sync::atomic::{AtomicBool, AtomicPtr, AtomicUsize, Ordering};

/// What any work can need between two looks.
const LEAST: usize = 1 << 23;
/// More address space than this is not to be had everywhere.
const MOST: usize = 1 << 30;
/// How often a refused allocation is tried again.
const TRIES: usize = 64;

/// The reserve; its first bytes hold its size, so whoever takes the pointer out knows what to free.
static RESERVE: AtomicPtr<usize> = AtomicPtr::new(null_mut());
/// The size of the last reserve that was set aside: decides what may draw on it, never what is freed.
static SIZE: AtomicUsize = AtomicUsize::new(0);
static SHORT: AtomicBool = AtomicBool::new(false);

/// Whether an allocation was refused since the last time that a reserve could be set aside.
#[inline]
pub fn is_short() -> bool {
    SHORT.load(Ordering::Relaxed)
}

/// An error where memory is short. For loops that allocate and have no flag to look at.
pub fn enough() -> Result<()> {
    if is_short() { Err(Error::Memory) } else { Ok(()) }
}

/// Sets a reserve of about so many bytes aside, unless there is one. Where the system refuses, memory is short.
pub fn set_aside(bytes: usize) {
    let size = bytes.min(MOST) + LEAST;
    if !RESERVE.load(Ordering::Acquire).is_null() && SIZE.load(Ordering::Relaxed) >= size {
        return SHORT.store(!can_begin(), Ordering::Relaxed);
    }
    give_back();
    let place = space::take(size).cast::<usize>();
    SHORT.store(place.is_null() || !can_begin(), Ordering::Relaxed);
    if place.is_null() {
        return;
    }
    // SAFETY: the memory is new, aligned for a `usize` and larger than one.
    unsafe { place.write(size) };
    SIZE.store(size, Ordering::Relaxed);
    // Another thread may have set one aside meanwhile: one is enough.
    free(RESERVE.swap(place, Ordering::AcqRel));
}

/// Makes sure that there is some reserve. Costs one load where there is.
#[inline]
pub fn set_some_aside() {
    if RESERVE.load(Ordering::Relaxed).is_null() {
        set_aside(0);
    }
}

/// Whether there is memory besides the reserve to begin with: a thread that finds none for itself ends the process.
fn can_begin() -> bool {
    can_hold(2 * LEAST)
}

/// Whether the system would give so many bytes now.
pub fn can_hold(bytes: usize) -> bool {
    let place = space::take(bytes);
    if !place.is_null() {
        // SAFETY: it was just taken with this size, and nobody else knows it.
        unsafe { space::release(place, bytes) };
    }
    !place.is_null()
}

/// Address space straight from the system. The allocator may keep what is given back to it for one thread alone; and a
/// thread that came when memory was short already can use nothing but new space.
#[cfg(all(target_os = "linux", not(miri)))]
mod space {
    use std::ptr::null_mut;

    const READ_AND_WRITE: i32 = 1 | 2;
    const PRIVATE_AND_ANONYMOUS: i32 = 2 | 32;
    unsafe extern "C" {
        fn mmap(place: *mut u8, size: usize, access: i32, kind: i32, file: i32, offset: i64) -> *mut u8;
        fn munmap(place: *mut u8, size: usize) -> i32;
    }

    /// So many bytes, which cost nothing before they are used; null where there are none.
    pub fn take(size: usize) -> *mut u8 {
        // SAFETY: new memory at a place of the system's choice; failure is an address of all bits.
        let place = unsafe { mmap(null_mut(), size, READ_AND_WRITE, PRIVATE_AND_ANONYMOUS, -1, 0) };
        if place.addr() == usize::MAX { null_mut() } else { place }
    }

    /// Gives them back.
    ///
    /// # Safety
    /// `take` gave this place with this size, and nobody uses it any more.
    pub unsafe fn release(place: *mut u8, size: usize) {
        // SAFETY: the caller's promise.
        unsafe { munmap(place, size) };
    }
}

/// The same by the allocator.
#[cfg(not(all(target_os = "linux", not(miri))))]
mod space {
    use std::alloc::{GlobalAlloc, Layout, System};
    use std::ptr::null_mut;

    const ALIGN: usize = 16;

    /// So many bytes; null where there are none.
    pub fn take(size: usize) -> *mut u8 {
        match Layout::from_size_align(size, ALIGN) {
            // SAFETY: the size is not 0.
            Ok(layout) if size > 0 => unsafe { System.alloc(layout) },
            _ => null_mut(),
        }
    }

    /// Gives them back.
    ///
    /// # Safety
    /// `take` gave this place with this size, and nobody uses it any more.
    pub unsafe fn release(place: *mut u8, size: usize) {
        // SAFETY: the caller's promise; the layout was made before.
        unsafe { System.dealloc(place, Layout::from_size_align_unchecked(size, ALIGN)) };
    }
}

/// Gives the reserve back to the system, if there is one.
fn give_back() {
    free(RESERVE.swap(null_mut(), Ordering::AcqRel));
}

/// Frees a reserve that was swapped out of [`RESERVE`]; nothing where there was none.
fn free(place: *mut usize) {
    if place.is_null() {
        return;
    }
    // SAFETY: only `set_aside` fills `RESERVE`, with memory whose first bytes hold the size it was taken with. A swap hands a
    // pointer to one thread only, so nobody else reads or frees it.
    unsafe {
        let size = place.read();
        space::release(place.cast(), size);
    }
}

/// An empty list with room for so many values.
pub fn room<T>(len: usize) -> Result<Vec<T>> {
    let mut list = Vec::new();
    list.try_reserve_exact(len)?;
    Ok(list)
}

/// A list of so many copies of a value.
pub fn filled<T: Clone>(value: T, len: usize) -> Result<Vec<T>> {
    let mut list = room(len)?;
    list.resize(len, value);
    Ok(list)
}

/// A list of the same values.
pub fn copied<T: Clone>(values: &[T]) -> Result<Vec<T>> {
    let mut list = room(values.len())?;
    list.extend_from_slice(values);
    Ok(list)
}

/// A list of what an iterator yields, which knows how much that is at most.
pub fn collected<T>(values: impl Iterator<Item = T>) -> Result<Vec<T>> {
    let mut list = room(values.size_hint().1.unwrap_or(0))?;
    list.extend(values);
    Ok(list)
}

/// The system's allocator with a reserve behind it.
#[derive(Debug)]
pub struct Frugal;

impl Frugal {
    /// Tries, and where nothing could be had, tries again after giving the reserve back.
    #[inline]
    fn twice(size: usize, attempt: impl Fn() -> *mut u8) -> *mut u8 {
        let place = attempt();
        if place.is_null() { Frugal::again(size, attempt) } else { place }
    }

    #[cold]
    fn again(size: usize, attempt: impl Fn() -> *mut u8) -> *mut u8 {
        // Allocations that are as large can be refused, and would leave too little for those that cannot.
        if size > SIZE.load(Ordering::Relaxed) / 4 {
            return null_mut();
        }
        SHORT.store(true, Ordering::Relaxed);
        give_back();
        // Another thread may have taken the reserve out of its place and not yet freed it.
        for _ in 0..TRIES {
            let place = attempt();
            if !place.is_null() {
                return place;
            }
            std::thread::yield_now();
        }
        null_mut()
    }
}

// SAFETY: every call goes to the system's allocator with the caller's own arguments; a second attempt is made only where
// the first one allocated nothing and left what it was given as it was.
unsafe impl GlobalAlloc for Frugal {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // SAFETY: as promised to this method.
        Frugal::twice(layout.size(), || unsafe { System.alloc(layout) })
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        // SAFETY: as promised to this method.
        Frugal::twice(layout.size(), || unsafe { System.alloc_zeroed(layout) })
    }

    unsafe fn realloc(&self, old: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        // SAFETY: as promised to this method.
        Frugal::twice(size, || unsafe { System.realloc(old, layout, size) })
    }

    unsafe fn dealloc(&self, place: *mut u8, layout: Layout) {
        // SAFETY: as promised to this method.
        unsafe { System.dealloc(place, layout) }
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    /// Threads that set reserves of other sizes aside and give them back at the same time: each is freed once, with the
    /// size it was allocated with (Miri and debug allocators would say so).
    #[test]
    fn a_reserve_is_freed_once_with_its_own_size() {
        std::thread::scope(|scope| {
            for thread in 0..4 {
                scope.spawn(move || {
                    for round in 0..20 {
                        set_aside((thread * 31 + round * 7) % 11);
                        give_back();
                        set_some_aside();
                    }
                });
            }
        });
        give_back();
        assert!(RESERVE.load(Ordering::Acquire).is_null());
    }

    #[test]
    fn lists_that_no_memory_can_hold_are_refused() {
        assert!(matches!(room::<u64>(usize::MAX / 16), Err(Error::Memory)));
        assert!(matches!(filled(1u64, usize::MAX / 16), Err(Error::Memory)));
        assert_eq!(filled(7u8, 3).unwrap(), [7, 7, 7]);
        assert_eq!(copied(&[1, 2]).unwrap(), [1, 2]);
        assert_eq!(collected((0..9).filter(|n| n % 4 == 0)).unwrap(), [0, 4, 8]);
    }
}
