//! The words of samples.

use super::{Words, part};
use crate::Result;
use crate::ensemble::bagging::Sampling;
use crate::ensemble::sample::How;

/// The words for drawing rows.
pub const SAMPLING: &Words<How> =
    &[("all", How::All), ("bootstrap", How::Bootstrap), ("balanced", How::Balanced), ("subset", How::Subset)];

/// The words and numbers of [`Sampling`].
#[derive(Clone, Debug, Default)]
pub struct SamplingWords {
    /// See [`SAMPLING`].
    pub sampling: String,
    /// See [`Sampling::draws`].
    pub draws: Option<usize>,
    /// See [`Sampling::seed`].
    pub seed: u64,
    /// See [`Sampling::columns`].
    pub columns: Option<usize>,
    /// See [`Sampling::cuts`].
    pub cuts: bool,
    /// See [`Sampling::balanced`].
    pub balanced: bool,
    /// See [`Sampling::given`].
    pub given: Option<Vec<u32>>,
}

impl SamplingWords {
    /// What the words stand for.
    pub fn read(self) -> Result<Sampling> {
        Ok(Sampling {
            how: part("sampling", &self.sampling, SAMPLING)?,
            draws: self.draws,
            seed: self.seed,
            columns: self.columns,
            cuts: self.cuts,
            balanced: self.balanced,
            given: self.given,
        })
    }
}
