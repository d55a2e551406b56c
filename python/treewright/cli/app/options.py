"""Options that several commands share, each declared once: input, columns, target, format, output."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, fields
from typing import Any, Self

import click

from treewright.cli.app.command import add_options, option

__all__ = [
    "SEED_RANGE",
    "ColumnOptions",
    "TextOptions",
    "column_options",
    "cv_option",
    "format_option",
    "output_option",
    "seed_option",
    "target_option",
    "task_option",
    "text_options",
    "weight_option",
    "width_option",
]

Decorator = Callable[[Any], Any]

COLUMNS_GROUP = "Target and columns"
SEED_RANGE = click.IntRange(0, 2**32 - 1)


@dataclass(frozen=True)
class _Options:
    """Options that belong together, taken from all options of a command."""

    @classmethod
    def pop_from(cls, options: dict[str, Any]) -> Self:
        """Take these options out of all that were given."""
        return cls(**{field.name: options.pop(field.name) for field in fields(cls)})

    def used(self) -> dict[str, Any]:
        """Return the options that were given."""
        values = {field.name: getattr(self, field.name) for field in fields(self)}
        return {name: value for name, value in values.items() if value not in (None, ())}

    def flags(self) -> list[str]:
        """Return the flags that were given, for a message."""
        return [f"--{name}" for name in self.used()]


@dataclass(frozen=True)
class TextOptions(_Options):
    """How a text file is written; what is not given is decided by the reader."""

    delimiter: str | None = None
    encoding: str | None = None
    missing: tuple[str, ...] = ()
    ragged: str | None = None


@dataclass(frozen=True)
class ColumnOptions(_Options):
    """How columns are read, by name."""

    categorical: tuple[str, ...] = ()
    numeric: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()
    keep: tuple[str, ...] = ()


def text_options(group: str = "Input") -> Decorator:
    """Add the options about how a text file is written."""
    return add_options(
        option(
            "--delimiter",
            group=group,
            metavar="CHAR",
            help="Field separator.  [default: detected from line 1]",
        ),
        option("--encoding", group=group, metavar="NAME", help="Text encoding.  [default: utf-8]"),
        option(
            "--missing",
            group=group,
            several=True,
            metavar="TEXT...",
            help='Cell values that mean "missing".  [default: empty, ?]',
        ),
        option(
            "--ragged",
            group=group,
            type=click.Choice(["drop"]),
            metavar="drop",
            help="Drop rows with too many or too few fields, and report how many.  "
            "[default: stop with an error]",
        ),
    )


def column_options(group: str = COLUMNS_GROUP) -> Decorator:
    """Add the options about how columns are read."""
    several: dict[str, Any] = {"group": group, "several": True, "metavar": "COL..."}
    return add_options(
        option("--categorical", help="Treat these columns as categories.", **several),
        option("--numeric", help="Treat these columns as numbers.", **several),
        option("--ignore", help="Do not use these columns.", **several),
        option(
            "--keep",
            help="Use these columns although they look like identifiers or dates.",
            **several,
        ),
    )


def target_option(
    help: str = "Column to predict. Required for files; never guessed.", group: str = COLUMNS_GROUP
) -> Decorator:
    """Add ``--target``."""
    return option("-t", "--target", group=group, metavar="COL", help=help)


def task_option(help: str = "auto, classify or regress.  [default: auto]") -> Decorator:
    """Add ``--task``."""
    choices = click.Choice(["auto", "classify", "regress"])
    return option(
        "--task", group=COLUMNS_GROUP, type=choices, default="auto", metavar="TASK", help=help
    )


def weight_option(group: str = COLUMNS_GROUP) -> Decorator:
    """Add ``--weight``."""
    return option("--weight", group=group, metavar="COL", help="Column with row weights.")


def seed_option(help: str, group: str, aliases: tuple[str, ...] = ("--random-state",)) -> Decorator:
    """Add ``--seed``."""
    return option("--seed", aliases=aliases, group=group, type=SEED_RANGE, metavar="N", help=help)


def cv_option(help: str, default: int | None = None, group: str = "Evaluation") -> Decorator:
    """Add ``--cv``."""
    return option(
        "--cv", group=group, type=click.IntRange(2), default=default, metavar="N", help=help
    )


def format_option(*formats: str, what: str = "", default: str = "text") -> Decorator:
    """Add ``--format``; the value is None where it is not given, since the file extension may decide."""
    *others, last = formats
    names = f"{', '.join(others)} or {last}" if others else last
    return option(
        "--format",
        "form",
        group="Output",
        type=click.Choice(formats),
        metavar="FORMAT",
        help=f"{what}{names}.  [default: {default}]",
    )


def output_option(
    help: str = "Write to a file; the extension selects the format.", metavar: str = "FILE"
) -> Decorator:
    """Add ``-o``."""
    return option("-o", "--output", group="Output", type=click.Path(), metavar=metavar, help=help)


def width_option(group: str = "Output") -> Decorator:
    """Add ``--width``."""
    return option(
        "--width",
        group=group,
        type=click.IntRange(1),
        metavar="N",
        help="Line width.  [default: width of the terminal]",
    )
