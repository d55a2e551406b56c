"""``treewright export``: convert a model to another format."""

from __future__ import annotations

import os
import sys
from typing import Any

import click

from treewright._export import FORMATS, format_by_extension
from treewright._utils.choices import DIALECTS, FRACTIONAL
from treewright.cli.app.command import Command, group, option
from treewright.cli.app.console import Console
from treewright.cli.app.options import output_option
from treewright.cli.app.output import check_output, write_output
from treewright.cli.tables.model_file import load_model
from treewright.errors import Hint, UsageError

__all__ = ["command"]

NAMES = [name for name, form in FORMATS.items() if form.extensions]
DRAWINGS = [name for name in NAMES if FORMATS[name].drawing]
EXCHANGE = [name for name in NAMES if name in ("onnx", "pmml", "json")]
PROGRAMS = [name for name in NAMES if name not in (*DRAWINGS, *EXCHANGE)]
OTHERS = "C, ONNX, PMML"
BINARY = ("onnx", "pdf", "png")


@click.command(
    "export",
    cls=Command,
    examples=[
        "treewright export loans.tree -o loans.sql --dialect postgres --table loans",
        "treewright export loans.tree -o loans.onnx",
        "treewright export loans.tree --to mermaid",
    ],
)
@click.argument("model", type=click.Path())
@group(
    "Format",
    option(
        "--to|--format FORMAT",
        f"Programs:  {', '.join(PROGRAMS)}\nExchange:  {', '.join(EXCHANGE)}\n"
        f"Diagrams:  {', '.join(DRAWINGS)}\n[default: from the extension of -o]",
        click.Choice(NAMES),
    ),
)
@group(
    "SQL",
    option(
        "--dialect NAME",
        f"{', '.join(DIALECTS[:-1])} or {DIALECTS[-1]}.  [default: {DIALECTS[0]}]",
        click.Choice(DIALECTS),
    ),
    option("--table NAME", "Table with the rows.  [default: data]"),
    option("--proba", "Add the probability of each class.", default=None),
    option("--name NAME", "Name of the output column (also for onnx).  [default: prediction]"),
)
@group(
    OTHERS,
    option("--prefix NAME", "c: prefix of all names.  [default: treewright]"),
    option("--missing TEXT", 'onnx: text that means "missing".  [default: empty]'),
    option(
        "--fractional|--divided HOW",
        "pmml: rows with missing values that C4.5 sends down several branches: null (no prediction) "
        "or weighted (as the PMML standard defines).",
        click.Choice(FRACTIONAL),
        name="divided",
    ),
)
@group(
    "Diagrams",
    option("--node N", "Start at this node.", click.IntRange(0)),
    option("--depth|--max-depth N", "Levels to show below it.", click.IntRange(0)),
    option(
        "--max-nodes|--lines N",
        "Maximum number of nodes.  [default: 60]",
        click.IntRange(1),
        name="lines",
    ),
)
@output_option("Write to a file instead of standard output.")
@click.pass_obj
def command(
    console: Console, /, model: str, to: str | None, output: str | None, **options: Any
) -> None:
    """Convert MODEL to another format: a SQL query, source code, an exchange format or a diagram.

    Exported models predict exactly as treewright does. If a format cannot
    represent a model, the export stops with an error that says why. A database
    may return the rows of a query in any order: keep a key column in the table
    to match predictions with rows.
    """
    from treewright import export

    form = to or _format_of(output)
    if output not in (None, "-"):
        check_output(str(output), model)
    if form in BINARY and output in (None, "-") and sys.stdout.isatty():
        raise UsageError(
            f"{form.upper()} is a binary format and is not printed to a terminal",
            slug="usage",
            hints=[Hint(option="output", value=f"model.{form}"), "or pipe it into a program"],
        )
    settings = {name: value for name, value in options.items() if value is not None}
    write_output(export(load_model(model), form, **settings), output, model)
    if output not in (None, "-"):
        console.status(f"saved {output}")


def _format_of(output: str | None) -> str:
    extension = os.path.splitext(output or "")[1]
    form = format_by_extension(extension)
    if form is None:
        unknown = f', and unknown file extension "{extension}"' if extension else ""
        raise UsageError(
            f"no format given{unknown}",
            slug="export.no-form",
            hints=[Hint(option="to", value="sql"), f"formats: {', '.join(NAMES)}"],
        )
    return form
