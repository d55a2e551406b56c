"""A tree whose rows stay in their processes: threads stand for the processes."""

from __future__ import annotations

import copy
import itertools
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
import pytest

from treewright import C45Classifier, CARTClassifier, CARTRegressor, ID3Classifier, _core
from treewright._cluster import boosting_plan, divided_trees, exact_trees
from treewright._cluster.joint_fit import RawPartition, fit_together
from treewright._input import column_notes
from treewright._learners.trees import training_record
from treewright.files import to_bytes

MODELS: list[Any] = [
    CARTClassifier(class_weight="balanced", min_samples_leaf=0.01),
    CARTClassifier(costs=[[0, 1], [3, 0]], smoothing="laplace", ccp_alpha=0.002),
    CARTRegressor(max_depth=5),
    C45Classifier(),
    C45Classifier(variant="j48", class_weight={"no": 2}),
    ID3Classifier(min_gain=0.01),
]


@pytest.fixture(autouse=True)
def every_table_is_large(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(exact_trees, "SMALL_ROWS", 60)
    monkeypatch.setattr(column_notes, "MAX_CELLS", 1)
    monkeypatch.setattr(column_notes, "MAX_CELLS_FOR_CUTS", 1)
    monkeypatch.setattr(boosting_plan, "MAX_CELLS", 1)
    monkeypatch.setattr(training_record, "MAX_CELLS", 1)


def make_rows(numbers: bool) -> tuple[dict[str, Any], Any, Any]:
    rng = np.random.default_rng(3)
    size = rng.normal(size=400).round(1)
    age = rng.integers(20, 60, 400).astype(float)
    age[rng.random(400) < 0.1] = np.nan
    color = rng.choice(["red", "green", "blue"], 400).astype(object)
    color[:20] = None
    score = size + (color == "red") + 0.3 * rng.normal(size=400)
    y = score.round(2) if numbers else np.where(score > 0.3, "yes", "no")
    return {"size": size, "age": age, "color": color}, y, rng.integers(1, 4, 400).astype(float)


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("model", MODELS, ids=str)
def test_the_model_has_the_bytes_of_the_local_one(model: Any, weighted: bool) -> None:
    X, y, weights = make_rows(isinstance(model, CARTRegressor))
    expected = copy.copy(model).fit(X, y, weights if weighted else None)
    ends = [0, 130, 131, 290, 400]
    parts = [
        RawPartition(
            number,
            {name: values[begin:end] for name, values in X.items()},
            y[begin:end],
            weights[begin:end] if weighted else None,
        )
        for number, (begin, end) in enumerate(itertools.pairwise(ends))
    ]
    processes = [parts[::2], parts[1::2], []]
    peers = _core.ThreadPeers.several(len(processes))
    is_class = not isinstance(model, CARTRegressor)

    def fit(rank: int) -> bytes:
        result = fit_together(peers[rank], processes[rank], copy.copy(model), is_class)
        return to_bytes(result.estimator)

    with ThreadPoolExecutor(len(processes)) as pool:
        assert list(pool.map(fit, range(len(processes)))) == [to_bytes(expected)] * len(processes)


def test_some_fits_need_all_rows_in_one_process() -> None:
    X, y, _ = make_rows(numbers=False)
    facts = _facts_of(X, y)
    assert divided_trees.is_divisible(CARTClassifier(), facts)
    for model in (
        CARTClassifier(missing="surrogate"),
        CARTClassifier(variant="rpart"),
        CARTClassifier(prune="reduced_error"),
        CARTClassifier(keep_work=True),
        C45Classifier(random_state=np.random.RandomState(1)),
    ):
        assert not divided_trees.is_divisible(model, facts)


def _facts_of(X: Any, y: Any) -> Any:
    from treewright._cluster.joint_fit import read_together

    (peer,) = _core.ThreadPeers.several(1)
    return read_together(peer, [RawPartition(0, X, y)], True)[0]
