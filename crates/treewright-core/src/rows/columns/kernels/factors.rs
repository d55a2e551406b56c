//! Classes that count unlike each other: what cuts save, estimated for many cuts at once.
//!
//! The formulas are those of [`super::gini`] and [`super::entropy`] with each count multiplied by its class's factor, in
//! double precision. Factors are 1 or more, so a side that has a row weighs at least 1. What decides is the criterion's
//! own cost of both sides: then rounding is the same whoever holds the rows.

use super::histogram::ClassCounts;
use super::lanes::{LANES, interesting, is_constant, load};
use crate::rows::columns::segments::Segment;
use crate::rows::columns::shape::Shape;
use crate::rows::columns::tally::{LaneQuery, LaneScan, Lanes, Scan};
use crate::simd::multiversion;
use crate::stats::criterion::{ClassCriterion, ClassFactors};
use crate::tolerance::{LOUD_NOISE, WEIGHT_NOISE};

/// Gini index: see [`Formula::scan`](super::formula::Formula::scan).
pub fn scan(shape: &Shape<'_>, below: &[ClassCounts], scan: &mut Scan) {
    let room = scan.room();
    let (edges, bounds) = (&mut room.edges[..room.bins], &mut room.bounds[..room.bins]);
    bins(shape.isa, shape.classes, shape.factors, below, shape.cost, noise(shape), edges, bounds);
}

/// Gini index: see [`Formula::scan_lanes`](super::formula::Formula::scan_lanes).
pub fn scan_lanes(shape: &Shape<'_>, codes: &[u16], query: &LaneQuery, scan: &mut LaneScan) -> u32 {
    if is_constant(codes, query, scan) {
        return 0;
    }
    scan.codes = load(codes, query.rows);
    let (noise, left, saved) = (noise(shape), &mut scan.left, &mut scan.saved);
    gini(shape.isa, shape.segments, shape.classes, shape.factors, shape.cost, noise, &scan.codes, left, saved);
    interesting(scan, query)
}

/// Each product of a class's weight and the rest of a side is rounded, however little the node costs.
pub fn noise(shape: &Shape<'_>) -> f64 {
    WEIGHT_NOISE * weigh(shape.classes, shape.factors) / shape.cost
}

/// The cost of the criterion itself, for every impurity: see [`Formula::saved`](super::formula::Formula::saved).
pub fn saved(criterion: &ClassCriterion<'_>, factors: &ClassFactors, shape: &Shape<'_>, left: &[u32]) -> f64 {
    let count = |times: u32, label: u32| (u64::from(times) * shape.units) as f64 * factors.in_cost(label);
    let classes = shape.classes.iter().zip(left).zip(shape.labels);
    let low = criterion.cost_of(classes.clone().map(|((_, &l), &label)| count(l, label)));
    let high = criterion.cost_of(classes.clone().map(|((&n, &l), &label)| count(n - l, label)));
    let cost = criterion.cost_of(classes.map(|((&n, _), &label)| count(n, label)));
    (cost - (low + high)) / cost
}

/// Gini index: see [`Formula::bound`](super::formula::Formula::bound).
pub fn bound(shape: &Shape<'_>, before: &[u32], after: &[u32]) -> f64 {
    let sum = |counts: &[u32]| weigh(counts, shape.factors);
    let rows = sum(shape.classes);
    let corner = |m: f64| {
        let m = m.clamp(1.0, rows - 1.0);
        let class = |(((&total, &a), &b), factor): (((&u32, &u32), &u32), &f64)| {
            let e = |l: u32| (f64::from(l) * factor * rows - m * f64::from(total) * factor).abs();
            e(a).max(e(b)).powi(2)
        };
        let squares: f64 = shape.classes.iter().zip(before).zip(after).zip(shape.factors).map(class).sum();
        squares / (rows * m * (rows - m))
    };
    corner(sum(before)).max(corner(sum(after))) / shape.cost + noise(shape)
}

/// What rows weigh that count so often.
#[inline(always)]
fn weigh(counts: &[u32], factors: &[f64]) -> f64 {
    counts.iter().zip(factors).map(|(&count, factor)| f64::from(count) * factor).sum()
}

multiversion! {
    /// Gini's index: estimates edges and bounds.
    fn bins(
        classes: &[u32],
        factors: &[f64],
        below: &[ClassCounts],
        cost: f64,
        noise: f64,
        edges: &mut [f32],
        bounds: &mut [f32],
    ) {
        /// Bins that are worked on at once.
        const WIDTH: usize = 8;
        let n = weigh(classes, factors);
        let scale = 1.0 / (n * cost);
        for start in (0..edges.len()).step_by(WIDTH) {
            // Behind the last bin counts go on as they are.
            let (mut m, mut rest, mut mixed) = ([[0f64; WIDTH]; 2], [[0f64; WIDTH]; 2], [0u32; WIDTH]);
            for ((below, factor), &total) in below.iter().zip(factors).zip(classes) {
                let (from, to) = (&below[start..start + WIDTH], &below[start + 1..=start + WIDTH]);
                for i in 0..WIDTH {
                    m[0][i] += f64::from(from[i]) * factor;
                    m[1][i] += f64::from(to[i]) * factor;
                    rest[0][i] += f64::from(total - from[i]) * factor;
                    rest[1][i] += f64::from(total - to[i]) * factor;
                    mixed[i] += u32::from(to[i] > from[i]);
                }
            }
            let mut sums = [[0f64; WIDTH]; 3];
            for side in 0..2 {
                for i in 0..WIDTH {
                    (m[side][i], rest[side][i]) = (m[side][i].max(1.0), rest[side][i].max(1.0));
                }
            }
            for ((below, factor), &total) in below.iter().zip(factors).zip(classes) {
                let (from, to) = (&below[start..start + WIDTH], &below[start + 1..=start + WIDTH]);
                let total = f64::from(total) * factor;
                for i in 0..WIDTH {
                    let (a, b) = (f64::from(from[i]) * factor * n, f64::from(to[i]) * factor * n);
                    let square = |l: f64, m: f64| (l - m * total) * (l - m * total);
                    let greater = |x: f64, y: f64| if x > y { x } else { y };
                    let edge = square(b, m[1][i]);
                    sums[0][i] += edge;
                    sums[1][i] += greater(square(a, m[0][i]), square(b, m[0][i]));
                    sums[2][i] += greater(square(a, m[1][i]), edge);
                }
            }
            let width = WIDTH.min(edges.len() - start);
            for i in 0..width {
                let sides = [0, 1].map(|side| scale / (m[side][i] * rest[side][i]));
                edges[start + i] = (sums[0][i] * sides[1] + noise) as f32;
                let bound = ((sums[1][i] * sides[0]).max(sums[2][i] * sides[1]) + noise) as f32;
                // Along one class alone the saving is convex: a cut inside such a bin is worse than an edge.
                bounds[start + i] = if mixed[i] > 1 || noise > LOUD_NOISE { bound } else { -1.0 };
            }
        }
    }
}

multiversion! {
    /// Gini's index of few rows: what the cut behind each of them saves, and how many it leaves on the left.
    fn gini(
        segments: &[Segment],
        classes: &[u32],
        factors: &[f64],
        cost: f64,
        noise: f64,
        codes: &Lanes,
        left: &mut [u16; LANES],
        saved: &mut [f32; LANES],
    ) {
        let mut times = [[0u16; LANES]; LANES];
        let mut start = 0;
        left.fill(0);
        let of_classes = segments.chunk_by(|a, b| a.class == b.class);
        for (class, times) in of_classes.zip(&mut times) {
            for segment in class {
                let mut count = [0u16; LANES];
                for code in &codes[start..start + segment.len as usize] {
                    (0..LANES).for_each(|i| count[i] += u16::from(codes[i] >= *code));
                }
                for i in 0..LANES {
                    left[i] += count[i];
                    times[i] = times[i].wrapping_add(count[i].wrapping_mul(segment.times as u16));
                }
                start += segment.len as usize;
            }
        }
        let (mut m, mut rest, mut sums) = ([0f64; LANES], [0f64; LANES], [0f64; LANES]);
        for ((times, factor), &total) in times.iter().zip(factors).zip(classes) {
            for i in 0..LANES {
                m[i] += f64::from(times[i]) * factor;
                rest[i] += (f64::from(total) - f64::from(times[i])) * factor;
            }
        }
        let n = weigh(classes, factors);
        for ((times, factor), &total) in times.iter().zip(factors).zip(classes) {
            let total = f64::from(total) * factor;
            for i in 0..LANES {
                let e = f64::from(times[i]) * factor * n - m[i] * total;
                sums[i] += e * e;
            }
        }
        for i in 0..LANES {
            // Behind the last row there is nothing on the right.
            let sides = m[i] * if rest[i] > 1.0 { rest[i] } else { 1.0 };
            saved[i] = (sums[i] / (sides * n * cost) + noise) as f32;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::simd::Isa;

    #[test]
    fn all_tiers_give_equal_bits() {
        for turn in 0..200usize {
            let rows = 2 + turn % 31;
            let noise = |i: usize| (i + turn * 97) * 7919 % 10_007;
            let mut codes = [u16::MAX; LANES];
            (0..rows).for_each(|i| codes[i] = (noise(i) % [3, 50, 10_000][turn % 3]) as u16);
            let cut = rows / 3;
            let parts = [(0, cut, 1), (1, rows / 2 - cut, 1), (1, rows - rows / 2, 1 + turn as u32 % 3)];
            let segments: Vec<Segment> = parts
                .into_iter()
                .filter(|part| part.1 > 0)
                .map(|(class, len, times)| Segment { class, len: len as u32, times })
                .collect();
            let of_class = |class: &[Segment]| class.iter().map(|segment| segment.len * segment.times).sum::<u32>();
            let classes: Vec<u32> = segments.chunk_by(|a, b| a.class == b.class).map(of_class).collect();
            let factors = [1.0, 3.7];
            let mut runs = Isa::all().map(|isa| {
                let (mut left, mut saved) = ([0; LANES], [0.0; LANES]);
                gini(isa, &segments, &classes, &factors, 2.5, 1e-9, &codes, &mut left, &mut saved);
                let mut below = vec![[0u32; _]; classes.len()];
                for (class, below) in below.iter_mut().enumerate() {
                    (0..below.len())
                        .for_each(|at| below[at] = (at * noise(class) / 20_000).min(classes[class] as usize) as u32);
                }
                let (mut edges, mut bounds) = (vec![0.0; 100 + turn], vec![0.0; 100 + turn]);
                bins(isa, &classes, &factors, &below, 2.5, 1e-15, &mut edges, &mut bounds);
                let bits = |numbers: &[f32]| numbers.iter().map(|x| x.to_bits()).collect::<Vec<_>>();
                (left, bits(&saved), bits(&edges), bits(&bounds))
            });
            let first = runs.next();
            assert!(runs.all(|run| Some(run) == first));
        }
    }
}
