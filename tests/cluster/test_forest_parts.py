"""Trees of a forest that are grown in several calls and processes, without a cluster."""

from __future__ import annotations

import gc
import pickle
import weakref
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
import pytest

from treewright import ExtraTreesRegressor, RandomForestClassifier, RandomForestRegressor, _core
from treewright._cluster import forest_parts
from treewright._cluster.packed_rows import TrainingRows
from treewright._input.containers import as_table
from treewright._input.target import ClassTarget, NumberTarget
from treewright.files import to_bytes

MODELS: list[Any] = [
    RandomForestClassifier(n_estimators=7),
    RandomForestClassifier(n_estimators=7, criterion="entropy", missing="branch", n_jobs=2),
    RandomForestRegressor(n_estimators=7, max_features=2),
    ExtraTreesRegressor(n_estimators=7, bootstrap=True),
]


def make_rows(model: Any) -> tuple[TrainingRows, Any, Any]:
    rng = np.random.default_rng(5)
    X = {
        "a": rng.normal(size=300).round(1),
        "b": rng.normal(size=300),
        "c": rng.choice(["u", "v", "w"], 300).tolist(),
    }
    X["b"][rng.random(300) < 0.1] = np.nan
    score = X["a"] + rng.normal(size=300)
    if isinstance(model, RandomForestClassifier):
        y: Any = np.where(score > 0, "yes", "no")
        return TrainingRows(as_table(X), ClassTarget.of(y), None), X, y
    return TrainingRows(as_table(X), NumberTarget.of(score), None), X, score


@pytest.mark.parametrize("model", MODELS, ids=str)
def test_parts_in_any_order_from_several_threads_are_the_local_forest(model: Any) -> None:
    rows, X, y = make_rows(model)
    numbers = [range(4, 7), range(1), range(1, 4)]
    with ThreadPoolExecutor(3) as pool:
        parts = list(pool.map(lambda n: forest_parts.grow_part(model, rows, True, n), numbers))
    shell = forest_parts.make_shell(model, rows, True).estimator
    shell._forest = forest_parts.join_parts(shell.schema_, parts)
    shell.n_jobs = model.n_jobs
    assert to_bytes(shell) == to_bytes(type(model)(**model.get_params()).fit(X, y))


def test_codes_live_as_long_as_the_rows_and_never_travel() -> None:
    rows, _, _ = make_rows(MODELS[0])
    forest_parts.make_shell(MODELS[0], rows, True)
    coded = weakref.ref(rows.kept.get(lambda: None))
    assert coded() is not None
    again = pickle.loads(pickle.dumps(rows))
    assert again.kept.get(lambda: "nothing") == "nothing"
    del rows
    gc.collect()
    assert coded() is None


def test_an_error_keeps_nothing() -> None:
    rows, _, _ = make_rows(MODELS[0])
    wrong = RandomForestClassifier(max_features="many")
    with pytest.raises(ValueError, match="max_features"):
        forest_parts.make_shell(wrong, rows, True)
    assert len(forest_parts.make_shell(MODELS[0], rows, True).estimator.classes_) == 2


def test_trees_travel_without_a_copy_and_in_few_bytes() -> None:
    rows, _, _ = make_rows(MODELS[0])
    part = forest_parts.grow_part(MODELS[0], rows, True, range(7))
    buffers: list[pickle.PickleBuffer] = []
    message = pickle.dumps(part, protocol=5, buffer_callback=buffers.append)
    assert sum(buffer.raw().nbytes for buffer in buffers) == part.trees.nbytes
    assert len(message) < 1_000
    shell = forest_parts.make_shell(MODELS[0], rows, True).estimator
    forest = forest_parts.join_parts(shell.schema_, [pickle.loads(message, buffers=buffers)])
    nodes = sum(len(forest.tree(i).feature) for i in range(7))
    assert part.trees.nbytes < 40 * nodes


def test_a_damaged_message_is_refused() -> None:
    rows, _, _ = make_rows(MODELS[0])
    part = forest_parts.grow_part(MODELS[0], rows, True, range(1))
    with pytest.raises(ValueError, match=r"laid out|sizes"):
        _core.ArrivingTrees([None, None, 3]).add(0, part.trees[:-5].copy())
    arriving = _core.ArrivingTrees([None, None, 3])
    arriving.add(3, part.trees)
    with pytest.raises(ValueError, match="did not arrive"):
        arriving.finish(0)
