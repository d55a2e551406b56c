"""Ctrl-C takes effect within 200 ms in every estimator, with every option, and in every use of a model.

`tests/helpers/operations.py` defines the operations and measures the CPU time of all threads after the signal,
because on a busy machine the clock includes the work of other programs.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from helpers import operations
from helpers.soak import size

SCRIPT = Path(operations.__file__)
# The usual run tries one of each kind of work; `make soak` tries everything.
SOME = (
    "CART",
    "CART branch",
    "CART surrogate",
    "C45",
    "ExtraTrees",
    "GradientBoosting",
    "AdaBoost CART",
    "small rpart",
    "small C45 groups",
    "complexity_curve",
    "shap_values",
    "load",
)
NAMES = (size(0, 1) and tuple(operations.OPERATIONS)) or SOME
MISSED = 0.2  # seconds of one processor
MOST = 0.5  # the maximum of a few, on a busy machine


def waits_of(names: tuple[str, ...], rows: int) -> list[dict[str, object]]:
    done = subprocess.run(
        [sys.executable, str(SCRIPT), "interrupt", str(rows), *names],
        env=os.environ | {"PYTHONWARNINGS": "ignore"},
        capture_output=True,
        text=True,
        timeout=size(120, 1200),
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="a process cannot send itself SIGINT there")
@pytest.mark.parametrize("name", NAMES)
def test_ctrl_c_is_heard_in(name: str) -> None:
    (result,) = waits_of((name,), size(120_000, 500_000) if name in operations.FITS else 20_000)
    waits = sorted(min(cpu, wall) for cpu, wall in result["waits"])
    assert waits, f"{name} always ended before the signal: it needs more rows"
    assert waits[len(waits) // 2] < MISSED, waits
    assert waits[-1] < MOST, waits
