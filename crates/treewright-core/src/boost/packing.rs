//! The gradients of all rows as whole numbers, before a tree is grown from them.

use super::Boosting;
use super::gradients::Largest;
use super::sample::Sample;
use crate::rows::bins::chunk::Spans;
use crate::rows::bins::packed::{MAX_REPETITIONS, Units, pack, repeated};
use crate::sys::pool::Cancel;
use std::sync::{Mutex, PoisonError};

/// Below this many rows, weights that are small whole numbers are packed as repetitions, and units follow from the largest
/// gradient of each round.
pub const MIN_ROWS_UNREPEATED: usize = 1 << 16;
/// The least hessian of a child, of rows that weigh 1.
const MIN_HESSIAN: f64 = 1e-3;

/// All that a tree is grown from.
#[derive(Debug)]
pub struct Packed {
    /// Where the rows of the root are.
    pub roots: Vec<Spans>,
    /// What the words mean.
    pub units: Units,
    /// The least hessian of a row, in units.
    pub least: u64,
    /// How many rows there are, each as often as it counts.
    pub weight: f64,
    /// The least hessian of a child.
    pub floor: f64,
}

impl Boosting {
    /// Packs the gradients by one score and puts rows into the root.
    pub(super) fn pack(&self, sum: usize, sample: &Sample<'_>, largest: Largest, cancel: &Cancel) -> Packed {
        let roots = self.assign_to_root(sample, cancel);
        let rows: usize = roots.iter().map(|spans| spans[0].len()).sum();
        let repeated = self.training.rows_before_sets() < MIN_ROWS_UNREPEATED;
        let mut units = Units::new(largest.gradient, largest.hessian, largest.typical, repeated);
        units.most = (units.most as f64 * largest.weight) as u64;
        self.pack_all(units, sum, cancel);
        let flat = self.plan.loss.is_flat() && self.training.weights.is_none();
        let least = if flat { (units.hessian as u64).max(1) } else { 1 };
        let weight = self.repetitions.as_ref().map_or(rows as f64, |_| self.counted(&roots));
        // Where all weights are small, so is what they add up to.
        let heaviest =
            self.training.weights.as_ref().map_or(1.0, |weights| weights.iter().copied().fold(0.0, f64::max));
        Packed { roots, units, least, weight, floor: MIN_HESSIAN * heaviest.min(1.0) }
    }

    /// How often the training rows count together.
    fn counted(&self, roots: &[Spans]) -> f64 {
        let each = self.chunks.iter().zip(roots).map(|(chunk, spans)| {
            let chunk = chunk.read().unwrap_or_else(PoisonError::into_inner);
            chunk
                .training_rows(*spans)
                .iter()
                .map(|&place| self.repetitions_of(chunk.first + usize::from(place)))
                .sum::<u64>()
        });
        each.sum::<u64>() as f64
    }

    /// Puts rows into the root.
    fn assign_to_root(&self, sample: &Sample<'_>, cancel: &Cancel) -> Vec<Spans> {
        let roots: Vec<Mutex<Spans>> = self.chunks.iter().map(|_| Mutex::new(Spans::default())).collect();
        self.each_chunk(cancel, |chunk| {
            let spans = sample.assign_to_root(chunk);
            *roots[chunk.first / self.length()].lock().unwrap_or_else(PoisonError::into_inner) = spans;
        });
        roots.into_iter().map(|spans| spans.into_inner().unwrap_or_else(PoisonError::into_inner)).collect()
    }

    /// Packs every row anew.
    fn pack_all(&self, units: Units, sum: usize, cancel: &Cancel) {
        let isa = self.plan.rules.isa;
        let salt = self.round.wrapping_mul(0x9E37_79B9).wrapping_add(self.plan.seed as u32) ^ (sum as u32) << 24;
        self.each_chunk(cancel, |chunk| {
            let mut words = std::mem::take(&mut chunk.words);
            self.blocks(chunk, |start, g, h| {
                self.weigh(chunk.first + start, g, h);
                let row_hashes = &self.store.row_hashes()[chunk.first + start..];
                let words = &mut words[start..start + g.len()];
                pack(isa, units, row_hashes, salt, g, h, words);
                if let Some(repetitions) = &self.repetitions {
                    words
                        .iter_mut()
                        .zip(&repetitions[chunk.first + start..])
                        .for_each(|(word, n)| *word = repeated(*word, *n));
                }
            });
            chunk.words = words;
        });
    }
}

/// How often each row counts, if that is what weights say: small whole numbers, of few rows. What comes of them is then what
/// comes of rows that are there several times, to the last bit.
pub fn repetitions(weights: Option<&[f64]>, rows: usize) -> Option<Vec<u8>> {
    let weights = weights.filter(|_| rows < MIN_ROWS_UNREPEATED)?;
    let known = |weight: &f64| *weight >= 0.0 && *weight <= f64::from(MAX_REPETITIONS) && weight.fract() == 0.0;
    weights.iter().all(known).then(|| weights.iter().map(|weight| *weight as u8).collect())
}
