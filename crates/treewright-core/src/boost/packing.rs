//! The gradients of all rows as whole numbers, before a tree is grown from them.

use super::Boosting;
use super::gradients::Largest;
use super::sample::Sample;
use super::totals::Totals;
use crate::Result;
use crate::rows::bins::Root;
use crate::rows::bins::chunk::Spans;
use crate::rows::bins::packed::{MAX_REPETITIONS, Units, pack, repeated};
use crate::stats::merged::add_totals;
use crate::sys::pool::Cancel;
use std::sync::{Mutex, PoisonError};

/// Below this many rows, weights that are small whole numbers are packed as repetitions, and units follow from the largest
/// gradient of each round.
pub const MIN_ROWS_UNREPEATED: usize = 1 << 16;
/// The least hessian of a child, of rows that weigh 1.
const MIN_HESSIAN: f64 = 1e-3;

impl Boosting {
    /// Packs the gradients by one score and puts rows into the root.
    pub(super) fn pack(&self, sum: usize, sample: &Sample<'_>, largest: Largest, cancel: &Cancel) -> Result<Root> {
        let spans = self.assign_to_root(sample, cancel);
        let repeated = self.totals.rows < MIN_ROWS_UNREPEATED as u64;
        let mut units = Units::new(largest.gradient, largest.hessian, largest.typical, repeated);
        units.most = (units.most as f64 * largest.weight) as u64;
        self.pack_all(units, sum, cancel);
        let flat = self.plan.loss.is_flat() && self.training.weights.is_none();
        let least = if flat { (units.hessian as u64).max(1) } else { 1 };
        let rows: usize = spans.iter().map(|spans| spans[0].len()).sum();
        let counted = self.repetitions.as_ref().map_or(rows as u64, |_| self.counted(&spans));
        cancel.check()?;
        let mut totals = [rows as u64, counted];
        add_totals(&*self.peers, &mut totals)?;
        let [rows, counted] = totals;
        // Where all weights are small, so is what they add up to.
        let floor = MIN_HESSIAN * self.totals.heaviest.min(1.0);
        Ok(Root { spans, units, least, rows, weight: counted as f64, floor })
    }

    /// How often the training rows count together.
    fn counted(&self, roots: &[Spans]) -> u64 {
        let each = self.chunks.iter().zip(roots).map(|(chunk, spans)| {
            let chunk = chunk.read().unwrap_or_else(PoisonError::into_inner);
            chunk
                .training_rows(*spans)
                .iter()
                .map(|&place| self.repetitions_of(chunk.first + usize::from(place)))
                .sum::<u64>()
        });
        each.sum()
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

/// Whether weights may say how often each row counts: small whole numbers.
pub fn are_repetitions(weights: &[f64]) -> bool {
    weights.iter().all(|&weight| weight >= 0.0 && weight <= f64::from(MAX_REPETITIONS) && weight.fract() == 0.0)
}

/// How often each row counts, if that is what the weights of few rows say. What comes of them is then what comes of rows that
/// are there several times, to the last bit.
pub fn repetitions(weights: Option<&[f64]>, totals: &Totals) -> Option<Vec<u8>> {
    let weights = weights.filter(|_| totals.are_repetitions && totals.rows < MIN_ROWS_UNREPEATED as u64)?;
    Some(weights.iter().map(|weight| *weight as u8).collect())
}
