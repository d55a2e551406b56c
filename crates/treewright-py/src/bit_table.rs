//! Tables of zeros and ones for Python, packed.

use crate::enter::{Size, enter};
use crate::matrix::{Held, PyMatrix};
use numpy::ndarray::ArrayView2;
use numpy::{IntoPyArray, PyArray1, PyArray2, PyArrayMethods};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use std::sync::Arc;
use treewright_core::Result;
use treewright_optimal::BitMatrix;
use treewright_optimal::bits::Cell;

/// Zeros and ones, packed.
#[pyclass(frozen, name = "BitTable", module = "treewright._core")]
pub struct PyBitTable(pub Arc<BitMatrix>);

#[pymethods]
impl PyBitTable {
    /// Packs a matrix of zeros and ones; any other number counts as one.
    #[new]
    fn new(py: Python<'_>, matrix: &PyMatrix) -> PyResult<PyBitTable> {
        let held = matrix.held(py).ok_or_else(|| PyTypeError::new_err("not a regular array of numbers"))?;
        let (rows, columns) = held.shape();
        let size = Size { bytes: rows * columns.div_ceil(64) * 8, steps: rows * columns / 64 };
        let bits = match &held {
            Held::Single(array) => {
                let cells = array.as_array();
                enter(py, size, |_| pack(cells))?
            }
            Held::Double(array) => {
                let cells = array.as_array();
                enter(py, size, |_| pack(cells))?
            }
        };
        Ok(PyBitTable(Arc::new(bits)))
    }

    /// Rows and columns.
    #[getter]
    fn shape(&self) -> (usize, usize) {
        (self.0.rows(), self.0.columns())
    }

    /// One column.
    fn column<'py>(&self, py: Python<'py>, column: usize) -> PyResult<Bound<'py, PyArray1<bool>>> {
        if column >= self.0.columns() {
            return Err(PyValueError::new_err("there is no such column"));
        }
        let cells: Vec<bool> = (0..self.0.rows()).map(|row| self.0.get(row, column)).collect();
        Ok(cells.into_pyarray(py))
    }

    /// One byte for each cell.
    fn to_array<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<u8>>> {
        let (rows, columns) = self.shape();
        let cells: Vec<u8> =
            (0..rows).flat_map(|row| (0..columns).map(move |column| u8::from(self.0.get(row, column)))).collect();
        cells.into_pyarray(py).reshape([rows, columns])
    }
}

/// Packs an array; any value but 0 is a one.
pub fn pack<T: Cell>(cells: ArrayView2<'_, T>) -> Result<BitMatrix> {
    let (rows, columns) = cells.dim();
    match (cells.as_slice(), cells.t().as_slice()) {
        (Some(cells), _) => BitMatrix::from_rows(rows, columns, cells),
        (_, Some(cells)) => BitMatrix::from_columns(rows, columns, cells),
        _ if cells.strides()[1] == 1 => {
            BitMatrix::from_single_rows(rows, columns, cells.rows().into_iter().filter_map(|row| row.to_slice()))
        }
        _ => BitMatrix::from_cells(rows, columns, |row, column| cells[[row, column]] != T::default()),
    }
}

/// Adds everything here to the module.
pub fn register(m: &Bound<'_, PyModule>) -> PyResult<()> {
    m.add_class::<PyBitTable>()
}
