//! Vector instructions: which tier this processor runs, and how code is compiled for each of them.
//!
//! A *tier* is a set of instructions that the core has code for. It is chosen once, when the program first asks
//! ([`Isa::detect`]); a wheel runs on any processor.
//!
//! | tier       | asks for                                                                | found in |
//! | ---------- | ----------------------------------------------------------------------- | -------- |
//! | `avx512`   | AVX-512 F, BW, DQ, VL, VBMI, VBMI2, VNNI, BITALG, and all of `avx2`     | Intel servers and laptops from Ice Lake on (not the consumer processors since Alder Lake), AMD from Zen 4 on |
//! | `avx2`     | AVX2, FMA, BMI1, BMI2, LZCNT, POPCNT (x86-64-v3)                        | Intel from Haswell (2013), AMD from Zen on |
//! | `neon`     | nothing: NEON is part of every 64-bit ARM processor                     | Apple silicon, ARM servers and laptops |
//! | `portable` | nothing                                                                 | everywhere else, WebAssembly included |
//!
//! The environment variable `TREEWRIGHT_SIMD` forces a tier: `portable`, `avx2`, `avx512` or `neon`. A tier above the
//! processor's best is lowered to it, and so is a tier of another architecture; any other text is ignored. It is read
//! once.
//!
//! **All tiers give the same bits**, for trees and for neighbors. Therefore no tier fuses a multiplication and an
//! addition (one rounding in place of two), except in the filters of the nearest-neighbor search, whose survivors are
//! measured again in f64. Rust never fuses by itself; a test of this module looks for the instructions by name.
//!
//! There are three ways to write code for a tier:
//!
//! * `multiversion!` compiles one safe function for every tier. Enough where the compiler vectorizes the loop.
//! * [`Simd`] is a set of operations on whole registers; `multiversion!` compiles an algorithm over it. The neighbor
//!   search uses it.
//! * Intrinsics, where neither is enough: the kernels of `rows/columns/kernels`, with one module for each tier.

/// An array of an expression for each register, written out. A closure, as of `array::map`, is a function of its own without
/// the tier's instructions: wherever the compiler does not inline it, each operation becomes a call, 34 times slower.
#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
macro_rules! written_out {
    ($i:ident in $($at:literal)* => $e:expr) => {
        [$({
            let $i: usize = $at;
            $e
        }),*]
    };
}

mod isa;
mod portable;
mod registers;

#[cfg(target_arch = "x86_64")]
mod avx2;
#[cfg(target_arch = "x86_64")]
mod avx512;
#[cfg(target_arch = "aarch64")]
pub(crate) mod neon;
#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
pub(crate) mod pack;

pub(crate) use isa::multiversion;
pub use isa::{Isa, Tier};
pub use registers::{BYTES, FLOATS, Simd, largest_factor, multiplies_bytes};

#[cfg(target_arch = "x86_64")]
pub use avx2::Avx2;
#[cfg(target_arch = "x86_64")]
pub use avx512::Avx512;
#[cfg(target_arch = "aarch64")]
pub use neon::Neon;
pub use portable::Portable;

/// Asks for the cache line of a place, in the second nearest cache. A request that may be ignored: the place need not be
/// readable, nor be there.
#[inline(always)]
pub fn prefetch<T>(place: *const T) {
    #[cfg(target_arch = "x86_64")]
    // SAFETY: it touches nothing.
    unsafe {
        use std::arch::x86_64::{_MM_HINT_T1, _mm_prefetch};
        _mm_prefetch::<_MM_HINT_T1>(place.cast());
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = place;
}
