"""Bytes of delimited text: a path, bytes in memory, or an open binary file, in any encoding.

Feeds the core's CSV reader piece by piece: nothing is read before it is needed, and one piece is held at a time. A file
that is not text is identified by its first bytes, so that the error names its format. To read a compressed file,
decompress in ``open_binary`` and drop its row of ``SIGNATURES``.
"""

from __future__ import annotations

import codecs
import contextlib
import io
import os
import re
from collections.abc import Iterator, Sequence
from typing import Any

from treewright import _core
from treewright._reading.file_formats import file_format
from treewright._render.numbers import count
from treewright._render.safe_text import visible
from treewright.errors import DataError, Hint, UsageError

__all__ = ["Binary", "CsvFeed", "Dialect", "is_model", "is_text", "open_binary", "source_label"]

Binary = Any  # a path, bytes, or anything with read(); Python has no one type for it
PIECE = 1 << 20
MAX_CELL = 1 << 20
UTF_8 = ("utf-8", "utf-8-sig")
SIGNATURE_LENGTH = 128  # bytes that identify a format
PICKLE = b"\x80"  # never the first byte of UTF-8 text
UNPACK = "unpack it first"
EXPORT = "save the sheet as CSV"
# The first bytes of other formats, their name, and what to do.
SIGNATURES: tuple[tuple[bytes, str, str], ...] = (
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
# A zip archive begins with the name of its first file.
OFFICE = (b"[Content_Types].xml", b"_rels/", b"docProps/", b"xl/")
OPEN_DOCUMENT = b"mimetypeapplication/vnd.oasis.opendocument.spreadsheet"
ARRAY = re.compile(rb"(\xef\xbb\xbf)?\s*\[\s*(\{|\]|\[)")
OBJECT = re.compile(rb'(\xef\xbb\xbf)?\s*\{\s*(\}|"([^"\\]|\\.)*"\s*:)')


class Dialect:
    """How a text file is written; the options are checked.

    Parameters
    ----------
    delimiter : str or None, default=None
        One ASCII character; None takes it from the first line.
    missing : sequence of str, default=("", "?")
        The cells that stand for a missing value.
    ragged : {"error", "drop"}, default="error"
        What to do with rows with more or fewer fields than the header.
    encoding : str, default="utf-8"
        Any text encoding that Python knows.
    """

    def __init__(
        self,
        delimiter: str | None = None,
        missing: Sequence[str] = ("", "?"),
        ragged: str = "error",
        encoding: str = "utf-8",
    ) -> None:
        if delimiter is not None and (
            len(delimiter) != 1 or not delimiter.isascii() or delimiter in '"\r\n\0'
        ):
            raise UsageError(
                f"a delimiter is one ASCII character, not {visible(repr(delimiter))}",
                slug="usage",
                hints=[
                    Hint(option="delimiter", value=";"),
                    "or leave it out: it is found in the first line",
                ],
            )
        if ragged not in ("error", "drop"):
            raise UsageError(
                f'ragged is "error" or "drop", not {visible(repr(ragged))}', slug="usage"
            )
        if isinstance(missing, str):
            raise UsageError("missing is a list of texts, not one text", slug="usage")
        try:
            "".encode(encoding)
            self.encoding = codecs.lookup(encoding).name
        except (LookupError, ValueError):
            raise UsageError(
                f"there is no text encoding called {visible(repr(encoding))}",
                slug="usage",
                hints=[Hint(option="encoding", value="cp1252"), "others: latin-1, utf-16, utf-8"],
            ) from None
        self.delimiter = delimiter
        # A file cannot hold a lone surrogate.
        self.missing = [text for text in missing if is_text(text)]
        self.ragged = ragged

    @classmethod
    def of(cls, source: Binary, delimiter: str | None, *options: Any) -> Dialect:
        """Return the dialect of a source; the fields of a ``.tsv`` file are separated by tabs by default."""
        tab = delimiter is None and file_format(source) == "tab-separated"
        return cls("\t" if tab else delimiter, *options)

    def reader(self, label: str) -> _core.CsvReader:
        """Return the core's reader of such a file."""
        delimiter = None if self.delimiter is None else ord(self.delimiter)
        return _core.CsvReader(label, delimiter, self.ragged == "drop", MAX_CELL)


def is_text(text: str) -> bool:
    """Whether a file can hold a text: a lone surrogate cannot be written."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def source_label(source: Binary, label: str | None = None) -> str:
    """Return the name of a source in errors: its path if it has one."""
    if label is None:
        known = source if isinstance(source, (str, os.PathLike)) else getattr(source, "name", None)
        label = os.fsdecode(known) if isinstance(known, (str, bytes, os.PathLike)) else "the table"
    return visible(label)


@contextlib.contextmanager
def open_binary(source: Binary) -> Iterator[Any]:
    """Open a source for reading bytes; a file that the caller opened stays open."""
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


class CsvFeed:
    """Feeds the core's CSV reader from a file."""

    def __init__(self, file: Any, dialect: Dialect, label: str) -> None:
        self.label = label
        self.reader = dialect.reader(label)
        self._read = getattr(file, "read1", file.read)
        self._decoder = None
        self._encoding = dialect.encoding
        self._line, self._fed = 1, 0
        if dialect.encoding not in UTF_8:
            self._decoder = codecs.getincrementaldecoder(dialect.encoding)()

    def header(self) -> list[str]:
        """Return the names of the columns."""
        while (header := self.reader.header()) is None:
            self.reader.feed(self._next_piece())
        return header

    def chunks(self, rows: int) -> Iterator[_core.CsvChunk]:
        """Yield all rows, at most ``rows`` at a time."""
        while (chunk := self.reader.read(rows)) is None or chunk.rows:
            if chunk is None:
                self.reader.feed(self._next_piece())
            else:
                yield chunk

    def _next_piece(self) -> bytes:
        """Return the next piece as UTF-8; empty only at the end."""
        while True:
            piece = self._read(PIECE)
            if not isinstance(piece, (bytes, bytearray, memoryview)):
                raise UsageError(f"{self.label} must be opened in binary mode", slug="usage")
            if not self._fed:
                piece = self._check_beginning(bytes(piece))
            self._fed += len(piece)
            if self._decoder is None:
                return bytes(piece)
            text = self._decode(self._decoder, bytes(piece))
            if text or not piece:
                return text

    def _check_beginning(self, piece: bytes) -> bytes:
        """Return enough of the beginning to identify the format; raise an error if it is not text."""
        while len(piece) < SIGNATURE_LENGTH and (more := self._read(SIGNATURE_LENGTH - len(piece))):
            piece += bytes(more)
        _refuse_other_format(piece, self.label)
        return piece

    def _decode(self, decoder: codecs.IncrementalDecoder, piece: bytes) -> bytes:
        try:
            text = decoder.decode(piece, final=not piece).encode()
        except UnicodeError as error:
            raise self._undecodable(error) from None
        self._line += text.count(b"\n")
        return text

    def _undecodable(self, error: UnicodeError) -> DataError:
        line, seen = self._line, ""
        if isinstance(error, UnicodeDecodeError):
            line += error.object[: error.start].count(b"\n")
            offset = self._fed - len(error.object) + error.start
            byte = error.object[error.start : error.start + 1].hex().upper()
            seen = f": byte 0x{byte} at offset {count(offset)}"
        return DataError(
            f"{self.label} line {count(line)} is not {self._encoding}{seen}",
            slug="data.encoding",
            hints=[Hint(option="encoding", note="another one"), "or save the file as UTF-8"],
        )


def is_model(path: str) -> bool:
    """Return whether a file is a model or a pickle by its first bytes, whatever it is called."""
    with open(path, "rb") as file:
        start = file.read(SIGNATURE_LENGTH)
    return _is_model(start) or start.startswith(PICKLE)


def _is_model(start: bytes) -> bool:
    return start[8:9] == b"{" and int.from_bytes(start[:8], "little") < 1 << 32


def _refuse_other_format(start: bytes, label: str) -> None:
    """Raise an error that names the format of a file that is not delimited text."""
    other = _format(start)
    if other is not None:
        what, advice = other
        message = f"{label} is {what}, not delimited text"
        raise DataError(message, slug="data.other-format", hints=[advice])


def _format(start: bytes) -> tuple[str, str] | None:
    for magic, what, advice in SIGNATURES:
        if start.startswith(magic):
            return what, advice
    if start.startswith(b"PK\x03\x04"):
        return _zipped(start)
    if _is_model(start):
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
