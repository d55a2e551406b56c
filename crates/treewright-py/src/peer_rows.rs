//! The rows of one process of a boosting fit for Python, taken part by part.

use crate::boost::{over, words};
use crate::convert;
use crate::enter::{Size, enter_together, raise};
use crate::matrix::ColumnSource;
use crate::peers::peers_of;
use numpy::{PyArray1, PyReadonlyArray1};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use std::sync::{Mutex, PoisonError};
use treewright_core::prelude::{Cancel, Kind, PeerRows, Table, Target};
use treewright_core::{Error, Result};

/// The rows of one process of a fit.
#[pyclass(frozen, name = "PeerRows", module = "treewright._core")]
pub struct PyPeerRows {
    pub kinds: Vec<Kind>,
    rows: Mutex<Option<PeerRows>>,
}

#[pymethods]
impl PyPeerRows {
    #[new]
    #[pyo3(signature = (recipe, levels, peers=None))]
    fn new(
        py: Python<'_>,
        recipe: &Bound<'_, PyDict>,
        levels: Vec<Option<u32>>,
        peers: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<PyPeerRows> {
        let words = words(recipe)?;
        if words.exact {
            let message = "exact splits need all rows in one process; use splits=\"histogram\"";
            return Err(raise(py, Error::data("fit.peers", message)));
        }
        let plan = words.plan().map_err(|error| raise(py, error))?;
        let kinds = convert::kinds(&levels);
        let rows = PeerRows::new(plan, kinds.clone(), peers_of(peers)?);
        Ok(PyPeerRows { kinds, rows: Mutex::new(Some(rows)) })
    }

    /// How many rows this process has.
    #[getter]
    fn rows(&self) -> PyResult<usize> {
        self.read(PeerRows::rows)
    }

    /// How many rows all processes have, once there is a sample.
    #[getter]
    fn total_rows(&self) -> PyResult<u64> {
        self.read(PeerRows::total_rows)
    }

    /// Looks at the next part of the rows. The target is codes where the recipe has classes, else numbers.
    #[pyo3(signature = (columns, target, weights=None))]
    fn look(
        &self,
        py: Python<'_>,
        columns: &Bound<'_, PyAny>,
        target: &Bound<'_, PyAny>,
        weights: Option<PyReadonlyArray1<'_, f64>>,
    ) -> PyResult<()> {
        let weights = convert::copy_some(weights.as_ref())?;
        let (numbers, codes) = match target.extract::<PyReadonlyArray1<'_, u32>>() {
            Ok(codes) => (Vec::new(), Some(convert::copy(&codes)?)),
            Err(_) => (convert::copy(&target.extract::<PyReadonlyArray1<'_, f64>>()?)?, None),
        };
        self.with_part(py, columns, |rows, table, cancel| {
            let target = match &codes {
                Some(codes) => Target::Classes { codes, classes: 0 },
                None => Target::Numbers(&numbers),
            };
            rows.look(table, target, weights.as_deref(), cancel)
        })
    }

    /// Holds out a share of all rows; returns which of this process.
    fn hold_out<'py>(&self, py: Python<'py>, fraction: f64, seed: u64) -> PyResult<Bound<'py, PyArray1<bool>>> {
        let held = self.together(py, |rows| Ok(rows.hold_out(fraction, seed)?.to_vec()))?;
        Ok(PyArray1::from_vec(py, held))
    }

    /// Agrees on the rows that columns are cut by.
    fn choose_sample(&self, py: Python<'_>) -> PyResult<()> {
        self.together(py, PeerRows::choose_sample)
    }

    /// Takes the sampled rows of the next part.
    fn sample(&self, py: Python<'_>, columns: &Bound<'_, PyAny>) -> PyResult<()> {
        self.with_part(py, columns, PeerRows::sample)
    }

    /// Agrees on where columns are cut.
    fn cut(&self, py: Python<'_>) -> PyResult<()> {
        self.together(py, PeerRows::cut)
    }

    /// Codes the next part.
    fn code(&self, py: Python<'_>, columns: &Bound<'_, PyAny>) -> PyResult<()> {
        self.with_part(py, columns, PeerRows::code)
    }
}

impl PyPeerRows {
    /// The rows; nobody can use this object any more.
    pub fn take(&self) -> PyResult<PeerRows> {
        self.rows.lock().unwrap_or_else(PoisonError::into_inner).take().ok_or_else(over)
    }

    fn read<T>(&self, value: impl Fn(&PeerRows) -> T) -> PyResult<T> {
        self.rows.lock().unwrap_or_else(PoisonError::into_inner).as_ref().map(value).ok_or_else(over)
    }

    /// Does something with the rows; after an error they are gone, and the other processes hear of it.
    fn run<T: Send>(
        &self,
        py: Python<'_>,
        size: Size,
        work: impl FnOnce(&mut PeerRows, &Cancel) -> Result<T> + Send,
    ) -> PyResult<T> {
        let mut rows = self.take()?;
        let peers = rows.peers().clone();
        let (value, rows) = enter_together(py, size, &*peers, |cancel| {
            let value = work(&mut rows, cancel)?;
            Ok((value, rows))
        })?;
        *self.rows.lock().unwrap_or_else(PoisonError::into_inner) = Some(rows);
        Ok(value)
    }

    fn together<T: Send>(&self, py: Python<'_>, work: impl FnOnce(&mut PeerRows) -> Result<T> + Send) -> PyResult<T> {
        let rows = self.read(PeerRows::rows)?;
        self.run(py, Size::learning(rows, self.kinds.len()), |rows, _| work(rows))
    }

    fn with_part(
        &self,
        py: Python<'_>,
        columns: &Bound<'_, PyAny>,
        work: impl FnOnce(&mut PeerRows, &Table<'_>, &Cancel) -> Result<()> + Send,
    ) -> PyResult<()> {
        let source = ColumnSource::new(&self.kinds, columns)?;
        let table = source.table(py)?;
        let size = Size::learning(source.rows(), self.kinds.len());
        self.run(py, size, |rows, cancel| work(rows, &table, cancel))
    }
}

/// Adds everything here to the module.
pub fn register(m: &Bound<'_, PyModule>) -> PyResult<()> {
    m.add_class::<PyPeerRows>()
}
