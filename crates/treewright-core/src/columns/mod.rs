//! What the columns of a table are, which of them are features, and why: every rule about columns exists here, once.
//!
//! [`reading`] runs the rules in their order: [`kinds`] (numeric or categorical), [`declared`] (levels that the user
//! listed), [`date_columns`] (dates and their parts), [`roles`] (which columns are features), [`file_notes`] (the file as
//! a whole). [`target`] and [`features`] are what learners read, with [`rare_levels`] for nearly unique text; [`open`] does
//! all of it with the bytes of a file. Every decision that the user did not make has
//! an [`explanation`].
//!
//! Glossary. A *choice* is what the user decided about a column; it wins over the rules. An *ignored* column stays in the
//! table but is no feature.

pub mod amounts;
mod clock;
pub mod column;
pub mod date_columns;
pub mod dates;
mod declared;
pub mod explanation;
pub mod features;
pub mod file_notes;
mod kinds;
mod mixed;
pub mod number_label;
pub mod open;
pub mod rare_levels;
pub mod reading;
pub mod refusal;
pub mod roles;
pub mod sentence;
pub mod target;
#[cfg(test)]
mod tests;
