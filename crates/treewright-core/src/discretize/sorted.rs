//! The rows of a numeric column in the order of its numbers, each with what is known of it.
//!
//! A radix sort, from the last digit to the first: digits that are the same in all numbers cost nothing, so columns of
//! whole or single-precision numbers are sorted in a few passes.

use crate::data::table::Column;
use crate::sys::pool::Cancel;
use crate::{Error, Result};

const BITS: u32 = 11;
const DIGITS: usize = 64usize.div_ceil(BITS as usize);
const BINS: usize = 1 << BITS;
/// So few are sorted by comparing.
const FEW: usize = 1 << 11;

/// A number as bits that compare like it, and what is known of its row.
#[derive(Clone, Copy, Debug, Default)]
pub struct Entry<T> {
    /// See [`key`].
    pub key: u64,
    /// The class, or the number to predict.
    pub is: T,
}

/// A row of a class that counts so many times.
pub trait Row: Copy + Default + Send + Sync {
    /// Whether it may count any number of times.
    const WEIGHED: bool;
    /// Its class.
    fn class(self) -> usize;
    /// How many times it counts, in units.
    fn weight(self) -> u64;
}

/// A row that counts once.
impl Row for u32 {
    const WEIGHED: bool = false;
    #[inline(always)]
    fn class(self) -> usize {
        self as usize
    }
    #[inline(always)]
    fn weight(self) -> u64 {
        1
    }
}

/// A class and a weight.
impl Row for (u32, u32) {
    const WEIGHED: bool = true;
    #[inline(always)]
    fn class(self) -> usize {
        self.0 as usize
    }
    #[inline(always)]
    fn weight(self) -> u64 {
        u64::from(self.1)
    }
}

impl<T> Entry<T> {
    /// The number.
    pub fn number(&self) -> f64 {
        f64::from_bits(if self.key >> 63 == 1 { self.key ^ 1 << 63 } else { !self.key })
    }
}

/// The bits of a number, turned so that they compare like it; both zeros are one.
fn key(number: f64) -> u64 {
    let bits = (number + 0.0).to_bits();
    if bits >> 63 == 1 { !bits } else { bits | 1 << 63 }
}

/// The rows that have a number, ascending, and what is known of those that do not.
pub fn sorted<T: Copy + Default>(
    column: &Column<'_>,
    known: &[T],
    mut missing: impl FnMut(T),
    cancel: &Cancel,
) -> Result<Vec<Entry<T>>> {
    let mut entries = reserved(known.len())?;
    let mut take = |number: f64, is: T| {
        if number.is_nan() { missing(is) } else { entries.push(Entry { key: key(number), is }) }
    };
    match column {
        Column::Numeric(values) => values.iter().zip(known).for_each(|(&x, &is)| take(x, is)),
        _ => known.iter().enumerate().for_each(|(row, &is)| take(column.number(row), is)),
    }
    if entries.len() <= FEW {
        entries.sort_by_key(|entry| entry.key);
        return Ok(entries);
    }
    radix(entries, cancel)
}

fn reserved<T>(count: usize) -> Result<Vec<T>> {
    let mut list = Vec::new();
    list.try_reserve_exact(count).map_err(|_| Error::Memory)?;
    Ok(list)
}

fn radix<T: Copy + Default>(mut entries: Vec<Entry<T>>, cancel: &Cancel) -> Result<Vec<Entry<T>>> {
    let mut counts = vec![[0u32; BINS]; DIGITS];
    let digit = |key: u64, place: usize| (key >> (place as u32 * BITS)) as usize & (BINS - 1);
    for entry in &entries {
        for (place, counts) in counts.iter_mut().enumerate() {
            counts[digit(entry.key, place)] += 1;
        }
    }
    let mut other = reserved(entries.len())?;
    other.resize(entries.len(), Entry::default());
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
                let values: Vec<f64> = (0..size)
                    .map(|i| {
                        word = word.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
                        match i % 50 {
                            0 => f64::NAN,
                            1 => [-0.0, 5e-324, -1e308, 1e308][(word >> 60) as usize % 4],
                            _ if rough => (word >> 60) as f64 - 7.0,
                            _ => f64::from_bits(word) % 1e9 * if word & 1 == 0 { 1.0 } else { -1.0 },
                        }
                    })
                    .map(|x| if x.is_infinite() { 0.5 } else { x })
                    .collect();
                let rows: Vec<u32> = (0..size as u32).collect();
                let mut lost = 0;
                let found = sorted(&Column::Numeric(&values), &rows, |_| lost += 1, &Cancel::default()).unwrap();
                assert_eq!(found.len() + lost, size);
                assert!(found.windows(2).all(|w| w[0].number() < w[1].number()
                    || (w[0].number() == w[1].number() && w[0].is < w[1].is)));
                assert!(found.iter().all(|entry| entry.number() == values[entry.is as usize]));
            }
        }
    }
}
