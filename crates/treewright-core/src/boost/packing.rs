//! The gradients of all rows as whole numbers, before a tree is grown from them.

use super::Boosting;
use super::gradients::GradientScale;
use super::sample::RoundSample;
use super::totals::Totals;
use crate::Result;
use crate::rows::bins::RootRows;
use crate::rows::bins::chunk::{self, Chunk, Spans};
use crate::rows::bins::packed::{MAX_REPETITIONS, Units, pack, repeated};
use crate::stats::portable::add_everywhere;
use crate::sys::pool::Cancel;

/// Below this many rows, weights that are small whole numbers are packed as repetitions, and units follow from the largest
/// gradient of each round.
pub const MIN_ROWS_UNREPEATED: usize = 1 << 16;
/// The least hessian of a child, of rows that weigh 1.
const MIN_HESSIAN: f64 = 1e-3;

impl Boosting {
    /// Packs the gradients by one score and puts rows into the root.
    pub(super) fn pack(
        &self,
        sum: usize,
        sample: &RoundSample<'_>,
        scale: GradientScale,
        cancel: &Cancel,
    ) -> Result<RootRows> {
        let repeated = self.totals.rows < MIN_ROWS_UNREPEATED as u64;
        let mut units = Units::new(scale.gradient, scale.hessian, scale.typical, repeated);
        units.most = (units.most as f64 * scale.weight) as u64;
        let salt = self.round.wrapping_mul(0x9E37_79B9).wrapping_add(self.plan.seed as u32) ^ (sum as u32) << 24;
        let spans = self.team.collect(self.chunks.len(), self.store.rows as u64, cancel, |chunk| {
            let mut chunk = chunk::write(&self.chunks[chunk]);
            self.pack_chunk(&mut chunk, units, salt);
            sample.assign_to_root(&mut chunk)
        });
        let flat = self.plan.loss.is_flat() && self.training.weights.is_none();
        let least = if flat { (units.hessian as u64).max(1) } else { 1 };
        let rows: usize = spans.iter().map(|spans| spans[0].len()).sum();
        let counted = self.repetitions.as_ref().map_or(rows as u64, |_| self.counted(&spans));
        cancel.check()?;
        let mut totals = [rows as u64, counted];
        add_everywhere(&*self.peers, &mut totals)?;
        let [rows, counted] = totals;
        // Where all weights are small, so is what they add up to.
        let floor = MIN_HESSIAN * self.totals.heaviest.min(1.0);
        Ok(RootRows { spans, units, least, rows, weight: counted as f64, floor })
    }

    /// How often the training rows count together.
    fn counted(&self, roots: &[Spans]) -> u64 {
        let each = self.chunks.iter().zip(roots).map(|(chunk, spans)| {
            let chunk = chunk::read(chunk);
            let times = |&place: &u16| self.repetitions_of(chunk.first + usize::from(place));
            chunk.training_rows(*spans).iter().map(times).sum::<u64>()
        });
        each.sum()
    }

    /// Packs the rows of a chunk anew; `salt` differs from tree to tree.
    fn pack_chunk(&self, chunk: &mut Chunk, units: Units, salt: u32) {
        let mut words = std::mem::take(&mut chunk.words);
        self.blocks(chunk, |start, g, h| {
            let row_hashes = &self.store.row_hashes()[chunk.first + start..];
            let words = &mut words[start..start + g.len()];
            pack(self.plan.rules.isa, units, row_hashes, salt, g, h, words);
            if let Some(repetitions) = &self.repetitions {
                let times = &repetitions[chunk.first + start..];
                words.iter_mut().zip(times).for_each(|(word, times)| *word = repeated(*word, *times));
            }
        });
        chunk.words = words;
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
