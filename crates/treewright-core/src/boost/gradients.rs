//! Gradients and Hessians of a run's rows at their scores: computed once for each tree, and how large they are.

use super::Boosting;
use super::packing::MIN_ROWS_UNREPEATED;
use crate::Result;
use crate::loss::Loss;
use crate::loss::gradients::Rows as LossRows;
use crate::rows::bins::chunk::Chunk;
use crate::stats::portable::add_everywhere;
use crate::sys::pool::Cancel;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};

/// Rows whose gradients are weighed and packed side by side.
const BLOCK: usize = 512;

/// How large the gradients and hessians of a tree's rows are.
#[derive(Clone, Copy, Debug)]
pub struct GradientScale {
    /// The largest gradient.
    pub gradient: f64,
    /// The largest hessian.
    pub hessian: f64,
    /// The mean gradient, without its sign.
    pub typical: f64,
    /// The largest weight, where rows count several times and the numbers above are those of one.
    pub weight: f64,
}

impl Boosting {
    /// Multiplies by the weights of the rows from `first` on, unless rows count several times.
    pub(super) fn weigh(&self, first: usize, g: &mut [f32], h: &mut [f32]) {
        if let (Some(weights), None) = (&self.training.weights, &self.repetitions) {
            for ((g, h), weight) in g.iter_mut().zip(h).zip(&weights[first..]) {
                *g *= *weight as f32;
                *h *= *weight as f32;
            }
        }
    }

    /// How often a row counts.
    pub(super) fn repetitions_of(&self, row: usize) -> u64 {
        self.repetitions.as_ref().map_or(1, |repetitions| u64::from(repetitions[row]))
    }

    /// How large gradients and hessians are.
    pub(super) fn gradient_scale(&self, cancel: &Cancel) -> Result<GradientScale> {
        let heaviest = self.totals.heaviest;
        let (weight, factor) = if self.repetitions.is_some() { (heaviest, 1.0) } else { (1.0, heaviest) };
        let of = |gradient: f64, hessian: f64| GradientScale {
            gradient: gradient * factor,
            hessian: hessian * factor,
            typical: f64::INFINITY,
            weight,
        };
        let largest = match self.plan.loss {
            Loss::Absolute => return Ok(of(1.0, 1.0)),
            Loss::Quantile(share) => return Ok(of(share.max(1.0 - share), 1.0)),
            // In small tables the largest gradient is found by a look at all: late gradients, all small, keep their bits.
            Loss::Logistic | Loss::Softmax(_) if self.totals.rows >= MIN_ROWS_UNREPEATED as u64 => of(1.0, 0.25),
            _ => GradientScale { weight, ..self.find_largest(cancel)? },
        };
        Ok(GradientScale { typical: self.mean_gradient(largest.gradient, cancel)?, ..largest })
    }

    /// The largest gradient and hessian of a training row.
    fn find_largest(&self, cancel: &Cancel) -> Result<GradientScale> {
        // Not negative, so they compare like their bits.
        let largest = [AtomicU32::new(0), AtomicU32::new(0)];
        self.each_chunk(cancel, |chunk| {
            self.blocks(chunk, |start, g, h| {
                self.weigh(chunk.first + start, g, h);
                let (mut most, mut hessian) = (0f32, 0f32);
                for (i, (g, h)) in g.iter().zip(h.iter()).enumerate() {
                    if !self.training.is_held(chunk.first + start + i) {
                        most = most.max(g.abs());
                        hessian = hessian.max(*h);
                    }
                }
                largest[0].fetch_max(most.to_bits(), Ordering::Relaxed);
                largest[1].fetch_max(hessian.to_bits(), Ordering::Relaxed);
            });
        });
        cancel.check()?;
        let mut largest = largest.map(|bits| u64::from(bits.into_inner()));
        self.peers.max(&mut largest)?;
        let [gradient, hessian] = largest.map(|bits| f64::from(f32::from_bits(bits as u32)));
        Ok(GradientScale { gradient, hessian, typical: f64::INFINITY, weight: 1.0 })
    }

    /// The mean size of gradients, added up in whole units; evaluation sets do not count.
    fn mean_gradient(&self, largest: f64, cancel: &Cancel) -> Result<f64> {
        if largest <= 0.0 {
            return Ok(f64::INFINITY);
        }
        let (unit, total) = ((1u64 << 24) as f64 / largest, AtomicU64::new(0));
        let all = self.training.rows_before_sets();
        self.each_chunk(cancel, |chunk| {
            self.blocks(chunk, |start, g, h| {
                self.weigh(chunk.first + start, g, h);
                let size = |g: &f32| u64::from((g.abs() * unit as f32) as u32);
                let rows = chunk.first + start..all;
                let sum: u64 = g.iter().zip(rows).map(|(g, row)| self.repetitions_of(row) * size(g)).sum();
                total.fetch_add(sum, Ordering::Relaxed);
            });
        });
        cancel.check()?;
        let mut total = [total.into_inner()];
        add_everywhere(&*self.peers, &mut total)?;
        Ok(total[0] as f64 / unit / self.totals.counted as f64)
    }

    /// Computes the gradients and Hessians of all rows by one score. `delta` is Huber's.
    pub(super) fn compute_gradients(&self, sum: usize, delta: f64, cancel: &Cancel) {
        self.each_chunk(cancel, |chunk| {
            let Chunk { first, scores, norms, gradients, hessians, .. } = chunk;
            let rows = LossRows {
                truth: self.training.truth().part(*first..*first + gradients.len()),
                scores: &scores[sum],
                norms,
            };
            self.plan.loss.gradients(self.plan.rules.isa, sum, delta, &rows, gradients, hessians);
        });
    }

    /// Copies of a chunk's gradients and Hessians, block by block: the caller may weigh them.
    pub(super) fn blocks(&self, chunk: &Chunk, mut each: impl FnMut(usize, &mut [f32], &mut [f32])) {
        let (mut g, mut h) = ([0f32; BLOCK], [0f32; BLOCK]);
        let blocks = chunk.gradients.chunks(BLOCK).zip(chunk.hessians.chunks(BLOCK));
        for (start, (gradients, hessians)) in (0..).step_by(BLOCK).zip(blocks) {
            let (g, h) = (&mut g[..gradients.len()], &mut h[..hessians.len()]);
            g.copy_from_slice(gradients);
            h.copy_from_slice(hessians);
            each(start, g, h);
        }
    }
}
