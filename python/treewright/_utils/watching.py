"""How a caller watches work that has several parts: a progress bar, or a way to stop it."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

__all__ = ["Watch"]

# Takes the tasks and their number, and yields the tasks. What it raises stops the work.
Watch = Callable[[Iterable[Any], int], Iterable[Any]]
