"""Rows of a text file for a fitted model, in chunks: a file larger than memory can be predicted.

Columns are found by name, in any order, and categories by value; columns that the model does not read are skipped. The
model's schema decides how a cell is read.
"""

from __future__ import annotations

import contextlib
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treewright import _core
from treewright._input.columns import from_values
from treewright._input.encoding import refuse_lacking
from treewright._input.source_columns import find_source, model_series
from treewright._reading.byte_source import open_feed
from treewright._reading.content import Binary, source_label
from treewright._reading.dialect import Dialect, is_text
from treewright._reading.quoting import clip_text
from treewright.errors import UsageError
from treewright.schema import Column, Level, Schema, label
from treewright.table import MISSING, Series, Table

__all__ = ["RowReader", "Rows", "read_header", "refuse_lacking"]

CHUNK = 1 << 16
MAX_UNSEEN = 1000  # different unseen categories counted by name, per column


@dataclass(frozen=True, slots=True, eq=False)
class Rows:
    """Some rows of a file.

    Parameters
    ----------
    table : Table
        The columns of the schema, coded by it.
    first : int
        How many rows of the file came before them.
    unseen : dict
        For each column with unseen categories, how often each occurs.
    cells : dict or None
        The cells of every column of the file as written, if they were asked for.
    """

    table: Table
    first: int
    unseen: dict[str, dict[str, int]]
    cells: dict[str, list[str]] | None

    def __len__(self) -> int:
        return len(self.table)


class RowReader:
    r"""Reads the rows that a model needs, in chunks.

    Parameters
    ----------
    source : path, bytes or binary file
        The text file.
    schema : Schema
        What the model reads.
    cells : bool, default=False
        Whether to store the cells of all columns as written.
    rows : int, default=65536
        Maximum rows of a chunk.
    used : collection of str, optional
        The columns that the file must have; the others may be absent and are then missing in every row.
    label : str, optional
        The name of the file in errors.
    **text
        How the file is written, as in :func:`treewright.read_csv`.

    Attributes
    ----------
    header : list of str
        The names of the columns of the file.
    dropped : int
        The ragged rows left out so far.
    unseen : dict
        For each column, how often each unseen category occurred so far.

    Examples
    --------
    >>> from treewright.schema import Column, Schema
    >>> schema = Schema((Column("Wind", "categorical", ("Strong", "Weak")), Column("n", "numeric")))
    >>> with RowReader(b"n,other,Wind\n1,x,Weak\n2,y,Calm\n", schema) as reader:
    ...     for rows in reader:
    ...         print([s.data.tolist() for s in rows.table.series], rows.unseen)
    [[1, 4294967294], [1.0, 2.0]] {'Wind': {'Calm': 1}}
    """

    def __init__(
        self,
        source: Binary,
        schema: Schema,
        *,
        cells: bool = False,
        rows: int = CHUNK,
        used: Collection[str] | None = None,
        label: str | None = None,
        **text: Any,
    ) -> None:
        if rows < 1:
            raise UsageError(f"a chunk has at least one row, not {rows}", slug="usage")
        dialect = Dialect(**text)
        name = source_label(source, label)
        self._open = contextlib.ExitStack()
        self._rows, self._cells = rows, cells
        self.unseen: dict[str, dict[str, int]] = {}
        with contextlib.ExitStack() as stack:
            self._feed = stack.enter_context(open_feed(source, dialect, name))
            self.header = self._feed.header()
            present = dict.fromkeys(self.header)
            columns = [c for c in schema.columns if find_source(present, c) is not None]
            derived = [c.name for c in columns if c.name not in present]
            known = [*self.header, *derived]
            refuse_lacking(known, schema.names if used is None else used, name, clip_text)
            self._read_as_text = tuple(c for c in columns if _is_written(c))
            self._schema = Schema(tuple(c for c in columns if not _is_written(c)))
            self._encoder = self._prepare(self._schema, dialect, name)
            self._open = stack.pop_all()
        self._names = self._schema.names
        self._full_schema = schema

    def _prepare(self, schema: Schema, dialect: Dialect, name: str) -> _core.CsvEncoder:
        place = {column: i for i, column in enumerate(self.header)}
        sources = {c.name: find_source(place, c) or c.name for c in self._read_as_text}
        names = {*schema.names, *sources.values()}
        used = range(len(self.header)) if self._cells else sorted(place[n] for n in names)
        self._feed.reader.keep(list(used))
        among = {column: i for i, column in enumerate(used)}
        features = [(among[place[c.name]], c.name, _levels(c)) for c in schema.columns]
        self._text_places = {name: among[place[source]] for name, source in sources.items()}
        self._rules = dialect.rules()
        return _core.CsvEncoder(name, features, self._rules)

    @property
    def dropped(self) -> int:
        """The ragged rows left out so far."""
        return self._feed.reader.dropped

    @property
    def delimiter(self) -> str:
        """The field separator."""
        return self._feed.reader.delimiter

    def __iter__(self) -> Iterator[Rows]:
        first = 0
        for chunk in self._feed.chunks(self._rows):
            columns, unknown = self._encoder.encode(chunk)
            for i, column in enumerate(self._schema.columns):
                if column.other:
                    columns[i][columns[i] == _core.UNSEEN] = len(column.levels) - 1
                    unknown[i] = []
            unseen = {n: dict(c) for n, c in zip(self._names, unknown, strict=True) if c}
            self._count(unseen)
            cells = {n: chunk.cells(i) for i, n in enumerate(self.header)} if self._cells else None
            table = self._table(columns, chunk)
            yield Rows(table, first, unseen, cells)
            first += chunk.rows

    def _table(self, columns: list[NDArray[Any]], chunk: _core.CsvChunk) -> Table:
        """Return the columns of the schema, coded by it unless some have to be made of dates or amounts."""
        schema = self._full_schema
        if all(column.meaning is None for column in schema.columns):
            return Table.of_codes(self._fill(columns, chunk.rows), schema)
        data = dict(zip(self._names, columns, strict=True))
        return Table(
            [self._series(column, data.get(column.name), chunk) for column in schema.columns]
        )

    def _series(self, column: Column, data: NDArray[Any] | None, chunk: _core.CsvChunk) -> Series:
        if column.name in self._text_places:
            texts = (text.strip(" \t") for text in chunk.cells(self._text_places[column.name]))
            cells = [None if self._rules.is_missing(text, numeric=True) else text for text in texts]
            if not any(cells):
                return Series(column.name, "numeric", np.full(chunk.rows, np.nan))
            return model_series(from_values(column.source, cells), column)
        if data is None:
            return Series(column.name, "numeric", np.full(chunk.rows, np.nan))
        if column.order:
            return Series(
                column.name, "categorical", data, column.order, declared=True, ordered=True
            )
        return Series(column.name, column.kind, data, column.levels, declared=True)

    def _fill(self, columns: list[NDArray[Any]], rows: int) -> list[NDArray[Any]]:
        """Return all columns of the schema; those that the file lacks are missing in every row."""
        known = dict(zip(self._names, columns, strict=True))
        if len(known) == len(self._full_schema.columns):
            return columns
        gaps = {"numeric": np.full(rows, np.nan), "categorical": np.full(rows, MISSING, np.uint32)}
        return [
            known[c.name] if c.name in known else gaps[c.kind] for c in self._full_schema.columns
        ]

    def _count(self, unseen: dict[str, dict[str, int]]) -> None:
        for name, counts in unseen.items():
            known = self.unseen.setdefault(name, {})
            for value, times in counts.items():
                if value in known or len(known) < MAX_UNSEEN:
                    known[value] = known.get(value, 0) + times

    def close(self) -> None:
        """Close the file, if this reader opened it."""
        self._open.close()

    def __enter__(self) -> RowReader:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()


def read_header(source: Binary, *, label: str | None = None, **text: Any) -> list[str]:
    r"""Return the names of the columns of a text file; only its beginning is read.

    Examples
    --------
    >>> read_header(b"wind;n\nweak;1\n")
    ['wind', 'n']
    """
    dialect = Dialect(**text)
    with open_feed(source, dialect, source_label(source, label)) as feed:
        return feed.header()


def _is_written(column: Column) -> bool:
    """Whether the values of a column are made of texts of the file: dates and amounts."""
    return column.meaning is not None and bool(column.part or column.meaning.written)


def _levels(column: Column) -> tuple[list[tuple[str, int]], list[tuple[float, int]]] | None:
    """Return the ways to write each level in a file, with its code; None for numbers."""
    levels = column.levels or column.order
    if column.kind == "numeric" and not levels:
        return None
    texts = [pair for code, level in enumerate(levels) for pair in _spellings(level, code)]
    numbers = [
        (float(level), code)
        for code, level in enumerate(levels)
        if isinstance(level, (int, float)) and not isinstance(level, bool)
    ]
    return texts, numbers


def _spellings(level: Level, code: int) -> list[tuple[str, int]]:
    text = label(level)
    # pandas writes True, Polars and JSON true, spreadsheets TRUE.
    forms = [text, text.lower(), text.upper()] if isinstance(level, bool) else [text]
    return [(form, code) for form in forms if is_text(form)]
