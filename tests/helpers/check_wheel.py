"""Check the wheels in a folder: none above 10 MB, none without its license, pages and type information.

Usage: ``python check_wheel.py FOLDER``.
"""

from __future__ import annotations

import sys
import zipfile
from pathlib import Path

__all__ = ["find_faults"]

LARGEST = 10_000_000
NEEDED = ("treewright/py.typed", "treewright/_web/pages/workbench.html", "LICENSE")


def find_faults(wheel: Path) -> list[str]:
    """Return a line for each fault of a wheel."""
    size = wheel.stat().st_size
    faults = [f"{wheel.name} has {size:,} bytes, more than {LARGEST:,}"] if size > LARGEST else []
    names = zipfile.ZipFile(wheel).namelist()
    return faults + [
        f"{wheel.name} has no {needed}"
        for needed in NEEDED
        if not any(name.endswith(needed) for name in names)
    ]


if __name__ == "__main__":
    wheels = sorted(Path(sys.argv[1]).glob("*.whl"))
    lines = [line for wheel in wheels for line in find_faults(wheel)]
    lines += [] if wheels else [f"no wheel in {sys.argv[1]}"]
    for wheel in wheels:
        print(f"{wheel.name}: {wheel.stat().st_size:,} bytes")
    print(*lines, sep="\n")
    sys.exit(bool(lines))
