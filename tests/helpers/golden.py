"""The tables and the answers of other programs: those in `tests/data`, and more where they are found.

Some sets are not ours to copy. They are read from `../shared` beside the project, and their tests
are skipped where it is absent.
"""

from __future__ import annotations

import csv
import json
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from treewright import Table, datasets
from treewright.table import Series

ROOT = Path(__file__).parents[2]
OWN = ROOT / "tests" / "data"
BUILT_IN = Path(datasets.__file__).parent / "tables"
SHARED = ROOT.parent / "shared"
OUTSIDE = ["crx", "hypothyroid", "monk1", "adult", "abalone"]


@cache
def catalog(folder: Path) -> dict[str, Any]:
    entries: dict[str, Any] = json.loads((folder / "catalog.json").read_text("utf-8"))
    return entries


NAMES = [*catalog(OWN), *OUTSIDE]


def place(name: str) -> tuple[Path, Path]:
    """Return the folders of a set's data and of its answers, or skip the test."""
    if name not in OUTSIDE:
        return OWN, OWN / "golden"
    if not (SHARED / "data" / "catalog.json").exists():
        pytest.skip(f"{name} is not part of the project: it is read from ../shared/data")
    return SHARED / "data", SHARED / "golden"


@cache
def load(name: str, *, test: bool = False) -> tuple[Table, Series]:
    """Return the columns of a set and its target, all levels declared."""
    folder, _ = place(name)
    entry = catalog(folder)[name]
    path = folder / entry["test_file" if test else "file"]
    if folder == OWN and not path.exists():
        path = BUILT_IN / path.name
    with open(path, encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert test or len(rows) == entry["rows"]
    series = [
        Series.of(
            column,
            [_cell(row[column], kind) for row in rows],
            levels=None if kind == "numeric" else kind,
        )
        for column, kind in entry["columns"].items()
    ]
    table = Table(series)
    return table.drop([entry["target"]]), table.column(entry["target"])


def _cell(text: str, kind: Any) -> str | float | None:
    if text == "":
        return None
    return float(text) if kind == "numeric" else text


def answers(name: str, program: str) -> dict[str, Any]:
    """Return what a program answers on a set, or skip the test where it has no answer."""
    _, folder = place(name)
    document: dict[str, Any] = json.loads((folder / f"{name}.json").read_text("utf-8"))
    if program not in document:
        pytest.skip(f"{program} does not learn from {name}: its target is a number, or a class")
    facts: dict[str, Any] = document[program]
    return facts
