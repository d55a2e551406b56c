"""Tables of SQLite and DuckDB files: ``data.sqlite::table``. Files are opened for reading only."""

from __future__ import annotations

import contextlib
import importlib
import os
import pathlib
from collections.abc import Iterator
from typing import Any

from treewright._reading.file_parts import which_part
from treewright._reading.row_text import RowText
from treewright._render.safe_text import visible
from treewright.errors import DataError, UsageError

__all__ = ["open_sqlite", "read_duckdb"]

SQLITE_TABLES = """
    SELECT name FROM sqlite_master
    WHERE type IN ('table', 'view') AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' ORDER BY rowid
"""
DUCKDB_TABLES = """
    SELECT CASE table_schema WHEN 'main' THEN table_name ELSE table_schema || '.' || table_name END,
           table_schema, table_name
    FROM information_schema.tables
    WHERE table_catalog = current_database() ORDER BY 1
"""


@contextlib.contextmanager
def open_sqlite(path: str, part: str | None, label: str) -> Iterator[RowText]:
    """Open a table of an SQLite file as delimited text: the one that is named, or the only one."""
    import sqlite3

    uri = f"{pathlib.Path(os.path.abspath(path)).as_uri()}?mode=ro"
    try:
        with contextlib.closing(sqlite3.connect(uri, uri=True)) as connection:
            connection.execute("PRAGMA trusted_schema = OFF")
            names = [name for (name,) in connection.execute(SQLITE_TABLES)]
            table = _choose(names, part, label)
            cursor = connection.execute(f"SELECT * FROM {_quote(table)}")
            header = [column[0] for column in cursor.description]
            yield RowText(_chain(header, cursor), label)
    except sqlite3.Error as error:
        raise _unreadable(label, "an SQLite database", error) from None


def _chain(header: list[str], rows: Any) -> Iterator[Any]:
    yield header
    yield from map(
        tuple, rows
    )  # without the map, an unfinished loop would close the cursor too late


def read_duckdb(path: str, part: str | None, label: str) -> Any:
    """Return a table of a DuckDB file: the one that is named, or the only one."""
    try:
        duckdb = importlib.import_module("duckdb")
    except ImportError:
        raise UsageError(
            "reading DuckDB files needs duckdb", slug="usage", hints=["try: pip install duckdb"]
        ) from None
    # A view of a file from elsewhere must not read other files.
    settings = {"enable_external_access": "false", "autoinstall_known_extensions": "false"}
    try:
        with duckdb.connect(path, read_only=True, config=settings) as connection:
            rows = connection.execute(DUCKDB_TABLES).fetchall()
            places = {name: f"{_quote(schema)}.{_quote(table)}" for name, schema, table in rows}
            query = f"SELECT * FROM {places[_choose(list(places), part, label)]}"
            return _fetch(connection, query)
    except duckdb.Error as error:
        raise _unreadable(label, "a DuckDB database", error) from None


def _fetch(connection: Any, query: str) -> Any:
    try:
        importlib.import_module("pyarrow")
    except ImportError:
        cursor = connection.execute(query)
        names = [column[0] for column in cursor.description]
        rows = cursor.fetchall()
        return {name: [row[i] for row in rows] for i, name in enumerate(names)}
    return connection.sql(query).to_arrow_table()


def _choose(names: list[str], part: str | None, label: str) -> str:
    if part is None and len(names) == 1:
        return names[0]
    if part not in names:
        raise which_part(label, part, "table", names)
    return str(part)


def _quote(name: str) -> str:
    return f'"{name.replace(chr(34), chr(34) * 2)}"'


def _unreadable(label: str, what: str, error: Exception) -> DataError:
    first_line = str(error).split("\n")[0]
    return DataError(
        f"{label} cannot be read as {what}",
        slug="data.unreadable",
        hints=[f"{type(error).__name__}: {visible(first_line)}"],
    )
