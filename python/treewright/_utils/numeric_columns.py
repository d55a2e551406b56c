"""Names and descriptions of the columns of an array, which are kept: making them is a large part of a small fit."""

from __future__ import annotations

from functools import lru_cache

from treewright.schema import Column

__all__ = ["default_names", "describe_numbers"]

MAX_KEPT = 1 << 10  # columns of an array


def default_names(columns: int) -> tuple[str, ...]:
    """Return the names of columns that have none.

    Examples
    --------
    >>> default_names(3)
    ('x0', 'x1', 'x2')
    """
    return (_make_names if columns <= MAX_KEPT else _make_names.__wrapped__)(columns)


def describe_numbers(names: tuple[str, ...]) -> tuple[Column, ...]:
    """Return the descriptions of columns of numbers.

    Examples
    --------
    >>> [column.name for column in describe_numbers(("a", "b"))]
    ['a', 'b']
    """
    return (_describe if len(names) <= MAX_KEPT else _describe.__wrapped__)(names)


@lru_cache(maxsize=32)
def _make_names(columns: int) -> tuple[str, ...]:
    return tuple(f"x{i}" for i in range(columns))


@lru_cache(maxsize=32)
def _describe(names: tuple[str, ...]) -> tuple[Column, ...]:
    return tuple(Column(name, "numeric", ()) for name in names)
