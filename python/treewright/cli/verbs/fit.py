"""``treewright fit``: train a model on a table, show it, and report its accuracy."""

from __future__ import annotations

import os
import shlex
from typing import Any

import click

from treewright.cli.app.command import Command, group, option
from treewright.cli.app.completion import TablePath
from treewright.cli.app.console import Console
from treewright.cli.app.learner_options import learner_options
from treewright.cli.app.options import (
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
from treewright.cli.tables.source import Source
from treewright.cli.tables.train_model import train_model, uses_seed

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
        samples=uses_seed(options),
    )
    source = Source.open(file, text, console)
    if output is not None:
        check_output(output, file)
    model, data = train_model(source, options, console)
    unseen.check(len(data.table))
    if output is not None:
        # Before anything is printed or measured: a reader such as `head`, or Ctrl-C, may end this process early.
        save(model, output)
        console.status(f"saved {output} ({_size(output)})")
    path = "MODEL.tree" if output is None else shlex.quote(output)
    view = show(model, ascii=console.ascii or None, command=f"treewright show {path}")
    if form in (None, "text"):
        console.print(view.text())  # first, as measuring may take longer than training
    report = FitReport.of(model, view, data, unseen, console)
    if form in (None, "text"):
        console.print("\n".join(report.lines()))
    else:
        emit(report, form, None)


def _size(path: str) -> str:
    size = os.path.getsize(path)
    return f"{size} bytes" if size < 1000 else f"{round(size / 1000):,} KB"
