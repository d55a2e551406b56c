//! The one way into the core: the GIL is released, Ctrl-C and the flag of a thread are heard, a panic becomes an ordinary
//! exception, and errors become the classes of `treewright.errors`.

use pyo3::exceptions::{PyKeyboardInterrupt, PyMemoryError, PyRuntimeError};
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::PyDict;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Condvar, Mutex, PoisonError};
use std::time::Duration;
use treewright_core::prelude::{Cancel, Peers, memory, pool};
use treewright_core::{Error, Result};

/// Work of fewer steps than this (about a millisecond) runs on the calling thread and is not interrupted.
pub const SMALL: usize = 1 << 16;
/// A tree may look at each cell at each of its levels, and sort: so many steps a cell, so that even a tree that is a chain
/// of all rows is watched from some thousand cells on.
const LEARNING: usize = 1 << 5;
/// What learners allocate without asking: a few lists with a number or two for each row, and parts of a column's codes.
const BYTES_OF_A_ROW: usize = 64;
const BYTES_OF_A_CELL: usize = 2;
/// How long Ctrl-C may go unheard.
const TICK: Duration = Duration::from_millis(20);

/// How large a piece of work is.
#[derive(Clone, Copy, Debug)]
pub struct Size {
    /// Bytes to set aside for it: what is allocated between two looks at the flag without asking first.
    pub bytes: usize,
    /// How many steps it takes, about: whether Ctrl-C is listened for meanwhile.
    pub steps: usize,
}

impl From<usize> for Size {
    /// One pass over so many values.
    fn from(cells: usize) -> Size {
        Size { bytes: cells.saturating_mul(size_of::<f64>()), steps: cells }
    }
}

impl Size {
    /// Learning from so many rows and columns.
    pub fn learning(rows: usize, columns: usize) -> Size {
        let cells = rows.saturating_mul(columns.max(1));
        let bytes = cells.saturating_mul(BYTES_OF_A_CELL).saturating_add(rows.saturating_mul(BYTES_OF_A_ROW));
        Size { bytes, steps: cells.saturating_mul(LEARNING) }
    }

    /// So many steps, which hold so many values.
    pub fn holding(cells: usize, steps: usize) -> Size {
        Size { steps: steps.max(cells), ..Size::from(cells) }
    }

    /// The same work, so many times on the same memory.
    pub fn times(self, count: usize) -> Size {
        Size { steps: self.steps.saturating_mul(count.max(1)), ..self }
    }
}

/// Runs `work` of about this size.
pub fn enter<T: Send>(
    py: Python<'_>,
    size: impl Into<Size>,
    work: impl FnOnce(&Cancel) -> Result<T> + Send,
) -> PyResult<T> {
    enter_told(py, size, || Ok(()), work)
}

/// The same for work that takes long: `tell` is called now and then meanwhile, and what it raises stops the work.
pub fn enter_told<T: Send>(
    py: Python<'_>,
    size: impl Into<Size>,
    tell: impl Fn() -> PyResult<()>,
    work: impl FnOnce(&Cancel) -> Result<T> + Send,
) -> PyResult<T> {
    let (outcome, signal) = run_told(py, size.into(), tell, work)?;
    signal.map_or(outcome, Err)
}

/// The same for work that has an answer whenever it is stopped: after Ctrl-C the answer is returned, and `true`.
pub fn enter_kept<T: Send>(
    py: Python<'_>,
    size: impl Into<Size>,
    tell: impl Fn() -> PyResult<()>,
    work: impl FnOnce(&Cancel) -> Result<T> + Send,
) -> PyResult<(T, bool)> {
    match run_told(py, size.into(), tell, work)? {
        (outcome, None) => Ok((outcome?, false)),
        (outcome, Some(signal)) if signal.is_instance_of::<PyKeyboardInterrupt>(py) => Ok((outcome?, true)),
        (_, Some(signal)) => Err(signal),
    }
}

/// The same for work that waits for other processes: they are told if it fails, so that nobody waits for this one.
pub fn enter_together<T: Send>(
    py: Python<'_>,
    size: impl Into<Size>,
    peers: &dyn Peers,
    work: impl FnOnce(&Cancel) -> Result<T> + Send,
) -> PyResult<T> {
    prepare(py, size.into(), true)?;
    let cancel = Cancel::default();
    let stop = || {
        cancel.cancel();
        peers.leave();
    };
    let guarded = || catch_unwind(AssertUnwindSafe(|| work(&cancel)));
    let (outcome, signal) = watched(py, || Ok(()), stop, guarded)?;
    if !matches!(outcome, Ok(Ok(_))) {
        peers.leave();
    }
    signal.map_or_else(|| returned(py, outcome), Err)
}

/// What the work gave, and what was raised meanwhile.
fn run_told<T: Send>(
    py: Python<'_>,
    size: Size,
    tell: impl Fn() -> PyResult<()>,
    work: impl FnOnce(&Cancel) -> Result<T> + Send,
) -> PyResult<(PyResult<T>, Option<PyErr>)> {
    let watch = size.steps >= SMALL;
    prepare(py, size, watch)?;
    let cancel = Cancel::default();
    let guarded = || catch_unwind(AssertUnwindSafe(|| work(&cancel)));
    let stop = || cancel.cancel();
    let (outcome, signal) = if watch { watched(py, tell, stop, guarded)? } else { (py.detach(guarded), None) };
    Ok((returned(py, outcome), signal))
}

/// Sets memory aside for work of this size.
fn prepare(py: Python<'_>, Size { bytes, .. }: Size, watch: bool) -> PyResult<()> {
    if watch || memory::is_short() {
        memory::set_aside(bytes);
        memory::enough().map_err(|error| raise(py, error))?;
        pool::look_up_available();
    } else {
        memory::set_some_aside();
    }
    Ok(())
}

/// What came of work that may have panicked.
fn returned<T>(py: Python<'_>, outcome: std::thread::Result<Result<T>>) -> PyResult<T> {
    match outcome {
        Ok(Ok(value)) => Ok(value),
        Ok(Err(error)) => Err(raise(py, error)),
        Err(panic) => Err(internal(py, panic.as_ref())),
    }
}

/// Runs work that takes microseconds, where releasing the GIL would cost as much.
pub fn at_once<T>(py: Python<'_>, work: impl FnOnce() -> T) -> PyResult<T> {
    catch_unwind(AssertUnwindSafe(work)).map_err(|panic| internal(py, panic.as_ref()))
}

/// Runs the work on a thread of its own while the calling one listens for signals; `stop` asks it to end. Gives what the
/// work gave, and the signal that stopped it.
fn watched<T: Send>(
    py: Python<'_>,
    tell: impl Fn() -> PyResult<()>,
    stop: impl Fn(),
    work: impl FnOnce() -> T + Send,
) -> PyResult<(T, Option<PyErr>)> {
    let (slot, done) = (Mutex::new(None), Condvar::new());
    std::thread::scope(|scope| {
        let worker = || {
            let outcome = work();
            *slot.lock().unwrap_or_else(PoisonError::into_inner) = Some(outcome);
            done.notify_one();
        };
        // A thread is refused where there is no memory for its stack.
        std::thread::Builder::new().spawn_scoped(scope, worker).map_err(|_| raise(py, Error::Memory))?;
        let wait = || {
            let empty = slot.lock().unwrap_or_else(PoisonError::into_inner);
            let (mut slot, _) =
                done.wait_timeout_while(empty, TICK, |slot| slot.is_none()).unwrap_or_else(PoisonError::into_inner);
            slot.take()
        };
        loop {
            if let Some(outcome) = py.detach(wait) {
                return Ok((outcome, None));
            }
            if let Err(signal) = py.check_signals().and_then(|()| check_canceled(py)).and_then(|()| tell()) {
                stop();
                // The data is borrowed: the worker must end first. It looks at the flag often.
                loop {
                    if let Some(outcome) = py.detach(wait) {
                        return Ok((outcome, Some(signal)));
                    }
                }
            }
        }
    })
}

/// Raises where the flag of this thread is set, see `_utils/cancellation.py`. Python runs here, so an exception that
/// another thread has sent to this one is raised, too.
fn check_canceled(py: Python<'_>) -> PyResult<()> {
    static CHECK: PyOnceLock<Py<PyAny>> = PyOnceLock::new();
    let import = || Ok(py.import("treewright._utils.cancellation")?.getattr("check_canceled")?.unbind());
    CHECK.get_or_try_init(py, import).and_then(|check| check.call0(py)).map(|_| ())
}

/// The Python exception of an error.
pub fn raise(py: Python<'_>, error: Error) -> PyErr {
    match error {
        Error::Data { slug, message } => named(py, "DataError", slug, &message),
        Error::Model { slug, message } => named(py, "ModelFileError", slug, &message),
        Error::PeerLost { rank, message } => peer_lost(py, rank, &message),
        Error::Cancelled => PyRuntimeError::new_err("the work was cancelled"),
        Error::Memory => PyMemoryError::new_err("not enough memory"),
    }
}

fn named(py: Python<'_>, class: &str, slug: &str, message: &str) -> PyErr {
    let build = || -> PyResult<PyErr> {
        let words = PyDict::new(py);
        words.set_item("slug", slug)?;
        let error = py.import("treewright.errors")?.getattr(class)?.call((message,), Some(&words))?;
        Ok(PyErr::from_value(error))
    };
    build().unwrap_or_else(|failure| failure)
}

fn peer_lost(py: Python<'_>, rank: usize, message: &str) -> PyErr {
    let build = || -> PyResult<PyErr> {
        let class = py.import("treewright.errors")?.getattr("PeerLostError")?;
        Ok(PyErr::from_value(class.call1((message, rank))?))
    };
    build().unwrap_or_else(|failure| failure)
}

fn internal(py: Python<'_>, panic: &(dyn std::any::Any + Send)) -> PyErr {
    let text = panic.downcast_ref::<&str>().copied().or_else(|| panic.downcast_ref::<String>().map(String::as_str));
    let message = format!("{}; this is a defect of treewright, please report it", text.unwrap_or("a panic"));
    let build = || -> PyResult<PyErr> {
        let class = py.import("treewright.errors")?.getattr("InternalError")?;
        Ok(PyErr::from_value(class.call1((&message,))?))
    };
    build().unwrap_or_else(|failure| failure)
}
