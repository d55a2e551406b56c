"""``treewright inspect``: how the columns of a table will be read."""

from __future__ import annotations

import json
from dataclasses import asdict, replace
from typing import Any

import click

from treewright.cli.app.command import Verb
from treewright.cli.app.console import Console, data_out
from treewright.cli.app.options import Columns, Text, column_options, text_options
from treewright.cli.app.output import csv_out
from treewright.cli.tables.source import Source, quoted
from treewright.cli.verbs.data import csv_text

__all__ = ["command"]


@click.command("inspect", cls=Verb)
@click.argument("file", type=click.Path())
@click.option(
    "-t", "--target", metavar="COL", help="Rank the columns by what they tell of this one."
)
@column_options
@text_options
@click.option(
    "--format",
    "form",
    type=click.Choice(["text", "json", "csv", "markdown", "latex"]),
    default="text",
    show_default=True,
    help="The form.",
)
@click.pass_obj
def command(console: Console, /, file: str, form: str, target: str | None, **options: Any) -> None:
    """Show how the columns of FILE will be read: a table, - for standard input, or a built-in table."""
    source = Source.of(file, Text.taken(options), console)
    columns = Columns.taken(options)
    for option, names in asdict(columns).items():
        source.require(names, option)
    if source.target is not None:
        # Seen as the file that it would be, so that the same rules are shown at work.
        found = Source(source.label, file, csv_text(file).encode(), source.text).inspect(columns)
    else:
        found = source.inspect(columns)
    ranking = None if target is None else _ranking(source, columns, target, console)
    if form != "text":
        _write(found, ranking, form)
        return
    console.say(str(found))
    for note in found.notes:
        if note.column is None:  # what is said of a column stands in the table
            console.note(str(note))
    if ranking is not None:
        console.say("")
        console.say(ranking.text(ascii=console.ascii or None))
    chosen = f" --target {quoted(target)}" if target else _target(source, found)
    console.status(f"next: treewright fit {quoted(file)}{chosen}")


def _ranking(source: Source, columns: Columns, target: str, console: Console) -> Any:
    """Rank the columns; what is said about them stands in the inspection already."""
    from treewright.cli.verbs.rank import ranked

    source.require([target], "target")
    return ranked(source, columns, replace(console, silent=True), target=target)


def _target(source: Source, found: Any) -> str:
    """Return an example of a target; that of a built-in table is known."""
    used = [report.name for report in found.reports if not report.ignored]
    return "" if source.target or not used else f" --target {quoted(used[-1])}"


def _write(found: Any, ranking: Any, form: str) -> None:
    """Write the account, and the ranking behind it, in another form than text."""
    if form == "json":
        more = {} if ranking is None else {"ranking": ranking.to_dict()}
        data_out(json.dumps(found.to_dict() | more, indent=1) + "\n")
    elif form == "csv":
        csv_out(found.to_dict()["columns"], None)
    else:
        for page in (found,) if ranking is None else (found, ranking):
            data_out(page.to_markdown() if form == "markdown" else page.to_latex())
