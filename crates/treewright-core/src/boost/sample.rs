//! The rows that a round learns from: all, or each by chance. Whether a row is drawn depends on the seed, the round and what
//! the row holds, and on nothing else: not on where it stands.

use super::TrainingData;
use crate::rng::Stream;
use crate::rows::bins::chunk::{Chunk, Spans};

/// The rows of one round.
#[derive(Clone, Copy, Debug)]
pub struct RoundSample<'a> {
    training: &'a TrainingData,
    /// A number for each row to be drawn by; empty where all rows are drawn.
    tickets: &'a [u64],
    share: f64,
    stream: Stream,
}

impl<'a> RoundSample<'a> {
    /// This share of the rows that are not held out.
    pub fn new(training: &'a TrainingData, tickets: &'a [u64], share: f64, stream: Stream) -> RoundSample<'a> {
        RoundSample { training, tickets, share, stream }
    }

    /// Whether a row is among them.
    pub fn has(&self, row: usize) -> bool {
        !self.training.is_held(row) && (self.share >= 1.0 || self.stream.uniform(self.tickets[row]) < self.share)
    }

    /// The row that came nearest to being drawn, of those that count: it stands for a draw without any.
    pub fn nearest(&self, rows: usize, counts: impl Fn(usize) -> bool) -> Option<usize> {
        let mut rows = (0..rows).filter(|&row| !self.training.is_held(row) && counts(row));
        let first = rows.next()?;
        let chance = |row: usize| self.stream.uniform(self.tickets[row]);
        Some(rows.fold(first, |best, row| if chance(row) < chance(best) { row } else { best }))
    }

    /// Puts the rows of a chunk into the root.
    pub fn assign_to_root(&self, chunk: &mut Chunk) -> Spans {
        if self.share >= 1.0 && self.training.held.is_none() {
            return chunk.assign_all_to_root();
        }
        let first = chunk.first;
        let drawn: Vec<bool> = (first..first + chunk.len()).map(|row| self.has(row)).collect();
        chunk.assign_to_root(|row| drawn[row])
    }
}
