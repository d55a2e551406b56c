"""``treewright effect``: how the predictions of a model depend on one or two columns."""

from __future__ import annotations

from typing import Any

import click

from treewright.cli.app.command import Command, group, option
from treewright.cli.app.console import Console
from treewright.cli.app.options import (
    TextOptions,
    format_option,
    output_option,
    text_options,
    width_option,
)
from treewright.cli.app.output import emit, find_format
from treewright.cli.tables.model_file import load_model
from treewright.cli.tables.source import Source

__all__ = ["command"]


@click.command(
    "effect",
    cls=Command,
    examples=[
        "treewright effect price.tree houses.csv area",
        "treewright effect price.tree houses.csv area --ice -o area.svg",
        "treewright effect price.tree houses.csv area district -o map.html",
    ],
)
@click.argument("model", type=click.Path())
@click.argument("file", type=click.Path())
@click.argument("column")
@click.argument("second", required=False)
@group(
    "Effect",
    option("--ice", "Also draw single rows (individual conditional expectation); for one column."),
    option(
        "--grid-size N",
        "Maximum number of values of a numeric column.  [default: 100, or 20 of each of two]",
        click.IntRange(2),
        default=100,
    ),
)
@text_options()
@format_option("text", "markdown", "latex", "html", "svg", "csv", "json")
@output_option()
@width_option()
@click.pass_obj
def command(
    console: Console,
    /,
    model: str,
    file: str,
    column: str,
    second: str | None,
    ice: bool,
    grid_size: int,
    form: str | None,
    output: str | None,
    **options: Any,
) -> None:
    """Show how the predictions of MODEL depend on COLUMN, or on two columns.

    COLUMN gets one value in all rows of FILE, and the predictions are averaged
    (partial dependence). For trees and ensembles of trees, a value between each
    two thresholds is tried, so that nothing is left out.
    """
    from treewright import partial_dependence
    from treewright.cli.tables.batches import read_for_model

    text = TextOptions.pop_from(options)
    form = find_format(form, output)
    fitted = load_model(model)
    rows = read_for_model(fitted, Source.open(file, text, console, once=True), console)
    columns = [column] if second is None else [column, second]
    emit(partial_dependence(fitted, rows, columns, ice=ice, grid_size=grid_size), form, output)
