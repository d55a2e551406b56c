"""``treewright export``: convert a model to another format."""

from __future__ import annotations

import os
import sys
from typing import Any

import click

from treewright._export import FORMATS, format_by_extension
from treewright._utils.choices import DIALECTS, FRACTIONAL
from treewright.cli.app.command import Command, option
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
@option(
    "--to",
    aliases=("--format",),
    group="Format",
    type=click.Choice(NAMES),
    metavar="FORMAT",
    help=f"Programs:  {', '.join(PROGRAMS)}\nExchange:  {', '.join(EXCHANGE)}\n"
    f"Diagrams:  {', '.join(DRAWINGS)}\n[default: from the extension of -o]",
)
@option(
    "--dialect",
    group="SQL",
    type=click.Choice(DIALECTS),
    metavar="NAME",
    help=f"{', '.join(DIALECTS[:-1])} or {DIALECTS[-1]}.  [default: {DIALECTS[0]}]",
)
@option("--table", group="SQL", metavar="NAME", help="Table with the rows.  [default: data]")
@option(
    "--proba", group="SQL", is_flag=True, default=None, help="Add the probability of each class."
)
@option(
    "--name",
    group="SQL",
    metavar="NAME",
    help="Name of the output column (also for onnx).  [default: prediction]",
)
@option(
    "--prefix",
    group=OTHERS,
    metavar="NAME",
    help="c: prefix of all names.  [default: treewright]",
)
@option(
    "--missing",
    group=OTHERS,
    metavar="TEXT",
    help='onnx: text that means "missing".  [default: empty]',
)
@option(
    "--fractional",
    "divided",
    aliases=("--divided",),
    group=OTHERS,
    type=click.Choice(FRACTIONAL),
    metavar="HOW",
    help="pmml: rows with missing values that C4.5 sends down several branches: null (no prediction) "
    "or weighted (as the PMML standard defines).",
)
@option("--node", group="Diagrams", type=click.IntRange(0), metavar="N", help="Start at this node.")
@option(
    "--depth",
    aliases=("--max-depth",),
    group="Diagrams",
    type=click.IntRange(0),
    metavar="N",
    help="Levels to show below it.",
)
@option(
    "--max-nodes",
    "lines",
    aliases=("--lines",),
    group="Diagrams",
    type=click.IntRange(1),
    metavar="N",
    help="Maximum number of nodes.  [default: 60]",
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
    if form == "onnx" and output in (None, "-") and sys.stdout.isatty():
        raise UsageError(
            "ONNX is a binary format and is not printed to a terminal",
            slug="usage",
            hints=[Hint(option="output", value="model.onnx"), "or pipe it into a program"],
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
