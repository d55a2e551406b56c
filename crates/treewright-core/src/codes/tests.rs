//! What every coding promises: ordered codes, missing values last, and what each code stands for.

#![allow(clippy::unwrap_used)]

use super::bins;
use super::cuts::{BLOCK, cuts};
use super::ranks::RankedColumn;
use super::spread;
use crate::data::strided::Strided;
use crate::data::survey::Summary;
use crate::data::table::{Column, MISSING};
use crate::simd::Isa;
use crate::sys::pool::Cancel;

/// What every coding promises of a column of numbers, some of which are missing. `encode` codes a block of rows, and
/// `numbers_of` tells the least and the greatest number that a code may stand for; None where only the column tells.
fn check<T: Copy + Ord + Default>(
    name: &str,
    numbers: &[f64],
    missing: T,
    encode: impl Fn(&[u32], &mut [T]),
    numbers_of: impl Fn(T) -> Option<(f64, f64)>,
) {
    let order: Vec<u32> = (0..numbers.len() as u32).collect();
    let [codes, others] = [BLOCK, 50].map(|block| {
        let mut codes = vec![T::default(); numbers.len()];
        codes.chunks_mut(block).zip(order.chunks(block)).for_each(|(out, rows)| encode(rows, out));
        codes
    });
    assert!(codes == others, "{name}: it does not matter in which blocks rows are read");
    for (&x, &a) in numbers.iter().zip(&codes) {
        assert_eq!(x.is_nan(), a == missing, "{name}: missing values, and they alone, have their code");
        assert!(a <= missing, "{name}: missing values are the last");
        if let (Some((least, greatest)), false) = (numbers_of(a), x.is_nan()) {
            assert!(least <= x && x <= greatest, "{name}: {x} is not from {least} to {greatest}");
        }
        for (&y, &b) in numbers.iter().zip(&codes) {
            let out_of_order = (x < y && a > b) || (x == y && a != b);
            assert!(!out_of_order, "{name}: the codes of {x} and {y}");
        }
    }
}

/// A bin ends with the number of its cut, and begins behind that of the cut before.
fn ends_of_bin(coder: &bins::Coder, code: u8) -> Option<(f64, f64)> {
    let bins::Coder::Cuts { cuts, .. } = coder else { return None };
    if coder.missing() == Some(code) {
        return None;
    }
    let least = code.checked_sub(1).map_or(f64::NEG_INFINITY, |before| cuts[before as usize].next_up());
    Some((least, cuts.get(code as usize).copied().unwrap_or(f64::INFINITY)))
}

#[test]
fn codes_stand_in_the_order_of_numbers() {
    let mut state = 1u64;
    let mut word = || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        state >> 33
    };
    for kind in 0..4 {
        let mut numbers: Vec<f64> = (0..700)
            .map(|_| match kind {
                0 => (word() % 40) as f64 - 20.0,
                1 => (word() % 100) as f64 / 7.0,
                2 => (word() as f64).sin() * 1e6,
                _ => f64::from((word() % 1000) as u32).exp2().recip(),
            })
            .collect();
        numbers.extend([f64::NAN, 0.0, -0.0]);
        let cancel = Cancel::default();
        let ranks = RankedColumn::new(&Column::Numeric(&numbers), false, &cancel).unwrap();
        assert!(ranks.has_missing());
        let encode = |rows: &[u32], out: &mut [u32]| {
            rows.iter().zip(out).for_each(|(&row, out)| *out = ranks.codes()[row as usize]);
        };
        let numbers_of = |code: u32| ranks.values().get(code as usize).map(|&least| (least, ranks.greatest(code)));
        check("ranks", &numbers, MISSING, encode, numbers_of);
        let known = || numbers.iter().copied().filter(|x| !x.is_nan());
        let (low, high) = (known().fold(f64::INFINITY, f64::min), known().fold(f64::NEG_INFINITY, f64::max));
        let summary = Summary { low, high, integral: known().all(|x| x.fract() == 0.0), finite: false };
        let column = Strided::of_slice(&numbers);
        let coder = spread::Coder::new(&column, &summary, true, &cancel).unwrap();
        assert!(coder.gaps());
        let meaning = coder.meaning();
        let numbers_of = |code: u16| {
            let meaning = meaning.as_ref().filter(|_| code != u16::MAX)?;
            Some((meaning.number(code), meaning.number(code)))
        };
        let encode = |rows: &[u32], out: &mut [u16]| coder.encode(Isa::detect(), &column, rows, out);
        check("spread codes", &numbers, u16::MAX, encode, numbers_of);
        let mut sorted: Vec<f64> = known().map(|x| x + 0.0).collect();
        sorted.sort_unstable_by(f64::total_cmp);
        let coder = bins::Coder::from_cuts(cuts(sorted.iter().copied(), 32), true);
        for column in [Column::Numeric(&numbers), Column::Strided(column)] {
            let encode = |rows: &[u32], out: &mut [u8]| coder.encode(Isa::detect(), &column, rows[0] as usize, out);
            check("bins", &numbers, coder.missing().unwrap(), encode, |code| ends_of_bin(&coder, code));
        }
    }
}
