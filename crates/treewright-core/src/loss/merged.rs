//! Starts and best answers from rows that several processes hold: the same numbers, to the last bit, as those of one
//! process that holds all of them. Each function is called by all processes at the same time.

use super::start::TINY;
use super::{Loss, Truth};
use crate::codes::ordered::{from_ordered_bits, ordered_bits};
use crate::peers::Peers;
use crate::stats::merged::{extremes, select};
use crate::stats::numbers::Numbers;
use crate::stats::portable::add_everywhere;
use crate::stats::weights::Weights;
use crate::{Error, Result};

/// The rows of each group (a leaf, say) in this process, and what is known of all processes.
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

    /// See [`super::quantile`].
    fn quantiles(&self, share: f64) -> Result<Vec<f64>> {
        let keys: Vec<Vec<u64>> =
            self.numbers.iter().map(|numbers| numbers.iter().map(|x| ordered_bits(*x)).collect()).collect();
        // Where all rows of a group weigh nothing it is the least of their numbers.
        let groups: Vec<(&[u64], Option<&[u64]>)> = (keys.iter().zip(&self.weights).zip(&self.totals))
            .map(|((keys, weights), &total)| (keys.as_slice(), (total > 0).then_some(weights.units.as_slice())))
            .collect();
        let enough = |&total: &u64| if total > 0 { share * total as f64 } else { 1.0 };
        let enough: Vec<f64> = self.totals.iter().map(enough).collect();
        Ok(select(self.peers, &groups, &enough)?.into_iter().map(from_ordered_bits).collect())
    }

    /// See [`super::median`].
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

impl Loss {
    /// [`Loss::refit`] for each of several groups, whose numbers are errors.
    pub fn refit_groups(&self, groups: &Groups<'_>, delta: f64, l2: f64) -> Result<Vec<f64>> {
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

    /// [`Loss::huber_delta`] of the errors of all processes.
    pub fn huber_delta_merged(&self, peers: &dyn Peers, errors: &[f64], weights: Option<Vec<f64>>) -> Result<f64> {
        let Loss::Huber(share) = *self else { return Ok(f64::INFINITY) };
        let sizes = errors.iter().map(|error| error.abs()).collect();
        let groups = Groups::new(peers, vec![sizes], weights.map(|weights| vec![weights]))?;
        Ok(if groups.rows[0] == 0 { 0.0 } else { groups.quantiles(share)?[0] })
    }

    /// [`Loss::start`] of the rows of all processes.
    pub fn start_merged(&self, peers: &dyn Peers, truth: Truth<'_>, weights: Option<&[f64]>) -> Result<Vec<f64>> {
        let weights = weights.map(|weights| vec![weights.to_vec()]);
        match (self, truth) {
            (Loss::Softmax(classes), Truth::Classes(codes)) => {
                let groups = Groups::new(peers, vec![vec![0.0; codes.len()]], weights)?;
                let mut totals = vec![0u64; *classes];
                codes.iter().zip(&groups.weights[0].units).for_each(|(&code, weight)| totals[code as usize] += weight);
                add_everywhere(peers, &mut totals)?;
                Ok(super::start::of_shares(&totals))
            }
            (Loss::Logistic, Truth::Classes(codes)) => {
                let ones = vec![codes.iter().map(|&code| f64::from(code)).collect()];
                let groups = Groups::new(peers, ones, weights)?;
                Ok(super::start::of_odds(groups.means(&groups.numbers)?[0]))
            }
            (_, Truth::Numbers(numbers)) => {
                let groups = Groups::new(peers, vec![numbers.to_vec()], weights)?;
                Ok(match *self {
                    Loss::Absolute | Loss::Huber(_) => groups.medians()?,
                    Loss::Quantile(share) => groups.quantiles(share)?,
                    Loss::Poisson | Loss::Gamma | Loss::Tweedie(_) => {
                        vec![libm::log(groups.means(&groups.numbers)?[0].max(TINY))]
                    }
                    _ => groups.means(&groups.numbers)?,
                })
            }
            _ => Err(Error::data("recipe.loss", "the loss does not fit the target")),
        }
    }
}
