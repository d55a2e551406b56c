"""The progress bar of a search for the best tree."""

from __future__ import annotations

import threading
from typing import Any

import pytest

from treewright.cli.app import progress


class Terminal:
    """A console that is one."""

    def is_interactive(self) -> bool:
        return True


def test_a_bar_appears_though_a_search_has_nothing_new_to_tell(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    shown, closed, appeared = list[str](), list[bool](), threading.Event()

    class Bar:
        def __init__(self, *_: Any) -> None: ...

        def show(self, done: int, what: str) -> None:
            shown.append(f"{done} {what}")
            appeared.set()

        def close(self) -> None:
            closed.append(True)

    monkeypatch.setattr(progress, "_Bar", Bar)
    monkeypatch.setattr(progress, "DELAY", 0.01)
    console: Any = Terminal()
    with progress.search_progress("searching", console) as callback:
        assert callback is not None
        callback(0.001, 219.0, 0.0)
        assert appeared.wait(4)
        callback(0.2, 200.0, 50.0)
    assert shown == [
        "0 searching: best 219, lower bound 0",
        "250 searching: best 200, lower bound 50",
    ]
    assert closed == [True]
