//! How many errors a leaf will make on new rows, seen pessimistically: the upper end of a confidence interval.
//!
//! Two ways to compute it are in use and differ in the third digit; both are here, with the table that shows it as a test.

/// How the upper end of the interval is found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Interval {
    /// A table of normal quantiles, interpolated, and two thirds of the rows where all may be wrong.
    Table,
    /// The normal quantile itself, and all rows where all may be wrong.
    Normal,
}

/// By which formula the errors to expect beyond those seen are found.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Formula {
    /// There are none.
    Nothing,
    /// None was seen among `N` rows: `N (1 - confidence^(1/N))`.
    Power,
    /// Less than one was seen: in proportion between the extra errors of none and of one.
    Between,
    /// Almost all rows were wrong: this share of the rest.
    Share(f64),
    /// The upper end of the interval: `N (s + z^2/2 + sqrt(z^2 (s (1 - s/N) + z^2/4))) / (N + z^2) - E`, with half an
    /// error more than the `E` seen: `s = E + 1/2`.
    Normal,
}

/// The errors to expect beyond those seen.
#[derive(Clone, Copy, Debug)]
pub struct Estimate {
    confidence: f64,
    z: f64,
    interval: Interval,
}

/// Confidence and the normal quantile above it.
const QUANTILES: [(f64, f64); 9] = [
    (0.0, 4.0),
    (0.001, 3.09),
    (0.005, 2.58),
    (0.01, 2.33),
    (0.05, 1.65),
    (0.10, 1.28),
    (0.20, 0.84),
    (0.40, 0.25),
    (1.0, 0.0),
];

impl Estimate {
    /// For a confidence between 0 and 1; the smaller, the more pessimistic.
    pub fn new(confidence: f64, interval: Interval) -> Estimate {
        let z = match interval {
            Interval::Table => interpolate(confidence),
            Interval::Normal => quantile(1.0 - confidence),
        };
        Estimate { confidence, z, interval }
    }

    /// The normal quantile of the confidence.
    pub fn z(&self) -> f64 {
        self.z
    }

    /// By which formula the errors beyond the `errors` seen among rows of this weight are found.
    pub fn formula(&self, weight: f64, errors: f64) -> Formula {
        if weight <= 0.0 || (self.interval == Interval::Normal && self.confidence > 0.5) {
            return Formula::Nothing;
        }
        let (none, one) = match self.interval {
            Interval::Table => (1e-6, 0.9999),
            Interval::Normal => (f64::MIN_POSITIVE, 1.0),
        };
        if errors < none {
            Formula::Power
        } else if errors < one {
            Formula::Between
        } else if errors + 0.5 >= weight {
            Formula::Share(if self.interval == Interval::Table { 0.67 } else { 1.0 })
        } else {
            Formula::Normal
        }
    }

    /// Errors beyond the `errors` seen among rows of this weight.
    pub fn extra(&self, weight: f64, errors: f64) -> f64 {
        match self.formula(weight, errors) {
            Formula::Nothing => 0.0,
            Formula::Power => self.extra_of_none(weight),
            Formula::Between => {
                let least = self.extra_of_none(weight);
                least + errors * (self.extra(weight, 1.0) - least)
            }
            Formula::Share(share) => share * (weight - errors).max(0.0),
            Formula::Normal => {
                let (seen, z2) = (errors + 0.5, self.z * self.z);
                let spread = (z2 * (seen * (1.0 - seen / weight) + z2 / 4.0)).sqrt();
                weight * (seen + z2 / 2.0 + spread) / (weight + z2) - errors
            }
        }
    }

    fn extra_of_none(&self, weight: f64) -> f64 {
        weight * (1.0 - libm::pow(self.confidence, 1.0 / weight))
    }

    /// Seen and extra errors together.
    pub fn total(&self, weight: f64, errors: f64) -> f64 {
        errors + self.extra(weight, errors)
    }
}

fn interpolate(confidence: f64) -> f64 {
    let above = QUANTILES.iter().position(|(c, _)| *c >= confidence).unwrap_or(QUANTILES.len() - 1).max(1);
    let ((c0, z0), (c1, z1)) = (QUANTILES[above - 1], QUANTILES[above]);
    z0 + (z1 - z0) * (confidence - c0) / (c1 - c0)
}

/// The number that a standard normal variable stays below with this probability, by bisection on the error function.
fn quantile(probability: f64) -> f64 {
    let below = |x: f64| 0.5 * libm::erfc(-x / std::f64::consts::SQRT_2);
    let (mut low, mut high) = (-40.0, 40.0);
    for _ in 0..200 {
        let middle = (low + high) / 2.0;
        if below(middle) < probability { low = middle } else { high = middle }
    }
    (low + high) / 2.0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_ways_to_six_digits() {
        let rows = [
            (1.0, 0.0, 0.750000, 0.750000),
            (6.0, 0.0, 1.237797, 1.237797),
            (9.0, 0.0, 1.284804, 1.284804),
            (16.0, 1.0, 1.506894, 1.475715),
            (2.0, 1.0, 0.796241, 0.791493),
            (10.0, 2.0, 1.547735, 1.518578),
            (100.0, 5.0, 2.301631, 2.248927),
            (5.0, 0.5, 1.240846, 1.230521),
            (10.0, 9.6, 0.268000, 0.400000),
        ];
        let (table, normal) = (Estimate::new(0.25, Interval::Table), Estimate::new(0.25, Interval::Normal));
        for (weight, errors, by_table, by_normal) in rows {
            assert!((table.extra(weight, errors) - by_table).abs() < 6e-7, "{weight} {errors}");
            assert!((normal.extra(weight, errors) - by_normal).abs() < 6e-7, "{weight} {errors}");
        }
    }
}
