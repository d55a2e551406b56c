"""Long work of the server: one job at a time on a thread of its own, with progress, and stopped when asked to.

The event loop stays free, so the page goes on answering while a model is trained.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeVar

from treewright._utils.cancellation import CanceledError, CancelFlag, cancelable
from treewright._web.server.failures import describe_error

__all__ = ["Jobs", "Watch"]

T = TypeVar("T")
# As in `compare`: gives the parts of some work one by one, and tells how many are done.
Watch = Callable[[Iterable[Any], int], Iterator[Any]]
Work = Callable[[Watch], Any]


class Jobs:
    """Runs work on one thread, one piece after the other."""

    def __init__(self) -> None:
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="treewright-workbench")
        self._flags: set[CancelFlag] = set()

    async def run(self, work: Callable[[], T]) -> T:
        """Run short work and return its result; what it raises is raised here."""
        loop, flag = asyncio.get_running_loop(), self._new_flag()
        try:
            return await loop.run_in_executor(self._thread, _guarded(work, flag))
        except asyncio.CancelledError:  # the page went away
            flag.cancel()
            raise
        finally:
            self._flags.discard(flag)

    async def stream(self, work: Work) -> AsyncIterator[bytes]:
        """Run long work; give lines of JSON: ``{"done", "of"}``, and at last ``{"result"}`` or ``{"failure"}``."""
        loop, flag = asyncio.get_running_loop(), self._new_flag()
        lines: asyncio.Queue[dict[str, Any]] = asyncio.Queue()

        def tell(line: dict[str, Any]) -> None:
            loop.call_soon_threadsafe(lines.put_nowait, line)

        def watch(parts: Iterable[Any], count: int) -> Iterator[Any]:
            for done, part in enumerate(parts):
                tell({"done": done, "of": count})
                yield part

        def run() -> None:
            try:
                tell({"result": _guarded(lambda: work(watch), flag)()})
            except BaseException as error:
                tell({"failure": describe_error(error)})

        running = loop.run_in_executor(self._thread, run)
        try:
            while True:
                line = await lines.get()
                yield json.dumps(line, allow_nan=False).encode() + b"\n"
                if "done" not in line:
                    break
            await running
        finally:
            flag.cancel()  # nobody reads any more; without effect on finished work
            self._flags.discard(flag)

    def cancel(self) -> None:
        """Stop everything that runs or waits."""
        for flag in list(self._flags):
            flag.cancel()

    def close(self) -> None:
        """Stop everything, and end the thread."""
        self.cancel()
        self._thread.shutdown(wait=True, cancel_futures=True)

    def _new_flag(self) -> CancelFlag:
        flag = CancelFlag()
        self._flags.add(flag)
        return flag


def _guarded(work: Callable[[], T], flag: CancelFlag) -> Callable[[], T]:
    def run() -> T:
        with cancelable(flag):
            if flag.is_set():
                raise CanceledError
            return work()

    return run
