"""``treewright fit``: train a model on a table, show it, and report its accuracy."""

from __future__ import annotations

import os
import shlex
from typing import TYPE_CHECKING, Any

import click

from treewright.cli.app.algorithms import ALGORITHMS, LEARNER_OPTIONS, find_algorithm
from treewright.cli.app.command import Command, group, option
from treewright.cli.app.completion import TablePath
from treewright.cli.app.console import Console
from treewright.cli.app.learner_options import learner_options
from treewright.cli.app.options import (
    ColumnOptions,
    TextOptions,
    column_options,
    cv_option,
    format_option,
    missing_target_option,
    output_option,
    seed_option,
    target_option,
    task_option,
    text_options,
    weight_option,
)
from treewright.cli.app.output import check_output, emit
from treewright.cli.app.progress import fit_arguments
from treewright.cli.tables.source import Source
from treewright.errors import Hint, UsageError

if TYPE_CHECKING:
    from treewright.cli.tables.fit_request import TrainingData

__all__ = ["command"]

EVALUATION = "Evaluation (choose at most one of the first four)"


@click.command(
    "fit",
    cls=Command,
    examples=[
        "treewright fit play-tennis",
        "treewright fit loans.csv --target default -o loans.tree",
        "treewright fit loans.csv -t default -a forest --trees 300 --cv 10",
    ],
    epilog="scikit-learn's option names work too: --n-estimators, --learning-rate, --max-depth, "
    "--max-leaf-nodes, --min-samples-leaf (or --min-leaf), --min-samples-split, --ccp-alpha, "
    "--n-neighbors, --random-state, --n-jobs.",
)
@click.argument("file", type=TablePath())
@text_options()
@target_option()
@missing_target_option()
@task_option(
    "auto, classify or regress. auto stops with an error when the target could be either.  "
    "[default: auto]"
)
@column_options()
@weight_option()
@learner_options()
@group(
    EVALUATION,
    option("--test FILE", "Measure on this table.", TablePath()),
    option(
        "--holdout FRACTION",
        "Measure on this fraction of the rows, with a model trained on the rest.",
        click.FloatRange(0, 1, min_open=True, max_open=True),
    ),
)
@cv_option("Measure by N-fold cross-validation.", title=EVALUATION)
@group(
    EVALUATION,
    option("--loo", "Measure by leave-one-out; automatic for small tables."),
    option(
        "--oob/--no-oob|--oob-score",
        "forest, bagging: also report the out-of-bag score.",
        default=None,
    ),
)
@format_option("text", "json", "markdown")
@output_option("Save the model; the usual extension is .tree.")
@seed_option(
    "Random seed for --holdout, --cv, bagging, boosting, extra-trees and forest.  [default: 0]",
    "Computation",
)
@group(
    "Computation",
    option(
        "--threads|--n-jobs N",
        "Number of threads. Does not change the model.  [default: all]",
        click.IntRange(1),
    ),
)
@click.pass_obj
def command(
    console: Console, /, file: str, output: str | None, form: str | None, **options: Any
) -> None:
    """Train a model on FILE, show it, and report its accuracy.

    FILE is a text, Parquet, Arrow, Excel, JSON, SQLite or DuckDB file, "-" for
    standard input, or a built-in table (see: treewright data). Text may be
    compressed. FILE::NAME names a sheet or a table in it.

    The model is trained on all rows. Accuracy on unseen rows is measured by
    training further models: up to 1,000 rows by leave-one-out, or by 10-fold
    cross-validation if each fit cross-validates its pruning; or as you choose
    under "Evaluation".
    """
    from treewright import save, show
    from treewright.cli.scoring.fit_report import FitReport, UnseenRows

    text = TextOptions.pop_from(options)
    test = options.pop("test")
    unseen = UnseenRows(
        None if test is None else Source.open(test, text, console, once=True),
        **{name: options[name] for name in ("holdout", "cv", "loo", "seed")},
        samples=_uses_seed(options),
    )
    source = Source.open(file, text, console)
    if output is not None:
        check_output(output, file)
    model, data = _train(source, options, console)
    unseen.check(len(data.table))
    path = "MODEL.tree" if output is None else shlex.quote(output)
    view = show(model, ascii=console.ascii or None, command=f"treewright show {path}")
    if form in (None, "text"):
        console.print(view.text())  # first, as measuring may take longer than training
    report = FitReport.of(model, view, data, unseen, console)
    if form in (None, "text"):
        console.print("\n".join(report.lines()))
    else:
        emit(report, form, None)
    if output is not None:
        save(model, output)
        console.status(f"saved {output} ({_size(output)})")


def _train(source: Source, options: dict[str, Any], console: Console) -> tuple[Any, TrainingData]:
    from treewright.cli.tables.fit_request import FitRequest

    name, weight = options["algorithm"], options["weight"]
    algorithm = None if name is None else find_algorithm(name)
    params = {option: options[option] for option in LEARNER_OPTIONS}
    if not _uses_seed(options):
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
    drop = options["drop_missing_target"]
    request = FitRequest(options["target"], columns, algorithm, options["task"], weight, drop)
    data, algorithm, task = request.read(source, console)
    model = algorithm.make(task, params)
    with fit_arguments(model, algorithm.has_callback, console) as arguments:
        return data.fit(model, **arguments), data


def _uses_seed(options: dict[str, Any]) -> bool:
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


def _size(path: str) -> str:
    size = os.path.getsize(path)
    return f"{size} bytes" if size < 1000 else f"{round(size / 1000):,} KB"
