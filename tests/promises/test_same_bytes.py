"""The same data, parameters and seed give the same model bytes: in every fit, process and container."""

from __future__ import annotations

import json

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import treewright
from treewright.files import to_bytes
from treewright.table import Series

pytestmark = pytest.mark.slow  # short tests, but 200 of them

LEARNERS = [name for name in treewright.__all__ if name.endswith(("Classifier", "Regressor"))]
# They store their training rows in order, because ties of distance go to the first row.
REMEMBER = ("KNeighborsClassifier", "KNeighborsRegressor")

DIGESTS = """
    import hashlib, json
    import treewright
    from treewright import datasets
    from treewright.files import to_bytes

    digests = {}
    for learner in (n for n in treewright.__all__ if n.endswith(("Classifier", "Regressor"))):
        for name in ("play-tennis", "golf", "near-cool", "truth-table"):
            table = datasets.load(name)
            y = table.labels if learner.endswith("Classifier") else list(range(len(table.labels)))
            # Values without declared categories: the order of a set or dict could have an effect.
            X = table.features.to_dict()
            model = getattr(treewright, learner)().fit(X, y)
            digests[f"{learner} {name}"] = hashlib.sha256(to_bytes(model)).hexdigest()
    print(json.dumps(digests))
"""


@pytest.fixture(scope="module")
def table() -> tuple[dict[str, list[object]], np.ndarray]:
    rng = np.random.default_rng(3)
    columns: dict[str, list[object]] = {
        f"c{i}": rng.choice(["a", "b", "c", None], 300).tolist() for i in range(5)
    }
    columns["n"] = [float(x) for x in rng.integers(0, 9, 300)]
    return columns, rng.integers(0, 3, 300)


def learn(learner: str, X: object, y: np.ndarray, weights: np.ndarray | None = None) -> bytes:
    more = {} if weights is None else {"sample_weight": weights}
    return to_bytes(getattr(treewright, learner)().fit(X, y, **more))


def test_processes_with_other_hash_seeds_agree(fresh_python) -> None:
    runs = [json.loads(fresh_python(DIGESTS, PYTHONHASHSEED=seed)) for seed in ("0", "1", "4242")]
    assert runs[0] == runs[1] == runs[2]
    assert len(runs[0]) == len(LEARNERS) * 4


@pytest.mark.parametrize("learner", LEARNERS)
def test_repeated_fits_agree(learner: str, table) -> None:
    assert len({learn(learner, *table) for _ in range(10)}) == 1


@pytest.mark.parametrize("learner", [name for name in LEARNERS if name not in REMEMBER])
def test_the_order_of_the_rows_does_not_matter(learner: str, table) -> None:
    X, y = table
    weights = np.random.default_rng(5).integers(1, 4, len(y)) / 8
    order = np.random.default_rng(4).permutation(len(y))
    shuffled = {name: [values[i] for i in order] for name, values in X.items()}
    assert learn(learner, shuffled, y[order]) == learn(learner, X, y)
    assert learn(learner, shuffled, y[order], weights[order]) == learn(learner, X, y, weights)


CONTAINERS = {
    "Table": lambda t: t,
    "dict of lists": lambda t: t.to_dict(),
    "list of dicts": lambda t: [dict(zip(t.columns, row, strict=True)) for row in rows_of(t)],
    "pandas": lambda t: pd.DataFrame(t.to_dict()),
    "polars": lambda t: pl.DataFrame(t.to_dict()),
    "pyarrow": lambda t: pa.table(t.to_dict()),
    "pandas nullable": lambda t: pd.DataFrame(t.to_dict()).convert_dtypes(),
}


def rows_of(table: treewright.Table) -> list[tuple[object, ...]]:
    return list(zip(*table.to_dict().values(), strict=True))


@pytest.mark.parametrize("learner", LEARNERS)
@pytest.mark.parametrize("container", CONTAINERS)
def test_the_container_does_not_matter(learner: str, container: str, table) -> None:
    columns, y = table
    plain = treewright.Table([Series.of(name, values) for name, values in columns.items()])
    assert learn(learner, CONTAINERS[container](plain), y) == learn(learner, plain, y)


@pytest.mark.parametrize("learner", LEARNERS)
def test_other_data_gives_other_bytes(learner: str, table) -> None:
    X, y = table
    assert learn(learner, X, np.where(y == 0, 1, y)) != learn(learner, X, y)
