//! What a model says before it has a single tree.

use super::{Loss, Truth, mean, median, quantile, weigh};
use crate::stats::weights::Weights;
use crate::{Error, Result};

/// Shares of classes and means of counts stay this far from 0: their logarithms are finite.
pub(super) const TINY: f64 = 1e-15;

/// The scores of classes of these weights.
pub(super) fn of_shares(weights: &[u64]) -> Vec<f64> {
    let total: u64 = weights.iter().sum();
    weights.iter().map(|n| libm::log((*n as f64 / total.max(1) as f64).max(TINY))).collect()
}

/// The score of two classes, of which the second has this share.
pub(super) fn of_odds(share: f64) -> Vec<f64> {
    let share = share.clamp(TINY, 1.0 - TINY);
    vec![libm::log(share / (1.0 - share))]
}

impl Loss {
    /// The constant scores that cost least.
    pub fn start(&self, truth: Truth<'_>, weights: Option<&[f64]>) -> Result<Vec<f64>> {
        match (self, truth) {
            (Loss::Softmax(classes), Truth::Classes(codes)) => {
                let weights = weights.map_or_else(|| Ok(Weights::ones(codes.len())), Weights::new)?;
                let mut totals = vec![0u64; *classes];
                codes.iter().zip(&weights.units).for_each(|(&code, weight)| totals[code as usize] += weight);
                Ok(of_shares(&totals))
            }
            (Loss::Logistic, Truth::Classes(codes)) => {
                let ones: Vec<f64> = codes.iter().map(|&code| f64::from(code)).collect();
                Ok(of_odds(mean(&ones, weights)?))
            }
            (_, Truth::Numbers(numbers)) => Ok(vec![self.start_of_numbers(numbers, weights)?]),
            _ => Err(Error::data("recipe.loss", "the loss does not fit the target")),
        }
    }

    fn start_of_numbers(&self, numbers: &[f64], weights: Option<&[f64]>) -> Result<f64> {
        let pairs = || weigh(numbers.iter().copied(), weights);
        Ok(match *self {
            Loss::Absolute | Loss::Huber(_) => median(&mut pairs()?),
            Loss::Quantile(share) => quantile(&mut pairs()?, share),
            Loss::Poisson | Loss::Gamma | Loss::Tweedie(_) => libm::log(mean(numbers, weights)?.max(TINY)),
            _ => mean(numbers, weights)?,
        })
    }
}
