"""A test that takes long must have the marker `slow`: the hook in tests/conftest.py fails it otherwise."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

TESTS = Path(__file__).parents[1]
TRIALS = """
import time

import pytest


def burn() -> None:
    end = time.process_time() + 0.3
    while time.process_time() < end:
        pass


def test_long() -> None:
    burn()


@pytest.mark.slow
def test_long_and_marked() -> None:
    burn()


def test_short() -> None:
    pass
"""


def test_only_the_long_test_without_the_marker_fails(tmp_path: Path) -> None:
    conftest = (TESTS / "conftest.py").read_text("utf-8")
    shorter = conftest.replace("MAX_CPU_SECONDS = 5.0", "MAX_CPU_SECONDS = 0.05")
    assert shorter != conftest
    shorter = shorter.replace("CALIBRATION_SECONDS = 0.06", "CALIBRATION_SECONDS = 1e9")
    (tmp_path / "conftest.py").write_text(shorter, "utf-8")
    (tmp_path / "test_trials.py").write_text(TRIALS, "utf-8")
    (tmp_path / "pytest.ini").write_text("[pytest]\nmarkers = slow\n", "utf-8")
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-rf", "-p", "no:cacheprovider", str(tmp_path)],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert "1 failed, 2 passed" in done.stdout, done.stdout
    assert "of CPU time: make it faster, or mark it" in done.stdout
