//! A numeric target as integers: why no sum over it depends on the order of the rows. Other numbers: see [`ExactSum`].
//!
//! Each number becomes a whole multiple of one power of two, counted from a center that is such a multiple too. The step
//! follows from the largest distance to the center and the total weight alone, so that neither the sums nor the sums of
//! squares can overflow 127 bits; up to eight million rows keep all 53 bits of the farthest number.

use crate::Result;
use crate::codes::ordered::{from_ordered_bits, ordered_bits};
use crate::peers::Peers;
use crate::stats::portable::add_everywhere;

/// Numbers as integers, and how to turn them back.
#[derive(Clone, Debug, PartialEq)]
pub struct Numbers {
    /// One integer a row.
    pub units: Vec<i64>,
    /// What one unit is worth, a power of two.
    pub step: f64,
    /// What zero units are worth.
    pub center: f64,
}

impl Numbers {
    /// From finite numbers, to be added up with a total weight of at most `weight` units.
    pub fn new(numbers: &[f64], weight: u64) -> Numbers {
        let [low, high] = range_of(numbers);
        Numbers::between(low, high, numbers, weight)
    }

    /// The same for numbers of this process, in the unit of all; `weight` is that of all too.
    pub fn part(numbers: &[f64], weight: u64, peers: &dyn Peers) -> Result<Numbers> {
        let [low, high] = range_of(numbers);
        let mut words = [!ordered_bits(low), ordered_bits(high)];
        peers.max(&mut words)?;
        Ok(Numbers::between(from_ordered_bits(!words[0]), from_ordered_bits(words[1]), numbers, weight))
    }

    /// The same of numbers that are some of those between the extremes `low` and `high`.
    pub fn between(low: f64, high: f64, numbers: &[f64], weight: u64) -> Numbers {
        let middle = low / 2.0 + high / 2.0;
        let spread = (high - middle).max(middle - low);
        if !(spread > 0.0 && spread.is_finite()) {
            return Numbers { units: vec![0; numbers.len()], step: 1.0, center: middle };
        }
        let weight_bits = 64 - weight.leading_zeros() as i32;
        let bits = ((126 - weight_bits) / 2).min(52);
        let (_, size) = libm::frexp(spread);
        let step = libm::ldexp(1.0, (size + 1 - bits).max(-1022));
        let center = libm::rint(middle / step) * step;
        let units = numbers.iter().map(|y| libm::rint((y - center) / step) as i64).collect();
        Numbers { units, step, center }
    }

    /// What a number of units is worth.
    pub fn real(&self, units: f64) -> f64 {
        self.center + units * self.step
    }
}

/// The least and the greatest number.
fn range_of(numbers: &[f64]) -> [f64; 2] {
    let low = numbers.iter().copied().fold(f64::INFINITY, f64::min);
    [low, numbers.iter().copied().fold(f64::NEG_INFINITY, f64::max)]
}

/// A sum of numbers that does not depend on their order: each is rounded down to a multiple of one power of two, which
/// follows from the largest of them and from how many there may be. It keeps more bits than a sum of doubles does.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ExactSum {
    exponent: i32,
    sum: i128,
}

impl ExactSum {
    /// Nothing yet, of at most `count` numbers none of which is farther from 0 than `largest`.
    pub fn new(largest: f64, count: usize) -> ExactSum {
        let (_, size) = libm::frexp(if largest.is_finite() { largest } else { f64::MAX });
        ExactSum { exponent: 125 - size - (usize::BITS - count.leading_zeros()) as i32, sum: 0 }
    }

    /// The sum of some numbers.
    pub fn of(numbers: impl Iterator<Item = f64> + Clone) -> f64 {
        let (largest, count) = numbers.clone().fold((0.0, 0), |(most, count), x| (x.abs().max(most), count + 1));
        let mut sum = ExactSum::new(largest, count);
        numbers.for_each(|number| sum.add(number));
        sum.real()
    }

    /// The sum of the numbers of all processes, given those of this one.
    pub fn of_all(numbers: impl Iterator<Item = f64> + Clone, peers: &dyn Peers) -> Result<f64> {
        let (largest, count) = numbers.clone().fold((0.0, 0), |(most, count), x| (x.abs().max(most), count + 1));
        let (mut largest, mut count) = ([f64::to_bits(largest)], [count]);
        peers.max(&mut largest)?;
        peers.add(&mut count)?;
        let mut sum = ExactSum::new(f64::from_bits(largest[0]), count[0] as usize);
        numbers.for_each(|number| sum.add(number));
        let mut total = [sum.sum];
        add_everywhere(peers, &mut total)?;
        Ok(ExactSum { sum: total[0], ..sum }.real())
    }

    /// Adds a number.
    pub fn add(&mut self, number: f64) {
        self.sum += libm::ldexp(number, self.exponent) as i128;
    }

    /// Adds another sum of the same kind.
    pub fn join(&mut self, other: ExactSum) {
        debug_assert_eq!(self.exponent, other.exponent);
        self.sum += other.sum;
    }

    /// The sum, rounded once.
    pub fn real(&self) -> f64 {
        libm::ldexp(self.sum as f64, -self.exponent)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_come_back() {
        for y in [vec![0.1, 0.7, -3.5], vec![1e300, -1e300], vec![5e-324, 0.0], vec![7.0, 7.0], vec![1e9, 1e9 + 1e-3]] {
            let numbers = Numbers::new(&y, y.len() as u64);
            let spread = y.iter().fold(0.0, |a: f64, b| a.max((b - numbers.center).abs()));
            for (unit, y) in numbers.units.iter().zip(&y) {
                let back = numbers.real(*unit as f64);
                assert!((back - y).abs() <= spread * 1e-15 + 1e-307, "{back} {y}");
            }
        }
    }

    #[test]
    fn sums_do_not_depend_on_the_order() {
        let numbers: Vec<f64> =
            (0..999).map(|i| libm::sin(f64::from(i)) * libm::pow(10.0, f64::from(i % 30))).collect();
        let sum = ExactSum::of(numbers.iter().copied());
        assert_eq!(sum, ExactSum::of(numbers.iter().rev().copied()));
        assert!((sum / numbers.iter().sum::<f64>() - 1.0).abs() < 1e-12);
        assert_eq!(ExactSum::of([1e308, 1e-308, -1e308].into_iter()), 0.0);
        assert_eq!(ExactSum::of([0.1, 0.2, 0.3].into_iter()), 0.6);
        assert_eq!(ExactSum::of([0.0; 3].into_iter()), 0.0);
        assert_eq!(ExactSum::of([5e-324; 3].into_iter()), 1.5e-323);
    }
}
