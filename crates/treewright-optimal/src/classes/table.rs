//! What is known about sets of rows that were met before, however they were reached: a table of fixed size.
//!
//! The key of a set of rows is the sum of random numbers of 128 bits, one for each row: two different sets among the
//! 10^7 that a search may meet share a key with a probability below 10^-24. Losing an entry costs time, and nothing else.
//!
//! Threads share the table without locks: a slot holds both halves of the key, each XORed with the value, and the value.
//! A slot that two threads write at once does not match any key.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use treewright_core::Result;
use treewright_core::prelude::memory;

/// The key of a set of rows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Key(pub [u64; 2]);

impl Key {
    /// The random number of a row.
    pub fn of_row(row: usize) -> Key {
        Key([scramble(2 * row as u64), scramble(2 * row as u64 + 1)])
    }

    /// The key of the union of two disjoint sets.
    #[inline(always)]
    pub fn with(self, other: Key) -> Key {
        Key([self.0[0].wrapping_add(other.0[0]), self.0[1].wrapping_add(other.0[1])])
    }

    /// The key of the rows of this set that are not in a subset of it.
    #[inline(always)]
    pub fn without(self, subset: Key) -> Key {
        Key([self.0[0].wrapping_sub(subset.0[0]), self.0[1].wrapping_sub(subset.0[1])])
    }

    /// The key of the set together with the depth of a tree.
    #[inline(always)]
    fn at_depth(self, depth: usize) -> Key {
        let depth = (depth as u64).wrapping_mul(0xD6E8_FEB8_6659_FD93);
        Key([self.0[0] ^ depth, self.0[1] ^ depth.rotate_left(32)])
    }
}

/// A bijection of 64 bits that looks random (the finalizer of SplitMix64).
pub fn scramble(number: u64) -> u64 {
    let mut z = number.wrapping_add(1).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    z ^ (z >> 31)
}

/// What is known about a set of rows at some depth.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Known {
    /// No tree costs less.
    pub bound: i32,
    /// There is a tree of that cost.
    pub exact: bool,
}

/// Slots of a bucket: five of three words, and one word to fill two cache lines.
const SLOTS: usize = 5;
/// Words of a bucket.
const BUCKET: usize = 16;
/// Set in every value, so that none is 0.
const USED: u64 = 1 << 33;

/// The table.
pub struct Table {
    buckets: Vec<[AtomicU64; BUCKET]>,
    mask: usize,
}

impl Table {
    /// A table for about so many sets within so many bytes.
    pub fn new(sets: f64, most_bytes: usize) -> Result<Table> {
        let buckets_for_all = (sets / SLOTS as f64).clamp(16.0, 1e9) as usize;
        let most = (most_bytes / (8 * BUCKET)).max(1);
        let mut count = buckets_for_all.next_power_of_two();
        while count > most && count > 1 {
            count /= 2;
        }
        // Zeroed memory of the system is not touched before it is used.
        if !memory::can_hold(count * 8 * BUCKET) {
            return Err(treewright_core::Error::Memory);
        }
        let words: Vec<u64> = vec![0; count * BUCKET];
        let mut words = std::mem::ManuallyDrop::new(words);
        // SAFETY: atomic and plain words have the same layout, and so has an array of 16 of them; the length and the
        // capacity of a vector of zeros are exact multiples.
        let buckets = unsafe {
            let capacity = words.capacity() / BUCKET;
            Vec::from_raw_parts(words.as_mut_ptr().cast::<[AtomicU64; BUCKET]>(), count, capacity)
        };
        Ok(Table { buckets, mask: count - 1 })
    }

    #[inline(always)]
    fn bucket(&self, key: Key) -> &[AtomicU64; BUCKET] {
        &self.buckets[(key.0[0] >> 20) as usize & self.mask]
    }

    /// What is known about a set.
    #[inline(always)]
    pub fn get(&self, key: Key, depth: usize) -> Option<Known> {
        let key = key.at_depth(depth);
        for slot in self.bucket(key).chunks_exact(3) {
            let value = slot[2].load(Relaxed);
            if slot[0].load(Relaxed) ^ value == key.0[0] && slot[1].load(Relaxed) ^ value == key.0[1] && value != 0 {
                return Some(Known { bound: (value >> 1) as u32 as i32, exact: value & 1 == 1 });
            }
        }
        None
    }

    /// Notes what is known about a set. A full bucket loses what took the least effort.
    #[inline(always)]
    pub fn put(&self, key: Key, depth: usize, known: Known) {
        let key = key.at_depth(depth);
        let effort = depth.min(127) as u64;
        let value = u64::from(known.exact) | u64::from(known.bound as u32) << 1 | USED | effort << 40;
        let mut place = 0;
        let mut least = u64::MAX;
        for (slot, words) in self.bucket(key).chunks_exact(3).enumerate() {
            let old = words[2].load(Relaxed);
            if old == 0 || (words[0].load(Relaxed) ^ old == key.0[0] && words[1].load(Relaxed) ^ old == key.0[1]) {
                place = slot;
                break;
            }
            if old >> 40 < least {
                (least, place) = (old >> 40, slot);
            }
        }
        let slot = &self.bucket(key)[3 * place..3 * place + 3];
        slot[0].store(key.0[0] ^ value, Relaxed);
        slot[1].store(key.0[1] ^ value, Relaxed);
        slot[2].store(value, Relaxed);
    }

    /// Asks the processor to fetch the bucket of a set.
    #[inline(always)]
    pub fn fetch(&self, key: Key, depth: usize) {
        #[cfg(target_arch = "x86_64")]
        {
            use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
            let bucket: *const i8 = std::ptr::from_ref(self.bucket(key.at_depth(depth))).cast();
            // SAFETY: fetching ahead reads nothing; the bucket is there.
            unsafe {
                _mm_prefetch::<_MM_HINT_T0>(bucket);
                _mm_prefetch::<_MM_HINT_T0>(bucket.wrapping_add(64));
            }
        }
        #[cfg(not(target_arch = "x86_64"))]
        let _ = (key, depth);
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn what_was_noted_is_found_and_never_for_another_set() {
        for bytes in [0, 1 << 12, 1 << 20] {
            let table = Table::new(1e4, bytes).unwrap();
            for row in 0..5000 {
                table.put(Key::of_row(row), row % 7, Known { bound: row as i32, exact: row % 2 == 0 });
            }
            let mut hits = 0;
            for row in 0..5000 {
                for depth in 0..7 {
                    if let Some(known) = table.get(Key::of_row(row), depth) {
                        assert_eq!((known, depth), (Known { bound: row as i32, exact: row % 2 == 0 }, row % 7));
                        hits += 1;
                    }
                }
            }
            assert!(hits > 0 && (bytes < 1 << 20 || hits > 4900), "{bytes} bytes: {hits}");
        }
    }

    #[test]
    fn keys_of_sets_add_up() {
        let [a, b, c] = [1, 2, 3].map(Key::of_row);
        assert_eq!(a.with(b).with(c).without(b), a.with(c));
        assert_ne!(a.with(b), a.with(c));
    }
}
