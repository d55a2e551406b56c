"""What a fit takes from the process that runs it."""

from __future__ import annotations

import sys

__all__ = ["peak_memory"]


def peak_memory() -> int:
    """Return the largest memory of this process so far, in bytes; 0 where the system does not say."""
    try:
        import resource
    except ImportError:  # Windows
        return 0
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak if sys.platform == "darwin" else peak * 1024
