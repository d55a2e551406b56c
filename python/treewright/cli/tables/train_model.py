"""From the options of ``fit`` to a trained model: for ``fit`` itself, and for commands that train a tree first."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from treewright.cli.app.algorithms import ALGORITHMS, LEARNER_OPTIONS, find_algorithm
from treewright.cli.app.console import Console
from treewright.cli.app.options import ColumnOptions
from treewright.cli.app.progress import fit_arguments
from treewright.cli.tables.source import Source
from treewright.errors import Hint, UsageError

if TYPE_CHECKING:
    from treewright.cli.tables.fit_request import TrainingData

__all__ = ["train_model", "uses_seed"]


def train_model(
    source: Source, options: dict[str, Any], console: Console
) -> tuple[Any, TrainingData]:
    """Train a model on a table with the options of ``fit``; return it with its training data."""
    from treewright.cli.tables.fit_request import FitRequest

    name, weight = options["algorithm"], options["weight"]
    algorithm = None if name is None else find_algorithm(name)
    params = {option: options.get(option) for option in LEARNER_OPTIONS}
    if not uses_seed(options):
        del params["seed"]  # it only chooses rows for the evaluation
    _check_pruning(params, name)
    if algorithm is not None:  # before reading the file
        if weight is not None and not algorithm.weighted:
            able = ", ".join(a.name for a in ALGORITHMS.values() if a.weighted)
            raise UsageError(
                f"--weight is not supported by {algorithm.name}",
                slug="usage",
                hints=[f"supported by: {able}"],
            )
        algorithm.check_options(params)
    columns = ColumnOptions.pop_from(options)
    drop = options.get("drop_missing_target", False)
    request = FitRequest(options["target"], columns, algorithm, options["task"], weight, drop)
    data, algorithm, task = request.read(source, console)
    model = algorithm.make(task, params)
    with fit_arguments(model, algorithm.has_callback, console) as arguments:
        fitted = data.fit(model, **arguments)
    _note_search(fitted, console)
    return fitted, data


def _note_search(model: Any, console: Console) -> None:
    """Print what the search for an optimal tree has not proven."""
    if not getattr(model, "proven_", True):
        console.note(
            f"the search stopped before the end: the tree has an objective of {model.objective_:g}, and no tree "
            f"is below {model.lower_bound_:g}. To search longer: {Hint(option='time_limit', value=600)}"
        )
    if not getattr(model, "is_complete_", True):
        console.note(
            "not every threshold was searched: the tree is the best one over at most 32 quantiles per column. "
            f"To search all: {Hint(option='binarize', value='all')}"
        )


def uses_seed(options: dict[str, Any]) -> bool:
    """Return whether the algorithm takes random samples."""
    name = options["algorithm"]
    return name is not None and "seed" in find_algorithm(name).options()


def _check_pruning(params: dict[str, Any], name: str | None) -> None:
    """Raise an error for an option of another pruning method; a penalty selects its own."""
    default = "pessimistic" if name in (None, "c45", "rules") else "none"
    prune = params["prune"] or default
    if params["confidence"] is not None and prune != "pessimistic":
        raise UsageError(f"--confidence has no effect with --prune {prune}", slug="usage")
    if params["alpha"] is not None:
        if params["prune"] not in (None, "cost-complexity"):
            raise UsageError(
                f"--alpha has no effect with --prune {prune}",
                slug="usage",
                hints=[Hint(option="prune", value="cost_complexity")],
            )
        params["prune"] = "cost-complexity"
