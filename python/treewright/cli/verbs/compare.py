"""``treewright compare``: cross-validate several algorithms on the same folds."""

from __future__ import annotations

from typing import Any

import click

from treewright._evaluate.prediction_scores import CLASS_MEASURES, NUMBER_MEASURES
from treewright.cli.app.algorithms import ALGORITHMS, find_algorithm
from treewright.cli.app.command import Command, group, option
from treewright.cli.app.completion import TablePath, Words
from treewright.cli.app.console import Console
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
from treewright.cli.app.output import emit, find_format
from treewright.cli.app.progress import progress_bar
from treewright.cli.tables.source import Source
from treewright.errors import UsageError

__all__ = ["command"]

BASELINES = ("one-r", "zero-r")
# Their time grows with the table beyond what anybody waits for: they are compared if they are named.
SLOW = ("optimal",)


@click.command(
    "compare",
    cls=Command,
    examples=[
        "treewright compare loans.csv -t default",
        "treewright compare loans.csv -t default -a c45 forest boosting --cv 5",
        "treewright compare loans.csv -t default --measure auc log-loss -o compare.svg",
    ],
)
@click.argument("file", type=TablePath())
@text_options()
@target_option()
@missing_target_option()
@task_option()
@column_options()
@weight_option()
@group(
    "Learner",
    option(
        "-a --algorithm NAME...",
        f"Algorithms to compare: {', '.join(ALGORITHMS)}.  [default: all that suit the task, "
        "except optimal]",
        Words(ALGORITHMS),
        name="algorithms",
    ),
)
@cv_option("Number of folds.  [default: 10]", default=10)
@group(
    "Evaluation",
    option(
        "--measure NAME...",
        "Measures to report; the first one orders the algorithms.  [default: accuracy, or rmse]\n"
        f"Classes:  {', '.join(m.name for m in CLASS_MEASURES)}\n"
        f"Numbers:  {', '.join(m.name for m in NUMBER_MEASURES)}",
        name="measures",
    ),
)
@seed_option("Random seed for the folds.  [default: 0]", "Evaluation")
@format_option("text", "json", "csv", "markdown", "latex", "html", "svg")
@output_option()
@click.pass_obj
def command(
    console: Console,
    /,
    file: str,
    form: str | None,
    output: str | None,
    cv: int,
    seed: int | None,
    algorithms: tuple[str, ...],
    measures: tuple[str, ...],
    **options: Any,
) -> None:
    """Cross-validate several algorithms on FILE with the same folds.

    FILE is a table file, "-" for standard input, or a built-in table.

    The two simplest baselines, zero-r and one-r, are always included. An
    algorithm that does not beat them has learned nothing useful. The picture
    (-o FILE.svg) has the score of each algorithm with its 95% interval.
    """
    from treewright import compare
    from treewright.cli.tables.fit_request import FitRequest

    names = [find_algorithm(name).name for name in algorithms]  # before reading the file
    form = find_format(form, output)
    source = Source.open(file, TextOptions.pop_from(options), console)
    request = FitRequest(columns=ColumnOptions.pop_from(options), **options)
    data, _, task = request.read(source, console)
    rows = len(data.table)
    if cv > rows:
        raise UsageError(f"--cv {cv} needs at least {cv} rows; there are {rows}", slug="usage")
    result = compare(
        _make_models(names, task, data.weights is not None),
        data.table,
        data.target,
        data.weights,
        cv=cv,
        random_state=seed or 0,
        measures=measures or None,
        watch=lambda work, n: progress_bar(work, n, f"{cv}-fold cross-validation", console),
    )
    emit(result, form, output)


def _make_models(names: list[str], task: str, weighted: bool) -> dict[str, Any]:
    """Return the estimators by the names of their algorithms, with default parameters."""
    able = {
        name: algorithm
        for name, algorithm in ALGORITHMS.items()
        if task in algorithm.tasks and (algorithm.weighted or not weighted)
    }
    for name in names:
        if name not in able:
            what = "classes" if task == "classify" else "numbers"
            raise UsageError(
                f"{name} cannot predict {what}{' with --weight' if weighted else ''}",
                slug="usage",
                hints=[f"algorithms: {', '.join(able)}"],
            )
    baselines = [name for name in BASELINES if name in able]
    usual = [name for name in able if name not in SLOW]
    chosen = dict.fromkeys([*names, *baselines] if names else usual)
    return {name: able[name].make(task, {}) for name in chosen}
