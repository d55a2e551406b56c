"""A fit that several processes run together, without an engine: threads stand for the processes."""

from __future__ import annotations

import itertools
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
import pytest
from sklearn.base import clone

import treewright
from treewright import _core
from treewright._cluster.joint_fit import RawPartition, fit_together
from treewright.errors import DataError


def run_together(processes: list[list[RawPartition]], estimator: Any) -> list[Any]:
    """Run a fit in one thread for each list of partitions; return models or errors."""
    handles = _core.ThreadPeers.several(len(processes))

    def run(rank: int) -> Any:
        try:
            return fit_together(handles[rank], processes[rank], estimator, True).estimator
        except Exception as error:
            handles[rank].leave()
            return error

    with ThreadPoolExecutor(len(processes)) as pool:
        return list(pool.map(run, range(len(processes))))


def make_parts(places: list[int]) -> tuple[Any, Any, list[RawPartition]]:
    rng = np.random.default_rng(0)
    X = rng.normal(size=(200, 3)).round(1)
    y = (X[:, 0] + X[:, 1] > 0).astype(int)
    ends = [0, *places, len(X)]
    parts = [
        RawPartition(number, X[begin:end], y[begin:end])
        for number, (begin, end) in enumerate(itertools.pairwise(ends))
    ]
    return X, y, parts


LEARNERS = [
    treewright.GradientBoostingClassifier(n_estimators=3),
    treewright.GradientBoostingClassifier(n_estimators=3, splits="exact", n_jobs=1),
    treewright.CARTClassifier(max_depth=3, n_jobs=1),
    treewright.AdaBoostClassifier(n_estimators=3),
    treewright.RandomForestClassifier(n_estimators=3, n_jobs=1),
    treewright.ExtraTreesClassifier(n_estimators=1, n_jobs=1),
    treewright.RandomForestClassifier(n_estimators=40, n_jobs=1, oob_score=True),
]
NAMES = ["merged sums", "exact", "one tree", "stumps", "forest", "a tree for one", "scored forest"]


@pytest.mark.parametrize("places", [[], [100], [3, 3, 150]])
@pytest.mark.parametrize("estimator", LEARNERS, ids=NAMES)
def test_the_bytes_of_a_local_model_wherever_partitions_lie(
    estimator: Any, places: list[int]
) -> None:
    X, y, parts = make_parts(places)
    local = clone(estimator).fit(X, y)
    # Two processes, with every second partition each.
    models = run_together([parts[1::2], parts[0::2]], estimator)
    expected = bytes(local._forest.to_bytes(local._document()))
    assert [bytes(m._forest.to_bytes(m._document())) for m in models] == [expected] * 2


def test_an_error_of_one_process_is_raised_in_all() -> None:
    _, _, parts = make_parts([100])
    parts[1] = RawPartition(1, parts[1].X, parts[1].y[:-1])
    errors = run_together([parts[:1], parts[1:]], treewright.GradientBoostingClassifier())
    assert len({str(error) for error in errors}) == 1
    assert isinstance(errors[0], ValueError | DataError)
    assert "partition 1" in str(errors[0]) + str(getattr(errors[0], "__notes__", ""))
