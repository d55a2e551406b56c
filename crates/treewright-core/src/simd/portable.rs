//! Registers as arrays: what any machine can do, and what other registers are compared with.

use super::{BYTES, FLOATS, Simd};
use std::array::from_fn;

/// Arrays in place of registers.
#[derive(Clone, Copy, Debug)]
pub struct Portable;

#[inline(always)]
fn mask(lanes: usize, is: impl Fn(usize) -> bool) -> u64 {
    (0..lanes).fold(0, |mask, i| mask | u64::from(is(i)) << i)
}

impl Simd for Portable {
    const PARTS: usize = 1;
    type F = [f32; FLOATS];
    type I = [i32; FLOATS];
    type B = [u8; BYTES];

    #[inline(always)]
    fn splat_f(self, x: f32) -> Self::F {
        [x; FLOATS]
    }
    #[inline(always)]
    fn load_f(self, from: &[f32]) -> Self::F {
        from_fn(|i| from[i])
    }
    #[inline(always)]
    fn store_f(self, x: Self::F, to: &mut [f32; FLOATS]) {
        *to = x;
    }
    #[inline(always)]
    fn sub_f(self, a: Self::F, b: Self::F) -> Self::F {
        from_fn(|i| a[i] - b[i])
    }
    #[inline(always)]
    fn abs_f(self, a: Self::F) -> Self::F {
        from_fn(|i| a[i].abs())
    }
    #[inline(always)]
    fn mul_add_f(self, a: Self::F, b: Self::F, c: Self::F) -> Self::F {
        from_fn(|i| a[i] * b[i] + c[i])
    }
    #[inline(always)]
    fn add_f(self, a: Self::F, b: Self::F) -> Self::F {
        from_fn(|i| a[i] + b[i])
    }
    #[inline(always)]
    fn max_f(self, a: Self::F, b: Self::F) -> Self::F {
        from_fn(|i| if a[i] > b[i] { a[i] } else { b[i] })
    }
    #[inline(always)]
    fn or_f(self, a: Self::F, b: Self::F) -> Self::F {
        from_fn(|i| if a[i].is_nan() { b[i] } else { a[i] })
    }
    #[inline(always)]
    fn ge_f(self, a: Self::F, b: Self::F) -> u16 {
        mask(FLOATS, |i| a[i] >= b[i]) as u16
    }

    #[inline(always)]
    fn widen(self, from: &[u8; FLOATS]) -> Self::F {
        from.map(f32::from)
    }
    #[inline(always)]
    fn mul_f(self, a: Self::F, b: Self::F) -> Self::F {
        from_fn(|i| a[i] * b[i])
    }
    #[inline(always)]
    fn round(self, a: Self::F) -> Self::I {
        from_fn(|i| a[i].round_ties_even() as i32)
    }

    #[inline(always)]
    fn lane(self, a: Self::F, lane: usize) -> f32 {
        a[lane]
    }
    #[inline(always)]
    fn least(self, a: Self::F, among: u16) -> usize {
        let first = among.trailing_zeros() as usize;
        (first..FLOATS).filter(|i| among >> i & 1 == 1).fold(first, |least, i| if a[i] < a[least] { i } else { least })
    }
    #[inline(always)]
    fn insert(self, list: (Self::F, Self::I), a: Self::F, mut mask: u16, first: u32) -> (Self::F, Self::I) {
        let (mut numbers, mut labels) = list;
        while mask != 0 {
            let lane = mask.trailing_zeros();
            mask &= mask - 1;
            let (number, mut at) = (a[lane as usize], FLOATS);
            while at > 0 && number < numbers[at - 1] {
                at -= 1;
            }
            if at < FLOATS {
                numbers.copy_within(at..FLOATS - 1, at + 1);
                labels.copy_within(at..FLOATS - 1, at + 1);
                (numbers[at], labels[at]) = (number, (first + lane) as i32);
            }
        }
        (numbers, labels)
    }

    #[inline(always)]
    fn splat_i(self, x: i32) -> Self::I {
        [x; FLOATS]
    }
    #[inline(always)]
    fn load_i(self, from: &[i32; FLOATS]) -> Self::I {
        *from
    }
    #[inline(always)]
    fn store_i(self, x: Self::I, to: &mut [i32; FLOATS]) {
        *to = x;
    }
    #[inline(always)]
    fn store_some(self, x: Self::I, mask: u16, to: &mut [i32]) {
        let chosen = x.into_iter().enumerate().filter(|(i, _)| mask >> i & 1 == 1);
        to[..mask.count_ones() as usize].iter_mut().zip(chosen).for_each(|(to, (_, x))| *to = x);
    }
    #[inline(always)]
    fn max_i(self, a: Self::I, b: Self::I) -> Self::I {
        from_fn(|i| a[i].max(b[i]))
    }
    #[inline(always)]
    fn ge_i(self, a: Self::I, b: Self::I) -> u16 {
        mask(FLOATS, |i| a[i] >= b[i]) as u16
    }
    #[inline(always)]
    fn dot_bytes(self, c: Self::I, a: Self::I, b: Self::I) -> Self::I {
        from_fn(|i| {
            let (a, b) = (a[i].to_le_bytes(), b[i].to_le_bytes());
            (0..4).fold(c[i], |sum, j| sum.wrapping_add(i32::from(a[j]) * i32::from(b[j] as i8)))
        })
    }

    #[inline(always)]
    fn splat_b(self, x: u8) -> Self::B {
        [x; BYTES]
    }
    #[inline(always)]
    fn load_b(self, from: &[u8]) -> Self::B {
        from_fn(|i| from[i])
    }
    #[inline(always)]
    fn store_b(self, x: Self::B, to: &mut [u8; BYTES]) {
        *to = x;
    }
    #[inline(always)]
    fn ne_b(self, a: Self::B, b: Self::B) -> u64 {
        mask(BYTES, |i| a[i] != b[i])
    }
    #[inline(always)]
    fn le_b(self, a: Self::B, b: Self::B) -> u64 {
        mask(BYTES, |i| a[i] <= b[i])
    }
    #[inline(always)]
    fn add_b(self, a: Self::B, mask: u64, b: Self::B) -> Self::B {
        from_fn(|i| if mask >> i & 1 == 1 { a[i].saturating_add(b[i]) } else { a[i] })
    }
}
