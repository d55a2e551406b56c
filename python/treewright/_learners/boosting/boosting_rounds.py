"""The rounds of gradient boosting: run by the core, reported to the user, joined with earlier trees."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treewright import _core
from treewright._learners.boosting.boosting_recipe import Boost
from treewright._learners.boosting.init_model import InitialSums
from treewright._learners.boosting.training_rows import CoreRows, FitArguments
from treewright._model.table_builder import levels_of
from treewright._utils.user_warnings import warn_user
from treewright.errors import UsageError
from treewright.schema import Schema

__all__ = [
    "Round",
    "join_forests",
    "list_callbacks",
    "run_rounds",
    "start_run",
    "warn_if_no_splits",
]

Numbers = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Round:
    """What a callback receives after each round.

    Parameters
    ----------
    number : int
        Number of rounds so far.
    of : int
        Total number of rounds.
    train_loss : float
        Mean loss of the training rows; NaN unless ``verbose`` or early stopping needs it.
    validation_loss : float
        Mean loss of the validation rows, or of the last evaluation set; NaN if there are none.
    eval_losses : dict
        Mean loss of each evaluation set, by its name.

    Examples
    --------
    >>> Round(1, 100, float("nan"), 0.25).validation_loss
    0.25
    """

    number: int
    of: int
    train_loss: float
    validation_loss: float
    eval_losses: Mapping[str, float] = field(default_factory=dict)

    def __str__(self) -> str:
        losses = f"train loss {self.train_loss:.6g}"
        if not math.isnan(self.validation_loss):
            losses += f", validation loss {self.validation_loss:.6g}"
        return f"round {self.number} of {self.of}: {losses}"


def list_callbacks(callback: Any) -> tuple[Callable[[Round], Any], ...]:
    """Return the callbacks of a fit: none, one, or a list of them.

    Examples
    --------
    >>> list_callbacks(None), len(list_callbacks([print, repr]))
    ((), 2)
    """
    callbacks = () if callback is None else (callback,) if callable(callback) else callback
    if not isinstance(callbacks, (list, tuple)) or not all(map(callable, callbacks)):
        raise UsageError(
            f"callback must be a function or a list of functions; got {callback!r}",
            slug="usage.parameter",
        )
    return tuple(callbacks)


def start_run(
    recipe: Boost,
    schema: Schema,
    rows: CoreRows,
    start: InitialSums,
    arguments: FitArguments,
    done: int,
) -> _core.Boosting:
    """Return a run of the core that continues after some rounds."""
    sums = _sums_of_rows(start, rows, arguments)
    arrays = (
        rows.columns,
        rows.truth,
        rows.weights,
        rows.held,
        rows.eval_starts,
        rows.eval_weights,
    )
    return _core.Boosting(recipe, levels_of(schema), *arrays, start.base, sums, done)


def _sums_of_rows(start: InitialSums, rows: CoreRows, arguments: FitArguments) -> Numbers | None:
    """Return the sums of each row before the first round; None if all start at the same constant."""
    sums = None
    if start.external is not None:
        values = start.external.sums(arguments.X)
        values = values if arguments.rows is None else values[arguments.rows]
        more = [start.external.sums(each.X) for each in arguments.eval_sets]
        values = np.concatenate([values, *more])
        sums = np.ascontiguousarray(np.array(start.base) + values)
    if start.trees is not None:
        # In the order in which a model adds up its trees, so that every bit is the same.
        sums = start.trees.gather(rows.columns, 0, start.trees.n_trees, sums, 1)
    return None if sums is None else sums.ravel()


def run_rounds(
    run: _core.Boosting, done: int, total: int, verbose: Any, arguments: FitArguments
) -> None:
    """Run rounds until there are enough, or early stopping or a callback ends the fit."""
    callbacks, names = arguments.callbacks, [each.name for each in arguments.eval_sets]
    if not callbacks and not verbose:
        run.advance(total - done)
        return
    for i in range(done + 1, total + 1):
        is_over = run.advance(1)
        train_loss, *losses = run.losses[-1]
        result = Round(i, total, train_loss, losses[-1], dict(zip(names, losses, strict=False)))
        if callable(verbose):
            verbose(i, total)
        elif verbose and (i % max(1, 10 // int(verbose)) == 0 or i == total or is_over):
            print(result, flush=True)
        # Every callback sees every round, also the last one.
        is_stopped = [callback(result) is True for callback in callbacks]
        if any(is_stopped) or is_over:
            return


def join_forests(*forests: _core.Forest) -> _core.Forest:
    """Return the trees of several runs, or rounds, as one model."""
    scales = [
        scale
        for forest in forests
        for scale in (forest.combine["scales"] or [1.0] * forest.n_trees)
    ]
    targets = [target for forest in forests for target in forest.combine["targets"]]
    combine = forests[0].combine | {"scales": scales, "targets": targets}
    return _core.Forest.joined(list(forests), combine)


def warn_if_no_splits(forest: _core.Forest, min_leaf: int, n_rows: int) -> None:
    """Warn if no tree has a split because the table is too small for the minimum size of a leaf."""
    if n_rows < 2 * min_leaf and all(forest.tree(i).n_nodes == 1 for i in range(forest.n_trees)):
        warn_user(
            f"no tree has a split: leaves of at least {min_leaf} rows need a table of {2 * min_leaf} rows, "
            f"and this one has {n_rows}; reduce min_samples_leaf"
        )
