//! How a column's difference joins the key of sixteen points at once: one operation for each power, in f32.

use crate::simd::Simd;

/// A power.
pub trait Norm: Copy + Send + Sync {
    /// The key so far, and the next column's difference.
    fn join<S: Simd>(self, simd: S, key: S::F, apart: S::F) -> S::F;
}

/// Absolute differences are added.
#[derive(Clone, Copy, Debug)]
pub struct Manhattan;
/// Squares are added.
#[derive(Clone, Copy, Debug)]
pub struct Euclid;
/// The largest absolute difference.
#[derive(Clone, Copy, Debug)]
pub struct Chebyshev;

impl Norm for Manhattan {
    #[inline(always)]
    fn join<S: Simd>(self, simd: S, key: S::F, apart: S::F) -> S::F {
        simd.add_f(key, simd.abs_f(apart))
    }
}

impl Norm for Euclid {
    #[inline(always)]
    fn join<S: Simd>(self, simd: S, key: S::F, apart: S::F) -> S::F {
        simd.mul_add_f(apart, apart, key)
    }
}

impl Norm for Chebyshev {
    #[inline(always)]
    fn join<S: Simd>(self, simd: S, key: S::F, apart: S::F) -> S::F {
        // The second operand is given back where one is NaN: padding stays padding.
        simd.max_f(key, simd.abs_f(apart))
    }
}
