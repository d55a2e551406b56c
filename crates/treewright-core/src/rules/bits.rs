//! Sets of rows as bits, and what they weigh.
//!
//! A rule is judged by counting rows that meet all its conditions but one, over and over: with a bit a row that is one
//! machine word for 64 rows.

use crate::stats::weights::Weights;

/// A set of rows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Bits(Vec<u64>);

impl Bits {
    /// The rows for which `holds`.
    pub fn of(rows: usize, holds: impl Fn(usize) -> bool) -> Bits {
        let mut words = vec![0u64; rows.div_ceil(64)];
        for row in (0..rows).filter(|&row| holds(row)) {
            words[row / 64] |= 1 << (row % 64);
        }
        Bits(words)
    }

    /// All of so many rows.
    pub fn all(rows: usize) -> Bits {
        Bits::of(rows, |_| true)
    }

    /// Keeps the rows that are in the other set too.
    pub fn keep(&mut self, other: &Bits) {
        self.0.iter_mut().zip(&other.0).for_each(|(a, b)| *a &= b);
    }

    /// Becomes the rows that are in both sets.
    pub fn set_both(&mut self, one: &Bits, other: &Bits) {
        self.0.iter_mut().zip(one.0.iter().zip(&other.0)).for_each(|(to, (a, b))| *to = a & b);
    }

    /// The rows, ascending.
    pub fn rows(&self) -> impl Iterator<Item = usize> + '_ {
        self.0.iter().enumerate().flat_map(|(at, &word)| {
            let mut left = word;
            std::iter::from_fn(move || {
                (left != 0).then(|| {
                    let bit = left.trailing_zeros() as usize;
                    left &= left - 1;
                    64 * at + bit
                })
            })
        })
    }
}

/// What sets of rows weigh, in units: counting is one instruction a word where every row weighs the same.
#[derive(Debug)]
pub struct Scale<'a> {
    weights: &'a Weights,
    even: Option<u64>,
}

impl<'a> Scale<'a> {
    /// For these weights.
    pub fn new(weights: &'a Weights) -> Scale<'a> {
        let first = weights.units.first().copied();
        Scale { weights, even: first.filter(|first| weights.units.iter().all(|units| units == first)) }
    }

    /// Units as a number.
    pub fn real(&self, units: u64) -> f64 {
        units as f64 * self.weights.unit
    }

    /// The weight of the rows in both of two sets, and of those that are in a third one too.
    pub fn both(&self, one: &Bits, other: &Bits, third: &Bits) -> (u64, u64) {
        let words = one.0.iter().zip(&other.0).zip(&third.0);
        match self.even {
            Some(each) => {
                let (mut all, mut part) = (0u64, 0u64);
                for ((a, b), c) in words {
                    all += u64::from((a & b).count_ones());
                    part += u64::from((a & b & c).count_ones());
                }
                (all * each, part * each)
            }
            None => {
                let (mut all, mut part) = (0u64, 0u64);
                for (at, ((a, b), c)) in words.enumerate() {
                    let mut left = a & b;
                    while left != 0 {
                        let bit = left.trailing_zeros() as usize;
                        let weight = self.weights.units[64 * at + bit];
                        all += weight;
                        part += if c >> bit & 1 == 1 { weight } else { 0 };
                        left &= left - 1;
                    }
                }
                (all, part)
            }
        }
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn even_and_uneven_weights_count_the_same_rows() {
        let (low, odd, third) =
            (Bits::of(130, |r| r < 100), Bits::of(130, |r| r % 2 == 1), Bits::of(130, |r| r % 3 == 0));
        let ones = Weights::ones(130);
        assert_eq!(Scale::new(&ones).both(&low, &odd, &third), (50, 17));
        let numbers: Vec<f64> = (0..130).map(f64::from).collect();
        let weights = Weights::new(&numbers).unwrap();
        let expected: u64 = (0..100).filter(|r| r % 2 == 1).sum();
        assert_eq!(Scale::new(&weights).both(&low, &odd, &odd), (expected, expected));
        assert_eq!(odd.rows().take(3).collect::<Vec<_>>(), [1, 3, 5]);
        assert_eq!(Bits::all(70).rows().count(), 70);
    }
}
