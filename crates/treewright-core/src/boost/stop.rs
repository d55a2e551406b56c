//! When to stop: the loss after each round, and how long to wait for a better one.

use super::TrainingData;
use crate::Result;
use crate::loss::Loss;
use crate::peers::Peers;
use crate::stats::portable::add_everywhere;
use std::ops::Range;

/// How long to wait.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Patience {
    /// So many rounds in a row may bring nothing.
    pub rounds: u32,
    /// A loss is better if it is less by more than this.
    pub tolerance: f64,
}

/// The losses so far.
#[derive(Clone, Debug)]
pub struct LossHistory {
    patience: Option<Patience>,
    tell: bool,
    losses: Vec<Vec<f64>>,
    best: usize,
    waiting: u32,
}

impl LossHistory {
    /// Nothing yet.
    pub fn new(patience: Option<Patience>, tell: bool) -> LossHistory {
        LossHistory { patience, tell, losses: Vec::new(), best: 0, waiting: 0 }
    }

    /// Notes the losses of rows with these scores, by row and sum; returns whether it is time to stop.
    pub fn note(
        &mut self,
        loss: Loss,
        training: &TrainingData,
        peers: &dyn Peers,
        score: impl Fn(usize, usize) -> f64,
    ) -> Result<bool> {
        let sets = training.held_sets();
        let of_training = self.tell || (self.patience.is_some() && sets.is_empty());
        let sums = |rows: Range<usize>, held: bool| loss_sums(loss, training, &score, rows, held);
        let mut sums: Vec<[i128; 2]> = (of_training.then(|| sums(0..training.rows_before_sets(), false)).into_iter())
            .chain(sets.iter().map(|rows| sums(rows.clone(), true)))
            .collect();
        add_everywhere(peers, sums.as_flattened_mut())?;
        let mean = |[sum, weight]: [i128; 2]| if weight > 0 { sum as f64 / weight as f64 } else { f64::NAN };
        let mut losses: Vec<f64> = if of_training { Vec::new() } else { vec![f64::NAN] };
        losses.extend(sums.into_iter().map(mean));
        Ok(self.judge(losses))
    }

    /// Notes the losses of a round; returns whether it is time to stop.
    pub fn judge(&mut self, mut losses: Vec<f64>) -> bool {
        // With several sets the last one decides; without any it is the training rows.
        let (now, watched) = (self.losses.len(), losses.len().saturating_sub(1));
        let loss = losses[watched];
        losses.resize(losses.len().max(2), f64::NAN);
        self.losses.push(losses);
        let Some(patience) = self.patience else { return false };
        if now == 0 || loss < self.losses[self.best][watched] - patience.tolerance {
            self.best = now;
            self.waiting = 0;
        } else {
            self.waiting += 1;
        }
        self.waiting >= patience.rounds
    }

    /// The losses at the start and after each round: of the training rows, then of each set that is held out.
    pub fn losses(&self) -> &[Vec<f64>] {
        &self.losses
    }

    /// The round with the least loss, where somebody watches over it with rows that were held out. At least one.
    pub fn best(&self) -> Option<usize> {
        let watched = self.patience.is_some() && self.losses.first().is_some_and(|losses| !losses[1].is_nan());
        watched.then(|| self.best.max(1))
    }
}

/// The loss of rows and what they weigh, in whole units so that their order does not matter.
fn loss_sums(
    loss: Loss,
    training: &TrainingData,
    score: impl Fn(usize, usize) -> f64,
    rows: Range<usize>,
    of_held: bool,
) -> [i128; 2] {
    const UNIT: f64 = (1u64 << 40) as f64;
    let (mut sum, mut weight) = (0i128, 0i128);
    let mut scores = vec![0.0; loss.sums()];
    for row in rows.filter(|&row| training.is_held(row) == of_held) {
        scores.iter_mut().enumerate().for_each(|(i, to)| *to = score(row, i));
        let share = training.score_weight(row);
        // Saturates where a loss is beyond all measure.
        sum += (share * loss.cost(training.truth().number(row), &scores) * UNIT) as i128;
        weight += (share * UNIT) as i128;
    }
    [sum, weight]
}
