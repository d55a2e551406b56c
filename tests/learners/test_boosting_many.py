"""Boosting of many rows, whose gradients have few bits, and of few rows, whose leaves are small; exact splits."""

from __future__ import annotations

import json
import warnings
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from treewright import GradientBoostingClassifier, GradientBoostingRegressor, datasets
from treewright._learners.boosting import boosting_base as _boosting
from treewright.errors import UsageError

Numbers = NDArray[np.float64]


def make_table(rows: int, seed: int = 0) -> tuple[Numbers, Numbers]:
    rng = np.random.default_rng(seed)
    X = rng.standard_normal((rows, 5))
    return X, X[:, 0] * X[:, 1] + np.sin(X[:, 2]) + 0.5 * rng.standard_normal(rows)


def bytes_of(model: Any) -> bytes:
    """Return the model without its parameters, of which the number of threads is one."""
    document = json.loads(model._document()) | {"params": {}}
    return bytes(model._forest.to_bytes(json.dumps(document)))


# ---- many rows


def test_coarse_gradients_do_not_depend_on_threads_instructions_or_the_order_of_rows(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    X, y = make_table(70_000)
    order = np.random.default_rng(1).permutation(len(y))
    recipe = _boosting.boost_recipe
    for kind, target in ((GradientBoostingClassifier, y > 0), (GradientBoostingRegressor, y)):
        models = [bytes_of(kind(n_estimators=4, n_jobs=jobs).fit(X, target)) for jobs in (1, 2, 3)]
        models.append(bytes_of(kind(n_estimators=4).fit(X[order], target[order])))
        monkeypatch.setattr(_boosting, "boost_recipe", lambda *a: recipe(*a) | {"plain": True})
        models.append(bytes_of(kind(n_estimators=4).fit(X, target)))
        monkeypatch.undo()
        assert len(set(models)) == 1


def test_sums_that_are_updated_each_round_equal_sums_over_all_trees() -> None:
    X, y = make_table(70_000)
    single = GradientBoostingClassifier(n_estimators=6).fit(X, y > 0)
    parts = GradientBoostingClassifier(n_estimators=2, warm_start=True).fit(X, y > 0)
    parts.set_params(n_estimators=6).fit(X, y > 0)  # the second run adds everything up anew
    assert bytes_of(parts) == bytes_of(single)
    held = GradientBoostingClassifier(n_estimators=6, early_stopping=True, n_iter_no_change=99)
    held.fit(X, y > 0)
    assert all(int(tree.count[0]) == 63_000 for tree in held.trees_)
    for tree in single.trees_:
        leaves = tree.n_children == 0
        assert int(tree.count[leaves].sum()) == 70_000
        assert int(tree.count[leaves].min()) >= 20


@pytest.mark.slow
def test_few_bits_cost_no_quality() -> None:
    X, y = make_table(80_000)
    new, truth = make_table(40_000, 1)
    coarse = GradientBoostingClassifier(n_estimators=40).fit(X, y > 0).score(new, truth > 0)
    # Drawn rows are never coarse.
    fine = GradientBoostingClassifier(n_estimators=40, subsample=0.999).fit(X, y > 0)
    assert coarse == pytest.approx(fine.score(new, truth > 0), abs=0.004)
    # Of rows that are all alike chance would not even out: they are never coarse.
    flat = np.round(X, 0).clip(-1, 1)
    model = GradientBoostingRegressor(n_estimators=300, learning_rate=0.5).fit(flat, flat[:, 0])
    assert model.predict(flat) == pytest.approx(flat[:, 0], abs=1e-9)


# ---- few rows


def test_leaves_are_as_small_as_the_table() -> None:
    X, y = datasets.play_tennis()
    assert GradientBoostingClassifier(n_estimators=30).fit(X, y).score(X, y) == 1.0
    for rows, least in ((40, 2), (200, 10), (400, 20), (2000, 20)):
        Z, target = make_table(rows)
        auto = GradientBoostingRegressor(n_estimators=3).fit(Z, target)
        asked = GradientBoostingRegressor(n_estimators=3, min_samples_leaf=least).fit(Z, target)
        assert bytes_of(auto) == bytes_of(asked)
    with pytest.raises(UsageError, match="min_samples_leaf must be"):
        GradientBoostingRegressor(min_samples_leaf="few").fit(Z, target)


def test_a_model_without_splits_warns() -> None:
    X, y = datasets.play_tennis()
    with pytest.warns(UserWarning, match="need a table of 40 rows, and this one has 14"):
        GradientBoostingClassifier(min_samples_leaf=20, n_estimators=2).fit(X, y)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        GradientBoostingClassifier(min_samples_leaf=7, n_estimators=2).fit(X, y)


# ---- exact splits


def test_exact_splits_sample_columns() -> None:
    X, y = make_table(500)
    params: dict[str, Any] = {"splits": "exact", "n_estimators": 6, "min_samples_leaf": 10}
    everything = GradientBoostingRegressor(**params).fit(X, y)
    five = GradientBoostingRegressor(max_features=5, **params).fit(X, y)
    assert five.predict(X) == pytest.approx(everything.predict(X), abs=1e-12)
    two = {s: GradientBoostingRegressor(max_features=2, random_state=s, **params) for s in (0, 1)}
    drawn = {s: bytes_of(model.fit(X, y)) for s, model in two.items()}
    assert len({*drawn.values(), bytes_of(everything)}) == 3
    jobs = GradientBoostingRegressor(max_features=2, random_state=1, n_jobs=1, **params)
    assert bytes_of(jobs.fit(X, y)) == drawn[1]
    with pytest.raises(UsageError, match="cannot be combined"):
        GradientBoostingRegressor(max_features=2, monotonic_cst=[1, 0, 0, 0, 0], **params).fit(X, y)


@pytest.mark.parametrize("kind", ["numbers", "gaps", "weights", "sample"])
def test_exact_rounds_do_not_depend_on_how_they_are_called(kind: str) -> None:
    X, y = make_table(400)
    weights = np.random.default_rng(2).random(400) + 0.5 if kind == "weights" else None
    if kind == "gaps":
        X[::9, 0] = np.nan
    params: dict[str, Any] = {"splits": "exact", "n_estimators": 5, "max_features": 3}
    params["subsample"] = 0.7 if kind == "sample" else 1.0
    at_once = GradientBoostingClassifier(**params).fit(X, y > 0, weights)
    step_by_step = GradientBoostingClassifier(**params)
    step_by_step.fit(X, y > 0, weights, callback=lambda result: False)
    assert bytes_of(at_once) == bytes_of(step_by_step)
    if kind == "sample":
        assert all(200 < int(tree.count[0]) < 350 for tree in at_once.trees_)


def test_gradients_keep_their_bits_in_large_tables() -> None:
    """Every row four times: sums are four times as large to the last bit, however many rows there are."""
    rng = np.random.default_rng(5)
    X = rng.integers(0, 100, (70_000, 3)).astype(np.float64)
    y = X[:, 0] + X[:, 1] * X[:, 2] / 50 + rng.normal(0, 30, 70_000) > 75
    params = {"n_estimators": 3, "max_leaf_nodes": 8}
    once = GradientBoostingClassifier(min_samples_leaf=20, **params).fit(X, y)
    often = GradientBoostingClassifier(min_samples_leaf=80, **params)
    often.fit(np.tile(X, (4, 1)), np.tile(y, 4))
    for one, four in zip(once.trees_, often.trees_, strict=True):
        assert four.threshold.tobytes() == one.threshold.tobytes()
        assert four.value.tobytes() == one.value.tobytes()
        assert four.gain.tolist() == (4 * one.gain).tolist()
        assert four.count.tolist() == [4 * n for n in one.count.tolist()]
