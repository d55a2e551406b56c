"""Options that several commands share, each declared once: input, columns, target, format, output."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Collection
from dataclasses import dataclass, fields
from typing import Any, Self

import click

from treewright._utils.choices import DATES, DECIMAL_MARKS
from treewright.cli.app.command import group, option
from treewright.errors import Hint, UsageError

__all__ = [
    "ColumnOptions",
    "TextOptions",
    "column_options",
    "cv_option",
    "format_option",
    "missing_target_option",
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
        return {name: value for name, value in values.items() if value not in (None, (), False)}

    def flags(self) -> list[str]:
        """Return the flags that were given, for a message."""
        return [f"--{name.replace('_', '-')}" for name in self.used()]


@dataclass(frozen=True)
class TextOptions(_Options):
    """How a text file is written; what is not given is decided by the reader."""

    delimiter: str | None = None
    encoding: str | None = None
    missing: tuple[str, ...] = ()
    ragged: str | None = None
    no_header: bool = False
    decimal: str | None = None
    thousands: str | None = None
    comment: str | None = None

    def words(self) -> list[str]:
        """Return the options as they were typed."""
        words: list[str] = []
        for flag, value in zip(self.flags(), self.used().values(), strict=True):
            words.append(flag)
            values = () if value is True else value if isinstance(value, tuple) else (value,)
            for place, each in enumerate(values):
                # A value that looks like an option must be the first after its flag.
                words += [flag] if place and each.startswith("-") else []
                words.append(shlex.quote(each))
        return words

    def settings(self) -> dict[str, Any]:
        """Return the options as Python's functions take them."""
        settings = self.used()
        if settings.pop("no_header", False):
            settings["header"] = False
        if "missing" in settings:  # in place of the usual words; an empty cell is always missing
            settings["missing"] = tuple(dict.fromkeys(("", *settings["missing"])))
        return settings


@dataclass(frozen=True)
class ColumnOptions(_Options):
    """How columns are read, by name."""

    categorical: tuple[str, ...] = ()
    numeric: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()
    keep: tuple[str, ...] = ()
    ordered: tuple[str, ...] = ()
    dates: str | None = None

    def settings(self) -> dict[str, Any]:
        """Return the options as ``inspect`` takes them."""
        return self.used() | {"ordered": dict(map(_split_levels, self.ordered))}


def _split_levels(text: str) -> tuple[str, list[str]]:
    """Read ``size=S,M,L,XL``."""
    name, equals, levels = text.partition("=")
    categories = [level.strip() for level in levels.split(",")]
    if not equals or len(categories) < 2:
        raise UsageError(
            f"--ordered {text}: name a column and its categories from low to high",
            slug="usage",
            hints=[Hint(option="ordered", value=f"{name or 'size'}=S,M,L,XL")],
        )
    return name, categories


def text_options(title: str = "Input") -> Decorator:
    """Add the options about how a text file is written."""
    return group(
        title,
        option(
            "--delimiter CHAR",
            'Field separator; "whitespace" for blanks and tabs.  [default: detected from line 1]',
        ),
        option("--no-header", "The file has no header; columns are named c1, c2, ..."),
        option("--comment CHAR", "Leave out lines that begin with this character."),
        option(
            "--decimal CHAR",
            'Decimal separator, "." or ",".  [default: .]',
            click.Choice(DECIMAL_MARKS),
        ),
        option("--thousands CHAR", "Separator of thousands in numbers.  [default: none]"),
        option("--encoding NAME", "Text encoding.  [default: utf-8]"),
        option(
            "--missing TEXT...",
            'Cell values that mean "missing", besides empty ones.  '
            "[default: ?, NA, NaN, null, N/A, #N/A; in numbers also None, -]",
        ),
        option(
            "--ragged drop",
            "Drop rows with too many or too few fields, and report how many.  "
            "[default: stop with an error]",
            click.Choice(["drop"]),
        ),
    )


def column_options(title: str = COLUMNS_GROUP, without: Collection[str] = ()) -> Decorator:
    """Add the options about how columns are read, except some by name."""
    options = [
        option("--categorical COL...", "Treat these columns as categories."),
        option("--numeric COL...", "Treat these columns as numbers."),
        option("--ignore COL...", "Do not use these columns."),
        option("--keep COL...", "Use these columns although they look like identifiers or dates."),
        option("--ordered COL=A,B...", "Categories from low to high: --ordered size=S,M,L,XL."),
        option(
            "--dates HOW",
            "Date columns: ignore, or parts (date, year, month, day, weekday, hour).  "
            "[default: ignore]",
            click.Choice(DATES),
        ),
    ]
    kept = [each for each in options if each["names"][0].removeprefix("--") not in without]
    return group(title, *kept)


def target_option(
    help: str = "Column to predict. Required for files; never guessed.", title: str = COLUMNS_GROUP
) -> Decorator:
    """Add ``--target``."""
    return group(title, option("-t --target COL", help))


def missing_target_option() -> Decorator:
    """Add ``--drop-missing-target``."""
    help = "Drop rows whose target is missing, and report how many."
    return group(COLUMNS_GROUP, option("--drop-missing-target", help))


def task_option(help: str = "auto, classify or regress.  [default: auto]") -> Decorator:
    """Add ``--task``."""
    tasks = click.Choice(["auto", "classify", "regress"])
    return group(COLUMNS_GROUP, option("--task TASK", help, tasks, default="auto"))


def weight_option(title: str = COLUMNS_GROUP) -> Decorator:
    """Add ``--weight``."""
    return group(title, option("--weight COL", "Column with row weights."))


def seed_option(help: str, title: str) -> Decorator:
    """Add ``--seed``."""
    return group(title, option("--seed|--random-state N", help, click.IntRange(0, 2**32 - 1)))


def cv_option(help: str, default: int | None = None, title: str = "Evaluation") -> Decorator:
    """Add ``--cv``."""
    return group(title, option("--cv N", help, click.IntRange(2), default=default))


def format_option(*formats: str, what: str = "", default: str = "text") -> Decorator:
    """Add ``--format``; the value is None where it is not given, since the file extension may decide."""
    help = f"{what}{', '.join(formats[:-1])} or {formats[-1]}.  [default: {default}]"
    return group("Output", option("--format FORMAT", help, click.Choice(formats), name="form"))


def output_option(help: str = "Write to a file; the extension selects the format.") -> Decorator:
    """Add ``-o``."""
    return group("Output", option("-o --output FILE", help, click.Path()))


def width_option(title: str = "Output") -> Decorator:
    """Add ``--width``."""
    help = "Line width.  [default: width of the terminal]"
    return group(title, option("--width N", help, click.IntRange(1)))
