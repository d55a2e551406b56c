//! Running out of memory without dying of it.
//!
//! Large allocations ask first (`try_reserve`) and are refused with an error. The many small ones cannot be refused: Rust
//! ends the process. So a *reserve* is set aside before work begins, which costs address space and no memory. When the
//! system refuses an allocation, the reserve is given back and the allocation tried again; from then on memory is *short*,
//! and whoever looks at [`crate::pool::Cancel`] is told to stop.
//!
//! Only a program that declares [`Frugal`] as its allocator has a reserve.

use crate::{Error, Result};
use std::alloc::{GlobalAlloc, Layout, System};
use std::ptr::null_mut;
use std::sync::atomic::{AtomicBool, AtomicPtr, AtomicUsize, Ordering};

/// What any work can need between two looks.
const LEAST: usize = 1 << 22;
/// More address space than this is not to be had everywhere.
const MOST: usize = 1 << 28;
const ALIGN: usize = 16;
/// How often a refused allocation is tried again.
const TRIES: usize = 64;

static RESERVE: AtomicPtr<u8> = AtomicPtr::new(null_mut());
/// The size of the reserve, written before its pointer.
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

/// Sets a reserve aside that suits work on so many values, unless there is one. Where the system refuses, memory is short.
pub fn set_aside(values: usize) {
    // Between two looks no work needs more than a table of the values would. What is larger asks first.
    let wanted = values.saturating_mul(size_of::<f64>()).min(MOST) + LEAST;
    if !RESERVE.load(Ordering::Acquire).is_null() && SIZE.load(Ordering::Relaxed) >= wanted {
        return SHORT.store(!can_begin(), Ordering::Relaxed);
    }
    give_back();
    let Ok(layout) = Layout::from_size_align(wanted, ALIGN) else { return };
    // SAFETY: the size is not 0.
    let place = unsafe { System.alloc(layout) };
    SHORT.store(place.is_null() || !can_begin(), Ordering::Relaxed);
    if place.is_null() {
        return;
    }
    // Only an empty place is filled, by one thread: until then its size belongs to nobody.
    if RESERVE.compare_exchange(null_mut(), CLAIMED, Ordering::AcqRel, Ordering::Relaxed).is_ok() {
        SIZE.store(wanted, Ordering::Relaxed);
        RESERVE.store(place, Ordering::Release);
    } else {
        // SAFETY: it was allocated above with this layout, and nobody else knows it.
        unsafe { System.dealloc(place, layout) };
    }
}

/// Whether there is memory besides the reserve to begin with: a thread that finds none for itself ends the process.
fn can_begin() -> bool {
    let Ok(layout) = Layout::from_size_align(4 * LEAST, ALIGN) else { return false };
    // SAFETY: the size is not 0, and it is freed with the layout it was allocated with.
    unsafe {
        let place = System.alloc(layout);
        if !place.is_null() {
            System.dealloc(place, layout);
        }
        !place.is_null()
    }
}

/// A place that is being filled; never a place in memory that was allocated.
const CLAIMED: *mut u8 = std::ptr::without_provenance_mut(1);

/// Gives the reserve back to the system, if there is one.
fn give_back() {
    let place = RESERVE.load(Ordering::Acquire);
    if place.is_null() || place == CLAIMED {
        return;
    }
    let size = SIZE.load(Ordering::Relaxed);
    let taken = RESERVE.compare_exchange(place, null_mut(), Ordering::AcqRel, Ordering::Relaxed).is_ok();
    if let (true, Ok(layout)) = (taken, Layout::from_size_align(size, ALIGN)) {
        // SAFETY: it was allocated with this layout, and whoever swaps the pointer out is the only one to free it.
        unsafe { System.dealloc(place, layout) };
    }
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
        // Large allocations can be refused, and would leave too little for those that cannot.
        if size > SIZE.load(Ordering::Relaxed) / 8 {
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
