"""Two trees side by side: sizes, errors, differences, and all forms."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

from treewright import (
    C45Classifier,
    CARTClassifier,
    CARTRegressor,
    ID3Classifier,
    UsageError,
    compare_trees,
    datasets,
    smallest_tree,
)


def test_equal_trees() -> None:
    X, y = datasets.play_tennis()
    both = compare_trees(ID3Classifier().fit(X, y), C45Classifier(min_cases=1).fit(X, y))
    assert both.same
    assert "The trees are the same." in str(both)


def test_where_trees_differ() -> None:
    X, y = datasets.play_tennis()
    small, full = (ID3Classifier(max_depth=d).fit(X, y) for d in (1, None))
    both = compare_trees(small, full, X, y, names=("small", "full"))
    assert both.errors == (4.0, 0.0)
    assert (both.rows, both.changed) == (14, 4)
    assert both.to_dict()["differences"] == [
        {"path": "Outlook = Sunny", "nodes": [1, 1], "here": ["→ No", "Humidity?"]},
        {"path": "Outlook = Rain", "nodes": [3, 3], "here": ["→ Yes", "Wind?"]},
    ]


def test_side_by_side_or_below_each_other() -> None:
    X, y = datasets.play_tennis()
    both = compare_trees(*(ID3Classifier(max_depth=d).fit(X, y) for d in (1, None)))
    assert "├─ Sunny → No" in (
        line := next(x for x in both.text(width=100).splitlines() if "Sunny →" in x)
    )
    assert "Sunny: Humidity?" in line
    narrow = both.text(width=40)
    assert not any("Sunny → No" in x and "Humidity?" in x for x in narrow.splitlines())


def test_all_forms(tmp_path: Path) -> None:
    X, y = datasets.contact_lenses()
    both = compare_trees(ID3Classifier().fit(X, y), smallest_tree(X, y))
    assert both.names == ("ID3 (information gain)", "smallest tree")
    for ending in ("txt", "md", "tex", "html", "json", "csv"):
        both.save(tmp_path / f"both.{ending}")
        assert (tmp_path / f"both.{ending}").stat().st_size
    assert json.loads((tmp_path / "both.json").read_text())["trees"][1]["nodes"] == 15


def test_trees_of_scikit_learn() -> None:
    table, y = datasets.iris()
    X = np.array([table[c] for c in table.columns]).T
    theirs = DecisionTreeClassifier(max_depth=2, random_state=0).fit(X, y)
    ours = CARTClassifier(max_depth=2).fit(X, y)
    both = compare_trees(theirs, ours, X, y)
    assert both.errors == (6.0, 6.0)
    assert compare_trees(theirs, theirs).same
    numbers = X[:, 0]
    both = compare_trees(
        DecisionTreeRegressor(max_depth=2).fit(X[:, 1:], numbers),
        CARTRegressor(max_depth=2).fit(X[:, 1:], numbers),
    )
    assert both.same
    assert both.errors[0] == pytest.approx(both.errors[1])


def test_what_cannot_be_compared() -> None:
    X, y = datasets.play_tennis()
    tree = ID3Classifier().fit(X, y)
    with pytest.raises(UsageError):
        compare_trees(tree, CARTRegressor().fit([[0], [1]], [0.0, 1.0]))
    with pytest.raises(UsageError):
        compare_trees(tree, tree, X)
    with pytest.raises(UsageError):
        compare_trees(tree, tree, names="ab")  # type: ignore[arg-type]
