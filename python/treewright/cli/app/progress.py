"""A progress bar on the terminal for work that takes longer than a second; elsewhere nothing."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import Any, TypeVar

from treewright.cli.app.console import Console

__all__ = ["fit_arguments", "progress_bar", "search_progress"]

DELAY = 1.0  # seconds before the bar appears

T = TypeVar("T")
Show = Callable[[int, int], None]  # how many are done, and of how many


@contextmanager
def _bar(what: str, console: Console) -> Iterator[Show]:
    """Give a function that shows how much is done; the bar appears after a second."""
    start, bars = time.monotonic(), list[_Bar]()

    def show(done: int, total: int) -> None:
        if not bars and time.monotonic() - start > DELAY:
            bars.append(_Bar(what, total, console))
        for bar in bars:
            bar.show(done)

    try:
        yield show
    finally:
        for bar in bars:
            bar.close()


def progress_bar(items: Iterable[T], total: int, what: str, console: Console) -> Iterator[T]:
    """Pass items on, and show how many of them are done."""
    if not console.is_interactive():
        yield from items
        return
    with _bar(what, console) as show:
        for done, item in enumerate(items):
            yield item
            show(done + 1, total)


@contextmanager
def fit_arguments(model: Any, rounds: bool, console: Console) -> Iterator[dict[str, Any]]:
    """Give further arguments of ``fit`` so that an ensemble shows how many of its trees are done.

    A model that is trained in rounds takes a callback; other ensembles take a function as ``verbose``. The search
    for an optimal tree takes a callback, too.
    """
    if "time_limit" in model.get_params(deep=False):
        with search_progress("searching", console) as callback:
            yield {"callback": callback}
        return
    verbose = "verbose" in model.get_params(deep=False)
    if not console.is_interactive() or not (rounds or verbose):
        yield {}
        return
    with _bar("boosting" if rounds else "growing", console) as show:
        if rounds:
            yield {"callback": lambda now: show(now.number, now.of)}
            return
        model.set_params(verbose=show)
        try:
            yield {}
        finally:
            model.set_params(verbose=0)


@contextmanager
def search_progress(
    what: str, console: Console
) -> Iterator[Callable[[float, float, float], None] | None]:
    """Give a callback of a search for the best tree, which shows the best tree and the lower bound so far.

    The bar is full when both are equal.
    """
    if not console.is_interactive():
        yield None
        return
    bars, last, lock = list[_Bar](), list[tuple[float, float]](), threading.Lock()

    def draw() -> None:
        with lock:
            for best, bound in last:
                if not bars:
                    bars.append(_Bar(what, 1000, console))
                closed = 1.0 if best <= bound else max(bound, 0.0) / best
                bars[0].show(int(1000 * closed), f"{what}: best {best:g}, lower bound {bound:g}")

    def show(_seconds: float, best: float, bound: float) -> None:
        with lock:
            last[:] = [(best, bound)]
        if bars:
            draw()

    # A search may have nothing new to tell for minutes: the bar appears with what is known then.
    timer = threading.Timer(DELAY, draw)
    timer.daemon = True
    timer.start()
    try:
        yield show
    finally:
        timer.cancel()
        with lock:
            last.clear()
            for bar in bars:
                bar.close()


class _Bar:
    def __init__(self, what: str, total: int, console: Console) -> None:
        import sys

        from rich.console import Console as Rich
        from rich.progress import Progress

        rich = Rich(stderr=True, no_color=not console.uses_color(sys.stderr))
        self._progress = Progress(console=rich, transient=True)
        self._task = self._progress.add_task(what, total=total)
        self._progress.start()

    def show(self, done: int, what: str | None = None) -> None:
        self._progress.update(self._task, completed=done, description=what)

    def close(self) -> None:
        self._progress.stop()
