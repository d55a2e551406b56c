//! Sums that do not depend on the order of their terms: exact, then rounded once (Shewchuk 1997), as `math.fsum` of
//! Python.

/// The sum of numbers.
pub fn exact_sum(numbers: impl IntoIterator<Item = f64>) -> f64 {
    // Parts that do not overlap, the smallest first; their exact sum is that of all numbers so far.
    let mut parts: Vec<f64> = Vec::new();
    for number in numbers {
        let mut high = number;
        let mut kept = 0;
        for place in 0..parts.len() {
            let (larger, smaller) =
                if high.abs() < parts[place].abs() { (parts[place], high) } else { (high, parts[place]) };
            let sum = larger + smaller;
            let rest = smaller - (sum - larger);
            if rest != 0.0 {
                parts[kept] = rest;
                kept += 1;
            }
            high = sum;
        }
        parts.truncate(kept);
        parts.push(high);
    }
    round(&parts)
}

/// The nearest number to the exact sum of parts: a half is rounded by what is below it.
fn round(parts: &[f64]) -> f64 {
    let Some((&last, rest)) = parts.split_last() else { return 0.0 };
    let mut high = last;
    let mut below = rest.iter().rev();
    while let Some(&part) = below.next() {
        let before = high;
        high = before + part;
        let lost = part - (high - before);
        if lost != 0.0 {
            let next = below.next().copied().unwrap_or(0.0);
            if (lost < 0.0 && next < 0.0) || (lost > 0.0 && next > 0.0) {
                let twice = lost * 2.0;
                let rounded = high + twice;
                if twice == rounded - high {
                    high = rounded;
                }
            }
            break;
        }
    }
    high
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sums_are_exact_in_any_order() {
        assert_eq!(exact_sum([0.1; 10]), 1.0);
        assert_eq!(exact_sum([1e100, 1.0, -1e100]), 1.0);
        assert_eq!(exact_sum([1e16, 1.0, 1e-16]), 10_000_000_000_000_002.0);
        assert_eq!(exact_sum([]), 0.0);
    }
}
