//! The processes of a fit for Python: handles that fitting functions take as `peers`.

use crate::convert::copy;
use crate::enter::enter_together;
use numpy::{IntoPyArray, PyArray1, PyReadonlyArray1};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyList};
use std::sync::Arc;
use treewright_core::prelude::{Alone, Peers, ThreadPeers};

/// The most threads that stand for processes.
const MAX_THREADS: usize = 1 << 10;

/// One of the processes of a fit, whatever connects it with the others.
#[pyclass(frozen, subclass, name = "Peers", module = "treewright._core")]
pub struct PyPeers(pub Arc<dyn Peers>);

#[pymethods]
impl PyPeers {
    /// The number of this process, from 0.
    #[getter]
    fn rank(&self) -> usize {
        self.0.rank()
    }

    /// How many processes take part.
    #[getter]
    fn size(&self) -> usize {
        self.0.size()
    }

    /// The sums of the words of all processes.
    fn add<'py>(&self, py: Python<'py>, words: PyReadonlyArray1<'py, u64>) -> PyResult<Bound<'py, PyArray1<u64>>> {
        let mut words = copy(&words)?;
        enter_together(py, words.len(), &*self.0, |_| self.0.add(&mut words))?;
        Ok(words.into_pyarray(py))
    }

    /// The greatest of the words of all processes.
    fn max<'py>(&self, py: Python<'py>, words: PyReadonlyArray1<'py, u64>) -> PyResult<Bound<'py, PyArray1<u64>>> {
        let mut words = copy(&words)?;
        enter_together(py, words.len(), &*self.0, |_| self.0.max(&mut words))?;
        Ok(words.into_pyarray(py))
    }

    /// The bytes of all processes.
    fn gather<'py>(&self, py: Python<'py>, data: Vec<u8>) -> PyResult<Bound<'py, PyList>> {
        let all = enter_together(py, data.len(), &*self.0, |_| self.0.gather(&data))?;
        PyList::new(py, all.iter().map(|bytes| PyBytes::new(py, bytes)))
    }

    /// What each process has sent to this one, which sends a part to each.
    fn exchange<'py>(&self, py: Python<'py>, parts: Vec<Vec<u8>>) -> PyResult<Bound<'py, PyList>> {
        let cells: usize = parts.iter().map(Vec::len).sum();
        let all = enter_together(py, cells, &*self.0, |_| self.0.exchange(&parts))?;
        PyList::new(py, all.iter().map(|bytes| PyBytes::new(py, bytes)))
    }

    /// Takes no further part: calls of the others fail.
    fn leave(&self, py: Python<'_>) {
        py.detach(|| self.0.leave());
    }
}

/// One of several threads of this process that stand for the processes of a fit.
#[pyclass(frozen, extends = PyPeers, name = "ThreadPeers", module = "treewright._core")]
pub struct PyThreadPeers;

#[pymethods]
impl PyThreadPeers {
    /// A handle for each of so many threads; with `shares_columns` each searches some columns, as many processes would.
    #[staticmethod]
    #[pyo3(signature = (size, shares_columns=false))]
    fn several(py: Python<'_>, size: usize, shares_columns: bool) -> PyResult<Vec<Py<PyThreadPeers>>> {
        if !(1..=MAX_THREADS).contains(&size) {
            return Err(PyValueError::new_err(format!("size must be between 1 and {MAX_THREADS}; got {size}")));
        }
        let handle = |peer| Py::new(py, PyClassInitializer::from(PyPeers(Arc::new(peer))).add_subclass(PyThreadPeers));
        ThreadPeers::new(size, shares_columns).into_iter().map(handle).collect()
    }
}

/// What a fit runs with: the handle that was given, or nobody else.
pub fn peers_of(handle: Option<&Bound<'_, PyAny>>) -> PyResult<Arc<dyn Peers>> {
    let Some(handle) = handle else { return Ok(Arc::new(Alone)) };
    match handle.cast::<PyPeers>() {
        Ok(peers) => Ok(Arc::clone(&peers.get().0)),
        Err(_) => {
            let message = format!("peers must be None or a handle of _core; got {}", handle.get_type());
            Err(PyTypeError::new_err(message))
        }
    }
}

/// Adds everything here to the module.
pub fn register(m: &Bound<'_, PyModule>) -> PyResult<()> {
    m.add_class::<PyPeers>()?;
    m.add_class::<PyThreadPeers>()
}
