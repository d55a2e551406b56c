"""Stopping work that runs on another thread, such as a fit that a person waits for in a browser.

Ctrl-C stops the main thread. A thread that runs under `cancelable` is stopped by its flag: the core looks at it every
20 milliseconds while it works (see ``enter.rs``), and loops in Python may call `check_canceled` between two parts.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager

from treewright.errors import UsageError

__all__ = ["CancelFlag", "CanceledError", "cancelable", "check_canceled"]

_LOCAL = threading.local()


class CanceledError(UsageError):
    """The work was stopped by the person who asked for it."""

    def __init__(self) -> None:
        super().__init__("the work was stopped", slug="stopped")


class CancelFlag:
    """Tells a thread to stop; any other thread may set it."""

    def __init__(self) -> None:
        self._event = threading.Event()

    def cancel(self) -> None:
        """Stop the work."""
        self._event.set()

    def is_set(self) -> bool:
        """Whether the work was told to stop."""
        return self._event.is_set()


@contextmanager
def cancelable(flag: CancelFlag) -> Iterator[None]:
    """Let a flag stop what this thread does inside the ``with`` block."""
    before = getattr(_LOCAL, "flag", None)
    _LOCAL.flag = flag
    try:
        yield
    finally:
        _LOCAL.flag = before


def check_canceled() -> None:
    """Raise `CanceledError` if the flag of this thread is set."""
    flag = getattr(_LOCAL, "flag", None)
    if flag is not None and flag.is_set():
        raise CanceledError
