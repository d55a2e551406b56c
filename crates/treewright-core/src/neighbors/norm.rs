//! How a column's difference joins the key of eight points at once: one operation for each power.
//!
//! Every operation here grows with the size of the difference, also after rounding. So the key of the nearest point of a
//! box, computed the same way, is never larger than the key of a point in the box, and no margin is needed.

use super::distance::SUMS;
use super::simd::Simd;

/// A power.
pub trait Norm: Copy + Send + Sync {
    /// Whether squares are added, as the filter of leaves does.
    const SQUARES: bool = false;
    /// The key so far, and the next column's difference.
    fn join<S: Simd>(self, simd: S, key: S::D, apart: S::D) -> S::D;
    /// Two keys of different columns.
    fn merge<S: Simd>(self, simd: S, a: S::D, b: S::D) -> S::D;
}

/// The keys of `R` registers of points, added up in the order that [`super::distance`] defines. `apart` gives the
/// difference in a column for a register.
#[inline(always)]
pub fn keys<S: Simd, N: Norm, const R: usize>(
    simd: S,
    norm: N,
    columns: usize,
    apart: impl Fn(usize, usize) -> S::D,
) -> [S::D; R] {
    let mut keys = [simd.splat(0.0); R];
    if columns <= SUMS {
        for column in 0..columns {
            (0..R).for_each(|r| keys[r] = norm.join(simd, keys[r], apart(column, r)));
        }
        return keys;
    }
    for sum in 0..SUMS {
        let mut part = [simd.splat(0.0); R];
        for column in (sum..columns).step_by(SUMS) {
            (0..R).for_each(|r| part[r] = norm.join(simd, part[r], apart(column, r)));
        }
        (0..R).for_each(|r| keys[r] = norm.merge(simd, keys[r], part[r]));
    }
    keys
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
    fn join<S: Simd>(self, simd: S, key: S::D, apart: S::D) -> S::D {
        simd.add(key, simd.abs(apart))
    }
    #[inline(always)]
    fn merge<S: Simd>(self, simd: S, a: S::D, b: S::D) -> S::D {
        simd.add(a, b)
    }
}

impl Norm for Squares {
    const SQUARES: bool = true;
    #[inline(always)]
    fn join<S: Simd>(self, simd: S, key: S::D, apart: S::D) -> S::D {
        simd.add(key, simd.mul(apart, apart))
    }
    #[inline(always)]
    fn merge<S: Simd>(self, simd: S, a: S::D, b: S::D) -> S::D {
        simd.add(a, b)
    }
}

impl Norm for Largest {
    #[inline(always)]
    fn join<S: Simd>(self, simd: S, key: S::D, apart: S::D) -> S::D {
        // The second operand is given back where one is NaN: padding stays padding.
        simd.max(key, simd.abs(apart))
    }
    #[inline(always)]
    fn merge<S: Simd>(self, simd: S, a: S::D, b: S::D) -> S::D {
        simd.max(a, b)
    }
}
