//! `Tree` for Python: the columns of one node table as numpy arrays that share its memory.

use numpy::ndarray::{ArrayView1, ArrayView2};
use numpy::{PyArray1, PyArray2, ToPyArray};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use std::sync::Arc;
use treewright_core::prelude::{Forest, Tree};

/// The node table of one tree as read-only arrays that share its memory.
#[pyclass(frozen, name = "Tree", module = "treewright._core")]
pub struct PyTree {
    forest: Arc<Forest>,
    index: usize,
}

impl PyTree {
    /// A tree of a forest that has it.
    pub fn new(forest: Arc<Forest>, index: usize) -> PyTree {
        PyTree { forest, index }
    }

    fn get(&self) -> &Tree {
        &self.forest.trees()[self.index]
    }
}

/// A read-only numpy view of a column that keeps the tree alive.
fn view<'py, T: numpy::Element>(
    slf: &Bound<'py, PyTree>,
    column: impl Fn(&Tree) -> &[T],
) -> PyResult<Bound<'py, PyArray1<T>>> {
    let values = ArrayView1::from(column(slf.get().get()));
    // SAFETY: the values are owned by the forest behind an `Arc` of the frozen object `slf`, which the array keeps alive
    // as its base; nothing ever changes or frees them before, and the array is made read-only at once.
    let array = unsafe { PyArray1::borrow_from_array(&values, slf.clone().into_any()) };
    read_only(array)
}

fn read_only<'py, A>(array: Bound<'py, A>) -> PyResult<Bound<'py, A>> {
    array.as_any().getattr("flags")?.setattr("writeable", false)?;
    Ok(array)
}

#[pymethods]
impl PyTree {
    #[getter]
    fn n_nodes(&self) -> usize {
        self.get().len()
    }

    #[getter]
    fn n_outputs(&self) -> usize {
        self.get().outputs
    }

    #[getter]
    fn first_child<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyArray1<u32>>> {
        view(slf, |tree| &tree.first_child)
    }

    #[getter]
    fn n_children<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyArray1<u16>>> {
        view(slf, |tree| &tree.n_children)
    }

    #[getter]
    fn feature<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyArray1<u32>>> {
        view(slf, |tree| &tree.feature)
    }

    #[getter]
    fn threshold<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyArray1<f64>>> {
        view(slf, |tree| &tree.threshold)
    }

    #[getter]
    fn route_start<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyArray1<u32>>> {
        view(slf, |tree| &tree.route_start)
    }

    #[getter]
    fn missing<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyArray1<u16>>> {
        view(slf, |tree| &tree.missing)
    }

    #[getter]
    fn value<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyArray2<f64>>> {
        let tree = slf.get().get();
        let values = ArrayView2::from_shape((tree.len(), tree.outputs), &tree.value)
            .map_err(|error| pyo3::exceptions::PyRuntimeError::new_err(error.to_string()))?;
        // SAFETY: as in `view`.
        let array = unsafe { PyArray2::borrow_from_array(&values, slf.clone().into_any()) };
        read_only(array)
    }

    #[getter]
    fn weight<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyArray1<f64>>> {
        view(slf, |tree| &tree.weight)
    }

    #[getter]
    fn count<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyArray1<u64>>> {
        view(slf, |tree| &tree.count)
    }

    #[getter]
    fn cost<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyArray1<f64>>> {
        view(slf, |tree| &tree.cost)
    }

    #[getter]
    fn gain<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyArray1<f64>>> {
        view(slf, |tree| &tree.gain)
    }

    #[getter]
    fn route<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyArray1<u16>>> {
        view(slf, |tree| &tree.route)
    }

    /// The columns of the spare questions, where there are any.
    fn spares<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyDict>>> {
        let Some(spares) = &self.get().spares else { return Ok(None) };
        let columns = PyDict::new(py);
        columns.set_item("start", spares.start.to_pyarray(py))?;
        columns.set_item("role", spares.role.to_pyarray(py))?;
        columns.set_item("feature", spares.feature.to_pyarray(py))?;
        columns.set_item("threshold", spares.threshold.to_pyarray(py))?;
        columns.set_item("below", spares.below.to_pyarray(py))?;
        columns.set_item("route_start", spares.route_start.to_pyarray(py))?;
        columns.set_item("merit", spares.merit.to_pyarray(py))?;
        columns.set_item("adjusted", spares.adjusted.to_pyarray(py))?;
        columns.set_item("count", spares.count.to_pyarray(py))?;
        columns.set_item("route", spares.route.to_pyarray(py))?;
        Ok(Some(columns))
    }
}
