//! The Python module `treewright._core`. It has no logic: take, check, detach, call, return.

mod bag;
mod bit_table;
mod boost;
mod by_hand;
mod callback_peers;
mod cases;
mod columns;
mod convert;
mod csv;
mod divide;
mod enter;
mod forest;
mod leaf_targets;
mod matrix;
mod merged;
mod mesh;
mod near_best;
mod neighbors;
mod open_table;
mod optimal;
mod peer_rows;
mod peers;
mod prune;
mod rules;
mod several;
mod sparse;
mod study;
mod training_rows;
mod tree;
mod tree_grower;

use pyo3::prelude::*;
use pyo3::types::PyDict;
use treewright_core::prelude::{Isa, MISSING, SHARE, STOP, UNSEEN};

/// Without it, a small allocation that is refused would end the Python process.
#[global_allocator]
static ALLOCATOR: treewright_core::prelude::Frugal = treewright_core::prelude::Frugal;

/// The words that recipes may use, by part.
#[pyfunction]
fn words(py: Python<'_>) -> PyResult<Bound<'_, PyDict>> {
    let words = PyDict::new(py);
    for (part, names) in treewright_core::prelude::all() {
        words.set_item(part, names)?;
    }
    Ok(words)
}

/// Panics inside the core, so that a test can see what becomes of it: on the calling thread, or with many cells on the
/// thread that is watched for signals.
#[pyfunction]
#[expect(clippy::panic, reason = "it is what was asked for")]
fn _panic(py: Python<'_>, cells: usize) -> PyResult<()> {
    enter::enter(py, cells, |_| panic!("a panic on request"))
}

/// The kernels in use, and all that this processor can run.
#[pyfunction]
fn kernels() -> (&'static str, Vec<&'static str>) {
    (Isa::detect().tier().name(), Isa::all().map(|isa| isa.tier().name()).collect())
}

#[pymodule]
fn _core(m: &Bound<'_, PyModule>) -> PyResult<()> {
    m.add("__version__", env!("CARGO_PKG_VERSION"))?;
    m.add_function(wrap_pyfunction!(kernels, m)?)?;
    m.add("MISSING", MISSING)?;
    m.add("UNSEEN", UNSEEN)?;
    m.add("STOP", STOP)?;
    m.add("SHARE", SHARE)?;
    m.add_class::<forest::PyForest>()?;
    m.add_class::<tree::PyTree>()?;
    m.add_function(wrap_pyfunction!(forest::grow, m)?)?;
    m.add_function(wrap_pyfunction!(words, m)?)?;
    m.add_function(wrap_pyfunction!(_panic, m)?)?;
    divide::register(m)?;
    bag::register(m)?;
    bit_table::register(m)?;
    boost::register(m)?;
    by_hand::register(m)?;
    leaf_targets::register(m)?;
    peer_rows::register(m)?;
    peers::register(m)?;
    mesh::register(m)?;
    callback_peers::register(m)?;
    prune::register(m)?;
    rules::register(m)?;
    study::register(m)?;
    matrix::register(m)?;
    merged::register(m)?;
    neighbors::register(m)?;
    several::register(m)?;
    sparse::register(m)?;
    tree_grower::register(m)?;
    cases::register(m)?;
    columns::register(m)?;
    open_table::register(m)?;
    near_best::register(m)?;
    optimal::register(m)?;
    csv::register(m)
}
