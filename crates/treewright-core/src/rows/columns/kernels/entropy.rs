//! Entropy: what cuts save, estimated for many cuts at once.
//!
//! With `n` rows of which `N_c` are of class `c`, and `m` rows on the left of which `l_c` are, a cut leaves
//! `f(m) - sum of f(l_c) + f(n - m) - sum of f(N_c - l_c)` with `f(x) = x log2 x`. The negative of that is convex in the
//! `l_c` and `m`, taken as independent, when written with `l_c log2(l_c / m)`: inside a bin it is nowhere greater than
//! at a corner, and for given `m` each class has its own corner.

use super::histogram::ClassCounts;
use super::lanes::{LANES, interesting, is_constant, load};
use crate::rows::columns::segments::places;
use crate::rows::columns::shape::Shape;
use crate::rows::columns::tally::{LaneQuery, LaneScan, Scan};
use crate::simd::multiversion;
use crate::stats::criterion::n_log_n;
use crate::tolerance::LOGARITHM_NOISE;
use std::sync::LazyLock;

/// Logarithms of counts, made once: nodes of few rows do not compute any.
struct Tables {
    /// `n log2 n`, with the bits that the criterion computes.
    n_log_n: Vec<f64>,
    /// `log2 n`; 0 for none.
    log: Vec<f64>,
}

impl Tables {
    fn new(rows: u32) -> Tables {
        let counts = || (0..=rows).map(f64::from);
        Tables { n_log_n: counts().map(n_log_n).collect(), log: counts().map(|n| libm::log2(n.max(1.0))).collect() }
    }

    /// Logarithms of all counts up to this one; None where they would take too much of the cache.
    fn up_to(rows: u32) -> Option<&'static Tables> {
        if rows <= FEW {
            Some(&FEW_ROWS)
        } else if rows <= MANY {
            Some(&MANY_ROWS)
        } else {
            None
        }
    }
}

/// Tables up to here are made in 0.1 ms and fit the first cache, those up to the next number the second: counts grow
/// from bin to bin, so both are read in order.
const FEW: u32 = 1 << 12;
const MANY: u32 = 1 << 16;
static FEW_ROWS: LazyLock<Tables> = LazyLock::new(|| Tables::new(FEW));
static MANY_ROWS: LazyLock<Tables> = LazyLock::new(|| Tables::new(MANY));

/// See [`Formula::scan`](super::formula::Formula::scan), for classes that count alike.
pub fn scan(shape: &Shape<'_>, below: &[ClassCounts], scan: &mut Scan) {
    let room = scan.room();
    let (edges, bounds) = (&mut room.edges[..room.bins], &mut room.bounds[..room.bins]);
    match (Tables::up_to(shape.rows as u32), below, shape.classes) {
        (Some(tables), [first, second], &[one, two]) => {
            bins_of_two(shape.isa, [one, two], [first, second], shape.cost, tables, edges, bounds);
        }
        (Some(tables), ..) => bins_of_few(shape.isa, shape.classes, below, shape.cost, tables, edges, bounds),
        (None, ..) => bins(shape.isa, shape.classes, shape.factors, below, shape.cost, edges, bounds),
    }
}

/// See [`Formula::scan_lanes`](super::formula::Formula::scan_lanes), for classes that count alike.
pub fn scan_lanes(shape: &Shape<'_>, codes: &[u16], query: &LaneQuery, scan: &mut LaneScan) -> u32 {
    match (Tables::up_to(shape.rows as u32), shape.classes) {
        (Some(tables), &[one, two]) => lanes_of_two(shape, [one, two], tables, codes, query, scan),
        _ => each_lane(shape, codes, query, scan, |left| saved(shape, left)),
    }
}

/// See [`Formula::saved`](super::formula::Formula::saved), for classes that count alike.
pub fn saved(shape: &Shape<'_>, left: &[u32]) -> f64 {
    let tables = Tables::up_to(shape.rows as u32);
    let of = |n: u32| tables.map_or_else(|| n_log_n(f64::from(n)), |tables| tables.n_log_n[n as usize]);
    let m: u32 = left.iter().sum();
    let low: f64 = left.iter().map(|&l| of(l)).sum();
    let high: f64 = shape.classes.iter().zip(left).map(|(&n, &l)| of(n - l)).sum();
    // As the criterion: the sum runs over the classes in their order, and rounding leaves nothing below 0.
    let (low, high) = ((of(m) - low).max(0.0), (of(shape.rows as u32 - m) - high).max(0.0));
    (shape.cost - (low + high)) / shape.cost
}

/// More than any cut between two saves, whatever the factors of the classes.
pub fn bound(shape: &Shape<'_>, before: &[u32], after: &[u32]) -> f64 {
    let sum = |counts: &[u32]| counts.iter().zip(shape.factors).map(|(&l, factor)| f64::from(l) * factor).sum::<f64>();
    let rows = sum(shape.classes);
    let corner = |m: f64| {
        let m = m.clamp(1.0, rows - 1.0);
        let (left, right) = (log2(m), log2(rows - m));
        let class = |(((&total, &a), &b), factor): (((&u32, &u32), &u32), &f64)| {
            let of = |count: u32| f64::from(count) * factor;
            let corner = |count: u32| corner_of_class(of(count), of(total), left, right);
            corner(a).max(corner(b))
        };
        shape.classes.iter().zip(before).zip(after).zip(shape.factors).map(class).sum::<f64>()
    };
    1.0 + corner(sum(before)).max(corner(sum(after))) / shape.cost + LOGARITHM_NOISE * rows * log2(rows) / shape.cost
}

/// Estimates each lane on its own; `saved` is told how often each class counts on the left.
pub fn each_lane(
    shape: &Shape<'_>,
    codes: &[u16],
    query: &LaneQuery,
    scan: &mut LaneScan,
    saved: impl Fn(&[u32]) -> f64,
) -> u32 {
    if is_constant(codes, query, scan) {
        return 0;
    }
    let lanes = load(codes, query.rows);
    let mut classes = vec![[0u32; LANES]; shape.classes.len()];
    scan.left = [0; LANES];
    for (place, segment, span) in places(shape.segments) {
        let mut rows = [0u16; LANES];
        count_at_most(shape.isa, &lanes, &lanes[span], &mut rows);
        for (lane, &count) in rows.iter().enumerate() {
            classes[place][lane] += u32::from(count) * segment.times;
            scan.left[lane] += count;
        }
    }
    let mut left = vec![0; shape.classes.len()];
    for lane in 0..query.rows {
        left.iter_mut().zip(&classes).for_each(|(left, class)| *left = class[lane]);
        scan.saved[lane] = saved(&left) as f32;
    }
    // Nothing is on the right of the cut behind the last row.
    scan.saved[query.rows..].fill(f32::NEG_INFINITY);
    scan.codes = lanes;
    interesting(scan, query)
}

/// The same for two classes, of which the tables have all logarithms.
fn lanes_of_two(
    shape: &Shape<'_>,
    [one, two]: [u32; 2],
    tables: &Tables,
    codes: &[u16],
    query: &LaneQuery,
    scan: &mut LaneScan,
) -> u32 {
    if is_constant(codes, query, scan) {
        return 0;
    }
    let (lanes, mut left) = (load(codes, query.rows), [[0u32; LANES]; 2]);
    scan.left = [0; LANES];
    for (place, segment, span) in places(shape.segments) {
        let mut rows = [0u16; LANES];
        count_at_most(shape.isa, &lanes, &lanes[span], &mut rows);
        for ((left, total), &count) in left[place].iter_mut().zip(&mut scan.left).zip(&rows) {
            *left += u32::from(count) * segment.times;
            *total += count;
        }
    }
    let of = |count: u32, total: u32| tables.n_log_n[count as usize] + tables.n_log_n[(total - count) as usize];
    let share = 1.0 / shape.cost;
    for ((saved, &a), &b) in scan.saved[..query.rows].iter_mut().zip(&left[0]).zip(&left[1]) {
        *saved = (1.0 + (of(a, one) + of(b, two) - of(a + b, one + two)) * share) as f32;
    }
    // Nothing is on the right of the cut behind the last row.
    scan.saved[query.rows..].fill(f32::NEG_INFINITY);
    scan.codes = lanes;
    interesting(scan, query)
}

multiversion! {
    /// Adds to each lane how many of some codes are at most the lane's.
    fn count_at_most(lanes: &[u16; LANES], codes: &[u16], counts: &mut [u16; LANES]) {
        for &code in codes {
            for (count, lane) in counts.iter_mut().zip(lanes) {
                *count += u16::from(code <= *lane);
            }
        }
    }
}

multiversion! {
    /// Estimates edges and bounds of a node of two classes whose logarithms are in the tables. A corner of a bin is a true
    /// division of the rows, and there are four, of which two are edges.
    fn bins_of_two(
        classes: [u32; 2],
        below: [&ClassCounts; 2],
        cost: f64,
        tables: &Tables,
        edges: &mut [f32],
        bounds: &mut [f32],
    ) {
        let ([one, two], [first, second]) = (classes, below);
        let n = one + two;
        let noise = LOGARITHM_NOISE * tables.n_log_n[n as usize];
        let (rest, scale) = (cost + noise, 1.0 / cost);
        let share = |remaining: f64| ((rest + remaining) * scale) as f32;
        let of = |count: u32, total: u32| tables.n_log_n[count as usize] + tables.n_log_n[(total - count) as usize];
        let (mut a, mut b) = (first[0], second[0]);
        let (mut of_a, mut of_b) = (of(a, one), of(b, two));
        let (mut before, mut edge) = (of_a + of_b - of(a + b, n), -1.0);
        let ends = first[1..].iter().zip(&second[1..]);
        for ((out, bound), (&c, &d)) in edges.iter_mut().zip(bounds).zip(ends) {
            if (c, d) != (a, b) {
                let (of_c, of_d) = (of(c, one), of(d, two));
                let after = of_c + of_d - of(c + d, n);
                edge = share(after);
                // A cut inside a bin of one class alone is worse than an edge.
                *bound = if c > a && d > b {
                    let corners = (of_a + of_d - of(a + d, n)).max(of_c + of_b - of(c + b, n));
                    share(corners.max(before).max(after))
                } else {
                    -1.0
                };
                (a, b, of_a, of_b, before) = (c, d, of_c, of_d, after);
            } else {
                *bound = -1.0;
            }
            *out = edge;
        }
    }
}

multiversion! {
    /// Estimates edges and bounds of a node whose logarithms are in the tables; every row counts 1.
    fn bins_of_few(
        classes: &[u32],
        below: &[ClassCounts],
        cost: f64,
        tables: &Tables,
        edges: &mut [f32],
        bounds: &mut [f32],
    ) {
        let n: u32 = classes.iter().sum();
        let noise = LOGARITHM_NOISE * tables.n_log_n[n as usize];
        let share = |remaining: f64| ((cost + remaining + noise) / cost) as f32;
        let logs = |m: u32| {
            let m = m.clamp(1, n - 1);
            (tables.log[m as usize], tables.log[(n - m) as usize])
        };
        let sizes = |at: usize| below.iter().map(|below| below[at]).sum::<u32>();
        let (mut m0, mut logs0) = (sizes(0), logs(sizes(0)));
        for bin in 0..edges.len() {
            let m1 = sizes(bin + 1);
            if m1 == m0 {
                // An empty bin: its edge is the one before it.
                edges[bin] = if bin > 0 { edges[bin - 1] } else { -1.0 };
                bounds[bin] = -1.0;
                continue;
            }
            let logs1 = logs(m1);
            let (mut edge, mut low, mut high, mut mixed) = (0.0, 0.0, 0.0, 0);
            for (total, below) in classes.iter().zip(below) {
                let at = |l: u32, (left, right): (f64, f64)| {
                    let rest = total - l;
                    tables.n_log_n[l as usize] + tables.n_log_n[rest as usize]
                        - f64::from(l) * left
                        - f64::from(rest) * right
                };
                let (a, b) = (below[bin], below[bin + 1]);
                let last = at(b, logs1);
                edge += last;
                low += at(a, logs0).max(at(b, logs0));
                high += at(a, logs1).max(last);
                mixed += u32::from(b > a);
            }
            edges[bin] = share(edge);
            bounds[bin] = if mixed > 1 { share(low.max(high)) } else { -1.0 };
            (m0, logs0) = (m1, logs1);
        }
    }
}

/// What a class contributes to the negative of the remaining cost, given the logarithms of both sides' sizes.
#[inline(always)]
fn corner_of_class(count: f64, total: f64, left: f64, right: f64) -> f64 {
    let rest = total - count;
    count * (log2(count) - left) + rest * (log2(rest) - right)
}

multiversion! {
    /// Estimates edges and bounds; each row counts the factor of its class, 1 or more.
    pub fn bins(
        classes: &[u32],
        factors: &[f64],
        below: &[ClassCounts],
        cost: f64,
        edges: &mut [f32],
        bounds: &mut [f32],
    ) {
        /// Bins that are worked on at once.
        const WIDTH: usize = 8;
        let n: f64 = classes.iter().zip(factors).map(|(&total, factor)| f64::from(total) * factor).sum();
        // Rounding may take this much off an estimate.
        let noise = LOGARITHM_NOISE * n * log2(n);
        for start in (0..edges.len()).step_by(WIDTH) {
            let width = WIDTH.min(edges.len() - start);
            let (mut m0, mut m1, mut mixed) = ([0f64; WIDTH], [0f64; WIDTH], [0u32; WIDTH]);
            for (below, factor) in below.iter().zip(factors) {
                for i in 0..width {
                    let (a, b) = (below[start + i], below[start + i + 1]);
                    m0[i] += f64::from(a) * factor;
                    m1[i] += f64::from(b) * factor;
                    mixed[i] += u32::from(b > a);
                }
            }
            let (mut logs, mut edge, mut low, mut high) = ([[0f64; 4]; WIDTH], [0f64; WIDTH], [0f64; WIDTH], [0f64; WIDTH]);
            for i in 0..width {
                let (a, b) = (m0[i].clamp(1.0, n - 1.0), m1[i].clamp(1.0, n - 1.0));
                logs[i] = [log2(a), log2(n - a), log2(b), log2(n - b)];
            }
            for ((total, below), factor) in classes.iter().zip(below).zip(factors) {
                let total = f64::from(*total) * factor;
                for i in 0..width {
                    let (a, b) = (f64::from(below[start + i]) * factor, f64::from(below[start + i + 1]) * factor);
                    let (fa, fb) = (a * log2(a) + (total - a) * log2(total - a), b * log2(b) + (total - b) * log2(total - b));
                    let [l0, r0, l1, r1] = logs[i];
                    let at = |f: f64, x: f64, l: f64, r: f64| f - x * l - (total - x) * r;
                    edge[i] += at(fb, b, l1, r1);
                    low[i] += at(fa, a, l0, r0).max(at(fb, b, l0, r0));
                    high[i] += at(fa, a, l1, r1).max(at(fb, b, l1, r1));
                }
            }
            for i in 0..width {
                let share = |remaining: f64| ((cost + remaining + noise) / cost) as f32;
                edges[start + i] = share(edge[i]);
                bounds[start + i] = if mixed[i] > 1 { share(low[i].max(high[i])) } else { -1.0 };
            }
        }
    }
}

/// The logarithm of a number of at least 1 to about 13 digits, by plain operations that can be done on many numbers at
/// once; 0 for smaller ones.
#[inline(always)]
pub fn log2(x: f64) -> f64 {
    let bits = x.max(1.0).to_bits();
    let exponent = (bits >> 52) as i32 - 1023;
    let fraction = f64::from_bits(bits & ((1 << 52) - 1) | 1023 << 52);
    let large = fraction > std::f64::consts::SQRT_2;
    let (fraction, exponent) = (if large { fraction / 2.0 } else { fraction }, exponent + i32::from(large));
    // log2(f) = 2 atanh(s) / ln 2 with s = (f - 1) / (f + 1), |s| < 0.172.
    let s = (fraction - 1.0) / (fraction + 1.0);
    let t = s * s;
    let series = 1.0
        + t * (1.0 / 3.0
            + t * (0.2 + t * (1.0 / 7.0 + t * (1.0 / 9.0 + t * (1.0 / 11.0 + t * (1.0 / 13.0 + t / 15.0))))));
    f64::from(exponent) + 2.0 * std::f64::consts::LOG2_E * s * series
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn logarithms_have_thirteen_digits() {
        for x in [1.0, 2.0, 3.0, 7.0, 10.0, 1e3, 65_537.0, 1e6, 3e9] {
            assert!((log2(x) - libm::log2(x)).abs() <= 1e-13 * libm::log2(x).max(1.0), "{x}");
        }
        assert_eq!(log2(0.0), 0.0);
    }
}
