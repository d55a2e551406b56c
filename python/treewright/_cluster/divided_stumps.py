"""AdaBoost whose rows stay where they are: processes add up the weights of bins, and each keeps those of its rows.

Not here: how stumps are found (``exact_trees``).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from treewright import _core
from treewright._cluster import exact_trees
from treewright._cluster.divided_columns import fit_columns
from treewright._cluster.gathered_fits import FittedModel, copy_for_worker
from treewright._cluster.packed_rows import PackedRows
from treewright._cluster.table_facts import TableFacts
from treewright._learners.ensembles.adaboost import AdaBoostClassifier

__all__ = ["fit_divided", "is_divisible"]


def is_divisible(estimator: Any, facts: TableFacts) -> bool:
    """Whether rows may stay where they are: stumps on numbers without missing values, for two classes."""
    if not isinstance(estimator, AdaBoostClassifier):
        return False
    params = estimator.get_params(deep=False)
    is_continued = params["warm_start"] and estimator.__sklearn_is_fitted__()
    if is_continued or params["estimator"] is not None or params["class_weight"] is not None:
        return False
    classes = facts.target.classes
    numbers = all(column.kind == "numeric" and not column.missing for column in facts.columns)
    return numbers and classes is not None and len(classes) == 2


def fit_divided(
    peers: _core.Peers,
    parts: Sequence[PackedRows],
    facts: TableFacts,
    estimator: Any,
    threads: int | None = None,
) -> FittedModel:
    """Fit AdaBoost to the rows of all processes, given those of this one; every process returns the same model."""
    return fit_columns(
        peers, parts, facts, copy_for_worker(estimator, threads), exact_trees.boost_stumps
    )
