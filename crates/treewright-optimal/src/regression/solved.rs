//! Sets of groups whose best tree is known.

use super::depth_two::BestTree;
use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};
use std::sync::{Mutex, PoisonError};

/// Tables that threads lock one at a time.
const SHARDS: usize = 64;
/// The bytes of an entry, with what a table keeps beside it.
const ENTRY_BYTES: usize = 64;

/// The key of a set, 128 bits, and the depth of its trees.
type Key = ([u64; 2], usize);

/// Keys look random already.
#[derive(Default)]
struct KeyHasher(u64);

impl Hasher for KeyHasher {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.write_u64(u64::from(byte));
        }
    }

    fn write_u64(&mut self, value: u64) {
        self.0 = self.0.rotate_left(21) ^ value;
    }

    fn write_usize(&mut self, value: usize) {
        self.write_u64(value as u64);
    }
}

type Shard = Mutex<HashMap<Key, BestTree, BuildHasherDefault<KeyHasher>>>;

/// A table of exact answers: who finds one does not see who put it there, or when.
pub struct Solved {
    shards: Vec<Shard>,
    /// The most answers for depth two in a shard; deeper ones are few and always kept.
    most: usize,
}

impl Solved {
    /// A table of about so many bytes.
    pub fn new(bytes: usize) -> Solved {
        let shards = (0..SHARDS).map(|_| Shard::default()).collect();
        Solved { shards, most: bytes / ENTRY_BYTES / SHARDS }
    }

    fn shard(&self, key: &Key) -> std::sync::MutexGuard<'_, HashMap<Key, BestTree, BuildHasherDefault<KeyHasher>>> {
        self.shards[(key.0[1] >> 32) as usize % SHARDS].lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The best tree of a set.
    pub fn get(&self, set: [u64; 2], depth: usize) -> Option<BestTree> {
        let key = (set, depth);
        self.shard(&key).get(&key).copied()
    }

    /// Keeps the best tree of a set.
    pub fn put(&self, set: [u64; 2], depth: usize, tree: BestTree) {
        let key = (set, depth);
        let mut shard = self.shard(&key);
        if depth > 2 || shard.len() < self.most {
            shard.insert(key, tree);
        }
    }
}
