"""``treewright explain``: why one row got its answer, and what would change it."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

import click

from treewright.cli.app.command import Verb, several
from treewright.cli.app.console import Console
from treewright.cli.app.options import Text, text_options
from treewright.cli.app.output import document_out
from treewright.cli.tables.model_file import load_sketch
from treewright.cli.tables.source import Source
from treewright.errors import DataError, Hint, UsageError
from treewright.schema import Schema, label

__all__ = ["command"]


@click.command("explain", cls=Verb)
@click.argument("model", type=click.Path())
@click.argument("file", type=click.Path(), required=False)
@click.option("--row", type=click.IntRange(1), help="Which row of FILE.  [default: 1]")
@several(
    "--set",
    "values",
    metavar="COLUMN=VALUE",
    help="What the row holds, or holds instead of FILE's.",
)
@click.option(
    "--want", help="The answer to look for: a class, or for numbers a bound such as '>=200'."
)
@several("--fixed", metavar="COLUMN", help="Columns that may not change.")
@click.option(
    "--most",
    type=click.IntRange(1, 4),
    default=2,
    show_default=True,
    help="Columns that may change.",
)
@click.option("--width", type=click.IntRange(1), help="Columns of text.  [default: the terminal's]")
@click.option(
    "--format", "form", type=click.Choice(["text", "markdown", "latex", "json"]), default="text",
    show_default=True, help="The form.",
)  # fmt: skip
@text_options
@click.pass_obj
def command(
    console: Console,
    /,
    model: str,
    file: str | None,
    row: int | None,
    values: Sequence[str],
    form: str,
    **options: Any,
) -> None:
    """Explain the answer of MODEL for one row: of FILE, or given by --set. What is not given is missing."""
    from treewright import explain

    text = Text.taken(options)
    if file is None and not values:
        raise UsageError(
            "which row should be explained?",
            slug="explain.no-row",
            hints=[
                Hint(call="explain", arguments=("model", "row")),
                Hint(option="set", value="COLUMN=VALUE"),
            ],
        )
    if file is None and (row is not None or text.said):
        raise UsageError("--row and how FILE is read mean nothing without FILE", slug="usage")
    sketch = load_sketch(model)
    schema: Schema = sketch.schema_
    given = {} if file is None else _row(file, row or 1, sketch, text, console)
    given |= _said(values, schema)
    told = explain(sketch, given, ascii=console.ascii or None, **options)
    if form == "json":
        document_out(json.dumps(told.to_dict(), indent=1, allow_nan=False) + "\n", None)
    elif form in ("markdown", "latex"):
        document_out(told.to_markdown() if form == "markdown" else told.to_latex(), None)
    else:
        console.say(told.text())


def _row(file: str, number: int, model: Any, text: Text, console: Console) -> dict[str, Any]:
    """Return one row of a file by its columns."""
    from treewright.cli.tables.batches import batches

    source = Source.of(file, text, console, once=True)
    schema, seen = model.schema_, 0
    for batch in batches(source, schema, console, model._used_columns()):
        if number <= seen + len(batch):
            return _values(batch, number - seen - 1, schema)
        seen += len(batch)
    raise DataError(
        f"{source.label} has no row {number:,}", slug="explain.no-row", hints=[f"it has {seen:,}"]
    )


def _values(batch: Any, i: int, schema: Schema) -> dict[str, Any]:
    row = {}
    for name in schema.names:
        unseen = name in batch.unseen and batch.unseen[name][i]
        # A text that is no level has no code: its cell tells it.
        row[name] = (
            batch.cells[name][i] if unseen else batch.table.column(name).take([i]).values()[0]
        )
    return row


def _said(values: Sequence[str], schema: Schema) -> dict[str, Any]:
    """Read COLUMN=VALUE as the model reads its columns; nothing, or ?, is missing."""
    row: dict[str, Any] = {}
    for word in values:
        name = next((n for n in schema.names if word.startswith(f"{n}=")), None)
        if name is None:
            raise UsageError(
                f'"{word}" names no column of the model',
                slug="explain.set",
                hints=[
                    f"columns: {', '.join(schema.names)}",
                    Hint(option="set", value="COLUMN=VALUE"),
                ],
            )
        row[name] = _value(word[len(name) + 1 :], name, schema)
    return row


def _value(text: str, name: str, schema: Schema) -> Any:
    if text in ("", "?"):
        return None
    column = schema.columns[schema.names.index(name)]
    if column.kind == "categorical":
        return next((level for level in column.levels if label(level) == text), text)
    try:
        return float(text)
    except ValueError:
        raise UsageError(
            f'"{name}" is a number for this model; got "{text}"', slug="explain.set"
        ) from None
