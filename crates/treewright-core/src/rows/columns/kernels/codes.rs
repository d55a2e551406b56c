//! Comparing all codes of a node's column with one or two others.

use crate::simd::{Isa, multiversion};

/// The least and the greatest code; of none, the greatest and the least there are.
pub fn range(isa: Isa, codes: &[u16]) -> (u16, u16) {
    let portable = || (codes.iter().copied().fold(u16::MAX, u16::min), codes.iter().copied().fold(0, u16::max));
    dispatch!(isa, x86 codes::range(codes), portable())
}

multiversion! {
    /// The least and the greatest code but for the one that stands for a missing number; there is another.
    pub fn known_range(codes: &[u16]) -> (u16, u16) {
        let (mut low, mut high) = (u16::MAX, 0);
        for &code in codes {
            low = low.min(code);
            // One more than a code: nothing, for the greatest of all.
            high = high.max(code.wrapping_add(1));
        }
        (low, high.wrapping_sub(1))
    }
}

/// How many codes are smaller.
pub fn count_below(isa: Isa, codes: &[u16], code: u16) -> u32 {
    dispatch!(isa, x86 codes::count_below(codes, code), codes.iter().filter(|&&c| c < code).count() as u32)
}

/// Adds the places of codes from `low` to `high`, with their codes.
pub fn select(isa: Isa, codes: &[u16], low: u16, high: u16, selected: &mut Vec<(u16, u32)>) {
    dispatch!(isa, x86 codes::select(codes, low, high, selected), select_portable(codes, low, high, selected))
}

/// Most blocks have no such code, which is seen without a branch for each.
fn select_portable(codes: &[u16], low: u16, high: u16, selected: &mut Vec<(u16, u32)>) {
    let span = high - low;
    for (block, first) in codes.chunks(BLOCK).zip((0..).step_by(BLOCK)) {
        let inside = |code: u16| code.wrapping_sub(low) <= span;
        if block.iter().fold(false, |any, &code| any | inside(code)) {
            selected.extend(block.iter().copied().zip(first..).filter(|&(code, _)| inside(code)));
        }
    }
}

/// Codes that the portable forms look at together.
const BLOCK: usize = 32;

/// Sets bit `i % 32` of word `i / 32` of the mask where code `i` is at most `code`; the mask has a word for each 32.
pub fn at_most(isa: Isa, codes: &[u16], code: u16, mask: &mut [u32]) {
    dispatch!(isa, x86 codes::at_most(codes, code, mask), at_most_portable(codes, code, mask))
}

fn at_most_portable(codes: &[u16], code: u16, mask: &mut [u32]) {
    for (codes, word) in codes.chunks(32).zip(mask) {
        *word = codes.iter().zip(0..).fold(0, |bits, (&c, i)| bits | u32::from(c <= code) << i);
    }
}

/// The greatest code that is at most `code`, and the least that is greater.
pub fn around(isa: Isa, codes: &[u16], code: u16) -> (u16, u16) {
    dispatch!(isa, x86 codes::around(codes, code), around_portable(codes, code))
}

fn around_portable(codes: &[u16], code: u16) -> (u16, u16) {
    let (mut below, mut above) = (0, u16::MAX);
    for &c in codes {
        // All bits or none, in place of a branch.
        let low = u16::from(c <= code).wrapping_neg();
        (below, above) = (below.max(c & low), above.min(c | low));
    }
    (below, above)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_tiers_agree() {
        let codes: Vec<u16> = (0..3000u32).map(|i| (i.wrapping_mul(2_654_435_761) >> 16) as u16).collect();
        for part in [&codes[..0], &codes[..1], &codes[5..37], &codes[5..38], &codes[..100], &codes[..]] {
            for code in [0, 9000, 30_000, u16::MAX] {
                let mut runs = Isa::all().map(|isa| {
                    let (mut selected, mut mask) = (Vec::new(), vec![0; part.len().div_ceil(32)]);
                    select(isa, part, code / 2, code, &mut selected);
                    at_most(isa, part, code, &mut mask);
                    (range(isa, part), count_below(isa, part, code), around(isa, part, code), selected, mask)
                });
                let first = runs.next();
                assert!(runs.all(|run| Some(run) == first));
            }
        }
        for isa in Isa::all() {
            assert_eq!(around(isa, &[5, 1, 9, 7], 6), (5, 7));
            assert_eq!(range(isa, &[5, 1, 9, 7]), (1, 9));
        }
    }
}
