//! Cells become ordered codes: a smaller code is a smaller number. No targets, no nodes.
//!
//! Three codings, from the finest to the coarsest:
//!
//! | coding | bits | one code is | for |
//! | --- | --- | --- | --- |
//! | [`ranks`] | 32 | one number of the column | lists of rows |
//! | [`spread`] | 16 | one number, or several that lie side by side | columns of codes |
//! | [`bins`] | 8 | the numbers between two cuts | boosting |
//!
//! [`all_columns`] codes a whole table with the second of them.

pub mod all_columns;
pub mod bins;
pub mod cuts;
pub mod distinct;
pub mod ordered;
pub mod ranks;
pub mod sorted;
pub mod spread;
#[cfg(test)]
mod tests;
