"""``treewright data``: the built-in tables."""

from __future__ import annotations

import csv
import io
import json

import click

from treewright.cli.app.command import Verb
from treewright.cli.app.console import Console, data_out
from treewright.cli.app.output import document_out
from treewright.errors import UsageError

__all__ = ["command", "csv_text"]


@click.command("data", cls=Verb)
@click.argument("name", required=False)
@click.option(
    "-o", "--output", type=click.Path(), metavar="FILE", help="Write the table to a file."
)
@click.option("--format", "form", type=click.Choice(["text", "json"]), help="The form of the list.")
@click.pass_obj
def command(console: Console, /, name: str | None, output: str | None, form: str | None) -> None:
    """Print the built-in table NAME as CSV; without a name, list the tables."""
    if (output if name is None else form) is not None:
        raise UsageError("-o is for a table, --format for the list of them", slug="usage")
    if name is not None:
        document_out(csv_text(name), output)
    elif form == "json":
        data_out(json.dumps(_facts(), indent=1) + "\n")
    else:
        console.say(_list())


def csv_text(name: str) -> str:
    """Return a built-in table as CSV."""
    from treewright import datasets
    from treewright.schema import label

    table = datasets.load(name).table
    columns = table.to_dict()
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(columns)
    for row in zip(*columns.values(), strict=True):
        writer.writerow(["" if value is None else label(value) for value in row])
    return text.getvalue()


def _facts() -> list[dict[str, object]]:
    from treewright import datasets

    tables = [datasets.load(name) for name in datasets.names()]
    return [
        {
            "name": t.name,
            "title": t.title,
            "rows": t.table.shape[0],
            "columns": t.table.columns,
            "target": t.target,
            "description": t.description,
            "source": t.source,
        }
        for t in tables
    ]


def _list() -> str:
    from treewright._render import table_grid as grid

    facts = _facts()
    lanes = [
        grid.TableColumn("table", [str(f["name"]) for f in facts], left=True, gap=0),
        grid.TableColumn("rows", [str(f["rows"]) for f in facts], gap=2),
        grid.TableColumn("target", [str(f["target"]) for f in facts], left=True, gap=2),
        grid.TableColumn("", [str(f["title"]) for f in facts], left=True, gap=2),
    ]
    lines = [
        *grid.align_columns(lanes, grid.terminal_width()),
        "",
        "as CSV: treewright data play-tennis",
        "a tree: treewright fit play-tennis",
    ]
    return "\n".join(lines)
