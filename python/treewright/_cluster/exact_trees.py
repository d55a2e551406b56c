"""Exact trees from rows that lie in several processes: CART, ID3, C4.5, AdaBoost, with the bytes of the local trees.

Every process calls :func:`grow_tree` or :func:`boost_stumps` with its own rows and gets the whole model. Large nodes
are searched by sums over all processes; the rows of each small node go to one process, which grows what is below.

Not here: how the columns of the table follow from its partitions (``column_facts``).
"""

from __future__ import annotations

import json
from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treewright import _core
from treewright._cluster.target_facts import exact_sum
from treewright._estimator.training_data import TrainingData
from treewright._input.counted_target import CountedClasses, CountedNumbers
from treewright._input.target import ClassTarget, NumberTarget
from treewright._model.table_builder import levels_of
from treewright._utils.validation import Recipe
from treewright.errors import Hint, UsageError
from treewright.schema import Schema

__all__ = ["SMALL_ROWS", "boost_stumps", "check_pruning", "count_rows_of_all", "grow_tree"]

# A node with at most so many rows in all is grown by one process. The tree does not depend on it.
SMALL_ROWS = 1 << 20

Weights = NDArray[np.float64] | None


def grow_tree(
    model: Any, part: TrainingData, peers: _core.Peers, small_rows: int | None = None
) -> _core.Forest:
    """Grow and prune the tree of a model from the rows of all processes.

    Parameters
    ----------
    model : GrownTree
        An unfitted estimator with the same parameters in every process. It gets the ``pruning_`` of the fit.
    part : TrainingData
        The rows of this process, perhaps none, coded by the schema and the classes of the whole table; rows of weight 0
        are left out. Either every process has weights or none has.
    peers : handle of the core
        The processes.
    small_rows : int, optional
        A node with at most so many rows in all is grown by one process; by default `SMALL_ROWS`.

    Returns
    -------
    Forest
        The tree, the same in every process.
    """
    check_pruning(model, part.schema)
    small = SMALL_ROWS if small_rows is None else small_rows
    target = count_rows_of_all(part.target, part.weights, peers)

    def grow(data: TrainingData, recipe: Recipe, columns: Any = None) -> _core.Forest:
        columns = data.columns if columns is None else columns
        return _core.grow_merged(
            recipe,
            levels_of(data.schema),
            columns,
            data.labels,
            data.n_classes,
            data.weights,
            peers,
            small,
        )

    def prune(
        forest: _core.Forest,
        rules: Any,
        columns: Any = None,
        labels: Any = None,
        weights: Any = None,
    ) -> Any:
        from treewright._pruning import pessimistic

        return pessimistic.run(forest, rules, columns, labels, weights, peers)

    model._grow_tree, model._prune_grown = grow, prune
    try:
        weights = model._weigh_rows(target, part.weights)
        forest: _core.Forest = model._train(replace(part, target=target, weights=weights))
    finally:
        del model._grow_tree, model._prune_grown
    return forest


def boost_stumps(model: Any, part: TrainingData, peers: _core.Peers) -> _core.Forest:
    """Boost the stumps of an AdaBoost model from the rows of all processes.

    Parameters
    ----------
    model : AdaBoostClassifier
        An estimator with the same parameters in every process. It gets the rounds of the fit; the rows of a round are
        those of this process.
    part : TrainingData
        As for :func:`grow_tree`.
    peers : handle of the core
        The processes.

    Returns
    -------
    Forest
        The stumps with their votes, the same in every process.
    """
    target = count_rows_of_all(part.target, part.weights, peers)
    forest: _core.Forest = model._method.fit_trees(model, replace(part, target=target), peers)
    return forest


def check_pruning(model: Any, schema: Schema) -> None:
    """Raise an error for pruning that holds out rows or grows further trees.

    Examples
    --------
    >>> from treewright import CARTClassifier, datasets
    >>> model = CARTClassifier(prune="reduced_error").fit(*datasets.play_tennis())
    >>> check_pruning(model, model.schema_)
    Traceback (most recent call last):
        ...
    treewright.UsageError: prune='reduced_error' needs all rows in one process  [usage.parameter]
      try: ccp_alpha=0.01
    """
    plan = model._pruning_plan(schema)
    if plan is None or plan.method == "pessimistic" or plan.alpha is not None:
        return
    what = f"prune={plan.method!r}"
    if plan.method == "cost_complexity":
        what += " without ccp_alpha"
    raise UsageError(
        f"{what} needs all rows in one process",
        slug="usage.parameter",
        hints=[Hint(option="ccp_alpha", value=0.01)],
    )


def count_rows_of_all(
    target: ClassTarget | NumberTarget, weights: Weights, peers: _core.Peers
) -> CountedClasses | CountedNumbers:
    """Return a target of this process with the number of rows, and the weight of each class, in all processes.

    The weights are added exactly and rounded once, so the order of the rows does not matter.
    """
    own = _exact_totals(target, weights) if isinstance(target, ClassTarget) else []
    message = json.dumps([len(target), [total.as_integer_ratio() for total in own]])
    everywhere = [json.loads(data) for data in peers.gather(message.encode())]
    rows = sum(count for count, _ in everywhere)
    if isinstance(target, NumberTarget):
        return CountedNumbers(target.name, target.values, target.levels, rows)
    sums = zip(*(totals for _, totals in everywhere), strict=True)
    totals = tuple(float(sum(Fraction(*ratio) for ratio in each)) for each in sums)
    return CountedClasses(target.name, target.sorted, target.order, target.codes, rows, totals)


def _exact_totals(target: ClassTarget, weights: Weights) -> list[Fraction]:
    classes = len(target.levels)
    if weights is None:
        return [Fraction(int(count)) for count in np.bincount(target.codes, minlength=classes)]
    return [exact_sum(weights[target.codes == code]) for code in range(classes)]
