"""``treewright gap``: compare a tree with the best tree of the same depth."""

from __future__ import annotations

from typing import Any

import click

from treewright.cli.app.command import Command, group, option
from treewright.cli.app.completion import TablePath
from treewright.cli.app.console import Console
from treewright.cli.app.learner_options import search_options
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
from treewright.cli.app.progress import progress_bar, search_progress
from treewright.cli.tables.model_file import load_model
from treewright.cli.tables.source import Source
from treewright.errors import Hint, UsageError

__all__ = ["command"]

DEPTH = 3  # of a tree that is trained first


@click.command(
    "gap",
    cls=Command,
    examples=[
        "treewright gap loans.tree loans.csv",
        "treewright gap loans.csv -t default --depth 4 --time-limit 60",
        "treewright gap loans.csv -t default --depth 3 --cv 10 -o best.tree",
    ],
)
@click.argument("model", type=click.Path(), metavar="[MODEL]")
@click.argument("file", type=TablePath(), required=False, metavar="FILE")
@group(
    "Search",
    option(
        "--depth N",
        "Maximum depth.  [default: depth of the model, or 3]",
        click.IntRange(1, 30),
    ),
    option("--min-rows N", "Minimum rows per leaf.  [default: 1]", click.IntRange(1), default=1),
    *search_options("", 10),
    option(
        "--threads N",
        "Number of threads. Does not change the result.  [default: all]",
        click.IntRange(1),
    ),
)
@cv_option("Also compare both trees by cross-validation with this many folds.")
@seed_option("Random seed for the folds.  [default: 0]", "Evaluation")
@target_option("Column to predict.  [default: the model's target]")
@missing_target_option()
@task_option()
@column_options()
@weight_option()
@text_options()
@format_option("text", "json", "csv", "markdown", "latex", "html")
@output_option("Save the best tree that is known as a model.")
@click.pass_obj
def command(
    console: Console,
    /,
    model: str,
    file: str | None,
    form: str | None,
    output: str | None,
    cv: int | None,
    seed: int | None,
    depth: int | None,
    min_rows: int,
    threads: int | None,
    **options: Any,
) -> None:
    """Compare a tree with the best possible tree of the same depth.

    The best tree makes the fewest errors on the rows of FILE. It is found by
    exhaustive search with bounds. If the time limit is reached first, the best
    tree found so far and a proven lower bound are reported. With a table instead
    of a model, a cart tree is trained first.

    The best tree in training may be worse on new rows. --cv measures both trees
    on rows that were not used for training.

    Only trees with two-way splits can be compared.
    """
    from treewright import optimality_gap, save

    if output is not None:
        check_output(output, model, *([file] if file else []))
    text = TextOptions.pop_from(options)
    search = {name: options.pop(name) for name in ("leaf_cost", "binarize", "time_limit")}
    if file is None and not model.endswith(".tree"):
        fitted, rows = _train(model, text, depth, options, console)
    else:
        fitted, rows = _load(model, file, text, options, console)
    with search_progress("searching", console) as callback:
        result = optimality_gap(
            fitted,
            *rows,
            max_depth=depth,
            min_samples_leaf=min_rows,
            cv=cv,
            random_state=seed or 0,
            n_jobs=threads,
            callback=callback,
            **{name: value for name, value in search.items() if value is not None},
            watch=lambda work, n: progress_bar(work, n, f"{cv}-fold cross-validation", console),
        )
    emit(result, form, None)
    if output is not None:
        # If the time was up, no tree may be known that is better than the model itself.
        save(fitted if result.best_tree is result.tree else result.best_model, output)
        console.status(f"saved {output}")


def _train(
    file: str, text: TextOptions, depth: int | None, options: dict[str, Any], console: Console
) -> tuple[Any, tuple[Any, ...]]:
    """Train a CART tree on a table; return it with its rows."""
    from treewright.cli.app.algorithms import find_algorithm
    from treewright.cli.tables.fit_request import FitRequest

    source = Source.open(file, text, console)
    columns = ColumnOptions.pop_from(options)
    request = FitRequest(columns=columns, algorithm=find_algorithm("cart"), **options)
    data, algorithm, task = request.read(source, console)
    fitted = data.fit(algorithm.make(task, {"depth": depth or DEPTH}))
    return fitted, (data.table, data.target, data.weights)


def _load(
    model: str, file: str | None, text: TextOptions, options: dict[str, Any], console: Console
) -> tuple[Any, tuple[Any, ...]]:
    """Return the model of a file and the rows of a table, as the model reads them."""
    from treewright.cli.tables.batches import read_labeled

    if file is None:
        raise UsageError(
            "gap needs the training table of the model",
            slug="optimal.no-rows",
            hints=[Hint(call="optimality_gap", arguments=("model", "X", "y"))],
        )
    columns = ColumnOptions.pop_from(options)
    others = {
        "--weight": options["weight"],
        "--drop-missing-target": options["drop_missing_target"],
    }
    flags = [*columns.flags(), *(flag for flag, value in others.items() if value)]
    if flags:
        raise UsageError(
            f"{flags[0]} has no effect with a model, which knows its columns", slug="usage"
        )
    fitted = load_model(model)
    return fitted, read_labeled(
        fitted, Source.open(file, text, console, once=True), options["target"], console
    )
