"""``treewright rank``: which columns tell something about the target."""

from __future__ import annotations

import json
from typing import Any

import click

from treewright.cli.app.command import Verb
from treewright.cli.app.console import Console
from treewright.cli.app.options import Columns, Text, column_options, text_options
from treewright.cli.app.output import csv_text, document_out, refuse_place
from treewright.cli.tables.source import Source
from treewright.errors import Hint, UsageError

__all__ = ["command", "ranked"]

# The words of --by, and what Python calls them.
BY = {
    "gain": "gain",
    "gain-ratio": "gain_ratio",
    "mutual-information": "mutual_information",
    "gini": "gini",
    "chi2": "chi2",
    "one-r": "one_r",
    "variance-reduction": "variance_reduction",
}
FORMS = ("text", "markdown", "latex", "html", "svg", "csv", "json")


@click.command("rank", cls=Verb)
@click.argument("file", type=click.Path())
@click.option("-t", "--target", metavar="COL", help="The column to predict; never guessed.")
@click.option(
    "--by",
    type=click.Choice(list(BY)),
    help="The measure.  [default: gain; variance-reduction for numbers]",
)
@click.option(
    "--task",
    type=click.Choice(["auto", "classify", "regress"]),
    default="auto",
    help="Whether the target is a class or a number; auto stops where that is not clear.",
)
@click.option(
    "--cuts",
    type=click.Choice(["one", "mdl"]),
    default="one",
    show_default=True,
    help="Numbers are divided once, or as often as it pays for its description (Fayyad and Irani).",
)
@click.option(
    "--gaps",
    type=click.Choice(["known", "value", "spread"]),
    default="known",
    show_default=True,
    help="Rows without a value: left out, the gain of the others times their share; a value of their "
    "own; or spread over the other values.",
)
@column_options
@text_options
@click.option("--width", type=click.IntRange(1), help="Columns of text.  [default: the terminal's]")
@click.option(
    "--format",
    "form",
    type=click.Choice(FORMS),
    help="The form on standard output.  [default: text]",
)
@click.option(
    "-o",
    "--output",
    type=click.Path(),
    help="Write to a file; its ending says the form: .txt .md .tex .html .svg .json",
)
@click.pass_obj
def command(
    console: Console,
    /,
    file: str,
    form: str | None,
    output: str | None,
    width: int | None,
    **options: Any,
) -> None:
    """Rank the columns of FILE (a table, - for standard input, or a built-in table) by what they tell of the target."""
    if output is not None and form is not None:
        raise UsageError(
            "--format and -o exclude each other",
            slug="usage",
            hints=["the ending of the file says the form"],
        )
    source = Source.of(file, Text.taken(options), console)
    found = ranked(source, Columns.taken(options), console, **options)
    if output is not None:
        refuse_place(output, file)
        found.save(output)
        console.status(f"saved {output}")
    elif form in (None, "text"):
        console.say(found.text(width=width, ascii=console.ascii or None))
    else:
        document_out(_written(found, str(form)), None)


def ranked(
    source: Source,
    columns: Columns,
    console: Console,
    *,
    target: str | None,
    task: str = "auto",
    by: str | None = None,
    cuts: str = "one",
    gaps: str = "known",
) -> Any:
    """Read a table and rank its columns."""
    from treewright import rank_columns
    from treewright.cli.tables.training_data import Wish, lesson_of

    name = target or source.target
    if name is None:
        raise UsageError(
            "which column should be predicted?",
            slug="fit.no-target",
            hints=source.target_hints("rank"),
        )
    source.require([name], "target")
    lesson, _, found = lesson_of(source, Wish(name, None, task, None, columns), console)
    usual = "variance_reduction" if found == "regress" else "gain"
    word = usual if by is None else BY[by]
    if found == "regress" and word not in ("variance_reduction", "mutual_information"):
        raise UsageError(
            f'--by {by} measures classes, and "{name}" holds numbers',
            slug="rank.target",
            hints=[
                Hint(option="by", value="variance-reduction"),
                Hint(option="task", value="classify"),
            ],
        )
    return rank_columns(
        lesson.table, lesson.target, word, numeric="mdl" if cuts == "mdl" else "cut", missing=gaps
    )


def _written(found: Any, form: str) -> str:
    if form == "json":
        return json.dumps(found.to_dict(), indent=1, allow_nan=False) + "\n"
    if form == "csv":
        rows = [{**column.to_dict(), **column.figures} for column in found.columns]
        return csv_text([{k: v for k, v in row.items() if k != "figures"} for row in rows])
    if form in ("markdown", "latex"):
        return str(found.to_markdown() if form == "markdown" else found.to_latex())
    return str(found.to_html() if form == "html" else found.to_svg()) + "\n"
