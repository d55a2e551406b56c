"""Check the wheels in a folder: none above 10 MB, none without its license, pages, types and bill of materials.

Usage: ``python check_wheel.py FOLDER``.
"""

from __future__ import annotations

import json
import sys
import zipfile
from pathlib import Path

__all__ = ["find_faults"]

LARGEST = 10_000_000
NEEDED = ("treewright/py.typed", "treewright/_web/pages/workbench.html", "LICENSE")
CRATES = ("treewright-core", "treewright-mesh", "treewright-optimal", "pyo3", "numpy", "rayon")


def find_faults(wheel: Path) -> list[str]:
    """Return a line for each fault of a wheel."""
    size = wheel.stat().st_size
    faults = [f"{wheel.name} has {size:,} bytes, more than {LARGEST:,}"] if size > LARGEST else []
    with zipfile.ZipFile(wheel) as archive:
        names = archive.namelist()
        bills = [archive.read(name) for name in names if name.endswith(".cyclonedx.json")]
    faults += [
        f"{wheel.name} has no {needed}"
        for needed in NEEDED
        if not any(name.endswith(needed) for name in names)
    ]
    return faults + [f"{wheel.name} {fault}" for fault in find_bill_faults(bills)]


def find_bill_faults(bills: list[bytes]) -> list[str]:
    """Return what is wrong with the bills of materials (SBOM) of a wheel: the crates that it is made of."""
    if len(bills) != 1:
        return [f"has {len(bills)} bills of materials in place of one"]
    parts = json.loads(bills[0])["components"]
    crates = {part["name"] for part in parts}
    faults = [f"lists no crate {name}" for name in CRATES if name not in crates]
    return faults + [f"lists {p['name']} without a license" for p in parts if not p.get("licenses")]


if __name__ == "__main__":
    wheels = sorted(Path(sys.argv[1]).glob("*.whl"))
    lines = [line for wheel in wheels for line in find_faults(wheel)]
    lines += [] if wheels else [f"no wheel in {sys.argv[1]}"]
    for wheel in wheels:
        print(f"{wheel.name}: {wheel.stat().st_size:,} bytes")
    print(*lines, sep="\n")
    sys.exit(bool(lines))
