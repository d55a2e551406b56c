//! Gini's index: what cuts save, estimated for many cuts at once.
//!
//! With `n` rows of which `N_c` are of class `c`, and `m` rows on the left of which `l_c` are, a cut saves
//! `sum of e_c^2 / (n m (n - m))` of the node's cost, with `e_c = l_c n - m N_c`. As a function of the `l_c` and of `m`, taken as independent,
//! this is convex: inside a bin it is nowhere greater than at a corner, and for given `m` each class has its own corner.

use super::histogram::Counts;
use super::{LANES, interesting, load};
use crate::learn::criterion::Gini;
use crate::learn::rows::columns::counts::{Formula, Segment, Shape};
use crate::learn::rows::columns::tally::{LaneScan, Scan, Wish};
use crate::wide::twins;

impl Formula for Gini<'_> {
    fn scan(set: &Shape<'_>, below: &[Counts], scan: &mut Scan) {
        let (rows, scale) = (set.rows as u32, (1.0 / (set.rows as f64 * set.cost)) as f32);
        let (edges, bounds) = scan.both();
        if let ([first, second], [_, total]) = (below, set.segments) {
            two(set.isa, first, second, rows, total.len, scale, edges, bounds);
        } else {
            many(set.isa, set.segments, below, rows, scale, edges, bounds);
        }
        super::forbid::<Self>(set, below, scan);
    }

    fn scan_lanes(set: &Shape<'_>, codes: &[u16], wish: &Wish, scan: &mut LaneScan) -> u32 {
        let scale = (1.0 / (set.rows as f64 * set.cost)) as f32;
        few(set.isa, set.segments, scale, codes, wish, scan)
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

/// The number of rows up to which a product of two counts is exact in single precision.
const EXACT: u32 = 1 << 12;

/// `a b - c d` of counts, rounded once.
#[inline(always)]
fn difference<const SMALL: bool>(a: u32, b: u32, c: u32, d: u32) -> f32 {
    if SMALL {
        a as f32 * b as f32 - c as f32 * d as f32
    } else {
        (f64::from(a) * f64::from(b) - f64::from(c) * f64::from(d)) as f32
    }
}

twins! {
    fn two(first: &Counts, second: &Counts, rows: u32, total: u32, scale: f32, edges: &mut [f32], bounds: &mut [f32]) {
        if rows <= EXACT {
            two_classes::<true>(first, second, rows, total, scale, edges, bounds);
        } else {
            two_classes::<false>(first, second, rows, total, scale, edges, bounds);
        }
    }
}

/// Two classes: a corner of a bin is a true division of the rows, and there are four.
#[inline(always)]
fn two_classes<const SMALL: bool>(
    first: &Counts,
    second: &Counts,
    rows: u32,
    total: u32,
    scale: f32,
    edges: &mut [f32],
    bounds: &mut [f32],
) {
    let bins = edges.len();
    let (x0, x1) = (&first[..bins], &first[1..=bins]);
    let (y0, y1) = (&second[..bins], &second[1..=bins]);
    let scale = 2.0 * scale;
    let saved = |x: u32, y: u32| {
        let m = x + y;
        let e = difference::<SMALL>(y, rows, m, total);
        scale * e * e / (m as f32 * (rows - m) as f32).max(1.0)
    };
    for (edge, (x, y)) in edges.iter_mut().zip(x1.iter().zip(y1)) {
        *edge = saved(*x, *y);
    }
    let bounds = &mut bounds[..bins];
    for b in 0..bins {
        let corners = saved(x0[b], y1[b]).max(saved(x1[b], y0[b]));
        // Along one class alone the saving is strictly convex: a cut inside such a bin is worse than an edge.
        let mixed = x1[b] > x0[b] && y1[b] > y0[b];
        bounds[b] = if mixed { corners } else { -1.0 };
    }
    // The other two corners are edges.
    let mut before = 0.0;
    for (bound, edge) in bounds.iter_mut().zip(edges) {
        let corners = if *edge > before { *edge } else { before };
        *bound = if *bound >= 0.0 && corners > *bound { corners } else { *bound };
        before = *edge;
    }
}

twins! {
    fn many(
        segments: &[Segment],
        below: &[Counts],
        rows: u32,
        scale: f32,
        edges: &mut [f32],
        bounds: &mut [f32],
    ) {
        if rows <= EXACT {
            many_classes::<true>(segments, below, rows, scale, edges, bounds);
        } else {
            many_classes::<false>(segments, below, rows, scale, edges, bounds);
        }
    }
}

#[inline(always)]
fn many_classes<const SMALL: bool>(
    segments: &[Segment],
    below: &[Counts],
    rows: u32,
    scale: f32,
    edges: &mut [f32],
    bounds: &mut [f32],
) {
    /// Bins that are worked on at once.
    const WIDTH: usize = 16;
    for start in (0..edges.len()).step_by(WIDTH) {
        let (mut m0, mut m1, mut classes) = ([0u32; WIDTH], [0u32; WIDTH], [0u32; WIDTH]);
        for below in below {
            let (a, b) = (&below[start..start + WIDTH], &below[start + 1..start + 1 + WIDTH]);
            for i in 0..WIDTH {
                m0[i] += a[i];
                m1[i] += b[i];
                classes[i] += u32::from(b[i] > a[i]);
            }
        }
        for i in 0..WIDTH {
            (m0[i], m1[i]) = (m0[i].clamp(1, rows - 1), m1[i].clamp(1, rows - 1));
        }
        let (mut edge, mut low, mut high) = ([0f32; WIDTH], [0f32; WIDTH], [0f32; WIDTH]);
        for (segment, below) in segments.iter().zip(below) {
            let (a, b) = (&below[start..start + WIDTH], &below[start + 1..start + 1 + WIDTH]);
            for i in 0..WIDTH {
                let square = |l: u32, m: u32| {
                    let e = difference::<SMALL>(l, rows, m, segment.len);
                    e * e
                };
                let (bottom, top) = (square(b[i], m0[i]), square(b[i], m1[i]));
                edge[i] += top;
                low[i] += square(a[i], m0[i]).max(bottom);
                high[i] += square(a[i], m1[i]).max(top);
            }
        }
        for i in 0..WIDTH.min(edges.len() - start) {
            let sides = |m: u32| scale / (m as f32 * (rows - m) as f32);
            edges[start + i] = edge[i] * sides(m1[i]);
            let bound = (low[i] * sides(m0[i])).max(high[i] * sides(m1[i]));
            bounds[start + i] = if classes[i] > 1 { bound } else { -1.0 };
        }
    }
}

twins! {
    fn few(segments: &[Segment], scale: f32, codes: &[u16], wish: &Wish, scan: &mut LaneScan) -> u32 {
        let rows = wish.rows as i32;
        let lanes = load(codes, wish.rows);
        let (mut m, mut squares) = ([0u16; LANES], [0f32; LANES]);
        // Of two classes the second follows from the first and from all.
        if let [first, _] = segments {
            let (front, back) = lanes[..wish.rows].split_at(first.len as usize);
            let count = count_at_least(&lanes, front, [0; LANES]);
            m = count_at_least(&lanes, back, count);
            for i in 0..LANES {
                let e = i32::from(count[i]) * rows - i32::from(m[i]) * first.len as i32;
                squares[i] = (2 * e * e) as f32;
            }
        } else {
            let mut counts = [[0u16; LANES]; LANES];
            let mut rest = &lanes[..wish.rows];
            for (segment, count) in segments.iter().zip(&mut counts) {
                let (here, behind) = rest.split_at(segment.len as usize);
                *count = count_at_least(&lanes, here, [0; LANES]);
                rest = behind;
                for i in 0..LANES {
                    m[i] += count[i];
                }
            }
            for (segment, count) in segments.iter().zip(&counts) {
                for i in 0..LANES {
                    let e = i32::from(count[i]) * rows - i32::from(m[i]) * segment.len as i32;
                    squares[i] += (e * e) as f32;
                }
            }
        }
        for i in 0..LANES {
            let sides = i32::from(m[i]) * (rows - i32::from(m[i]));
            scan.saved[i] = squares[i] / sides.max(1) as f32 * scale;
        }
        scan.left = m;
        scan.codes = lanes;
        interesting(scan, wish)
    }
}

/// Adds to each lane how many of some codes are not greater.
#[inline(always)]
fn count_at_least(lanes: &[u16; LANES], codes: &[u16], mut counts: [u16; LANES]) -> [u16; LANES] {
    for &code in codes {
        for i in 0..LANES {
            counts[i] += u16::from(lanes[i] >= code);
        }
    }
    counts
}
