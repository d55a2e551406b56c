"""``treewright inspect``: how the columns of a table are read."""

from __future__ import annotations

import shlex
from dataclasses import dataclass, replace
from typing import Any

import click

from treewright.cli.app.command import Command
from treewright.cli.app.completion import TablePath
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
from treewright.cli.app.output import emit, find_format, terminal_text
from treewright.cli.tables.source import Source
from treewright.cli.verbs.data import table_csv

__all__ = ["command"]


@click.command(
    "inspect",
    cls=Command,
    examples=["treewright inspect loans.csv", "treewright inspect loans.csv --target default"],
)
@click.argument("file", type=TablePath())
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
        from treewright.cli.tables.fit_request import FitRequest
        from treewright.cli.verbs.rank import rank_source

        # Notes about columns stand in the inspection already.
        quiet = replace(console, silent=True)
        ranking = rank_source(source, FitRequest(target, columns), quiet)
    report: Any = inspection if ranking is None else _Report(inspection, ranking)
    emit(report, form, output)
    if form == "text":
        for note in inspection.notes:
            if note.column is None:  # the others stand in the table
                console.note(str(note))
        chosen = f" --target {shlex.quote(target)}" if target else _suggest(source, inspection)
        words = [shlex.quote(file), *source.text.words()]
        console.status(f"next: treewright fit {' '.join(words)}{chosen}")


def _suggest(source: Source, inspection: Any) -> str:
    """Return an example of a target; that of a built-in table is known."""
    used = [report.name for report in inspection.reports if not report.ignored]
    return "" if source.target or not used else f" --target {shlex.quote(used[-1])}"


@dataclass(frozen=True)
class _Report:
    """An inspection, and a ranking below it."""

    inspection: Any
    ranking: Any

    def text(self) -> str:
        return "\n\n".join(map(terminal_text, (self.inspection, self.ranking)))

    def to_dict(self) -> dict[str, Any]:
        return {**self.inspection.to_dict(), "ranking": self.ranking.to_dict()}

    def to_csv(self) -> str:
        return str(self.inspection.forms()[".csv"]())

    def to_markdown(self) -> str:
        return str(self.inspection.to_markdown() + self.ranking.to_markdown())

    def to_latex(self) -> str:
        return str(self.inspection.to_latex() + self.ranking.to_latex())
