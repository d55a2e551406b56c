//! The best trees of one question for both sides of a cut, where signs tell all: two classes, no weights, leaves of any
//! size.
//!
//! Rows of the second class count +1, those of the first -1. One question with the sum x on its left, of w in all,
//! gets |x| + |w - x| right more often than wrong, which is the larger of 2x - w and w - 2x: only the largest and the least
//! sum matter. In the order of a column those are extremes of running sums, and a word of 64 rows is looked into only
//! if the count of its signs says that it could hold one.

use super::codes::{Code, Instructions};
use super::node::Node;

/// What a question has to beat on each side: sums above `high` or below `low`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Extremes {
    high: [i32; 2],
    low: [i32; 2],
}

impl Extremes {
    /// Sums that would be better than `best`.
    fn beyond(best: [i32; 2], total: [i32; 2]) -> Extremes {
        let high = [0, 1].map(|side| (best[side] + total[side]) / 2);
        Extremes { high, low: [0, 1].map(|side| (total[side] - best[side]) / 2) }
    }

    fn best(&self, total: [i32; 2]) -> [i32; 2] {
        [0, 1].map(|side| (2 * self.high[side] - total[side]).max(total[side] - 2 * self.low[side]))
    }

    /// Looks into the 64 rows of a word of which `positive` and `negative` are on a side.
    #[inline(always)]
    fn look_into(&mut self, side: usize, mut sum: i32, [positive, negative]: [u64; 2], mut ends: u64) {
        let mut before = 0u64;
        let (mut high, mut low) = (self.high[side], self.low[side]);
        // Only an end behind a member of the side changes the sum.
        while ends != 0 {
            let end = ends & ends.wrapping_neg();
            ends ^= end;
            let group = (end | (end - 1)) & !before;
            before |= group;
            sum += (positive & group).count_ones() as i32 - (negative & group).count_ones() as i32;
            high = high.max(sum);
            low = low.min(sum);
        }
        (self.high[side], self.low[side]) = (high, low);
    }

    /// The same where every row ends a group: one step for each member.
    #[inline(always)]
    fn look_at_each(&mut self, side: usize, mut sum: i32, [positive, negative]: [u64; 2]) {
        let (mut high, mut low) = (self.high[side], self.low[side]);
        let mut members = positive | negative;
        while members != 0 {
            let place = members.trailing_zeros();
            members &= members - 1;
            sum += 2 * (positive >> place & 1) as i32 - 1;
            high = high.max(sum);
            low = low.min(sum);
        }
        (self.high[side], self.low[side]) = (high, low);
    }

    #[inline(always)]
    fn open(&mut self, side: usize, sum: i32, signs: [u64; 2], ends: u64) {
        match ends {
            u64::MAX => self.look_at_each(side, sum, signs),
            _ => self.look_into(side, sum, signs, ends),
        }
    }
}

/// Finds the best questions; keeps its room and which columns were best before.
#[derive(Debug, Default)]
pub struct Stumps {
    below: Vec<u64>,
    first: [usize; 2],
}

impl Stumps {
    /// How many more rows are right than wrong in the best tree of one question, and in one leaf: for the rows below a
    /// cut, of which there are `left`, and for the others.
    pub fn gains<T: Code>(
        &mut self,
        instructions: Instructions,
        node: &Node<T>,
        feature: usize,
        cut: T,
        left: usize,
    ) -> [(i32, i32); 2] {
        let [positive, negative, _] = node.bits(feature);
        let total = count_signs(positive, negative, left);
        let mut best = total.map(i32::abs);
        self.below.resize(node.words(), 0);
        // The columns that were best for the last cut are likely to be good: few words of the others can beat them.
        let first = self.first;
        let others = (0..node.columns).filter(|order| !first.contains(order));
        let again = if first[0] == first[1] { 1 } else { 2 };
        for order in first[..again].iter().copied().chain(others) {
            T::find_below(instructions, node.codes(feature, order), cut, &mut self.below);
            let mut extremes = Extremes::beyond(best, total);
            scan(instructions, &self.below, node.bits(order), &mut extremes);
            let gains = extremes.best(total);
            for side in 0..2 {
                if gains[side] > best[side] {
                    (best[side], self.first[side]) = (gains[side], order);
                }
            }
        }
        [0, 1].map(|side| (best[side], total[side].abs()))
    }
}

/// The sum of the signs of the first rows, and of the others.
fn count_signs(positive: &[u64], negative: &[u64], left: usize) -> [i32; 2] {
    let mut sums = [0; 2];
    for (word, (&positive, &negative)) in positive.iter().zip(negative).enumerate() {
        let below = match left.saturating_sub(64 * word) {
            64.. => u64::MAX,
            rows => (1 << rows) - 1,
        };
        for (sum, bits) in sums.iter_mut().zip([below, !below]) {
            *sum += (positive & bits).count_ones() as i32 - (negative & bits).count_ones() as i32;
        }
    }
    sums
}

/// Goes through the words of an order; `below` has the bits of the left side.
fn scan(instructions: Instructions, below: &[u64], bits: [&[u64]; 3], extremes: &mut Extremes) {
    match instructions {
        // SAFETY: `Wide` and `Bits` exist only where the processor has these instructions.
        #[cfg(target_arch = "x86_64")]
        Instructions::Wide => unsafe { wide::scan(below, bits, extremes) },
        // SAFETY: as above.
        #[cfg(target_arch = "x86_64")]
        Instructions::Bits => unsafe { scan_bits(below, bits, extremes) },
        Instructions::Portable => scan_portable(below, bits, extremes),
    }
}

#[inline(always)]
fn scan_portable(below: &[u64], [positive, negative, ends]: [&[u64]; 3], extremes: &mut Extremes) {
    let mut sums = [0i32; 2];
    for (((&below, &positive), &negative), &ends) in below.iter().zip(positive).zip(negative).zip(ends) {
        for (side, members) in [below, !below].into_iter().enumerate() {
            let signs = [positive & members, negative & members];
            let [more, less] = signs.map(|bits| bits.count_ones() as i32);
            if sums[side] + more > extremes.high[side] || sums[side] - less < extremes.low[side] {
                extremes.open(side, sums[side], signs, ends);
            }
            sums[side] += more - less;
        }
    }
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn scan_bits(below: &[u64], bits: [&[u64]; 3], extremes: &mut Extremes) {
    scan_portable(below, bits, extremes);
}

#[cfg(target_arch = "x86_64")]
mod wide {
    use super::Extremes;
    use std::arch::x86_64::*;

    /// The sum of each lane and those before it.
    #[inline]
    #[target_feature(enable = "avx512f")]
    fn running_sums(x: __m512i) -> __m512i {
        let zero = _mm512_setzero_si512();
        let x = _mm512_add_epi64(x, _mm512_alignr_epi64::<7>(x, zero));
        let x = _mm512_add_epi64(x, _mm512_alignr_epi64::<6>(x, zero));
        _mm512_add_epi64(x, _mm512_alignr_epi64::<4>(x, zero))
    }

    /// Looks into those of eight words that may hold a better sum; the sums stop short of each word.
    #[target_feature(enable = "avx512f,popcnt,bmi1")]
    fn open_words(
        extremes: &mut Extremes,
        side: usize,
        mut promising: u8,
        before: __m512i,
        signs: [__m512i; 2],
        ends: &[u64],
    ) {
        let (mut sums, mut bits) = ([0i64; 8], [[0u64; 8]; 2]);
        // SAFETY: each array has the size of a register.
        unsafe {
            _mm512_storeu_si512(sums.as_mut_ptr().cast(), before);
            _mm512_storeu_si512(bits[0].as_mut_ptr().cast(), signs[0]);
            _mm512_storeu_si512(bits[1].as_mut_ptr().cast(), signs[1]);
        }
        while promising != 0 {
            let lane = promising.trailing_zeros() as usize;
            promising &= promising - 1;
            let signs = [bits[0][lane], bits[1][lane]];
            let sum = sums[lane] as i32;
            let [more, less] = signs.map(|bits| bits.count_ones() as i32);
            if sum + more > extremes.high[side] || sum - less < extremes.low[side] {
                extremes.open(side, sum, signs, ends[lane]);
            }
        }
    }

    /// Eight words at a time.
    #[target_feature(enable = "avx512f,avx512vpopcntdq,avx2,bmi1,bmi2,lzcnt,popcnt")]
    pub fn scan(below: &[u64], [positive, negative, ends]: [&[u64]; 3], extremes: &mut Extremes) {
        let words = below.len().min(positive.len()).min(negative.len()).min(ends.len());
        let mut sums = [_mm512_setzero_si512(); 2];
        let last_lane = _mm512_set1_epi64(7);
        for first in (0..words).step_by(8) {
            let lanes = if words - first >= 8 { 0xff } else { (1u8 << (words - first)) - 1 };
            // SAFETY: only the lanes of words that exist are loaded.
            let load = |list: &[u64]| unsafe { _mm512_maskz_loadu_epi64(lanes, list.as_ptr().add(first).cast()) };
            let (below, positive, negative) = (load(below), load(positive), load(negative));
            for (side, sum) in sums.iter_mut().enumerate() {
                let signs = match side {
                    0 => [_mm512_and_si512(below, positive), _mm512_and_si512(below, negative)],
                    _ => [_mm512_andnot_si512(below, positive), _mm512_andnot_si512(below, negative)],
                };
                let (more, less) = (_mm512_popcnt_epi64(signs[0]), _mm512_popcnt_epi64(signs[1]));
                let change = _mm512_sub_epi64(more, less);
                let after = _mm512_add_epi64(*sum, running_sums(change));
                let before = _mm512_sub_epi64(after, change);
                *sum = _mm512_permutexvar_epi64(last_lane, after);
                let high = _mm512_set1_epi64(i64::from(extremes.high[side]));
                let low = _mm512_set1_epi64(i64::from(extremes.low[side]));
                let promising = _mm512_cmpgt_epi64_mask(_mm512_add_epi64(before, more), high)
                    | _mm512_cmplt_epi64_mask(_mm512_sub_epi64(before, less), low);
                if promising != 0 {
                    open_words(extremes, side, promising, before, signs, &ends[first..]);
                }
            }
        }
    }
}
