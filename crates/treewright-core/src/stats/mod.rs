//! What is added up over rows: criteria, and the integers that weights and targets become. Neither columns nor nodes.

pub mod averaged;
pub mod chance;
pub mod criterion;
pub mod entry;
pub mod merged;
pub mod merged_order;
pub mod numbers;
pub mod order;
pub mod portable;
pub mod risk;
pub mod summed;
pub mod target;
pub mod weights;
