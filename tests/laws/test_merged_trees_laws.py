"""Laws of trees whose rows lie in several processes: any cut of the rows gives the bytes of the local tree."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.base import clone

from treewright import (
    AdaBoostClassifier,
    C45Classifier,
    CARTClassifier,
    CARTRegressor,
    ID3Classifier,
    Table,
    _core,
)
from treewright._cluster import exact_trees
from treewright._cluster.forest_bytes import forest_to_bytes
from treewright._estimator.training_data import TrainingData
from treewright._input.target import ClassTarget
from treewright._model.table_builder import levels_of
from treewright.errors import DataError, UsageError

CLASSIFIERS: list[Any] = [
    CARTClassifier(),
    CARTClassifier(criterion="entropy", missing="branch", min_samples_leaf=3),
    CARTClassifier(class_weight="balanced", min_weight_fraction_leaf=0.04, max_depth=4),
    CARTClassifier(max_leaf_nodes=6, min_samples_split=5),
    CARTClassifier(costs=[[0, 1], [5, 0]], min_gain=0.001, monotonic_cst={"a": 1, "b": -1}),
    CARTClassifier(max_p_value=0.2),
    ID3Classifier(),
    ID3Classifier(min_gain=0.05, max_depth=2),
    C45Classifier(prune=None),
    C45Classifier(prune=None, variant="j48", thresholds="midpoint"),
    C45Classifier(prune=None, criterion="gain", categorical="groups", min_cases=1),
    C45Classifier(prune=None, min_cases=0, class_weight={"no": 0.7}),
]
REGRESSORS: list[Any] = [
    CARTRegressor(),
    CARTRegressor(missing="branch", min_samples_leaf=2, max_leaf_nodes=9),
    CARTRegressor(min_weight_fraction_leaf=0.05, monotonic_cst={"a": 1}),
]


def make_table(seed: int, rows: int) -> dict[str, list[Any]]:
    """Return columns with ties, both zeros, missing values and categories."""
    rng = np.random.default_rng(seed)
    a = np.round(rng.normal(size=rows), int(rng.integers(0, 4))) * float(rng.choice([-1.0, 1.0]))
    b = rng.choice([-1.0, -0.0, 0.0, 0.5, 1.0, 1.0 + 1e-9], size=rows)
    c = rng.normal(size=rows)
    c[rng.random(rows) < rng.choice([0.0, 0.2])] = np.nan
    d = rng.choice(["u", "v", "w", "x"][: int(rng.integers(1, 5))], size=rows).tolist()
    e = [None if r < 0.1 else str(int(r * 70) % 12) for r in rng.random(rows)]
    return {"a": a.tolist(), "b": b.tolist(), "c": c.tolist(), "d": d, "e": e}


def make_target(columns: dict[str, list[Any]], seed: int, numbers: bool) -> list[Any]:
    rng = np.random.default_rng(seed + 1)
    a, b, c = (np.nan_to_num(np.array(columns[name], dtype=float)) for name in "abc")
    score = a * b + c + 0.5 * rng.normal(size=len(a)) + (np.array(columns["d"]) == "u")
    if numbers:
        return np.round(score, int(rng.integers(0, 6))).tolist()
    return np.where(score > np.median(score), "yes", "no").tolist()


def make_weights(kind: str, seed: int, rows: int) -> Any:
    rng = np.random.default_rng(seed + 2)
    if kind == "none":
        return None
    return (
        rng.integers(0, 4, rows).astype(float) + (np.arange(rows) == 0)
        if kind == "whole"
        else rng.random(rows)
    )


def has_two_labels(y: list[Any], weights: Any) -> bool:
    """Whether rows with a weight have more than one label."""
    return len(set(y if weights is None else np.array(y)[weights > 0].tolist())) > 1


def make_cuts(seed: int, rows: int, processes: int) -> list[slice]:
    """Return a run of rows for each process; some have none."""
    rng = np.random.default_rng(seed + 3)
    inner = np.sort(rng.integers(0, rows + 1, processes - 1)).tolist()
    return [slice(a, b) for a, b in zip([0, *inner], [*inner, rows], strict=True)]


def grow_merged(data: TrainingData, recipe: Any, cuts: list[slice], small: int) -> list[bytes]:
    """Return the forest that each of some threads grows from its rows."""
    peers = _core.ThreadPeers.several(len(cuts))

    def grow(rank: int) -> bytes:
        rows = cuts[rank]
        columns = [np.ascontiguousarray(column[rows]) for column in data.columns]
        weights = None if data.weights is None else np.ascontiguousarray(data.weights[rows])
        labels = np.ascontiguousarray(data.labels[rows])
        about = (levels_of(data.schema), columns, labels, data.n_classes, weights)
        forest = _core.grow_merged(recipe, *about, peers[rank], small)
        return forest_to_bytes(forest, data.schema)

    with ThreadPoolExecutor(len(cuts)) as pool:
        return list(pool.map(grow, range(len(cuts))))


def check(model: Any, seed: int, rows: int, processes: int, small: int, weights: str) -> None:
    columns = make_table(seed, rows)
    y = make_target(columns, seed, isinstance(model, CARTRegressor))
    if not has_two_labels(y, make_weights(weights, seed, rows)):
        return
    model = type(model)(**model.get_params())
    model.fit(columns, y, sample_weight=make_weights(weights, seed, rows))
    data = model._record.data
    recipe = model._recipe(data)
    expected = forest_to_bytes(data.grow(recipe), data.schema)
    assert all(
        found == expected
        for found in grow_merged(data, recipe, make_cuts(seed, len(data), processes), small)
    )


many_rows = st.sampled_from([2, 7, 40, 150])
processes = st.integers(1, 4)
small = st.sampled_from([0, 1, 5, 30, 1000])
weightings = st.sampled_from(["none", "whole", "real"])


@pytest.mark.parametrize("model", CLASSIFIERS, ids=str)
@settings(max_examples=12)
@given(st.integers(0, 10**6), many_rows, processes, small, weightings)
def test_classes_of_any_cut_give_the_local_tree(
    model: Any, seed: int, rows: int, processes: int, small: int, weights: str
) -> None:
    check(model, seed, rows, processes, small, weights)


@pytest.mark.parametrize("model", REGRESSORS, ids=str)
@settings(max_examples=12)
@given(st.integers(0, 10**6), many_rows, processes, small, weightings)
def test_numbers_of_any_cut_give_the_local_tree(
    model: Any, seed: int, rows: int, processes: int, small: int, weights: str
) -> None:
    check(model, seed, rows, processes, small, weights)


def run_together(work: Any, processes: int) -> list[Any]:
    """Return what each of some threads gives, each with its handle."""
    peers = _core.ThreadPeers.several(processes)
    with ThreadPoolExecutor(processes) as pool:
        return list(pool.map(work, peers))


def part_of(data: TrainingData, rows: slice) -> TrainingData:
    target = data.target
    values = "codes" if isinstance(target, ClassTarget) else "values"
    target = replace(target, **{values: np.ascontiguousarray(getattr(target, values)[rows])})
    weights = None if data.weights is None else np.ascontiguousarray(data.weights[rows])
    # Every part is coded by the categories of the whole table.
    series = [replace(s, data=np.ascontiguousarray(s.data[rows])) for s in data.table.series]
    return TrainingData(Table(series), data.schema, target, weights)


PRUNED: list[Any] = [
    C45Classifier(),
    C45Classifier(variant="j48", categorical="groups", confidence=0.1),
    C45Classifier(raising=False, class_weight="balanced"),
    CARTClassifier(prune="cost_complexity", ccp_alpha=0.01),
    CARTClassifier(prune="pessimistic", class_weight="balanced", min_samples_leaf=0.03),
    CARTRegressor(ccp_alpha=0.02),
]


@pytest.mark.parametrize("model", PRUNED, ids=str)
@settings(max_examples=8)
@given(st.integers(0, 10**6), many_rows, st.integers(1, 3), small, weightings)
def test_pruned_trees_of_any_cut_are_the_local_ones(
    model: Any, seed: int, rows: int, processes: int, small: int, weights: str
) -> None:
    columns = make_table(seed, rows)
    y = make_target(columns, seed, isinstance(model, CARTRegressor))
    if not has_two_labels(y, make_weights(weights, seed, rows)):
        return
    model = clone(model)
    model.fit(columns, y, sample_weight=make_weights(weights, seed, rows))
    # The record holds the weights of rows with those of their classes.
    data = model._record.data
    if getattr(model, "class_weight", None) is not None and isinstance(model, C45Classifier):
        given = make_weights(weights, seed, rows)
        data = replace(data, weights=None if given is None else given[given > 0])
    cuts = make_cuts(seed, len(data), processes)

    def grow(peer: Any) -> bytes:
        forest = exact_trees.grow_tree(clone(model), part_of(data, cuts[peer.rank]), peer, small)
        return forest_to_bytes(forest, data.schema)

    expected = forest_to_bytes(model._forest, data.schema)
    assert all(found == expected for found in run_together(grow, processes))


@settings(max_examples=12)
@given(st.integers(0, 10**6), st.sampled_from([2, 9, 60, 400]), processes, weightings)
def test_stumps_of_any_cut_are_the_local_ones(
    seed: int, rows: int, processes: int, weights: str
) -> None:
    columns = make_table(seed, rows)
    y = make_target(columns, seed, numbers=False)
    if not has_two_labels(y, make_weights(weights, seed, rows)):
        return
    numbers = {"a": columns["a"], "b": columns["b"], "c": np.nan_to_num(columns["c"]).tolist()}
    w = make_weights(weights, seed, rows)
    model = AdaBoostClassifier(n_estimators=25).fit(numbers, y, sample_weight=w)
    tree = CARTClassifier(max_depth=1).fit(numbers, y, sample_weight=w)
    data = tree._record.data
    cuts = make_cuts(seed, len(data), processes)

    def boost(peer: Any) -> Any:
        other = AdaBoostClassifier(n_estimators=25)
        forest = exact_trees.boost_stumps(other, part_of(data, cuts[peer.rank]), peer)
        return forest_to_bytes(forest, data.schema), other.estimator_errors_.tolist()

    expected = forest_to_bytes(model._forest, data.schema), model.estimator_errors_.tolist()
    assert all(found == expected for found in run_together(boost, processes))


def test_what_needs_all_rows_is_refused() -> None:
    columns = make_table(1, 20)
    y = make_target(columns, 1, numbers=False)
    data = CARTClassifier().fit(columns, y)._record.data
    (peer,) = _core.ThreadPeers.several(1)
    for model in (CARTClassifier(prune="reduced_error"), CARTClassifier(prune="cost_complexity")):
        with pytest.raises(UsageError, match="needs all rows in one process"):
            exact_trees.grow_tree(model, data, peer)
    with pytest.raises(UsageError, match="numeric columns without missing values"):
        exact_trees.boost_stumps(AdaBoostClassifier(), data, peer)


def test_surrogates_are_refused() -> None:
    columns = make_table(1, 20)
    model = CARTClassifier(missing="surrogate").fit(columns, make_target(columns, 1, numbers=False))
    data = model._record.data
    with pytest.raises(DataError, match="surrogate splits are not supported"):
        grow_merged(data, model._recipe(data), make_cuts(1, 20, 2), 0)
