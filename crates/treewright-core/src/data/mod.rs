//! Columns: how a table reaches the learners, and how text becomes one.

pub mod csv;
pub mod sparse;
pub mod strided;
pub mod survey;
pub mod table;
