//! Counting the rows of two classes into bins and estimating all cuts under Gini's index, at one go.
//!
//! What a row counts is packed: how often in the upper half if it is of the second class, how often in the lower half in any
//! case. See [`super::gini`] for the formulas. All forms do the same operations on the same numbers.

use super::histogram::{ClassCounts, LONG, count, count_packed};
use super::{larger, larger_fraction};
use crate::rows::columns::bins::Bins;
use crate::rows::columns::segments::{Segment, places};
use crate::rows::columns::tally::Room;
use crate::simd::{Isa, multiversion};

/// How often the rows may count in all: a product of two counts is exact in single precision.
pub const DUO_TIMES: usize = 1 << 12;

/// What is known of a node.
#[derive(Clone, Copy, Debug)]
pub struct Duo<'a> {
    /// What each row counts.
    pub weights: &'a [u32],
    /// How often all rows count, and those of the second class.
    pub times: [u32; 2],
    /// What one unit of `e^2 / (m (n - m))` saves, as a share of the node's cost.
    pub scale: f32,
}

/// What one row counts.
pub fn pack(second: bool, times: u32) -> u32 {
    if second { times << 16 | times } else { times }
}

/// How often both classes count.
pub fn unpack(packed: u32) -> [u32; 2] {
    [(packed & 0xffff) - (packed >> 16), packed >> 16]
}

/// Bins that are looked at together.
pub(super) const WIDTH: usize = 16;

impl Duo<'_> {
    /// What a cut saves, estimated: a numerator and a denominator.
    #[inline(always)]
    fn fraction(&self, m: u32, l: u32) -> (f32, f32) {
        let (all, second) = (self.times[0] as f32, self.times[1] as f32);
        let (m, l) = (m as f32, l as f32);
        let e = l * all - m * second;
        (self.scale * e * e, larger(m * (all - m), 1.0))
    }

    /// Counts both classes at once: segment by segment where these are long, else with a weight for each row.
    pub fn count(&self, isa: Isa, total: &[Segment], codes: &[u16], bins: &Bins, below: &mut ClassCounts) {
        below[..bins.count().next_multiple_of(WIDTH) + WIDTH].fill(0);
        if self.weights.len() < LONG * total.len() {
            return count_packed(codes, bins, self.weights, below);
        }
        for (place, segment, rows) in places(total) {
            count(isa, &codes[rows], bins, pack(place == 1, segment.times), below);
        }
    }

    /// Estimates all edges and bounds. `below` holds afterwards what is on the left of each bin and behind the last.
    pub fn estimate(&self, isa: Isa, below: &mut ClassCounts, room: &mut Room<'_>) {
        let used = room.edges.len().div_ceil(WIDTH);
        let below = &mut below[..=used * WIDTH];
        assert!(room.edges.len().min(room.bounds.len()) >= used * WIDTH);
        dispatch!(isa, x86 duo::estimate(self, below, room), self.estimate_portable(below, room))
    }

    /// Each loop runs along the bins without a branch, which compilers turn into a few bins at a time.
    fn estimate_portable(&self, below: &mut [u32], room: &mut Room<'_>) {
        let bins = below.len() - 1;
        (0..bins).for_each(|bin| below[bin + 1] += below[bin]);
        let (from, to) = (&below[..bins], &below[1..]);
        let (edges, bounds) = (&mut room.edges[..bins], &mut room.bounds[..bins]);
        for (edge, after) in edges.iter_mut().zip(to) {
            let (m, l) = (after & 0xffff, after >> 16);
            let (saved, sides) = self.fraction(m, l);
            *edge = if (m > 0) & (m < self.times[0]) { saved / sides } else { -1.0 };
        }
        for ((bound, before), after) in bounds.iter_mut().zip(from).zip(to) {
            let (m0, l0, m1, l1) = (before & 0xffff, before >> 16, after & 0xffff, after >> 16);
            // A cut inside a bin of one class alone is worse than an edge.
            let mixed = (l1 > l0) & (m1 - l1 > m0 - l0);
            let corner = larger_fraction(self.fraction(m0 - l0 + l1, l1), self.fraction(m1 - l1 + l0, l0));
            *bound = if mixed { corner } else { -1.0 };
        }
        // The other two corners are edges; one that is not allowed saves nothing, and no corner saves less.
        let before = std::iter::once(&-1.0).chain(edges.iter());
        for (bound, (before, edge)) in bounds.iter_mut().zip(before.zip(edges.iter())) {
            let ends = larger(*before, *edge);
            *bound = if *bound >= 0.0 { larger(*bound, ends) } else { -1.0 };
        }
    }
}

multiversion! {
    /// What the rows with a smaller code count.
    pub fn below(codes: &[u16], weights: &[u32], code: u16) -> u32 {
        codes.iter().zip(weights).map(|(&c, &weight)| if c < code { weight } else { 0 }).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rows::columns::tally::Scan;

    #[test]
    fn all_tiers_give_equal_bits() {
        for (rows, wanted) in [(2, 32), (15, 32), (70, 32), (100, 48), (500, 128), (1000, 2048)] {
            for turn in 0..6u32 {
                let codes: Vec<u16> =
                    (0..rows).map(|i: u32| ((i + turn).wrapping_mul(2_654_435_761) >> 16) as u16 >> turn).collect();
                // Rows that count each in their own way, or two segments.
                let alone =
                    |i: u32| Segment { class: u32::from((i * 7 + turn) % 5 < 2), len: 1, times: 1 + (i * turn) % 3 };
                let half = |class: u32| Segment { class, len: (rows + class) / 2, times: 1 + class };
                let total: Vec<Segment> =
                    if turn % 2 == 0 { (0..rows).map(alone).collect() } else { vec![half(0), half(1)] };
                let one = |segment: &Segment| {
                    std::iter::repeat_n(pack(segment.class == 1, segment.times), segment.len as usize)
                };
                let weights: Vec<u32> = total.iter().flat_map(one).collect();
                let all: u32 = weights.iter().sum();
                let duo = Duo { weights: &weights, times: [all & 0xffff, all >> 16], scale: 0.01 };
                let bins = Bins::new(0, u16::MAX >> turn, wanted);
                let mut runs = Isa::all().map(|isa| {
                    let (mut scan, mut counts) = (Scan::default(), [9; _]);
                    scan.begin(bins.count(), true);
                    duo.count(isa, &total, &codes, &bins, &mut counts);
                    duo.estimate(isa, &mut counts, &mut scan.room());
                    for (bin, &count) in counts[..bins.count()].iter().enumerate() {
                        assert_eq!(count, below(isa, &codes, &weights, bins.first(bin)));
                    }
                    assert_eq!(counts[bins.count()], all);
                    let bits = |numbers: &[f32]| numbers.iter().map(|x| x.to_bits()).collect::<Vec<_>>();
                    (bits(scan.edges()), bits(scan.bounds()))
                });
                let first = runs.next();
                assert!(runs.all(|run| Some(run) == first));
            }
        }
    }
}
