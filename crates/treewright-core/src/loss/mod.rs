//! Losses: what a model's answer costs where the truth is known. A loss knows targets and scores, never trees.
//!
//! Glossary. A *score* is what the model adds up, before the link: a number, a logarithm of odds or of a mean. A row's
//! *gradient* and *hessian* are the first two derivatives of its loss by its score. A loss is *additive* if a leaf's best
//! answer follows from the sums of both; the others ([`Loss::refits`]) are grown on their gradients and then look at the
//! rows of each leaf once more.

pub mod gradients;
pub mod groups;

use crate::model::combine::Link;

/// A loss.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Loss {
    /// Half the squared error.
    Squared,
    /// The absolute error.
    Absolute,
    /// Errors below count this much, errors above the rest to 1: the answer is that quantile.
    Quantile(f64),
    /// Squared near, absolute far; far begins at this quantile of the errors.
    Huber(f64),
    /// The deviance of counts; scores are logarithms of means.
    Poisson,
    /// The deviance of positive numbers that spread in proportion to their mean; scores are logarithms of means.
    Gamma,
    /// The deviance of numbers whose variance is this power of their mean, between 1 (Poisson) and 2 (gamma): zeros, and
    /// positive numbers without an end; scores are logarithms of means.
    Tweedie(f64),
    /// The deviance of two classes; scores are logarithms of odds.
    Logistic,
    /// The deviance of several classes; scores are logarithms of shares.
    Softmax(usize),
}

/// The truth about some rows.
#[derive(Clone, Copy, Debug)]
pub enum Truth<'a> {
    /// Numbers.
    Numbers(&'a [f64]),
    /// Classes.
    Classes(&'a [u32]),
}

impl<'a> Truth<'a> {
    /// The truth about the rows of a span.
    pub fn part(&self, span: std::ops::Range<usize>) -> Truth<'a> {
        match self {
            Truth::Numbers(numbers) => Truth::Numbers(&numbers[span]),
            Truth::Classes(codes) => Truth::Classes(&codes[span]),
        }
    }

    /// The truth about a row as a number: classes by their code.
    pub fn number(&self, row: usize) -> f64 {
        match self {
            Truth::Numbers(numbers) => numbers[row],
            Truth::Classes(codes) => f64::from(codes[row]),
        }
    }
}

impl Loss {
    /// How many scores a row has.
    pub fn sums(&self) -> usize {
        if let Loss::Softmax(classes) = self { *classes } else { 1 }
    }

    /// What becomes of the scores.
    pub fn link(&self) -> Link {
        match self {
            Loss::Logistic => Link::Logistic,
            Loss::Softmax(_) => Link::Softmax,
            Loss::Poisson | Loss::Gamma | Loss::Tweedie(_) => Link::Exp,
            _ => Link::Identity,
        }
    }

    /// Whether the truth is classes.
    pub fn is_of_classes(&self) -> bool {
        matches!(self, Loss::Logistic | Loss::Softmax(_))
    }

    /// Whether leaves look at their rows once more.
    pub fn refits(&self) -> bool {
        matches!(self, Loss::Squared | Loss::Absolute | Loss::Quantile(_) | Loss::Huber(_))
    }

    /// Whether every row's hessian is its weight.
    pub fn is_flat(&self) -> bool {
        self.refits()
    }

    /// The gradient and the hessian of a row by one of its scores, in double precision; see [`Loss::gradients`].
    pub fn gradient(&self, truth: f64, scores: &[f64], sum: usize, delta: f64) -> (f64, f64) {
        let error = scores[0] - truth;
        match *self {
            Loss::Squared => (error, 1.0),
            Loss::Absolute => (if error == 0.0 { 0.0 } else { error.signum() }, 1.0),
            Loss::Quantile(q) => (
                if error > 0.0 {
                    1.0 - q
                } else if error < 0.0 {
                    -q
                } else {
                    0.0
                },
                1.0,
            ),
            Loss::Huber(_) => (error.clamp(-delta, delta), 1.0),
            Loss::Poisson => (libm::exp(scores[0]) - truth, libm::exp(scores[0])),
            Loss::Gamma => {
                let ratio = truth * libm::exp(-scores[0]);
                (1.0 - ratio, ratio)
            }
            Loss::Tweedie(power) => {
                let mean = libm::exp((2.0 - power) * scores[0]);
                let seen = truth * libm::exp((1.0 - power) * scores[0]);
                (mean - seen, (2.0 - power) * mean + (power - 1.0) * seen)
            }
            Loss::Logistic => {
                let share = 1.0 / (1.0 + libm::exp(-scores[0]));
                (share - truth, share * (1.0 - share))
            }
            Loss::Softmax(_) => {
                let most = scores.iter().copied().fold(f64::NEG_INFINITY, f64::max);
                let sum_of_exponentials: f64 = scores.iter().map(|s| libm::exp(s - most)).sum();
                let share = libm::exp(scores[sum] - most) / sum_of_exponentials;
                (share - f64::from(u8::from(truth as usize == sum)), share * (1.0 - share))
            }
        }
    }

    /// What the answers of a row with these scores cost.
    pub fn cost(&self, truth: f64, scores: &[f64]) -> f64 {
        let score = scores[0];
        let error = truth - score;
        match *self {
            Loss::Squared => error * error / 2.0,
            // How far away far is changes from round to round; what is reported does not.
            Loss::Absolute | Loss::Huber(_) => error.abs(),
            Loss::Quantile(q) => {
                if error >= 0.0 {
                    q * error
                } else {
                    (q - 1.0) * error
                }
            }
            Loss::Poisson => libm::exp(score) - truth * score,
            Loss::Gamma => truth * libm::exp(-score) + score - libm::log(truth) - 1.0,
            Loss::Tweedie(power) => {
                let (a, b) = (1.0 - power, 2.0 - power);
                libm::pow(truth, b) / (a * b) - truth * libm::exp(a * score) / a + libm::exp(b * score) / b
            }
            Loss::Logistic => softplus(if truth > 0.5 { -score } else { score }),
            Loss::Softmax(_) => {
                let most = scores.iter().copied().fold(f64::NEG_INFINITY, f64::max);
                let sum: f64 = scores.iter().map(|s| libm::exp(s - most)).sum();
                libm::log(sum) + most - scores[truth as usize]
            }
        }
    }
}

impl Loss {
    /// A Newton step from these sums of gradients and hessians, but never beyond the answer that is best for the rows: far
    /// from it a step of the gamma and Tweedie losses would be too long by orders of magnitude.
    pub fn limit_step(&self, step: f64, gradient: f64, hessian: f64) -> f64 {
        let power = match *self {
            Loss::Gamma => 2.0,
            Loss::Tweedie(power) => power,
            _ => return step,
        };
        // Both sums follow from gradients and hessians: of mean^(2 - power), and of truth * mean^(1 - power).
        let (means, truths) = (hessian + (power - 1.0) * gradient, hessian + (power - 2.0) * gradient);
        if !(means > 0.0 && truths > 0.0) {
            return step;
        }
        let best = libm::log(truths / means);
        if best < 0.0 { step.max(best) } else { step.min(best) }
    }
}

/// `log(1 + e^x)`.
fn softplus(x: f64) -> f64 {
    x.max(0.0) + libm::log1p(libm::exp(-x.abs()))
}
