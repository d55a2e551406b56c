//! Fitted models: the node table, the way of a row through it, many trees or remembered cases, their bytes. Knows nothing of learning.

pub mod alternatives;
pub mod arriving_trees;
mod canonical;
pub mod cases;
mod columns;
pub mod combine;
pub mod contributions;
mod derived_numbers;
mod document;
pub mod engine;
mod exponentials;
pub mod file;
mod foreign;
pub mod forest;
mod number_bytes;
pub mod order;
mod shapley;
pub mod tree;
pub mod tree_bytes;
mod tree_check;
pub mod walk;
