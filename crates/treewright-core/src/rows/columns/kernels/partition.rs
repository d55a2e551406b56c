//! Moving the rows of a node to the side they go to. Rows keep their order on both sides.
//!
//! Bit `i % 32` of word `i / 32` of a mask says whether value `i` goes to the front.

use super::Isa;
#[cfg(target_arch = "x86_64")]
use crate::simd::Tier;

/// Room that a spare needs beyond the values, and the most values that are gathered.
pub const SLOP: usize = 64;

/// The members at the places whose bit is set in `chosen`: bit `i` stands for the `i`-th member.
pub fn members_at(isa: Isa, chosen: u64, members: u64) -> u64 {
    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "bmi2")]
    fn deposit(chosen: u64, members: u64) -> u64 {
        std::arch::x86_64::_pdep_u64(chosen, members)
    }
    #[cfg(target_arch = "x86_64")]
    if isa.tier() >= Tier::Avx2 {
        // SAFETY: both tiers of this architecture have the instruction.
        return unsafe { deposit(chosen, members) };
    }
    let _ = isa;
    let (mut rest, mut bits, mut chosen) = (members, 0, chosen);
    while rest != 0 && chosen != 0 {
        bits |= if chosen & 1 != 0 { rest & rest.wrapping_neg() } else { 0 };
        rest &= rest - 1;
        chosen >>= 1;
    }
    bits
}

/// The opposite: bit `i` is set where the `i`-th member is among those given.
pub fn places_of(isa: Isa, some: u64, members: u64) -> u64 {
    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "bmi2")]
    fn extract(some: u64, members: u64) -> u64 {
        std::arch::x86_64::_pext_u64(some, members)
    }
    #[cfg(target_arch = "x86_64")]
    if isa.tier() >= Tier::Avx2 {
        // SAFETY: both tiers of this architecture have the instruction.
        return unsafe { extract(some, members) };
    }
    let _ = isa;
    let (mut rest, mut bits, mut place) = (members, 0, 0);
    while rest != 0 {
        bits |= (some >> rest.trailing_zeros() & 1) << place;
        rest &= rest - 1;
        place += 1;
    }
    bits
}

/// Values that can be moved, several at once.
pub trait Movable: Copy {
    /// Moves values whose bit is set to the front, the others behind them. `spare` has room for all and [`SLOP`] more.
    fn partition(isa: Isa, values: &mut [Self], mask: &[u32], spare: &mut [Self]);

    /// Copies the values whose bit is set in `members` to the front of `out`, in their order; what is behind them there may
    /// be overwritten. Every member must be one of the values.
    fn gather(isa: Isa, values: &[Self], members: u64, out: &mut [Self; SLOP]);
}

macro_rules! movable {
    ($type:ty, $module:ident) => {
        impl Movable for $type {
            fn partition(isa: Isa, values: &mut [$type], mask: &[u32], spare: &mut [$type]) {
                assert!(mask.len() * 32 >= values.len() && spare.len() >= values.len() + SLOP);
                dispatch!(isa, partition::$module::partition(values, mask, spare), partition(values, mask, spare))
            }

            fn gather(isa: Isa, values: &[$type], members: u64, out: &mut [$type; SLOP]) {
                assert!(values.len() >= 64 - members.leading_zeros() as usize);
                dispatch!(isa, partition::$module::gather(values, members, out), gather(values, members, out))
            }
        }
    };
}

movable!(u16, halves);
movable!(u32, words);
movable!(i64, longs);

/// Partitions some columns by the same mask, each of so many codes. `spare` has room for one of them and [`SLOP`] more.
pub fn partition_columns<'c>(
    isa: Isa,
    columns: impl Iterator<Item = &'c mut [u16]>,
    len: usize,
    mask: &[u32],
    spare: &mut [u16],
) {
    assert!(mask.len() * 32 >= len && spare.len() >= len + SLOP);
    let columns = columns.filter(|column| column.len() == len);
    #[cfg(target_arch = "x86_64")]
    if isa.tier() == Tier::Avx512 {
        // SAFETY: the processor has these instructions; lengths were checked.
        return unsafe { super::avx512::partition::partition_columns(columns, len, mask, spare) };
    }
    columns.for_each(|column| u16::partition(isa, column, mask, spare));
}

fn partition<T: Copy>(values: &mut [T], mask: &[u32], spare: &mut [T]) {
    let spare = &mut spare[..values.len()];
    let (mut left, mut right) = (0, 0);
    for i in 0..values.len() {
        // Both are written and one is kept: no branch that cannot be foreseen.
        let (value, bit) = (values[i], (mask[i / 32] >> (i % 32) & 1) as usize);
        values[left] = value;
        spare[right] = value;
        left += bit;
        right += 1 - bit;
    }
    values[left..].copy_from_slice(&spare[..right]);
}

fn gather<T: Copy>(values: &[T], members: u64, out: &mut [T; SLOP]) {
    let (mut rest, mut places) = (members, out.iter_mut());
    while let (true, Some(place)) = (rest != 0, places.next()) {
        *place = values[rest.trailing_zeros() as usize];
        rest &= rest - 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check<T: Movable + PartialEq + std::fmt::Debug + Default>(make: impl Fn(usize) -> T) {
        for len in [0, 1, 7, 31, 32, 33, 64, 100, 1000] {
            for step in 1..7 {
                let values: Vec<T> = (0..len).map(&make).collect();
                let goes = |i: usize| i.wrapping_mul(2_654_435_761) >> 7 & 7 < step;
                let mut mask = vec![0u32; len.div_ceil(32)];
                (0..len).filter(|&i| goes(i)).for_each(|i| mask[i / 32] |= 1 << (i % 32));
                let mut expected: Vec<T> = (0..len).filter(|&i| goes(i)).map(|i| values[i]).collect();
                expected.extend((0..len).filter(|&i| !goes(i)).map(|i| values[i]));
                for isa in Isa::all() {
                    let mut moved = values.clone();
                    T::partition(isa, &mut moved, &mask, &mut vec![T::default(); len + SLOP]);
                    assert_eq!(moved, expected);
                }
            }
        }
    }

    #[test]
    fn members_are_gathered_and_found_again() {
        let values: Vec<u32> = (100..164).collect();
        for turn in 0..200u64 {
            let members = turn.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> (turn % 60);
            let expected: Vec<u32> = (0..64).filter(|i| members >> i & 1 != 0).map(|i| 100 + i).collect();
            let len = 64 - members.leading_zeros() as usize;
            for isa in Isa::all() {
                let (mut words, mut halves, mut longs) = ([0u32; SLOP], [0u16; SLOP], [0i64; SLOP]);
                u32::gather(isa, &values[..len], members, &mut words);
                assert_eq!(words[..expected.len()], expected);
                let narrow: Vec<u16> = values[..len].iter().map(|&value| value as u16).collect();
                u16::gather(isa, &narrow, members, &mut halves);
                assert!(halves.iter().zip(&expected).all(|(&a, &b)| u32::from(a) == b));
                let long: Vec<i64> = values[..len].iter().map(|&value| value.into()).collect();
                i64::gather(isa, &long, members, &mut longs);
                assert!(longs.iter().zip(&expected).all(|(&a, &b)| a == i64::from(b)));
            }
            let chosen = turn.wrapping_mul(0xd1b5_4a32_d192_ed03)
                & 1u64.checked_shl(members.count_ones()).unwrap_or(0).wrapping_sub(1);
            let found = (0..64).filter(|i| chosen >> i & 1 != 0).map(|i| 1u64 << (expected[i] - 100));
            let found = found.sum::<u64>();
            Isa::all().for_each(|isa| {
                assert_eq!(members_at(isa, chosen, members), found);
                assert_eq!(places_of(isa, found, members), chosen);
            });
        }
    }

    #[test]
    fn all_kinds_of_values_keep_their_order() {
        check(|i| i as u16);
        check(|i| i as u32);
        check(|i| i as i64);
    }
}
