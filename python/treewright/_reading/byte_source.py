"""Bytes of delimited text for the core's CSV reader, piece by piece and in any encoding.

Nothing is read before it is needed, and one piece is held at a time.
"""

from __future__ import annotations

import codecs
import contextlib
from collections.abc import Iterator
from typing import Any

from treewright import _core
from treewright._reading.content import Binary, Content, open_content
from treewright._reading.dialect import Dialect
from treewright._render.numbers import count
from treewright.errors import DataError, Hint, UsageError

__all__ = ["CsvFeed", "open_feed"]

PIECE = 1 << 20
UTF_8 = ("utf-8", "utf-8-sig")


@contextlib.contextmanager
def open_feed(source: Binary | Content, dialect: Dialect, label: str) -> Iterator[CsvFeed]:
    """Open a source that holds text, or cells that can be written as text."""
    is_open = isinstance(source, Content)
    with contextlib.nullcontext(source) if is_open else open_content(source, label) as content:
        if content.is_typed:
            raise DataError(
                f"{label} is {content.name}, not delimited text",
                slug="data.other-format",
                hints=[Hint(call="read_table", arguments=("path",))],
            )
        if content.is_rewritten:
            dialect = dialect.of_cells()
        elif content.form == "tab-separated":
            dialect = dialect.with_tabs()
        yield CsvFeed(content.file, dialect, label)


class CsvFeed:
    """Feeds the core's CSV reader from a file."""

    def __init__(self, file: Any, dialect: Dialect, label: str) -> None:
        self.label, self.dialect = label, dialect
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
            self._fed += len(piece)
            if self._decoder is None:
                return bytes(piece)
            text = self._decode(self._decoder, bytes(piece))
            if text or not piece:
                return text

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
