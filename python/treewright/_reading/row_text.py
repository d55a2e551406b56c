"""Rows of values as delimited text: a sheet and a database table are read by the rules for text files.

Their cells have types one by one, not column by column: numbers and "NA" may stand in one column.
"""

from __future__ import annotations

import datetime
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from treewright.errors import DataError

__all__ = ["RowText"]

PIECE = 1 << 16
MIDNIGHT = datetime.time()


class RowText:
    r"""Rows of values as a binary file.

    Examples
    --------
    >>> RowText([["a", "b"], [1, None], ["x", 2.5]], "t").read(100)
    b'"a","b"\n"1",""\n"x","2.5"\n'
    """

    def __init__(self, rows: Iterable[Sequence[Any]], label: str) -> None:
        self._pieces = _pieces(rows, label)

    def read(self, size: int = PIECE) -> bytes:
        """Return the next rows; empty only at the end. A piece may be longer than ``size``."""
        return next(self._pieces, b"")


def _pieces(rows: Iterable[Sequence[Any]], label: str) -> Iterator[bytes]:
    lines: list[str] = []
    length = 0
    for number, row in enumerate(rows, 1):
        # An empty row is an empty line, which is left out and counted.
        line = ",".join(_quote(cell, label, number) for cell in row)
        lines.append(line)
        length += len(line) + 1
        if length > PIECE:
            yield _encode(lines)
            lines, length = [], 0
    if lines:
        yield _encode(lines)


def _encode(lines: list[str]) -> bytes:
    return "".join(f"{line}\n" for line in lines).encode("utf-8", "surrogatepass")


def _quote(cell: Any, label: str, row: int) -> str:
    text = _text(cell, label, row)
    return f'"{text.replace(chr(34), chr(34) * 2)}"'


def _text(cell: Any, label: str, row: int) -> str:
    """Write a value as a CSV file holds it."""
    if cell is None:
        return ""
    if isinstance(cell, bool):
        return str(cell).upper()
    if isinstance(cell, datetime.datetime):
        midnight = cell.time() == MIDNIGHT and cell.tzinfo is None
        return cell.date().isoformat() if midnight else cell.isoformat(" ")
    if isinstance(cell, (bytes, bytearray, memoryview)):
        raise DataError(f"{label} row {row} contains bytes, not text", slug="data.bytes")
    return str(cell)
