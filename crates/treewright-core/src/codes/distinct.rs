//! The different numbers of a column, where there are few.

use crate::Result;
use crate::data::strided::Strided;
use crate::sys::pool::Cancel;
use std::collections::HashSet;
use std::hash::BuildHasherDefault;

/// The most different numbers that are listed.
const MAX_DISTINCT: usize = 1 << 15;
/// Rows between two looks at the cancel flag.
const ROWS_BETWEEN_LOOKS: usize = 1 << 13;

/// Whether there are at most so many different numbers.
pub fn are_few(numbers: &[f64], most: usize) -> bool {
    let room = numbers.len().min(most + 1);
    let mut seen: HashSet<u64, BuildHasherDefault<BitsHasher>> =
        HashSet::with_capacity_and_hasher(room, BuildHasherDefault::default());
    numbers.iter().all(|x| {
        seen.insert(x.to_bits());
        seen.len() <= most
    })
}

/// The different numbers of a column, ascending; None if there are more than [`MAX_DISTINCT`].
pub fn distinct_numbers(column: &Strided<'_>, cancel: &Cancel) -> Result<Option<Vec<f64>>> {
    let mut seen: HashSet<u64, BuildHasherDefault<BitsHasher>> = HashSet::default();
    for row in 0..column.len() {
        if row % ROWS_BETWEEN_LOOKS == 0 {
            cancel.check()?;
        }
        let number = column.at(row) + 0.0;
        if !number.is_nan() && seen.insert(number.to_bits()) && seen.len() > MAX_DISTINCT {
            return Ok(None);
        }
    }
    let mut values: Vec<f64> = seen.into_iter().map(f64::from_bits).collect();
    values.sort_unstable_by(f64::total_cmp);
    Ok(Some(values))
}

/// Hashing of bits that need no protection: a bad case is slow, not wrong, and only for the caller's own column.
#[derive(Debug, Default)]
pub struct BitsHasher(u64);

impl std::hash::Hasher for BitsHasher {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        bytes.iter().for_each(|byte| self.write_u64(self.0 ^ u64::from(*byte)));
    }

    fn write_u64(&mut self, bits: u64) {
        let wide = u128::from(bits ^ 0x9e37_79b9_7f4a_7c15) * u128::from(0xd6e8_feb8_6659_fd93_u64);
        self.0 = (wide >> 64) as u64 ^ wide as u64;
    }
}
