"""``treewright rank``: rank columns by how well each predicts the target."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from treewright._utils.choices import RANK_MEASURES
from treewright.cli.app.command import Command, group, normalize, option
from treewright.cli.app.completion import TablePath
from treewright.cli.app.console import Console
from treewright.cli.app.options import (
    ColumnOptions,
    TextOptions,
    column_options,
    format_option,
    missing_target_option,
    output_option,
    target_option,
    task_option,
    text_options,
    width_option,
)
from treewright.cli.app.output import emit, find_format
from treewright.cli.tables.source import Source
from treewright.errors import Hint, UsageError

if TYPE_CHECKING:
    from treewright.cli.tables.fit_request import FitRequest

__all__ = ["command", "rank_source"]

MEASURES = [*map(normalize, RANK_MEASURES), "variance-reduction"]
FOR_NUMBERS = ("mutual-information", "variance-reduction")
# The values of options, and what Python calls them.
THRESHOLDS = {"one": "cut", "mdl": "mdl"}
MISSING_VALUES = {"exclude": "known", "category": "value", "distribute": "spread"}


@click.command(
    "rank",
    cls=Command,
    examples=[
        "treewright rank loans.csv -t default",
        "treewright rank loans.csv -t default --by gain-ratio -o ranking.svg",
    ],
)
@click.argument("file", type=TablePath())
@target_option()
@missing_target_option()
@task_option()
@column_options()
@group(
    "Ranking",
    option(
        "--by MEASURE",
        f"{', '.join(MEASURES[:-1])} or {MEASURES[-1]}.  "
        "[default: gain; variance-reduction for numbers]",
        click.Choice(MEASURES),
    ),
    option(
        "--thresholds|--cuts HOW",
        "Numeric columns: one threshold, or as many as the MDL criterion of Fayyad and Irani "
        "accepts (mdl).  [default: one]",
        click.Choice(list(THRESHOLDS)),
        default="one",
    ),
    option(
        "--missing-values|--gaps HOW",
        "Rows with a missing value:\n"
        "exclude     left out; the gain is multiplied by the proportion of known values, as in C4.5\n"
        "category    a category of their own\n"
        "distribute  distributed over the known values\n"
        "[default: exclude]",
        click.Choice([*MISSING_VALUES, *MISSING_VALUES.values()]),
        default="exclude",
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
    file: str,
    form: str | None,
    output: str | None,
    width: int | None,
    **options: Any,
) -> None:
    """Rank the columns of FILE by how well each one alone predicts the target.

    FILE is a table file, "-" for standard input, or a built-in table.
    """
    from treewright.cli.tables.fit_request import FitRequest

    form = find_format(form, output)
    source = Source.open(file, TextOptions.pop_from(options), console)
    columns = ColumnOptions.pop_from(options)
    names = ("target", "task", "drop_missing_target")
    request = FitRequest(columns=columns, **{name: options.pop(name) for name in names})
    emit(rank_source(source, request, console, **options), form, output)


def rank_source(
    source: Source,
    request: FitRequest,
    console: Console,
    *,
    by: str | None = None,
    thresholds: str = "one",
    missing_values: str = "exclude",
) -> Any:
    """Read a table and rank its columns."""
    from treewright import rank_columns

    data, _, task = request.read(source, console)
    measure = by or ("variance-reduction" if task == "regress" else "gain")
    if task == "regress" and measure not in FOR_NUMBERS:
        raise UsageError(
            f'--by {by} needs a class target; "{data.target.name}" is numeric',
            slug="rank.target",
            hints=[
                Hint(option="by", value="variance-reduction"),
                Hint(option="task", value="classify"),
            ],
        )
    return rank_columns(
        data.table,
        data.target,
        measure.replace("-", "_"),
        numeric=THRESHOLDS[thresholds],
        missing=MISSING_VALUES.get(missing_values, missing_values),
    )
