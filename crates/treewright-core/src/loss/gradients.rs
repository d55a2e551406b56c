//! Gradients and hessians of many rows, in single precision: the sums that trees are grown from need no more.

use super::{Loss, Truth};
use crate::simd::{Isa, multiversion};

/// Exponents beyond these would leave single precision.
const FAR: f32 = 80.0;

/// `e^x` to about one part in a million near 0 and in a hundred thousand far away, with multiplications and additions only: the same bits with any instructions.
#[inline(always)]
fn exp(x: f32) -> f32 {
    const ROUND: f32 = 12_582_912.0;
    let halves = x.clamp(-FAR, FAR) * std::f32::consts::LOG2_E;
    let rounded = halves + ROUND;
    let rest = halves - (rounded - ROUND);
    let power = 0.055_505_093 + rest * (0.009_618_35 + rest * 0.001_339_9);
    let power = 1.0 + rest * (std::f32::consts::LN_2 + rest * (0.240_226_45 + rest * power));
    let scale = rounded.to_bits().wrapping_sub(ROUND.to_bits()).wrapping_add(127) << 23;
    power * f32::from_bits(scale)
}

/// The rows of a block.
#[derive(Clone, Copy, Debug)]
pub struct Rows<'a> {
    /// The truth about them.
    pub truth: Truth<'a>,
    /// The score whose gradients are wanted.
    pub scores: &'a [f64],
    /// What [`Loss::norms`] kept of them; empty for losses that keep nothing.
    pub norms: &'a [f32],
}

impl Loss {
    /// Gradients and hessians by one score. `delta` is Huber's delta of this round.
    pub fn gradients(&self, isa: Isa, sum: usize, delta: f64, rows: &Rows<'_>, g: &mut [f32], h: &mut [f32]) {
        match (self, rows.truth) {
            (Loss::Logistic, Truth::Classes(codes)) => logistic(isa, rows.scores, codes, g, h),
            (Loss::Softmax(_), Truth::Classes(codes)) => softmax(isa, rows.scores, codes, sum as u32, rows.norms, g, h),
            (Loss::Poisson, Truth::Numbers(numbers)) => poisson(isa, rows.scores, numbers, g, h),
            (Loss::Gamma, Truth::Numbers(numbers)) => gamma(isa, rows.scores, numbers, g, h),
            (Loss::Tweedie(power), Truth::Numbers(numbers)) => {
                tweedie(isa, rows.scores, numbers, *power as f32, g, h);
            }
            (_, Truth::Numbers(numbers)) => {
                h.fill(1.0);
                match *self {
                    Loss::Absolute => signs(isa, rows.scores, numbers, [-1.0, 1.0], g),
                    Loss::Quantile(share) => signs(isa, rows.scores, numbers, [-share as f32, 1.0 - share as f32], g),
                    Loss::Huber(_) => clipped(isa, rows.scores, numbers, delta, g),
                    _ => clipped(isa, rows.scores, numbers, f64::INFINITY, g),
                }
            }
            // The loss was found to fit the target when it began.
            _ => {}
        }
    }

    /// What several scores of a row have in common, once a round: the logarithm of the sum of their exponentials.
    pub fn norms(scores: &[&[f64]], norms: &mut [f32]) {
        for (row, norm) in norms.iter_mut().enumerate() {
            let most = scores.iter().map(|of| of[row]).fold(f64::NEG_INFINITY, f64::max);
            let sum: f32 = scores.iter().map(|of| exp((of[row] - most) as f32)).sum();
            *norm = (most + libm::log(f64::from(sum))) as f32;
        }
    }
}

multiversion! {
    fn logistic(scores: &[f64], codes: &[u32], g: &mut [f32], h: &mut [f32]) {
        let count = scores.len();
        let (codes, g, h) = (&codes[..count], &mut g[..count], &mut h[..count]);
        for i in 0..count {
            let share = 1.0 / (1.0 + exp(-(scores[i] as f32)));
            g[i] = share - codes[i] as f32;
            h[i] = share * (1.0 - share);
        }
    }
}

multiversion! {
    fn softmax(scores: &[f64], codes: &[u32], class: u32, norms: &[f32], g: &mut [f32], h: &mut [f32]) {
        let count = scores.len();
        let (codes, norms, g, h) = (&codes[..count], &norms[..count], &mut g[..count], &mut h[..count]);
        for i in 0..count {
            let share = exp(scores[i] as f32 - norms[i]).min(1.0);
            g[i] = share - if codes[i] == class { 1.0 } else { 0.0 };
            h[i] = share * (1.0 - share);
        }
    }
}

multiversion! {
    fn poisson(scores: &[f64], numbers: &[f64], g: &mut [f32], h: &mut [f32]) {
        let count = scores.len();
        let (numbers, g, h) = (&numbers[..count], &mut g[..count], &mut h[..count]);
        for i in 0..count {
            let mean = exp(scores[i] as f32);
            g[i] = mean - numbers[i] as f32;
            h[i] = mean;
        }
    }
}

multiversion! {
    fn gamma(scores: &[f64], numbers: &[f64], g: &mut [f32], h: &mut [f32]) {
        let count = scores.len();
        let (numbers, g, h) = (&numbers[..count], &mut g[..count], &mut h[..count]);
        for i in 0..count {
            let ratio = numbers[i] as f32 * exp(-(scores[i] as f32));
            g[i] = 1.0 - ratio;
            h[i] = ratio;
        }
    }
}

multiversion! {
    fn tweedie(scores: &[f64], numbers: &[f64], power: f32, g: &mut [f32], h: &mut [f32]) {
        let count = scores.len();
        let (numbers, g, h) = (&numbers[..count], &mut g[..count], &mut h[..count]);
        for i in 0..count {
            let score = scores[i] as f32;
            let (mean, seen) = (exp((2.0 - power) * score), numbers[i] as f32 * exp((1.0 - power) * score));
            g[i] = mean - seen;
            h[i] = (2.0 - power) * mean + (power - 1.0) * seen;
        }
    }
}

multiversion! {
    /// Differences, no larger than `delta`.
    fn clipped(scores: &[f64], numbers: &[f64], delta: f64, g: &mut [f32]) {
        let count = scores.len();
        let (numbers, g) = (&numbers[..count], &mut g[..count]);
        for i in 0..count {
            g[i] = (scores[i] - numbers[i]).clamp(-delta, delta) as f32;
        }
    }
}

multiversion! {
    /// One gradient for scores below the truth, one for those above, 0 for those that meet it.
    fn signs(scores: &[f64], numbers: &[f64], values: [f32; 2], g: &mut [f32]) {
        let count = scores.len();
        let (numbers, g) = (&numbers[..count], &mut g[..count]);
        for i in 0..count {
            let error = scores[i] - numbers[i];
            g[i] = if error < 0.0 { values[0] } else if error > 0.0 { values[1] } else { 0.0 };
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn exponentials_are_right_to_a_millionth_and_end() {
        for i in -800..=800 {
            let x = i as f32 / 10.0;
            assert!(
                (f64::from(exp(x)) / libm::exp(f64::from(x)) - 1.0).abs() < 3e-6 + 2e-7 * f64::from(x.abs()),
                "{x}"
            );
        }
        assert!(exp(1e30).is_finite() && exp(-1e30) > 0.0);
    }

    #[test]
    fn gradients_are_derivatives_of_costs_with_any_instructions() {
        let (numbers, codes): (Vec<f64>, Vec<u32>) =
            ((0..57).map(|i| f64::from(i % 5 + 1)).collect(), (0..57).map(|i| i % 2).collect());
        let scores: Vec<f64> = (0..57).map(|i| f64::from(i) / 20.0 - 1.437).collect();
        let losses = [
            Loss::Squared,
            Loss::Absolute,
            Loss::Quantile(0.3),
            Loss::Poisson,
            Loss::Gamma,
            Loss::Tweedie(1.3),
            Loss::Logistic,
        ];
        for loss in losses {
            let truth = if loss == Loss::Logistic { Truth::Classes(&codes) } else { Truth::Numbers(&numbers) };
            let rows = Rows { truth, scores: &scores, norms: &[] };
            let (mut g, mut h) = ([0f32; 57], [0f32; 57]);
            loss.gradients(Isa::PORTABLE, 0, f64::INFINITY, &rows, &mut g, &mut h);
            for isa in Isa::all() {
                let (mut g2, mut h2) = ([0f32; 57], [0f32; 57]);
                loss.gradients(isa, 0, f64::INFINITY, &rows, &mut g2, &mut h2);
                assert!(g == g2 && h == h2);
            }
            for i in 0..57 {
                let cost = |score: f64| loss.cost(truth.number(i), &[score]);
                let slope = (cost(scores[i] + 1e-5) - cost(scores[i] - 1e-5)) / 2e-5;
                assert!((slope - f64::from(g[i])).abs() < 1e-4, "{loss:?} {slope} {}", g[i]);
                if !loss.refits() || loss == Loss::Squared {
                    let hessian = (cost(scores[i] + 1e-3) + cost(scores[i] - 1e-3) - 2.0 * cost(scores[i])) / 1e-6;
                    assert!((hessian - f64::from(h[i])).abs() < 1e-3);
                }
            }
        }
    }

    #[test]
    fn the_shares_of_several_classes_add_up() {
        let scores: Vec<Vec<f64>> =
            (0..3).map(|k| (0..40).map(|i| f64::from(i * (k + 1) % 17) / 3.0).collect()).collect();
        let codes: Vec<u32> = (0..40).map(|i| i % 3).collect();
        let mut norms = [0f32; 40];
        Loss::norms(&scores.iter().map(Vec::as_slice).collect::<Vec<_>>(), &mut norms);
        let mut sums = [0f32; 40];
        for (class, scores) in scores.iter().enumerate() {
            let rows = Rows { truth: Truth::Classes(&codes), scores, norms: &norms };
            let (mut g, mut h) = ([0f32; 40], [0f32; 40]);
            Loss::Softmax(3).gradients(Isa::PORTABLE, class, 0.0, &rows, &mut g, &mut h);
            sums.iter_mut().zip(g).for_each(|(sum, g)| *sum += g);
        }
        assert!(sums.iter().all(|sum| sum.abs() < 1e-5));
    }
}
