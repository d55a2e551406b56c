"""A result that goes to standard output or to a file, row by row, and is whole or not there at all.

A file appears under its name only when everything has been written; until then, and after any failure, the file that
was there before is untouched. Standard output cannot take anything back.
"""

from __future__ import annotations

import contextlib
import os
import stat
import tempfile
from collections.abc import Callable, Iterator

from treewright.cli.console import data_out

__all__ = ["document_out", "sink"]

Write = Callable[[str], object]


@contextlib.contextmanager
def sink(path: str | None) -> Iterator[Write]:
    """Give a function that writes text as UTF-8 to a file, or to standard output for None and ``-``."""
    if path is None or path == "-":
        yield data_out
    elif _is_special(path):
        with open(path, "w", encoding="utf-8", newline="") as stream:
            yield stream.write
    else:
        with _whole_file(os.path.realpath(path)) as write:
            yield write


def document_out(text: str, path: str | None) -> None:
    """Write a whole document."""
    with sink(path) as write:
        write(text)


def _is_special(path: str) -> bool:
    """Whether a path is a pipe or a device: there is nothing to replace, so it is written to directly."""
    with contextlib.suppress(OSError):
        mode = os.stat(path).st_mode
        return not stat.S_ISREG(mode) and not stat.S_ISDIR(mode)
    return False


@contextlib.contextmanager
def _whole_file(path: str) -> Iterator[Write]:
    if os.path.isdir(path):
        raise IsADirectoryError(21, "this is a directory, not a file", path)
    folder = os.path.dirname(path)
    if not os.path.isdir(folder):
        raise FileNotFoundError(2, "there is no such directory", folder)
    number, temporary = tempfile.mkstemp(".tmp", ".treewright-", folder)
    try:
        with open(number, "w", encoding="utf-8", newline="") as stream:
            yield stream.write
            stream.flush()
            os.chmod(temporary, _mode(path))
            os.fsync(number)
        os.replace(temporary, path)
    except BaseException:
        with contextlib.suppress(OSError):
            os.unlink(temporary)
        raise


def _mode(path: str) -> int:
    """Return the permissions of the file to be replaced, or those that any new file gets."""
    try:
        return stat.S_IMODE(os.stat(path).st_mode)
    except FileNotFoundError:
        mask = os.umask(0)
        os.umask(mask)
        return 0o666 & ~mask
