//! Gauss's points and weights for integrals from 0 to 1: `n` of them are exact for polynomials of degree below `2 n`.

/// The points with their weights, in rising order.
pub(super) fn points(n: usize) -> Vec<(f64, f64)> {
    (0..n).map(|i| point(n, i)).collect()
}

/// Root `i` of Legendre's polynomial of degree `n`, moved to the interval from 0 to 1, and its weight.
fn point(n: usize, i: usize) -> (f64, f64) {
    let mut x = -libm::cos(std::f64::consts::PI * (i as f64 + 0.75) / (n as f64 + 0.5));
    let mut slope = 1.0;
    // Newton's steps from a start this near double the right digits each: five are more than enough.
    for _ in 0..8 {
        let (mut last, mut here) = (1.0, x);
        for degree in 2..=n {
            let k = degree as f64;
            (last, here) = (here, ((2.0 * k - 1.0) * x * here - (k - 1.0) * last) / k);
        }
        if n == 1 {
            (last, here) = (1.0, x);
        }
        slope = n as f64 * (x * here - last) / (x * x - 1.0);
        x -= here / slope;
    }
    (0.5 * (x + 1.0), 1.0 / ((1.0 - x * x) * slope * slope))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn polynomials_are_integrated_exactly() {
        for n in 1..60 {
            let points = points(n);
            assert!(points.iter().all(|&(x, w)| x > 0.0 && x < 1.0 && w > 0.0));
            for degree in 0..2 * n {
                let sum: f64 = points.iter().map(|&(x, w)| w * libm::pow(x, degree as f64)).sum();
                assert!((sum * (degree + 1) as f64 - 1.0).abs() < 1e-12, "{n} points, degree {degree}: {sum}");
            }
        }
    }
}
