"""The installed package has the files of the source, and no others."""

from __future__ import annotations

from importlib.metadata import distribution
from pathlib import Path, PurePosixPath

import pytest

SOURCE = Path(__file__).parents[2] / "python"
# Of tables, texts of lessons, maps, code, and the pages with their engine.
SUFFIXES = (".csv", ".json", ".md", ".py", ".pyi", ".typed", ".html", ".gz")


@pytest.fixture(scope="module")
def installed() -> set[str]:
    files = distribution("treewright").files or []
    paths = {PurePosixPath(f).as_posix() for f in files}
    if "treewright.pth" in paths:
        pytest.skip(
            "treewright is installed from the source tree (make build); make test installs a wheel"
        )
    return {p for p in paths if "__pycache__" not in p}


def test_every_source_file_is_installed_and_no_other(installed: set[str]) -> None:
    written = {
        path.relative_to(SOURCE).as_posix()
        for path in SOURCE.rglob("*")
        if path.is_file() and path.suffix in SUFFIXES
    }
    package = {p for p in installed if p.startswith("treewright/")}
    natives = {
        p for p in package if p.startswith("treewright/_core.") and p.endswith((".so", ".pyd"))
    }
    assert len(natives) == 1
    assert package - natives == written
    assert {"treewright/py.typed", "treewright/_core.pyi"} <= written


def test_beside_the_package_there_are_only_its_metadata_and_its_command(
    installed: set[str],
) -> None:
    others = {p for p in installed if not p.startswith("treewright/")}
    info = f"treewright-{distribution('treewright').version}.dist-info/"
    metadata = {p.removeprefix(info) for p in others if p.startswith(info)}
    assert {"METADATA", "RECORD", "WHEEL", "entry_points.txt", "licenses/LICENSE"} <= metadata
    commands = {PurePosixPath(p).name for p in others if not p.startswith(info)}
    assert commands in ({"treewright"}, {"treewright.exe"})


def test_the_metadata_agree_with_the_source() -> None:
    import treewright

    installed = distribution("treewright")
    assert installed.version == treewright.__version__
    assert installed.metadata["License-Expression"] == "BSD-3-Clause"
    assert installed.metadata["Requires-Python"] == ">=3.11"
    needs = {r.split(">")[0] for r in installed.requires or () if "extra ==" not in r}
    assert needs == {"numpy", "scikit-learn", "narwhals", "click", "rich"}
