//! The rows that trees are grown from, as Python gives them; what becomes of them stands where they are used.

use crate::convert::{self, OwnedTarget};
use crate::enter::Size;
use crate::matrix::ColumnSource;
use numpy::PyReadonlyArray1;
use pyo3::prelude::*;
use treewright_core::prelude::Kind;

/// Columns, target and weights. Target and weights are copies: another thread may write to the caller's arrays while the
/// core works.
pub struct TrainingRows<'py> {
    pub kinds: Vec<Kind>,
    pub columns: ColumnSource<'py>,
    pub target: OwnedTarget,
    pub weights: Option<Vec<f64>>,
}

impl<'py> TrainingRows<'py> {
    /// The target is codes of so many classes, or numbers where `classes` is None.
    pub fn new(
        levels: &[Option<u32>],
        columns: &Bound<'py, PyAny>,
        target: &Bound<'_, PyAny>,
        classes: Option<usize>,
        weights: Option<&PyReadonlyArray1<'_, f64>>,
    ) -> PyResult<TrainingRows<'py>> {
        let kinds = convert::kinds(levels);
        let target = OwnedTarget::new(target, classes)?;
        let weights = convert::copy_some(weights)?;
        let columns = ColumnSource::new(&kinds, columns)?;
        Ok(TrainingRows { kinds, columns, target, weights })
    }

    /// How many numbers and codes there are, one at least in each row.
    pub fn cells(&self) -> usize {
        self.target.len().saturating_mul(self.kinds.len().max(1))
    }

    /// The size of a task that learns from them.
    pub fn size(&self) -> Size {
        Size::learning(self.target.len(), self.kinds.len())
    }
}
