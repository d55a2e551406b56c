"""What a file is by its first bytes, whatever it is called.

``identify`` names the formats that are read; any other known format is an error that says what the file is. A pickle is
never opened: it can run code.
"""

from __future__ import annotations

import re

from treewright.errors import DataError

__all__ = ["COMPRESSED", "SIGNATURE_LENGTH", "identify", "is_model_file", "refuse_other_format"]

SIGNATURE_LENGTH = 128  # bytes that identify a format
COMPRESSED = ("gzip", "bzip2", "xz", "zstd")
# The first bytes of the formats that are read.
READ: tuple[tuple[bytes, str], ...] = (
    (b"\x1f\x8b", "gzip"),
    (b"BZh", "bzip2"),
    (b"\xfd7zXZ\x00", "xz"),
    (b"\x28\xb5\x2f\xfd", "zstd"),
    (b"PK\x03\x04", "zip"),
    (b"PAR1", "parquet"),
    (b"ARROW1", "arrow"),
    (b"FEA1", "arrow"),
    (b"\xff\xff\xff\xff", "arrow stream"),
    (b"SQLite format 3\x00", "sqlite"),
)
DUCKDB = slice(8, 12)  # where a DuckDB file says what it is
EXPORT = "save the sheet as .xlsx or CSV"
AS_TEXT = "a table must come as text"
# The first bytes of other formats, their name, and what to do.
REFUSED: tuple[tuple[bytes, str, str], ...] = (
    (b"7z\xbc\xaf\x27\x1c", "a 7z archive", "unpack it first"),
    (b"Rar!\x1a\x07", "a RAR archive", "unpack it first"),
    (b"PK\x05\x06", "an empty zip archive", "it holds no table"),
    (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "an Excel workbook of the old format", EXPORT),
    (b"%PDF-", "a PDF document", AS_TEXT),
    (b"\x89HDF", "an HDF5 file", "save the table as CSV or Parquet"),
    (b"\x93NUMPY", "an array of numpy", "save it as text"),
    (b"\x89PNG", "a picture", AS_TEXT),
    (b"\xff\xd8\xff", "a picture", AS_TEXT),
    (b"<!DOCTYPE html", "an HTML page", "download the table itself"),
    (b"<html", "an HTML page", "download the table itself"),
    (b"RDX", "an R data file", "write.csv(table, row.names = FALSE) saves it as CSV"),
)
PICKLE = re.compile(rb"\x80[\x02-\x05]")  # never the beginning of UTF-8 text
PICKLE_ADVICE = "a pickle can run code when it is opened: save the table as CSV or Parquet"
ARRAY = re.compile(rb"(\xef\xbb\xbf)?\s*\[\s*(\{|\])")
OBJECT = re.compile(rb'(\xef\xbb\xbf)?\s*\{\s*(\}|"([^"\\]|\\.)*"\s*:)')


def identify(start: bytes) -> str | None:
    """Return the format that the first bytes of a file name; None for text and for formats that are not read.

    Examples
    --------
    >>> identify(b"PAR1"), identify(b'[{"a": 1}]'), identify(b"a,b")
    ('parquet', 'json array', None)
    """
    for magic, form in READ:
        if start.startswith(magic):
            return form
    if start[DUCKDB] == b"DUCK":
        return "duckdb"
    if ARRAY.match(start):
        return "json array"
    return "json lines" if OBJECT.match(start) else None


def refuse_other_format(start: bytes, label: str) -> None:
    """Raise an error that names the format of a file that is not delimited text."""
    other = _other_format(start)
    if other is not None:
        what, advice = other
        message = f"{label} is {what}, not delimited text"
        raise DataError(message, slug="data.other-format", hints=[advice])


def _other_format(start: bytes) -> tuple[str, str] | None:
    for magic, what, advice in REFUSED:
        if start.startswith(magic):
            return what, advice
    if PICKLE.match(start):
        return "a pickle", PICKLE_ADVICE
    if _is_model(start):
        return "a model", "a table is needed here"
    form = identify(start)
    return None if form is None else (f"a {form} file", "unpack or convert it first")


def is_model_file(path: str) -> bool:
    """Return whether a file is a model or a pickle by its first bytes, whatever it is called."""
    with open(path, "rb") as file:
        start = file.read(SIGNATURE_LENGTH)
    return _is_model(start) or PICKLE.match(start) is not None


def _is_model(start: bytes) -> bool:
    return start[8:9] == b"{" and int.from_bytes(start[:8], "little") < 1 << 32
