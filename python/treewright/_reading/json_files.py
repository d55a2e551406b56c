"""Tables from JSON: one object per line, or an array of objects.

An object inside a row becomes columns of its own ("address.city"); a list becomes the text that it is in JSON. Whole
numbers that a float cannot hold become text, as in a CSV file.
"""

from __future__ import annotations

import io
import json
from collections.abc import Iterable, Iterator
from typing import Any

from treewright._reading.quoting import quote
from treewright._render.numbers import count
from treewright._render.safe_text import visible
from treewright.errors import DataError

__all__ = ["read_json"]

EXACT = 2**53  # above it, not every integer is a float
MAX_DEPTH = 20
BYTE_ORDER_MARK = b"\xef\xbb\xbf"
Row = dict[str, Any]


def read_json(file: Any, form: str, where: str) -> list[Row]:
    """Return the rows of a file with an array of objects, or with one object per line."""
    rows = _array(file, where) if form == "json array" else list(_lines(file, where))
    return _keep_digits([_flatten(row, f"{where} {place}") for place, row in rows])


def _array(file: Any, where: str) -> list[tuple[str, Row]]:
    values = _parse(b"".join(iter(lambda: file.read(1 << 20), b"")), where)
    rows = []
    for number, value in enumerate(values if isinstance(values, list) else [values], 1):
        rows.append((f"row {count(number)}", _check_row(value, f"{where} row {count(number)}")))
    return rows


def _lines(file: Any, where: str) -> Iterator[tuple[str, Row]]:
    for line, raw in enumerate(_split_lines(file), 1):
        text = raw.removeprefix(BYTE_ORDER_MARK) if line == 1 else raw
        if text.strip():
            place = f"{where} line {count(line)}"
            yield f"line {count(line)}", _check_row(_parse(text, place), place)


def _split_lines(file: Any) -> Iterable[bytes]:
    if isinstance(file, io.IOBase):
        return file
    return _lines_of_pieces(file)


def _lines_of_pieces(file: Any) -> Iterator[bytes]:
    rest = b""
    while piece := file.read(1 << 20):
        *lines, rest = (rest + piece).split(b"\n")
        yield from lines
    yield rest


def _parse(text: bytes, where: str) -> Any:
    try:
        return json.loads(text.decode("utf-8-sig"), parse_constant=_constant)
    except (ValueError, RecursionError) as error:
        raise DataError(
            f"{where} is not JSON", slug="data.json", hints=[f"Python says: {visible(str(error))}"]
        ) from None


def _constant(word: str) -> None:
    if word != "NaN":  # Python and pandas write it for a missing value
        raise ValueError(f"{word} is not JSON")


def _check_row(value: Any, where: str) -> Row:
    if isinstance(value, dict):
        return value
    raise DataError(
        f"{where} is not an object: {{...}}",
        slug="data.json",
        hints=["write one object per row; pandas does so with the orient records"],
    )


def _flatten(row: Row, where: str, prefix: str = "", depth: int = 0) -> Row:
    """Return a row in which inner objects have become columns of their own."""
    flat: Row = {}
    for name, value in row.items():
        full = f"{prefix}{name}"
        inner: Row = {full: value}
        if isinstance(value, dict) and depth < MAX_DEPTH:
            inner = _flatten(value, where, f"{full}.", depth + 1)
        elif isinstance(value, (dict, list)):
            inner = {full: json.dumps(value, ensure_ascii=False)}
        for key, cell in inner.items():
            if key in flat:
                raise DataError(f"{where}: {quote(key)} occurs twice", slug="data.duplicate-column")
            flat[key] = cell
    return flat


def _keep_digits(rows: list[Row]) -> list[Row]:
    """Return the rows with columns of whole numbers as text if a float cannot hold one of them."""
    large = {name for row in rows for name, cell in row.items() if _is_large(cell)}
    floats = {name for row in rows for name in large if isinstance(row.get(name), float)}
    for row in rows:
        for name in large - floats:
            if type(row.get(name)) is int:
                row[name] = str(row[name])
        for name in floats:
            if type(row.get(name)) is int:
                row[name] = float(row[name])
    return rows


def _is_large(cell: Any) -> bool:
    return type(cell) is int and abs(cell) > EXACT
