//! Gini's index: what cuts save, estimated for many cuts at once.
//!
//! With `n` rows of which `N_c` are of class `c`, and `m` rows on the left of which `l_c` are, a cut saves
//! `sum of e_c^2 / (n m (n - m))` of the node's cost, with `e_c = l_c n - m N_c`. As a function of the `l_c` and of `m`, taken as independent,
//! this is convex: inside a bin it is nowhere greater than at a corner, and for given `m` each class has its own corner.

use super::{LANES, twins};
use crate::learn::criterion::Gini;
use crate::learn::rows::columns::counts::{Formula, Segment, Shape};
use crate::learn::rows::columns::tally::{LaneScan, Lanes, Scan};

impl Formula for Gini<'_> {
    fn scan(set: &Shape<'_>, below: &[u32], stride: usize, scan: &mut Scan) {
        let (rows, scale) = (set.rows as u32, (1.0 / (set.rows as f64 * set.cost)) as f32);
        if let [_, second] = set.segments {
            let (first, rest) = below.split_at(stride);
            two(set.isa, first, rest, rows, second.len, scale, &mut scan.edges, &mut scan.bounds);
        } else {
            many(set.isa, set.segments, below, stride, rows, scale, &mut scan.edges, &mut scan.bounds);
        }
        super::forbid::<Self>(set, below, stride, scan);
    }

    fn scan_lanes(set: &Shape<'_>, lanes: &Lanes, scan: &mut LaneScan) {
        let scale = (1.0 / (set.rows as f64 * set.cost)) as f32;
        few(set.isa, set.segments, set.rows as u32, scale, lanes, &mut scan.saved, &mut scan.left);
    }

    /// The sum of squares and `m (n - m)` are small integers: their quotients, rounded once, are equal only if they are
    /// equal. Two fractions `a/b` and `c/d` differ by at least `1/(a d)` of the first.
    fn lanes_are_exact(rows: usize, classes: usize) -> bool {
        rows <= if classes == 2 { 24 } else { 18 }
    }

    fn saved(set: &Shape<'_>, left: &[u32]) -> f64 {
        let rows = set.rows as i64;
        let m = left.iter().map(|&l| i64::from(l)).sum::<i64>();
        let square = |(segment, &l): (&Segment, &u32)| {
            let e = (i64::from(l) * rows - m * i64::from(segment.len)) as f64;
            e * e
        };
        let squares: f64 = set.segments.iter().zip(left).map(square).sum();
        squares / (rows as f64 * (m * (rows - m)) as f64) / set.cost
    }

    fn bound(set: &Shape<'_>, before: &[u32], after: &[u32]) -> f64 {
        let rows = set.rows as f64;
        let sum = |counts: &[u32]| counts.iter().map(|&l| f64::from(l)).sum::<f64>();
        let corner = |m: f64| {
            let m = m.clamp(1.0, rows - 1.0);
            let class = |((segment, &a), &b): ((&Segment, &u32), &u32)| {
                let e = |l: u32| (f64::from(l) * rows - m * f64::from(segment.len)).abs();
                e(a).max(e(b)).powi(2)
            };
            let squares: f64 = set.segments.iter().zip(before).zip(after).map(class).sum();
            squares / (rows * m * (rows - m))
        };
        corner(sum(before)).max(corner(sum(after))) / set.cost
    }
}

twins! {
    /// Two classes: a corner of a bin is a true division of the rows, and there are four.
    fn two(first: &[u32], second: &[u32], rows: u32, total: u32, scale: f32, edges: &mut [f32], bounds: &mut [f32]) {
        let bins = edges.len();
        let (x0, x1) = (&first[..bins], &first[1..=bins]);
        let (y0, y1) = (&second[..bins], &second[1..=bins]);
        let bounds = &mut bounds[..bins];
        let (n, n1) = (f64::from(rows), f64::from(total));
        let scale = 2.0 * scale;
        let saved = |x: u32, y: u32| {
            let m = x + y;
            // Exact: both products are below 2^53.
            let e = (f64::from(y) * n - f64::from(m) * n1) as f32;
            let sides = m as f32 * (rows - m) as f32;
            scale * e * e / sides.max(1.0)
        };
        for b in 0..bins {
            edges[b] = saved(x1[b], y1[b]);
            let corners = saved(x0[b], y1[b]).max(saved(x1[b], y0[b]));
            let edge = edges[b].max(saved(x0[b], y0[b]));
            // Along one class alone the saving is strictly convex: a cut inside such a bin is worse than an edge.
            let mixed = x1[b] > x0[b] && y1[b] > y0[b];
            bounds[b] = if mixed { corners.max(edge) } else { -1.0 };
        }
    }
}

twins! {
    fn many(
        segments: &[Segment],
        below: &[u32],
        stride: usize,
        rows: u32,
        scale: f32,
        edges: &mut [f32],
        bounds: &mut [f32],
    ) {
        /// Bins that are worked on at once.
        const WIDTH: usize = 16;
        for start in (0..edges.len()).step_by(WIDTH) {
            let (mut m0, mut m1) = ([0u32; WIDTH], [0u32; WIDTH]);
            let mut classes = [0u32; WIDTH];
            for below in below.chunks_exact(stride) {
                for i in 0..WIDTH.min(stride - start - 1) {
                    let (a, b) = (below[start + i], below[start + i + 1]);
                    m0[i] += a;
                    m1[i] += b;
                    classes[i] += u32::from(b > a);
                }
            }
            let (mut edge, mut low, mut high) = ([0f32; WIDTH], [0f32; WIDTH], [0f32; WIDTH]);
            let clamp = |m: u32| f64::from(m.clamp(1, rows - 1));
            for (segment, below) in segments.iter().zip(below.chunks_exact(stride)) {
                let total = f64::from(segment.len);
                for i in 0..WIDTH.min(stride - start - 1) {
                    let (a, b) = (f64::from(below[start + i]) * f64::from(rows), f64::from(below[start + i + 1]) * f64::from(rows));
                    let (t0, t1) = (clamp(m0[i]) * total, clamp(m1[i]) * total);
                    let square = |e: f64| (e as f32) * (e as f32);
                    edge[i] += square(b - t1);
                    low[i] += square(a - t0).max(square(b - t0));
                    high[i] += square(a - t1).max(square(b - t1));
                }
            }
            for i in 0..WIDTH.min(edges.len() - start) {
                let sides = |m: u32| clamp(m) as f32 * (f64::from(rows) - clamp(m)) as f32;
                let (s0, s1) = (scale / sides(m0[i]), scale / sides(m1[i]));
                edges[start + i] = edge[i] * s1;
                let bound = (low[i] * s0).max(high[i] * s1);
                bounds[start + i] = if classes[i] > 1 { bound } else { -1.0 };
            }
        }
    }
}

twins! {
    fn few(
        segments: &[Segment],
        rows: u32,
        scale: f32,
        lanes: &[u16; LANES],
        saved: &mut [f32; LANES],
        left: &mut [u16; LANES],
    ) {
        let mut counts = [[0u16; LANES]; LANES];
        let mut m = [0u16; LANES];
        let mut place = 0;
        for (segment, count) in segments.iter().zip(&mut counts) {
            for _ in 0..segment.len {
                let code = lanes[place];
                place += 1;
                for i in 0..LANES {
                    count[i] += u16::from(lanes[i] >= code);
                }
            }
            for i in 0..LANES {
                m[i] += count[i];
            }
        }
        let mut squares = [0f32; LANES];
        for (segment, count) in segments.iter().zip(&counts) {
            for i in 0..LANES {
                let e = i32::from(count[i]) * rows as i32 - i32::from(m[i]) * segment.len as i32;
                squares[i] += (e * e) as f32;
            }
        }
        for i in 0..LANES {
            let sides = i32::from(m[i]) * (rows as i32 - i32::from(m[i]));
            saved[i] = squares[i] / sides.max(1) as f32 * scale;
        }
        *left = m;
    }
}
