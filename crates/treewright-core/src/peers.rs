//! Other processes that fit the same model on other rows. Each runs the same loop on its own rows, adds its integers to
//! those of the others, and decides the same from the same sums, so no decision is ever sent.

use crate::error::Result;

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
