"""The fewest errors that other programs have proven, on tables that are read where they are present."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from treewright import OptimalTreeClassifier, optimality_gap

SHARED = Path(__file__).parents[3] / "shared"
ANSWERS = SHARED / "golden" / "optimal.json"
NAMES = (
    "anneal",
    "german-credit",
    "heart-cleveland",
    "kr-vs-kp",
    "lymph",
    "tic-tac-toe",
    "vote",
    "yeast",
)
FAST = 3  # up to this depth a test is quick


def proven(name: str) -> dict[int, int]:
    if not ANSWERS.exists():
        pytest.skip("the shared tables are not here")
    depths = json.loads(ANSWERS.read_text())[name]["depth"]
    return {int(depth): answer["errors"] for depth, answer in depths.items()}


def read(name: str) -> tuple[Any, Any]:
    table = np.loadtxt(SHARED / "data" / "binary" / f"{name}.txt", dtype=np.float64)
    return table[:, 1:], table[:, 0].astype(int)


def check(name: str, depth: int, errors: int) -> None:
    X, y = read(name)
    clf = OptimalTreeClassifier(depth).fit(X, y)
    assert (clf.errors_, clf.lower_bound_, clf.proven_) == (errors, errors, True)
    assert (clf.predict(X) != y).sum() == errors
    assert clf.get_depth() <= depth


def test_all_answers_are_compared() -> None:
    assert sum(len(proven(name)) for name in NAMES) == 39


@pytest.mark.parametrize("name", NAMES)
def test_small_depths(name: str) -> None:
    for depth, errors in proven(name).items():
        if depth <= FAST:
            check(name, depth, errors)


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
def test_large_depths(name: str) -> None:
    for depth, errors in proven(name).items():
        if depth > FAST:
            check(name, depth, errors)


def test_the_gap_of_a_greedy_tree() -> None:
    from sklearn.tree import DecisionTreeClassifier

    errors = proven("heart-cleveland")[3]
    X, y = read("heart-cleveland")
    gap = optimality_gap(DecisionTreeClassifier(max_depth=3, random_state=0).fit(X, y), X, y)
    assert (gap.best_errors, gap.proven) == (errors, True)
    assert gap.errors >= errors
