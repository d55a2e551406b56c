//! Gradients and Hessians of a run's rows at their scores: computed once for each tree, and how large they are.

use super::Boosting;
use super::packing::MIN_ROWS_UNREPEATED;
use crate::Result;
use crate::loss::Loss;
use crate::loss::gradients::Rows as LossRows;
use crate::rows::bins::chunk::Chunk;
use crate::simd::multiversion;
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
                let first = chunk.first + start;
                let [most, hessian] = match &self.training.held {
                    Some(held) => largest_of(g, h, |i| !held[first + i]),
                    None => largest_of_all(self.plan.rules.isa, g, h),
                };
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
            self.blocks(chunk, |start, g, _| {
                let end = g.len().min(all.saturating_sub(chunk.first + start));
                let sum = match &self.repetitions {
                    Some(times) => add_sizes_repeated(&g[..end], unit as f32, &times[chunk.first + start..]),
                    None => add_sizes(self.plan.rules.isa, &g[..end], unit as f32),
                };
                total.fetch_add(sum, Ordering::Relaxed);
            });
        });
        cancel.check()?;
        let mut total = [total.into_inner()];
        add_everywhere(&*self.peers, &mut total)?;
        Ok(total[0] as f64 / unit / self.totals.counted as f64)
    }

    /// Whether the gradients of a tree follow from the scores that the tree before it leaves in the same chunk.
    pub(super) fn gradients_follow_scores(&self) -> bool {
        self.plan.loss.sums() == 1 && !matches!(self.plan.loss, Loss::Huber(_))
    }

    /// Computes the gradients and Hessians of a chunk's rows by one score. `delta` is Huber's.
    pub(super) fn compute_gradients(&self, chunk: &mut Chunk, sum: usize, delta: f64) {
        let Chunk { first, scores, norms, gradients, hessians, .. } = chunk;
        let truth = self.training.truth().part(*first..*first + gradients.len());
        let rows = LossRows { truth, scores: &scores[sum], norms };
        self.plan.loss.gradients(self.plan.rules.isa, sum, delta, &rows, gradients, hessians);
    }

    /// A chunk's gradients and Hessians, block by block; times the weights of their rows, unless rows count several times.
    pub(super) fn blocks(&self, chunk: &Chunk, mut each: impl FnMut(usize, &[f32], &[f32])) {
        let (mut g, mut h) = ([0f32; BLOCK], [0f32; BLOCK]);
        let weights = self.training.weights.as_ref().filter(|_| self.repetitions.is_none());
        let blocks = chunk.gradients.chunks(BLOCK).zip(chunk.hessians.chunks(BLOCK));
        for (start, (gradients, hessians)) in (0..).step_by(BLOCK).zip(blocks) {
            let Some(weights) = weights else {
                each(start, gradients, hessians);
                continue;
            };
            let rows = gradients.iter().zip(hessians).zip(&weights[chunk.first + start..]);
            for (((gradient, hessian), weight), to) in rows.zip(g.iter_mut().zip(&mut h)) {
                (*to.0, *to.1) = (gradient * *weight as f32, hessian * *weight as f32);
            }
            each(start, &g[..gradients.len()], &h[..gradients.len()]);
        }
    }
}

/// The largest gradient, without its sign, and the largest Hessian of some rows.
#[inline(always)]
fn largest_of(gradients: &[f32], hessians: &[f32], has: impl Fn(usize) -> bool) -> [f32; 2] {
    let (mut gradient, mut hessian) = (0f32, 0f32);
    for (i, (g, h)) in gradients.iter().zip(hessians).enumerate() {
        if has(i) {
            gradient = gradient.max(g.abs());
            hessian = hessian.max(*h);
        }
    }
    [gradient, hessian]
}

multiversion! {
    /// The same of all rows.
    fn largest_of_all(gradients: &[f32], hessians: &[f32]) -> [f32; 2] {
        const LANES: usize = 16;
        let (mut gradient, mut hessian) = ([0f32; LANES], [0f32; LANES]);
        let (g, h) = (gradients.as_chunks::<LANES>(), hessians.as_chunks::<LANES>());
        for (g, h) in g.0.iter().zip(h.0) {
            for lane in 0..LANES {
                let size = g[lane].abs();
                gradient[lane] = if size > gradient[lane] { size } else { gradient[lane] };
                hessian[lane] = if h[lane] > hessian[lane] { h[lane] } else { hessian[lane] };
            }
        }
        let [rest, rest_hessian] = largest_of(g.1, h.1, |_| true);
        [gradient.into_iter().fold(rest, f32::max), hessian.into_iter().fold(rest_hessian, f32::max)]
    }
}

/// The size of a gradient in units of which the largest has 2^24; 2^32 where it is beyond all measure.
#[inline(always)]
fn size(gradient: f32, unit: f32) -> u64 {
    const MAX: f32 = 4_294_967_296.0;
    let size = gradient.abs() * unit;
    let size = if size < MAX { size } else { MAX };
    // SAFETY: the number is in the range of integers.
    unsafe { size.to_int_unchecked::<i64>() as u64 }
}

multiversion! {
    /// What the sizes of gradients add up to.
    fn add_sizes(gradients: &[f32], unit: f32) -> u64 {
        const LANES: usize = 8;
        let (eights, rest) = gradients.as_chunks::<LANES>();
        let mut sums = [0; LANES];
        for eight in eights {
            for lane in 0..LANES {
                sums[lane] += size(eight[lane], unit);
            }
        }
        for &gradient in rest {
            sums[0] += size(gradient, unit);
        }
        sums.iter().sum()
    }
}

/// The same where rows count several times.
fn add_sizes_repeated(gradients: &[f32], unit: f32, times: &[u8]) -> u64 {
    gradients.iter().zip(times).map(|(&gradient, &times)| u64::from(times) * size(gradient, unit)).sum()
}
