//! Other processes that fit the same model on other rows. Each runs the same loop on its own rows, adds its integers to
//! those of the others, and decides the same from the same sums, so no decision is ever sent.

pub mod threads;

use crate::error::{Error, Result};
use std::ops::Range;

/// So many processes each get all sums and search all columns.
const MAX_SIZE_TO_SEARCH_ALL: usize = 16;

/// The processes of one fit, seen from one of them. Every process calls the same methods in the same order with slices
/// of the same length; an implementation reports a difference as an error and never as a wrong sum.
pub trait Peers: Send + Sync {
    /// The number of this process, from 0.
    fn rank(&self) -> usize;

    /// How many processes take part, at least 1.
    fn size(&self) -> usize;

    /// Replaces each word by its sum over all processes, modulo 2^64 (so two's complement numbers add as well).
    fn add(&self, words: &mut [u64]) -> Result<()>;

    /// Replaces each word by its maximum over all processes.
    fn max(&self, words: &mut [u64]) -> Result<()>;

    /// The bytes of every process in the order of ranks. Lengths may differ.
    fn gather(&self, bytes: &[u8]) -> Result<Vec<Vec<u8>>>;

    /// Sends `parts[rank]` to each process; returns what each has sent to this one, in the order of ranks.
    fn exchange(&self, parts: &[Vec<u8>]) -> Result<Vec<Vec<u8>>> {
        let mut all = Vec::new();
        for part in parts {
            all.extend_from_slice(&(part.len() as u64).to_le_bytes());
            all.extend_from_slice(part);
        }
        self.gather(&all)?.iter().map(|sent| part_of(sent, self.rank())).collect()
    }

    /// Adds like [`Peers::add`], but only the words of `parts[rank]` need to hold sums in each process; the parts follow
    /// each other and cover all words.
    fn add_parts(&self, words: &mut [u64], _parts: &[Range<usize>]) -> Result<()> {
        self.add(words)
    }

    /// Whether [`Peers::add_parts`] is so much cheaper than [`Peers::add`] that each process should search some columns
    /// and tell the others what it found.
    fn shares_columns(&self) -> bool {
        self.size() > MAX_SIZE_TO_SEARCH_ALL
    }

    /// Takes no further part in the fit: every call of the other processes fails from now on, and so does a call of this
    /// one that waits for them.
    fn leave(&self) {}
}

impl std::fmt::Debug for dyn Peers + '_ {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "process {} of {}", self.rank(), self.size())
    }
}

/// One of the parts that a process has sent, each behind its length.
fn part_of(sent: &[u8], number: usize) -> Result<Vec<u8>> {
    let torn = || Error::data("fit.peers", "a message of another process of the fit is too short");
    let mut rest = sent;
    for _ in 0..number {
        let (length, behind) = rest.split_first_chunk::<8>().ok_or_else(torn)?;
        rest = behind.get(u64::from_le_bytes(*length) as usize..).ok_or_else(torn)?;
    }
    let (length, behind) = rest.split_first_chunk::<8>().ok_or_else(torn)?;
    Ok(behind.get(..u64::from_le_bytes(*length) as usize).ok_or_else(torn)?.to_vec())
}

/// One process that has all rows. Every method leaves its values as they are.
#[derive(Debug, Clone, Copy, Default)]
pub struct Alone;

impl Peers for Alone {
    fn rank(&self) -> usize {
        0
    }

    fn size(&self) -> usize {
        1
    }

    fn add(&self, _words: &mut [u64]) -> Result<()> {
        Ok(())
    }

    fn max(&self, _words: &mut [u64]) -> Result<()> {
        Ok(())
    }

    fn gather(&self, bytes: &[u8]) -> Result<Vec<Vec<u8>>> {
        Ok(vec![bytes.to_vec()])
    }
}
