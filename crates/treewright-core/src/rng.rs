//! Random numbers that are counted, not drawn: number `i` of a stream is a function of the seed, the stream and `i`.
//!
//! So a row's number in tree 17 does not depend on how many threads there are, on which of them comes first, or on how many
//! numbers were drawn before: the same seed gives the same model everywhere. The function is Philox4x32 with ten rounds
//! (Salmon, Moraes, Dror, Shaw: Parallel random numbers, as easy as 1, 2, 3; 2011), checked with its published vectors.

use crate::simd::{Isa, multiversion};

const MULTIPLIERS: [u32; 2] = [0xD251_1F53, 0xCD9E_8D57];
const KEY_STEPS: [u32; 2] = [0x9E37_79B9, 0xBB67_AE85];

#[inline(always)]
fn philox_round(counter: [u32; 4], key: [u32; 2]) -> [u32; 4] {
    let first = u64::from(MULTIPLIERS[0]) * u64::from(counter[0]);
    let second = u64::from(MULTIPLIERS[1]) * u64::from(counter[2]);
    [
        (second >> 32) as u32 ^ counter[1] ^ key[0],
        second as u32,
        (first >> 32) as u32 ^ counter[3] ^ key[1],
        first as u32,
    ]
}

/// Four random words for a counter and a key.
fn philox(mut counter: [u32; 4], mut key: [u32; 2]) -> [u32; 4] {
    for _ in 0..10 {
        counter = philox_round(counter, key);
        key = [key[0].wrapping_add(KEY_STEPS[0]), key[1].wrapping_add(KEY_STEPS[1])];
    }
    counter
}

/// Two consecutive blocks of [`philox`], computed beside each other: one waits for its products as long as two.
#[inline]
fn philox_twice(counter: [u32; 4], mut key: [u32; 2]) -> [u32; 8] {
    let [mut a, mut b] = [counter, [counter[0], counter[1], counter[2], counter[3].wrapping_add(1)]];
    for _ in 0..10 {
        (a, b) = (philox_round(a, key), philox_round(b, key));
        key = [key[0].wrapping_add(KEY_STEPS[0]), key[1].wrapping_add(KEY_STEPS[1])];
    }
    [a[0], a[1], a[2], a[3], b[0], b[1], b[2], b[3]]
}

/// Blocks that are computed at once where many are needed.
const BLOCKS: usize = 16;

multiversion! {
    /// What [`philox`] gives for counters that differ in their last word alone, which begins at `first`.
    fn blocks(counter: [u32; 3], first: u32, key: [u32; 2], words: &mut [[u32; 4]; BLOCKS]) {
        let (mut a, mut b) = ([counter[0]; BLOCKS], [counter[1]; BLOCKS]);
        let (mut c, mut d) = ([counter[2]; BLOCKS], [0; BLOCKS]);
        (0..BLOCKS).for_each(|i| d[i] = first.wrapping_add(i as u32));
        let mut key = key;
        for _ in 0..10 {
            for i in 0..BLOCKS {
                let low = u64::from(MULTIPLIERS[0]) * u64::from(a[i]);
                let high = u64::from(MULTIPLIERS[1]) * u64::from(c[i]);
                a[i] = (high >> 32) as u32 ^ b[i] ^ key[0];
                b[i] = high as u32;
                c[i] = (low >> 32) as u32 ^ d[i] ^ key[1];
                d[i] = low as u32;
            }
            key = [key[0].wrapping_add(KEY_STEPS[0]), key[1].wrapping_add(KEY_STEPS[1])];
        }
        (0..BLOCKS).for_each(|i| words[i] = [a[i], b[i], c[i], d[i]]);
    }
}

/// Places whose numbers are computed at once.
const PLACES: usize = 8;

multiversion! {
    /// The first two words that [`philox`] gives for each of some places of a stream.
    fn first_words(places: &[u64; PLACES], stream: u32, key: [u32; 2], words: &mut [u64; PLACES]) {
        let (mut a, mut b) = ([0; PLACES], [0; PLACES]);
        (0..PLACES).for_each(|i| (a[i], b[i]) = (places[i] & 0xffff_ffff, places[i] >> 32));
        let (mut c, mut d, mut key) = ([u64::from(stream); PLACES], [0; PLACES], key);
        for _ in 0..10 {
            for i in 0..PLACES {
                let low = u64::from(MULTIPLIERS[0]) * (a[i] & 0xffff_ffff);
                let high = u64::from(MULTIPLIERS[1]) * (c[i] & 0xffff_ffff);
                a[i] = high >> 32 ^ b[i] ^ u64::from(key[0]);
                b[i] = high & 0xffff_ffff;
                c[i] = low >> 32 ^ d[i] ^ u64::from(key[1]);
                d[i] = low & 0xffff_ffff;
            }
            key = [key[0].wrapping_add(KEY_STEPS[0]), key[1].wrapping_add(KEY_STEPS[1])];
        }
        (0..PLACES).for_each(|i| words[i] = a[i] | b[i] << 32);
    }
}

/// A sequence of random numbers, any of which can be asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stream {
    key: [u32; 2],
    stream: u32,
}

impl Stream {
    /// The stream of this number (a tree, say) under this seed.
    pub fn new(seed: u64, stream: u32) -> Stream {
        Stream { key: [seed as u32, (seed >> 32) as u32], stream }
    }

    /// The 64 random bits at a place; `again` counts further tries at the same place.
    fn bits(&self, place: u64, again: u32) -> u64 {
        let [a, b, ..] = philox([place as u32, (place >> 32) as u32, self.stream, again], self.key);
        u64::from(a) | u64::from(b) << 32
    }

    /// All random words of a place, one after the other.
    pub fn words(&self, place: u64) -> Words {
        Words { stream: *self, place, next: 0, blocks: [0; 8] }
    }

    /// The same words as [`Stream::words`], computed many at a time.
    pub fn many_words(&self, place: u64) -> ManyWords {
        let (next, words) = (4 * BLOCKS, [[0; 4]; BLOCKS]);
        ManyWords { stream: *self, place, block: 0, next, words, isa: Isa::detect() }
    }

    /// A whole number below `bound`, each equally likely.
    pub fn below(&self, place: u64, bound: u64) -> u64 {
        // The high half of bits * bound; the few low halves that would favor some numbers are tried again.
        let unfair = bound.wrapping_neg() % bound;
        let mut again = 0;
        loop {
            let product = u128::from(self.bits(place, again)) * u128::from(bound);
            if product as u64 >= unfair {
                return (product >> 64) as u64;
            }
            again += 1;
        }
    }

    /// A number of [0, 1) with 53 random bits.
    pub fn uniform(&self, place: u64) -> f64 {
        fraction(self.bits(place, 0))
    }

    /// The same for each of some places.
    pub fn uniforms(&self, isa: Isa, mut places: impl Iterator<Item = u64>, numbers: &mut Vec<f64>) {
        loop {
            let (mut here, mut count, mut words) = ([0; PLACES], 0, [0; PLACES]);
            for (own, place) in here.iter_mut().zip(&mut places) {
                (*own, count) = (place, count + 1);
            }
            if count > 0 {
                first_words(isa, &here, self.stream, self.key, &mut words);
                numbers.extend(words[..count].iter().map(|&bits| fraction(bits)));
            }
            if count < PLACES {
                return;
            }
        }
    }
}

/// A number of [0, 1) from 64 random bits.
#[inline]
fn fraction(bits: u64) -> f64 {
    (bits >> 11) as f64 / (1u64 << 53) as f64
}

/// A whole number below `bound`, each equally likely, from random words.
#[inline(always)]
fn below(bound: u32, mut word: impl FnMut() -> u32) -> u32 {
    loop {
        let product = u64::from(word()) * u64::from(bound);
        // See `Stream::below`.
        if product as u32 >= bound || product as u32 >= bound.wrapping_neg() % bound {
            return (product >> 32) as u32;
        }
    }
}

/// A key made of another key and a number. The steps can be undone and mix well: different chains of numbers give
/// different keys but for a chance of 2^-64.
pub fn mix_key(key: u64, number: usize) -> u64 {
    let mut bits = key.wrapping_add((number as u64 + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15));
    bits = (bits ^ bits >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    bits = (bits ^ bits >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    bits ^ bits >> 31
}

/// The words of [`Words`], for somebody who needs many of them.
#[derive(Clone, Debug)]
pub struct ManyWords {
    stream: Stream,
    place: u64,
    block: u32,
    next: usize,
    words: [[u32; 4]; BLOCKS],
    isa: Isa,
}

impl ManyWords {
    #[inline]
    fn word(&mut self) -> u32 {
        if self.next == 4 * BLOCKS {
            let counter = [self.place as u32, (self.place >> 32) as u32, self.stream.stream];
            blocks(self.isa, counter, self.block, self.stream.key, &mut self.words);
            self.block = self.block.wrapping_add(BLOCKS as u32);
            self.next = 0;
        }
        let word = self.words.as_flattened()[self.next];
        self.next += 1;
        word
    }

    /// See [`Words::below`].
    #[inline]
    pub fn below(&mut self, bound: u32) -> u32 {
        below(bound, || self.word())
    }
}

/// The random words of one place of a stream.
#[derive(Clone, Debug)]
pub struct Words {
    stream: Stream,
    place: u64,
    next: u32,
    blocks: [u32; 8],
}

impl Words {
    /// The next 32 random bits.
    #[inline]
    pub fn word(&mut self) -> u32 {
        let within = self.next as usize % 8;
        if within == 0 {
            let place = [self.place as u32, (self.place >> 32) as u32, self.stream.stream, self.next / 4];
            self.blocks = philox_twice(place, self.stream.key);
        }
        self.next = self.next.wrapping_add(1);
        self.blocks[within]
    }

    /// A whole number below `bound`, each equally likely.
    #[inline]
    pub fn below(&mut self, bound: u32) -> u32 {
        below(bound, || self.word())
    }

    /// A number of [0, 1) with 53 random bits.
    pub fn uniform(&mut self) -> f64 {
        fraction(u64::from(self.word()) | u64::from(self.word()) << 32)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_of_many_places_are_those_of_each() {
        let (stream, places) = (Stream::new(1 << 40 | 5, 9), (0..21).map(|i| mix_key(i, 3)));
        for isa in Isa::all() {
            for count in [0, 1, 8, 9, 21] {
                let mut numbers = Vec::new();
                stream.uniforms(isa, places.clone().take(count), &mut numbers);
                let each = places.clone().take(count).map(|place| stream.words(place).uniform());
                assert_eq!(numbers, each.collect::<Vec<f64>>());
            }
        }
    }

    #[test]
    fn words_go_on_and_numbers_below_are_as_likely() {
        let mut words = Stream::new(7, 3).words(1 << 40);
        let first: Vec<u32> = (0..9).map(|_| words.word()).collect();
        assert_eq!(first.iter().collect::<std::collections::HashSet<_>>().len(), 9);
        assert_eq!(Stream::new(7, 3).bits(1 << 40, 0), u64::from(first[0]) | u64::from(first[1]) << 32);
        let mut counts = [0u32; 5];
        (0..50_000).for_each(|_| counts[words.below(5) as usize] += 1);
        assert!(counts.iter().all(|&n| n.abs_diff(10_000) < 400), "{counts:?}");
        assert!((0..1000).all(|_| (0.0..1.0).contains(&words.uniform())));
    }

    #[test]
    fn many_words_are_the_same_words() {
        for place in [0, 5, 1 << 40] {
            let (mut words, many) = (Stream::new(7, 3).words(place), Stream::new(7, 3).many_words(place));
            let mut tiers: Vec<ManyWords> = Isa::all().map(|isa| ManyWords { isa, ..many.clone() }).collect();
            for bound in (1..500).map(|i: u32| i.pow(3).wrapping_mul(97).max(1)) {
                let number = words.below(bound);
                tiers.iter_mut().for_each(|many| assert_eq!(many.below(bound), number));
            }
        }
    }

    #[test]
    fn the_published_vectors() {
        assert_eq!(philox([0; 4], [0; 2]), [0x6627_e8d5, 0xe169_c58d, 0xbc57_ac4c, 0x9b00_dbd8]);
        assert_eq!(philox([!0; 4], [!0; 2]), [0x408f_276d, 0x41c8_3b0e, 0xa20b_c7c6, 0x6d54_51fd]);
    }

    #[test]
    fn every_number_below_the_bound_is_as_likely() {
        let stream = Stream::new(7, 3);
        let mut counts = [0u32; 5];
        (0..50_000).for_each(|i| counts[stream.below(i, 5) as usize] += 1);
        assert!(counts.iter().all(|&n| n.abs_diff(10_000) < 400), "{counts:?}");
        assert!((0..1000).all(|i| (0.0..1.0).contains(&stream.uniform(i))));
        assert_eq!(stream.below(9, 1), 0);
    }

    #[test]
    fn streams_and_seeds_differ() {
        let numbers = |seed, stream| (0..8).map(|i| Stream::new(seed, stream).below(i, 1 << 40)).collect::<Vec<_>>();
        assert_ne!(numbers(0, 0), numbers(0, 1));
        assert_ne!(numbers(0, 0), numbers(1, 0));
        assert_eq!(numbers(5, 2), numbers(5, 2));
    }
}
