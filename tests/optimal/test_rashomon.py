"""Trees that are as good: against all trees, columns that are needed, and what is not known."""

from __future__ import annotations

from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from treewright import (
    CARTClassifier,
    OptimalTreeClassifier,
    UsageError,
    _core,
    datasets,
    load,
    rashomon,
    save,
)

Tree = tuple[int, int | None, frozenset[int]]  # errors, the class of a leaf, columns


def all_trees(X: Any, y: Any, depth: int) -> list[Tree]:
    """Every tree by definition; a split into two leaves of the same class is not one."""
    counts = np.bincount(y)
    trees: list[Tree] = [(int(len(y) - counts.max()), int(counts.argmax()), frozenset())]
    for column in range(X.shape[1]) if depth else ():
        right = X[:, column] > 0.5
        if right.all() or not right.any():
            continue
        pairs = product(
            all_trees(X[~right], y[~right], depth - 1), all_trees(X[right], y[right], depth - 1)
        )
        trees += [
            (one[0] + other[0], None, one[2] | other[2] | {column})
            for one, other in pairs
            if one[1] is None or one[1] != other[1]
        ]
    return trees


@pytest.mark.parametrize("seed", range(8))
def test_the_count_is_that_of_the_definition(seed: int) -> None:
    rng = np.random.default_rng(seed)
    X = rng.integers(0, 2, size=(24, 4)).astype(float)
    y = np.where(rng.random(24) < 0.25, rng.integers(0, 2, 24), X[:, 0].astype(int))
    depth, within = 1 + seed % 2, (0.0, 0.3, 1.0)[seed % 3]
    trees = all_trees(X, y, depth)
    best = min(errors for errors, _, _ in trees)
    near = [columns for errors, _, columns in trees if errors <= best + int(within * best)]
    result = rashomon(OptimalTreeClassifier(depth).fit(X, y), within=within)
    assert (result.trees, result.exact, result.best) == (len(near), True, best)
    for column, need in enumerate(result.columns):
        users = sum(column in columns for columns in near)
        expected = "all" if users == len(near) else "some" if users else "none"
        assert (need.needed_by, need.trees) == (expected, users)


def test_columns_of_several_splits() -> None:
    rng = np.random.default_rng(1)
    X = {
        "number": rng.integers(0, 6, 60).astype(float),
        "noise": rng.integers(0, 2, 60).astype(float),
    }
    y = (X["number"] > 2).astype(int)
    result = rashomon(OptimalTreeClassifier(1).fit(X, y))
    assert [need.needed_by for need in result.columns] == ["all", "none"]
    assert "Of depth 1" in str(result)
    deeper = rashomon(
        OptimalTreeClassifier(2).fit(X, y)
    )  # a split on noise, and then the number twice
    assert [need.needed_by for need in deeper.columns] == ["all", "some"]
    assert result.to_dict()["columns"][0]["needed_by"] == "all"


def test_rows_are_remembered_or_passed(tmp_path: Path) -> None:
    X, y = datasets.vote()
    model = OptimalTreeClassifier(1).fit(X, y)
    save(model, tmp_path / "m.tree")
    again = load(tmp_path / "m.tree")
    with pytest.raises(UsageError) as error:
        rashomon(again)
    assert error.value.slug == "optimal.no-rows"
    assert rashomon(again, X, y).trees == rashomon(model).trees


def test_what_is_not_counted() -> None:
    X, y = datasets.vote()
    with pytest.raises(UsageError) as error:
        rashomon(CARTClassifier().fit(X, y))
    assert error.value.slug == "optimal.estimator"
    with pytest.raises(UsageError):
        rashomon(OptimalTreeClassifier(1).fit(X, y), within=-1)
    with pytest.raises(UsageError, match="within must be a finite number"):
        rashomon(OptimalTreeClassifier(1).fit(X, y), within=float("inf"))


def test_the_time_is_up() -> None:
    rng = np.random.default_rng(0)
    X = rng.integers(0, 2, size=(300, 40)).astype(float)
    y = rng.integers(0, 2, 300)
    result = rashomon(OptimalTreeClassifier(3).fit(X, y), within=0.2, time_limit=0.0)
    assert not result.exact
    assert "at least" in str(result)


STEPS = (("a", 1), ("b", 3), ("c", 9))  # three categories each: several splits of a column


def test_columns_share_the_time(monkeypatch: pytest.MonkeyPatch) -> None:
    X = {name: [("x", "y", "z")[(row // step) % 3] for row in range(60)] for name, step in STEPS}
    y = [row % 2 for row in range(60)]
    model = OptimalTreeClassifier(2).fit(X, y)
    limits: list[float] = []
    solve = _core.optimal_tree

    def note(*arguments: Any, **options: Any) -> Any:
        limits.append(options["time_limit"])
        return solve(*arguments, **options)

    monkeypatch.setattr(_core, "optimal_tree", note)
    assert rashomon(model, within=10.0, time_limit=100.0).exact
    assert len(limits) > 1
    assert max(limits) < 100
    assert limits == sorted(limits, reverse=True)
    needs = rashomon(model, time_limit=0.0).columns
    assert {need.needed_by for need in needs} == {"unknown"}
