//! Statistics on their way between processes: as words that can be added, and as bytes that can be put back in order.
//!
//! Numbers are mostly small, so bytes hold seven bits each and a number ends with the first byte below 128.

use crate::error::{Error, Result};
use crate::peers::Peers;
use crate::sys::memory::room;

/// An integer that processes send each other.
pub trait Portable: Copy {
    /// How many words it takes.
    const WORDS: usize;

    /// Appends words; words that are added in all processes are those of the sum.
    fn put_words(self, words: &mut Vec<u64>);
    /// The number of such words.
    fn from_words(words: &[u64]) -> Self;
    /// Appends bytes.
    fn put_bytes(self, bytes: &mut Vec<u8>);
    /// Takes a number from the front of some bytes.
    fn take_bytes(bytes: &mut &[u8]) -> Result<Self>;
}

/// Replaces each number by its sum over all processes.
pub fn add_everywhere<S: Portable>(peers: &dyn Peers, numbers: &mut [S]) -> Result<()> {
    if peers.size() == 1 {
        return Ok(());
    }
    let mut words = room(numbers.len().saturating_mul(S::WORDS))?;
    numbers.iter().for_each(|number| number.put_words(&mut words));
    peers.add(&mut words)?;
    numbers.iter_mut().zip(words.chunks_exact(S::WORDS)).for_each(|(number, words)| *number = S::from_words(words));
    Ok(())
}

/// What is wrong with bytes that end too early.
fn cut_off() -> Error {
    Error::data("fit.peers", "a message of another process of the fit is too short")
}

/// Takes so many bytes from the front of others.
pub fn take<'b>(bytes: &mut &'b [u8], count: usize) -> Result<&'b [u8]> {
    let (front, rest) = bytes.split_at_checked(count).ok_or_else(cut_off)?;
    *bytes = rest;
    Ok(front)
}

fn put_seven_bits(mut number: u128, bytes: &mut Vec<u8>) {
    while number >= 128 {
        bytes.push(number as u8 | 128);
        number >>= 7;
    }
    bytes.push(number as u8);
}

fn take_seven_bits(bytes: &mut &[u8]) -> Result<u128> {
    let (mut number, mut shift) = (0u128, 0);
    loop {
        let (&byte, rest) = bytes.split_first().ok_or_else(cut_off)?;
        *bytes = rest;
        number |= u128::from(byte & 127).checked_shl(shift).unwrap_or(0);
        shift += 7;
        if byte < 128 {
            return Ok(number);
        }
    }
}

impl Portable for u64 {
    const WORDS: usize = 1;

    fn put_words(self, words: &mut Vec<u64>) {
        words.push(self);
    }

    fn from_words(words: &[u64]) -> u64 {
        words[0]
    }

    fn put_bytes(self, bytes: &mut Vec<u8>) {
        put_seven_bits(u128::from(self), bytes);
    }

    fn take_bytes(bytes: &mut &[u8]) -> Result<u64> {
        Ok(take_seven_bits(bytes)? as u64)
    }
}

impl Portable for i128 {
    const WORDS: usize = 4;

    /// 32 bits a word: sums of fewer than 2^32 processes lose no carry.
    fn put_words(self, words: &mut Vec<u64>) {
        words.extend((0..4).map(|word| (self as u128 >> (32 * word)) as u64 & u64::from(u32::MAX)));
    }

    fn from_words(words: &[u64]) -> i128 {
        let sum = |sum: u128, (word, &bits): (usize, &u64)| sum.wrapping_add(u128::from(bits) << (32 * word));
        words.iter().enumerate().fold(0, sum) as i128
    }

    /// Numbers of either sign that are near 0 take few bytes.
    fn put_bytes(self, bytes: &mut Vec<u8>) {
        put_seven_bits(((self << 1) ^ (self >> 127)) as u128, bytes);
    }

    fn take_bytes(bytes: &mut &[u8]) -> Result<i128> {
        let number = take_seven_bits(bytes)?;
        Ok((number >> 1) as i128 ^ -((number & 1) as i128))
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn numbers_come_back_and_words_add_up() {
        let numbers = [0, 1, -1, 127, -128, 1 << 40, -(1 << 90), i128::MAX, i128::MIN];
        let (mut bytes, mut words) = (Vec::new(), Vec::new());
        for &number in &numbers {
            number.put_bytes(&mut bytes);
            number.put_words(&mut words);
        }
        let mut rest = &bytes[..];
        assert!(numbers.iter().all(|&number| i128::take_bytes(&mut rest).unwrap() == number));
        assert!(rest.is_empty() && i128::take_bytes(&mut rest).is_err());
        for (i, a) in numbers.iter().enumerate() {
            for (j, b) in numbers.iter().enumerate() {
                let sum: Vec<u64> = (0..4).map(|word| words[4 * i + word] + words[4 * j + word]).collect();
                assert_eq!(i128::from_words(&sum), a.wrapping_add(*b));
            }
        }
    }
}
