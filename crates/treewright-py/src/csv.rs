//! Reading delimited text for Python: a reader that is fed, chunks of rows, whole columns, and rows for a known model.

use crate::enter::enter;
use numpy::IntoPyArray;
use pyo3::exceptions::PyIndexError;
use pyo3::prelude::*;
use pyo3::types::{PyList, PyString};
use std::borrow::Cow;
use std::sync::{Mutex, MutexGuard, PoisonError};
use treewright_core::prelude::columns::TypedValues;
use treewright_core::prelude::{
    CellRules, Chunk, Delimiter, ModelColumn, NumberFormat, Options, Reader, Text, encode, trim,
};

/// A lock is taken only while the GIL is released, and released before it is taken back: no deadlock.
pub fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Reads rows from pieces of a file.
#[pyclass(frozen, name = "CsvReader", module = "treewright._core")]
pub struct PyReader(Mutex<Reader>);

#[pymethods]
impl PyReader {
    /// `delimiter` and `comment` are single characters; a delimiter of two or more stands for runs of blanks.
    #[new]
    #[pyo3(signature = (label, delimiter, drop_ragged, longest_cell, header=true, comment=None, decimal_comma=false))]
    fn new(
        label: String,
        delimiter: Option<&str>,
        drop_ragged: bool,
        longest_cell: usize,
        header: bool,
        comment: Option<&str>,
        decimal_comma: bool,
    ) -> PyReader {
        let delimiter = match delimiter.map(str::as_bytes) {
            None => Delimiter::Find,
            Some(&[byte]) => Delimiter::Byte(byte),
            Some(_) => Delimiter::Blanks,
        };
        let comment = comment.and_then(|text| text.as_bytes().first().copied());
        PyReader(Mutex::new(Reader::new(Options {
            label,
            delimiter,
            header,
            comment,
            decimal_comma,
            drop_ragged,
            longest_cell,
        })))
    }

    /// Takes the next piece; an empty one says that there are no more.
    fn feed(&self, py: Python<'_>, piece: &[u8]) -> PyResult<()> {
        enter(py, 0, |_| lock(&self.0).feed(piece))
    }

    /// The names of the columns; None when another piece is needed.
    fn header(&self, py: Python<'_>) -> PyResult<Option<Vec<String>>> {
        enter(py, 0, |_| Ok(lock(&self.0).header()?.map(<[String]>::to_vec)))
    }

    /// Keeps only these columns of the rows that are still to be read.
    fn keep(&self, py: Python<'_>, columns: Vec<usize>) {
        py.detach(|| lock(&self.0).keep(&columns));
    }

    /// The next rows; None when another piece is needed; no rows at the end.
    ///
    /// It runs on the calling thread: a piece takes milliseconds, and Python hears Ctrl-C between two.
    fn read(&self, py: Python<'_>, rows: usize) -> PyResult<Option<PyChunk>> {
        let chunk = enter(py, 0, |cancel| lock(&self.0).read(rows, cancel))?;
        Ok(chunk.map(|chunk| PyChunk(Mutex::new(chunk))))
    }

    /// The delimiter, given or found; "whitespace" for runs of blanks.
    #[getter]
    fn delimiter(&self, py: Python<'_>) -> String {
        py.detach(|| {
            let reader = lock(&self.0);
            if reader.splits_at_blanks() { "whitespace".to_owned() } else { char::from(reader.delimiter()).to_string() }
        })
    }

    /// Whether the first line of the file names the delimiter.
    #[getter]
    fn names_delimiter(&self, py: Python<'_>) -> bool {
        py.detach(|| lock(&self.0).names_delimiter())
    }

    /// Whether the first column has no name in the header.
    #[getter]
    fn unnamed_index(&self, py: Python<'_>) -> bool {
        py.detach(|| lock(&self.0).unnamed_index)
    }

    #[getter]
    fn comment_lines(&self, py: Python<'_>) -> u64 {
        py.detach(|| lock(&self.0).comment_lines)
    }

    #[getter]
    fn dropped(&self, py: Python<'_>) -> u64 {
        py.detach(|| lock(&self.0).dropped)
    }

    #[getter]
    fn blank_lines(&self, py: Python<'_>) -> u64 {
        py.detach(|| lock(&self.0).blank_lines)
    }
}

/// The cells of a text as a list.
pub fn strings<'py>(py: Python<'py>, text: &Text) -> PyResult<Bound<'py, PyList>> {
    let list = PyList::empty(py);
    text.cells().try_for_each(|cell| list.append(PyString::from_bytes(py, cell)?))?;
    Ok(list)
}

/// Some rows as columns of text.
#[pyclass(frozen, name = "CsvChunk", module = "treewright._core")]
pub struct PyChunk(pub Mutex<Chunk>);

#[pymethods]
impl PyChunk {
    #[getter]
    fn rows(&self, py: Python<'_>) -> usize {
        py.detach(|| lock(&self.0).rows)
    }

    /// The cells of a kept column as they are in the file.
    fn cells<'py>(&self, py: Python<'py>, column: usize) -> PyResult<Bound<'py, PyList>> {
        let text = py.detach(|| lock(&self.0).columns.get(column).cloned());
        strings(py, &text.ok_or_else(|| PyIndexError::new_err("there is no such column"))?)
    }

    /// The line of the file on which a row starts.
    fn line(&self, py: Python<'_>, row: usize) -> u64 {
        py.detach(|| lock(&self.0).line(row))
    }
}

/// How cells are read: what stands for a missing value, and how numbers are written.
#[pyclass(frozen, name = "CsvRules", module = "treewright._core")]
pub struct PyRules(pub CellRules);

#[pymethods]
impl PyRules {
    /// `missing` lists texts that are missing everywhere; `words` adds the usual ones where a column allows it.
    #[new]
    #[pyo3(signature = (missing, words=false, decimal_comma=false, thousands=None))]
    fn new(missing: Vec<String>, words: bool, decimal_comma: bool, thousands: Option<char>) -> PyRules {
        PyRules(CellRules::new(&missing, words, NumberFormat { decimal_comma, thousands }))
    }

    /// The number that a cell stands for; None where it is missing or not a number.
    fn number(&self, cell: &str) -> Option<f64> {
        let cell = trim(cell.as_bytes());
        let value = self.0.look(cell).value;
        (self.0.marker(cell).is_none() && !value.is_nan()).then_some(value)
    }

    /// Whether a cell is missing in a column of numbers, or in one of texts.
    fn is_missing(&self, cell: &str, numeric: bool) -> bool {
        let cell = trim(cell.as_bytes());
        if numeric { self.0.is_missing_number(cell) } else { self.0.is_missing_text(cell) }
    }
}

/// The text and the number of each level with its code, or None for numbers.
type Levels = Option<(Vec<(String, u32)>, Vec<(f64, u32)>)>;

/// Turns chunks into the columns of a known model.
#[pyclass(frozen, name = "CsvEncoder", module = "treewright._core")]
pub struct PyEncoder {
    label: String,
    columns: Vec<ModelColumn>,
    rules: CellRules,
}

#[pymethods]
impl PyEncoder {
    #[new]
    fn new(label: String, features: Vec<(usize, String, Levels)>, rules: &PyRules) -> PyEncoder {
        let by_bits = |(number, code): (f64, u32)| ((number + 0.0).to_bits(), code);
        let column = |(position, name, levels): (usize, String, Levels)| {
            let levels = levels
                .map(|(texts, numbers)| (texts.into_iter().collect(), numbers.into_iter().map(by_bits).collect()));
            ModelColumn { position, name, levels }
        };
        PyEncoder { label, columns: features.into_iter().map(column).collect(), rules: rules.0.clone() }
    }

    /// The model's columns, and for each the texts that it does not know with how often they occur.
    #[expect(clippy::type_complexity, reason = "two lists, as Python sees them")]
    fn encode<'py>(
        &self,
        py: Python<'py>,
        chunk: &PyChunk,
    ) -> PyResult<(Vec<Bound<'py, PyAny>>, Vec<Vec<(String, usize)>>)> {
        let rows = chunk.rows(py);
        let cells = rows.saturating_mul(self.columns.len());
        let encoded =
            enter(py, cells, |cancel| encode(&self.label, &self.columns, &self.rules, &lock(&chunk.0), cancel))?;
        let arrays = encoded.into_iter().map(|(values, unseen)| match values {
            TypedValues::Numbers(numbers) => (Cow::into_owned(numbers).into_pyarray(py).into_any(), unseen),
            TypedValues::Codes(codes, _) => (Cow::into_owned(codes).into_pyarray(py).into_any(), unseen),
        });
        Ok(arrays.unzip())
    }
}

/// Adds everything here to the module.
pub fn register(m: &Bound<'_, PyModule>) -> PyResult<()> {
    m.add_class::<PyReader>()?;
    m.add_class::<PyRules>()?;
    m.add_class::<PyChunk>()?;
    m.add_class::<PyEncoder>()
}
