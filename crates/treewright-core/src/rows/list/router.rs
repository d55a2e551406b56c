//! The child that each row of a node goes to.

use crate::data::table::MISSING;
use crate::model::tree::Question;

/// Sends rows to children by their codes.
#[derive(Clone, Copy, Debug)]
pub(super) struct Router<'r> {
    /// The code of each row.
    pub codes: &'r [u32],
    /// What is asked.
    pub question: &'r Question,
    /// The first code above a threshold, so that codes are compared instead of numbers.
    pub first_above: u32,
    /// The child of a missing value.
    pub unknown: u16,
}

impl Router<'_> {
    /// The child of a row.
    pub fn child_of(&self, row: u32) -> u16 {
        match (self.question, self.codes[row as usize]) {
            (_, MISSING) => self.unknown,
            (Question::Threshold(_), code) => u16::from(code >= self.first_above),
            (Question::Route(route), code) => route[code as usize],
        }
    }
}
