//! Weights as integers: why no sum in this crate depends on the order of the rows.
//!
//! Whole weights stay as they are. Others are multiplied by one power of two, chosen from the largest weight and the
//! number of rows alone, and rounded: the total stays below 2^52, so every sum is exact in an f64 too.

use crate::codes::ordered::{from_ordered_bits, ordered_bits};
use crate::peers::{Alone, Peers};
use crate::{Error, Result};

/// Weights as integers, and what one unit of them is worth.
#[derive(Clone, Debug, PartialEq)]
pub struct Weights {
    /// One integer a row; 0 means that the row is absent.
    pub units: Vec<u64>,
    /// The weight of one unit, a power of two.
    pub unit: f64,
}

/// Sums of weights stay below this, so that they are exact as an f64 too.
const MAX_TOTAL: f64 = (1u64 << 52) as f64;

impl Weights {
    /// Every row once.
    pub fn ones(rows: usize) -> Weights {
        Weights { units: vec![1; rows], unit: 1.0 }
    }

    /// The same in one process.
    #[cfg(test)]
    pub fn fine(weights: Option<&[f64]>, rows: usize) -> Result<Weights> {
        Weights::fine_part(weights, rows, &Alone)
    }

    /// The finest integers that cannot overflow, for rows that are going to be divided; no weights mean 1 each. The rows are
    /// those of this process, the unit is that of all.
    pub fn fine_part(weights: Option<&[f64]>, rows: usize, peers: &dyn Peers) -> Result<Weights> {
        let mut fine = weights.map_or_else(|| Ok(Weights::ones(rows)), |weights| Weights::part(weights, peers))?;
        let total = fine.total(peers)?;
        let shift = total.leading_zeros().saturating_sub(12);
        // In place: another list of this length costs as much as all the rest.
        fine.units.iter_mut().for_each(|units| *units <<= shift);
        Ok(Weights { unit: libm::ldexp(fine.unit, -(shift as i32)), ..fine })
    }

    /// The sum in all processes, in units.
    pub fn total(&self, peers: &dyn Peers) -> Result<u64> {
        let mut total = [self.units.iter().sum()];
        peers.add(&mut total)?;
        Ok(total[0])
    }

    /// The weight in units that all rows have which have any; None where weights differ, or there is none.
    pub fn common(&self) -> Option<u64> {
        let first = self.units.iter().copied().find(|&units| units > 0)?;
        self.units.iter().all(|&units| units == first || units == 0).then_some(first)
    }

    /// From one number a row, each finite and not negative.
    pub fn new(weights: &[f64]) -> Result<Weights> {
        Weights::part(weights, &Alone)
    }

    /// The same for the rows of this process, in the unit of all.
    pub fn part(weights: &[f64], peers: &dyn Peers) -> Result<Weights> {
        if let Some(row) = weights.iter().position(|w| !w.is_finite() || *w < 0.0) {
            let message = format!("the weight of row {row} is {}; weights are finite and not negative", weights[row]);
            return Err(Error::data("data.weights", message));
        }
        Ok(Weights::parts(&[weights], peers)?.remove(0))
    }

    /// The same for each of several groups of rows.
    pub fn parts<W: AsRef<[f64]>>(groups: &[W], peers: &dyn Peers) -> Result<Vec<Weights>> {
        let positive = |group: &W| group.as_ref().iter().filter(|weight| **weight > 0.0).count() as u64;
        let mut counts: Vec<u64> = groups.iter().map(positive).collect();
        // The largest weight, and whether one is not a whole number: all that a unit follows from besides.
        let facts = |group: &W| {
            let largest = group.as_ref().iter().copied().fold(0.0, f64::max);
            [ordered_bits(largest), u64::from(group.as_ref().iter().any(|weight| weight.fract() != 0.0))]
        };
        let mut most: Vec<u64> = groups.iter().flat_map(facts).collect();
        peers.add(&mut counts)?;
        peers.max(&mut most)?;
        let to_units = |((group, count), [largest, broken]): ((&W, u64), &[u64; 2])| {
            let (largest, rows) = (from_ordered_bits(*largest), count as f64);
            let is_small = *broken == 0 && largest * rows < MAX_TOTAL;
            let shift = if is_small { 0 } else { exponent(largest, rows) };
            let units = group.as_ref().iter().map(|weight| libm::rint(libm::ldexp(*weight, shift)) as u64).collect();
            Weights { units, unit: libm::ldexp(1.0, -shift) }
        };
        Ok(groups.iter().zip(counts).zip(most.as_chunks::<2>().0).map(to_units).collect())
    }
}

/// The largest power of two with which the sum of `rows` weights of at most `largest` stays below 2^52.
fn exponent(largest: f64, rows: f64) -> i32 {
    let (_, size) = libm::frexp(largest);
    let (_, count) = libm::frexp(rows);
    51 - size - count
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn whole_weights_stay_themselves() {
        let weights = Weights::new(&[1.0, 0.0, 3.0]).unwrap();
        assert_eq!(weights, Weights { units: vec![1, 0, 3], unit: 1.0 });
    }

    #[test]
    fn fractions_keep_their_ratio_and_cannot_overflow() {
        for scale in [1e-300, 0.1, 1.0, 1e300] {
            let weights = Weights::new(&[0.5 * scale, 1.5 * scale, 0.25 * scale]).unwrap();
            let total: u64 = weights.units.iter().sum();
            assert!(total < 1 << 52 && total > 1 << 48);
            let back = weights.units[1] as f64 * weights.unit;
            assert!((back / (1.5 * scale) - 1.0).abs() < 1e-12);
        }
    }

    #[test]
    fn impossible_weights_are_refused() {
        for bad in [-1.0, f64::NAN, f64::INFINITY] {
            assert!(Weights::new(&[1.0, bad]).is_err());
        }
    }
}
