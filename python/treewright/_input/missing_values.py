"""Which values stand for a missing one, in any container."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

__all__ = ["is_missing"]


def is_missing(value: Any) -> bool:
    """Whether a value is a missing one."""
    if value is None:
        return True
    if isinstance(value, (float, np.floating)):
        return math.isnan(value)
    if isinstance(value, (np.datetime64, np.timedelta64)):
        return bool(np.isnat(value))
    return type(value).__name__ in ("NAType", "NaTType")  # pandas' classes, without importing it
