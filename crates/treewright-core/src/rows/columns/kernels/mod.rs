//! The inner loops. Each has a portable form in safe Rust, which runs anywhere. Most of them are compiled again for other
//! tiers of instructions ([`crate::simd`]); those that no compiler vectorises well are written out, in one module for each
//! tier. All forms do the same operations on the same numbers and give equal bits.
//!
//! This folder is the only place of this holder with `unsafe` code.

/// Calls the form of a kernel for the tier in use: the function at the same path below `avx512`, `avx2` or `neon`, or else
/// the portable one. A path after `x86` has no form for NEON, because compilers vectorise the portable one well enough.
/// Whatever else the forms ask for, such as lengths, must be checked before.
macro_rules! dispatch {
    ($isa:expr, x86 $($path:ident)::+ ($($arg:expr),* $(,)?), $portable:expr $(,)?) => {
        match $isa.tier() {
            // SAFETY: an `Isa` of this tier exists only where the processor has its instructions; lengths were checked.
            #[cfg(target_arch = "x86_64")]
            $crate::simd::Tier::Avx512 => unsafe { $crate::rows::columns::kernels::avx512::$($path)::+($($arg),*) },
            // SAFETY: as above.
            #[cfg(target_arch = "x86_64")]
            $crate::simd::Tier::Avx2 => unsafe { $crate::rows::columns::kernels::avx2::$($path)::+($($arg),*) },
            _ => $portable,
        }
    };
    ($isa:expr, $($path:ident)::+ ($($arg:expr),* $(,)?), $portable:expr $(,)?) => {
        match $isa.tier() {
            // SAFETY: NEON is part of every processor of this architecture; lengths were checked.
            #[cfg(target_arch = "aarch64")]
            $crate::simd::Tier::Neon => unsafe { $crate::rows::columns::kernels::neon::$($path)::+($($arg),*) },
            _ => dispatch!($isa, x86 $($path)::+($($arg),*), $portable),
        }
    };
}

#[cfg(target_arch = "x86_64")]
mod avx2;
#[cfg(target_arch = "x86_64")]
mod avx512;
pub mod codes;
pub mod duo;
pub mod entropy;
pub mod factors;
pub mod formula;
pub mod gini;
pub mod histogram;
pub mod lanes;
#[cfg(target_arch = "aarch64")]
mod neon;
pub mod numbers;
pub mod pairs;
pub mod partition;
#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
mod shuffle;
pub mod squares;
pub mod weighed;
pub mod weighted_squares;

pub use crate::simd::Isa;
pub use lanes::LANES;

/// The larger of two numbers, neither NaN: one instruction, where `max` needs several to look for NaN.
#[inline(always)]
fn larger(a: f32, b: f32) -> f32 {
    if a > b { a } else { b }
}

/// The larger of two fractions that are not negative: a division takes longer than all else.
#[inline(always)]
fn larger_fraction(a: (f32, f32), b: (f32, f32)) -> f32 {
    let (x, y) = if a.0 * b.1 > b.0 * a.1 { a } else { b };
    x / y
}
