//! The best answers of leaves whose loss is not additive, or should be exact: from the rows themselves.

use super::{Loss, mean, median, quantile, weigh};
use crate::Result;
use crate::stats::weights::Weights;

/// What rows weigh in all, whatever their order.
pub fn weight_of(weights: Option<&[f64]>, rows: usize) -> Result<f64> {
    let Some(weights) = weights else { return Ok(rows as f64) };
    let integers = Weights::new(weights)?;
    Ok(integers.units.iter().sum::<u64>() as f64 * integers.unit)
}

impl Loss {
    /// What to add to the scores of a leaf's rows, of which these are the errors (truth less score). `delta` is Huber's
    /// delta; `l2` draws means towards 0.
    pub fn refit(&self, errors: &[f64], weights: Option<&[f64]>, delta: f64, l2: f64) -> Result<f64> {
        if errors.is_empty() {
            return Ok(0.0);
        }
        let pairs = || weigh(errors.iter().copied(), weights);
        Ok(match *self {
            Loss::Absolute => median(&mut pairs()?),
            Loss::Quantile(share) => quantile(&mut pairs()?, share),
            Loss::Huber(_) => {
                let middle = median(&mut pairs()?);
                let near: Vec<f64> = errors.iter().map(|error| (error - middle).clamp(-delta, delta)).collect();
                middle + mean(&near, weights)?
            }
            _ => {
                let mean_error = mean(errors, weights)?;
                if l2 == 0.0 {
                    return Ok(mean_error);
                }
                let weight = weight_of(weights, errors.len())?;
                mean_error * (weight / (weight + l2))
            }
        })
    }

    /// Huber's delta of this round, from the errors of all rows: beyond it errors count as in the absolute loss.
    pub fn huber_delta(&self, errors: &[f64], weights: Option<&[f64]>) -> Result<f64> {
        let Loss::Huber(share) = *self else { return Ok(f64::INFINITY) };
        let mut pairs = weigh(errors.iter().map(|error| error.abs()), weights)?;
        Ok(if pairs.is_empty() { 0.0 } else { quantile(&mut pairs, share) })
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn each_loss_has_its_best_answer() {
        let errors = [1.0, 2.0, 3.0, 4.0, 100.0];
        let fit = |loss: Loss, weights: Option<&[f64]>, delta| loss.refit(&errors, weights, delta, 0.0).unwrap();
        assert_eq!(fit(Loss::Squared, None, 0.0), 22.0);
        assert_eq!(fit(Loss::Absolute, None, 0.0), 3.0);
        assert_eq!(fit(Loss::Absolute, Some(&[1.0, 0.0, 0.0, 1.0, 0.0]), 0.0), 2.5);
        assert_eq!(fit(Loss::Quantile(0.2), None, 0.0), 1.0);
        assert_eq!(fit(Loss::Quantile(0.9), None, 0.0), 100.0);
        assert_eq!(fit(Loss::Huber(0.9), None, 2.0), 3.0 + (-2.0 - 1.0 + 0.0 + 1.0 + 2.0) / 5.0);
        assert_eq!(Loss::Squared.refit(&errors, None, 0.0, 5.0).unwrap(), 11.0);
        assert_eq!(Loss::Huber(0.6).huber_delta(&[-1.0, 2.0, -3.0, 4.0, 5.0], None).unwrap(), 3.0);
    }
}
