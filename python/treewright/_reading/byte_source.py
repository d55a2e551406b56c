"""Where bytes of delimited text come from: a path, bytes in memory, or an open binary file, in any encoding.

The core is fed pieces and asks for more; this module does the asking. Nothing is read before it is needed, and only one
piece is held at a time.
"""

from __future__ import annotations

import codecs
import contextlib
import io
import os
from collections.abc import Iterator, Sequence
from typing import Any

from treewright import _core
from treewright._reading.file_signatures import LONGEST, refuse_other_format
from treewright._render.numbers import count
from treewright._render.safe_text import visible
from treewright.errors import DataError, Hint, UsageError

__all__ = ["Binary", "Dialect", "Pieces", "is_text", "label_of", "opened"]

Binary = Any  # a path, bytes, or anything with read(); Python has no one type for it
PIECE = 1 << 20
LONGEST_CELL = 1 << 20
UTF_8 = ("utf-8", "utf-8-sig")


class Dialect:
    """How a text file is written: what the user said, checked.

    Parameters
    ----------
    delimiter : str or None, default=None
        One ASCII character; None finds it in the first line.
    missing : sequence of str, default=("", "?")
        The cells that stand for a missing value.
    ragged : {"error", "drop"}, default="error"
        What becomes of rows with more or fewer fields than the header.
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
        # What no text can hold cannot stand in a file.
        self.missing = [text for text in missing if is_text(text)]
        self.ragged = ragged

    def reader(self, label: str) -> _core.CsvReader:
        """Return the core's reader of such a file."""
        delimiter = None if self.delimiter is None else ord(self.delimiter)
        return _core.CsvReader(label, delimiter, self.ragged == "drop", LONGEST_CELL)


def is_text(text: str) -> bool:
    """Whether a text can stand in a file: a lone surrogate cannot."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def label_of(source: Binary, label: str | None = None) -> str:
    """Return what errors call a source: its path where it has one."""
    if label is None:
        known = source if isinstance(source, (str, os.PathLike)) else getattr(source, "name", None)
        label = os.fsdecode(known) if isinstance(known, (str, bytes, os.PathLike)) else "the table"
    return visible(label)


@contextlib.contextmanager
def opened(source: Binary) -> Iterator[Any]:
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


class Pieces:
    """A file that feeds the core's reader."""

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
            self.reader.feed(self._piece())
        return header

    def chunks(self, rows: int) -> Iterator[_core.CsvChunk]:
        """Give all rows, at most so many at a time."""
        while (chunk := self.reader.read(rows)) is None or chunk.rows:
            if chunk is None:
                self.reader.feed(self._piece())
            else:
                yield chunk

    def _piece(self) -> bytes:
        """Return the next piece as UTF-8; nothing only at the end."""
        while True:
            piece = self._read(PIECE)
            if not isinstance(piece, (bytes, bytearray, memoryview)):
                raise UsageError(f"{self.label} must be opened in binary mode", slug="usage")
            if not self._fed:
                piece = self._beginning(bytes(piece))
            self._fed += len(piece)
            if self._decoder is None:
                return bytes(piece)
            text = self._decode(self._decoder, bytes(piece))
            if text or not piece:
                return text

    def _beginning(self, piece: bytes) -> bytes:
        """Return enough of the beginning to tell what the file is, and refuse what is not text."""
        while len(piece) < LONGEST and (more := self._read(LONGEST - len(piece))):
            piece += bytes(more)
        refuse_other_format(piece, self.label)
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
