//! How the rows of a node are divided among classes, as formulas see it. How it is counted stands in [`super::counts`].

use super::kernels::Isa;
use super::segments::Segment;

/// What formulas know about a node.
#[derive(Clone, Copy, Debug)]
pub struct Shape<'a> {
    /// The rows, class after class.
    pub segments: &'a [Segment],
    /// How often the rows of each class count.
    pub classes: &'a [u32],
    /// Which classes these are.
    pub labels: &'a [u32],
    /// See [`Formula::factor`].
    pub factors: &'a [f64],
    /// The weight of each row, in the criterion's units.
    pub units: u64,
    /// How often all of them count.
    pub rows: usize,
    /// What they cost when each counts 1, or its factor.
    pub cost: f64,
    /// The instructions in use.
    pub isa: Isa,
}
