"""``treewright show``: draw a model."""

from __future__ import annotations

import shlex
from typing import Any

import click

from treewright.cli.app.command import Verb
from treewright.cli.app.console import Console
from treewright.cli.app.output import csv_text, document_out, refuse_place
from treewright.cli.tables.model_file import load_sketch
from treewright.errors import Hint, UsageError

__all__ = ["command"]

# Figures of a node that are sums over its rows, where work has those of one row under the same name.
TOTALS = {"cost": "total_cost", "gain": "total_gain"}

STYLES = ("tree", "rules", "j48", "table", "summary", "plain")
FORMS = ("text", "markdown", "latex", "html", "svg", "csv", "json")


@click.command("show", cls=Verb)
@click.argument("model", type=click.Path())
@click.option(
    "--as", "style", type=click.Choice(STYLES), default="tree", show_default=True,
    help="A table beside the tree, if-then rules, Weka's layout, the nodes, a few words, or sentences.",
)  # fmt: skip
@click.option("--tree", type=click.IntRange(0), help="Which tree of a model of many, from 0.")
@click.option("--node", type=click.IntRange(0), default=0, help="Begin at this node (#17 is 17).")
@click.option(
    "--depth",
    "--max-depth",
    "depth",
    type=click.IntRange(0),
    help="Questions drawn below it at most.",
)
@click.option(
    "--min-rows", type=click.IntRange(0), default=0, help="Fold branches with fewer rows."
)
@click.option("--lines", type=click.IntRange(1), help="Lines to draw, the largest branches first.")
@click.option("--width", type=click.IntRange(1), help="Columns of text.  [default: the terminal's]")
@click.option(
    "--plain", is_flag=True, help="One sentence a leaf, for screen readers; the same as --as plain."
)
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
    help="Write to a file; its ending says the form: .txt .md .html .svg .json",
)
@click.pass_obj
def command(
    console: Console,
    /,
    model: str,
    style: str,
    plain: bool,
    form: str | None,
    output: str | None,
    **part: Any,
) -> None:
    """Draw MODEL, a file that fit -o wrote."""
    from treewright import show

    if output is not None and form is not None:
        raise UsageError(
            "--format and -o exclude each other",
            slug="usage",
            hints=["the ending of the file says the form"],
        )
    view = show(
        load_sketch(model),
        "plain" if plain else style,
        ascii=console.ascii or None,
        command=f"treewright show {shlex.quote(model)}",
        **part,
    )
    if output is not None:
        refuse_place(output, model)
        view.save(output)
        console.status(f"saved {output}")
    elif form in (None, "text"):
        console.say(view.text())
    else:
        document_out(_written(view, str(form)), None)


def _written(view: Any, form: str) -> str:
    import json

    if form == "json":
        return json.dumps(view.to_dict(), indent=1, allow_nan=False) + "\n"
    if form == "csv" and (rows := _rows(view)) is not None:
        return csv_text(rows)
    write = getattr(view, f"to_{form}", None)
    if write is None:
        raise UsageError(
            f"this model has no {form}",
            slug="show.no-picture",
            hints=[Hint(option="format", value="markdown")],
        )
    return str(write()).rstrip("\n") + "\n"


def _rows(view: Any) -> list[dict[str, Any]] | None:
    """Return the rules, or the nodes of a tree, as rows of a table; None where a model has neither."""
    from treewright import to_rules

    if hasattr(view, "tree") and view.style != "rules":
        subtree = {view.scope.node}
        nodes = []
        for record in view.tree.records():  # children come after their parent
            if record["node"] in subtree or record["parent"] in subtree:
                subtree.add(record["node"])
                nodes.append(record)
        return [{TOTALS.get(name, name): value for name, value in n.items()} for n in nodes]
    rules = to_rules(view.tree) if hasattr(view, "tree") else getattr(view, "rules", None)
    if rules is None:
        return None
    return [rule.to_dict() | {"if": rule.premise} for rule in rules]
