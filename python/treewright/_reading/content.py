"""What a source holds: its format by its first bytes, and its content as text or as a table with types.

Compressed files and archives are unpacked on the way; sheets and SQLite tables become delimited text. A source is a
path (``file::part`` names a part of it), bytes in memory, or an open binary file.
"""

from __future__ import annotations

import contextlib
import io
import os
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from treewright._reading.compression import as_seekable, broken_archive, open_member, unpack
from treewright._reading.databases import open_sqlite, read_duckdb
from treewright._reading.file_formats import file_format, read_frame
from treewright._reading.file_parts import refuse_url, split_part
from treewright._reading.json_files import read_json
from treewright._reading.sheets import is_workbook, open_sheet
from treewright._reading.signatures import (
    COMPRESSED,
    SIGNATURE_LENGTH,
    identify,
    refuse_other_format,
)
from treewright._render.safe_text import visible
from treewright.errors import DataError, UsageError

__all__ = ["Binary", "Content", "open_content", "source_label"]

Binary = Any  # a path, bytes, or anything with read(); Python has no one type for it
TYPED = ("parquet", "arrow", "arrow stream", "duckdb", "json lines", "json array")
DATABASES = {"sqlite": "an SQLite database", "duckdb": "a DuckDB database"}
NAMES = {
    "parquet": "a Parquet file",
    "arrow": "an Arrow file",
    "arrow stream": "an Arrow file",
    "json lines": "a JSON file",
    "json array": "a JSON file",
    "xlsx": "an Excel workbook",
    **DATABASES,
}


@dataclass(frozen=True, slots=True)
class Content:
    """The content of a source.

    Parameters
    ----------
    form : str
        Its format: "text", "tab-separated", or one of those with types, or "xlsx" and "sqlite", which become text.
    file : binary file or None
        The bytes to read; None for a DuckDB file.
    label : str
        Its name in errors.
    path : str or None, default=None
        Where it is, if it is a file.
    part : str or None, default=None
        The part of the file that was named.
    """

    form: str
    file: Any
    label: str
    path: str | None = None
    part: str | None = None

    @property
    def is_typed(self) -> bool:
        """Whether its columns have types."""
        return self.form in TYPED

    @property
    def is_rewritten(self) -> bool:
        """Whether it is text that was made from cells, so that nothing about it has to be guessed."""
        return self.form in ("xlsx", "sqlite")

    @property
    def name(self) -> str:
        """The name of its format in a sentence."""
        return NAMES.get(self.form, "delimited text")

    def read_typed(self) -> Any:
        """Return a table with types, in a container."""
        if self.form == "duckdb":
            return read_duckdb(str(self.path), self.part, self.label)
        if self.form in ("parquet", "arrow", "arrow stream"):
            with as_seekable(self.file) as file:
                return read_frame(file, self.form, self.label)
        return read_json(self.file, self.form, self.label)


class _WithStart:
    """A file of which the first bytes have been looked at."""

    def __init__(self, start: bytes, file: Any) -> None:
        self._start = start
        self._read = getattr(file, "read1", file.read)

    def read(self, size: int = -1) -> bytes:
        if self._start:
            end = len(self._start) if size < 0 else size
            piece, self._start = self._start[:end], self._start[end:]
            return piece if size >= 0 else piece + self._read(-1)
        rest: bytes = self._read(size)
        return rest


def source_label(source: Binary, label: str | None = None) -> str:
    """Return the name of a source in errors: its path if it has one."""
    if label is None:
        known = source if isinstance(source, (str, os.PathLike)) else getattr(source, "name", None)
        label = os.fsdecode(known) if isinstance(known, (str, bytes, os.PathLike)) else "the table"
    return visible(label)


@contextlib.contextmanager
def open_content(source: Binary, label: str) -> Iterator[Content]:
    """Open a source and find out what it holds; a file that the caller opened stays open."""
    refuse_url(source)
    path, part = split_part(source)
    with contextlib.ExitStack() as stack:
        file = stack.enter_context(_open(path))
        start, file = _look(file, label)
        form = identify(start)
        if form in DATABASES:
            yield _open_database(form, path, part, label, stack)
        elif form == "zip":
            yield _open_archive(stack.enter_context(as_seekable(file)), part, label, stack)
        elif part is not None:
            raise DataError(
                f"{label}: the file has no parts that could be named",
                slug="data.no-such-part",
                hints=["workbooks, databases and zip archives have parts"],
            )
        elif form in COMPRESSED:
            yield _find_text(unpack(file, form, label), file_format(path), label)
        else:
            yield Content(_settle(form, start, file_format(path), label), file, label)


@contextlib.contextmanager
def _open(source: Any) -> Iterator[Any]:
    if isinstance(source, (bytes, bytearray, memoryview)):
        yield io.BytesIO(source)
    elif hasattr(source, "read"):
        yield source
    elif isinstance(source, (str, os.PathLike)):
        with open(source, "rb", buffering=0) as file:
            yield file
    else:
        raise UsageError(
            f"cannot read a {type(source).__name__}: give a path, bytes, or a binary file",
            slug="usage",
        )


def _look(file: Any, label: str) -> tuple[bytes, Any]:
    """Return the first bytes of a file, and the file with these bytes still to be read."""
    read = getattr(file, "read1", file.read)
    start = b""
    while len(start) < SIGNATURE_LENGTH and (piece := read(SIGNATURE_LENGTH - len(start))):
        if not isinstance(piece, (bytes, bytearray, memoryview)):
            raise UsageError(f"{label} must be opened in binary mode", slug="usage")
        start += bytes(piece)
    if isinstance(file, io.IOBase) and file.seekable():
        file.seek(-len(start), io.SEEK_CUR)
        return start, file
    return start, _WithStart(start, file)


def _open_database(
    form: str, path: Any, part: str | None, label: str, stack: contextlib.ExitStack
) -> Content:
    if not isinstance(path, (str, os.PathLike)):
        raise UsageError(
            f"{label} is {DATABASES[form]}, which is read only from a file",
            slug="usage",
            hints=["give its path"],
        )
    where = os.fsdecode(path)
    rows = stack.enter_context(open_sqlite(where, part, label)) if form == "sqlite" else None
    return Content(form, rows, label, where, part)


def _open_archive(file: Any, part: str | None, label: str, stack: contextlib.ExitStack) -> Content:
    """Return the content of a workbook, or of a file in a zip archive."""
    try:
        archive = stack.enter_context(zipfile.ZipFile(file))
    except (zipfile.BadZipFile, NotImplementedError) as error:
        raise broken_archive(label, error) from None
    if is_workbook(archive):
        return Content("xlsx", open_sheet(file, archive, part, label), label)
    name, content = open_member(archive, part, label)
    return _find_text(content, file_format(name), label)


def _find_text(file: Any, expected: str, label: str) -> Content:
    """Return the content of an unpacked file: text or JSON."""
    start, file = _look(file, label)
    form = identify(start)
    if form not in (None, "json lines", "json array"):
        refuse_other_format(start, f"the content of {label}")
    return Content(_settle(form, start, expected, label), file, label)


def _settle(form: str | None, start: bytes, expected: str, label: str) -> str:
    """Return the format of a file by its first bytes, and by its extension if they name none."""
    if form is not None:
        return form
    refuse_other_format(start, label)
    if expected in NAMES and not expected.startswith("json"):
        raise DataError(
            f"{label} is not {NAMES[expected]}, although it is called so",
            slug="data.unreadable",
            hints=["give it a name that ends in .csv if it is text"],
        )
    return expected
