//! The words of samples.

use super::{Words, part};
use crate::Result;
use crate::ensemble::sample::RowSampling;

/// The words for drawing rows.
pub(super) const SAMPLING: &Words<RowSampling> = &[
    ("all", RowSampling::All),
    ("bootstrap", RowSampling::Bootstrap),
    ("balanced", RowSampling::Balanced),
    ("subset", RowSampling::Subset),
];

/// How rows are drawn, by its word.
pub fn sampling(word: &str) -> Result<RowSampling> {
    part("sampling", word, SAMPLING)
}
