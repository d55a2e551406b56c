//! Which neighboring numbers of a column are far enough apart for a cut between them.

use super::item::key_of;
use crate::simd::multiversion;
use crate::split::priced_threshold::are_singles_apart;

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

impl Gaps {
    /// Whether keys are different; the lower one is first, here and below.
    #[inline(always)]
    pub fn are_different(low: u32, high: u32) -> bool {
        low != high
    }

    /// Whether the ordered bits of two numbers of single precision are those of distant ones.
    #[inline(always)]
    pub fn are_singles_apart(low: u32, high: u32) -> bool {
        are_singles_apart(single_of(low), single_of(high))
    }
}

/// The number of single precision with these ordered bits.
#[inline(always)]
pub fn single_of(key: u32) -> f32 {
    f32::from_bits(if key >> 31 == 1 { key ^ 1 << 31 } else { !key })
}

multiversion! {
    /// Between how many neighbors of some items, given in order, a cut may be.
    pub fn count_cuts<A: Fn(u32, u32) -> bool>(items: &[u64], are_apart: &A) -> u32 {
        let Some((_, highs)) = items.split_first() else { return 0 };
        // Loops, because the closure of a sum would be compiled without the tier's instructions.
        let mut count = 0;
        for (low, high) in items.iter().zip(highs) {
            count += u32::from(are_apart(key_of(*low), key_of(*high)));
        }
        count
    }
}
