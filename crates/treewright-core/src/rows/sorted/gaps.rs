//! Which neighboring numbers of a column are far enough apart for a cut between them.

use super::item::key_of;
use crate::simd::multiversion;
use crate::split::priced_threshold::{are_doubles_apart, are_singles_apart};

/// Which pairs of keys are far enough apart for a cut between them.
#[derive(Debug)]
pub enum Gaps {
    /// All that are different.
    All,
    /// Keys are the bits of numbers in single precision: those that are more than the least gap apart.
    Single,
    /// Keys are ranks of these numbers: those that are more than the least gap apart.
    Double(Vec<f64>),
}

/// Tells whether a cut may be between two keys.
pub trait Apart {
    /// Whether it may; `low` is not above `high`.
    fn is_apart(&self, low: u32, high: u32) -> bool;
}

/// Different keys are apart.
#[derive(Debug)]
pub struct DifferentKeys;

impl Apart for DifferentKeys {
    #[inline(always)]
    fn is_apart(&self, low: u32, high: u32) -> bool {
        low != high
    }
}

/// Keys are the ordered bits of numbers in single precision.
#[derive(Debug)]
pub struct DistantSingles;

impl Apart for DistantSingles {
    #[inline(always)]
    fn is_apart(&self, low: u32, high: u32) -> bool {
        are_singles_apart(single_of(low), single_of(high))
    }
}

/// Keys are ranks of these numbers.
#[derive(Debug)]
pub struct DistantDoubles<'a>(pub &'a [f64]);

impl Apart for DistantDoubles<'_> {
    #[inline(always)]
    fn is_apart(&self, low: u32, high: u32) -> bool {
        are_doubles_apart(self.0[low as usize], self.0[high as usize])
    }
}

/// The number of single precision with these ordered bits.
#[inline(always)]
pub fn single_of(key: u32) -> f32 {
    f32::from_bits(if key >> 31 == 1 { key ^ 1 << 31 } else { !key })
}

multiversion! {
    /// Between how many neighbors of some items, given in order, a cut may be.
    pub fn count_cuts<A: Apart>(items: &[u64], apart: &A) -> u32 {
        let Some((_, highs)) = items.split_first() else { return 0 };
        // Loops, because the closure of a sum would be compiled without the tier's instructions.
        let mut count = 0;
        for (low, high) in items.iter().zip(highs) {
            count += u32::from(apart.is_apart(key_of(*low), key_of(*high)));
        }
        count
    }
}
