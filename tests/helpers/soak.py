"""How much the long tests try: little in `make test`, everything in `make soak`."""

from __future__ import annotations

import os


def size(small: int, full: int) -> int:
    """Return `full` in a soak run (TREEWRIGHT_SOAK=1), else `small`."""
    return full if os.environ.get("TREEWRIGHT_SOAK") == "1" else small
