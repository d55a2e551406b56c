"""A table as the text that a page reads: the bytes of the user's file where it is text, otherwise CSV.

The page reads it by the rules for files, so what a container knows about its columns goes along as options. Names of
the options are those of the page.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from treewright._reading.content import Content, open_content
from treewright._reading.dialect import Dialect
from treewright._reading.file_parts import split_part
from treewright._render.output_formats import csv_text
from treewright.errors import DataError, Hint
from treewright.schema import label
from treewright.table import Table

__all__ = ["TableText", "file_text", "levels_of", "rows_as_csv", "rows_text"]

# Options of files that the page has too; it reads UTF-8 only.
FILE_OPTIONS = ("delimiter", "header", "missing", "decimal", "thousands", "comment", "ragged")


@dataclass(frozen=True)
class TableText:
    """A table for a page.

    Parameters
    ----------
    name : str
        The name of its file, without its folder.
    content : bytes
        Delimited text in UTF-8.
    options : dict
        How the page reads it; see ``OpenOptions`` in ``web/src/contract.ts``.
    """

    name: str
    content: bytes
    options: dict[str, Any] = field(default_factory=dict)


def file_text(source: Any, label: str, options: Mapping[str, Any]) -> TableText:
    """Return the table of a file, of bytes or of an open binary file.

    Parameters
    ----------
    source : path, bytes or binary file
        What to read; a path may name a part, ``book.xlsx::Sheet1``.
    label : str
        Its name in errors.
    options : mapping
        How a text file is written, as ``read_csv`` takes it.
    """
    with open_content(source, label) as content:
        name = _name_of(source, label)
        if content.is_typed:
            from treewright._input.containers import as_table

            return rows_text(as_table(content.read_typed()), name)
        known = {key: value for key, value in options.items() if key in FILE_OPTIONS}
        if content.is_rewritten:
            known["delimiter"] = ","
        elif content.form == "tab-separated":
            known.setdefault("delimiter", "\t")
        return TableText(name, _read_utf_8(content, Dialect(**options)), known)


def rows_text(table: Table, name: str) -> TableText:
    """Return a table in memory: its columns keep their kinds, and only empty cells are missing."""
    kinds = {
        series.name: "numeric" if series.kind == "numeric" else "categorical"
        for series in table.series
        if not series.are_dates
    }
    content = rows_as_csv(table).encode(errors="replace")
    options = {"delimiter": ",", "missing": [""], "columns": kinds, "levels": levels_of(table)}
    return TableText(name, content, options)


def levels_of(table: Table) -> dict[str, list[str]]:
    """Return the categories of the columns that declare them, in their order: trees break ties by it."""
    declared = [series for series in table.series if series.declared and series.levels]
    return {series.name: [label(level) for level in series.levels] for series in declared}


def rows_as_csv(table: Table) -> str:
    r"""Return a table as CSV.

    Examples
    --------
    >>> from treewright.datasets import load
    >>> rows_as_csv(load("golf").table)[:48]
    'outlook,temperature,humidity,windy,play\nsunny,85'
    """
    columns = table.to_dict()
    rows = zip(*columns.values(), strict=True)
    cells = [["" if value is None else label(value) for value in row] for row in rows]
    if not cells:
        return ",".join(columns) + "\n"
    return csv_text([dict(zip(columns, row, strict=True)) for row in cells])


def _name_of(source: Any, label: str) -> str:
    """Return the name without its folder: a page may be handed out."""
    if not isinstance(source, (str, os.PathLike)):
        return label
    path, part = split_part(source)
    name = os.path.basename(os.fsdecode(path))
    return name if part is None else f"{name}::{part}"


def _read_utf_8(content: Content, dialect: Dialect) -> bytes:
    """Return the text of a file as UTF-8, whatever its encoding is."""
    encoding = "utf-8" if content.is_rewritten else dialect.encoding
    data = b"".join(iter(lambda: bytes(content.file.read(1 << 20)), b""))
    try:
        text = data.decode(encoding)
    except UnicodeError:
        raise DataError(
            f"{content.label} is not {encoding}",
            slug="data.encoding",
            hints=[Hint(option="encoding", note="another one"), "or save the file as UTF-8"],
        ) from None
    return data if encoding in ("utf-8", "utf-8-sig") else text.encode(errors="replace")
