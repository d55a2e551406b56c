//! Numbers in ascending order, each with what is known of its row.
//!
//! A radix sort, from the last digit to the first: digits that are the same in all numbers cost nothing, so columns of
//! whole or single-precision numbers are sorted in a few passes.

use super::ordered::{from_ordered_bits, ordered_bits};
use crate::Result;
use crate::sys::memory::filled;
use crate::sys::pool::Cancel;

const BITS: u32 = 11;
const DIGITS: usize = 64usize.div_ceil(BITS as usize);
const DIGIT_VALUES: usize = 1 << BITS;
/// The most numbers that are sorted by comparing.
const MAX_COMPARED: usize = 1 << 11;

/// A number as bits that compare like it, and what is known of its row.
#[derive(Clone, Copy, Debug, Default)]
pub struct Keyed<T> {
    /// See [`ordered_bits`].
    pub key: u64,
    /// What is known of the row.
    pub row: T,
}

impl<T> Keyed<T> {
    /// A number that is not missing, and its row.
    pub fn new(number: f64, row: T) -> Keyed<T> {
        Keyed { key: ordered_bits(number), row }
    }

    /// The number.
    pub fn number(&self) -> f64 {
        from_ordered_bits(self.key)
    }
}

/// Sorts by number; rows with equal ones keep their order.
pub fn sort<T: Copy + Default>(mut entries: Vec<Keyed<T>>, cancel: &Cancel) -> Result<Vec<Keyed<T>>> {
    if entries.len() <= MAX_COMPARED {
        entries.sort_by_key(|entry| entry.key);
        return Ok(entries);
    }
    let mut counts = filled([0u32; DIGIT_VALUES], DIGITS)?;
    let digit = |key: u64, place: usize| (key >> (place as u32 * BITS)) as usize & (DIGIT_VALUES - 1);
    for entry in &entries {
        for (place, counts) in counts.iter_mut().enumerate() {
            counts[digit(entry.key, place)] += 1;
        }
    }
    let mut other = filled(Keyed::default(), entries.len())?;
    for (place, counts) in counts.iter_mut().enumerate() {
        if counts.iter().any(|&count| count as usize == entries.len()) {
            continue;
        }
        cancel.check()?;
        let mut start = 0;
        for count in counts.iter_mut() {
            start += std::mem::replace(count, start);
        }
        for entry in &entries {
            let next = &mut counts[digit(entry.key, place)];
            other[*next as usize] = *entry;
            *next += 1;
        }
        std::mem::swap(&mut entries, &mut other);
    }
    Ok(entries)
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_sorted_and_come_back() {
        let mut word = 1u64;
        for size in [0, 1, 100, 5000] {
            for rough in [true, false] {
                let mut number = |i: usize| {
                    word = word.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
                    match i % 50 {
                        0 => [-0.0, 5e-324, -1e308, f64::INFINITY][(word >> 60) as usize % 4],
                        _ if rough => (word >> 60) as f64 - 7.0,
                        _ => (f64::from_bits(word) % 1e9).max(-1e9) * if word & 1 == 0 { 1.0 } else { -1.0 },
                    }
                };
                let values: Vec<f64> = (0..size).map(&mut number).collect();
                let entries = values.iter().zip(0u32..).map(|(&x, row)| Keyed::new(x, row)).collect();
                let found = sort(entries, &Cancel::default()).unwrap();
                assert_eq!(found.len(), size);
                assert!(found.windows(2).all(|w| w[0].key < w[1].key || (w[0].key == w[1].key && w[0].row < w[1].row)));
                assert!(found.iter().all(|entry| entry.number().to_bits() == values[entry.row as usize].to_bits()));
            }
        }
    }
}
