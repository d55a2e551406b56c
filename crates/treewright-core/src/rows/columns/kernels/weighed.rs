//! Classes whose rows weigh differently: what cuts save, estimated for many cuts at once. The formulas are those of
//! [`super::gini`] and [`super::entropy`], in double precision; see there why a bin's bound holds.

use super::entropy::log2;
use super::formula::Kernel;
use super::lanes::LANES;
use crate::rows::columns::bins::Bins;
use crate::rows::columns::tally::Lanes;
use crate::simd::multiversion;
use crate::tolerance::{LIGHTEST_SIDE, LOGARITHM_NOISE, LOUD_NOISE};

/// What estimates know about a node. Every row weighs at least 1, but for a rounding.
#[derive(Clone, Copy, Debug)]
pub struct WeightShape<'a> {
    /// What the rows of each class weigh.
    pub classes: &'a [f64],
    /// What all of them weigh.
    pub weight: f64,
    /// What they cost.
    pub cost: f64,
    /// How far rounding may move what a cut saves.
    pub noise: f64,
    /// The impurity.
    pub kernel: Kernel,
}

/// The weight of a side, kept away from nothing and from all of the node. Unlike `clamp` it has no order of bounds to
/// check: where a node weighs less than two rows, which only a rounding could say, it gives a number and no panic.
#[inline(always)]
fn inside(m: f64, weight: f64) -> f64 {
    m.max(LIGHTEST_SIDE).min(weight - LIGHTEST_SIDE)
}

impl WeightShape<'_> {
    /// More than any cut saves that has `before` on its left and nothing that is not in `after`.
    pub fn bound(&self, before: &[f64], after: &[f64]) -> f64 {
        let corner = |m: f64| {
            let m = inside(m, self.weight);
            let rest = self.weight - m;
            let classes = self.classes.iter().zip(before.iter().zip(after));
            let sum = classes.map(|(&all, (&a, &b))| self.term(a, all, m, rest).max(self.term(b, all, m, rest)));
            self.share(sum.sum(), m, rest)
        };
        corner(before.iter().sum()).max(corner(after.iter().sum()))
    }

    /// What a class adds, of which so much is on the left of a cut that leaves `m` there.
    #[inline(always)]
    fn term(&self, left: f64, all: f64, m: f64, rest: f64) -> f64 {
        match self.kernel {
            Kernel::Gini => {
                let e = left * self.weight - m * all;
                e * e
            }
            Kernel::Entropy => left * (log2(left) - log2(m)) + (all - left) * (log2(all - left) - log2(rest)),
        }
    }

    /// What a cut saves, from what all classes add.
    #[inline(always)]
    fn share(&self, sum: f64, m: f64, rest: f64) -> f64 {
        match self.kernel {
            Kernel::Gini => sum / (self.weight * m * rest * self.cost) + self.noise,
            // Logarithms have about thirteen digits.
            Kernel::Entropy => 1.0 + (sum + LOGARITHM_NOISE * self.weight * log2(self.weight)) / self.cost + self.noise,
        }
    }
}

/// Adds the weight of each row to its bin, one place further on.
pub fn count(codes: &[u16], units: &[i64], bins: &Bins, out: &mut [u64]) {
    for (&code, &units) in codes.iter().zip(units) {
        // Codes of missing values may count into bins that are not in use, which nobody clears or reads: they wrap.
        let bin = &mut out[bins.of(code) + 1];
        *bin = bin.wrapping_add(units as u64);
    }
}

/// Turns weights into running totals.
pub fn accumulate(units: &mut [u64]) {
    let mut sum = 0;
    for units in units {
        sum += *units;
        *units = sum;
    }
}

multiversion! {
    /// Integers times a factor.
    pub fn convert(units: &[u64], factor: f64, out: &mut [f64]) {
        out.iter_mut().zip(units).for_each(|(out, &units)| *out = units as f64 * factor);
    }
}

multiversion! {
    /// Estimates edges and bounds. `below` holds for each class what is on the left of each bin and of the end.
    pub fn bins(shape: &WeightShape<'_>, below: &[Vec<f64>], edges: &mut [f32], bounds: &mut [f32]) {
        /// Bins that are worked on at once.
        const WIDTH: usize = 8;
        let loud = shape.noise > LOUD_NOISE;
        for start in (0..edges.len()).step_by(WIDTH) {
            let width = WIDTH.min(edges.len() - start);
            let (mut m, mut mixed, mut sums) = ([[0f64; WIDTH]; 2], [0u32; WIDTH], [[0f64; WIDTH]; 3]);
            for below in below {
                let (from, to) = (&below[start..start + width], &below[start + 1..=start + width]);
                for i in 0..width {
                    m[0][i] += from[i];
                    m[1][i] += to[i];
                    mixed[i] += u32::from(to[i] > from[i]);
                }
            }
            m.iter_mut().flatten().for_each(|m| *m = inside(*m, shape.weight));
            for (below, &all) in below.iter().zip(shape.classes) {
                let (from, to) = (&below[start..start + width], &below[start + 1..=start + width]);
                for i in 0..width {
                    let (m0, m1) = (m[0][i], m[1][i]);
                    let edge = shape.term(to[i], all, m1, shape.weight - m1);
                    sums[0][i] += edge;
                    let corner = |left: f64, m: f64| shape.term(left, all, m, shape.weight - m);
                    sums[1][i] += corner(from[i], m0).max(corner(to[i], m0));
                    sums[2][i] += corner(from[i], m1).max(edge);
                }
            }
            for i in 0..width {
                let (m0, m1) = (m[0][i], m[1][i]);
                edges[start + i] = shape.share(sums[0][i], m1, shape.weight - m1) as f32;
                let bound = shape.share(sums[1][i], m0, shape.weight - m0).max(shape.share(sums[2][i], m1, shape.weight - m1));
                // Along one class alone the saving is convex: a cut inside such a bin is worse than an edge.
                bounds[start + i] = if mixed[i] > 1 || loud { bound as f32 } else { -1.0 };
            }
        }
    }
}

multiversion! {
    /// Few rows: what the cut behind each of them saves, and how many it leaves on the left. `places` tells the class of
    /// each row, `factors` what a unit of it counts.
    pub fn lanes(
        shape: &WeightShape<'_>,
        factors: &[f64],
        places: &[u32],
        units: &[i64],
        codes: &Lanes,
        left: &mut [u16; LANES],
        saved: &mut [f32; LANES],
    ) {
        let mut weights = [[0f64; LANES]; LANES];
        let mut m = [0f64; LANES];
        left.fill(0);
        for (code, (&place, &units)) in codes.iter().zip(places.iter().zip(units)) {
            let (weight, class) = (units as f64 * factors[place as usize], &mut weights[place as usize]);
            for i in 0..LANES {
                let inside = codes[i] >= *code;
                left[i] += u16::from(inside);
                class[i] += if inside { weight } else { 0.0 };
            }
        }
        for class in &weights[..factors.len()] {
            (0..LANES).for_each(|i| m[i] += class[i]);
        }
        m.iter_mut().for_each(|m| *m = inside(*m, shape.weight));
        let mut sums = [0f64; LANES];
        for (class, &all) in weights.iter().zip(shape.classes) {
            (0..LANES).for_each(|i| sums[i] += shape.term(class[i], all, m[i], shape.weight - m[i]));
        }
        (0..LANES).for_each(|i| saved[i] = shape.share(sums[i], m[i], shape.weight - m[i]) as f32);
    }
}
