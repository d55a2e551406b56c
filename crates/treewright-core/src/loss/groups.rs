//! Starts and best answers from the rows of groups (leaves, say), by weight and whatever their order. Where several
//! processes hold the rows, each function is called by all of them at the same time, and its results are those of one
//! process that holds all rows, to the last bit.

use super::{Loss, Truth};
use crate::codes::ordered::{from_ordered_bits, ordered_bits};
use crate::peers::Peers;
use crate::stats::merged::{extremes, select};
use crate::stats::numbers::Numbers;
use crate::stats::portable::add_everywhere;
use crate::stats::weights::Weights;
use crate::{Error, Result};

/// Shares of classes and means of counts stay this far from 0: their logarithms are finite.
const TINY: f64 = 1e-15;

/// The rows of each group in this process, and what is known of all processes.
pub struct Groups<'a> {
    peers: &'a dyn Peers,
    numbers: Vec<Vec<f64>>,
    weights: Vec<Weights>,
    /// How many rows each group has in all processes, and what they weigh, in units.
    rows: Vec<u64>,
    totals: Vec<u64>,
}

impl<'a> Groups<'a> {
    /// Groups of numbers, with a weight for each where there are any.
    pub fn new(peers: &'a dyn Peers, numbers: Vec<Vec<f64>>, weights: Option<Vec<Vec<f64>>>) -> Result<Groups<'a>> {
        let weights = match weights {
            Some(weights) => Weights::parts(&weights, peers)?,
            None => numbers.iter().map(|numbers| Weights::ones(numbers.len())).collect(),
        };
        let rows = numbers.iter().map(|numbers| numbers.len() as u64);
        let totals = weights.iter().map(|weights| weights.units.iter().sum());
        let mut words: Vec<u64> = rows.chain(totals).collect();
        add_everywhere(peers, &mut words)?;
        let totals = words.split_off(numbers.len());
        Ok(Groups { peers, numbers, weights, rows: words, totals })
    }

    /// What the rows of each group weigh.
    pub fn weights(&self) -> Vec<f64> {
        self.totals.iter().zip(&self.weights).map(|(&total, weights)| total as f64 * weights.unit).collect()
    }

    /// The mean of some numbers of each group's rows; 0 where they weigh nothing.
    fn means(&self, groups: &[Vec<f64>]) -> Result<Vec<f64>> {
        let ends = extremes(self.peers, groups)?;
        let scaled: Vec<Numbers> = (groups.iter().zip(ends).zip(&self.totals))
            .map(|((numbers, (low, high)), &total)| Numbers::between(low, high, numbers, total))
            .collect();
        let sum = |(numbers, weights): (&Numbers, &Weights)| -> i128 {
            numbers.units.iter().zip(&weights.units).map(|(y, w)| i128::from(*y) * i128::from(*w)).sum()
        };
        let mut sums: Vec<i128> = scaled.iter().zip(&self.weights).map(sum).collect();
        add_everywhere(self.peers, &mut sums)?;
        let mean = |((numbers, sum), &total): ((&Numbers, i128), &u64)| {
            if total == 0 { 0.0 } else { numbers.real(sum as f64 / total as f64) }
        };
        Ok(scaled.iter().zip(sums).zip(&self.totals).map(mean).collect())
    }

    /// The least number of each group at or below which at least this share of its weight lies.
    fn quantiles(&self, share: f64) -> Result<Vec<f64>> {
        // Where all rows of a group weigh nothing it is the least of their numbers.
        let enough = |&total: &u64| if total > 0 { share * total as f64 } else { 0.0 };
        let enough = self.totals.iter().map(enough);
        if self.peers.size() == 1 {
            let groups = self.numbers.iter().zip(&self.weights).zip(enough);
            return Ok(groups.map(|((numbers, weights), enough)| quantile(numbers, weights, enough)).collect());
        }
        let keys: Vec<Vec<u64>> =
            self.numbers.iter().map(|numbers| numbers.iter().map(|x| ordered_bits(*x)).collect()).collect();
        let groups: Vec<(&[u64], Option<&[u64]>)> = (keys.iter().zip(&self.weights).zip(&self.totals))
            .map(|((keys, weights), &total)| (keys.as_slice(), (total > 0).then_some(weights.units.as_slice())))
            .collect();
        // (Without weights each row counts once.)
        let enough: Vec<f64> = enough.zip(&self.totals).map(|(e, &total)| if total > 0 { e } else { 1.0 }).collect();
        Ok(select(self.peers, &groups, &enough)?.into_iter().map(from_ordered_bits).collect())
    }

    /// The median of each group: in the middle between two numbers where both halves weigh the same.
    fn medians(&self) -> Result<Vec<f64>> {
        let lows = self.quantiles(0.5)?;
        let (mut at, mut next) = (Vec::new(), Vec::new());
        for ((numbers, weights), low) in self.numbers.iter().zip(&self.weights).zip(&lows) {
            let pairs = || numbers.iter().zip(&weights.units);
            at.push(pairs().filter(|(number, _)| *number <= low).map(|(_, weight)| *weight).sum());
            let above = pairs().filter(|(number, weight)| *number > low && **weight > 0);
            next.push(above.map(|(number, _)| !ordered_bits(*number)).max().unwrap_or(0));
        }
        add_everywhere(self.peers, &mut at)?;
        self.peers.max(&mut next)?;
        let median = |(((low, at), next), total): (((f64, u64), u64), &u64)| {
            if 2 * at != *total || next == 0 { low } else { low / 2.0 + from_ordered_bits(!next) / 2.0 }
        };
        Ok(lows.into_iter().zip(at).zip(next).zip(&self.totals).map(median).collect())
    }
}

/// The least number up to which enough weight lies; 0 where there is none.
fn quantile(numbers: &[f64], weights: &Weights, enough: f64) -> f64 {
    let mut pairs: Vec<(f64, u64)> = numbers.iter().copied().zip(weights.units.iter().copied()).collect();
    pairs.sort_unstable_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
    let mut sum = 0;
    let reached = pairs.iter().find(|(_, weight)| {
        sum += weight;
        sum as f64 >= enough
    });
    reached.or(pairs.last()).map_or(0.0, |pair| pair.0)
}

impl Loss {
    /// What to add to the scores of each group's rows, whose numbers are errors (truth less score). `delta` is Huber's
    /// delta; `l2` draws means towards 0.
    pub fn refit(&self, groups: &Groups<'_>, delta: f64, l2: f64) -> Result<Vec<f64>> {
        let mut answers = match *self {
            Loss::Absolute => groups.medians()?,
            Loss::Quantile(share) => groups.quantiles(share)?,
            Loss::Huber(_) => {
                let middles = groups.medians()?;
                let near = |(errors, middle): (&Vec<f64>, &f64)| {
                    errors.iter().map(|error| (error - middle).clamp(-delta, delta)).collect()
                };
                let near: Vec<Vec<f64>> = groups.numbers.iter().zip(&middles).map(near).collect();
                groups.means(&near)?.iter().zip(middles).map(|(mean, middle)| middle + mean).collect()
            }
            _ => {
                let drawn = |(mean, weight): (f64, f64)| if l2 == 0.0 { mean } else { mean * (weight / (weight + l2)) };
                groups.means(&groups.numbers)?.into_iter().zip(groups.weights()).map(drawn).collect()
            }
        };
        answers.iter_mut().zip(&groups.rows).filter(|(_, rows)| **rows == 0).for_each(|(answer, _)| *answer = 0.0);
        Ok(answers)
    }

    /// Huber's delta of this round, from the errors of all rows: beyond it errors count as in the absolute loss.
    pub fn huber_delta(&self, peers: &dyn Peers, errors: &[f64], weights: Option<Vec<f64>>) -> Result<f64> {
        let Loss::Huber(share) = *self else { return Ok(f64::INFINITY) };
        let sizes = errors.iter().map(|error| error.abs()).collect();
        let groups = Groups::new(peers, vec![sizes], weights.map(|weights| vec![weights]))?;
        Ok(if groups.rows[0] == 0 { 0.0 } else { groups.quantiles(share)?[0] })
    }

    /// The constant scores that cost least: what a model says before it has a single tree.
    pub fn start(&self, peers: &dyn Peers, truth: Truth<'_>, weights: Option<Vec<f64>>) -> Result<Vec<f64>> {
        let numbers = match (self, truth) {
            (Loss::Softmax(_), Truth::Classes(codes)) => vec![0.0; codes.len()],
            (Loss::Logistic, Truth::Classes(codes)) => codes.iter().map(|&code| f64::from(code)).collect(),
            (loss, Truth::Numbers(numbers)) if !loss.is_of_classes() => numbers.to_vec(),
            _ => return Err(Error::data("recipe.loss", "the loss does not fit the target")),
        };
        let groups = Groups::new(peers, vec![numbers], weights.map(|weights| vec![weights]))?;
        let mean = || Ok::<f64, Error>(groups.means(&groups.numbers)?[0]);
        Ok(match (*self, truth) {
            (Loss::Softmax(classes), Truth::Classes(codes)) => {
                let mut totals = vec![0u64; classes];
                codes.iter().zip(&groups.weights[0].units).for_each(|(&code, weight)| totals[code as usize] += weight);
                add_everywhere(peers, &mut totals)?;
                let total: u64 = totals.iter().sum();
                totals.iter().map(|n| libm::log((*n as f64 / total.max(1) as f64).max(TINY))).collect()
            }
            (Loss::Logistic, _) => {
                let share = mean()?.clamp(TINY, 1.0 - TINY);
                vec![libm::log(share / (1.0 - share))]
            }
            (Loss::Absolute | Loss::Huber(_), _) => groups.medians()?,
            (Loss::Quantile(share), _) => groups.quantiles(share)?,
            (Loss::Poisson | Loss::Gamma | Loss::Tweedie(_), _) => vec![libm::log(mean()?.max(TINY))],
            _ => vec![mean()?],
        })
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::peers::Alone;

    #[test]
    fn each_loss_has_its_best_answer() {
        let errors = [1.0, 2.0, 3.0, 4.0, 100.0];
        let fit = |loss: Loss, weights: Option<&[f64]>, delta, l2| {
            let weights = weights.map(|weights| vec![weights.to_vec()]);
            loss.refit(&Groups::new(&Alone, vec![errors.to_vec()], weights).unwrap(), delta, l2).unwrap()[0]
        };
        assert_eq!(fit(Loss::Squared, None, 0.0, 0.0), 22.0);
        assert_eq!(fit(Loss::Absolute, None, 0.0, 0.0), 3.0);
        assert_eq!(fit(Loss::Absolute, Some(&[1.0, 0.0, 0.0, 1.0, 0.0]), 0.0, 0.0), 2.5);
        assert_eq!(fit(Loss::Absolute, Some(&[0.0; 5]), 0.0, 0.0), 1.0);
        assert_eq!(fit(Loss::Quantile(0.2), None, 0.0, 0.0), 1.0);
        assert_eq!(fit(Loss::Quantile(0.9), None, 0.0, 0.0), 100.0);
        assert_eq!(fit(Loss::Huber(0.9), None, 2.0, 0.0), 3.0 + (-2.0 - 1.0 + 0.0 + 1.0 + 2.0) / 5.0);
        assert_eq!(fit(Loss::Squared, None, 0.0, 5.0), 11.0);
        assert_eq!(Loss::Huber(0.6).huber_delta(&Alone, &[-1.0, 2.0, -3.0, 4.0, 5.0], None).unwrap(), 3.0);
    }
}
