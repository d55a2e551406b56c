"""``treewright export``: a model in another language."""

from __future__ import annotations

import os
import sys
from typing import Any

import click

from treewright._export import FORMATS, format_by_extension
from treewright.cli.app.command import Verb
from treewright.cli.app.console import Console
from treewright.cli.app.output import document_out, refuse_place
from treewright.cli.tables.model_file import load_model
from treewright.errors import Hint, UsageError

__all__ = ["command"]

FORMS = tuple(name for name, form in FORMATS.items() if form.extensions)
DIALECTS = ("duckdb", "postgres", "sqlite")


@click.command("export", cls=Verb)
@click.argument("model", type=click.Path())
@click.option(
    "--to",
    "--format",
    "to",
    type=click.Choice(FORMS),
    help="The form.  [default: by the ending of -o]",
)
@click.option("-o", "--output", help="Write to a file instead of standard output.")
@click.option("--dialect", type=click.Choice(DIALECTS), help="SQL dialect.  [default: duckdb]")
@click.option("--table", help="sql: the table with the rows.  [default: data]")
@click.option("--name", help="sql, onnx: what the answer is called.  [default: prediction]")
@click.option("--proba", is_flag=True, default=None, help="sql: add the share of each class.")
@click.option("--prefix", help="c: how all names begin.  [default: treewright]")
@click.option("--missing", help="onnx: the text that means missing.  [default: the empty one]")
@click.option(
    "--divided",
    type=click.Choice(["null", "weighted"]),
    help="pmml: rows that C4.5 divides get no answer, or that of the standard.",
)
@click.option("--node", type=click.IntRange(0), help="drawings: begin at this node.")
@click.option("--depth", type=click.IntRange(0), help="drawings: questions below it at most.")
@click.option("--lines", type=click.IntRange(1), help="drawings: nodes at most.  [default: 60]")
@click.pass_obj
def command(
    console: Console, /, model: str, to: str | None, output: str | None, **options: Any
) -> None:
    """Write MODEL in another language: a query, a program, an exchange format, a drawing.

    What is written predicts exactly as predict does; what a language cannot express is refused. A database may return
    the rows of a query in any order: keep a key column in the table to match predictions with rows.
    """
    from treewright import export

    form = to or _by_ending(output)
    if output not in (None, "-"):
        refuse_place(str(output), model)
    if form == "onnx" and output in (None, "-") and sys.stdout.isatty():
        raise UsageError(
            "onnx is not text",
            slug="usage",
            hints=[Hint(option="output", value="model.onnx"), "or pipe it into a program"],
        )
    said = {name: value for name, value in options.items() if value is not None}
    written = export(load_model(model), form, **said)
    document_out(written, output, model)
    if output not in (None, "-"):
        console.status(f"saved {output}")


def _by_ending(output: str | None) -> str:
    form = format_by_extension(os.path.splitext(output or "")[1])
    if form is None:
        raise UsageError(
            "which form should the model be written in?",
            slug="export.no-form",
            hints=[Hint(option="to", value="sql"), f"forms: {', '.join(FORMS)}"],
        )
    return form
