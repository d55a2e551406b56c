"""``treewright explain``: explain one prediction, and what would change it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import click

from treewright._utils.suggestions import list_names
from treewright._utils.validation import is_number_text
from treewright.cli.app.command import Command, group, option
from treewright.cli.app.completion import TablePath
from treewright.cli.app.console import Console
from treewright.cli.app.options import (
    TextOptions,
    format_option,
    output_option,
    text_options,
    width_option,
)
from treewright.cli.app.output import emit, find_format
from treewright.cli.tables.model_file import load_sketch
from treewright.cli.tables.source import Source
from treewright.errors import DataError, Hint, UsageError
from treewright.schema import Schema, label

__all__ = ["command"]

COUNTERFACTUAL = "Counterfactual (one tree)"


@click.command(
    "explain",
    cls=Command,
    examples=[
        "treewright explain loans.tree new.csv --row 3",
        "treewright explain tennis.tree --set Outlook=Sunny Humidity=High",
        "treewright explain price.tree new.csv --want '>=200' --fixed district",
    ],
)
@click.argument("model", type=click.Path())
@click.argument("file", type=TablePath(), required=False)
@group(
    "Row",
    option("--row N", "Row of FILE, counted from 1.  [default: 1]", click.IntRange(1)),
    option("--set COL=VALUE...", "Values of the row; they replace those from FILE.", name="values"),
)
@group(
    COUNTERFACTUAL,
    option(
        "--want VALUE",
        "Prediction to aim for: a class, or for numeric targets a bound such as '>=200'.  "
        "[default: any other class]",
    ),
    option("--fixed COL...", "Columns that must not change."),
    option(
        "--max-changes|--most N",
        "Maximum number of columns that may change, 1 to 4.  [default: 2]",
        click.IntRange(1, 4),
        name="most",
        default=2,
    ),
)
@text_options()
@format_option("text", "markdown", "latex", "html", "json")
@output_option()
@width_option()
@click.pass_obj
def command(
    console: Console,
    /,
    model: str,
    file: str | None,
    row: int | None,
    values: Sequence[str],
    form: str | None,
    output: str | None,
    **options: Any,
) -> None:
    """Explain the prediction of MODEL for one row.

    Also find the smallest change that would give another prediction (a counterfactual).

    The row comes from FILE, from --set, or from both. Columns without a value
    are treated as missing.

    One tree: the path of the row. Ensembles: the contribution of each column
    (SHAP values). knn: the nearest rows and their votes.
    """
    from treewright import explain

    text = TextOptions.pop_from(options)
    if file is None and not values:
        raise UsageError(
            "no row given",
            slug="explain.no-row",
            hints=[
                Hint(call="explain", arguments=("model", "row")),
                Hint(option="set", value="COLUMN=VALUE"),
            ],
        )
    if file is None and (row is not None or text.used()):
        raise UsageError("--row and the input options need FILE", slug="usage")
    form = find_format(form, output)
    sketch = load_sketch(model)
    cells = {} if file is None else _read_row(file, row or 1, sketch, text, console)
    cells |= _parse_values(values, sketch.schema_)
    emit(explain(sketch, cells, ascii=console.ascii or None, **options), form, output)


def _read_row(
    file: str, number: int, model: Any, text: TextOptions, console: Console
) -> dict[str, Any]:
    """Return one row of a file by its columns."""
    from treewright.cli.tables.batches import batches

    source = Source.open(file, text, console, once=True)
    schema, rows = model.schema_, 0
    for batch in batches(source, schema, console, model._used_columns()):
        if number <= rows + len(batch):
            return _row_values(batch, number - rows - 1, schema)
        rows += len(batch)
    raise DataError(
        f"{source.label} has no row {number:,}", slug="explain.no-row", hints=[f"it has {rows:,}"]
    )


def _row_values(batch: Any, i: int, schema: Schema) -> dict[str, Any]:
    row = {}
    for name in schema.names:
        if name in batch.unseen and batch.unseen[name][i]:
            row[name] = batch.cells[name][i]  # an unseen category has no code
        else:
            row[name] = batch.table.column(name).take([i]).values()[0]
    return row


def _parse_values(values: Sequence[str], schema: Schema) -> dict[str, Any]:
    """Read COL=VALUE as the model reads its columns; an empty value, or ?, is missing."""
    row: dict[str, Any] = {}
    for text in values:
        name = next((n for n in schema.names if text.startswith(f"{n}=")), None)
        if name is None:
            raise UsageError(
                f'--set {text}: the model has no column "{text.partition("=")[0]}"',
                slug="explain.set",
                hints=[
                    f"columns: {list_names(schema.names)}",
                    Hint(option="set", value="COLUMN=VALUE"),
                ],
            )
        row[name] = _parse_value(text[len(name) + 1 :], name, schema)
    return row


def _parse_value(text: str, name: str, schema: Schema) -> Any:
    if text in ("", "?"):
        return None
    column = schema.columns[schema.names.index(name)]
    if column.kind == "categorical" or column.order:
        levels = (*column.levels, *column.order)
        return next((level for level in levels if label(level) == text), text)
    if column.meaning is not None and (column.meaning.written == "," or not is_number_text(text)):
        return text  # a date or an amount
    try:
        return float(text)
    except ValueError:
        raise UsageError(
            f'column "{name}" must be a number; got "{text}"', slug="explain.set"
        ) from None
