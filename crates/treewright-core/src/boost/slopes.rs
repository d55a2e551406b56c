//! Gradients and curvatures of a run's rows at their scores, a block at a time, and how large they are.

use super::Boosting;
use super::packing::MANY;
use crate::loss::Loss;
use crate::loss::gradients::Rows as LossRows;
use crate::rows::bins::chunk::Chunk;
use crate::sys::pool::Cancel;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};

/// Rows whose gradients are computed side by side.
const BLOCK: usize = 512;

/// How large the gradients and curvatures of a tree's rows are.
#[derive(Clone, Copy, Debug)]
pub struct Largest {
    /// The largest gradient.
    pub gradient: f64,
    /// The largest curvature.
    pub curvature: f64,
    /// The mean gradient, without its sign.
    pub typical: f64,
    /// The largest weight, where rows count several times and the numbers above are those of one.
    pub weight: f64,
}

impl Boosting {
    /// Multiplies by the weights of the rows from `first` on, unless rows count several times.
    pub(super) fn weigh(&self, first: usize, g: &mut [f32], h: &mut [f32]) {
        if let (Some(weights), None) = (&self.lesson.weights, &self.times) {
            for ((g, h), weight) in g.iter_mut().zip(h).zip(&weights[first..]) {
                *g *= *weight as f32;
                *h *= *weight as f32;
            }
        }
    }

    /// How often a row counts.
    pub(super) fn times_of(&self, row: usize) -> u64 {
        self.times.as_ref().map_or(1, |times| u64::from(times[row]))
    }

    /// How large gradients and curvatures are.
    pub(super) fn largest(&self, sum: usize, reach: f64, cancel: &Cancel) -> Largest {
        let heaviest = self.lesson.weights.as_ref().map_or(1.0, |weights| weights.iter().copied().fold(0.0, f64::max));
        let (weight, factor) = if self.times.is_some() { (heaviest, 1.0) } else { (1.0, heaviest) };
        let of = |gradient: f64, curvature: f64| Largest {
            gradient: gradient * factor,
            curvature: curvature * factor,
            typical: f64::INFINITY,
            weight,
        };
        let largest = match self.plan.loss {
            Loss::Absolute => return of(1.0, 1.0),
            Loss::Quantile(share) => return of(share.max(1.0 - share), 1.0),
            // Of few rows it is soon known how large they are by now: what is left to learn keeps all its bits.
            Loss::Logistic | Loss::Softmax(_) if self.store.rows >= MANY => of(1.0, 0.25),
            _ => Largest { weight, ..self.looked_for(sum, reach, cancel) },
        };
        Largest { typical: self.typical(sum, reach, largest.gradient, cancel), ..largest }
    }

    /// The largest gradient and curvature of a training row.
    fn looked_for(&self, sum: usize, reach: f64, cancel: &Cancel) -> Largest {
        // Not negative, so they compare like their bits.
        let largest = [AtomicU32::new(0), AtomicU32::new(0)];
        self.each_chunk(cancel, |chunk| {
            self.blocks(chunk, sum, reach, |start, g, h| {
                self.weigh(chunk.first + start, g, h);
                let (mut most, mut bend) = (0f32, 0f32);
                for (i, (g, h)) in g.iter().zip(h.iter()).enumerate() {
                    if !self.lesson.is_held(chunk.first + start + i) {
                        most = most.max(g.abs());
                        bend = bend.max(*h);
                    }
                }
                largest[0].fetch_max(most.to_bits(), Ordering::Relaxed);
                largest[1].fetch_max(bend.to_bits(), Ordering::Relaxed);
            });
        });
        let [gradient, curvature] = largest.map(|bits| f64::from(f32::from_bits(bits.into_inner())));
        Largest { gradient, curvature, typical: f64::INFINITY, weight: 1.0 }
    }

    /// The mean size of gradients, added up in whole units.
    fn typical(&self, sum: usize, reach: f64, largest: f64, cancel: &Cancel) -> f64 {
        if largest <= 0.0 {
            return f64::INFINITY;
        }
        let (unit, total) = ((1u64 << 24) as f64 / largest, AtomicU64::new(0));
        self.each_chunk(cancel, |chunk| {
            self.blocks(chunk, sum, reach, |start, g, h| {
                self.weigh(chunk.first + start, g, h);
                let size = |g: &f32| u64::from((g.abs() * unit as f32) as u32);
                let rows = chunk.first + start..;
                let sum: u64 = g.iter().zip(rows).map(|(g, row)| self.times_of(row) * size(g)).sum();
                total.fetch_add(sum, Ordering::Relaxed);
            });
        });
        let rows =
            self.times.as_ref().map_or(self.store.rows as u64, |times| times.iter().map(|t| u64::from(*t)).sum());
        total.into_inner() as f64 / unit / rows as f64
    }

    /// Gradients and curvatures of a chunk, block by block.
    pub(super) fn blocks(
        &self,
        chunk: &Chunk,
        sum: usize,
        reach: f64,
        mut each: impl FnMut(usize, &mut [f32], &mut [f32]),
    ) {
        let (mut g, mut h) = ([0f32; BLOCK], [0f32; BLOCK]);
        let count = chunk.scores[sum].len();
        for start in (0..count).step_by(BLOCK) {
            let span = start..(start + BLOCK).min(count);
            let rows = chunk.first + span.start..chunk.first + span.end;
            let block = LossRows {
                truth: self.lesson.truth().part(rows),
                scores: &chunk.scores[sum][span.clone()],
                norms: chunk.norms.get(span.clone()).unwrap_or(&[]),
            };
            let (g, h) = (&mut g[..span.len()], &mut h[..span.len()]);
            self.plan.loss.gradients(self.plan.rules.isa, sum, reach, &block, g, h);
            each(start, g, h);
        }
    }
}
