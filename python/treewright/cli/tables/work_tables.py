"""The tables of ``treewright work``: learnt from on the spot, or read beside a model."""

from __future__ import annotations

import os
from dataclasses import asdict
from typing import Any

from treewright.cli.app.console import Console
from treewright.cli.app.options import Columns, Text
from treewright.cli.tables.source import Source
from treewright.errors import DataError, Hint, UsageError

__all__ = ["is_table", "learn", "read_rows", "refuse_columns", "take_row"]

GLANCE = 64  # bytes that tell a model from a table
Rows = tuple[Any, ...]  # nothing, or columns, target and weights


def is_table(name: str) -> bool:
    """Whether a name stands for a table: a built-in one, or a file that is no model by its first bytes."""
    from treewright import ModelFileError, datasets
    from treewright.files import from_bytes

    if not os.path.exists(name):
        return name in datasets.__all__ or name.replace("-", "_") in datasets.__all__
    if not os.path.isfile(name):
        return False
    with open(name, "rb") as file:
        start = file.read(GLANCE)
    try:
        from_bytes(start)
    except ModelFileError as error:
        return error.slug == "model.not-a-model" and not name.endswith(".tree")
    return False


def refuse_columns(word: str | None, columns: Columns) -> None:
    options = [f"--{name}" for name, value in asdict(columns).items() if value]
    if word is not None or options:
        first = options[0] if options else "--algorithm"
        raise UsageError(
            f"{first} goes with a table, and this is a model",
            slug="usage",
            hints=[Hint(call="work", arguments=("X", "y"), option="target")],
        )


def learn(
    name: str,
    word: str | None,
    target: str | None,
    weight: str | None,
    text: Text,
    columns: Columns,
    console: Console,
) -> tuple[Any, Rows]:
    """Learn a model from a table, as fit does; return it with the rows that it was learnt from."""
    from treewright.cli.app.learner_options import algorithm
    from treewright.cli.tables.training_data import Wish, lesson_of
    from treewright.cli.verbs.fit import LIMITS

    source = Source.of(name, text, console)
    column = target or source.target
    if column is None:
        raise UsageError(
            "which column is the target?", slug="fit.no-target", hints=[Hint(option="target")]
        )
    source.require([column], "target")
    for option, names in asdict(columns).items():
        source.require(names, option)
    learner = None if word is None else algorithm(word)
    wish = Wish(column, learner, "auto", weight, columns)
    lesson, learner, task = lesson_of(source, wish, console)
    model = lesson.teach(learner.make(task, dict.fromkeys(LIMITS)))
    by_node = getattr(model, "_work_unit", "node") == "node"  # such a model still has its rows
    return model, () if by_node else (lesson.table, lesson.target, lesson.weights)


def read_rows(
    model: Any,
    file: str | None,
    target: str | None,
    weight: str | None,
    text: Text,
    console: Console,
) -> Rows:
    """Read the table beside a model, if there is one; rows to be predicted need no target."""
    if file is None:
        if target is not None or weight is not None or text.said:
            raise UsageError(
                "these options describe a table, and none is given",
                slug="usage",
                hints=[Hint(call="work", arguments=("model", "X", "y"))],
            )
        return ()
    source = Source.of(file, text, console, once=False)
    column = target or model.schema_.target
    if target is None and works_by_row(model):
        table = source.inspect(Columns()).table
        truth = table.column(column) if column in table.columns else None
        return table, truth, None
    target = column
    if target is None:
        raise UsageError(
            "which column is the target?", slug="fit.no-target", hints=[Hint(option="target")]
        )
    table = source.inspect(Columns()).table
    for name in (target, *([weight] if weight else [])):
        if name not in table.columns:
            raise DataError(
                f'{source.label} has no column "{name}"',
                slug="data.no-such-column",
                hints=[f"columns: {', '.join(table.columns)}"],
            )
    weights = None if weight is None else table.column(weight).data
    return table.drop([target]), table.column(target), weights


def works_by_row(model: Any) -> bool:
    """Whether the work of a model is that of one row."""
    return getattr(model, "_work_unit", "node") in ("row", "vote")


def take_row(model: Any, rows: Rows, row: int | None) -> Rows:
    """Return the row whose work is wanted, of models that are shown row by row; all rows of others."""
    if not works_by_row(model):
        if row is not None:
            raise UsageError(
                "--row goes with neighbours and boosted trees; this model shows a node or a round",
                slug="usage",
            )
        return rows
    if not rows:
        raise UsageError(
            "the work of this model is that of one row",
            slug="work.no-rows",
            hints=[Hint(call="work", arguments=("model", "X"), option="row", value=1)],
        )
    table, truth, _ = rows
    at = 1 if row is None else row
    if at > len(table):
        raise DataError(
            f"there is no row {at}", slug="work.no-such-row", hints=[f"rows: 1 to {len(table)}"]
        )
    names = [name for name in table.columns if name in model.schema_.names]
    return table.select(names)[at - 1 : at], None if truth is None else truth.take(
        [at - 1]
    ).values()
