"""``treewright show``: show a model."""

from __future__ import annotations

import shlex
from typing import Any

import click

from treewright.cli.app.command import Command, group, option
from treewright.cli.app.console import Console
from treewright.cli.app.options import (
    TextOptions,
    format_option,
    output_option,
    target_option,
    width_option,
)
from treewright.cli.app.output import emit, find_format
from treewright.cli.tables.model_file import load_model, load_sketch

__all__ = ["command"]

STYLES = {
    "tree": "tree with counts and gain beside it",
    "rules": "one if-then rule per leaf",
    "table": "one line per node",
    "summary": "a few sentences",
    "plain": "one sentence per leaf, for screen readers",
    "j48": "the output format of Weka's J48",
}


@click.command(
    "show",
    cls=Command,
    examples=[
        "treewright show loans.tree",
        "treewright show loans.tree --as rules",
        "treewright show loans.tree --node 17 --depth 3",
        "treewright show loans.tree -o loans.svg",
        "treewright show loans.tree --rows loans.csv -o loans.png",
    ],
)
@click.argument("model", type=click.Path())
@group(
    "View",
    option(
        "--as|--style VIEW",
        "".join(f"{name:<7}  {text}\n" for name, text in STYLES.items()) + "[default: tree]",
        click.Choice(list(STYLES)),
        name="style",
        default="tree",
    ),
    option("--plain", "Same as --as plain."),
    option("--tree N", "Ensembles: tree to show, counted from 0.", click.IntRange(0)),
    option(
        "--rows FILE", "Pictures: show the distribution of the rows of this table in each node."
    ),
)
@target_option("With --rows: its target column.  [default: the model's target]", "View")
@group(
    "Limits",
    option("--node N", "Start at this node (for #17, write 17).", click.IntRange(0), default=0),
    option("--depth|--max-depth N", "Levels to show below the start node.", click.IntRange(0)),
    option("--min-rows N", "Hide branches with fewer rows.", click.IntRange(0), default=0),
    option(
        "--lines N",
        "Maximum number of lines; largest branches first.  [default: three screens, at least 60]",
        click.IntRange(1),
    ),
)
@width_option(title="Limits")
@format_option("text", "markdown", "latex", "html", "svg", "csv", "json")
@output_option()
@click.pass_obj
def command(
    console: Console,
    /,
    model: str,
    style: str,
    plain: bool,
    form: str | None,
    output: str | None,
    rows: str | None,
    target: str | None,
    **part: Any,
) -> None:
    """Show MODEL, a file written by "treewright fit -o".

    Large trees are shortened: the branches with the most rows are shown first,
    and each hidden subtree tells you how to open it.
    """
    from treewright import show

    form = find_format(form, output)
    sketch = load_sketch(model)
    if rows is not None:
        sketch = load_model(model)
        part["X"], part["y"] = _read_rows(sketch, rows, target, console)
    view = show(
        sketch,
        "plain" if plain else style,
        ascii=console.ascii or None,
        command=f"treewright show {shlex.quote(model)}",
        **part,
    )
    emit(view, form, output)


def _read_rows(model: Any, name: str, target: str | None, console: Console) -> tuple[Any, Any]:
    from treewright.cli.tables.batches import read_labeled
    from treewright.cli.tables.source import Source

    return read_labeled(model, Source.open(name, TextOptions(), console), target, console)
