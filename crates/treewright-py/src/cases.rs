//! `Cases` for Python, and the way from the bytes of a model file to what they hold.

use crate::convert::{self, Borrowed, OwnedTarget};
use crate::enter::{enter, raise};
use crate::forest::PyForest;
use numpy::{Element, IntoPyArray, PyArray1, PyArray2, PyArrayMethods};
use pyo3::exceptions::PyIndexError;
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use std::ops::Range;
use std::sync::Arc;
use treewright_core::prelude::{Cases, CasesTarget as Target, Contents, Kind, copied, file, room};

/// Training rows with their target; frozen.
#[pyclass(frozen, name = "Cases", module = "treewright._core")]
pub struct PyCases(Cases);

#[pymethods]
impl PyCases {
    /// Copies rows and their target: codes of so many classes, or numbers where `classes` is None.
    #[new]
    #[pyo3(signature = (levels, columns, target, classes, errors))]
    fn new(
        py: Python<'_>,
        levels: Vec<Option<u32>>,
        columns: Vec<Bound<'_, PyAny>>,
        target: &Bound<'_, PyAny>,
        classes: Option<usize>,
        errors: Vec<f64>,
    ) -> PyResult<PyCases> {
        let kinds = convert::kinds(&levels);
        let borrowed = convert::borrow(&kinds, &columns)?;
        let rows = convert::rows(&borrowed);
        let numeric = kinds.iter().filter(|kind| **kind == Kind::Numeric).count();
        let mut numbers = room(rows * numeric).map_err(|error| raise(py, error))?;
        let mut codes = room(rows * (kinds.len() - numeric)).map_err(|error| raise(py, error))?;
        for column in borrowed {
            match column {
                Borrowed::Numeric(values) => append(py, &mut numbers, values.as_slice()?)?,
                Borrowed::Codes(column, _) => append(py, &mut codes, column.as_slice()?)?,
            }
        }
        let target = match OwnedTarget::new(target, classes)? {
            OwnedTarget::Classes(codes, classes) => Target::Classes(codes, classes),
            OwnedTarget::Numbers(values) => Target::Numbers(values),
        };
        let cells = numbers.len() + codes.len();
        Ok(PyCases(enter(py, cells, |_| Cases::new(kinds, numbers, codes, target, errors))?))
    }

    /// The bytes of a model file.
    fn to_bytes<'py>(&self, py: Python<'py>, document: &str) -> PyResult<Bound<'py, PyBytes>> {
        let cells = self.0.rows() * self.0.kinds().len();
        let bytes = enter(py, cells, |cancel| file::cases_to_bytes(&self.0, document, cancel))?;
        convert::bytes(py, &bytes)
    }

    /// One column: numbers, or codes.
    fn column<'py>(&self, py: Python<'py>, index: usize) -> PyResult<Bound<'py, PyAny>> {
        let missing = || PyIndexError::new_err("there is no such column");
        let kinds = self.0.kinds();
        let kind = kinds.get(index).ok_or_else(missing)?;
        let numeric = kinds[..index].iter().filter(|kind| **kind == Kind::Numeric).count();
        match kind {
            Kind::Numeric => array(py, self.0.numbers(numeric).ok_or_else(missing)?),
            Kind::Categorical(_) => array(py, self.0.codes(index - numeric).ok_or_else(missing)?),
        }
    }

    /// The target: codes of classes, or numbers.
    #[getter]
    fn target<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        match self.0.target() {
            Target::Classes(codes, _) => array(py, codes),
            Target::Numbers(values) => array(py, values),
        }
    }

    /// The errors of leaving one out, by the number of neighbors.
    #[getter]
    fn errors<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<f64>> {
        self.0.errors().to_vec().into_pyarray(py)
    }

    #[getter]
    fn n_rows(&self) -> usize {
        self.0.rows()
    }

    #[getter]
    fn n_features(&self) -> usize {
        self.0.kinds().len()
    }

    #[getter]
    fn n_outputs(&self) -> usize {
        self.0.outputs()
    }
}

/// Adds values to a list.
fn append<T: Copy>(py: Python<'_>, list: &mut Vec<T>, values: &[T]) -> PyResult<()> {
    list.try_reserve(values.len()).map_err(|error| raise(py, error.into()))?;
    list.extend_from_slice(values);
    Ok(())
}

/// A copy of values as an array.
fn array<'py, T: Element + Copy>(py: Python<'py>, values: &[T]) -> PyResult<Bound<'py, PyAny>> {
    let values = copied(values).map_err(|error| raise(py, error))?;
    Ok(values.into_pyarray(py).into_any())
}

/// What each node had to choose from, as the text that the file has; frozen.
#[pyclass(frozen, name = "Work", module = "treewright._core")]
pub struct PyWork {
    document: String,
    nodes: Vec<Range<usize>>,
}

#[pymethods]
impl PyWork {
    fn __len__(&self) -> usize {
        self.nodes.len()
    }

    fn __getitem__(&self, node: usize) -> PyResult<&str> {
        let place = self.nodes.get(node).ok_or_else(|| PyIndexError::new_err("there is no such node"))?;
        Ok(&self.document[place.clone()])
    }
}

/// What `open_model` returns: the contents, the document without its long parts, the work, and the ranges.
type Opened<'py> = (Bound<'py, PyAny>, String, Option<PyWork>, Option<Bound<'py, PyArray2<f64>>>);

/// What the bytes of a model file hold: a forest or cases, and their document.
#[pyfunction]
fn open_model<'py>(py: Python<'py>, data: &[u8]) -> PyResult<Opened<'py>> {
    let (contents, description) = enter(py, data.len(), |cancel| file::open(data, cancel))?;
    let held = match contents {
        Contents::Forest(forest) => Bound::new(py, PyForest(Arc::new(forest)))?.into_any(),
        Contents::Cases(cases) => Bound::new(py, PyCases(cases))?.into_any(),
    };
    let ranges = match description.ranges {
        Some(pairs) => Some(pairs.concat().into_pyarray(py).reshape([pairs.len(), 2])?),
        None => None,
    };
    let work = description.work.map(|nodes| PyWork { document: description.text, nodes });
    Ok((held, description.rest, work, ranges))
}

/// Adds everything here to the module.
pub fn register(m: &Bound<'_, PyModule>) -> PyResult<()> {
    m.add_class::<PyCases>()?;
    m.add_class::<PyWork>()?;
    m.add_function(wrap_pyfunction!(open_model, m)?)
}
