"""A bar on the terminal for work that takes longer than a second; elsewhere nothing."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import Any, TypeVar

from treewright.cli.app.console import Console

__all__ = ["counted", "told", "watched"]

PATIENCE = 1.0

T = TypeVar("T")


def watched(items: Iterable[T], total: int, what: str, console: Console) -> Iterator[T]:
    """Pass items on; after a second show how many of them are done."""
    if not console.watched():
        yield from items
        return
    start, bar = time.monotonic(), None
    try:
        for done, item in enumerate(items):
            yield item
            if bar is None and time.monotonic() - start > PATIENCE:
                bar = _Bar(what, total, console)
            if bar is not None:
                bar.show(done + 1)
    finally:
        if bar is not None:
            bar.close()


@contextmanager
def counted(what: str, console: Console) -> Iterator[Callable[[Any], None] | None]:
    """Give a callback for a learner in rounds, which after a second shows how many are done; None if nobody looks."""
    if not console.watched():
        yield None
        return
    start, bars = time.monotonic(), list[_Bar]()

    def told(now: Any) -> None:
        if not bars and time.monotonic() - start > PATIENCE:
            bars.append(_Bar(what, now.of, console))
        for bar in bars:
            bar.show(now.number)

    try:
        yield told
    finally:
        for bar in bars:
            bar.close()


@contextmanager
def told(model: Any, console: Console) -> Iterator[None]:
    """While a model of many trees learns, show after a second how many of them are done."""
    if "verbose" not in model.get_params(deep=False) or not console.watched():
        yield
        return
    start, bars = time.monotonic(), list[_Bar]()

    def tell(done: int, total: int) -> None:
        if not bars and time.monotonic() - start > PATIENCE:
            bars.append(_Bar("growing", total, console))
        for bar in bars:
            bar.show(done)

    model.set_params(verbose=tell)
    try:
        yield
    finally:
        model.set_params(verbose=0)
        for bar in bars:
            bar.close()


class _Bar:
    def __init__(self, what: str, total: int, console: Console) -> None:
        import sys

        from rich.console import Console as Rich
        from rich.progress import Progress

        rich = Rich(stderr=True, no_color=not console.colors(sys.stderr))
        self._progress = Progress(console=rich, transient=True)
        self._task = self._progress.add_task(what, total=total)
        self._progress.start()

    def show(self, done: int) -> None:
        self._progress.update(self._task, completed=done)

    def close(self) -> None:
        self._progress.stop()
