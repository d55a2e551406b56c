"""Sizes of files as people write them: 20MB, 1.5 KB."""

from __future__ import annotations

import re
from typing import Any

from treewright.errors import Hint, UsageError

__all__ = ["read_size"]

SIZE = re.compile(r"\s*([0-9]+(?:\.[0-9]+)?)\s*(B|KB|MB|GB)?\s*", re.I)
UNITS = {"B": 1, "KB": 10**3, "MB": 10**6, "GB": 10**9}


def read_size(size: int | str, option: str = "max_size") -> int:
    """Return a size in bytes.

    Examples
    --------
    >>> read_size("20MB"), read_size("1.5 KB"), read_size(100)
    (20000000, 1500, 100)
    """
    if isinstance(size, bool) or not isinstance(size, (int, str)):
        raise _wrong_size(size, option)
    parts = SIZE.fullmatch(str(size))
    if parts is None:
        raise _wrong_size(size, option)
    return int(float(parts[1]) * UNITS[(parts[2] or "B").upper()])


def _wrong_size(size: Any, option: str) -> UsageError:
    return UsageError(
        f"cannot read the size {size!r}",
        slug="usage.parameter",
        hints=[Hint(option=option, value="20MB")],
    )
