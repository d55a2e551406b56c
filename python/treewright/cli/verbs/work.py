"""``treewright work``: show the calculation behind a split."""

from __future__ import annotations

from typing import Any

import click

from treewright._utils.choices import ROUNDING, TOPICS, UNITS
from treewright.cli.app.command import Command, group, option
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
    weight_option,
    width_option,
)
from treewright.cli.app.output import emit, find_format
from treewright.cli.tables.model_file import load_model
from treewright.cli.tables.work_tables import (
    fit_table,
    is_table,
    read_rows,
    refuse_columns,
    take_row,
)
from treewright.errors import UsageError

__all__ = ["command"]

TOPIC_HELP = {
    "split": "how the split was chosen",
    "prune": "whether pruning keeps the subtree",
    "curves": "entropy and Gini index against the proportion of a class",
    "distribution": "values of a numeric column and its threshold",
    "round": "one round of AdaBoost",
}


class NodeNumber(click.ParamType[int | str]):
    """The number of a node, or all of them."""

    name = "node"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Read a value."""
        if value == "all" or isinstance(value, int):
            return value
        if not str(value).isdecimal():
            self.fail(f"{value!r} is neither the number of a node nor all", param, ctx)
        return int(value)


@click.command(
    "work",
    cls=Command,
    usage="treewright work FILE -t COL [OPTIONS]",
    examples=[
        "treewright work play-tennis -a id3",
        "treewright work tennis.tree --node 3",
        "treewright work tennis.tree --blank --key --format latex --standalone",
    ],
)
@click.argument("model", type=TablePath())
@click.argument("file", type=TablePath(), required=False)
@group(
    "Calculation",
    option(
        "--node N|all",
        "Node (for #17, write 17); all prints one page per node.  [default: 0, the root]",
        NodeNumber(),
        default="0",
    ),
    option(
        "--what TOPIC",
        "".join(f"{name:<12}  {text}\n" for name, text in TOPIC_HELP.items()) + "[default: split]",
        click.Choice(TOPICS),
        default="split",
    ),
    option("--round N", "AdaBoost: round, counted from 0.", click.IntRange(0)),
    option(
        "--row N",
        "kNN, gradient boosting: row of FILE, counted from 1.  [default: 1]\n"
        "AdaBoost: the vote of the rounds for this row.",
        click.IntRange(1),
    ),
    option("--tree N", "Forests: one tree, counted from 0.  [default: all]", click.IntRange(0)),
    option(
        "--column COL",
        'Candidate to write out in full; "all" for all of them.  [default: the chosen one]',
    ),
    option(
        "--cuts N",
        "Maximum number of thresholds listed for a numeric column.  [default: 100]",
        click.IntRange(1),
        default=100,
    ),
)
@group(
    "Numbers",
    option(
        "--unit UNIT",
        "Unit of entropy: bits, nats or hartleys.  [default: bits]",
        click.Choice(UNITS),
        default="bits",
    ),
    option("--digits N", "Decimal places.  [default: 3]", click.IntRange(0, 12), default=3),
    option(
        "--rounding HOW",
        "exact     round only what is printed\n"
        "lecture   round every intermediate result, as on a blackboard\n"
        "truncate  cut off the digits of every intermediate result\n"
        "[default: exact]",
        click.Choice(ROUNDING),
        default="exact",
    ),
)
@group(
    "Worksheet",
    option("--blank", "Print an exercise: results are left blank."),
    option("--key", "With a worksheet: add the answer key."),
    option(
        "--stop-at STAGE",
        "Fill in the results up to this stage and leave the rest blank. Stages of a split: counts, "
        "cut, entropy, remainder, gain, ratio.",
    ),
)
@target_option("Target column in FILE.  [default: the model's target]", "Input")
@group(
    "Input", option("-a --algorithm NAME", "For a table: algorithm to train.  [default: as in fit]")
)
@column_options("Input")
@weight_option("Input")
@text_options()
@format_option("text", "markdown", "latex", "html", "svg", "csv", "json")
@output_option()
@group(
    "Output",
    option("--standalone", "latex: write a complete document that compiles; a file always is one."),
)
@width_option()
@click.pass_obj
def command(
    console: Console,
    /,
    model: str,
    file: str | None,
    form: str | None,
    output: str | None,
    **options: Any,
) -> None:
    """Show the calculation behind a split, and why it was chosen.

    The calculation has the entropy, gain, gain ratio or Gini index of every candidate.

    Small models store the numbers they need. For a large model, pass FILE, its
    training table. With a table instead of a model, a tree is trained first.

    AdaBoost: the calculation of one round; with FILE, the weight of every row
    before and after it, or with --row the vote for a row. Forests: with FILE,
    the rows and columns that each tree was grown from, and the out-of-bag votes.
    kNN and gradient boosting: the prediction for one row of FILE.
    """
    from treewright import work

    form = find_format(form, output)
    key, standalone = options.pop("key"), options.pop("standalone")
    if key and not (options["blank"] or options["stop_at"]):
        raise UsageError("--key works only with --blank or --stop-at", slug="usage")
    if standalone and form != "latex":
        raise UsageError("--standalone works only with --format latex", slug="usage")
    fitted, rows = _read(model, file, options, console)
    options["ascii"] = console.ascii or None
    node, row = options.pop("node"), options.pop("row")
    page: Any = work(fitted, node, *take_row(fitted, rows, row), **options)
    emit(page.with_key() if key else page, form, output, standalone=standalone)


def _read(model: str, file: str | None, options: dict[str, Any], console: Console) -> Any:
    """Return the model and the rows beside it; a table in place of the model is trained on."""
    text, columns = TextOptions.pop_from(options), ColumnOptions.pop_from(options)
    target, weight = options.pop("target"), options.pop("weight")
    algorithm = options.pop("algorithm")
    if file is None and is_table(model):
        return fit_table(model, algorithm, target, weight, text, columns, console)
    refuse_columns(algorithm, columns)
    fitted = load_model(model)
    return fitted, read_rows(fitted, file, target, weight, text, console)
