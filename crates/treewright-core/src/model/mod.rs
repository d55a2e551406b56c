//! Fitted models: the node table, the way of a row through it, many trees or remembered cases, their bytes. Knows nothing of learning.

pub mod cases;
mod columns;
mod document;
pub mod file;
mod foreign;
pub mod forest;
pub mod spares;
pub mod tree;
pub mod walk;
