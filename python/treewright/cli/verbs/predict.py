"""``treewright predict``: answers for new rows, in the order of the file and in bounded memory.

The result is CSV in UTF-8, or JSON, Markdown or LaTeX. With ``-o`` the file appears whole, at the end, or not at all.
"""

from __future__ import annotations

from typing import Any

import click

from treewright.cli.app.command import Verb
from treewright.cli.app.console import Console
from treewright.cli.app.options import Text, text_options
from treewright.cli.app.output import sink
from treewright.cli.scoring.prediction_writers import WRITERS
from treewright.cli.tables.model_file import load_model
from treewright.cli.tables.source import Source

__all__ = ["command"]


@click.command("predict", cls=Verb)
@click.argument("model", type=click.Path())
@click.argument("file", type=click.Path())
@click.option("--proba", is_flag=True, help="Add the share of each class where the row ended.")
@click.option("--keep-columns", is_flag=True, help="Repeat the columns of FILE before the answers.")
@click.option(
    "--unseen",
    type=click.Choice(["stop", "error", "mark"]),
    default="stop",
    show_default=True,
    help="A value never met in training: stop at the node that asks about it and take its answer, or "
    "where the model divides rows with missing values divide it too; refuse the file; or the same as "
    "stop, and name the column in a column of its own.",
)
@click.option(
    "--escape-formulas",
    is_flag=True,
    help="Put ' before text that a spreadsheet would run (= + - @); off, as it changes the text.",
)
@click.option(
    "--format",
    "form",
    type=click.Choice(list(WRITERS)),
    default="csv",
    show_default=True,
    help="The form.",
)
@text_options
@click.option(
    "-o", "--output", type=click.Path(), metavar="FILE", help="Write to a file, all or nothing."
)
@click.pass_obj
def command(
    console: Console,
    /,
    model: str,
    file: str,
    output: str | None,
    escape_formulas: bool,
    form: str,
    **options: Any,
) -> None:
    """Answer the rows of FILE (a table, - for standard input, or a built-in table) with MODEL.

    The column of answers is called "prediction", those of --proba "probability" and the class, that of
    --unseen mark "unseen". A name that FILE has already gets a _ at its end.
    """
    from treewright.cli.scoring.predictions import Answers

    learnt = load_model(model)
    source = Source.of(file, Text.taken(options), console, once=True)
    answers = Answers(learnt, source, **options)
    writer = WRITERS[form](answers)
    with sink(output, model, file) as write:
        for rows in answers.tables(console):
            write(writer.rows([_escaped(row) for row in rows] if escape_formulas else rows))
        write(writer.end())
    for note in answers.notes():
        console.note(note)


def _escaped(row: list[str]) -> list[str]:
    return [
        f"'{cell}" if cell.startswith(FORMULA) and not _is_number(cell) else cell for cell in row
    ]


FORMULA = ("=", "+", "-", "@", "\t", "\r", "\0")


def _is_number(cell: str) -> bool:
    try:
        float(cell)
    except ValueError:
        return False
    return True
