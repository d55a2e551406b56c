//! Statistics of rows that several processes hold: extremes, and the number at a place of their common order. They are
//! those of one process that holds all rows.

use crate::Result;
use crate::codes::ordered::{from_ordered_bits, ordered_bits};
use crate::peers::Peers;

/// Bits of a key that one round of [`select`] decides.
const DIGIT_BITS: u32 = 11;
const DIGITS: usize = 1 << DIGIT_BITS;

/// The least and the greatest number of each group over all processes; infinite where a group has none.
pub fn extremes(peers: &dyn Peers, groups: &[Vec<f64>]) -> Result<Vec<(f64, f64)>> {
    let mut words = Vec::with_capacity(2 * groups.len());
    for numbers in groups {
        let low = numbers.iter().copied().fold(f64::INFINITY, f64::min);
        let high = numbers.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        words.extend([!ordered_bits(low), ordered_bits(high)]);
    }
    peers.max(&mut words)?;
    Ok(words.as_chunks::<2>().0.iter().map(|[low, high]| (from_ordered_bits(!low), from_ordered_bits(*high))).collect())
}

/// For each group the least key at or below which at least so much weight lies, over all processes; the greatest key there
/// can be where there is not so much. A group has keys, in any order, and what each weighs; 1 where there are no weights.
/// Digit by digit: each round adds up how much weight each digit has.
pub fn select(peers: &dyn Peers, groups: &[(&[u64], Option<&[u64]>)], enough: &[f64]) -> Result<Vec<u64>> {
    let mut prefixes = vec![0u64; groups.len()];
    let mut below = vec![0u64; groups.len()];
    let mut shift = u64::BITS;
    while shift > 0 {
        let width = DIGIT_BITS.min(shift);
        shift -= width;
        let mut words = vec![0u64; groups.len() * DIGITS];
        for (((keys, weights), words), prefix) in groups.iter().zip(words.chunks_mut(DIGITS)).zip(&prefixes) {
            let decided = |key: u64| key.checked_shr(shift + width).unwrap_or(0);
            for (i, &key) in keys.iter().enumerate().filter(|(_, key)| decided(**key) == *prefix) {
                words[(key >> shift) as usize & (DIGITS - 1) & ((1 << width) - 1)] +=
                    weights.map_or(1, |weights| weights[i]);
            }
        }
        peers.add(&mut words)?;
        for (group, words) in words.chunks(DIGITS).enumerate() {
            let mut sum = below[group];
            let reached = words[..1 << width].iter().position(|word| {
                let is_enough = (sum + word) as f64 >= enough[group];
                sum += if is_enough { 0 } else { *word };
                is_enough
            });
            below[group] = sum;
            prefixes[group] = prefixes[group] << width | reached.map_or((1 << width) - 1, |digit| digit as u64);
        }
    }
    Ok(prefixes)
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::peers::Alone;

    #[test]
    fn the_selected_key_is_that_of_the_sorted_list() {
        let keys: Vec<u64> = (0..1000u64).map(|i| (i.wrapping_mul(0x9E37_79B9_7F4A_7C15) % 500) << (i % 40)).collect();
        let weights: Vec<u64> = (0..1000).map(|i| i % 4).collect();
        let mut pairs: Vec<(u64, u64)> = keys.iter().copied().zip(weights.iter().copied()).collect();
        pairs.sort_unstable();
        for enough in [1.0, 2.5, 700.0, 1499.0, 1500.0] {
            let mut sum = 0;
            let wanted = pairs.iter().find(|pair| {
                sum += pair.1;
                sum as f64 >= enough
            });
            assert_eq!(select(&Alone, &[(&keys, Some(&weights))], &[enough]).unwrap(), [wanted.unwrap().0]);
        }
    }
}
