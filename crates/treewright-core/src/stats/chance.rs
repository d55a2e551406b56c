//! Whether a split could be chance: Pearson's chi-square test of classes against children.
//!
//! The statistic adds up `(seen - expected)^2 / expected` over classes and children; under chance it follows the
//! chi-square distribution with (classes - 1)(children - 1) degrees of freedom. Weights count as rows.

/// The probability that chance alone divides the classes so unevenly, or more so. `table` has a row of class weights for
/// each child. A table without two children or two classes has nothing to explain: 1.
pub fn p_value(table: &[Vec<f64>]) -> f64 {
    let children: Vec<f64> = table.iter().map(|child| child.iter().sum()).collect();
    let total: f64 = children.iter().sum();
    let mut classes = vec![0.0; table.first().map_or(0, Vec::len)];
    table.iter().for_each(|child| classes.iter_mut().zip(child).for_each(|(sum, weight)| *sum += weight));
    let mut statistic = 0.0;
    for (child, weight) in table.iter().zip(&children).filter(|(_, weight)| **weight > 0.0) {
        for (seen, class) in child.iter().zip(&classes).filter(|(_, class)| **class > 0.0) {
            let expected = weight * class / total;
            statistic += (seen - expected) * (seen - expected) / expected;
        }
    }
    let filled = |weights: &[f64]| weights.iter().filter(|weight| **weight > 0.0).count();
    let (children, classes) = (filled(&children), filled(&classes));
    if children < 2 || classes < 2 {
        return 1.0;
    }
    upper_gamma(0.5 * ((children - 1) * (classes - 1)) as f64, 0.5 * statistic)
}

/// The regularized upper incomplete gamma function Q(a, x): a series below the bend, a continued fraction above it.
fn upper_gamma(a: f64, x: f64) -> f64 {
    if x <= 0.0 {
        return 1.0;
    }
    let front = libm::exp(a * libm::log(x) - x - libm::lgamma(a));
    if x < a + 1.0 { 1.0 - front * series(a, x) } else { front * fraction(a, x) }
}

/// Terms after which both expansions have converged for any table that fits into memory.
const MAX_TERMS: u32 = 100_000;

fn series(a: f64, x: f64) -> f64 {
    let (mut term, mut sum) = (1.0 / a, 1.0 / a);
    for n in 1..MAX_TERMS {
        term *= x / (a + f64::from(n));
        sum += term;
        if term < sum * f64::EPSILON {
            break;
        }
    }
    sum
}

/// Lentz's way to evaluate 1/(x+1-a- 1(1-a)/(x+3-a- 2(2-a)/(x+5-a- ...))).
fn fraction(a: f64, x: f64) -> f64 {
    let mut below = x + 1.0 - a;
    let (mut c, mut d) = (1.0 / f64::MIN_POSITIVE, 1.0 / below);
    let mut value = d;
    for n in 1..MAX_TERMS {
        let n = f64::from(n);
        let factor = -n * (n - a);
        below += 2.0;
        d = 1.0 / (factor * d + below);
        c = below + factor / c;
        value *= d * c;
        if (d * c - 1.0).abs() < f64::EPSILON {
            break;
        }
    }
    value
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_tables() {
        // Humidity of the 14 days of tennis: 2.8 with one degree of freedom.
        let humidity = p_value(&[vec![3.0, 4.0], vec![6.0, 1.0]]);
        assert!((humidity - 0.094_264_306_841_210_58).abs() < 1e-12, "{humidity}");
        let outlook = p_value(&[vec![2.0, 3.0], vec![4.0, 0.0], vec![3.0, 2.0]]);
        assert!((outlook - 0.169_766_157_439_811_24).abs() < 1e-12, "{outlook}");
        assert_eq!(p_value(&[vec![3.0, 0.0], vec![6.0, 0.0]]), 1.0);
        assert_eq!(p_value(&[vec![3.0, 2.0], vec![0.0, 0.0]]), 1.0);
        assert_eq!(p_value(&[vec![2.0, 2.0], vec![3.0, 3.0]]), 1.0);
    }

    #[test]
    fn far_out_it_is_small_and_never_negative() {
        let p = p_value(&[vec![1000.0, 0.0], vec![0.0, 1000.0]]);
        assert!((0.0..1e-300).contains(&p));
    }
}
