//! Boosting for Python: a run that adds rounds of trees until somebody stops it.

use crate::convert::{self, Owned, item};
use crate::enter::{Size, at_once, enter, enter_together, raise};
use crate::forest::PyForest;
use crate::matrix::ColumnSource;
use crate::peer_rows::PyPeerRows;
use numpy::PyReadonlyArray1;
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use std::sync::{Arc, Mutex, PoisonError};
use treewright_core::Result;
use treewright_core::prelude::{
    BoostWords, Boosting, Cancel, Exact, Forest, Kind, Peers, Start, Table, TrainingData, model,
};

/// A run of boosting. Its rows are its own: the arrays that it was made from may change.
#[pyclass(frozen, name = "Boosting", module = "treewright._core")]
pub struct PyBoosting {
    kinds: Vec<Kind>,
    rows: usize,
    run: Mutex<Option<Run>>,
}

/// A run of either kind. The exact one looks at the table again in each round, so it has a copy of it.
enum Run {
    Bins(Box<Boosting>),
    Exact(Box<Exact>, Vec<Owned>),
}

impl Run {
    fn advance(&mut self, rounds: u32, cancel: &Cancel) -> Result<bool> {
        match self {
            Run::Bins(run) => run.advance(rounds, cancel),
            Run::Exact(run, columns) => {
                let columns: Vec<_> = columns.iter().map(Owned::column).collect();
                let rows = columns.first().map_or(0, |column| column.len());
                run.advance(&Table::new(columns, rows)?, rounds, cancel)
            }
        }
    }

    /// The processes of the run, where there are others.
    fn peers(&self) -> Option<Arc<dyn Peers>> {
        match self {
            Run::Bins(run) if run.peers().size() > 1 => Some(Arc::clone(run.peers())),
            _ => None,
        }
    }

    /// How many numbers its trees hold.
    fn cells(&self) -> usize {
        let trees = match self {
            Run::Bins(run) => run.trees(),
            Run::Exact(run, _) => &run.trees,
        };
        trees.iter().map(|tree| 8 * tree.len()).sum()
    }

    fn losses(&self) -> &[Vec<f64>] {
        match self {
            Run::Bins(run) => run.losses(),
            Run::Exact(run, _) => run.progress.losses(),
        }
    }

    fn finish(self, kinds: Vec<Kind>) -> Result<Forest> {
        match self {
            Run::Bins(run) => run.finish(kinds),
            Run::Exact(run, _) => model(&run.plan, run.base, run.trees, &run.progress, kinds),
        }
    }
}

#[pymethods]
impl PyBoosting {
    /// Codes the rows and scores them. The target is codes where the recipe has classes, else numbers.
    #[new]
    #[pyo3(signature = (recipe, levels, columns, target, weights=None, held=None, eval_starts=Vec::new(), eval_weights=None, base=None, scores=None, rounds=0))]
    #[expect(clippy::too_many_arguments, reason = "all that a run begins with")]
    fn new(
        py: Python<'_>,
        recipe: &Bound<'_, PyDict>,
        levels: Vec<Option<u32>>,
        columns: &Bound<'_, PyAny>,
        target: &Bound<'_, PyAny>,
        weights: Option<PyReadonlyArray1<'_, f64>>,
        held: Option<PyReadonlyArray1<'_, bool>>,
        eval_starts: Vec<usize>,
        eval_weights: Option<PyReadonlyArray1<'_, f64>>,
        base: Option<Vec<f64>>,
        scores: Option<PyReadonlyArray1<'_, f64>>,
        rounds: u32,
    ) -> PyResult<PyBoosting> {
        let words = words(recipe)?;
        let plan = words.plan().map_err(|error| raise(py, error))?;
        let kinds = convert::kinds(&levels);
        let (numbers, classes) = if words.classes > 0 {
            (Vec::new(), convert::copy(&target.extract::<PyReadonlyArray1<'_, u32>>()?)?)
        } else {
            (convert::copy(&target.extract::<PyReadonlyArray1<'_, f64>>()?)?, Vec::new())
        };
        let training = TrainingData {
            numbers,
            classes,
            weights: convert::copy_some(weights.as_ref())?,
            held: convert::copy_some(held.as_ref())?,
            eval_starts,
            eval_weights: convert::copy_some(eval_weights.as_ref())?,
        };
        let scores = convert::copy_some(scores.as_ref())?;
        let source = ColumnSource::new(&kinds, columns)?;
        let (rows, table) = (source.rows(), source.table(py)?);
        let size = Size::learning(rows, kinds.len());
        let start = Start { base, scores, rounds };
        let run = enter(py, size, |cancel| {
            if !words.exact {
                return Boosting::new(&table, training, start, plan, cancel).map(|run| Run::Bins(Box::new(run)));
            }
            let owned = table.columns().iter().map(Owned::of).collect::<Result<Vec<_>>>()?;
            Exact::new(&table, training, start, plan).map(|run| Run::Exact(Box::new(run), owned))
        })?;
        Ok(PyBoosting { kinds, rows, run: Mutex::new(Some(run)) })
    }

    /// A run on the rows of one of several processes, which is over when another process is lost. It goes on after the trees
    /// of a forest, if one is given, with the losses that were noted then.
    #[staticmethod]
    #[pyo3(signature = (rows, base=None, forest=None, losses=Vec::new()))]
    fn of_rows(
        py: Python<'_>,
        rows: &PyPeerRows,
        base: Option<Vec<f64>>,
        forest: Option<PyRef<'_, PyForest>>,
        losses: Vec<Vec<f64>>,
    ) -> PyResult<PyBoosting> {
        let kinds = rows.kinds.clone();
        let rows = rows.take()?;
        let (count, peers) = (rows.rows(), rows.peers().clone());
        let trees = forest.map_or_else(Vec::new, |forest| forest.0.trees().to_vec());
        let size = Size::learning(count, kinds.len());
        let run = enter_together(py, size, &*peers, |cancel| rows.start(base, trees, &losses, cancel))?;
        Ok(PyBoosting { kinds, rows: count, run: Mutex::new(Some(Run::Bins(Box::new(run)))) })
    }

    /// The trees of the last round, as terms of a sum.
    fn last_trees(&self, py: Python<'_>) -> PyResult<PyForest> {
        let run = self.run.lock().unwrap_or_else(PoisonError::into_inner);
        let Some(Run::Bins(run)) = &*run else { return Err(over()) };
        let forest = at_once(py, || run.last_round(self.kinds.clone()))?;
        Ok(PyForest(Arc::new(forest.map_err(|error| raise(py, error))?)))
    }

    /// Adds rounds; returns whether it is time to stop. A run that was interrupted is over.
    fn advance(&self, py: Python<'_>, rounds: u32) -> PyResult<bool> {
        let mut run = self.take()?;
        let size = Size::learning(self.rows, self.kinds.len()).times(rounds as usize);
        let stop = match run.peers() {
            Some(peers) => enter_together(py, size, &*peers, |cancel| run.advance(rounds, cancel))
                .map_err(|error| with_round(py, error, run.losses().len().saturating_sub(1)))?,
            None => enter(py, size, |cancel| run.advance(rounds, cancel))?,
        };
        *self.run.lock().unwrap_or_else(PoisonError::into_inner) = Some(run);
        Ok(stop)
    }

    /// The mean loss of the training rows and of each set of rows held out, at the start and after each round; NaN where
    /// nobody asked.
    #[getter]
    fn losses(&self) -> PyResult<Vec<Vec<f64>>> {
        let run = self.run.lock().unwrap_or_else(PoisonError::into_inner);
        Ok(run.as_ref().ok_or_else(over)?.losses().to_vec())
    }

    /// The model; where rounds were too many, of those before. The run is over.
    fn finish(&self, py: Python<'_>) -> PyResult<PyForest> {
        let run = self.take()?;
        let kinds = self.kinds.clone();
        let forest = enter(py, run.cells(), |_| run.finish(kinds))?;
        Ok(PyForest(Arc::new(forest)))
    }
}

impl PyBoosting {
    fn take(&self) -> PyResult<Run> {
        self.run.lock().unwrap_or_else(PoisonError::into_inner).take().ok_or_else(over)
    }
}

/// Notes in an error about a lost process how many rounds were finished.
fn with_round(py: Python<'_>, error: PyErr, rounds: usize) -> PyErr {
    let value = error.value(py);
    match value.hasattr("round").and_then(|has| if has { value.setattr("round", rounds) } else { Ok(()) }) {
        Ok(()) => error,
        Err(failure) => failure,
    }
}

pub fn over() -> PyErr {
    PyRuntimeError::new_err("the run is over, or another thread is at it")
}

pub fn words(dict: &Bound<'_, PyDict>) -> PyResult<BoostWords> {
    Ok(BoostWords {
        loss: item(dict, "loss")?,
        quantile: item(dict, "quantile")?,
        power: item(dict, "power")?,
        classes: item(dict, "classes")?,
        rate: item(dict, "rate")?,
        max_leaves: item(dict, "max_leaves")?,
        max_depth: item(dict, "max_depth")?,
        min_leaf: item(dict, "min_leaf")?,
        min_gain: item(dict, "min_gain")?,
        l2: item(dict, "l2")?,
        max_features: item(dict, "max_features")?,
        monotone: item(dict, "monotone")?,
        interactions: item(dict, "interactions")?,
        max_bins: item(dict, "max_bins")?,
        subsample: item(dict, "subsample")?,
        seed: item(dict, "seed")?,
        patience: item(dict, "patience")?,
        tolerance: item(dict, "tolerance")?,
        tell: item(dict, "tell")?,
        exact: item(dict, "exact")?,
        threads: item(dict, "threads")?,
        plain: item(dict, "plain")?,
    })
}

/// Adds everything here to the module.
pub fn register(m: &Bound<'_, PyModule>) -> PyResult<()> {
    m.add_class::<PyBoosting>()
}
