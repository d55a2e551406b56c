//! What every coding promises: ordered codes, missing values last, and what each code stands for.

#![allow(clippy::unwrap_used)]

use super::bins;
use super::cuts::{BLOCK, cuts};
use super::ranks::RankedColumn;
use super::spread;
use super::*;
use crate::data::strided::Strided;
use crate::data::survey::Summary;
use crate::sys::pool::Cancel;

/// What a code stands for.
trait Meaningful: Coding {
    /// The least and the greatest number that a code may stand for; None where only the column tells.
    fn numbers(&self, code: Self::Code) -> Option<(f64, f64)>;
}

impl Meaningful for RankedColumn<'_> {
    fn numbers(&self, code: u32) -> Option<(f64, f64)> {
        self.values().get(code as usize).map(|&least| (least, self.greatest(code)))
    }
}

impl Meaningful for spread::Coder {
    fn numbers(&self, code: u16) -> Option<(f64, f64)> {
        let meaning = self.meaning().filter(|_| self.missing() != Some(code))?;
        Some((meaning.number(code), meaning.number(code)))
    }
}

impl Meaningful for bins::Coder {
    /// A bin ends with the number of its cut, and begins behind that of the cut before.
    fn numbers(&self, code: u8) -> Option<(f64, f64)> {
        let bins::Coder::Cuts { cuts, .. } = self else { return None };
        if self.missing() == Some(code) {
            return None;
        }
        let least = code.checked_sub(1).map_or(f64::NEG_INFINITY, |before| cuts[before as usize].next_up());
        Some((least, cuts.get(code as usize).copied().unwrap_or(f64::INFINITY)))
    }
}

/// What every coding promises of a column of numbers, some of which are missing.
fn check<C: Meaningful>(name: &str, coding: &C, numbers: &[f64]) {
    let order: Vec<u32> = (0..numbers.len() as u32).collect();
    let [from, these] = [false, true].map(|listed| {
        let mut codes = vec![C::Code::default(); numbers.len()];
        for (out, rows) in codes.chunks_mut(BLOCK).zip(order.chunks(BLOCK)) {
            let rows = if listed { Pick::These(rows) } else { Pick::From(rows[0] as usize) };
            coding.encode(Isa::detect(), &Column::Numeric(numbers), rows, out);
        }
        codes
    });
    assert!(from == these, "{name}: it does not matter how rows are picked");
    let missing = coding.missing().unwrap();
    for (&x, &a) in numbers.iter().zip(&from) {
        assert_eq!(x.is_nan(), a == missing, "{name}: missing values, and they alone, have their code");
        assert!(a <= missing, "{name}: missing values are the last");
        if let (Some((least, greatest)), false) = (coding.numbers(a), x.is_nan()) {
            assert!(least <= x && x <= greatest, "{name}: {x} is not from {least} to {greatest}");
        }
        for (&y, &b) in numbers.iter().zip(&from) {
            let out_of_order = (x < y && a > b) || (x == y && a != b);
            assert!(!out_of_order, "{name}: the codes of {x} and {y}");
        }
    }
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
        check("ranks", &ranks, &numbers);
        let known = || numbers.iter().copied().filter(|x| !x.is_nan());
        let (low, high) = (known().fold(f64::INFINITY, f64::min), known().fold(f64::NEG_INFINITY, f64::max));
        let summary = Summary { low, high, integral: known().all(|x| x.fract() == 0.0), finite: false };
        let coder = spread::Coder::new(&Strided::of_slice(&numbers), &summary, true, &cancel).unwrap();
        check("spread codes", &coder, &numbers);
        let mut sorted: Vec<f64> = known().map(|x| x + 0.0).collect();
        sorted.sort_unstable_by(f64::total_cmp);
        check("bins", &bins::Coder::from_cuts(cuts(sorted.iter().copied(), 32), true), &numbers);
    }
}
