//! Matrices of numbers that the core reads where they lie, without a copy.
//!
//! The caller's duty: nobody writes to the array while the core reads it. If somebody does, any tree may come out, but
//! nothing worse: the core relies on no number being the same twice.

use crate::convert::{self, Borrowed, Owned};
use crate::enter::{Size, at_once, enter, raise};
use crate::forest::PyForest;
use crate::sparse::PySparse;
use numpy::{IntoPyArray, PyArray2, PyArrayMethods, PyReadonlyArray1, PyReadonlyArray2, PyUntypedArrayMethods};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use treewright_core::prelude::{Column, Floats, Forest, Kind, Strided, Summary, Table, pool, survey};

/// A borrowed array of numbers of either precision.
pub enum Held<'py> {
    Single(PyReadonlyArray2<'py, f32>),
    Double(PyReadonlyArray2<'py, f64>),
}

impl<'py> Held<'py> {
    /// Borrows an array; None if it is not of a kind that can be read in place.
    pub fn new(array: &Bound<'py, PyAny>) -> Option<Held<'py>> {
        let single = array.extract().map(Held::Single);
        single.or_else(|_| array.extract().map(Held::Double)).ok().filter(Held::is_regular)
    }

    /// Rows and columns.
    pub fn shape(&self) -> (usize, usize) {
        let shape = match self {
            Held::Single(array) => array.shape(),
            Held::Double(array) => array.shape(),
        };
        (shape[0], shape[1])
    }

    /// Whether all numbers lie at whole steps from each other and at addresses fit for them.
    fn is_regular(&self) -> bool {
        fn regular<T: numpy::Element>(array: &PyReadonlyArray2<'_, T>) -> bool {
            let size = size_of::<T>();
            array.strides().iter().all(|stride| stride.unsigned_abs() % size == 0)
                // Asked of the array itself: a view of misaligned numbers must not be made.
                && array.data().addr().is_multiple_of(align_of::<T>())
        }
        match self {
            Held::Single(array) => regular(array),
            Held::Double(array) => regular(array),
        }
    }

    /// The columns.
    pub fn columns(&self) -> treewright_core::Result<Vec<Strided<'_>>> {
        let (rows, columns) = self.shape();
        if rows == 0 || columns == 0 {
            return Ok(vec![Strided::of_slice(&[]); columns]);
        }
        let (floats, start, steps) = match self {
            Held::Single(array) => {
                let (slice, start, steps) = span(array);
                (Floats::Single(slice), start, steps)
            }
            Held::Double(array) => {
                let (slice, start, steps) = span(array);
                (Floats::Double(slice), start, steps)
            }
        };
        let first = |column: usize| start.wrapping_add_signed(steps[1].wrapping_mul(column as isize));
        (0..columns).map(|column| Strided::new(floats, first(column), steps[0], rows)).collect()
    }
}

/// The numbers from the first to the last in memory, the place of the first element, and the steps along both axes. The
/// array is not empty.
fn span<'a, T: numpy::Element + Copy>(array: &'a PyReadonlyArray2<'_, T>) -> (&'a [T], usize, [isize; 2]) {
    let view = array.as_array();
    let steps = [view.strides()[0], view.strides()[1]];
    let reach = |axis: usize| steps[axis] * (view.shape()[axis] as isize - 1);
    let (low, high) =
        [reach(0), reach(1)].iter().fold((0, 0), |(low, high), &way| (low + way.min(0), high + way.max(0)));
    // SAFETY: the elements at the offsets `low` and `high` are corners of the array and `T` is any bits; all between lie in
    // the one buffer that the array is a view of, which `array` keeps alive.
    let slice = unsafe { std::slice::from_raw_parts(view.as_ptr().offset(low), (high - low) as usize + 1) };
    (slice, low.unsigned_abs(), steps)
}

/// A matrix of numbers and what its columns are like.
#[pyclass(frozen, name = "Matrix", module = "treewright._core")]
pub struct PyMatrix {
    array: Py<PyAny>,
    summaries: Vec<Summary>,
}

#[pymethods]
impl PyMatrix {
    /// Looks at every number once.
    #[new]
    fn new(py: Python<'_>, array: &Bound<'_, PyAny>) -> PyResult<PyMatrix> {
        let held = Held::new(array).ok_or_else(|| PyTypeError::new_err("not a regular array of numbers"))?;
        let (rows, columns) = held.shape();
        let strided = held.columns().map_err(|error| raise(py, error))?;
        // A number takes a part of a nanosecond: a thread to watch for Ctrl-C would take longer than a small table.
        let size = Size { steps: rows * columns / 16, ..Size::from(rows * columns) };
        let summaries = enter(py, size, |cancel| {
            let threads = if rows * columns < SEVERAL_THREADS { 1 } else { pool::available() };
            survey(&strided, rows, threads, cancel)
        })?;
        Ok(PyMatrix { array: array.clone().unbind(), summaries })
    }

    /// Whether no number is missing or infinite.
    #[getter]
    fn finite(&self) -> bool {
        self.summaries.iter().all(|summary| summary.finite)
    }

    /// Whether there are zeros and ones only.
    #[getter]
    fn bits(&self) -> bool {
        let is_bit =
            |summary: &Summary| summary.finite && summary.integral && summary.low >= 0.0 && summary.high <= 1.0;
        self.summaries.iter().all(is_bit)
    }

    /// Which columns hold whole numbers only.
    #[getter]
    fn integral(&self) -> Vec<bool> {
        self.summaries.iter().map(|summary| summary.integral).collect()
    }
}

impl PyMatrix {
    /// The array, borrowed once more.
    pub fn held<'py>(&self, py: Python<'py>) -> Option<Held<'py>> {
        Held::new(self.array.bind(py))
    }
}

/// Fewer cells than this are looked at by one thread.
const SEVERAL_THREADS: usize = 1 << 20;

/// Columns as they come from Python: one by one, or as a matrix.
pub enum ColumnSource<'py> {
    Columns(Vec<Borrowed<'py>>),
    Matrix(Held<'py>, Option<Vec<Summary>>),
    Sparse(Bound<'py, PySparse>),
}

impl<'py> ColumnSource<'py> {
    /// A list of arrays, a `Matrix`, a `Sparse`, or an array of two dimensions.
    pub fn new(kinds: &[Kind], columns: &Bound<'py, PyAny>) -> PyResult<ColumnSource<'py>> {
        let py = columns.py();
        if let Ok(sparse) = columns.cast::<PySparse>() {
            let width = sparse.get().0.shape().1;
            if width != kinds.len() {
                let message = format!("{width} columns given, {} expected", kinds.len());
                return Err(PyValueError::new_err(message));
            }
            return Ok(ColumnSource::Sparse(sparse.clone()));
        }
        let (held, summaries) = if let Ok(matrix) = columns.cast::<PyMatrix>() {
            (matrix.get().held(py), Some(matrix.get().summaries.clone()))
        } else {
            (Held::new(columns), None)
        };
        match held {
            Some(held) => Ok(ColumnSource::Matrix(held, summaries)),
            None => Ok(ColumnSource::Columns(convert::borrow(kinds, &columns.extract::<Vec<_>>()?)?)),
        }
    }

    /// Copies of single columns, which another thread may write to while the core works; None where it reads a matrix.
    pub fn own(&self) -> PyResult<Option<Vec<Owned>>> {
        match self {
            ColumnSource::Columns(columns) => convert::own(columns).map(Some),
            ColumnSource::Matrix(..) | ColumnSource::Sparse(_) => Ok(None),
        }
    }

    /// How many rows.
    pub fn rows(&self) -> usize {
        match self {
            ColumnSource::Columns(columns) => convert::rows(columns),
            ColumnSource::Matrix(held, _) => held.shape().0,
            ColumnSource::Sparse(sparse) => sparse.get().0.shape().0,
        }
    }

    /// The table.
    pub fn table(&self, py: Python<'_>) -> PyResult<Table<'_>> {
        match self {
            ColumnSource::Columns(columns) => convert::table(py, columns, convert::rows(columns)),
            ColumnSource::Sparse(sparse) => {
                let matrix = &sparse.get().0;
                let columns = matrix.columns().map(Column::Sparse).collect();
                Table::new(columns, matrix.shape().0).map_err(|error| raise(py, error))
            }
            ColumnSource::Matrix(held, summaries) => {
                let table = held.columns().and_then(|columns| {
                    let table = Table::new(columns.into_iter().map(Column::Strided).collect(), held.shape().0)?;
                    Ok(summaries.iter().fold(table, |table, summaries| table.surveyed(summaries.clone())))
                });
                table.map_err(|error| raise(py, error))
            }
        }
    }
}

/// What a model says of the rows of an array as it is. None where the array must be read with more care: it is no regular
/// matrix of numbers, has other columns than the model, or holds an infinite number.
#[pyfunction]
#[pyo3(signature = (forest, array, threads, raw=false))]
fn predict_matrix<'py>(
    py: Python<'py>,
    forest: &PyForest,
    array: &Bound<'py, PyAny>,
    threads: usize,
    raw: bool,
) -> PyResult<Option<Bound<'py, PyArray2<f64>>>> {
    let Some(held) = Held::new(array) else { return Ok(None) };
    let forest = &forest.0;
    let (rows, columns) = held.shape();
    if rows == 0 || !fits(forest, columns) {
        return Ok(None);
    }
    let strided = held.columns().map_err(|error| raise(py, error))?;
    if rows == 1 && !raw {
        let row: Vec<f64> = strided.iter().map(|column| column.at(0)).collect();
        if let Some(says) = one_row(py, forest, &row)? {
            return says.into_pyarray(py).reshape([1, forest.outputs()]).map(Some);
        }
    }
    let work = rows.saturating_mul(columns + forest.trees().len());
    let cells = rows.saturating_mul(forest.outputs().max(forest.raw_outputs()));
    let says = enter(py, Size::holding(cells, work.max(forest.nodes())), |cancel| {
        let threads = if work < SEVERAL_THREADS { 1 } else { threads };
        let table = Table::new(strided.into_iter().map(Column::Strided).collect(), rows)?;
        forest.answer_finite(&table, raw, threads, cancel)
    })?;
    let width = if raw { forest.raw_outputs() } else { forest.outputs() };
    says.map(|says| says.into_pyarray(py).reshape([rows, width])).transpose()
}

/// What a model says of one row, an array or a list of numbers; None where it must be read with more care.
#[pyfunction]
fn predict_row(py: Python<'_>, forest: &PyForest, row: &Bound<'_, PyAny>) -> PyResult<Option<Vec<f64>>> {
    let numbers: Vec<f64> = if let Ok(array) = row.extract::<PyReadonlyArray1<'_, f64>>() {
        array.as_array().iter().copied().collect()
    } else if let Ok(array) = row.extract::<PyReadonlyArray1<'_, f32>>() {
        array.as_array().iter().map(|&x| f64::from(x)).collect()
    } else {
        return Ok(None);
    };
    let forest = &forest.0;
    if !fits(forest, numbers.len()) {
        return Ok(None);
    }
    one_row(py, forest, &numbers)
}

/// What a model says of one row of numbers; None where one is infinite.
fn one_row(py: Python<'_>, forest: &Forest, row: &[f64]) -> PyResult<Option<Vec<f64>>> {
    if row.iter().any(|x| x.is_infinite()) {
        return Ok(None);
    }
    // A few microseconds are not worth the handing over of the interpreter.
    if let Some(says) = at_once(py, || forest.answer_row(row))? {
        return Ok(Some(says));
    }
    enter(py, 0, |cancel| {
        let columns = row.iter().map(|x| Column::Numeric(std::slice::from_ref(x))).collect();
        forest.predict(&Table::new(columns, 1)?, cancel)
    })
    .map(Some)
}

/// Whether a model asks about so many columns, all of numbers.
fn fits(forest: &Forest, columns: usize) -> bool {
    forest.kinds().len() == columns && forest.kinds().iter().all(|kind| *kind == Kind::Numeric)
}

/// Adds everything here to the module.
pub fn register(m: &Bound<'_, PyModule>) -> PyResult<()> {
    m.add_class::<PyMatrix>()?;
    m.add_function(wrap_pyfunction!(predict_matrix, m)?)?;
    m.add_function(wrap_pyfunction!(predict_row, m)?)
}
