//! Many trees: loops around [`super::grow`] that change how often rows count, or what they weigh.
//!
//! | file | is |
//! | --- | --- |
//! | [`sample`] | how often each row counts in each tree |
//! | [`bag`] | trees of samples, grown beside each other |
//! | [`merged_bagging`] | the same from rows that lie in several processes |
//! | [`forest_cache`] | what the trees of several calls share |
//! | [`stumps`], [`adaboost`] | the best stump of weighted rows, again and again; what becomes of the weights |
//! | [`oob`] | what trees say of rows that they have not seen |
//! | [`leaf_targets`], [`leaf_target_bytes`] | the targets of the rows in each leaf, for quantiles; in files |

pub mod adaboost;
pub mod bag;
pub mod bagging;
pub mod forest_cache;
pub mod leaf_target_bytes;
pub mod leaf_targets;
mod merged_bagging;
mod merged_stumps;
pub mod oob;
pub mod sample;
mod several;
pub mod stumps;
