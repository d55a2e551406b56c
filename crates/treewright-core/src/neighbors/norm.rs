//! How a column's difference joins the key of sixteen points at once: one operation for each power, in f32.

use crate::simd::Simd;

/// A power.
pub trait Norm: Copy + Send + Sync {
    /// Whether squares are added.
    const SQUARES: bool = false;
    /// The key so far, and the next column's difference.
    fn join<S: Simd>(self, simd: S, key: S::F, apart: S::F) -> S::F;
}

/// Absolute differences are added.
#[derive(Clone, Copy, Debug)]
pub struct Sum;
/// Squares are added.
#[derive(Clone, Copy, Debug)]
pub struct Squares;
/// The largest absolute difference.
#[derive(Clone, Copy, Debug)]
pub struct Largest;

impl Norm for Sum {
    #[inline(always)]
    fn join<S: Simd>(self, simd: S, key: S::F, apart: S::F) -> S::F {
        simd.add_f(key, simd.abs_f(apart))
    }
}

impl Norm for Squares {
    const SQUARES: bool = true;
    #[inline(always)]
    fn join<S: Simd>(self, simd: S, key: S::F, apart: S::F) -> S::F {
        simd.mul_add_f(apart, apart, key)
    }
}

impl Norm for Largest {
    #[inline(always)]
    fn join<S: Simd>(self, simd: S, key: S::F, apart: S::F) -> S::F {
        // The second operand is given back where one is NaN: padding stays padding.
        simd.max_f(key, simd.abs_f(apart))
    }
}
