"""Options that several verbs share: how a text file is written, and what its columns are."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeVar

import click

from treewright.cli.app.command import several
from treewright.cli.app.learner_options import VOTES

__all__ = [
    "COLUMNS",
    "TEXT",
    "Columns",
    "Text",
    "column_options",
    "neighbor_options",
    "text_options",
]

F = TypeVar("F", bound=Callable[..., Any])

TEXT = ("delimiter", "encoding", "missing", "ragged")
METRICS = (
    *("euclidean", "manhattan", "chebyshev", "hamming"),
    *("cosine", "heom", "gower"),
)
COLUMNS = ("categorical", "numeric", "ignore", "keep")


@dataclass(frozen=True)
class Text:
    """How a text file is written; what was not said is left to the reader's own rules."""

    said: dict[str, Any]

    @classmethod
    def taken(cls, options: dict[str, Any]) -> Text:
        """Take these options out of all that were given."""
        found = {name: options.pop(name) for name in TEXT}
        return cls({name: value for name, value in found.items() if value not in (None, ())})

    def flags(self) -> str:
        """Return the flags that were given, for a message."""
        return ", ".join(f"--{name}" for name in self.said)


@dataclass(frozen=True)
class Columns:
    """What the user said about columns, by name."""

    categorical: tuple[str, ...] = ()
    numeric: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()
    keep: tuple[str, ...] = ()

    @classmethod
    def taken(cls, options: dict[str, Any]) -> Columns:
        """Take these options out of all that were given."""
        return cls(**{name: options.pop(name) for name in COLUMNS})


def text_options(command: F) -> F:
    """Add the options about how a text file is written."""
    for option in reversed(
        [
            click.option(
                "--delimiter", help="What separates the fields.  [default: found in the first line]"
            ),
            click.option("--encoding", help="The encoding of the file.  [default: utf-8]"),
            several(
                "--missing", metavar="TEXT...", help="Cells that are missing.  [default: empty, ?]"
            ),
            click.option(
                "--ragged",
                type=click.Choice(["drop"]),
                help="Drop and count rows with more or fewer fields than the header.",
            ),
        ]
    ):
        command = option(command)
    return command


def neighbor_options(command: F) -> F:
    """Add the options about neighbours."""
    for option in reversed(
        [
            click.option(
                "--neighbors",
                type=_Neighbors(),
                metavar="N|auto",
                help="The nearest rows that answer; auto: as many as err least when each row is left out.",
            ),
            click.option(
                "--vote",
                "--weights",
                "vote",
                type=click.Choice(list(VOTES)),
                help="How much a neighbour counts: as the others, 1/d or 1/d² of its distance.  [default: equal]",
            ),
            click.option(
                "--metric",
                type=click.Choice(METRICS),
                help="What near means.  [default: euclidean for complete numbers, else heom]",
            ),
            click.option(
                "--scale",
                type=click.Choice(["range", "standard", "none"]),
                help="What numbers are divided by.  [default: range for heom and gower, else none]",
            ),
        ]
    ):
        command = option(command)
    return command


class _Neighbors(click.ParamType[int | str]):
    """A whole number of at least 1, or auto."""

    name = "neighbors"

    def convert(self, value: Any, param: Any, ctx: Any) -> int | str:
        """Read a word."""
        if value == "auto":
            return "auto"
        if not str(value).isascii() or not str(value).isdigit() or not int(value):
            self.fail(f"{value!r} is not a whole number of at least 1, nor auto.", param, ctx)
        return int(value)


def column_options(command: F) -> F:
    """Add the options about what columns are."""
    for option in reversed(
        [
            several("--categorical", metavar="COL...", help="Read as categories."),
            several("--numeric", metavar="COL...", help="Read as numbers."),
            several("--ignore", metavar="COL...", help="Do not learn from these."),
            several(
                "--keep",
                metavar="COL...",
                help="Learn from these even if they look like identifiers or dates.",
            ),
        ]
    ):
        command = option(command)
    return command
