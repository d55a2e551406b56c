//! The processes of a fit that are connected by functions of Python: where no socket can be opened, an engine such as Dask
//! carries the bytes through its own connections.

use crate::peers::PyPeers;
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use treewright_core::prelude::{Peers, collected};
use treewright_core::{Error, Result};

/// Two functions: one gives the bytes of all processes in the order of ranks, one takes no further part.
struct Callbacks {
    rank: usize,
    size: usize,
    gather: Py<PyAny>,
    leave: Option<Py<PyAny>>,
    calls: AtomicU64,
    left: AtomicBool,
}

/// What a call does; it stands in front of its bytes, so that processes that make different calls get an error.
#[derive(Clone, Copy)]
#[repr(u64)]
enum Kind {
    Add = 1,
    Max,
    Gather,
}

/// Bytes in front of those of a call: its number, its kind, and how many words there are.
const HEADER: usize = 24;

impl Callbacks {
    /// Sends bytes to all processes; returns those of all.
    fn meet(&self, kind: Kind, words: usize, bytes: impl Iterator<Item = u8>) -> Result<Vec<Vec<u8>>> {
        if self.left.load(Ordering::Acquire) {
            return Err(Error::Cancelled);
        }
        let number = self.calls.fetch_add(1, Ordering::Relaxed);
        let header = [number, kind as u64, words as u64].map(u64::to_le_bytes).concat();
        let message: Vec<u8> = header.iter().copied().chain(bytes).collect();
        let mut all = Python::attach(|py| self.ask(py, &message).map_err(|error| translate(py, &error)))?;
        if all.len() != self.size || all.iter().any(|other| !other.starts_with(&header)) {
            let message = "the processes of the fit do not make the same calls; all need the same parameters and the same \
                           version of treewright";
            return Err(Error::data("fit.peers", message));
        }
        all.iter_mut().for_each(|bytes| _ = bytes.drain(..HEADER));
        Ok(all)
    }

    fn ask(&self, py: Python<'_>, message: &[u8]) -> PyResult<Vec<Vec<u8>>> {
        let all = self.gather.call1(py, (PyBytes::new(py, message),))?;
        all.bind(py).try_iter()?.map(|bytes| bytes?.extract()).collect()
    }

    fn reduce(&self, kind: Kind, words: &mut [u64], join: impl Fn(u64, u64) -> u64) -> Result<()> {
        let bytes = collected(words.iter().flat_map(|word| word.to_le_bytes()))?;
        let all = self.meet(kind, words.len(), bytes.into_iter())?;
        for (rank, other) in all.iter().enumerate().filter(|(rank, _)| *rank != self.rank) {
            let other = other.as_chunks::<8>().0;
            if other.len() != words.len() {
                let message = format!("process {rank} of the fit has sent {} words of {}", other.len(), words.len());
                return Err(Error::data("fit.peers", message));
            }
            words.iter_mut().zip(other).for_each(|(word, other)| *word = join(*word, u64::from_le_bytes(*other)));
        }
        Ok(())
    }
}

impl Peers for Callbacks {
    fn rank(&self) -> usize {
        self.rank
    }

    fn size(&self) -> usize {
        self.size
    }

    fn add(&self, words: &mut [u64]) -> Result<()> {
        self.reduce(Kind::Add, words, u64::wrapping_add)
    }

    fn max(&self, words: &mut [u64]) -> Result<()> {
        self.reduce(Kind::Max, words, u64::max)
    }

    fn gather(&self, bytes: &[u8]) -> Result<Vec<Vec<u8>>> {
        self.meet(Kind::Gather, 0, bytes.iter().copied())
    }

    fn leave(&self) {
        if !self.left.swap(true, Ordering::AcqRel) {
            // The function is told once; what it raises changes nothing.
            Python::attach(|py| self.leave.as_ref().map(|leave| leave.call0(py)));
        }
    }
}

/// The error of a function: a lost process stays one.
fn translate(py: Python<'_>, error: &PyErr) -> Error {
    let value = error.value(py);
    match value.getattr("rank").and_then(|rank| rank.extract::<usize>()) {
        Ok(rank) => Error::PeerLost { rank, message: text(value, "message") },
        Err(_) => Error::data("fit.peers", format!("the connection between the processes of the fit failed: {value}")),
    }
}

fn text(value: &Bound<'_, PyAny>, name: &str) -> String {
    value.getattr(name).and_then(|message| message.extract()).unwrap_or_else(|_| value.to_string())
}

/// One of the processes of a fit, connected with the others by a function that takes the bytes of this process and returns
/// those of all in the order of ranks.
#[pyclass(frozen, extends = PyPeers, name = "CallbackPeers", module = "treewright._core")]
pub struct PyCallbackPeers;

#[pymethods]
impl PyCallbackPeers {
    #[new]
    #[pyo3(signature = (rank, size, gather, leave = None))]
    fn new(
        rank: usize,
        size: usize,
        gather: Py<PyAny>,
        leave: Option<Py<PyAny>>,
    ) -> PyResult<PyClassInitializer<PyCallbackPeers>> {
        if rank >= size {
            let message = format!("rank must be below size ({size}); got {rank}");
            return Err(pyo3::exceptions::PyValueError::new_err(message));
        }
        let (calls, left) = (AtomicU64::new(0), AtomicBool::new(false));
        let peers = PyPeers(Arc::new(Callbacks { rank, size, gather, leave, calls, left }));
        Ok(PyClassInitializer::from(peers).add_subclass(PyCallbackPeers))
    }
}

/// Adds everything here to the module.
pub fn register(m: &Bound<'_, PyModule>) -> PyResult<()> {
    m.add_class::<PyCallbackPeers>()
}
