"""What the core decided about columns, as the values of this package: columns, reports, notes and errors.

The rules are in ``columns/`` of the core. A sentence of the core is a list of pieces: words, texts of the table in
tuples of one, and options as tuples of three; texts are written here as every view writes them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from treewright._reading.inspection import ColumnReport, Note, count_different, summarize
from treewright._reading.quoting import clip_text
from treewright._render.numbers import count
from treewright.errors import DataError, Hint
from treewright.schema import Meaning
from treewright.table import Series

__all__ = ["check_refusal", "make_series", "read_notes", "report_column"]

Pieces = Sequence[Any]


def check_refusal(answer: Any) -> dict[str, Any]:
    """Return the answer of the core; raise an error if it refused the table."""
    if isinstance(answer, dict):
        return answer
    slug, message, advice = answer
    hints = [_hint(line) if isinstance(line, tuple) else _write(line) for line in advice]
    raise DataError(_write(message), slug=slug, hints=hints)


def make_series(column: Mapping[str, Any], source: Series | None, levels: Sequence[str]) -> Series:
    """Return a column with its values; ``source`` is the one it was, ``levels`` are those that were declared."""
    meaning = None if column["meaning"] is None else Meaning(**column["meaning"])
    if column["values"] is None and source is not None:
        return source if meaning is None else replace(source, meaning=meaning)
    names = levels if column["declared"] else column["levels"] or ()
    return Series(
        column["name"],
        column["kind"],
        column["values"],
        tuple(names),
        column["declared"],
        column["ordered"],
        meaning,
    )


def report_column(column: Mapping[str, Any], series: Series) -> ColumnReport:
    """Return the report on a column."""
    reasons = column["reasons"]
    distinct = column["read_as"] in ("identifier", "date")
    return ColumnReport(
        column["name"],
        column["read_as"],
        series.kind,
        f"{count(count_different(series))} different" if distinct else summarize(series),
        column["missing"],
        "; ".join(_write(short) for _, short, _, _, _ in reasons) or None,
        column["ignored"],
        tuple(_hint(hint) for _, _, _, hint, _ in reasons if hint is not None),
    )


def read_notes(answer: Mapping[str, Any]) -> tuple[Note, ...]:
    """Return the decisions that the user did not make."""
    columns = answer["columns"]
    return tuple(
        Note(
            None if place is None else columns[place]["name"],
            _write(sentence),
            None if hint is None else _hint(hint),
            _write(effect),
        )
        for place, (_, _, sentence, hint, effect) in answer["notes"]
    )


def _write(pieces: Pieces) -> str:
    return "".join(map(_write_piece, pieces))


def _write_piece(piece: Any) -> str:
    if isinstance(piece, str):
        return piece
    return clip_text(piece[0]) if len(piece) == 1 else str(_hint(piece))


def _hint(option: tuple[str, Any, str]) -> Hint:
    name, value, note = option
    return Hint(option=name, value=value, note=note)
