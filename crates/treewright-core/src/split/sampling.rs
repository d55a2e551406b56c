//! Random choices of a node: which columns it may ask about, and where random cuts lie.
//!
//! Every number is a function of the seed, the tree and the path to the node, never of what was drawn before. So trees do
//! not depend on threads, and all engines draw the same.
//!
//! Glossary. The *key* of a node stands for the path from the root to it.

use crate::rng::{Stream, Words, mix_key};
use crate::simd::Isa;

/// How the nodes of one tree draw columns and cuts.
#[derive(Clone, Copy, Debug)]
pub struct FeatureSampling {
    /// The random numbers of the tree.
    pub stream: Stream,
    /// How many columns a node looks at; more where none of them tells its rows apart.
    pub columns: usize,
    /// Whether cuts are random too: one a column, not the best.
    pub cuts: bool,
}

/// The key of the root.
pub const ROOT: u64 = 0;

/// The key of a child.
pub fn child_key(key: u64, child: usize) -> u64 {
    mix_key(key, child)
}

/// Rows have numbers of 32 bits; the upper bits tell the places of nodes from theirs.
const FEATURES: u64 = 1 << 63;
const CUTS: u64 = 1 << 62;

fn cut_place(key: u64, column: u32) -> u64 {
    (child_key(key, column as usize) | CUTS) & !FEATURES
}

impl FeatureSampling {
    /// The random words that choose the columns of a node.
    pub fn feature_words(&self, key: u64) -> Words {
        self.stream.words(key | FEATURES)
    }

    /// All columns in the order in which a node looks at them; `path` are the places of the children that lead to it.
    pub fn column_order(&self, path: &[usize], columns: usize) -> Vec<u32> {
        let key = path.iter().fold(ROOT, |key, &child| child_key(key, child));
        let (mut sampler, mut words) = (FeatureSampler::new(columns), self.feature_words(key));
        std::iter::from_fn(|| sampler.next(&mut words)).collect()
    }

    /// The random words that choose the cut of a column in a node.
    pub fn cut_words(&self, key: u64, column: u32) -> Words {
        self.stream.words(cut_place(key, column))
    }

    /// The first number below 1 of each column's [`FeatureSampling::cut_words`].
    pub fn cut_shares(&self, isa: Isa, key: u64, columns: &[u32], shares: &mut Vec<f64>) {
        shares.clear();
        self.stream.uniforms(isa, columns.iter().map(|&column| cut_place(key, column)), shares);
    }
}

/// Draws columns, none twice.
#[derive(Clone, Debug, Default)]
pub struct FeatureSampler {
    order: Vec<u32>,
    swapped: Vec<u32>,
}

impl FeatureSampler {
    /// So many columns.
    pub fn new(columns: usize) -> FeatureSampler {
        FeatureSampler { order: (0..columns as u32).collect(), swapped: Vec::new() }
    }

    /// The next column; None where all have been drawn.
    pub fn next(&mut self, words: &mut Words) -> Option<u32> {
        let drawn = self.swapped.len();
        let left = (self.order.len() - drawn) as u32;
        if left == 0 {
            return None;
        }
        let place = drawn as u32 + words.below(left);
        self.order.swap(drawn, place as usize);
        self.swapped.push(place);
        Some(self.order[drawn])
    }

    /// Makes all columns ready to be drawn again, as if none had been.
    pub fn reset(&mut self) {
        for (drawn, place) in self.swapped.drain(..).enumerate().rev() {
            self.order.swap(drawn, place as usize);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_column_is_as_likely_and_none_is_drawn_twice() {
        let draw = FeatureSampling { stream: Stream::new(1, 2), columns: 3, cuts: false };
        let (mut sampler, mut counts) = (FeatureSampler::new(7), [0u32; 7]);
        for key in 0..7000 {
            let mut words = draw.feature_words(child_key(key, 0));
            let drawn: Vec<u32> = (0..3).filter_map(|_| sampler.next(&mut words)).collect();
            assert!(drawn[0] != drawn[1] && drawn[0] != drawn[2] && drawn[1] != drawn[2]);
            drawn.iter().for_each(|column| counts[*column as usize] += 1);
            sampler.reset();
        }
        assert!(counts.iter().all(|count| count.abs_diff(3000) < 200), "{counts:?}");
        assert_eq!(sampler.order, [0, 1, 2, 3, 4, 5, 6]);
        let mut words = draw.feature_words(ROOT);
        assert_eq!((0..9).filter_map(|_| sampler.next(&mut words)).count(), 7);
    }

    #[test]
    fn keys_differ() {
        let mut keys: Vec<u64> = vec![ROOT];
        for node in 0..1000 {
            keys.extend([child_key(keys[node], 0), child_key(keys[node], 1)]);
        }
        let count = keys.len();
        keys.sort_unstable();
        keys.dedup();
        assert_eq!(keys.len(), count);
    }
}
