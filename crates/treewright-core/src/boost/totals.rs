//! What a run must know of the rows of all its processes.

use super::TrainingData;
use super::packing::are_repetitions;
use crate::Result;
use crate::codes::ordered::{from_ordered_bits, ordered_bits};
use crate::peers::Peers;
use crate::stats::portable::add_everywhere;

/// What a run knows of all rows before its first round.
#[derive(Clone, Copy, Debug)]
pub struct Totals {
    /// How many rows there are before the evaluation sets.
    pub rows: u64,
    /// How often they count, each as often as its weight says if weights are repetitions.
    pub counted: u64,
    /// The largest weight.
    pub heaviest: f64,
    /// Whether weights may say how often a row counts.
    pub are_repetitions: bool,
}

impl Totals {
    /// Adds up what each process knows of its own rows.
    pub fn new(training: &TrainingData, peers: &dyn Peers) -> Result<Totals> {
        let weights = training.weights.as_deref();
        let heaviest = weights.map_or(1.0, |weights| weights.iter().copied().fold(0.0, f64::max));
        let mut most = [ordered_bits(heaviest), u64::from(!weights.is_some_and(are_repetitions))];
        peers.max(&mut most)?;
        let are_repetitions = most[1] == 0;
        let rows = training.rows_before_sets() as u64;
        // (Small whole numbers, so the conversion and the sum are exact.)
        let times = |weights: &[f64]| weights.iter().map(|&weight| weight as u64).sum();
        let counted = weights.filter(|_| are_repetitions).map_or(rows, times);
        let mut totals = [rows, counted];
        add_everywhere(peers, &mut totals)?;
        let [rows, counted] = totals;
        let is_few = rows < super::packing::MIN_ROWS_UNREPEATED as u64;
        let counted = if are_repetitions && is_few { counted } else { rows };
        Ok(Totals { rows, counted, heaviest: from_ordered_bits(most[0]), are_repetitions })
    }
}
