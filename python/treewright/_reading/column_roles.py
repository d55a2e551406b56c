"""Which columns are used as features, and the report on each.

=================================================  ============================================================
a different text in every row                      an identifier: ignored
a different whole number in each of 20 rows        an identifier: ignored; in fewer rows only where its name
or more                                            says so (id, customer_id, index, row)
numbers with a comma that may be decimal or        text; ignored if most rows have a different text
separate thousands
dates                                              ignored, unless ``dates="parts"``
missing in every row                               ignored
sentences                                          ignored
text with few rows for each value                  used, with a note
more than 1,000 categories                         an error with choices
anything else                                      used
=================================================  ============================================================

What the user asked for wins. An ignored column stays in the table.
"""

from __future__ import annotations

import re

import numpy as np

from treewright._input.rare_levels import describe_text, is_free_text, is_nearly_unique
from treewright._reading.column_kinds import MARKS, Guess, TypedColumn
from treewright._reading.column_overrides import ColumnOverrides
from treewright._reading.inspection import ColumnReport, Note, count_different, summarize
from treewright._reading.quoting import list_some, quote
from treewright._render.numbers import count, plural
from treewright.errors import DataError, Hint
from treewright.schema import label
from treewright.table import Series

__all__ = ["report_column"]

AS_CATEGORIES = "uses them as categories"
MAX_CATEGORIES = 1000
EXACT = 2.0**53  # above it, every float is an integer, even a measurement
MIN_ROWS = 2  # in a single row, every column has a different value per row
MIN_ROWS_OF_NUMBERS = (
    20  # in a shorter table, different numbers are often measurements: x = 1, 2, 3, 4, 5, 6
)
IDENTIFIER_NAME = re.compile(r"(.*[ _.-])?(id|index|row)", re.IGNORECASE)


def report_column(
    typed: TypedColumn, overrides: ColumnOverrides
) -> tuple[ColumnReport, tuple[Note, ...]]:
    """Report on a column, with the notes about it."""
    series, name = typed.series, typed.series.name
    missing = int(series.missing().sum())
    read_as, guesses, ignored = _role(typed, overrides, len(series.data) - missing)
    if not (ignored or series.declared or overrides.mentions(name)):
        _refuse_many(typed, overrides, len(series.data) - missing)
    distinct = read_as in ("identifier", "date")
    summary = f"{count(count_different(series))} different" if distinct else summarize(series)
    note = "; ".join(guess.short for guess in guesses) or None
    hints = tuple(guess.hint for guess in guesses if guess.hint is not None)
    report = ColumnReport(name, read_as, series.kind, summary, missing, note, ignored, hints)
    notes = (Note(name, g.sentence, g.hint, g.effect) for g in guesses if g.sentence)
    return report, tuple(notes)


def _role(
    typed: TypedColumn, overrides: ColumnOverrides, present: int
) -> tuple[str, tuple[Guess, ...], bool]:
    """Return what a column is read as, the guesses about it, and whether it is ignored."""
    series, name = typed.series, typed.series.name
    keep = Hint(option="keep", value=[name])
    if name in overrides.ignore:
        return "date" if typed.date else series.kind, (Guess("ignored as asked", ""),), True
    if series.ordered:
        return "ordered", typed.guesses, False
    if overrides.mentions(name):
        return series.kind, typed.guesses, False
    if present == 0:
        guess = Guess("ignored", f"{quote(name)} is missing in every row: ignored.")
        return "empty", (guess,), True
    if typed.date:
        parts = Hint(option="dates", value="parts")
        effect = "uses year, month and weekday"
        guess = Guess("ignored", f"{quote(name)} holds dates: ignored.", parts, effect)
        return "date", (*typed.guesses, guess), True
    if typed.amounts and 2 * count_different(series) > present:
        sentence = f"{quote(name)} has {count(count_different(series))} different texts: ignored."
        guess = Guess("ignored", sentence, keep, AS_CATEGORIES)
        return series.kind, (*typed.guesses, guess), True
    if _is_identifier(typed, present):
        what = "value" if series.kind == "categorical" else "whole number"
        sentence = (
            f"{quote(name)} has a different {what} in each of {count(present)} rows: ignored."
        )
        guess = Guess("one value per row: ignored", sentence, keep, "uses it")
        return "identifier", (guess,), True
    if is_nearly_unique(series):
        return _text_role(typed)
    if present > 1 and _is_constant(series):
        sentence = f"{quote(name)} has the same value in every row: it cannot be used to predict."
        return series.kind, (*typed.guesses, Guess("one value", sentence)), False
    return series.kind, typed.guesses, False


def _text_role(typed: TypedColumn) -> tuple[str, tuple[Guess, ...], bool]:
    """Return the role of text with few rows for each value: sentences are ignored, other values are used."""
    series, name = typed.series, typed.series.name
    if is_free_text(series):
        sentence = (
            f"{quote(name)} holds sentences ({describe_text(series)}): ignored. "
            "To use them, make columns of numbers of them."
        )
        keep = Hint(option="keep", value=[name])
        guess = Guess("sentences: ignored", sentence, keep, "uses it")
        return "text", (*typed.guesses, guess), True
    sentence = (
        f"{quote(name)} has {describe_text(series)}, too few rows each to learn from: "
        "most algorithms treat rare values as one."
    )
    ignore = Hint(option="ignore", value=[name])
    guess = Guess("nearly unique text", sentence, ignore, "leaves it out")
    return series.kind, (*typed.guesses, guess), False


def _is_constant(series: Series) -> bool:
    values = series.data[~series.missing()]
    return bool(np.all(values == values[0]))


def _is_identifier(typed: TypedColumn, present: int) -> bool:
    series = typed.series
    if series.declared or series.meaning or typed.floats or present < MIN_ROWS:
        return False
    if series.kind == "categorical":
        return len(series.levels) >= present == count_different(series)
    values, rows = series.data, len(series.data)
    if rows < MIN_ROWS_OF_NUMBERS and not IDENTIFIER_NAME.fullmatch(series.name):
        return False
    # A range narrower than the number of rows has repeated values: sort only the others.
    return bool(
        present == rows
        and float(values.max()) - float(values.min()) >= rows - 1
        and np.all((values == np.floor(values)) & (np.abs(values) <= EXACT))
        and count_different(series) == rows
    )


def _refuse_many(typed: TypedColumn, overrides: ColumnOverrides, present: int) -> None:
    series = typed.series
    if len(series.levels) <= MAX_CATEGORIES:
        return
    values = [label(level) for level in series.levels[:4]]
    raise DataError(
        f"{quote(series.name)} has {count(len(series.levels))} different values "
        f"in {plural(present, 'row')}",
        slug="data.too-many-categories",
        hints=[
            f"values: {list_some(values, more=True)}",
            *(MARKS if typed.amounts else []),
            *([Hint(option="ignore", value=[series.name])] if overrides.selects else []),
            Hint(option="categorical", value=[series.name], note="each value a category"),
        ],
    )
