"""``treewright measure``: calculate entropy, Gini index or gain from counts, and show every step."""

from __future__ import annotations

from typing import Any

import click

from treewright._utils.choices import COUNT_MEASURES, ROUNDING, UNITS
from treewright.cli.app.command import Command, group, option
from treewright.cli.app.completion import Words
from treewright.cli.app.console import Console
from treewright.cli.app.options import format_option, output_option, width_option
from treewright.cli.app.output import emit, find_format
from treewright.errors import UsageError

__all__ = ["command"]

OF_GROUP = ("entropy", "gini", "information")


MEASURES = {
    "Measures of a group": {
        "entropy N...": "Entropy of class counts or probabilities.",
        "gini N...": "Gini index of class counts or probabilities.",
        "information P": "Self-information of an event with probability P.",
        "code-length P,BITS...": "Expected code length.",
    },
    "Measures of a split": {
        "gain N,N... N,N...": "Information gain.",
        "gain-ratio N,N...": "Gain divided by split information.",
        "split-information ...": "Entropy of the branch sizes.",
        "gini-gain N,N...": "Decrease in Gini index.",
    },
}


@click.command(
    "measure",
    cls=Command,
    words=MEASURES,
    examples=[
        "treewright measure entropy 9 5",
        "treewright measure entropy 0.5 0.25 0.25 --unit nats",
        "treewright measure gain 2,3 4,0 3,2",
    ],
)
@click.argument("name", type=Words(COUNT_MEASURES))
@click.argument("numbers", metavar="NUMBER...", nargs=-1, required=True)
@group(
    "Numbers",
    option(
        "--unit UNIT",
        "bits, nats or hartleys.  [default: bits]",
        click.Choice(UNITS),
        default="bits",
    ),
    option("--digits N", "Decimal places.  [default: 3]", click.IntRange(0, 12), default=3),
    option(
        "--rounding HOW",
        "exact, lecture (round every step) or truncate.  [default: exact]",
        click.Choice(ROUNDING),
        default="exact",
    ),
)
@group(
    "Worksheet",
    option("--blank", "Leave the results blank."),
    option("--key", "With --blank: add the answer key."),
)
@format_option("text", "markdown", "latex", "html", "json", "csv")
@output_option()
@width_option()
@click.pass_obj
def command(
    console: Console,
    /,
    name: str,
    numbers: tuple[str, ...],
    form: str | None,
    output: str | None,
    key: bool,
    **options: Any,
) -> None:
    """Calculate a measure from counts, and show every step.

    Counts of one group are separated by spaces. For measures of a split, give
    the class counts of each branch, separated by commas, one branch after the
    other.
    """
    from treewright import work

    form = find_format(form, output)
    if key and not options["blank"]:
        raise UsageError("--key has no effect without --blank", slug="usage")
    if name not in COUNT_MEASURES:
        raise UsageError(
            f'unknown measure "{name}"',
            slug="measure.unknown",
            hints=[f"measures: {', '.join(COUNT_MEASURES)}"],
        )
    options["ascii"] = console.ascii or None
    page: Any = work(_parse(name, numbers), what=name, **options)
    emit(page.with_key() if key else page, form, output)


def _parse(name: str, words: tuple[str, ...]) -> list[Any]:
    """Return the numbers of a group, or those of each branch."""
    groups = [[_number(part) for part in word.split(",")] for word in words]
    if name in OF_GROUP:
        return [number for group in groups for number in group]
    return list(groups)


def _number(text: str) -> float:
    """Read a count, a probability, or a fraction of two of them."""
    top, slash, bottom = text.partition("/")
    try:
        return float(top) / float(bottom) if slash else float(top)
    except (ValueError, ZeroDivisionError):
        raise UsageError(
            f'"{text}" is not a number',
            slug="measure.numbers",
            hints=["numbers are written 9, 0.25 or 1/8"],
        ) from None
