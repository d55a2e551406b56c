"""Signal handlers of the command line: they raise exceptions, so that every temporary file is removed.

Only the command line installs handlers; the library never does.
"""

from __future__ import annotations

import signal
import time
from types import FrameType

__all__ = ["Stopped", "ignore", "install"]

# A second Ctrl-C within this time (in seconds) must not interrupt the cleanup that the first has started.
PATIENCE = 1.0
# Windows has no SIGHUP.
HANDLED = [
    signal.Signals[name]
    for name in ("SIGINT", "SIGTERM", "SIGHUP")
    if name in signal.Signals.__members__
]


class Stopped(BaseException):
    """The process got a signal to end; its exit code is 128 plus the signal, as in shells."""

    def __init__(self, number: int) -> None:
        super().__init__(number)
        self.code = 128 + number


def install() -> None:
    """Let SIGINT raise KeyboardInterrupt, and SIGTERM and SIGHUP raise Stopped."""
    for number in HANDLED:
        _replace(number, _interrupt if number == signal.SIGINT else _stop)


def ignore() -> None:
    """Ignore signals from now on: the process ends with the exit code that it has."""
    for number in HANDLED:
        signal.signal(number, signal.SIG_IGN)


def _replace(number: signal.Signals, handler: signal._HANDLER) -> None:
    # A signal that the calling process ignores (nohup) stays ignored.
    if signal.getsignal(number) != signal.SIG_IGN:
        signal.signal(number, handler)


_last = -PATIENCE


def _interrupt(number: int, frame: FrameType | None) -> None:
    global _last
    now = time.monotonic()
    if now - _last >= PATIENCE:
        _last = now
        raise KeyboardInterrupt


def _stop(number: int, frame: FrameType | None) -> None:
    signal.signal(number, signal.SIG_IGN)
    raise Stopped(number)
