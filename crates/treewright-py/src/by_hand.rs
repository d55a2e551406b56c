//! Growing a tree by hand, for Python.

use crate::convert::{self, Owned, OwnedTarget};
use crate::enter::{Size, enter};
use crate::forest::PyForest;
use numpy::{PyArray1, PyReadonlyArray1};
use pyo3::exceptions::{PyIndexError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use std::sync::Arc;
use treewright_core::prelude::{
    Action, ByHand, Cancel, Forest, Kind, LeafReason, NodeState, Question, Recipe, STOP, SplitRule, Tree,
};

/// The rows that a tree is grown from by hand, and how; frozen.
#[pyclass(frozen, name = "ByHand", module = "treewright._core")]
struct PyByHand {
    recipe: Recipe,
    kinds: Vec<Kind>,
    columns: Vec<Owned>,
    target: OwnedTarget,
    weights: Option<Vec<f64>>,
}

/// A node, a word for what happens there, and for questions the column, the cut, and the child of each level.
type GivenAction = (usize, String, Option<u32>, Option<f64>, Option<Vec<u16>>);

/// A tree, for each node its number before, the nodes that were split by hand, and the state of each node.
type GivenStage = (PyForest, Vec<Option<usize>>, Vec<usize>, Vec<&'static str>);

/// Rows and what share of each.
pub type Shares<'py> = (Bound<'py, PyArray1<u32>>, Bound<'py, PyArray1<f64>>);

#[pymethods]
impl PyByHand {
    #[new]
    fn new(
        recipe: &Bound<'_, PyDict>,
        levels: Vec<Option<u32>>,
        columns: Vec<Bound<'_, PyAny>>,
        target: &Bound<'_, PyAny>,
        classes: Option<usize>,
        weights: Option<PyReadonlyArray1<'_, f64>>,
    ) -> PyResult<PyByHand> {
        let kinds = convert::kinds(&levels);
        Ok(PyByHand {
            recipe: convert::recipe(recipe)?,
            columns: convert::own(&convert::borrow(&kinds, &columns)?)?,
            kinds,
            target: OwnedTarget::new(target, classes)?,
            weights: convert::copy_some(weights.as_ref())?,
        })
    }

    /// Does something at some nodes of a tree, or starts one where there is none. The nodes that stay keep their order.
    /// Gives the tree; for each node its number before, or None; the nodes that are split otherwise than the algorithm
    /// would; and the state of each node: "split", "open", "before" or why it is a leaf.
    #[pyo3(signature = (forest=None, actions=vec![]))]
    fn act(&self, py: Python<'_>, forest: Option<&PyForest>, actions: Vec<GivenAction>) -> PyResult<GivenStage> {
        let tree = forest.map(|forest| self.tree_of(forest)).transpose()?;
        let actions = actions.into_iter().map(read_action).collect::<PyResult<Vec<_>>>()?;
        let stage = self.enter(py, |hand| {
            let stage = match tree {
                Some(tree) => hand.act(tree, &actions)?,
                None => hand.start()?,
            };
            stage.in_order_of_creation(&self.kinds)
        })?;
        let states = stage.states.iter().map(|state| word(*state)).collect();
        Ok((self.forest(py, stage.tree)?, stage.before, stage.by_hand, states))
    }

    /// For each node why it is a leaf; None for branches and for leaves that growing would split.
    fn leaf_reasons(&self, py: Python<'_>, forest: &PyForest) -> PyResult<Vec<Option<&'static str>>> {
        let tree = self.tree_of(forest)?;
        let reasons = self.enter(py, |hand| hand.leaf_reasons(tree))?;
        Ok(reasons.into_iter().map(|reason| reason.map(LeafReason::word)).collect())
    }

    /// The rows of a node, and the share of each that is there.
    fn rows_of<'py>(&self, py: Python<'py>, forest: &PyForest, node: usize) -> PyResult<Shares<'py>> {
        let tree = self.tree_of(forest)?;
        check_node(tree, node)?;
        let rows = self.enter(py, |hand| hand.rows_of(tree, node))?;
        Ok(arrays(py, rows))
    }

    /// The tree as growing would leave it, with what the recipe does to a grown tree where it is to be pruned.
    fn finish(&self, py: Python<'_>, forest: &PyForest, prune: bool) -> PyResult<PyForest> {
        let tree = self.tree_of(forest)?;
        let tree = self.enter(py, |hand| hand.finish(tree, prune))?;
        self.forest(py, tree)
    }
}

impl PyByHand {
    fn enter<T: Send>(
        &self,
        py: Python<'_>,
        work: impl FnOnce(&ByHand<'_>) -> treewright_core::Result<T> + Send,
    ) -> PyResult<T> {
        let rows = self.target.len();
        let size = Size::learning(rows, self.columns.len()).times(self.recipe.max_divisions(&self.kinds));
        enter(py, size, |cancel: &Cancel| {
            let table = convert::own_table(&self.columns, rows)?;
            let (target, weights) = (self.target.as_target(), self.weights.as_deref());
            work(&ByHand { recipe: &self.recipe, table: &table, target, weights, cancel })
        })
    }

    /// The tree, which must be one of these columns.
    fn tree_of<'f>(&self, forest: &'f PyForest) -> PyResult<&'f Tree> {
        match (forest.0.kinds() == self.kinds, forest.0.trees()) {
            (true, [tree]) => Ok(tree),
            _ => Err(PyValueError::new_err("this is not one tree of these columns")),
        }
    }

    fn forest(&self, py: Python<'_>, tree: Tree) -> PyResult<PyForest> {
        let forest = enter(py, tree.value.len(), |_| Forest::grown(self.kinds.clone(), vec![tree]))?;
        Ok(PyForest(Arc::new(forest)))
    }
}

/// Refuses a node that a tree does not have.
pub fn check_node(tree: &Tree, node: usize) -> PyResult<()> {
    if node < tree.len() { Ok(()) } else { Err(PyIndexError::new_err("there is no such node")) }
}

/// Rows and shares as arrays.
pub fn arrays<'py>(py: Python<'py>, rows: Vec<(u32, f64)>) -> Shares<'py> {
    let (rows, shares): (Vec<u32>, Vec<f64>) = rows.into_iter().unzip();
    (PyArray1::from_vec(py, rows), PyArray1::from_vec(py, shares))
}

fn read_action((node, word, feature, cut, route): GivenAction) -> PyResult<(usize, Action)> {
    let action = match (word.as_str(), feature, route) {
        ("leaf", None, None) => Action::MakeLeaf,
        ("split", None, None) => Action::Split,
        ("grow", None, None) => Action::Grow,
        ("split_on", Some(feature), None) => Action::SplitOn { feature, cut },
        ("split_by", Some(feature), Some(mut route)) => {
            // The last entry is the child of missing values.
            let missing = route.pop().unwrap_or_default();
            let all = route.iter().chain([&missing]).filter(|&&child| child < STOP);
            let children = all.max().map_or(0, |child| child + 1);
            let question = Question::Route(route);
            Action::SplitBy { feature, rule: SplitRule { question, children, missing } }
        }
        _ => return Err(PyValueError::new_err("there is no such action")),
    };
    Ok((node, action))
}

fn word(state: NodeState) -> &'static str {
    match state {
        NodeState::Branch => "split",
        NodeState::Open => "open",
        NodeState::AsBefore => "before",
        NodeState::Leaf(reason) => reason.word(),
    }
}

/// Adds everything here to the module.
pub fn register(m: &Bound<'_, PyModule>) -> PyResult<()> {
    m.add_class::<PyByHand>()
}
