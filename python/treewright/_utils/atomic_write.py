"""Atomic writes: a reader finds the complete old file or the complete new one, whatever happens in between.

The bytes go to a temporary file in the same directory, are synced to disk, and then the file is renamed. If anything
fails, a full disk or Ctrl-C included, the old file is unchanged and the temporary one is removed. A killed process
leaves at most that temporary file, which the next write into the directory removes.

Glossary: a *temp* is one of our temporary files. A writer locks its temp, and the kernel releases the lock when the
writer dies, so a temp that can be locked has no writer any more.
"""

from __future__ import annotations

import contextlib
import errno
import os
import re
import stat
import sys
from collections.abc import Callable, Iterator
from typing import BinaryIO

__all__ = ["write", "writing"]

TEMP = re.compile(r"\.treewright-[0-9a-f]{16}\.tmp")
# Binary mode on Windows; opening a pipe must not block.
OPEN = getattr(os, "O_BINARY", 0) | getattr(os, "O_NONBLOCK", 0)
OPEN_TEMP = OPEN | getattr(os, "O_NOFOLLOW", 0)


def write(path: str | os.PathLike[str], data: bytes) -> None:
    """Write a complete file or nothing.

    An existing file keeps its mode; a new one gets the default mode. A symbolic link stays a link: its target is
    written.

    Parameters
    ----------
    path : str or path-like
        Where to write.
    data : bytes
        The contents.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     write(pathlib.Path(folder) / "a.txt", b"text")
    ...     [(p.name, p.read_bytes()) for p in pathlib.Path(folder).iterdir()]
    [('a.txt', b'text')]
    """
    with writing(path) as append:
        append(data)


@contextlib.contextmanager
def writing(path: str | os.PathLike[str]) -> Iterator[Callable[[bytes], object]]:
    """Write a complete file piece by piece, or nothing: the file appears when the block ends without an error.

    Parameters
    ----------
    path : str or path-like
        Where to write; modes and links are treated as by :func:`write`.

    Yields
    ------
    callable
        Takes the next bytes.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     file = pathlib.Path(folder) / "a.txt"
    ...     with writing(file) as append:
    ...         _ = append(b"one, "), append(b"two")
    ...         file.exists()
    ...     file.read_bytes()
    False
    b'one, two'
    """
    name = os.fsdecode(path)
    with _with_path(name):
        target = os.path.realpath(name)
        mode, folder = _mode(target), os.path.dirname(target)
        _remove_dead(folder)
        temp, file = _create(folder, private=mode is not None)

    def append(data: bytes) -> object:
        with _with_path(name):
            return file.write(data)

    try:
        yield append
        with _with_path(name):
            _finish(file, mode, temp, target)
    except BaseException:
        for undo in (file.close, lambda: os.unlink(temp)):
            with contextlib.suppress(OSError):  # on a full disk, closing the file fails again
                undo()
        raise
    with _with_path(name):
        _sync(folder)


@contextlib.contextmanager
def _with_path(path: str) -> Iterator[None]:
    """Let an error name the caller's path, not the temp."""
    try:
        yield
    except OSError as error:
        raise OSError(error.errno, error.strerror, path) from error


def _finish(file: BinaryIO, mode: int | None, temp: str, target: str) -> None:
    """Sync the bytes to disk and rename the file."""
    file.flush()
    _set_mode(file.fileno(), mode)
    os.fsync(file.fileno())
    if sys.platform == "win32":
        file.close()  # Windows renames only closed files
    os.replace(temp, target)  # elsewhere it is still locked, so no other writer removes it
    file.close()


def _mode(target: str) -> int | None:
    """Return the permissions of the file that will be replaced, None if there is none."""
    try:
        status = os.lstat(target)
    except FileNotFoundError:
        if os.path.isdir(os.path.dirname(target)):
            return None
        raise FileNotFoundError(errno.ENOENT, "there is no such directory") from None
    if stat.S_ISDIR(status.st_mode):
        raise IsADirectoryError(errno.EISDIR, "this is a directory, not a file")
    if stat.S_ISLNK(status.st_mode):  # realpath followed every link that leads anywhere
        raise OSError(errno.ELOOP, "this link leads to itself")
    if not stat.S_ISREG(status.st_mode):
        raise OSError(errno.EINVAL, "this is a device or a pipe, not a file")
    if not os.access(target, os.W_OK):
        raise PermissionError(errno.EACCES, "this file is read-only")
    return stat.S_IMODE(status.st_mode) & 0o777


def _set_mode(descriptor: int, mode: int | None) -> None:
    if mode is None or sys.platform == "win32":
        return
    # Some file systems have one mode for all files and cannot change it.
    if stat.S_IMODE(os.fstat(descriptor).st_mode) != mode:
        os.fchmod(descriptor, mode)


def _create(folder: str, *, private: bool) -> tuple[str, BinaryIO]:
    """Create a new temp and lock it."""
    while True:
        temp = os.path.join(folder, f".treewright-{os.urandom(8).hex()}.tmp")
        # A replacement stays private until it has the mode of the file that it replaces.
        rights = 0o600 if private else 0o666
        file = os.fdopen(
            os.open(temp, os.O_WRONLY | os.O_CREAT | os.O_EXCL | OPEN_TEMP, rights), "wb"
        )
        _lock(file.fileno(), wait=True)
        # Another writer may have removed the temp before it was locked.
        if os.fstat(file.fileno()).st_nlink:
            return temp, file
        file.close()


def _remove_dead(folder: str) -> None:
    """Remove the temps whose writers were killed, as far as possible."""
    with contextlib.suppress(OSError), os.scandir(folder) as entries:
        temps = [entry.path for entry in entries if TEMP.fullmatch(entry.name)]
        for temp in temps:
            with contextlib.suppress(OSError):
                _remove_if_dead(temp)


def _remove_if_dead(temp: str) -> None:
    if sys.platform == "win32":
        os.unlink(temp)  # fails while its writer has it open
        return
    descriptor = os.open(temp, os.O_RDONLY | OPEN_TEMP)
    try:
        if stat.S_ISREG(os.fstat(descriptor).st_mode) and _lock(descriptor, wait=False):
            os.unlink(temp)
    finally:
        os.close(descriptor)


def _lock(descriptor: int, *, wait: bool) -> bool:
    """Lock a file. Without working locks this fails, so no temp is removed."""
    if sys.platform == "win32":
        return False
    import fcntl

    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | (0 if wait else fcntl.LOCK_NB))
    except OSError:
        return False
    return True


def _sync(folder: str) -> None:
    """Sync the directory, so that the new name survives a power failure; not all file systems can."""
    if sys.platform == "win32":
        return
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    except OSError as error:
        if error.errno not in (errno.EINVAL, errno.ENOTSUP):
            raise
    finally:
        os.close(descriptor)
