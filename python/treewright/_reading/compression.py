"""Compressed files as streams of their content: gzip, bzip2, xz, Zstandard, and zip archives with one file in them.

Nothing is unpacked before it is asked for. A file that expands without end is stopped (``MAX_RATIO``).
"""

from __future__ import annotations

import bz2
import contextlib
import gzip
import importlib
import io
import lzma
import tempfile
import zipfile
import zlib
from collections.abc import Iterator
from typing import Any

from treewright._reading.file_parts import which_part
from treewright._render.numbers import count
from treewright.errors import DataError, UsageError

__all__ = ["Unpacked", "as_seekable", "broken_archive", "check_expansion", "open_member", "unpack"]

# A table of text shrinks to a twentieth, one with the same row again and again to a thousandth.
MAX_RATIO = 1000
ALWAYS_ALLOWED = 1 << 28  # bytes; below it a file may expand as it likes
PIECE = 1 << 16
ZSTD_PIECE = 1 << 10  # expands to 32 MB at most
IN_MEMORY = 1 << 24
BROKEN = (EOFError, OSError, ValueError, zlib.error, lzma.LZMAError, zipfile.BadZipFile)
HIDDEN = ("__MACOSX/",)  # what a Macintosh adds to an archive


class Counted:
    """A file that counts the bytes that are read from it."""

    def __init__(self, file: Any) -> None:
        self.count = 0
        self._read = getattr(file, "read1", file.read)

    def read(self, size: int = -1) -> bytes:
        """Return the next bytes."""
        piece: bytes = self._read(size)
        self.count += len(piece)
        return piece


class Unpacked:
    """The content of a compressed file."""

    def __init__(self, content: Any, packed: Counted | int, label: str) -> None:
        self._read = getattr(content, "read1", content.read)
        self._packed, self._label, self._count = packed, label, 0

    def read(self, size: int = PIECE) -> bytes:
        """Return the next bytes, at most ``size``; empty only at the end."""
        try:
            piece: bytes = self._read(size)
        except MemoryError:
            raise
        except BROKEN as error:
            raise broken_archive(self._label, error) from None
        self._count += len(piece)
        packed = self._packed if isinstance(self._packed, int) else self._packed.count
        check_expansion(packed, self._count, self._label)
        return piece


def check_expansion(packed: int, unpacked: int, label: str) -> None:
    """Raise an error where a small file expands to an enormous one."""
    if unpacked > ALWAYS_ALLOWED and unpacked > MAX_RATIO * packed:
        raise DataError(
            f"{label} expands to more than {count(MAX_RATIO)} times its size: it is not unpacked further",
            slug="data.expands-too-much",
            hints=["unpack it yourself if you know where it comes from"],
        )


def unpack(file: Any, form: str, label: str) -> Unpacked:
    """Return the content of a gzip, bzip2, xz or Zstandard file."""
    packed = Counted(file)
    if form == "zstd":
        return Unpacked(_open_zstd(packed, label), packed, label)
    openers: dict[str, Any] = {"gzip": _open_gzip, "bzip2": bz2.BZ2File, "xz": lzma.LZMAFile}
    return Unpacked(openers[form](packed), packed, label)


def _open_gzip(file: Any) -> gzip.GzipFile:
    return gzip.GzipFile(fileobj=file)


def _open_zstd(file: Any, label: str) -> Any:
    try:
        return importlib.import_module("compression.zstd").ZstdFile(file)  # Python 3.14 has its own
    except ImportError:
        pass
    try:
        zstandard = importlib.import_module("zstandard")
    except ImportError:
        raise UsageError(
            f"{label} is a Zstandard file; reading it needs Python 3.14 or the package zstandard",
            slug="usage",
            hints=['try: pip install "treewright[zstd]"'],
        ) from None
    return _Pieces(_zstd_pieces(file, zstandard))


def _zstd_pieces(file: Any, zstandard: Any) -> Iterator[bytes]:
    """Yield the content piece by piece; the package's own streams do not notice a file that is cut short."""
    decoder = None
    while packed := file.read(ZSTD_PIECE):
        while packed:
            decoder = decoder or zstandard.ZstdDecompressor().decompressobj()
            try:
                yield decoder.decompress(packed)
            except zstandard.ZstdError as error:
                raise ValueError(str(error)) from None
            packed = decoder.unused_data
            if decoder.eof:
                decoder = None
    if decoder is not None:
        raise EOFError("the file ends before its content does")


class _Pieces:
    """Pieces of bytes as a file."""

    def __init__(self, pieces: Iterator[bytes]) -> None:
        self._pieces, self._rest = pieces, b""

    def read(self, size: int) -> bytes:
        while not self._rest:
            piece = next(self._pieces, None)
            if piece is None:
                return b""
            self._rest = piece
        piece, self._rest = self._rest[:size], self._rest[size:]
        return piece


@contextlib.contextmanager
def as_seekable(file: Any) -> Iterator[Any]:
    """Open a file in which one can move; a pipe is copied to a temporary one."""
    if isinstance(file, io.IOBase) and file.seekable():
        yield file
        return
    with tempfile.SpooledTemporaryFile(max_size=IN_MEMORY) as copy:
        while piece := file.read(PIECE):
            copy.write(piece)
        copy.seek(0)
        yield copy


def open_member(archive: zipfile.ZipFile, part: str | None, label: str) -> tuple[str, Unpacked]:
    """Return the name and the content of the only file of a zip archive, or of the one that is named."""
    files = [
        info
        for info in archive.infolist()
        if not info.is_dir() and not info.filename.startswith(HIDDEN)
    ]
    names = [info.filename for info in files]
    if part is None and len(files) == 1:
        part = names[0]
    if part not in names:
        raise which_part(label, part, "file", names)
    info = files[names.index(part)]
    if info.flag_bits & 1:
        raise DataError(
            f"{label} is protected by a password", slug="data.unreadable", hints=["unpack it first"]
        )
    try:
        content = archive.open(info)
    except (*BROKEN, NotImplementedError) as error:
        raise broken_archive(label, error) from None
    return part, Unpacked(content, max(info.compress_size, 1), label)


def broken_archive(label: str, error: Exception) -> DataError:
    """Return the error about a file that cannot be unpacked."""
    return DataError(
        f"{label} is damaged or cut short",
        slug="data.damaged-archive",
        hints=[f"{type(error).__name__}: {error}"],
    )
