"""Rows of a text file for a model that exists, a chunk at a time: a file larger than memory can be predicted.

Columns are found by name and categories by value; what the model does not read is passed over, and its order does not
matter. What a cell means is not decided here: the model's schema says it.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from numpy.typing import NDArray

from treewright import _core
from treewright.draw.figures import count, plural
from treewright.draw.names import visible
from treewright.errors import DataError, UsageError
from treewright.reading.source import Binary, Dialect, Pieces, is_text, label_of, opened
from treewright.reading.wording import some
from treewright.schema import Column, Level, Schema, label

__all__ = ["RowReader", "Rows", "require_columns"]

CHUNK = 1 << 16
MOST_UNSEEN = 1000  # different unseen values remembered by name for each column


@dataclass(frozen=True, slots=True, eq=False)
class Rows:
    """Some rows of a file.

    Parameters
    ----------
    columns : list of ndarray
        What the core reads: float64 numbers or uint32 codes, in the order of the schema.
    first : int
        How many rows of the file came before.
    unseen : dict
        For each column with values that the model does not know, how often each occurs.
    cells : dict or None
        The cells of every column of the file as they were written, where they were asked for.
    """

    columns: list[NDArray[Any]]
    first: int
    unseen: dict[str, dict[str, int]]
    cells: dict[str, list[str]] | None
    rows: int

    def __len__(self) -> int:
        return self.rows


class RowReader:
    r"""Reads the rows that a model needs, in chunks.

    Parameters
    ----------
    source : path, bytes or binary file
        The text file.
    schema : Schema
        What the model reads.
    cells : bool, default=False
        Whether to keep the cells of all columns as they were written.
    rows : int, default=65536
        The most rows of a chunk.
    delimiter, missing, ragged, encoding
        As in :func:`treewright.read_csv`.
    label : str, optional
        What errors call the file.

    Attributes
    ----------
    header : list of str
        The names of the columns of the file.
    dropped : int
        The ragged rows left out so far.
    unseen : dict
        For each column, how often each value that the model does not know occurred so far.

    Examples
    --------
    >>> from treewright.schema import Column, Schema
    >>> schema = Schema((Column("Wind", "categorical", ("Strong", "Weak")), Column("n", "numeric")))
    >>> with RowReader(b"n,other,Wind\n1,x,Weak\n2,y,Calm\n", schema) as reader:
    ...     for rows in reader:
    ...         print([column.tolist() for column in rows.columns], rows.unseen)
    [[1, 4294967294], [1.0, 2.0]] {'Wind': {'Calm': 1}}
    """

    def __init__(
        self,
        source: Binary,
        schema: Schema,
        *,
        cells: bool = False,
        rows: int = CHUNK,
        delimiter: str | None = None,
        missing: Sequence[str] = ("", "?"),
        ragged: str = "error",
        encoding: str = "utf-8",
        label: str | None = None,
    ) -> None:
        if rows < 1:
            raise UsageError(f"a chunk has at least one row, not {rows}", slug="usage")
        dialect = Dialect(delimiter, missing, ragged, encoding)
        name = label_of(source, label)
        self._open = contextlib.ExitStack()
        self._rows, self._cells = rows, cells
        self.unseen: dict[str, dict[str, int]] = {}
        with contextlib.ExitStack() as stack:
            self._pieces = Pieces(stack.enter_context(opened(source)), dialect, name)
            self.header = self._pieces.header()
            require_columns(self.header, schema, name)
            self._encoder = self._prepare(schema, dialect, name)
            self._open = stack.pop_all()
        self._names = schema.names

    def _prepare(self, schema: Schema, dialect: Dialect, name: str) -> _core.CsvEncoder:
        place = {column: i for i, column in enumerate(self.header)}
        kept = range(len(self.header)) if self._cells else sorted(place[n] for n in schema.names)
        self._pieces.reader.keep(list(kept))
        among = {column: i for i, column in enumerate(kept)}
        features = [(among[place[c.name]], c.name, _levels(c)) for c in schema.columns]
        return _core.CsvEncoder(name, features, dialect.missing)

    @property
    def dropped(self) -> int:
        """The ragged rows left out so far."""
        return self._pieces.reader.dropped

    @property
    def delimiter(self) -> str:
        """What separates the fields."""
        return self._pieces.reader.delimiter

    def __iter__(self) -> Iterator[Rows]:
        first = 0
        for chunk in self._pieces.chunks(self._rows):
            columns, unknown = self._encoder.encode(chunk)
            unseen = {
                n: dict(found) for n, found in zip(self._names, unknown, strict=True) if found
            }
            self._remember(unseen)
            cells = {n: chunk.cells(i) for i, n in enumerate(self.header)} if self._cells else None
            yield Rows(columns, first, unseen, cells, chunk.rows)
            first += chunk.rows

    def _remember(self, unseen: dict[str, dict[str, int]]) -> None:
        for name, found in unseen.items():
            known = self.unseen.setdefault(name, {})
            for value, times in found.items():
                if value in known or len(known) < MOST_UNSEEN:
                    known[value] = known.get(value, 0) + times

    def close(self) -> None:
        """Close the file, where this reader opened it."""
        self._open.close()

    def __enter__(self) -> RowReader:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()


def require_columns(columns: Sequence[str], schema: Schema, where: str) -> None:
    """Refuse a table that lacks a column of the model.

    Parameters
    ----------
    columns : sequence of str
        The names that the table has.
    schema : Schema
        What the model reads.
    where : str
        What the table is called.

    Examples
    --------
    >>> from treewright.schema import Column, Schema
    >>> require_columns(["a", "b"], Schema((Column("b", "numeric"),)), "new.csv")
    """
    present, needed = set(columns), set(schema.names)
    lacking = [name for name in schema.names if name not in present]
    if not lacking:
        return
    unused = [name for name in columns if name not in needed]
    seen = f"missing: {some(lacking[:10], more=len(lacking) > 10)}"
    if unused:
        seen += f"      present but unused: {some(unused[:10], more=len(unused) > 10)}"
    needs = plural(len(schema.names), "column")
    raise DataError(
        f"{visible(where)} lacks {count(len(lacking))} of the {needs} this model needs",
        slug="predict.missing-column",
        hints=[seen, "the model reads columns by name; their order does not matter"],
    )


def _levels(column: Column) -> tuple[list[tuple[str, int]], list[tuple[float, int]]] | None:
    """Return how the levels may be written in a file, each with its code; None for numbers."""
    if column.kind == "numeric":
        return None
    texts = [pair for code, level in enumerate(column.levels) for pair in _written(level, code)]
    numbers = [
        (float(level), code)
        for code, level in enumerate(column.levels)
        if isinstance(level, (int, float)) and not isinstance(level, bool)
    ]
    return texts, numbers


def _written(level: Level, code: int) -> list[tuple[str, int]]:
    text = label(level)
    # pandas writes True, Polars and JSON true, spreadsheets TRUE.
    forms = [text, text.lower(), text.upper()] if isinstance(level, bool) else [text]
    return [(form, code) for form in forms if is_text(form)]
