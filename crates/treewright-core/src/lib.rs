//! The core of treewright, in the order a tree comes to be:
//!
//! 1. [`data`]: columns of numbers and codes, and the text they are read from.
//! 2. [`learn`]: a recipe of parts (criterion, splitter, chooser, limits) and the one loop, [`learn::grow`],
//!    that turns columns into a tree.
//! 3. [`model`]: the node table that the loop writes and everybody else reads; the way of a row through it;
//!    its bytes. It knows nothing of learning.
//!
//! Beside it stands [`neighbors`], which learns nothing: it finds the nearest rows.
//!
//! What this crate is not: it has no Python, no names of algorithms ("ID3" is a recipe of parts, written in
//! Python), no clock and no global state but the lazily made thread pool in [`pool`] and the
//! reserve of [`memory`].
//!
//! Imports go one way: `error, memory, pool, rng, simd <- data <- model <- learn`, and `data <- neighbors`.

pub mod data;
pub mod error;
pub mod learn;
pub mod memory;
pub mod model;
pub mod neighbors;
pub mod pages;
pub mod pool;
pub mod rng;
pub mod simd;

pub use error::{Error, Result};
