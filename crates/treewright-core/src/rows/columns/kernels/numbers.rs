//! Comparing the numbers of up to 64 rows with each other and with a cut.

use crate::rows::columns::tile::lanes;
use crate::simd::Isa;

/// Numbers lane by lane.
pub type NumberLanes = [f64; 64];

/// The least and the greatest number of some lanes, none of which is NaN. Of no lane, infinity and minus infinity.
#[inline(always)]
pub fn range(isa: Isa, numbers: &NumberLanes, members: u64) -> (f64, f64) {
    dispatch!(isa, x86 numbers::range(numbers, members), range_portable(numbers, members))
}

fn range_portable(numbers: &NumberLanes, members: u64) -> (f64, f64) {
    let (mut least, mut greatest) = (f64::INFINITY, f64::NEG_INFINITY);
    for lane in lanes(members) {
        let number = numbers[lane];
        least = if number < least { number } else { least };
        greatest = if number > greatest { number } else { greatest };
    }
    (least, greatest)
}

/// Which of some lanes have at most this number; a lane of NaN has not.
#[inline(always)]
pub fn at_most(isa: Isa, numbers: &NumberLanes, members: u64, cut: f64) -> u64 {
    dispatch!(isa, x86 numbers::at_most(numbers, members, cut), at_most_portable(numbers, members, cut))
}

fn at_most_portable(numbers: &NumberLanes, members: u64, cut: f64) -> u64 {
    lanes(members).fold(0, |left, lane| left | u64::from(numbers[lane] <= cut) << lane)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_tiers_agree() {
        let mut numbers = [0.0; 64];
        for (i, number) in numbers.iter_mut().enumerate() {
            *number = f64::from((i as u32).wrapping_mul(2_654_435_761) >> 16) - 30_000.0;
        }
        numbers[7] = f64::NAN;
        for members in [0, 1, 1 << 63, 0xff, 0xf0f0, 1 << 7, u64::MAX, 0x8421_1234_8000_0001, u64::MAX << 13] {
            for isa in Isa::all() {
                let known = members & !(1 << 7);
                assert_eq!(range(isa, &numbers, known), range_portable(&numbers, known));
                for cut in [numbers[0], numbers[40], -1e9, 1e9, f64::INFINITY] {
                    let expected = at_most_portable(&numbers, members, cut);
                    assert_eq!(at_most(isa, &numbers, members, cut), expected);
                    assert_eq!(expected & !members, 0);
                }
            }
        }
        assert_eq!(range(Isa::PORTABLE, &numbers, 0), (f64::INFINITY, f64::NEG_INFINITY));
    }
}
