"""What the options of trees cost, beside the fastest form of the same learner: C4.5, entropy, missing values, weights.

All contenders are treewright's. A target of 0.25 says that the option may take four times as long as plain CART.
"""

import os
import sys
from collections.abc import Callable
from typing import Any

import numpy as np
from tables import higgs_like, with_categories
from timing import OURS, in_turn, report

from treewright import C45Classifier, CARTClassifier, CARTRegressor

ROUNDS = int(os.environ.get("ROUNDS", "3"))
PLAIN = "plain CART"


def compare(
    task: str, title: str, option: Callable[[], Any], plain: Callable[[], Any], most: float
) -> None:
    """Time an option and the plain form in turn; the option may take ``most`` times as long."""
    seconds, fitted = in_turn({OURS: option, PLAIN: plain}, ROUNDS)
    nodes = {name: int(model.tree_.n_nodes) for name, model in fitted.items()}
    report(f"options_{task}", title, seconds, {PLAIN: 1 / most}, nodes=nodes)


def c45_numbers() -> None:
    """Time C4.5 on numbers."""
    X, score = higgs_like(200_000)
    y = (score > np.median(score)).astype(np.int64)
    compare(
        "c45_numbers",
        "C4.5, 200,000 x 28 numbers, default pruning",
        lambda: C45Classifier().fit(X, y),
        lambda: CARTClassifier().fit(X, y),
        4,
    )


def c45_categories() -> None:
    """Time C4.5 on numbers and categories, a twentieth of them missing."""
    table, _, y = with_categories(200_000)
    rng = np.random.default_rng(3)
    table = table.mask(rng.random(table.shape) < 0.05)
    compare(
        "c45_categories",
        "C4.5, 200,000 rows, 8 numbers and 8 categories, 5 % missing",
        lambda: C45Classifier().fit(table, y),
        lambda: CARTClassifier().fit(table, y),
        5,
    )


def entropy() -> None:
    """Time entropy beside Gini's index."""
    X, score = higgs_like(200_000)
    y = (score > np.median(score)).astype(np.int64)
    compare(
        "entropy",
        "CART with entropy, 200,000 x 28",
        lambda: CARTClassifier(criterion="entropy").fit(X, y),
        lambda: CARTClassifier().fit(X, y),
        2.5,
    )


def missing() -> None:
    """Time the ways to treat missing values beside the quickest one."""
    X, score = higgs_like(200_000)
    y = (score > np.median(score)).astype(np.int64)
    X[np.random.default_rng(5).random(X.shape) < 0.05] = np.nan
    for name, most in (("surrogate", 3.0), ("branch", 1.5)):
        compare(
            name,
            f'CART with missing="{name}", 200,000 x 28, 5 % missing',
            lambda name=name: CARTClassifier(missing=name).fit(X, y),
            lambda: CARTClassifier(missing="direction").fit(X, y),
            most,
        )
    weights = np.random.default_rng(6).random(len(y))
    compare(
        "weights",
        "regression with weights that are no whole numbers, 200,000 x 28, 5 % missing",
        lambda: CARTRegressor(missing="direction").fit(X, score, sample_weight=weights),
        lambda: CARTRegressor(missing="direction").fit(X, score),
        2,
    )


PARTS: dict[str, Callable[[], None]] = {
    "c45_numbers": c45_numbers,
    "c45_categories": c45_categories,
    "entropy": entropy,
    "missing": missing,
}

for part in sys.argv[1:] or PARTS:
    PARTS[part]()
