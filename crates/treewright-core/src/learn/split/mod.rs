//! Splitters: one column of one node in, its best split out. They know neither other columns nor the depth.

pub mod levels;
pub mod threshold;
