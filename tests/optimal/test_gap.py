"""The gap between a tree and the best tree: never negative, of ours and scikit-learn's, in all forms."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

from treewright import (
    C45Classifier,
    CARTClassifier,
    CARTRegressor,
    ID3Classifier,
    UsageError,
    compare_trees,
    datasets,
    load,
    optimality_gap,
    save,
)


def exclusive_or(rows: int = 200) -> tuple[Any, Any]:
    """A table in which the best split alone is the wrong beginning."""
    rng = np.random.default_rng(0)
    X = rng.integers(0, 2, size=(rows, 6)).astype(float)
    y = X[:, 0].astype(int) ^ X[:, 1].astype(int)
    X[:, 2] = np.where(rng.random(rows) < 0.7, y, X[:, 2])
    return X, y


def test_greedy_is_not_best() -> None:
    X, y = exclusive_or()
    model = CARTClassifier(max_depth=2).fit(X, y)
    gap = optimality_gap(model, X, y)
    assert (gap.errors, gap.best_errors, gap.lower_bound) == ((model.predict(X) != y).sum(), 0, 0)
    assert gap.proven
    assert gap.is_complete
    assert gap.gap == gap.errors > 0
    assert gap.best_tree.depth == 2
    assert gap.sentence().startswith(
        f"Your tree makes {gap.errors} errors of 200; the best tree of depth 2 makes 0 (proven in "
    )


def test_a_best_tree_has_no_gap() -> None:
    X, y = exclusive_or()
    best = optimality_gap(CARTClassifier(max_depth=2).fit(X, y), X, y).best_model
    gap = optimality_gap(best, X, y)
    assert gap.gap == 0
    assert "and no tree of depth 2 makes fewer (proven in " in gap.sentence()


@pytest.mark.parametrize("seed", range(6))
def test_the_gap_is_never_negative(seed: int) -> None:
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(120, 3)).astype(np.float32 if seed % 2 else np.float64)
    y = rng.integers(0, 3, 120)
    depth = 1 + seed % 2
    for model in (
        CARTClassifier(max_depth=depth),
        DecisionTreeClassifier(max_depth=depth, random_state=seed),
        DecisionTreeClassifier(max_depth=depth, splitter="random", random_state=seed),
        C45Classifier(max_depth=depth, prune=None),
    ):
        fitted = model.fit(X, y)
        for binarize in ("all", "quantiles"):
            gap = optimality_gap(fitted, X, y, binarize=binarize)
            assert gap.errors == (fitted.predict(X) != y).sum()
            assert gap.lower_bound <= gap.best_errors <= gap.errors


def test_random_sets_of_categories_are_among_the_splits() -> None:
    rng = np.random.default_rng(0)
    X = {"c": [f"v{i}" for i in rng.integers(0, 9, 150)], "d": rng.normal(size=150)}
    y = rng.integers(0, 2, 150)
    fitted = CARTClassifier(max_depth=2).fit(X, y)
    gap = optimality_gap(fitted, X, y)
    assert not gap.is_complete
    assert gap.best_errors <= gap.errors
    assert "Best means best over the splits that were searched" in " ".join(str(gap).split())


def test_numbers() -> None:
    rng = np.random.default_rng(0)
    X = rng.normal(size=(60, 2))
    y = np.sign(X[:, 0] * X[:, 1]) + rng.normal(size=60) / 10
    for model in (CARTRegressor(max_depth=2), DecisionTreeRegressor(max_depth=2)):
        fitted = model.fit(X, y)
        gap = optimality_gap(fitted, X, y)
        assert gap.errors == pytest.approx(((fitted.predict(X) - y) ** 2).sum())
        assert gap.best_errors < gap.errors
        assert "Your tree has a squared error of" in gap.sentence()


def test_the_time_is_up() -> None:
    rng = np.random.default_rng(0)
    X = rng.integers(0, 2, size=(400, 60)).astype(float)
    y = rng.integers(0, 2, 400)
    gap = optimality_gap(CARTClassifier(max_depth=6).fit(X, y), X, y, time_limit=0.1)
    assert not gap.proven
    assert gap.lower_bound <= gap.best_errors <= gap.errors
    assert "the gap is not closed" in gap.sentence()


def test_without_time_the_tree_itself_is_the_best_that_is_known() -> None:
    X, y = datasets.vote()
    model = CARTClassifier(max_depth=3).fit(X, y)
    gap = optimality_gap(model, X, y, time_limit=0)
    assert (gap.errors, gap.best_errors, gap.gap) == (14, 14, 0)
    assert gap.best_tree.n_leaves == model.get_n_leaves()
    assert gap.to_dict()["best_leaves"] == model.get_n_leaves()
    assert compare_trees(model, gap).same


def test_a_smaller_depth_than_that_of_the_tree() -> None:
    X, y = exclusive_or()
    model = CARTClassifier(max_depth=3).fit(X, y)
    gap = optimality_gap(model, X, y, max_depth=1)
    assert gap.sentence().startswith(f"Your tree, of depth 3, makes {gap.errors} error")
    assert gap.best_tree.depth == 1


def test_weights() -> None:
    X, y = exclusive_or()
    weights = np.arange(200) % 3 + 0.5
    model = CARTClassifier(max_depth=1).fit(X, y, weights)
    gap = optimality_gap(model, X, y, weights)
    assert gap.errors == pytest.approx(weights[model.predict(X) != y].sum())
    assert gap.total == pytest.approx(weights.sum())
    assert gap.best_errors <= gap.errors + 1e-9


def test_cross_validation_says_what_it_is_worth() -> None:
    X, y = exclusive_or()
    gap = optimality_gap(CARTClassifier(max_depth=2).fit(X, y), X, y, cv=4)
    assert gap.cross_validation is not None
    assert gap.cross_validation["best tree"].mean == 1.0
    text = " ".join(str(gap).split())
    assert "On new rows, the best tree is better, and chance is unlikely to explain it" in text
    noise = np.random.default_rng(1).integers(0, 2, len(y))
    gap = optimality_gap(CARTClassifier(max_depth=2).fit(X, noise), X, noise, cv=4)
    assert "unlikely" not in str(gap)


def test_a_pipeline() -> None:
    X, y = exclusive_or()
    model = make_pipeline(StandardScaler(), DecisionTreeClassifier(max_depth=2)).fit(X, y)
    gap = optimality_gap(model, X, y, cv=3)
    assert gap.best_errors == 0
    assert gap.cross_validation is not None
    assert gap.cross_validation["best tree"].mean == 1.0


def test_loaded_models_and_containers(tmp_path: Path) -> None:
    X, y = datasets.vote()
    model = CARTClassifier(max_depth=2).fit(X, y)
    save(model, tmp_path / "m.tree")
    again = optimality_gap(load(tmp_path / "m.tree"), X.to_dict(), list(y))
    assert (again.errors, again.best_errors) == (
        optimality_gap(model, X, y).errors,
        optimality_gap(model.tree_, X, y).best_errors,
    )


def test_all_forms(tmp_path: Path) -> None:
    X, y = exclusive_or()
    gap = optimality_gap(CARTClassifier(max_depth=2).fit(X, y), X, y, cv=3)
    for ending in ("txt", "md", "tex", "html", "json", "csv"):
        gap.save(tmp_path / f"gap.{ending}")
    values = json.loads((tmp_path / "gap.json").read_text())
    assert values["gap"] == values["errors"] - values["best_errors"]
    assert math.isfinite(values["seconds"])
    assert compare_trees(CARTClassifier(max_depth=2).fit(X, y), gap).names[1] == "best tree"


def test_trees_that_cannot_be_compared() -> None:
    X, y = datasets.play_tennis()
    with pytest.raises(UsageError, match='splits "Outlook" into 3 branches') as error:
        optimality_gap(ID3Classifier().fit(X, y), X, y)
    assert error.value.slug == "optimal.branches"
    numbers = {"a": [1.0, 2.0, None, 4.0, 5.0, 6.0] * 4}
    classes = [0, 0, 1, 1, 1, 0] * 4
    divided = C45Classifier(prune=None).fit(numbers, classes)
    with pytest.raises(UsageError, match="divides rows"):
        optimality_gap(divided, numbers, classes)
    with pytest.raises(UsageError):
        optimality_gap(CARTClassifier().fit(X, y), X, y, max_depth=0)
