"""How large a law is: small in every run, full where TREEWRIGHT_SOAK=1 asks for hours."""

from __future__ import annotations

import os


def size(small: int, full: int) -> int:
    """Return `full` in a soak run, else `small`."""
    return full if os.environ.get("TREEWRIGHT_SOAK") == "1" else small
