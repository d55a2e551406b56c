"""The tables of ``treewright work``: a model is trained on one, or one is read beside a model."""

from __future__ import annotations

import os
from typing import Any

from treewright.cli.app.console import Console
from treewright.cli.app.options import ColumnOptions, TextOptions
from treewright.cli.tables.source import Source, resolve_target
from treewright.errors import DataError, Hint, UsageError

__all__ = ["fit_table", "is_table", "read_rows", "refuse_columns", "take_row"]

Rows = tuple[Any, ...]  # nothing, or columns, target and weights


def is_table(name: str) -> bool:
    """Return whether a name is that of a table: a built-in one, or a file that is no model."""
    if name.endswith(".tree") and os.path.exists(name):
        return False
    from treewright._reading.file_parts import split_part
    from treewright._reading.signatures import is_model_file

    path, part = split_part(name)
    if not os.path.exists(path):
        from treewright import datasets

        return name in datasets.names()
    if not os.path.isfile(path):
        return False
    return part is not None or not is_model_file(path)


def refuse_columns(algorithm: str | None, columns: ColumnOptions) -> None:
    """Raise an error where options of a table are used with a model."""
    flags = [*columns.flags(), *(["--algorithm"] if algorithm else [])]
    if flags:
        raise UsageError(
            f"{flags[0]} works only with a table, not with a model",
            slug="usage",
            hints=[Hint(call="work", arguments=("X", "y"), option="target")],
        )


def fit_table(
    name: str,
    algorithm: str | None,
    target: str | None,
    weight: str | None,
    text: TextOptions,
    columns: ColumnOptions,
    console: Console,
) -> tuple[Any, Rows]:
    """Train a model on a table, as ``fit`` does; return it with its training rows."""
    from treewright.cli.app.algorithms import find_algorithm
    from treewright.cli.tables.fit_request import FitRequest

    named = None if algorithm is None else find_algorithm(algorithm)
    source = Source.open(name, text, console)
    request = FitRequest(target, columns, named, weight=weight)
    data, chosen, task = request.read(source, console)
    model = data.fit(chosen.make(task, {}))
    by_node = getattr(model, "_work_unit", "node") == "node"  # such a model stores what it needs
    return model, () if by_node else (data.table, data.target, data.weights)


def read_rows(
    model: Any,
    file: str | None,
    target: str | None,
    weight: str | None,
    text: TextOptions,
    console: Console,
) -> Rows:
    """Read the table beside a model, if there is one; rows to be predicted need no target."""
    if file is None:
        if target is not None or weight is not None or text.used():
            raise UsageError(
                "the input options need a table",
                slug="usage",
                hints=[Hint(call="work", arguments=("model", "X", "y"))],
            )
        return ()
    source = Source.open(file, text, console)
    known = model.schema_.target
    if target is None and _works_by_row(model):
        table = source.inspect(ColumnOptions()).table
        return table, table.column(known) if known in table.columns else None, None
    name = resolve_target(target, known, source, what="the target column of the table")
    roles = ColumnOptions(keep=(name,), numeric=(weight,) if weight else ())
    table = source.inspect(roles).table
    weights = None if weight is None else table.column(weight).data
    return table.drop([name]), table.column(name), weights


def _works_by_row(model: Any) -> bool:
    """Return whether ``work`` shows the calculation for one row."""
    return getattr(model, "_work_unit", "node") in ("row", "vote")


def take_row(model: Any, rows: Rows, row: int | None) -> Rows:
    """Return the row to be shown, for models that are shown row by row; all rows for others."""
    by_round = getattr(model, "_work_unit", "node") == "round"
    if not _works_by_row(model) and not (by_round and row is not None):
        if row is not None:
            raise UsageError(
                "--row works only for AdaBoost, kNN and gradient boosting", slug="usage"
            )
        return rows
    if not rows:
        raise UsageError(
            "for this model, the calculation is shown for one row",
            slug="work.no-rows",
            hints=[Hint(call="work", arguments=("model", "X"), option="row", value=1)],
        )
    table, truth, _ = rows
    place = (row or 1) - 1
    if place >= len(table):
        raise DataError(
            f"row {row} not found", slug="work.no-such-row", hints=[f"rows: 1 to {len(table)}"]
        )
    names = [name for name in table.columns if name in model.schema_.names]
    true_value = None if truth is None or by_round else truth.take([place]).values()
    return table.select(names)[place : place + 1], true_value
