"""What a file is that is not delimited text, by its first bytes: so that the error names it, and how to go on.

Glossary: *magic bytes* are the bytes by which a format can be known whatever the file is called.
"""

from __future__ import annotations

import re

from treewright.errors import DataError

__all__ = ["LONGEST", "refuse_other_format"]

LONGEST = 128  # bytes that tell what a file is
UNPACK = "unpack it first"
EXPORT = "save the sheet as CSV"
# The first bytes, what the file is, and how to go on.
FORMATS: tuple[tuple[bytes, str, str], ...] = (
    (b"\x1f\x8b", "a gzip archive", UNPACK),
    (b"BZh", "a bzip2 archive", UNPACK),
    (b"\xfd7zXZ\x00", "an xz archive", UNPACK),
    (b"\x28\xb5\x2f\xfd", "a Zstandard archive", UNPACK),
    (b"7z\xbc\xaf\x27\x1c", "a 7z archive", UNPACK),
    (b"PAR1", "a Parquet file", "give the file a name that ends in .parquet"),
    (b"ARROW1", "an Arrow file", "give the file a name that ends in .arrow"),
    (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "an Excel workbook of the old format", EXPORT),
    (b"%PDF-", "a PDF document", "a table must come as text"),
    (b"SQLite format 3\x00", "an SQLite database", "save the result of a query as CSV"),
    (b"\x89HDF", "an HDF5 file", "save the table as CSV or Parquet"),
    (b"\x93NUMPY", "an array of numpy", "save it as text"),
)
# The first bytes of an archive hold the name of its first file.
OFFICE = (b"[Content_Types].xml", b"_rels/", b"docProps/", b"xl/")
OPEN_DOCUMENT = b"mimetypeapplication/vnd.oasis.opendocument.spreadsheet"
ARRAY = re.compile(rb"(\xef\xbb\xbf)?\s*\[\s*(\{|\]|\[)")
OBJECT = re.compile(rb'(\xef\xbb\xbf)?\s*\{\s*(\}|"([^"\\]|\\.)*"\s*:)')


def refuse_other_format(start: bytes, label: str) -> None:
    """Raise an error that names the format of a file which is not delimited text; ``start`` is how it begins."""
    other = _format(start)
    if other is not None:
        what, way = other
        raise DataError(
            f"{label} is {what}, not delimited text", slug="data.other-format", hints=[way]
        )


def _format(start: bytes) -> tuple[str, str] | None:
    for magic, what, way in FORMATS:
        if start.startswith(magic):
            return what, way
    if start.startswith(b"PK\x03\x04"):
        return _zipped(start)
    if start[8:9] == b"{" and int.from_bytes(start[:8], "little") < 1 << 32 and b"\0" in start[:8]:
        return "a model", "a table is needed here"
    if ARRAY.match(start):
        return "a JSON array", "write one object a line into a file whose name ends in .jsonl"
    if OBJECT.match(start):
        return "JSON", "one object a line is read from a file whose name ends in .jsonl"
    return None


def _zipped(start: bytes) -> tuple[str, str]:
    first = start[30:]
    if first.startswith(OPEN_DOCUMENT):
        return "an OpenDocument spreadsheet", EXPORT
    if first.startswith(OFFICE):
        return "an Excel workbook or another Office document", EXPORT
    return "a zip archive", UNPACK
