//! The nearest rows of a table, always exactly.
//!
//! [`rows`] holds rows and queries, [`distance`] says what near means, and [`index`] chooses a search:
//!
//! | search | for | looks at |
//! | --- | --- | --- |
//! | [`plain`] | everything | every row, in f64: the oracle of the others |
//! | [`tree_search`] by a [`tree`] | few columns of complete numbers | the leaves of a k-d tree that may matter |
//! | [`brute_force`] by [`singles`] or [`bytes`] | many columns, Euclid | every row, through a filter |
//! | [`mixed`] over [`blocks`] | categories and missing values | every row, through a filter |
//!
//! A filter works on few bits and lets a row pass whenever it may be near: its bound holds for every rounding. What
//! passes is measured in f64 by the one definition, so all searches give the same rows and the same distances, on any
//! number of threads and with any registers ([`crate::simd`]).

mod best;
mod blocks;
mod boxes;
mod brute_force;
mod bytes;
mod candidates;
mod careful;
pub mod distance;
pub mod index;
mod job;
mod kd_order;
mod median;
mod mixed;
mod packed;
mod pending;
mod plain;
mod probe;
pub mod rows;
mod shortlist;
mod singles;
mod tree;
mod tree_search;
mod tree_walk;
#[cfg(target_arch = "x86_64")]
mod vnni;
