"""Optimal trees: the same bytes for any number of threads, and for every container."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest

from treewright import OptimalTreeClassifier, OptimalTreeRegressor
from treewright._model.table_builder import node_columns
from treewright.files import to_bytes


def bits(rows: int = 300, width: int = 20) -> tuple[Any, Any]:
    rng = np.random.default_rng(5)
    X = (rng.random((rows, width)) < 0.4).astype(float)
    y = ((X[:, 0] + X[:, 1] * X[:, 2] + rng.normal(size=rows)) > 0.8).astype(int)
    return X, y


def bytes_of(model: Any) -> bytes:
    return to_bytes(model.set_params(n_jobs=None))


def nodes_of(model: Any) -> bytes:
    tree = model._forest.tree(0)
    columns = node_columns(tree) | {"value": np.asarray(tree.value)}
    return b"".join(column.tobytes() for column in columns.values())


@pytest.mark.parametrize("depth", [2, 3, 4])
def test_threads_do_not_change_the_model(depth: int) -> None:
    X, y = bits()
    models = [OptimalTreeClassifier(depth, n_jobs=n).fit(X, y) for n in (1, 2, 4)]
    assert len({bytes_of(model) for model in models}) == 1
    numbers = [
        OptimalTreeRegressor(min(depth, 3), n_jobs=n).fit(X, y + X[:, 3] / 9) for n in (1, 2, 4)
    ]
    assert len({bytes_of(model) for model in numbers}) == 1


def test_threads_do_not_change_a_tree_of_numbers() -> None:
    rng = np.random.default_rng(2)
    X = rng.normal(size=(200, 4))
    y = (X[:, 0] * X[:, 1] > 0.2).astype(int)
    models = [OptimalTreeClassifier(3, n_jobs=n).fit(X, y) for n in (1, 2, 4)]
    assert len({bytes_of(model) for model in models}) == 1


def test_containers_do_not_change_the_model() -> None:
    columns = {"n": [1.5, 2.0, None, 4.0, 5.5, 6.0] * 5, "c": ["a", "b", "a", None, "c", "b"] * 5}
    y = ["no", "yes", "no", "yes", "yes", "no"] * 5
    tables = (
        columns,
        pd.DataFrame(columns),
        pl.DataFrame(columns),
        pl.DataFrame(columns).to_arrow(),
    )
    assert len({to_bytes(OptimalTreeClassifier(2).fit(table, y)) for table in tables}) == 1


@pytest.mark.parametrize("depth", [1, 2, 3, 4])
@pytest.mark.parametrize("classes", [2, 5])
def test_zeros_and_ones_give_the_same_model_in_every_container(depth: int, classes: int) -> None:
    X, y = bits(120, 9)
    y = (y + classes * X[:, 4] * X[:, 5]).astype(int) % classes
    frame = pd.DataFrame(X, columns=[f"x{i}" for i in range(X.shape[1])])
    by_column = {name: frame[name].tolist() for name in frame}
    arrays = (
        X,
        X.astype(np.float32),
        np.asfortranarray(X),
        np.repeat(np.repeat(X, 2, axis=0), 2, axis=1)[::2, ::2],
        X.astype(np.int8),
    )
    models = [OptimalTreeClassifier(depth).fit(array, y) for array in arrays]
    assert len({to_bytes(model) for model in models}) == 1
    # The node table of columns, and of rows with weights, is made by other code.
    named = [OptimalTreeClassifier(depth).fit(table, y) for table in (frame, by_column)]
    weighted = OptimalTreeClassifier(depth).fit(X, y, np.ones(len(y)))
    assert len({nodes_of(model) for model in (*models, *named, weighted)}) == 1
    assert {model.errors_ for model in (*models, *named, weighted)} == {models[0].errors_}
