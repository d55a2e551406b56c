"""``treewright inspect``: how the columns of a table are read."""

from __future__ import annotations

import shlex
from dataclasses import dataclass, replace
from typing import Any

import click

from treewright.cli.app.command import Command
from treewright.cli.app.console import Console
from treewright.cli.app.options import (
    ColumnOptions,
    TextOptions,
    column_options,
    format_option,
    output_option,
    target_option,
    text_options,
)
from treewright.cli.app.output import emit, find_format
from treewright.cli.tables.source import Source
from treewright.cli.verbs.data import table_csv

__all__ = ["command"]


@click.command(
    "inspect",
    cls=Command,
    examples=["treewright inspect loans.csv", "treewright inspect loans.csv --target default"],
)
@click.argument("file", type=click.Path())
@target_option("Also rank the columns by how well they predict COL.")
@column_options()
@text_options()
@format_option("text", "json", "csv", "markdown", "latex")
@output_option()
@click.pass_obj
def command(
    console: Console,
    /,
    file: str,
    form: str | None,
    output: str | None,
    target: str | None,
    **options: Any,
) -> None:
    """Show how the columns of FILE are read: type, values, missing values.

    Also show which columns are ignored and why. Nothing is trained.

    FILE is a table file, "-" for standard input, or a built-in table.
    """
    form = find_format(form, output)
    source = Source.open(file, TextOptions.pop_from(options), console)
    columns = ColumnOptions.pop_from(options)
    as_file = source
    if source.target is not None:  # a built-in table is read like the file it would be
        as_file = replace(source, content=table_csv(file).encode(), target=None, ignore=())
    inspection = as_file.inspect(columns)
    ranking = None
    if target is not None:
        from treewright.cli.verbs.rank import rank_source

        # Notes about columns stand in the inspection already.
        quiet = replace(console, silent=True)
        ranking = rank_source(source, columns, quiet, target=target)
    report = _Report(inspection, ranking, console.ascii)
    emit(report, form, output, rows=lambda: inspection.to_dict()["columns"])
    if form == "text":
        for note in inspection.notes:
            if note.column is None:  # the others stand in the table
                console.note(str(note))
        chosen = f" --target {shlex.quote(target)}" if target else _suggest(source, inspection)
        console.status(f"next: treewright fit {shlex.quote(file)}{chosen}")


def _suggest(source: Source, inspection: Any) -> str:
    """Return an example of a target; that of a built-in table is known."""
    used = [report.name for report in inspection.reports if not report.ignored]
    return "" if source.target or not used else f" --target {shlex.quote(used[-1])}"


@dataclass(frozen=True)
class _Report:
    """An inspection, and the ranking below it where a target is given."""

    inspection: Any
    ranking: Any
    ascii: bool

    def text(self) -> str:
        parts = [str(self.inspection)]
        if self.ranking is not None:
            parts.append(self.ranking.text(ascii=self.ascii or None))
        return "\n\n".join(parts)

    def to_dict(self) -> dict[str, Any]:
        ranking = {} if self.ranking is None else {"ranking": self.ranking.to_dict()}
        return {**self.inspection.to_dict(), **ranking}

    def to_markdown(self) -> str:
        return "".join(page.to_markdown() for page in self._pages())

    def to_latex(self) -> str:
        return "".join(page.to_latex() for page in self._pages())

    def _pages(self) -> list[Any]:
        return [page for page in (self.inspection, self.ranking) if page is not None]
