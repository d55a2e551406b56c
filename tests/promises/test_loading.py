"""Commands load the modules that they need and not the rest of the package."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from treewright import C45Classifier, datasets, save

# Modules that commands on a C4.5 tree may load, packages included. Lower a bound when the number falls.
BOUNDS = {"work": 118, "export": 106}
OPTIONS = {"work": [], "export": ["--to", "sql"]}
COUNT = """
import runpy, sys
sys.argv = ["treewright", *sys.argv[1:]]
try:
    runpy.run_module("treewright", run_name="__main__")
except SystemExit as end:
    assert not end.code
names = sorted(name for name in sys.modules if name.split(".")[0] == "treewright")
print(*names, file=sys.stderr)
"""
# What another kind of model, or fitting, would need.
FOREIGN = ("_learners.ensembles", "_learners.neighbors", "_learners.boosting", "_show", "_evaluate")


@pytest.mark.parametrize("command", BOUNDS)
def test_a_command_loads_what_it_needs(command: str, tmp_path: Path) -> None:
    model = tmp_path / "golf.tree"
    save(C45Classifier().fit(*datasets.golf()), model)
    call = [sys.executable, "-c", COUNT, command, str(model), *OPTIONS[command]]
    names = subprocess.run(call, check=True, capture_output=True, text=True).stderr.split()
    assert len(names) <= BOUNDS[command], names
    for folder in (*FOREIGN, "_pruning.during_fit"):
        assert f"treewright.{folder}" not in names
