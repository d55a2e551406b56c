//! Counts of many columns side by side in one register, for each kind of processor.
//!
//! A *word* holds 16 rows of one column; neighboring words in memory are neighboring columns. A register of words
//! against one other column gives the common rows of that column with each of them. All kinds of processors give the
//! same numbers.
//!
//! Loops over registers use indices: an iterator or a closure that is not inlined is compiled without the instructions.
#![allow(clippy::needless_range_loop)]

#[cfg(target_arch = "x86_64")]
mod avx2;
#[cfg(target_arch = "x86_64")]
mod avx512;
#[cfg(target_arch = "aarch64")]
mod neon;
mod portable;

use treewright_core::prelude::{Isa, Tier};

/// Rows in a word.
pub const WORD: usize = 16;
/// Columns are padded to a multiple of this many.
pub const PAD: usize = 16;

/// The type of counts: 16 bits where all weights of a node add up to at most 32,767, else 32.
pub trait Count: Copy + Default + Ord + Send + Sync + Into<i32> + 'static {
    /// Its registers with AVX-512.
    #[cfg(target_arch = "x86_64")]
    type Avx512: Lanes<Count = Self>;
    /// Its registers with AVX2.
    #[cfg(target_arch = "x86_64")]
    type Avx2: Lanes<Count = Self>;
    /// Its registers with NEON.
    #[cfg(target_arch = "aarch64")]
    type Neon: Lanes<Count = Self>;
    /// Its registers on any processor.
    type Portable: Lanes<Count = Self>;

    /// The count of a number that fits.
    fn from_i32(number: i32) -> Self;
}

impl Count for i16 {
    #[cfg(target_arch = "x86_64")]
    type Avx512 = avx512::Words32;
    #[cfg(target_arch = "x86_64")]
    type Avx2 = avx2::Words16;
    #[cfg(target_arch = "aarch64")]
    type Neon = neon::Words8;
    type Portable = portable::Words<i16>;

    #[inline(always)]
    fn from_i32(number: i32) -> i16 {
        number as i16
    }
}

impl Count for i32 {
    #[cfg(target_arch = "x86_64")]
    type Avx512 = portable::Words<i32>;
    #[cfg(target_arch = "x86_64")]
    type Avx2 = portable::Words<i32>;
    #[cfg(target_arch = "aarch64")]
    type Neon = portable::Words<i32>;
    type Portable = portable::Words<i32>;

    #[inline(always)]
    fn from_i32(number: i32) -> i32 {
        number
    }
}

/// A register of counts, one for each of some columns. Additions wrap around: only sums that fit are ever used.
///
/// # Safety
/// All functions need a processor of the tier that the type belongs to; pointers must be valid for all lanes.
pub unsafe trait Lanes: Copy {
    /// The type of a count.
    type Count: Count;
    /// Registers of half the size, for the last columns; the same type where there are none.
    type Half: Lanes<Count = Self::Count>;
    /// The number of columns.
    const LANES: usize;
    /// Whether the processor has registers enough to work on two of these at a time.
    const PAIRS: bool;

    /// The same count for every column.
    unsafe fn splat(count: Self::Count) -> Self;
    /// Counts from memory.
    unsafe fn load(from: *const Self::Count) -> Self;
    /// Counts to memory.
    unsafe fn store(self, to: *mut Self::Count);
    /// Sums.
    unsafe fn add(self, other: Self) -> Self;
    /// Differences.
    unsafe fn sub(self, other: Self) -> Self;
    /// The larger ones.
    unsafe fn max(self, other: Self) -> Self;
    /// The smaller ones.
    unsafe fn min(self, other: Self) -> Self;
    /// The counts times 2^bits.
    unsafe fn shift_left(self, bits: u32) -> Self;
    /// The counts where both others are at least `least`, and 0 elsewhere.
    unsafe fn keep_where(self, a: Self, b: Self, least: Self) -> Self;
    /// The common rows of one column, at `one` and every `one_step` words on, with each column at `many` and every
    /// `step` words on, in so many words.
    unsafe fn count_common<const N: usize>(
        one: *const u16,
        one_step: usize,
        many: *const u16,
        step: usize,
        words: usize,
    ) -> [Self; N];
}

/// Work on registers, written once for all kinds. Mark `run` `#[inline(always)]`.
pub trait Work<C: Count> {
    /// What it gives.
    type Output;
    /// Does the work.
    ///
    /// # Safety
    /// The processor runs the tier of `L`.
    unsafe fn run<L: Lanes<Count = C>>(self) -> Self::Output;
}

/// Does the work with the instructions of this processor.
pub fn run<C: Count, W: Work<C>>(isa: Isa, work: W) -> W::Output {
    match isa.tier() {
        // SAFETY: an `Isa` of this tier exists only where the processor has these instructions.
        #[cfg(target_arch = "x86_64")]
        Tier::Avx512 => unsafe { run_avx512(work) },
        // SAFETY: as above.
        #[cfg(target_arch = "x86_64")]
        Tier::Avx2 => unsafe { run_avx2(work) },
        // SAFETY: as above; every processor of this architecture has them.
        #[cfg(target_arch = "aarch64")]
        Tier::Neon => unsafe { work.run::<C::Neon>() },
        // SAFETY: these instructions are part of the architecture.
        _ => unsafe { work.run::<C::Portable>() },
    }
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512bitalg,avx2,bmi1,bmi2,lzcnt,popcnt")]
fn run_avx512<C: Count, W: Work<C>>(work: W) -> W::Output {
    // SAFETY: the processor has the instructions of this function.
    unsafe { work.run::<C::Avx512>() }
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn run_avx2<C: Count, W: Work<C>>(work: W) -> W::Output {
    // SAFETY: the processor has the instructions of this function.
    unsafe { work.run::<C::Avx2>() }
}
