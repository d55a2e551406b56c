//! Sockets between the processes of a fit, for Python.

use crate::enter::enter_together;
use crate::peers::PyPeers;
use pyo3::exceptions::{PyOSError, PyRuntimeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use treewright_core::Result;
use treewright_core::prelude::{Alone, Peers};
use treewright_mesh::{Certificates, Listener, Mesh, Place, Settings};

/// A port at which a process waits for the others of its fit; it is closed when all have come.
#[pyclass(frozen, name = "MeshListener", module = "treewright._core")]
pub struct PyListener {
    listener: Mutex<Option<Listener>>,
    address: String,
    closed: Arc<AtomicBool>,
}

#[pymethods]
impl PyListener {
    /// Listens at an address and nowhere else; port 0 takes one that is free.
    #[new]
    #[pyo3(signature = (host = "127.0.0.1", port = 0))]
    fn new(py: Python<'_>, host: &str, port: u16) -> PyResult<PyListener> {
        let bind = || Listener::bind(host, port).and_then(|bound| Ok((bound.address()?.to_string(), bound)));
        let (address, listener) =
            py.detach(bind).map_err(|error| PyOSError::new_err(format!("cannot listen at {host}:{port}: {error}")))?;
        Ok(PyListener { listener: Mutex::new(Some(listener)), address, closed: Arc::default() })
    }

    /// Where others connect to: host and port, an IPv6 host in brackets.
    #[getter]
    fn address(&self) -> &str {
        &self.address
    }

    /// Connects with the other processes of the fit, whose addresses are given in the order of their ranks.
    #[pyo3(signature = (rank, addresses, secret, fit, attempt = 0, **settings))]
    #[expect(clippy::too_many_arguments, reason = "Python names them")]
    fn connect(
        &self,
        py: Python<'_>,
        rank: usize,
        addresses: Vec<String>,
        secret: &[u8],
        fit: &str,
        attempt: u32,
        settings: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<Py<PyMesh>> {
        let wrong = |_| PyValueError::new_err(format!("secret must have 32 bytes; got {}", secret.len()));
        let secret: [u8; 32] = secret.try_into().map_err(wrong)?;
        let settings = read_settings(settings)?;
        let place = Place { fit: Place::fit(fit), attempt, rank, size: addresses.len(), secret };
        let taken = self.listener.lock().unwrap_or_else(PoisonError::into_inner).take();
        let listener = taken.ok_or_else(|| PyRuntimeError::new_err("the listener has been used or closed"))?;
        let closed = Arc::clone(&self.closed);
        let work = |_: &_| Mesh::connect(listener, place, &addresses, settings, closed);
        let mesh = Arc::new(enter_together(py, 0, &Closing(&self.closed), work)?);
        let peers = PyPeers(Arc::clone(&mesh) as Arc<dyn Peers>);
        Py::new(py, PyClassInitializer::from(peers).add_subclass(PyMesh(mesh)))
    }

    /// Closes the port, and ends the waiting for others.
    fn close(&self) {
        self.closed.store(true, Ordering::Release);
        self.listener.lock().unwrap_or_else(PoisonError::into_inner).take();
    }
}

/// The processes of a fit that are connected by sockets.
#[pyclass(frozen, extends = PyPeers, name = "Mesh", module = "treewright._core")]
pub struct PyMesh(Arc<Mesh>);

#[pymethods]
impl PyMesh {
    /// Calls made, bytes sent and received, and seconds waited so far.
    #[getter]
    fn counters<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let counters = self.0.counters();
        let words = PyDict::new(py);
        words.set_item("calls", counters.calls)?;
        words.set_item("bytes_sent", counters.bytes_sent)?;
        words.set_item("bytes_received", counters.bytes_received)?;
        words.set_item("seconds_waited", counters.seconds_waited)?;
        Ok(words)
    }

    /// Closes all connections; whoever waits for one gets an error.
    fn close(&self, py: Python<'_>) {
        py.detach(|| self.0.leave());
    }
}

/// Settings from their names: seconds, bytes, and the PEM texts of certificate, key and authority.
fn read_settings(settings: Option<&Bound<'_, PyDict>>) -> PyResult<Settings> {
    let mut read = Settings::default();
    for (name, value) in settings.into_iter().flat_map(|settings| settings.iter()) {
        let seconds = || -> PyResult<Duration> {
            let wrong = |_| PyValueError::new_err(format!("{name} must be a number of seconds"));
            Duration::try_from_secs_f64(value.extract()?).map_err(wrong)
        };
        match name.extract::<String>()?.as_str() {
            "timeout" => read.timeout = seconds()?,
            "silence" => read.silence = seconds()?,
            "connect_timeout" => read.connect_timeout = seconds()?,
            "handshake_timeout" => read.handshake_timeout = seconds()?,
            "whole_bytes" => read.whole_bytes = value.extract()?,
            "certificates" => read.certificates = read_certificates(&value)?,
            other => return Err(PyValueError::new_err(format!("unknown setting \"{other}\""))),
        }
    }
    Ok(read)
}

fn read_certificates(texts: &Bound<'_, PyAny>) -> PyResult<Option<Certificates>> {
    let Some((certificate, key, authority)) = texts.extract::<Option<(Vec<u8>, Vec<u8>, Vec<u8>)>>()? else {
        return Ok(None);
    };
    let wrong = |error: std::io::Error| PyValueError::new_err(error.to_string());
    Certificates::from_pem(&certificate, &key, &authority).map(Some).map_err(wrong)
}

/// What Ctrl-C does to a process that is still connecting.
struct Closing<'a>(&'a AtomicBool);

impl Peers for Closing<'_> {
    fn rank(&self) -> usize {
        Alone.rank()
    }

    fn size(&self) -> usize {
        Alone.size()
    }

    fn add(&self, words: &mut [u64]) -> Result<()> {
        Alone.add(words)
    }

    fn max(&self, words: &mut [u64]) -> Result<()> {
        Alone.max(words)
    }

    fn gather(&self, bytes: &[u8]) -> Result<Vec<Vec<u8>>> {
        Alone.gather(bytes)
    }

    fn leave(&self) {
        self.0.store(true, Ordering::Release);
    }
}

/// Adds everything here to the module.
pub fn register(m: &Bound<'_, PyModule>) -> PyResult<()> {
    m.add_class::<PyListener>()?;
    m.add_class::<PyMesh>()
}
