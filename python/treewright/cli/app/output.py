"""A result that goes to standard output or to a file, row by row, and is whole or not there at all.

A file appears under its name only when everything has been written; until then, and after any failure, the file that
was there before is untouched. Standard output cannot take anything back.
"""

from __future__ import annotations

import contextlib
import os
import stat
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from io import RawIOBase
from typing import Any

from treewright._render.csv_text import csv_text
from treewright._utils import atomic_write as _atomic
from treewright.cli.app.console import data_out
from treewright.errors import UsageError

__all__ = ["csv_out", "csv_text", "document_out", "refuse_place", "sink"]

Write = Callable[[str | bytes], object]


@contextlib.contextmanager
def sink(path: str | None, *inputs: str) -> Iterator[Write]:
    """Give a function that writes text as UTF-8 to a file, or to standard output for None and ``-``.

    ``inputs`` are the files that are being read: none of them is overwritten.
    """
    if path is None or path == "-":
        yield lambda text: data_out(text if isinstance(text, str) else text.decode())
    elif _is_special(path):
        with open(path, "wb", buffering=0) as stream:  # closing it has nothing left to fail with
            yield lambda text: _append(stream, _bytes(text), path)
    else:
        refuse_place(path, *inputs)
        with _atomic.writing(path) as append:
            yield lambda text: append(_bytes(text))


def document_out(text: str | bytes, path: str | None, *inputs: str) -> None:
    """Write a whole document."""
    if isinstance(text, bytes) and path in (None, "-"):
        sys.stdout.flush()
        sys.stdout.buffer.write(text)
        sys.stdout.buffer.flush()
        return
    with sink(path, *inputs) as write:
        write(text)


def csv_out(rows: Sequence[Mapping[str, Any]], path: str | None, *inputs: str) -> None:
    """Write rows as comma-separated text."""
    document_out(csv_text(rows), path, *inputs)


def refuse_place(path: str, *inputs: str) -> None:
    """Refuse a path where no file can be, or where the file is that is being read."""
    for name in inputs:
        with contextlib.suppress(OSError):
            if os.path.samefile(path, name):
                raise UsageError(
                    f"-o {path} would overwrite what is read",
                    slug="usage",
                    hints=["give another name"],
                )
    folder = os.path.dirname(path)
    if folder and not os.path.isdir(folder):
        raise UsageError(f"there is no directory {folder} for {path}", slug="file.no-directory")
    if os.path.isdir(path):
        raise UsageError(
            f"{path} is a directory",
            slug="file.is-a-directory",
            hints=["give the name of a file in it"],
        )


def _bytes(text: str | bytes) -> bytes:
    return text.encode() if isinstance(text, str) else text


def _is_special(path: str) -> bool:
    """Whether a path is a pipe or a device: there is nothing to replace, so it is written to directly."""
    with contextlib.suppress(OSError):
        mode = os.stat(path).st_mode
        return not stat.S_ISREG(mode) and not stat.S_ISDIR(mode)
    return False


def _append(stream: RawIOBase, data: bytes, path: str) -> None:
    rest = memoryview(data)
    try:
        while rest:
            rest = rest[stream.write(rest) or 0 :]
    except OSError as error:
        error.filename = path  # a full device does not know its name
        raise
