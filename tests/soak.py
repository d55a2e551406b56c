"""How large a law is: small in ``make test``, full in ``make soak``."""

from __future__ import annotations

import os

__all__ = ["size"]


def size(small: int, full: int) -> int:
    """Return ``full`` where the environment variable TREEWRIGHT_SOAK is 1, else ``small``."""
    return full if os.environ.get("TREEWRIGHT_SOAK") == "1" else small
