//! Splitters: one column of one node in, its best split out. They know neither other columns nor the depth.

pub mod choose;
pub mod contest;
pub mod cut;
pub mod draw;
pub mod groups;
pub mod imitate;
pub mod levels;
pub mod monotone;
pub mod principal;
pub mod shared;
pub mod subset;
pub mod threshold;
pub mod values;
