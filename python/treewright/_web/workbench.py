"""The workbench: the page in which trees are grown step by step, with the core and the tables inside the page."""

from __future__ import annotations

import gzip
import os
import tempfile
import webbrowser
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from treewright._reading.column_overrides import ColumnOverrides
from treewright._utils import atomic_write
from treewright._utils.validation import check_choice
from treewright._web.page_file import embed_bytes, embed_json, fill_page, read_engine, read_shell
from treewright._web.table_text import TableText, file_text, levels_of, rows_as_csv, rows_text
from treewright.errors import DataError, UsageError

__all__ = [
    "ALGORITHMS",
    "MAX_PAGE_TABLE",
    "MODES",
    "Start",
    "make_server_page",
    "make_workbench",
    "open_page",
    "workbench",
    "write_private",
]

ALGORITHMS = ("id3", "c45", "cart")
MODES = ("explore", "lesson", "quiz")
# The page holds the table, the text it came from and its codes in memory at once.
MAX_PAGE_TABLE = 50_000_000
COLUMN_OPTIONS = ("numeric", "categorical", "ignore", "keep")


@dataclass(frozen=True)
class Start:
    """What the page opens with.

    Parameters
    ----------
    table : TableText, str or None, default=None
        A table to put into the page, or the name of a built-in one.
    target : str or None, default=None
        The column to predict; the page asks where it is not known.
    algorithm : str or None, default=None
        "id3", "c45" or "cart"; None for the default of the target.
    mode : str, default="explore"
        "explore", "lesson" or "quiz".
    """

    table: TableText | str | None = None
    target: str | None = None
    algorithm: str | None = None
    mode: str = "explore"

    def __post_init__(self) -> None:
        check_choice("mode", self.mode, MODES)
        if self.algorithm is not None:
            check_choice("algorithm", self.algorithm, ALGORITHMS)
        if self.target is not None and self.table is None:
            raise UsageError("a target needs a table", slug="usage")


def workbench(
    X: Any = None,
    y: Any = None,
    *,
    target: str | None = None,
    algorithm: str | None = None,
    mode: str = "explore",
    path: str | os.PathLike[str] | None = None,
    **options: Any,
) -> str:
    """Open a table in the workbench: grow its tree step by step in the browser, with every calculation beside it.

    The workbench is one HTML page that trains models inside the browser. It needs no network and no server, and the
    table does not leave the computer.

    Parameters
    ----------
    X : table, path or str, optional
        The rows, in any container; a file; or the name of a built-in table. Without it, a table is chosen in the page.
    y : array-like or str, optional
        The target, or the name of its column.
    target : str, optional
        The name of the target column; of ``y``, where that has none.
    algorithm : {"id3", "c45", "cart"}, optional
        The algorithm to begin with. By default C4.5, or CART for a numeric target.
    mode : {"explore", "lesson", "quiz"}, default="explore"
        How to begin: grow freely, one idea per step, or with the results hidden.
    path : path, optional
        Where to write the page, which then contains the table. By default a temporary file that only you can read is
        opened in the browser.
    **options : dict
        How a file is read, as in :func:`inspect`: ``delimiter``, ``header``, ``missing``, ``decimal``, ``thousands``,
        ``comment``, ``ragged``, ``encoding``, ``numeric``, ``categorical``, ``ignore``, ``keep``.

    Returns
    -------
    str
        The path of the page.

    See Also
    --------
    inspect : How the columns of a table are read.
    work : The calculation behind a split.

    Examples
    --------
    >>> import os, tempfile
    >>> from treewright import workbench
    >>> folder = tempfile.mkdtemp()
    >>> page = workbench("play-tennis", algorithm="id3", path=os.path.join(folder, "tennis.html"))
    >>> os.path.getsize(page) < 2_000_000
    True
    """
    if isinstance(y, str):
        target, y = y, None
    columns = {name: options.pop(name) for name in COLUMN_OPTIONS if name in options}
    table, target = _find_table(X, y, target, options)
    if isinstance(table, TableText):
        table = with_columns(table, columns, target)
    elif columns:
        raise UsageError(f"{', '.join(columns)} have no effect on a built-in table", slug="usage")
    page = make_workbench(Start(table, target, algorithm, mode))
    if path is None:
        return open_page(page)
    atomic_write.write(path, page.encode())
    return os.fsdecode(path)


def _find_table(
    X: Any, y: Any, target: str | None, options: Mapping[str, Any]
) -> tuple[TableText | str | None, str | None]:
    """Return the table of the arguments, or the name of a built-in one, and the name of its target."""
    from treewright import datasets

    if X is None or isinstance(X, (str, os.PathLike)):
        if y is not None:
            raise UsageError("y cannot be combined with a file", slug="usage")
        if X is None or (isinstance(X, str) and X in datasets.names() and not os.path.exists(X)):
            return X, target
        return file_text(X, os.fsdecode(X), options), target
    if options:
        raise UsageError(f"{', '.join(options)} have no effect on a table in memory", slug="usage")
    from treewright._input.containers import as_table
    from treewright.table import Series, Table

    table = as_table(X)
    if y is not None:
        target = target or str(getattr(y, "name", None) or "target")
        values = y.to_list() if hasattr(y, "to_list") else list(y)
        table = Table([*table.series, Series.of(target, _plain(values))])
    return rows_text(table, "table.csv"), target


def _plain(values: Sequence[Any]) -> list[Any]:
    """Return Python values: numpy's scalars are neither text nor numbers to a column."""
    return [value.item() if hasattr(value, "item") else value for value in values]


def with_columns(table: TableText, columns: Mapping[str, Any], target: str | None) -> TableText:
    """Return the table with what the user decided about its columns; their names are checked."""
    from treewright._reading import read_header

    about_columns = ("columns", "levels")
    reading = {name: value for name, value in table.options.items() if name not in about_columns}
    header = read_header(table.content, label=table.name, **reading)
    ColumnOverrides(**columns).check(header, table.name)
    ColumnOverrides(keep=[] if target is None else [target]).check(header, table.name)
    decided = {name: kind for kind in COLUMN_OPTIONS for name in columns.get(kind, ())}
    if not decided:
        return table
    known = {**table.options.get("columns", {}), **decided}
    return TableText(table.name, table.content, {**table.options, "columns": known})


def make_workbench(start: Start) -> str:
    """Return the page with the core, the built-in tables and the table to begin with."""
    parts = [embed_bytes("engine", read_engine())]
    table = start.table
    if isinstance(table, TableText):
        if len(table.content) > MAX_PAGE_TABLE:
            raise DataError(
                f"{table.name} has {len(table.content) // 1_000_000} MB, "
                f"and the page reads at most {MAX_PAGE_TABLE // 1_000_000} MB",
                slug="workbench.too-large",
                hints=["take a sample of its rows"],
            )
        parts.append(embed_bytes("table", gzip.compress(table.content, 6, mtime=0)))
    parts.insert(0, embed_json("workbench", _describe(start)))
    return fill_page(read_shell("workbench"), "treewright workbench", parts, engine=True)


def make_server_page(start: Start | None = None) -> str:
    """Return the page for a server: the core and the table are there, and nothing of the user is in the page."""
    document = _describe(start or Start()) | {"engine": "server"}
    parts = [embed_json("workbench", document)]
    return fill_page(read_shell("workbench"), "treewright workbench", parts, server=True)


def _describe(start: Start) -> dict[str, Any]:
    """Return the document that the page begins with; see ``web/src/workbench/start.ts``."""
    from treewright._core import __version__

    table = start.table
    embedded = isinstance(table, TableText)
    return {
        "version": __version__,
        "built_in": _built_in(),
        "table": table.name if isinstance(table, TableText) else table,
        "options": table.options if isinstance(table, TableText) else {},
        "embedded": embedded,
        "target": start.target,
        "algorithm": start.algorithm,
        "mode": start.mode,
        "engine": "page",
    }


def _built_in() -> list[dict[str, Any]]:
    from treewright import datasets

    tables = [datasets.load(name) for name in datasets.names()]
    return [
        {
            "name": table.name,
            "title": table.title,
            "csv": rows_as_csv(table.table),
            "target": table.target,
            "columns": _column_kinds(table),
            "levels": levels_of(table.table),
            "rows": table.table.shape[0],
        }
        for table in tables
    ]


def _column_kinds(table: Any) -> dict[str, str]:
    """Return how columns are read that look otherwise as text: identifiers, categories that are numbers."""
    digits = [
        series.name
        for series in table.table.series
        if series.kind == "categorical" and all(map(_is_number, series.levels))
    ]
    return dict.fromkeys(digits, "categorical") | dict.fromkeys(table.ignore, "ignore")


def _is_number(level: Any) -> bool:
    try:
        float(level)
    except ValueError:
        return False
    return True


def open_page(page: str) -> str:
    """Write a page to a private temporary file, open it in the browser, and return its path."""
    path = write_private(page)
    webbrowser.open(Path(path).as_uri())
    return path


def write_private(page: str) -> str:
    """Write a page to a temporary file that only the user can read, and return its path."""
    descriptor, path = tempfile.mkstemp(prefix="treewright-workbench-", suffix=".html")
    os.close(descriptor)
    atomic_write.write(path, page.encode())
    return path
