"""How large the laws are: small in `make test`, full in `make soak`."""

from __future__ import annotations

import os


def size(small: int, full: int) -> int:
    """Return `full` where TREEWRIGHT_SOAK=1 is set, else `small`."""
    return full if os.environ.get("TREEWRIGHT_SOAK") == "1" else small
