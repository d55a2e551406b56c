//! A numeric target as integers: why no sum over it depends on the order of the rows.
//!
//! Each number becomes a whole multiple of one power of two, counted from a centre that is such a multiple too. The step
//! follows from the largest distance to the centre and the total weight alone, so that neither the sums nor the sums of
//! squares can overflow 127 bits; up to eight million rows keep all 53 bits of the farthest number.

/// Numbers as integers, and how to turn them back.
#[derive(Clone, Debug, PartialEq)]
pub struct Numbers {
    /// One integer a row.
    pub units: Vec<i64>,
    /// What one unit is worth, a power of two.
    pub step: f64,
    /// What zero units are worth.
    pub centre: f64,
}

impl Numbers {
    /// From finite numbers, to be added up with a total weight of at most `weight` units.
    pub fn new(numbers: &[f64], weight: u64) -> Numbers {
        let low = numbers.iter().copied().fold(f64::INFINITY, f64::min);
        let high = numbers.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let middle = low / 2.0 + high / 2.0;
        let reach = (high - middle).max(middle - low);
        if !(reach > 0.0 && reach.is_finite()) {
            return Numbers { units: vec![0; numbers.len()], step: 1.0, centre: middle };
        }
        let weight_bits = 64 - weight.leading_zeros() as i32;
        let bits = ((126 - weight_bits) / 2).min(52);
        let (_, size) = libm::frexp(reach);
        let step = libm::ldexp(1.0, (size + 1 - bits).max(-1022));
        let centre = libm::rint(middle / step) * step;
        let units = numbers.iter().map(|y| libm::rint((y - centre) / step) as i64).collect();
        Numbers { units, step, centre }
    }

    /// What a number of units is worth.
    pub fn real(&self, units: f64) -> f64 {
        self.centre + units * self.step
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_come_back() {
        for y in [vec![0.1, 0.7, -3.5], vec![1e300, -1e300], vec![5e-324, 0.0], vec![7.0, 7.0], vec![1e9, 1e9 + 1e-3]] {
            let numbers = Numbers::new(&y, y.len() as u64);
            let reach = y.iter().fold(0.0, |a: f64, b| a.max((b - numbers.centre).abs()));
            for (unit, y) in numbers.units.iter().zip(&y) {
                let back = numbers.real(*unit as f64);
                assert!((back - y).abs() <= reach * 1e-15 + 1e-307, "{back} {y}");
            }
        }
    }
}
