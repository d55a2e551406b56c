"""How this copy of treewright was built, for ``--version`` and ``doctor``."""

from __future__ import annotations

import platform

__all__ = ["describe_build", "describe_kernels"]


def describe_kernels() -> str:
    """Return the kernels in use, and the others that this processor runs."""
    from treewright._core import kernels

    used, supported = kernels()
    others = [name for name in supported if name != used]
    return used + (f" (also {', '.join(others)}: TREEWRIGHT_SIMD)" if others else "")


def describe_build() -> str:
    """Return one line: kernels, system and Python."""
    python = f"{platform.python_implementation()} {platform.python_version()}"
    return f"kernels {describe_kernels()}, {platform.system()} {platform.machine()}, {python}"
