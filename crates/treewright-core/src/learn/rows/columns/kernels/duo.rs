//! Counting the rows of two classes into bins and estimating all cuts under Gini's index, at one go.
//!
//! What a row counts is packed: how often in the upper half if it is of the second class, how often in the lower half in any
//! case. See [`super::gini`] for the formulas. The plain and the wide form do the same operations on the same numbers.

use super::histogram::{Counts, count_packed};
use crate::learn::rows::columns::bins::Bins;
use crate::learn::rows::columns::tally::Room;
use crate::wide::{Isa, twins};

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
const WIDTH: usize = 16;

impl Duo<'_> {
    /// What a cut saves, estimated.
    #[inline(always)]
    pub fn saved(&self, m: u32, l: u32) -> f32 {
        let (all, second) = (self.times[0] as f32, self.times[1] as f32);
        let (m, l) = (m as f32, l as f32);
        let e = l * all - m * second;
        self.scale * e * e / (m * (all - m)).max(1.0)
    }

    /// Estimates all edges and bounds. `below` holds afterwards what is on the left of each bin and behind the last.
    pub fn scan(&self, isa: Isa, codes: &[u16], bins: &Bins, below: &mut Counts, room: &mut Room<'_>) {
        let used = room.edges.len().div_ceil(WIDTH);
        below[..(used + 1) * WIDTH].fill(0);
        count_packed(codes, bins, self.weights, below);
        #[cfg(target_arch = "x86_64")]
        if isa.is_wide() && room.edges.len().min(room.bounds.len()) >= used * WIDTH {
            // SAFETY: `Isa::detect` has seen the instructions; there is room for all bins.
            return unsafe { wide::estimate(self, &mut below[..=used * WIDTH], room) };
        }
        let _ = isa;
        self.estimate(&mut below[..=used * WIDTH], room);
    }

    fn estimate(&self, below: &mut [u32], room: &mut Room<'_>) {
        let (mut m0, mut l0, mut before) = (0, 0, 0f32);
        for bin in 0..below.len() - 1 {
            below[bin + 1] += below[bin];
            let (m1, l1) = (below[bin + 1] & 0xffff, below[bin + 1] >> 16);
            let edge = self.saved(m1, l1);
            room.edges[bin] = if m1 > 0 && m1 < self.times[0] { edge } else { -1.0 };
            // A cut inside a bin of one class alone is worse than an edge.
            let mixed = l1 > l0 && m1 - l1 > m0 - l0;
            let corners = self.saved(m0 - l0 + l1, l1).max(self.saved(m1 - l1 + l0, l0));
            room.bounds[bin] = if mixed { corners.max(before.max(edge)) } else { -1.0 };
            (m0, l0, before) = (m1, l1, edge);
        }
    }
}

twins! {
    /// What the rows with a smaller code count.
    pub fn below(codes: &[u16], weights: &[u32], code: u16) -> u32 {
        codes.iter().zip(weights).map(|(&c, &weight)| if c < code { weight } else { 0 }).sum()
    }
}

#[cfg(target_arch = "x86_64")]
mod wide {
    use super::{Duo, Room, WIDTH};
    use std::arch::x86_64::*;

    #[inline]
    #[target_feature(enable = "avx512f,avx512dq")]
    fn saved(duo: &Duo<'_>, m: __m512i, l: __m512i) -> __m512 {
        let (all, second) = (_mm512_set1_ps(duo.times[0] as f32), _mm512_set1_ps(duo.times[1] as f32));
        let (m, l) = (_mm512_cvtepi32_ps(m), _mm512_cvtepi32_ps(l));
        let e = _mm512_sub_ps(_mm512_mul_ps(l, all), _mm512_mul_ps(m, second));
        let sides = _mm512_max_ps(_mm512_mul_ps(m, _mm512_sub_ps(all, m)), _mm512_set1_ps(1.0));
        _mm512_div_ps(_mm512_mul_ps(_mm512_mul_ps(_mm512_set1_ps(duo.scale), e), e), sides)
    }

    /// See [`Duo::estimate`].
    ///
    /// # Safety
    /// The processor must have these instructions; `below` must have one more than whole registers, and there must be room
    /// for as many registers of edges and bounds.
    #[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl")]
    pub unsafe fn estimate(duo: &Duo<'_>, below: &mut [u32], room: &mut Room<'_>) {
        let (zero, low) = (_mm512_setzero_si512(), _mm512_set1_epi32(0xffff));
        let (last, none) = (_mm512_set1_epi32(WIDTH as i32 - 1), _mm512_set1_ps(-1.0));
        let all = _mm512_set1_epi32(duo.times[0] as i32);
        let (mut sum, mut prior) = (zero, _mm512_setzero_ps());
        for start in (0..below.len() - 1).step_by(WIDTH) {
            // SAFETY: there are whole registers, as asked for.
            let counts = unsafe { _mm512_loadu_epi32(below.as_ptr().add(start + 1).cast()) };
            let counts = _mm512_add_epi32(counts, _mm512_alignr_epi32::<15>(counts, zero));
            let counts = _mm512_add_epi32(counts, _mm512_alignr_epi32::<14>(counts, zero));
            let counts = _mm512_add_epi32(counts, _mm512_alignr_epi32::<12>(counts, zero));
            let counts = _mm512_add_epi32(counts, _mm512_alignr_epi32::<8>(counts, zero));
            let after = _mm512_add_epi32(counts, sum);
            let before = _mm512_alignr_epi32::<15>(after, sum);
            sum = _mm512_permutexvar_epi32(last, after);
            let (m0, l0) = (_mm512_and_si512(before, low), _mm512_srli_epi32::<16>(before));
            let (m1, l1) = (_mm512_and_si512(after, low), _mm512_srli_epi32::<16>(after));
            let (x0, x1) = (_mm512_sub_epi32(m0, l0), _mm512_sub_epi32(m1, l1));
            let edges = saved(duo, m1, l1);
            let shifted = _mm512_alignr_epi32::<15>(_mm512_castps_si512(edges), _mm512_castps_si512(prior));
            prior = edges;
            let a = saved(duo, _mm512_add_epi32(x0, l1), l1);
            let b = saved(duo, _mm512_add_epi32(x1, l0), l0);
            let ends = _mm512_max_ps(_mm512_castsi512_ps(shifted), edges);
            let bounds = _mm512_max_ps(_mm512_max_ps(a, b), ends);
            let mixed = _mm512_cmpgt_epi32_mask(l1, l0) & _mm512_cmpgt_epi32_mask(x1, x0);
            let inside = _mm512_test_epi32_mask(m1, m1) & _mm512_cmplt_epi32_mask(m1, all);
            // SAFETY: as above.
            unsafe {
                _mm512_storeu_epi32(below.as_mut_ptr().add(start + 1).cast(), after);
                _mm512_storeu_ps(room.edges.as_mut_ptr().add(start), _mm512_mask_mov_ps(none, inside, edges));
                _mm512_storeu_ps(room.bounds.as_mut_ptr().add(start), _mm512_mask_mov_ps(none, mixed, bounds));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::learn::rows::columns::tally::Scan;

    #[test]
    fn both_forms_give_equal_bits() {
        for (rows, wanted) in [(2, 32), (15, 32), (70, 32), (100, 48), (500, 128), (1000, 2048)] {
            for turn in 0..6u32 {
                let codes: Vec<u16> =
                    (0..rows).map(|i: u32| ((i + turn).wrapping_mul(2_654_435_761) >> 16) as u16 >> turn).collect();
                let weights: Vec<u32> = (0..rows).map(|i| pack((i * 7 + turn) % 5 < 2, 1 + (i * turn) % 3)).collect();
                let all: u32 = weights.iter().sum();
                let duo = Duo { weights: &weights, times: [all & 0xffff, all >> 16], scale: 0.01 };
                let bins = Bins::new(0, u16::MAX >> turn, wanted);
                let runs = [Isa::PLAIN, Isa::detect()].map(|isa| {
                    let (mut scan, mut counts) = (Scan::default(), [9; _]);
                    scan.begin(bins.count(), true);
                    duo.scan(isa, &codes, &bins, &mut counts, &mut scan.room());
                    for (bin, &count) in counts[..bins.count()].iter().enumerate() {
                        assert_eq!(count, below(isa, &codes, &weights, bins.first(bin)));
                    }
                    assert_eq!(counts[bins.count()], all);
                    let bits = |numbers: &[f32]| numbers.iter().map(|x| x.to_bits()).collect::<Vec<_>>();
                    (bits(scan.edges()), bits(scan.bounds()))
                });
                assert_eq!(runs[0], runs[1]);
            }
        }
    }
}
