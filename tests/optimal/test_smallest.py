"""Smallest trees without errors: against every tree, on tables of lectures, and where the time is up."""

from __future__ import annotations

import math
from functools import cache
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from treewright import DataError, ID3Classifier, UsageError, datasets, read_csv, smallest_tree
from treewright._optimal.row_set_search import RowSetSearch

SHARED = Path(__file__).parents[3] / "shared" / "data"


def smallest_by_definition(columns: list[Any], classes: Any) -> tuple[int, int, int]:
    """Return the fewest nodes, the least depth, and the fewest nodes of that depth: all trees, no bounds."""
    values = [np.unique(c).tolist() for c in columns]

    @cache
    def fewest(rows: tuple[int, ...], depth: float) -> float:
        if len({classes[r] for r in rows}) <= 1:
            return 1
        best = math.inf
        for column, levels in zip(columns, values, strict=True):
            parts = [tuple(r for r in rows if column[r] == level) for level in levels]
            if depth > 0 and sum(map(bool, parts)) > 1:
                best = min(best, 1 + sum(fewest(p, depth - 1) if p else 1 for p in parts))
        return best

    rows = tuple(range(len(classes)))
    depth = next(d for d in range(len(columns) + 1) if fewest(rows, d) < math.inf)
    return int(fewest(rows, math.inf)), depth, int(fewest(rows, depth))


@pytest.mark.parametrize("seed", range(25))
def test_every_tree_is_considered(seed: int) -> None:
    rng = np.random.default_rng(seed)
    levels = rng.integers(2, 4, size=int(rng.integers(2, 5)))
    cells = np.array(list(product(*(range(n) for n in levels))))
    table = cells[rng.permutation(len(cells))[: int(rng.integers(4, 16))]]
    classes = rng.integers(0, int(rng.integers(2, 4)), size=len(table))
    columns = list(table.T)
    nodes, depth, nodes_of_depth = smallest_by_definition(columns, classes)
    X = {f"c{i}": [f"v{v}" for v in column] for i, column in enumerate(columns)}
    labels = [f"k{c}" for c in classes]
    found = smallest_tree(X, labels)
    assert (found.size, found.lower_bound, found.proven) == (nodes, nodes, True)
    assert found.tree_.n_nodes == nodes
    assert (found.model.predict(X) == labels).all()
    shallow = smallest_tree(X, labels, minimize="depth")
    assert (shallow.size, shallow.tree_.n_nodes) == (depth, nodes_of_depth)
    assert found.size <= ID3Classifier().fit(X, labels).tree_.n_nodes


def test_missing_values_are_a_value() -> None:
    X = {"a": ["x", None, "y", None], "b": ["p", "p", "q", "q"]}
    found = smallest_tree(X, ["n", "y", "n", "y"])
    assert (found.size, found.proven) == (4, True)
    assert found.model.predict(X).tolist() == ["n", "y", "n", "y"]


def test_tables_of_lectures() -> None:
    assert smallest_tree(*datasets.play_tennis()).size == 8
    lenses = smallest_tree(*datasets.contact_lenses())
    assert (lenses.size, lenses.proven) == (15, True)
    assert smallest_tree(*datasets.contact_lenses(), minimize="depth").size == 4


def test_monk_needs_three_columns() -> None:
    if not SHARED.exists():
        pytest.skip("the shared tables are not here")
    names = [*(f"attribute#{i}" for i in range(1, 7)), "class"]
    table = read_csv(SHARED / "monk1.csv", categorical=names)
    X, y = {name: table[name] for name in names[:-1]}, table["class"]
    found = smallest_tree(X, y)
    assert (found.size, found.proven, found.tree_.depth) == (37, True, 3)
    assert found.greedy.tree_.n_nodes == 94
    assert "choosing the best split at each node is not the best tree" in " ".join(
        str(found).split()
    )


def test_a_limit_of_time_gives_a_bound() -> None:
    rng = np.random.default_rng(0)
    X = rng.integers(0, 2, size=(200, 14))
    X = np.unique(X, axis=0)
    y = rng.integers(0, 2, size=len(X))
    found = smallest_tree(X, y, time_limit=0.2)
    assert not found.proven
    assert 3 <= found.lower_bound < found.size <= found.greedy.tree_.n_nodes
    assert (found.model.predict(X) == y).all()
    assert found.seconds < 2
    assert "Not proven" in str(found)


def test_the_lower_bound_of_depth_is_one() -> None:
    search = RowSetSearch([np.array([0, 1])], np.array([0, 1]))
    assert search.least_depth().proven
    assert search.split_of(search.all_rows, 1) == 0


def test_contradictions_and_parameters() -> None:
    with pytest.raises(DataError, match="rows 1 and 2 are equal in all columns") as error:
        smallest_tree({"a": ["x", "x"]}, ["n", "y"])
    assert error.value.slug == "optimal.contradiction"
    with pytest.raises(UsageError):
        smallest_tree({"a": ["x", "y"]}, ["n", "y"], minimize="leaves")
    with pytest.raises(DataError) as error:
        smallest_tree(np.eye(500), np.arange(500) % 2)
    assert error.value.slug == "optimal.too-large"


def test_one_class_is_a_leaf() -> None:
    found = smallest_tree({"a": ["x", "y"]}, ["n", "n"])
    assert (found.size, found.proven) == (1, True)
    assert found.to_dict()["tree"] == {"class": "n", "cases": 2.0, "errors": 0.0}
