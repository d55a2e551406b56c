//! Gini's index: what cuts save, estimated for many cuts at once.
//!
//! With `n` rows of which `N_c` are of class `c`, and `m` rows on the left of which `l_c` are, a cut saves
//! `sum of e_c^2 / (n m (n - m))` of the node's cost, with `e_c = l_c n - m N_c`. As a function of the `l_c` and of `m`, taken as independent,
//! this is convex: inside a bin it is nowhere greater than at a corner, and for given `m` each class has its own corner.

use super::histogram::ClassCounts;
use super::{lanes, larger, larger_fraction};
use crate::rows::columns::shape::Shape;
use crate::rows::columns::tally::{LaneQuery, LaneScan, Scan};
#[cfg(target_arch = "x86_64")]
use crate::simd::Tier;
use crate::simd::{Isa, multiversion};

/// See [`Formula::scan`](super::formula::Formula::scan).
pub fn scan(shape: &Shape<'_>, below: &[ClassCounts], scan: &mut Scan) {
    let (rows, scale) = (shape.rows as u32, (1.0 / (shape.rows as f64 * shape.cost)) as f32);
    if let ([first, second], [_, total]) = (below, shape.classes) {
        two(shape.isa, first, second, rows, *total, scale, scan);
    } else {
        estimate_many(shape.isa, shape.classes, below, rows, scale, scan);
    }
}

fn estimate_many(isa: Isa, classes: &[u32], below: &[ClassCounts], rows: u32, scale: f32, scan: &mut Scan) {
    #[cfg(target_arch = "x86_64")]
    if isa.tier() == Tier::Avx512 && rows <= EXACT {
        // SAFETY: an `Isa` of this tier exists only where the processor has its instructions; counts are longer than a scan.
        unsafe { super::avx512::gini::many(classes, below, rows, scale, &mut scan.room()) };
        return;
    }
    many(isa, classes, below, rows, scale, scan);
}

/// See [`Formula::scan_lanes`](super::formula::Formula::scan_lanes).
pub fn scan_lanes(shape: &Shape<'_>, codes: &[u16], query: &LaneQuery, scan: &mut LaneScan) -> u32 {
    let scale = (1.0 / (shape.rows as f64 * shape.cost)) as f32;
    lanes::gini(shape.isa, shape, scale, codes, query, scan)
}

/// The sum of squares and `m (n - m)` are small integers: their quotients, rounded once, are equal only if they are
/// equal. Two fractions `a/b` and `c/d` differ by at least `1/(a d)` of the first.
pub fn lanes_are_exact(rows: usize, classes: usize) -> bool {
    rows <= if classes == 2 { 20 } else { 16 }
}

/// See [`Formula::saved`](super::formula::Formula::saved).
#[inline]
pub fn saved(shape: &Shape<'_>, left: &[u32]) -> f64 {
    let rows = shape.rows as i64;
    let m = left.iter().map(|&l| i64::from(l)).sum::<i64>();
    let square = |(total, &l): (&u32, &u32)| {
        let e = (i64::from(l) * rows - m * i64::from(*total)) as f64;
        e * e
    };
    let squares: f64 = shape.classes.iter().zip(left).map(square).sum();
    squares / (rows as f64 * (m * (rows - m)) as f64) / shape.cost
}

/// See [`Formula::bound`](super::formula::Formula::bound).
pub fn bound(shape: &Shape<'_>, before: &[u32], after: &[u32]) -> f64 {
    let rows = shape.rows as f64;
    let sum = |counts: &[u32]| counts.iter().map(|&l| f64::from(l)).sum::<f64>();
    let corner = |m: f64| {
        let m = m.clamp(1.0, rows - 1.0);
        let class = |((total, &a), &b): ((&u32, &u32), &u32)| {
            let e = |l: u32| (f64::from(l) * rows - m * f64::from(*total)).abs();
            e(a).max(e(b)).powi(2)
        };
        let squares: f64 = shape.classes.iter().zip(before).zip(after).map(class).sum();
        squares / (rows * m * (rows - m))
    };
    corner(sum(before)).max(corner(sum(after))) / shape.cost
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

multiversion! {
    fn two(first: &ClassCounts, second: &ClassCounts, rows: u32, total: u32, scale: f32, scan: &mut Scan) {
        if rows <= EXACT {
            two_classes::<true>(first, second, rows, total, scale, scan);
        } else {
            two_classes::<false>(first, second, rows, total, scale, scan);
        }
    }
}

/// Two classes: a corner of a bin is a true division of the rows, and there are four.
#[inline(always)]
fn two_classes<const SMALL: bool>(
    first: &ClassCounts,
    second: &ClassCounts,
    rows: u32,
    total: u32,
    scale: f32,
    scan: &mut Scan,
) {
    let room = scan.room();
    let bins = room.edges.len();
    let (x0, x1) = (&first[..bins], &first[1..=bins]);
    let (y0, y1) = (&second[..bins], &second[1..=bins]);
    let scale = 2.0 * scale;
    let fraction = |x: u32, y: u32| {
        let m = x + y;
        let e = difference::<SMALL>(y, rows, m, total);
        (scale * e * e, larger(m as f32 * (rows - m) as f32, 1.0))
    };
    for (edge, (x, y)) in room.edges.iter_mut().zip(x1.iter().zip(y1)) {
        let (saved, sides) = fraction(*x, *y);
        *edge = saved / sides;
    }
    if !room.bounded {
        return;
    }
    let bounds = &mut room.bounds[..bins];
    for b in 0..bins {
        let corner = larger_fraction(fraction(x0[b], y1[b]), fraction(x1[b], y0[b]));
        // Along one class alone the saving is strictly convex: a cut inside such a bin is worse than an edge.
        let mixed = x1[b] > x0[b] && y1[b] > y0[b];
        bounds[b] = if mixed { corner } else { -1.0 };
    }
    // The other two corners are edges.
    let edges = &room.edges[..bins];
    bounds[0] = if bounds[0] >= 0.0 { bounds[0].max(edges[0]) } else { -1.0 };
    let (bounds, before, edges) = (&mut bounds[1..], &edges[..bins - 1], &edges[1..]);
    for (bound, (before, edge)) in bounds.iter_mut().zip(before.iter().zip(edges)) {
        let corners = larger(*before, *edge);
        *bound = if *bound >= 0.0 { larger(*bound, corners) } else { -1.0 };
    }
}

multiversion! {
    fn many(classes: &[u32], below: &[ClassCounts], rows: u32, scale: f32, scan: &mut Scan) {
        if rows <= EXACT {
            many_classes::<true>(classes, below, rows, scale, scan);
        } else {
            many_classes::<false>(classes, below, rows, scale, scan);
        }
    }
}

/// Many classes: each loop runs along the bins, which compilers know how to do several at a time. (Where a loop over all
/// classes of 16 bins is left to them, it takes twice as long.)
#[inline(always)]
fn many_classes<const SMALL: bool>(classes: &[u32], below: &[ClassCounts], rows: u32, scale: f32, scan: &mut Scan) {
    let room = scan.room();
    // Bins behind the last are estimated, too: whole registers take less time than single bins.
    let bins = room.edges.len();
    let (left, sides) = (&mut room.left[..=bins], &mut room.sides[..=bins]);
    left.fill(0);
    for below in below {
        left.iter_mut().zip(&below[..=bins]).for_each(|(left, below)| *left += below);
    }
    let mixed = &mut room.largest[..bins];
    mixed.fill(0);
    for below in below {
        let (a, b) = (&below[..bins], &below[1..=bins]);
        (0..bins).for_each(|i| mixed[i] = mixed[i].max(b[i] - a[i]));
    }
    // The largest class of a bin is not all of it.
    (0..bins).for_each(|i| mixed[i] = u32::from(mixed[i] < left[i + 1] - left[i]));
    for (left, sides) in left.iter_mut().zip(sides.iter_mut()) {
        *left = (*left).clamp(1, rows - 1);
        *sides = scale / (*left as f32 * (rows - *left) as f32);
    }
    let (m0, m1) = (&left[..bins], &left[1..=bins]);
    let (edges, low, high) = (&mut room.edges[..bins], &mut room.bounds[..bins], &mut room.high[..bins]);
    edges.fill(0.0);
    for (total, below) in classes.iter().zip(below) {
        let b = &below[1..=bins];
        for i in 0..bins {
            let e = difference::<SMALL>(b[i], rows, m1[i], *total);
            edges[i] += e * e;
        }
    }
    if room.bounded {
        low.fill(0.0);
        high.fill(0.0);
        for (total, below) in classes.iter().zip(below) {
            let (a, b) = (&below[..bins], &below[1..=bins]);
            for i in 0..bins {
                let square = |l: u32, m: u32| {
                    let e = difference::<SMALL>(l, rows, m, *total);
                    e * e
                };
                low[i] += larger(square(a[i], m0[i]), square(b[i], m0[i]));
                high[i] += larger(square(a[i], m1[i]), square(b[i], m1[i]));
            }
        }
        for i in 0..bins {
            let bound = larger(low[i] * sides[i], high[i] * sides[i + 1]);
            // No cut inside a bin of one class alone is better than an edge.
            low[i] = if mixed[i] > 0 { bound } else { -1.0 };
        }
    }
    (0..bins).for_each(|i| edges[i] *= sides[i + 1]);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_tiers_give_equal_bits() {
        for (classes, bins, step) in [(3, 5, 1), (4, 16, 3), (5, 40, 2), (7, 100, 1), (7, 64, 9), (12, 33, 60)] {
            // Some bins are empty, some of one class alone.
            let count = |class: u32, bin: u32| (class * 7 + bin * 13).wrapping_mul(2_654_435_761) >> 28;
            let mut below = vec![[0; _]; classes as usize];
            for (class, below) in (0..classes).zip(&mut below) {
                let mut sum = 0;
                for (bin, below) in (0..).zip(below.iter_mut().skip(1)) {
                    sum += if bin < bins { count(class, bin).saturating_sub(6) * step } else { 0 };
                    *below = sum;
                }
            }
            let totals: Vec<u32> = below.iter().map(|below: &ClassCounts| below[bins as usize]).collect();
            let rows = totals.iter().sum();
            let mut runs = Isa::all().map(|isa| {
                let mut scan = Scan::default();
                scan.begin(bins as usize, true);
                estimate_many(isa, &totals, &below, rows, 0.01, &mut scan);
                let bits = |numbers: &[f32]| numbers.iter().map(|x| x.to_bits()).collect::<Vec<_>>();
                (bits(scan.edges()), bits(scan.bounds()))
            });
            let first = runs.next();
            assert!(runs.all(|run| Some(run) == first));
        }
    }
}
