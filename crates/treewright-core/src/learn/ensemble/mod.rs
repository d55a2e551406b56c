//! Many trees: loops around [`super::grow`] that change how often rows count, or what they weigh.
//!
//! | file | is |
//! | --- | --- |
//! | [`sample`] | how often each row counts in each tree |
//! | [`bag`] | trees of samples, grown beside each other |
//! | [`oob`] | what trees say of rows that they have not seen |

pub mod bag;
pub mod oob;
pub mod sample;
