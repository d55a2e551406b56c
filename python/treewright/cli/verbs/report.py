"""``treewright report``: a model as one HTML file."""

from __future__ import annotations

import os
from typing import Any

import click

from treewright.cli.app.command import Command, group, option
from treewright.cli.app.completion import TablePath
from treewright.cli.app.console import Console
from treewright.cli.app.options import TextOptions, output_option, target_option, text_options
from treewright.cli.app.output import check_output, write_output
from treewright.cli.tables.model_file import load_model
from treewright.cli.tables.source import Source
from treewright.errors import Hint, UsageError

__all__ = ["command"]


@click.command(
    "report",
    cls=Command,
    examples=[
        "treewright report loans.tree -o loans.html",
        'treewright report loans.tree test.csv -o loans.html --title "Loans, May"',
        "treewright report loans.tree test.csv --training loans.csv -o loans.html",
    ],
)
@click.argument("model", type=click.Path())
@click.argument("file", required=False, type=TablePath())
@group(
    "Content",
    option("--title TEXT", "Title.  [default: target and algorithm]"),
    option(
        "--training FILE",
        "The table that MODEL was trained on: adds the calculation of large trees and the pruning curve.",
        TablePath(),
    ),
    option(
        "--include-rows N",
        "Include N rows of the table, at most 5,000.  [default: 0]",
        click.IntRange(0, 5000),
        default=0,
    ),
    option(
        "--trees N",
        "Ensembles: number of trees to include.  [default: 10]",
        click.IntRange(1),
        default=10,
    ),
    option("--date TEXT", "Print this date in the report.  [default: none]"),
    option(
        "--max-size SIZE",
        "Stop if the file would be larger, for example 50MB.  [default: 20MB]",
        default="20MB",
    ),
)
@target_option("Target column in FILE.  [default: the model's target]", "Input")
@text_options()
@output_option("Required. Write the report to this file.")
@click.pass_obj
def command(
    console: Console,
    /,
    model: str,
    file: str | None,
    training: str | None,
    target: str | None,
    output: str | None,
    title: str | None,
    include_rows: int,
    trees: int,
    date: str | None,
    max_size: str,
    **options: Any,
) -> None:
    """Write an HTML report about MODEL.

    It has the accuracy, the tree, the calculation of each split, rules, a form
    to try a row, feature importance, pruning, and cautions.

    The report is one file. It needs no network, can be printed, and can be read
    without JavaScript. It contains no rows of your data unless you ask for them.

    With FILE, a table with known target values, the report includes accuracy on
    FILE, the confusion matrix and permutation importance. A tree recognizes its
    own training table.
    """
    from treewright._web.report import report
    from treewright._web.report.report_subject import FileNames

    inputs = [name for name in (model, file, training) if name is not None]
    path = _check_output(output, inputs)
    fitted = load_model(model)
    text = TextOptions.pop_from(options)
    other = None if file is None else _Given(fitted, file, text, target, console)
    own = None if training is None else _Given(fitted, training, text, target, console)
    # Folders of this computer are nobody else's business, and would change the bytes of the report.
    names = FileNames(*(os.path.basename(name or "") for name in (model, training, file)))
    settings: dict[str, Any] = {"title": title, "include_rows": include_rows, "trees": trees}
    settings |= {"max_size": max_size, "date": date, "files": names}
    table = own or other
    settings["other_columns"] = () if table is None else table.other_columns
    if own is not None and other is not None:
        result = report(fitted, *own.rows, test=other.rows, **settings)
    elif table is not None:
        result = report(fitted, *table.rows, **settings)
    else:
        result = report(fitted, **settings)
    for note in result.notes:
        console.note(f"{note[0].lower()}{note[1:]}")
    write_output(result.html, path, *inputs)
    if path != "-":
        console.status(f"saved {path} ({result.size_text})")


class _Given:
    """The rows of a table, and the columns that the model does not read."""

    def __init__(
        self, model: Any, name: str, text: TextOptions, target: str | None, console: Console
    ) -> None:
        from treewright.cli.tables.batches import read_labeled

        source = Source.open(name, text, console)
        schema = model.schema_
        self.rows = read_labeled(model, source, target, console)
        known = {*schema.names, *(column.source for column in schema.columns)}
        self.other_columns = tuple(c for c in source.header() if c not in known)


def _check_output(output: str | None, inputs: list[str]) -> str:
    if output is None:
        raise UsageError(
            "report needs a file to write",
            slug="usage",
            hints=[Hint(option="output", value="report.html")],
        )
    if output != "-":
        check_output(output, *inputs)
    return output
