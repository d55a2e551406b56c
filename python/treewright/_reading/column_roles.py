"""Which columns are learned from, and what is told about each.

=================================================  ============================================================
a different text in every row                      an identifier: ignored
a different whole number in each of 20 rows        an identifier: ignored; in fewer rows only where its name
or more                                            says so (id, customer_id, index, row)
numbers written with a comma or a sign             text; ignored where most rows have a text of their own
dates                                              ignored
missing in every row                               ignored
more than 1,000 categories                         an error with choices
anything else                                      used
=================================================  ============================================================

What the user asked for wins. An ignored column stays in the table.
"""

from __future__ import annotations

import re

import numpy as np

from treewright._reading.column_kinds import REWRITE, Guess, Typed
from treewright._reading.column_overrides import Wishes
from treewright._reading.inspection import ColumnReport, Note, different, summarise
from treewright._reading.quoting import named, some
from treewright._render.numbers import count, plural
from treewright.errors import DataError, Hint
from treewright.schema import label
from treewright.table import Series

__all__ = ["judge"]

AS_CATEGORIES = "uses them as categories"
MOST_CATEGORIES = 1000
EXACT = 2.0**53  # beyond it every float is whole, also a measurement
FEWEST_ROWS = 2  # a single row has one value per row, whatever it is
FEWEST_NUMBERS = 20  # in a shorter table a different number in every row is often a measurement: x = 1, 2, 3, 4, 5, 6
NAMED_SO = re.compile(r"(.*[ _.-])?(id|index|row)", re.IGNORECASE)


def judge(typed: Typed, wishes: Wishes) -> tuple[ColumnReport, tuple[Note, ...]]:
    """Report on a column, with the notes about it."""
    series, name = typed.series, typed.series.name
    missing = int(series.missing().sum())
    read_as, guesses, ignored = _role(typed, wishes, len(series.data) - missing)
    if not (ignored or series.declared or wishes.stated(name)):
        _refuse_many(typed, wishes, len(series.data) - missing)
    told_apart = read_as in ("identifier", "date")
    summary = f"{count(different(series))} different" if told_apart else summarise(series)
    note = "; ".join(guess.short for guess in guesses) or None
    hints = tuple(guess.hint for guess in guesses if guess.hint is not None)
    report = ColumnReport(name, read_as, series.kind, summary, missing, note, ignored, hints)
    notes = (Note(name, g.sentence, g.hint, g.effect) for g in guesses if g.sentence)
    return report, tuple(notes)


def _role(typed: Typed, wishes: Wishes, present: int) -> tuple[str, tuple[Guess, ...], bool]:
    """Return what a column is read as, the guesses about it, and whether it is ignored."""
    series, name = typed.series, typed.series.name
    keep = Hint(option="keep", value=[name])
    if name in wishes.ignore:
        return "date" if typed.date else series.kind, (Guess("ignored as asked", ""),), True
    if wishes.stated(name):
        return series.kind, typed.guesses, False
    if present == 0:
        guess = Guess("ignored", f"{named(name)} is missing in every row: ignored.")
        return "empty", (guess,), True
    if typed.date:
        guess = Guess("ignored", f"{named(name)} holds dates: ignored.", keep, AS_CATEGORIES)
        return "date", (*typed.guesses, guess), True
    if typed.amounts and 2 * different(series) > present:
        sentence = f"{named(name)} has {count(different(series))} different texts: ignored."
        guess = Guess("ignored", sentence, keep, AS_CATEGORIES)
        return series.kind, (*typed.guesses, guess), True
    if _is_identifier(typed, present):
        what = "value" if series.kind == "categorical" else "whole number"
        sentence = (
            f"{named(name)} has a different {what} in each of {count(present)} rows: ignored."
        )
        guess = Guess("one value per row: ignored", sentence, keep, "uses it")
        return "identifier", (guess,), True
    if present > 1 and _is_constant(series):
        sentence = f"{named(name)} has the same value in every row: it cannot be used to predict."
        return series.kind, (*typed.guesses, Guess("one value", sentence)), False
    return series.kind, typed.guesses, False


def _is_constant(series: Series) -> bool:
    values = series.data[~series.missing()]
    return bool(np.all(values == values[0]))


def _is_identifier(typed: Typed, present: int) -> bool:
    series = typed.series
    if series.declared or typed.floats or present < FEWEST_ROWS:
        return False
    if series.kind == "categorical":
        return len(series.levels) >= present == different(series)
    values, rows = series.data, len(series.data)
    if rows < FEWEST_NUMBERS and not NAMED_SO.fullmatch(series.name):
        return False
    # A range narrower than the rows must repeat itself: only the others are worth sorting.
    return bool(
        present == rows
        and float(values.max()) - float(values.min()) >= rows - 1
        and np.all((values == np.floor(values)) & (np.abs(values) <= EXACT))
        and different(series) == rows
    )


def _refuse_many(typed: Typed, wishes: Wishes, present: int) -> None:
    series = typed.series
    if len(series.levels) <= MOST_CATEGORIES:
        return
    values = [label(level) for level in series.levels[:4]]
    raise DataError(
        f"{named(series.name)} has {count(len(series.levels))} different values "
        f"in {plural(present, 'row')}",
        slug="data.too-many-categories",
        hints=[
            f"values: {some(values, more=True)}",
            *([REWRITE] if typed.amounts else []),
            *([Hint(option="ignore", value=[series.name])] if wishes.selects else []),
            Hint(option="categorical", value=[series.name], note="each value a category"),
        ],
    )
