//! An order of the rows that follows from what they hold and from a seed, not from where they stand.
//!
//! Samples, folds and rows that are held out are chosen along it, so a table whose rows are shuffled gives the same model.
//! Equal rows cannot be told apart: they share a key and are counted, and it does not matter which of them is which.

use crate::Result;
use crate::data::table::{Column, Table};
use crate::rng::mix_key;
use crate::simd::{Isa, multiversion};
use crate::stats::target::Target;
use crate::sys::pool;
use crate::sys::pool::Cancel;

/// Rows whose keys one thread computes at a time; few enough that their cells stay in the cache from column to column.
const ROWS_PER_BLOCK: usize = 1 << 9;
/// Blocks that a thread takes at once.
const BLOCKS_PER_JOB: usize = 64;

/// A number for each row that depends on what it holds: equal rows have equal ones, others hardly ever.
pub fn keys(table: &Table<'_>, target: Target<'_>) -> Result<Vec<u64>> {
    let mut keys = Vec::new();
    keys.try_reserve_exact(table.rows())?;
    match target {
        Target::Classes { codes, .. } => keys.extend(codes.iter().map(|&class| mix_key(class.into(), 1))),
        Target::Numbers(numbers) => keys.extend(numbers.iter().map(|&number| mix_key(bits(number), 1))),
    }
    keys.chunks_mut(ROWS_PER_BLOCK).enumerate().for_each(|(block, keys)| mix(table, block * ROWS_PER_BLOCK, keys));
    Ok(keys)
}

/// The same without the target.
pub fn keys_of_features(table: &Table<'_>, threads: usize, cancel: &Cancel) -> Result<Vec<u64>> {
    let mut keys = Vec::new();
    keys.try_reserve_exact(table.rows())?;
    keys.resize(table.rows(), 0);
    let jobs = keys.chunks_mut(ROWS_PER_BLOCK * BLOCKS_PER_JOB).enumerate().collect();
    let done = pool::each(threads, jobs, |(job, keys): (usize, &mut [u64])| {
        cancel.check()?;
        let first = job * ROWS_PER_BLOCK * BLOCKS_PER_JOB;
        keys.chunks_mut(ROWS_PER_BLOCK)
            .enumerate()
            .for_each(|(block, keys)| mix(table, first + block * ROWS_PER_BLOCK, keys));
        Ok(())
    })?;
    done.into_iter().collect::<Result<()>>()?;
    Ok(keys)
}

/// Mixes the cells of at most [`ROWS_PER_BLOCK`] rows, from `first` on, into their keys.
fn mix(table: &Table<'_>, first: usize, keys: &mut [u64]) {
    let mut numbers = [0.0; ROWS_PER_BLOCK];
    for column in table.columns() {
        match column {
            Column::Categorical { codes, .. } => {
                let codes = &codes[first..];
                keys.iter_mut().zip(codes).for_each(|(key, &code)| *key = mix_key(*key ^ u64::from(code), 0));
            }
            Column::Sparse(values) => {
                // (Bits of 0 change nothing.)
                values.stored(first..first + keys.len()).for_each(|(place, number)| keys[place] ^= bits(number));
                keys.iter_mut().for_each(|key| *key = mix_key(*key, 0));
            }
            Column::Numeric(values) => mix_numbers(Isa::detect(), keys, &values[first..]),
            Column::Strided(values) => {
                let numbers = &mut numbers[..keys.len()];
                values.read(first, numbers);
                mix_numbers(Isa::detect(), keys, numbers);
            }
        }
    }
}

multiversion! {
    /// Mixes a number of each row into its key.
    fn mix_numbers(keys: &mut [u64], numbers: &[f64]) {
        keys.iter_mut().zip(numbers).for_each(|(key, &number)| *key = mix_key(*key ^ bits(number), 0));
    }
}

/// The bits of a number; one form for each.
#[inline(always)]
fn bits(number: f64) -> u64 {
    if number.is_nan() { u64::MAX } else { (number + 0.0).to_bits() }
}

/// The rows by their keys. Of equal rows those that learn stand before those `held` out, and the lighter before the heavier.
pub fn by_key(keys: &[u64], weights: Option<&[f64]>, held: Option<&[bool]>) -> Vec<u32> {
    let weight = |row: u32| weights.map_or(0, |weights| weights[row as usize].to_bits());
    let is_held = |row: u32| held.is_some_and(|held| held[row as usize]);
    // Keys beside their rows are sorted in half the time of keys that are looked up.
    let mut order: Vec<(u64, u32)> = keys.iter().copied().zip(0..).collect();
    order.sort_unstable();
    if weights.is_some() || held.is_some() {
        for equal in order.chunk_by_mut(|a, b| a.0 == b.0).filter(|equal| equal.len() > 1) {
            equal.sort_unstable_by_key(|&(_, row)| (is_held(row), weight(row), row));
        }
    }
    order.into_iter().map(|(_, row)| row).collect()
}

/// A number for each row by which it may be drawn: it follows from the row's key and from how many equal rows stand before
/// it, so that of many equal rows some are drawn and some are not.
pub fn tickets(keys: &[u64], weights: Option<&[f64]>, held: Option<&[bool]>) -> Vec<u64> {
    let mut tickets = vec![0; keys.len()];
    let (mut last, mut copy) = (None, 0);
    for row in by_key(keys, weights, held) {
        let key = keys[row as usize];
        copy = if last == Some(key) { copy + 1 } else { 0 };
        last = Some(key);
        tickets[row as usize] = mix_key(key, copy);
    }
    tickets
}

/// All rows in random order; the same rows in any order of the table, but for equal ones.
pub fn shuffled(table: &Table<'_>, target: Target<'_>, weights: Option<&[f64]>, seed: u64) -> Result<Vec<u32>> {
    let tickets = tickets(&keys(table, target)?, weights, None);
    let mut order: Vec<u32> = (0..tickets.len() as u32).collect();
    let place = |row: u32| mix_key(tickets[row as usize] ^ mix_key(seed, 0), 2);
    order.sort_by_cached_key(|&row| (place(row), row));
    Ok(order)
}

/// The rows whose tickets are least, ascending: at most `most` of those that are not `held` out. Of equal rows the first
/// ones are taken, as many as have such a ticket.
pub fn sample(keys: &[u64], held: Option<&[bool]>, most: usize) -> Vec<u32> {
    let learns = |row: &u32| held.is_none_or(|held| !held[*row as usize]);
    let rows = (0..keys.len() as u32).filter(learns);
    let mut sorted: Vec<u64> = rows.clone().map(|row| keys[row as usize]).collect();
    if sorted.len() <= most {
        return rows.collect();
    }
    sorted.sort_unstable();
    // The keys of several rows, and how many of their tickets are least.
    let mut several: Vec<(u64, u32)> = Vec::new();
    let mut tickets = Vec::with_capacity(sorted.len());
    for equal in sorted.chunk_by(|a, b| a == b) {
        tickets.extend((0..equal.len()).map(|copy| mix_key(equal[0], copy)));
        several.extend((equal.len() > 1).then_some((equal[0], equal.len() as u32)));
    }
    let (_, &mut limit, _) = tickets.select_nth_unstable(most - 1);
    for (key, count) in &mut several {
        *count = (0..*count).filter(|&copy| mix_key(*key, copy as usize) <= limit).count() as u32;
    }
    let mut sample = Vec::with_capacity(most);
    for row in rows {
        let key = keys[row as usize];
        let taken = match several.binary_search_by_key(&key, |(key, _)| *key) {
            Ok(place) => {
                let left = several[place].1;
                several[place].1 = left.saturating_sub(1);
                left > 0
            }
            Err(_) => mix_key(key, 0) <= limit,
        };
        sample.extend(taken.then_some(row));
    }
    sample.truncate(most);
    sample
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    fn values() -> (Vec<f64>, Vec<u32>, Vec<f64>) {
        let numbers = (0..600).map(|i| f64::from(i % 150) / 4.0).collect();
        let classes = (0..600).map(|i| u32::from(i % 150 > 70)).collect();
        (numbers, classes, (0..600).map(|i| f64::from(1 + i / 300)).collect())
    }

    /// What stands at each place: number, class and weight.
    fn held(order: &[u32], numbers: &[f64], classes: &[u32], weights: &[f64]) -> Vec<(u64, u32, u64)> {
        let one = |&row: &u32| {
            let row = row as usize;
            (numbers[row].to_bits(), classes[row], weights[row].to_bits())
        };
        order.iter().map(one).collect()
    }

    #[test]
    fn the_order_of_the_table_does_not_show() {
        let (numbers, classes, weights) = values();
        let turned = |i: usize| (i * 7 + 5) % 600;
        let other: Vec<f64> = (0..600).map(|i| numbers[turned(i)]).collect();
        let of_other: Vec<u32> = (0..600).map(|i| classes[turned(i)]).collect();
        let weight_of_other: Vec<f64> = (0..600).map(|i| weights[turned(i)]).collect();
        let order = |numbers: &[f64], codes: &[u32], weights: &[f64]| {
            let table = Table::new(vec![Column::Numeric(numbers)], 600).unwrap();
            let found = shuffled(&table, Target::Classes { codes, classes: 2 }, Some(weights), 9).unwrap();
            held(&found, numbers, codes, weights)
        };
        assert_eq!(order(&numbers, &classes, &weights), order(&other, &of_other, &weight_of_other));
    }

    #[test]
    fn every_row_has_one_place_and_seeds_differ() {
        let (numbers, codes, _) = values();
        let table = Table::new(vec![Column::Numeric(&numbers)], 600).unwrap();
        let of = |seed| shuffled(&table, Target::Classes { codes: &codes, classes: 2 }, None, seed).unwrap();
        let mut rows = of(1);
        assert_ne!(rows, of(2));
        rows.sort_unstable();
        assert_eq!(rows, (0..600).collect::<Vec<_>>());
    }

    #[test]
    fn a_sample_takes_its_share_of_equal_rows() {
        let keys: Vec<u64> = (0..9000).map(|row| mix_key(row % 3, 0)).collect();
        let rows = sample(&keys, None, 3000);
        assert_eq!(rows.len(), 3000);
        for key in 0..3 {
            let count = rows.iter().filter(|&&row| u64::from(row) % 3 == key).count();
            assert!((850..1150).contains(&count), "{count}");
        }
        let held: Vec<bool> = (0..9000).map(|row| row % 2 == 0).collect();
        assert!(sample(&keys, Some(&held), 100).iter().all(|row| row % 2 == 1));
        assert_eq!(sample(&keys, Some(&held), 9000).len(), 4500);
    }
}
