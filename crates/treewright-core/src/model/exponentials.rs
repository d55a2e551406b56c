//! The exponentials of many numbers, several at a time: the same bits as those of `libm::exp`, one by one.
//!
//! The formula is that of FreeBSD's msun, which libm has from musl: a number is `k ln 2 + r` with `r` at most half of `ln 2`,
//! and the exponential of `r` comes from a polynomial. Here every branch is a selection.

use crate::simd::multiversion;

/// Numbers that are looked at together.
const TOGETHER: usize = 64;
/// Below it in size, the power of two is that of an ordinary number.
const LARGE: f64 = 708.0;

multiversion! {
    /// Puts the exponential of each number in its place.
    pub(super) fn exponentiate(numbers: &mut [f64]) {
        for numbers in numbers.chunks_mut(TOGETHER) {
            if numbers.iter().fold(true, |all, x| all & (x.abs() < LARGE)) {
                numbers.iter_mut().for_each(|x| *x = exp(*x));
            } else {
                numbers.iter_mut().for_each(|x| *x = libm::exp(*x));
            }
        }
    }
}

/// The exponential of a number whose size is less than [`LARGE`].
#[inline(always)]
fn exp(x: f64) -> f64 {
    const POLYNOMIAL: [f64; 5] = [
        4.138_136_797_057_238_5e-8,
        -1.653_390_220_546_525_2e-6,
        6.613_756_321_437_934e-5,
        -2.777_777_777_701_559_3e-3,
        1.666_666_666_666_660_2e-1,
    ];
    // Bounds on the upper half of a number's bits, as in the original.
    let is_least = |half: u64| x.abs() >= f64::from_bits(half << 32);
    let one = 1f64.copysign(x);
    // SAFETY: the product is a number less than 1100 in size.
    let halves = unsafe { (std::f64::consts::LOG2_E * x + 0.5f64.copysign(x)).to_int_unchecked::<i32>() };
    let power = if is_least(0x3ff0_a2b2) { f64::from(halves) } else { one };
    let power = if is_least(0x3fd6_2e43) { power } else { 0.0 };
    let high = x - power * 6.931_471_803_691_238e-1;
    let low = power * 1.908_214_929_270_587_7e-10;
    let rest = high - low;
    let square = rest * rest;
    let sum = POLYNOMIAL.iter().fold(0.0, |sum, factor| factor + square * sum);
    let c = rest - square * sum;
    let near = 1.0 + (rest * c / (2.0 - c) - low + high);
    // SAFETY: it is one of the whole numbers above.
    let power = i64::from(unsafe { power.to_int_unchecked::<i32>() });
    let all = near * f64::from_bits(((1023 + power) as u64) << 52);
    if is_least(0x3e30_0001) { all } else { 1.0 + x }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rng::Stream;
    use crate::simd::Isa;

    #[test]
    fn the_bits_are_those_of_libm() {
        let random = Stream::new(9, 0);
        let mut numbers: Vec<f64> = vec![0.0, -0.0, f64::INFINITY, f64::NEG_INFINITY, f64::NAN, 709.9, -745.2, 1e300];
        numbers.resize(TOGETHER, -744.0);
        for i in 0..200_000 {
            let unit = random.uniform(i) * 2.0 - 1.0;
            let scale = [1e-9, 0.1, 0.35, 1.0, 1.1, 10.0, 707.9, 720.0][i as usize / TOGETHER % 8];
            numbers.push(unit * scale);
        }
        let ln2 = std::f64::consts::LN_2;
        let bounds = [0x3ff0_a2b2u64 << 32, 0x3fd6_2e43 << 32, 0x3e30_0001 << 32].map(f64::from_bits);
        for near in bounds.into_iter().chain((1..2040).map(|i| f64::from(i) * 0.5 * ln2)) {
            numbers.extend([near, near.next_down(), near.next_up()].iter().flat_map(|&x| [x, -x]));
        }
        let expected: Vec<u64> = numbers.iter().map(|&x| libm::exp(x).to_bits()).collect();
        for isa in Isa::all() {
            let mut all = numbers.clone();
            exponentiate(isa, &mut all);
            for ((x, all), expected) in numbers.iter().zip(&all).zip(&expected) {
                assert_eq!(all.to_bits(), *expected, "{x}, {isa:?}");
            }
        }
    }
}
