"""Which columns are learned from, and what is told about each.

=================================================  ============================================================
a different value in every row, and no fractions   an identifier: ignored
dates                                              ignored
missing in every row                               ignored
more than 1,000 categories                         an error with choices
anything else                                      used
=================================================  ============================================================

What the user asked for wins. An ignored column stays in the table.
"""

from __future__ import annotations

import numpy as np

from treewright.draw.figures import count, plural
from treewright.errors import DataError
from treewright.reading.inspection import ColumnReport, Note, different, summarise
from treewright.reading.kinds import Guess, Typed
from treewright.reading.wishes import Wishes
from treewright.reading.wording import argument, named, some
from treewright.schema import label
from treewright.table import Series

__all__ = ["judge"]

MOST_CATEGORIES = 1000
EXACT = 2.0**53  # beyond it every float is whole, also a measurement
FEWEST_ROWS = 2  # a single row has one value per row, whatever it is


def judge(typed: Typed, wishes: Wishes) -> tuple[ColumnReport, tuple[Note, ...]]:
    """Report on a column, with the notes about it."""
    series, name = typed.series, typed.series.name
    missing = int(series.missing().sum())
    read_as, guesses, ignored = _role(typed, wishes, len(series.data) - missing)
    if not (ignored or series.declared or wishes.stated(name)):
        _refuse_many(series, len(series.data) - missing)
    told_apart = read_as in ("identifier", "date")
    summary = f"{count(different(series))} different" if told_apart else summarise(series)
    note = "; ".join(guess.short for guess in guesses) or None
    report = ColumnReport(name, read_as, series.kind, summary, missing, note, ignored)
    return report, tuple(Note(name, guess.sentence) for guess in guesses if guess.sentence)


def _role(typed: Typed, wishes: Wishes, present: int) -> tuple[str, tuple[Guess, ...], bool]:
    """Return what a column is read as, the guesses about it, and whether it is ignored."""
    series, name = typed.series, typed.series.name
    kept = f"--keep {argument(name)}"
    if name in wishes.ignore:
        return "date" if typed.date else series.kind, (Guess("ignored as asked", ""),), True
    if wishes.stated(name):
        return series.kind, typed.guesses, False
    if present == 0:
        guess = Guess("ignored", f"{named(name)} is missing in every row: ignored.")
        return "empty", (guess,), True
    if typed.date:
        sentence = f"{named(name)} holds dates: ignored. {kept} uses them as categories."
        return "date", (*typed.guesses, Guess(f"ignored ({kept})", sentence)), True
    if _is_identifier(typed, present):
        sentence = f"{named(name)} has a different value in every row: ignored. {kept} uses it."
        return "identifier", (Guess(f"one value per row: ignored ({kept})", sentence),), True
    if present > 1 and _is_constant(series):
        sentence = f"{named(name)} has the same value in every row: it tells nothing apart."
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
    # A range narrower than the rows must repeat itself: only the others are worth sorting.
    return bool(
        present == rows
        and float(values.max()) - float(values.min()) >= rows - 1
        and np.all((values == np.floor(values)) & (np.abs(values) <= EXACT))
        and different(series) == rows
    )


def _refuse_many(series: Series, present: int) -> None:
    if len(series.levels) <= MOST_CATEGORIES:
        return
    name = argument(series.name)
    values = [label(level) for level in series.levels[:4]]
    raise DataError(
        f"{named(series.name)} has {count(len(series.levels))} different values "
        f"in {plural(present, 'row')}",
        slug="data.too-many-categories",
        hints=[
            f"values: {some(values, more=True)}",
            f"try: --ignore {name}   or: --categorical {name}   (each value a category)",
        ],
    )
