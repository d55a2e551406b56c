"""``treewright data``: the built-in tables."""

from __future__ import annotations

from typing import Any

import click

from treewright.cli.app.command import Command, group, option
from treewright.cli.app.completion import BuiltInTable
from treewright.cli.app.console import Console
from treewright.cli.app.options import format_option, output_option
from treewright.cli.app.output import emit, write_output
from treewright.errors import UsageError

__all__ = ["command", "table_csv"]


@click.command(
    "data",
    cls=Command,
    examples=["treewright data", "treewright data play-tennis > tennis.csv", "treewright fit golf"],
)
@click.argument("name", required=False, type=BuiltInTable())
@group("Output", option("--about", "Print what NAME is about, its source and its license."))
@format_option("text", "json", what="Format of the list: ")
@output_option("Write the table to a file instead of standard output.")
@click.pass_obj
def command(
    console: Console, /, name: str | None, about: bool, output: str | None, form: str | None
) -> None:
    """Print the built-in table NAME as CSV. Without NAME, list the tables.

    Every command that reads a table also accepts these names directly; their
    target is known.
    """
    if (output if name is None else form) is not None:
        raise UsageError(
            "-o writes a table and --format applies to the list; give NAME with -o", slug="usage"
        )
    if about:
        console.print(_describe(name))
    elif name is not None:
        write_output(table_csv(name), output)
    else:
        emit(_TableList(), form, None)


def _describe(name: str | None) -> str:
    """Return the story of a table as text."""
    import textwrap

    from treewright import datasets
    from treewright._render.table_grid import terminal_width

    if name is None:
        raise UsageError(
            "--about needs the name of a table",
            slug="usage",
            hints=[f"built-in tables: {', '.join(datasets.names())}"],
        )
    table = datasets.load(name)
    rows, columns = table.table.shape
    facts = [
        f"{name}: {table.title}",
        table.description,
        f"{rows} rows, {columns} columns; target: {table.target}",
        f"source: {table.source}",
        f"license: {table.license}",
    ]
    return "\n".join(line for fact in facts for line in textwrap.wrap(fact, terminal_width()))


def table_csv(name: str) -> str:
    """Return a built-in table as CSV."""
    from treewright import datasets
    from treewright._web.table_text import rows_as_csv

    return rows_as_csv(datasets.load(name).table)


class _TableList:
    """The list of the built-in tables."""

    def to_dict(self) -> list[dict[str, Any]]:
        """Return the tables as plain values."""
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
                "license": t.license,
            }
            for t in tables
        ]

    def text(self) -> str:
        """Return the tables as text, with what to do next."""
        from treewright._render import table_grid as grid

        tables = self.to_dict()
        columns = [
            grid.TableColumn("table", [t["name"] for t in tables], left=True, gap=0),
            grid.TableColumn("rows", [str(t["rows"]) for t in tables], gap=2),
            grid.TableColumn("target", [t["target"] for t in tables], left=True, gap=2),
            grid.TableColumn("", [t["title"] for t in tables], left=True, gap=2),
        ]
        lines = [
            *grid.align_columns(columns, grid.terminal_width()),
            "",
            "print: treewright data play-tennis",
            "about: treewright data iris --about",
            "train: treewright fit play-tennis",
        ]
        return "\n".join(lines)
