//! `n log2 n` in fixed-point numbers, quickly: what a scan of all cuts adds up.
//!
//! A scan compares cuts by these numbers and asks for the exact costs only where the difference of two cuts is too close to
//! the tolerance to tell ([`FixedPoint::margin`]). Sums of integers have no rounding error, so a scan can carry one along.

use crate::Result;
use crate::stats::criterion::n_log_n;
use crate::sys::memory::filled;
use std::sync::LazyLock;

/// Sums of fixed-point numbers stay below this power of two.
const BITS: i32 = 60;
/// A tabulated logarithm knows so many bits of the number.
const MANTISSA_BITS: u32 = 9;
/// No logarithm of [`FixedPoint::n_log_n`] is further from the truth, in bits.
const LOGARITHM_ERROR: f64 = 1e-13;

/// The scale of fixed-point numbers: one is 2^-`shift` bits.
#[derive(Clone, Copy, Debug)]
pub struct FixedPoint {
    shift: i32,
    /// The weight of one unit, and its logarithm.
    unit: f64,
    log_unit: f64,
    scaled_unit: f64,
    classes: f64,
    parts: &'static [(f64, f64); 1 << MANTISSA_BITS],
}

impl FixedPoint {
    /// For rows of at most this weight in all, of so many classes. `unit` is a power of two.
    pub fn new(weight: f64, unit: f64, classes: usize) -> FixedPoint {
        let classes = classes as f64;
        // Numbers below 1 have small negative terms, one for each side and class.
        let most = n_log_n(weight).abs() + 4.0 * classes + 4.0;
        let (_, exponent) = libm::frexp(most);
        let (_, unit_exponent) = libm::frexp(unit);
        let shift = BITS - exponent;
        let log_unit = f64::from(unit_exponent - 1);
        FixedPoint { shift, unit, log_unit, scaled_unit: libm::ldexp(unit, shift), classes, parts: &PARTS }
    }

    /// The weight of so many units.
    pub fn weight_of(&self, units: u64) -> f64 {
        units as f64 * self.unit
    }

    /// A number of bits.
    fn of(&self, bits: f64) -> f64 {
        libm::ldexp(bits, self.shift)
    }

    /// What a difference of bits is at the least and at the most where it is about `bits`.
    pub fn around(&self, bits: f64, margin: f64) -> (i64, i64) {
        let bits = self.of(bits);
        (libm::floor(bits - margin) as i64, libm::ceil(bits + margin) as i64)
    }

    /// The difference of what two cuts save, computed in fixed-point numbers and exactly, differs by no more than this.
    /// It depends on the weight of the rows.
    pub fn margin(&self, weight: f64) -> f64 {
        // For both cuts: each term is rounded once, logarithms err, and the exact formula rounds after each of its steps.
        let terms = 4.0 * self.classes + 12.0;
        let rounding = f64::EPSILON * (n_log_n(weight).abs() + 4.0 * self.classes);
        2.0 * (terms * (1.0 + self.of(rounding)) + self.of(4.0 * LOGARITHM_ERROR * weight))
    }

    /// `n log2 n` of a number of units.
    #[inline(always)]
    pub fn n_log_n(&self, units: u64) -> i64 {
        if units == 0 {
            return 0;
        }
        let x = units as f64;
        let bits = x.to_bits();
        let exponent = (bits >> 52) as i64 - 1023;
        let mantissa = f64::from_bits(bits & ((1 << 52) - 1) | 1023 << 52);
        let (log, inverse) = self.parts[(bits >> (52 - MANTISSA_BITS)) as usize & ((1 << MANTISSA_BITS) - 1)];
        let r = mantissa * inverse - 1.0;
        // log2(1 + r), |r| below 2^-10: the next term of the series is r^5 / 5.
        let series = r * (LOG2_E - r * (LOG2_E / 2.0 - r * (LOG2_E / 3.0 - r * (LOG2_E / 4.0))));
        ((exponent as f64 + self.log_unit + (log + series)) * x * self.scaled_unit) as i64
    }
}

const LOG2_E: f64 = std::f64::consts::LOG2_E;

/// The logarithm of the middle of each part of the numbers from 1 to 2, and 1 divided by it.
static PARTS: LazyLock<[(f64, f64); 1 << MANTISSA_BITS]> = LazyLock::new(|| {
    std::array::from_fn(|i| {
        let inverse = 1.0 / (1.0 + (i as f64 + 0.5) / f64::from(1 << MANTISSA_BITS));
        (-libm::log2(inverse), inverse)
    })
});

/// `n log2 n` of small numbers of rows that weigh the same.
#[derive(Debug)]
pub struct Logarithms {
    /// The same as the criterion computes.
    pub exact: Vec<f64>,
    /// In fixed-point numbers.
    pub fixed: Vec<i64>,
    /// By how much the next one is more.
    pub steps: Vec<i64>,
}

/// More rows than this are not tabulated.
const MOST: usize = 1 << 20;

impl Logarithms {
    /// For up to so many rows of a weight in units.
    pub fn new(rows: usize, units: u64, scale: &FixedPoint) -> Result<Logarithms> {
        let len = rows.min(MOST) + 1;
        let mut table = Logarithms { exact: filled(0.0, len)?, fixed: filled(0, len)?, steps: filled(0, len)? };
        for n in 1..len {
            table.exact[n] = n_log_n(scale.weight_of(n as u64 * units));
            table.fixed[n] = libm::rint(scale.of(table.exact[n])) as i64;
            table.steps[n - 1] = table.fixed[n] - table.fixed[n - 1];
        }
        Ok(table)
    }

    /// Whether it knows so many rows.
    pub fn knows(&self, rows: usize) -> bool {
        rows < self.exact.len()
    }

    /// What rows cost, given how many there are of each class: the criterion's formula.
    pub fn cost(&self, counts: impl Iterator<Item = u32> + Clone) -> f64 {
        let total: u32 = counts.clone().sum();
        (self.exact[total as usize] - counts.map(|n| self.exact[n as usize]).sum::<f64>()).max(0.0)
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn quick_logarithms_are_as_close_as_they_say() {
        let unit = libm::ldexp(1.0, -40);
        let scale = FixedPoint::new(4096.0, unit, 2);
        let mut units = 1u64;
        for i in 0..200_000u64 {
            units = (units.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(i)) % (1 << 52) + 1;
            let weight = units as f64 * unit;
            let exact = scale.of(n_log_n(weight));
            let error = (scale.n_log_n(units) as f64 - exact).abs();
            assert!(error <= 2.0 + scale.of(LOGARITHM_ERROR * weight), "{units}: {error}");
        }
        assert_eq!(scale.n_log_n(0), 0);
    }

    #[test]
    fn tables_are_what_the_criterion_computes() {
        let scale = FixedPoint::new(1000.0, 0.25, 3);
        let table = Logarithms::new(1000, 4, &scale).unwrap();
        for n in [1usize, 2, 77, 999] {
            assert_eq!(table.exact[n], n_log_n(n as f64));
            assert_eq!(table.fixed[n] + table.steps[n], table.fixed[n + 1]);
            assert!(
                (table.fixed[n] - scale.n_log_n(4 * n as u64)).abs() as f64
                    <= 2.0 + scale.of(LOGARITHM_ERROR * n as f64)
            );
        }
    }
}
