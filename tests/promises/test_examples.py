"""Every script of the gallery runs, also when it is downloaded and run alone."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

EXAMPLES = Path(__file__).parents[2] / "examples"
SCRIPTS = sorted(EXAMPLES.rglob("plot_*.py"))
NEEDED = {"matplotlib", "duckdb", "pandas"}


def test_there_are_at_least_24_scripts_with_pictures_and_six_projects() -> None:
    single = [path for path in SCRIPTS if path.parent == EXAMPLES]
    assert len(single) >= 24
    assert len(SCRIPTS) - len(single) >= 6
    assert [path.name for path in SCRIPTS if not draws(path)] == []


def draws(path: Path) -> bool:
    """Whether a script has a picture: a view, or a plot of matplotlib."""
    return bool(re.search(r"^(picture = |plt\.show\(\))", path.read_text("utf-8"), re.M))


@pytest.mark.slow
@pytest.mark.parametrize("path", SCRIPTS, ids=lambda path: path.stem)
def test_it_runs(path: Path) -> None:
    for name in NEEDED & set(re.findall(r"^import (\w+)", path.read_text("utf-8"), re.M)):
        pytest.importorskip(name)
    run = subprocess.run(
        [sys.executable, "-W", "error", path.name],
        cwd=path.parent,
        env=os.environ | {"MPLBACKEND": "Agg", "PYTHONIOENCODING": "utf-8"},
        capture_output=True,
        encoding="utf-8",
        timeout=120,
        check=False,
    )
    assert run.returncode == 0, run.stderr
