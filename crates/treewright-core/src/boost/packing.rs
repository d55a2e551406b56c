//! The gradients of all rows as whole numbers, before a tree is grown from them.

use super::Boosting;
use super::sample::Sample;
use super::slopes::Largest;
use crate::rows::bins::chunk::Spans;
use crate::rows::bins::packed::{MOST_TIMES, Units, pack, repeated};
use crate::sys::pool::Cancel;
use std::sync::{Mutex, PoisonError};

/// Of fewer rows each may count several times, and it is looked for how large their gradients are.
pub const MANY: usize = 1 << 16;
/// The least curvature of a child, of rows that weigh 1.
const LEAST_BEND: f64 = 1e-3;

/// All that a tree is grown from.
#[derive(Debug)]
pub struct Packed {
    /// Where the rows of the root are.
    pub roots: Vec<Spans>,
    /// What the words mean.
    pub units: Units,
    /// The least curvature of a row, in units.
    pub least: u64,
    /// How many rows there are, each as often as it counts.
    pub weight: f64,
    /// The least curvature of a child.
    pub floor: f64,
}

impl Boosting {
    /// Packs the gradients by one score and puts rows into the root.
    pub(super) fn pack(
        &self,
        sum: usize,
        sample: &Sample<'_>,
        reach: f64,
        largest: Largest,
        cancel: &Cancel,
    ) -> Packed {
        let roots = self.plant(sample, cancel);
        let members: usize = roots.iter().map(|spans| spans[0].len()).sum();
        let few = self.store.rows < MANY;
        let mut units = Units::new(largest.gradient, largest.curvature, largest.typical, few);
        units.most = (units.most as f64 * largest.weight) as u64;
        self.pack_all(units, sum, reach, cancel);
        let flat = self.plan.loss.is_flat() && self.lesson.weights.is_none();
        let least = if flat { (units.curvature as u64).max(1) } else { 1 };
        let weight = self.times.as_ref().map_or(members as f64, |_| self.counted(&roots));
        // Where all weights are small, so is what they add up to.
        let heaviest = self.lesson.weights.as_ref().map_or(1.0, |weights| weights.iter().copied().fold(0.0, f64::max));
        Packed { roots, units, least, weight, floor: LEAST_BEND * heaviest.min(1.0) }
    }

    /// How often the members of the root count together.
    fn counted(&self, roots: &[Spans]) -> f64 {
        let each = self.chunks.iter().zip(roots).map(|(chunk, spans)| {
            let chunk = chunk.read().unwrap_or_else(PoisonError::into_inner);
            chunk.members(*spans).iter().map(|&place| self.times_of(chunk.first + usize::from(place))).sum::<u64>()
        });
        each.sum::<u64>() as f64
    }

    /// Puts rows into the root.
    fn plant(&self, sample: &Sample<'_>, cancel: &Cancel) -> Vec<Spans> {
        let roots: Vec<Mutex<Spans>> = self.chunks.iter().map(|_| Mutex::new(Spans::default())).collect();
        self.each_chunk(cancel, |chunk| {
            let spans = sample.plant(chunk);
            *roots[chunk.first / self.length()].lock().unwrap_or_else(PoisonError::into_inner) = spans;
        });
        roots.into_iter().map(|spans| spans.into_inner().unwrap_or_else(PoisonError::into_inner)).collect()
    }

    /// Packs every row anew.
    fn pack_all(&self, units: Units, sum: usize, reach: f64, cancel: &Cancel) {
        let isa = self.plan.rules.isa;
        let salt = self.round.wrapping_mul(0x9E37_79B9).wrapping_add(self.plan.seed as u32) ^ (sum as u32) << 24;
        self.each_chunk(cancel, |chunk| {
            let mut words = std::mem::take(&mut chunk.words);
            self.blocks(chunk, sum, reach, |start, g, h| {
                self.weigh(chunk.first + start, g, h);
                let marks = &self.store.marks()[chunk.first + start..];
                let words = &mut words[start..start + g.len()];
                pack(isa, units, marks, salt, g, h, words);
                if let Some(times) = &self.times {
                    words
                        .iter_mut()
                        .zip(&times[chunk.first + start..])
                        .for_each(|(word, n)| *word = repeated(*word, *n));
                }
            });
            chunk.words = words;
        });
    }
}

/// How often each row counts, if that is what weights say: small whole numbers, of few rows. What comes of them is then what
/// comes of rows that are there several times, to the last bit.
pub fn times(weights: Option<&[f64]>) -> Option<Vec<u8>> {
    let weights = weights.filter(|weights| weights.len() < MANY)?;
    let known = |weight: &f64| *weight >= 0.0 && *weight <= f64::from(MOST_TIMES) && weight.fract() == 0.0;
    weights.iter().all(known).then(|| weights.iter().map(|weight| *weight as u8).collect())
}
