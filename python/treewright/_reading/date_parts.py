"""Columns of dates as numbers: the date itself, and its year, month, day, weekday and hour."""

from __future__ import annotations

from dataclasses import replace

from treewright._input.dates import find_written, make_part, part_names
from treewright._reading.column_kinds import Guess, TypedColumn
from treewright._reading.column_overrides import ColumnOverrides
from treewright._reading.quoting import quote
from treewright.errors import Hint
from treewright.schema import Meaning, label

__all__ = ["split_dates"]


def split_dates(typed: TypedColumn, overrides: ColumnOverrides) -> list[TypedColumn]:
    """Return the parts of a column of dates if the user asked for them; otherwise the column alone."""
    series, name = typed.series, typed.series.name
    if not typed.date or overrides.mentions(name):
        return [typed]
    written = find_written(label(level) for level in series.levels)
    series = replace(series, meaning=Meaning(part="dates", written=written or ""))
    typed = replace(typed, series=series)
    if overrides.dates != "parts" or name in overrides.ignore:
        return [typed]
    if written is None:
        return [replace(typed, guesses=(*typed.guesses, _open_order(name)))]
    parts = [TypedColumn(make_part(series, part, written)) for part in part_names(series)]
    names = ", ".join(part_names(series)[1:])
    sentence = f"{quote(name)} holds dates: compared by date, with columns for its {names}."
    guess = Guess(
        "dates and their parts", sentence, Hint(option="ignore", value=[name]), "leaves it out"
    )
    return [replace(parts[0], guesses=(*typed.guesses, guess)), *parts[1:]]


def _open_order(name: str) -> Guess:
    sentence = (
        f"{quote(name)} holds dates that can be read as day/month or month/day, or no calendar dates. "
        "Write them as 2024-03-31 to use their parts."
    )
    return Guess("day or month first? write 2024-03-31", sentence)
