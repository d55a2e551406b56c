"""Trees, forests and boosted trees of scikit-learn as fitted estimators of this package.

scikit-learn rounds numbers to single precision before it compares them with thresholds (histogram boosting does not).
The thresholds are moved so that every number goes where it goes there.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.utils.validation import check_is_fitted

from treewright._interchange.fitted_model import fitted_model, join_trees, refuse, sum_of_trees
from treewright._interchange.node_tables import ForeignNodes
from treewright._interchange.single_precision import largest_double_up_to
from treewright.schema import Column, Schema
from treewright.tree import Tree

__all__ = ["from_sklearn", "tree_of_sklearn"]

# The class here for each class of scikit-learn.
CLASSES = {
    "DecisionTreeClassifier": "CARTClassifier",
    "DecisionTreeRegressor": "CARTRegressor",
    "ExtraTreeClassifier": "CARTClassifier",
    "ExtraTreeRegressor": "CARTRegressor",
    "RandomForestClassifier": "RandomForestClassifier",
    "RandomForestRegressor": "RandomForestRegressor",
    "ExtraTreesClassifier": "ExtraTreesClassifier",
    "ExtraTreesRegressor": "ExtraTreesRegressor",
    "GradientBoostingClassifier": "GradientBoostingClassifier",
    "GradientBoostingRegressor": "GradientBoostingRegressor",
    "HistGradientBoostingClassifier": "GradientBoostingClassifier",
    "HistGradientBoostingRegressor": "GradientBoostingRegressor",
}
# Parameters that mean the same in both libraries.
SAME_PARAMS = (
    *("max_depth", "min_samples_leaf", "min_samples_split", "max_leaf_nodes", "class_weight"),
    *("n_estimators", "max_features", "bootstrap", "max_samples", "n_jobs"),
    *("learning_rate", "subsample", "l2_regularization", "max_bins"),
)
CRITERIA = {
    "gini": "gini",
    "entropy": "entropy",
    "log_loss": "entropy",
    "squared_error": "squared_error",
    "friedman_mse": "squared_error",  # its impurity is the same, only its choice of splits differs
}
LOSSES = ("squared_error", "absolute_error", "huber", "quantile", "poisson", "gamma")


def from_sklearn(model: Any) -> Any:
    """Return a fitted tree, forest or boosted model of scikit-learn as a fitted estimator of treewright.

    The trees are copied, not trained again, and the predictions are the same for every row. All functions of treewright
    take the result: `show`, `explain`, `export`, `save`, `report`.

    Parameters
    ----------
    model : estimator
        A fitted ``DecisionTree``, ``ExtraTree``, ``RandomForest``, ``ExtraTrees``, ``GradientBoosting`` or
        ``HistGradientBoosting`` classifier or regressor of scikit-learn.

    Returns
    -------
    estimator
        A `CARTClassifier`, `RandomForestClassifier`, `ExtraTreesClassifier` or `GradientBoostingClassifier`, or the
        regressor, with the parameters that mean the same in both libraries. ``fit`` would train another model.

    Raises
    ------
    UsageError
        If the model is of another class, or has several outputs, another criterion, or an estimator as ``init``.

    Examples
    --------
    >>> import treewright
    >>> from sklearn.datasets import load_iris
    >>> from sklearn.tree import DecisionTreeClassifier
    >>> X, y = load_iris(return_X_y=True, as_frame=True)
    >>> theirs = DecisionTreeClassifier(max_depth=2, random_state=0).fit(X, y)
    >>> ours = treewright.from_sklearn(theirs)
    >>> type(ours).__name__, ours.tree_.n_nodes
    ('CARTClassifier', 5)
    >>> bool((ours.predict_proba(X) == theirs.predict_proba(X)).all())
    True
    """
    name = next((base.__name__ for base in type(model).__mro__ if _is_known(base)), None)
    if name is None:
        raise refuse(
            f"a {type(model).__name__}",
            f"from_sklearn takes one of scikit-learn's {', '.join(CLASSES)}",
        )
    check_is_fitted(model)
    if getattr(model, "n_outputs_", 1) != 1:
        raise refuse(f"a {name} with {model.n_outputs_} outputs", "fit one model for each output")
    if name.startswith("Hist"):
        return _histogram_boosting(model, name)
    if "Boosting" in name:
        return _boosting(model, name)
    return _trees(model, name)


def tree_of_sklearn(model: Any) -> Tree:
    """Return the tree of a fitted decision tree of scikit-learn, to be read beside others, whatever its criterion.

    Thresholds have the digits of single precision: 4.85, not 4.849999904632568.

    Examples
    --------
    >>> from sklearn.tree import DecisionTreeRegressor
    >>> tree_of_sklearn(DecisionTreeRegressor(criterion="absolute_error").fit([[0], [1]], [2, 3]))
    <Tree: 3 nodes, 2 leaves, depth 1>
    """
    names = _schema(model)
    columns = tuple(replace(column, missing=False, single=False) for column in names.columns)
    schema = replace(names, columns=columns)
    single = model.tree_.threshold.astype(np.float32)
    nodes = replace(_nodes(model.tree_), threshold=np.array([float(str(x)) for x in single]))
    return Tree(join_trees(schema, [nodes]), 0, schema)


def _is_known(base: type) -> bool:
    return base.__name__ in CLASSES and base.__module__.startswith("sklearn.")


def _trees(model: Any, name: str) -> Any:
    """Convert a tree, or a forest, which is the mean of its trees."""
    if model.criterion not in CRITERIA:
        raise refuse(
            f"a {name} with criterion {model.criterion!r}",
            f"its criterion must be one of {', '.join(CRITERIA)}",
        )
    schema = _schema(model)
    members = [model] if name.endswith(("TreeClassifier", "TreeRegressor")) else model.estimators_
    forest = join_trees(schema, [_nodes(member.tree_) for member in members])
    params = {"criterion": CRITERIA[model.criterion]}
    return _fitted(model, name, schema, forest, params)


def _boosting(model: Any, name: str) -> Any:
    """Convert gradient boosting: a constant and the scaled values of the trees."""
    from sklearn.dummy import DummyClassifier, DummyRegressor

    if model.init is not None and not isinstance(
        model.init, (str, DummyClassifier, DummyRegressor)
    ):
        raise refuse(f"a {name} whose init is a {type(model.init).__name__}", "leave out init")
    schema = _schema(model)
    rounds, sums = model.estimators_.shape
    zeros = np.zeros((1, model.n_features_in_), dtype=np.float32)
    base = np.asarray(model._raw_predict_init(zeros), dtype=np.float64).ravel()
    trees = [_nodes(tree.tree_) for tree in model.estimators_.ravel()]
    link = _link(schema, sums, model.loss)
    scales = [model.learning_rate] * len(trees)
    combine = sum_of_trees(base, [*range(sums)] * rounds, link, scales)
    forest = join_trees(schema, trees, combine)
    return _fitted(model, name, schema, forest, _loss_params(model, rounds), rounds)


def _histogram_boosting(model: Any, name: str) -> Any:
    """Convert histogram boosting, whose values are scaled already."""
    if getattr(model, "is_categorical_", None) is not None:
        raise refuse(
            f"a {name} with categorical columns", "encode them as numbers before scikit-learn's fit"
        )
    schema = _schema(model)
    rounds, sums = len(model._predictors), len(model._predictors[0])
    trees = [_histogram_nodes(tree.nodes) for each in model._predictors for tree in each]
    base = np.asarray(model._baseline_prediction, dtype=np.float64).ravel()
    link = _link(schema, sums, model.loss)
    forest = join_trees(schema, trees, sum_of_trees(base, [*range(sums)] * rounds, link))
    return _fitted(model, name, schema, forest, _loss_params(model, rounds), rounds)


def _link(schema: Schema, sums: int, loss: Any) -> str:
    if schema.classes:
        if loss != "log_loss":
            raise refuse(f"a model with loss {loss!r}", "fit it with loss='log_loss'")
        return "logistic" if sums == 1 else "softmax"
    if loss not in LOSSES:
        raise refuse(f"a model with loss {loss!r}", f"its loss must be one of {', '.join(LOSSES)}")
    return "exp" if loss in ("poisson", "gamma") else "identity"


def _loss_params(model: Any, rounds: int) -> dict[str, Any]:
    params: dict[str, Any] = {"n_estimators": rounds}
    if model.loss == "log_loss":
        return params
    params["loss"] = model.loss
    level = getattr(model, "quantile", None) or getattr(model, "alpha", None)
    return params | ({"quantile": level} if model.loss in ("quantile", "huber") else {})


def _fitted(
    model: Any, name: str, schema: Schema, forest: Any, params: Any, rounds: int = 0
) -> Any:
    theirs = model.get_params(deep=False)
    same = {key: theirs[key] for key in SAME_PARAMS if key in theirs}
    dtype = ""
    if schema.classes:
        dtype = "str" if model.classes_.dtype.kind == "U" else model.classes_.dtype.name
    return fitted_model(
        CLASSES[name],
        same | params,
        schema,
        forest,
        named=hasattr(model, "feature_names_in_"),
        classes_dtype=dtype,
        kept={"n_estimators_": rounds} if rounds else None,
    )


def _schema(model: Any) -> Schema:
    width = int(model.n_features_in_)
    names = getattr(model, "feature_names_in_", [f"x{i}" for i in range(width)])
    # Views write thresholds with the digits of the precision in which scikit-learn compares.
    single = not type(model).__name__.startswith("Hist")
    columns = tuple(Column(str(name), "numeric", single=single) for name in names)
    return Schema(columns, None, tuple(np.asarray(getattr(model, "classes_", [])).tolist()))


def _nodes(tree: Any) -> ForeignNodes:
    """Return the nodes of a tree of scikit-learn."""
    left, right = tree.children_left.astype(np.int64), tree.children_right.astype(np.int64)
    weight = tree.weighted_n_node_samples.astype(np.float64)
    cost = np.maximum(tree.impurity, 0.0) * weight
    missing_left = getattr(tree, "missing_go_to_left", np.zeros(len(left)))
    return ForeignNodes(
        left=left,
        right=right,
        feature=tree.feature.astype(np.int64),
        threshold=largest_double_up_to(tree.threshold),
        missing_left=np.asarray(missing_left).astype(bool),
        value=tree.value[:, 0, :],
        weight=weight,
        count=tree.n_node_samples.astype(np.int64),
        cost=cost,
        gain=_gain(left, right, cost),
    )


def _gain(
    left: NDArray[np.int64], right: NDArray[np.int64], cost: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Return how much each split decreases the cost."""
    return np.where(left >= 0, np.maximum(cost - cost[left] - cost[right], 0.0), 0.0)


def _histogram_nodes(nodes: Any) -> ForeignNodes:
    """Return the nodes of a tree of histogram boosting; it compares doubles as they are."""
    leaf = nodes["is_leaf"].astype(bool)
    count = nodes["count"].astype(np.int64)
    return ForeignNodes(
        left=np.where(leaf, -1, nodes["left"].astype(np.int64)),
        right=np.where(leaf, -1, nodes["right"].astype(np.int64)),
        feature=nodes["feature_idx"].astype(np.int64),
        threshold=nodes["num_threshold"].astype(np.float64),
        missing_left=nodes["missing_go_to_left"].astype(bool),
        value=nodes["value"].astype(np.float64)[:, None],
        weight=count.astype(np.float64),
        count=count,
        cost=np.zeros(len(leaf)),
        gain=np.maximum(nodes["gain"].astype(np.float64), 0.0) * ~leaf,
    )
