//! Splitters: one column of one node in, its best split out. They know neither other columns nor the depth.

pub mod choose;
pub mod column;
pub mod contest;
pub mod cuts;
pub mod groups;
pub mod levels;
pub mod monotone;
pub mod priced_threshold;
pub mod principal;
pub mod sampling;
pub mod shared;
pub mod subset;
pub mod surrogate;
pub mod sweep;
pub mod threshold;
pub mod unknowns;
