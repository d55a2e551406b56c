"""The example of a Dask cluster, which the site does not run, runs as it is."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

for name in ("distributed", "pandas", "pyarrow"):
    pytest.importorskip(name)
SCRIPT = Path(__file__).parents[2] / "examples" / "projects" / "run_p7_dask_cluster.py"


@pytest.mark.slow
def test_the_example_runs(tmp_path: Path) -> None:
    run = subprocess.run(
        [sys.executable, SCRIPT], cwd=tmp_path, capture_output=True, text=True, timeout=240
    )
    assert run.returncode == 0, run.stderr
    assert "all probabilities are the same: True" in run.stdout
