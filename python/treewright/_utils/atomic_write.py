"""Writing a file so that a reader finds the old one or the new one, whole, whatever happens in between.

The bytes go to a temporary file in the same directory, then to the disk, and only then does the file take its name. If
anything fails, a full disk or Ctrl-C included, the old file is as it was and the temporary one is gone. Killing the
process leaves at most that temporary file, which the next write into the directory removes.

Not here: what is written.

Glossary: a *temp* is one of our temporary files; a writer holds a lock on its own while it lives, and the kernel lets
go of it when the writer dies, so a temp that can be locked has no writer any more.
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
# Windows is binary only when asked; a pipe must not make us wait.
OPEN = getattr(os, "O_BINARY", 0) | getattr(os, "O_NONBLOCK", 0)
OPEN_TEMP = OPEN | getattr(os, "O_NOFOLLOW", 0)


def write(path: str | os.PathLike[str], data: bytes) -> None:
    """Write a whole file or nothing.

    A file that is already there keeps its mode; a new one gets the mode that any new file would get. A symbolic link
    stays a link: the file it leads to is written.

    Parameters
    ----------
    path : str or path-like
        Where to write.
    data : bytes
        The whole contents.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     write(pathlib.Path(folder) / "a.txt", b"whole")
    ...     [(p.name, p.read_bytes()) for p in pathlib.Path(folder).iterdir()]
    [('a.txt', b'whole')]
    """
    with writing(path) as append:
        append(data)


@contextlib.contextmanager
def writing(path: str | os.PathLike[str]) -> Iterator[Callable[[bytes], object]]:
    """Write a whole file piece by piece, or nothing: the file appears when the block ends without an error.

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
    with _named(name):
        target = os.path.realpath(name)
        mode, folder = _mode(target), os.path.dirname(target)
        _remove_dead(folder)
        temp, file = _create(folder, private=mode is not None)

    def append(data: bytes) -> object:
        with _named(name):
            return file.write(data)

    try:
        yield append
        with _named(name):
            _finish(file, mode, temp, target)
    except BaseException:
        for undo in (file.close, lambda: os.unlink(temp)):
            with contextlib.suppress(OSError):  # a full disk fails again when the file is closed
                undo()
        raise
    with _named(name):
        _sync(folder)


@contextlib.contextmanager
def _named(path: str) -> Iterator[None]:
    """Let an error say the caller's own path, never the temp's."""
    try:
        yield
    except OSError as error:
        raise OSError(error.errno, error.strerror, path) from error


def _finish(file: BinaryIO, mode: int | None, temp: str, target: str) -> None:
    """Bring the bytes to the disk and give the file its name."""
    file.flush()
    _set_mode(file.fileno(), mode)
    os.fsync(file.fileno())
    if sys.platform == "win32":
        file.close()  # only a closed file can be renamed there
    os.replace(temp, target)  # elsewhere still locked: nobody takes the temp for a dead one
    file.close()


def _mode(target: str) -> int | None:
    """Return the permissions of the file that will be replaced, None where there is none."""
    try:
        status = os.lstat(target)
    except FileNotFoundError:
        if os.path.isdir(os.path.dirname(target)):
            return None
        raise FileNotFoundError(errno.ENOENT, "there is no such directory") from None
    if stat.S_ISDIR(status.st_mode):
        raise IsADirectoryError(errno.EISDIR, "this is a directory, not a file")
    if stat.S_ISLNK(status.st_mode):  # every link that leads anywhere has been followed
        raise OSError(errno.ELOOP, "this link leads to itself")
    if not stat.S_ISREG(status.st_mode):
        raise OSError(errno.EINVAL, "this is a device or a pipe, not a file")
    if not os.access(target, os.W_OK):
        raise PermissionError(errno.EACCES, "this file is read-only")
    return stat.S_IMODE(status.st_mode) & 0o777


def _set_mode(descriptor: int, mode: int | None) -> None:
    if mode is None or sys.platform == "win32":
        return
    # Some file systems have one mode for all files and refuse to change it.
    if stat.S_IMODE(os.fstat(descriptor).st_mode) != mode:
        os.fchmod(descriptor, mode)


def _create(folder: str, *, private: bool) -> tuple[str, BinaryIO]:
    """Create a temp that nobody else has, and lock it."""
    while True:
        temp = os.path.join(folder, f".treewright-{os.urandom(8).hex()}.tmp")
        # What replaces a file may be readable only once it has that file's mode; a new file is like any other.
        rights = 0o600 if private else 0o666
        file = os.fdopen(
            os.open(temp, os.O_WRONLY | os.O_CREAT | os.O_EXCL | OPEN_TEMP, rights), "wb"
        )
        _lock(file.fileno(), wait=True)
        # Another writer may have taken the temp for a dead one before it was locked.
        if os.fstat(file.fileno()).st_nlink:
            return temp, file
        file.close()


def _remove_dead(folder: str) -> None:
    """Remove the temps whose writers were killed. What cannot be removed is left: it does no harm."""
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
    """Lock a file. Where locks do not work nobody gets one, and so no temp is taken for dead."""
    if sys.platform == "win32":
        return False
    import fcntl

    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | (0 if wait else fcntl.LOCK_NB))
    except OSError:
        return False
    return True


def _sync(folder: str) -> None:
    """Make the new name survive a power cut. Some file systems cannot, and say so; the file is whole anyway."""
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
