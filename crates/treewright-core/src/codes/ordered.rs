//! Bits that compare like the numbers they stand for, and the number between two others.

/// Bits that are ordered as the numbers are, -0 before 0; sorting them beside their rows looks nowhere else.
#[inline(always)]
pub fn ordered_bits(x: f64) -> u64 {
    let bits = x.to_bits();
    bits ^ (((bits as i64) >> 63) as u64 | 1 << 63)
}

/// The number of [`ordered_bits`].
#[inline(always)]
pub fn from_ordered_bits(bits: u64) -> f64 {
    f64::from_bits(if bits >> 63 == 1 { bits ^ 1 << 63 } else { !bits })
}

/// The same for single precision.
#[inline(always)]
pub fn ordered_bits_f32(x: f32) -> u32 {
    let bits = x.to_bits();
    bits ^ (((bits as i32) >> 31) as u32 | 1 << 31)
}

/// Sorts positions by their values; those with equal ones keep their order.
pub fn sort_by_value(order: &mut [usize], values: &[f64]) {
    order.sort_by(|&a, &b| values[a].total_cmp(&values[b]));
}

/// Half way between two numbers; the lower one where rounding would make the cut reach the upper.
pub fn midpoint(below: f64, above: f64) -> f64 {
    let sum = below + above;
    let cut = if sum.is_finite() { sum / 2.0 } else { below / 2.0 + above / 2.0 };
    if cut >= above || cut < below { below } else { cut }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ASCENDING: [f64; 9] =
        [f64::NEG_INFINITY, -1e308, -1.5, -f64::from_bits(1), -0.0, 0.0, f64::from_bits(1), 1.5, f64::INFINITY];

    #[test]
    fn bits_compare_like_numbers_and_give_them_back() {
        assert!(ASCENDING.windows(2).all(|pair| ordered_bits(pair[0]) < ordered_bits(pair[1])));
        let back = |x: f64| from_ordered_bits(ordered_bits(x)).to_bits() == x.to_bits();
        assert!(ASCENDING.iter().all(|x| back(*x)));
        let singles = [f32::NEG_INFINITY, -1.5, -f32::from_bits(1), -0.0, 0.0, f32::from_bits(1), f32::INFINITY];
        assert!(singles.windows(2).all(|pair| ordered_bits_f32(pair[0]) < ordered_bits_f32(pair[1])));
    }

    #[test]
    fn a_midpoint_tells_its_numbers_apart() {
        for pair in ASCENDING.windows(2).filter(|pair| pair[0] < pair[1]) {
            let cut = midpoint(pair[0], pair[1]);
            assert!(pair[0] <= cut && cut < pair[1], "{pair:?}");
        }
        assert_eq!(midpoint(1.0, 2.0), 1.5);
        assert_eq!(midpoint(1e308, 1.5e308), 1.25e308);
    }
}
