//! Statistics on their way between processes: as words that can be added, and as bytes that can be put back in order.
//!
//! Numbers are mostly small, so bytes hold seven bits each and a number ends with the first byte below 128.

use crate::error::{Error, Result};
use crate::peers::Peers;
use crate::stats::criterion::Stat;
use crate::sys::memory::room;

/// Replaces each number by its sum over all processes.
pub fn add_everywhere<S: Stat>(peers: &dyn Peers, numbers: &mut [S]) -> Result<()> {
    if peers.size() == 1 || numbers.is_empty() {
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

impl Stat for u64 {
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

impl Stat for i128 {
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
    use crate::peers::threads::ThreadPeers;

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

    #[test]
    fn signed_sums_are_sums() {
        let sums = [i128::from(i64::MIN) * 7, -1, 0, i128::MAX / 3, 1 << 64];
        let results = std::thread::scope(|scope| {
            let threads: Vec<_> = ThreadPeers::new(3, false)
                .into_iter()
                .map(|peer| {
                    scope.spawn(move || {
                        let mut own = sums.map(|sum| sum / (peer.rank() as i128 + 1));
                        add_everywhere(&peer, &mut own).unwrap();
                        own
                    })
                })
                .collect();
            threads.into_iter().map(|thread| thread.join().unwrap()).collect::<Vec<_>>()
        });
        for result in results {
            assert_eq!(result, sums.map(|sum| sum + sum / 2 + sum / 3));
        }
    }
}
