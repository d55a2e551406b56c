"""The warning about unseen categories: once per call, also for ensembles.

Plain arrays of numbers have no categories, so the check costs nothing there.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any

import numpy as np

from treewright import _core
from treewright._input.encoding import count_unseen
from treewright._utils.user_warnings import warn_user
from treewright.errors import UnseenValuesWarning
from treewright.schema import Column, Schema, label
from treewright.table import Table

__all__ = ["unseen_reported_once", "unseen_unreported", "warn_unseen"]

MAX_NAMED = 3
# Whether the current call has warned already; None if each call warns for itself.
_reported: ContextVar[list[bool] | None] = ContextVar("reported", default=None)


@contextmanager
def unseen_reported_once() -> Iterator[None]:
    """Let the members of an ensemble warn once together."""
    with _reporting([False] if _reported.get() is None else _reported.get()):
        yield


@contextmanager
def unseen_unreported() -> Iterator[None]:
    """Do not warn: rows that are left out of a fit naturally hold unseen categories."""
    with _reporting([True]):
        yield


@contextmanager
def _reporting(state: list[bool] | None) -> Iterator[None]:
    before = _reported.set(state)
    try:
        yield
    finally:
        _reported.reset(before)


def warn_unseen(table: Table, columns: Any, schema: Schema) -> None:
    """Warn about unseen categories; ``columns`` is the table as the core reads it."""
    state = _reported.get()
    if not isinstance(columns, list) or (state and state[0]):
        return
    if not any(map(_may_be_unseen, schema.columns, columns)):
        return
    counts = count_unseen(table, schema)
    if not counts:
        return
    if state is not None:
        state[0] = True
    sentences = [_sentence(name, values, len(table)) for name, values in counts.items()]
    more = (
        f"; and {len(sentences) - MAX_NAMED:,} more columns" if len(sentences) > MAX_NAMED else ""
    )
    warn_user(
        f"values never seen in training: {'; '.join(sentences[:MAX_NAMED])}{more}",
        UnseenValuesWarning,
    )


def _may_be_unseen(column: Column, codes: Any) -> bool:
    """Whether coded values may hold an unseen category; in an ordered column it looks like a missing one."""
    if column.kind == "categorical":
        return bool((codes == _core.UNSEEN).any())
    return bool(column.order) and bool(np.isnan(codes).any())


def _sentence(name: str, counts: dict[Any, int], rows: int) -> str:
    known = [(value, times) for value, times in counts.items() if value is not None]
    common = sorted(known, key=lambda pair: -pair[1])[:MAX_NAMED]
    values = [f'"{label(value)}" ×{times:,}' for value, times in common]
    dots = ["…"] if len(known) > MAX_NAMED else []
    listed = f" ({', '.join([*values, *dots])})" if values else ""
    return f'"{name}" in {sum(counts.values()):,} of {rows:,} rows{listed}'
