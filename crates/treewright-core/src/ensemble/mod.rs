//! Many trees: loops around [`super::grow`] that change how often rows count, or what they weigh.
//!
//! | file | is |
//! | --- | --- |
//! | [`sample`] | how often each row counts in each tree |
//! | [`bag`] | trees of samples, grown beside each other |
//! | [`stumps`], [`adaboost`] | the best stump of weighted rows, again and again; what becomes of the weights |
//! | [`oob`] | what trees say of rows that they have not seen |

pub mod adaboost;
pub mod bag;
pub mod bagging;
pub mod oob;
pub mod sample;
pub mod stumps;
