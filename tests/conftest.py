"""What all tests share: how hypothesis searches, and a fresh interpreter to try something in.

Nothing here knows a learner; the tables of a test are written in the test or taken from
`treewright.datasets`.
"""

from __future__ import annotations

import os
import subprocess
import sys
import textwrap
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

# The same examples in every run: a change that breaks a law fails for its author, not for the next
# one. HYPOTHESIS_PROFILE=search looks for new ones, ten times as many.
settings.register_profile(
    "same",
    derandomize=True,
    deadline=None,
    database=None,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.register_profile("search", deadline=None, max_examples=1000)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "same"))

FreshPython = Callable[..., str]


def pytest_report_header() -> str:
    import treewright

    return f"treewright {treewright.__version__} from {Path(treewright.__file__).parent}"


@pytest.fixture
def fresh_python(tmp_path: Path) -> FreshPython:
    """Run code in an interpreter of its own, in an empty folder; give what it printed."""

    def run(code: str, *args: str, timeout: float = 60, **env: str) -> str:
        done = subprocess.run(
            [sys.executable, "-W", "error", "-c", textwrap.dedent(code), *args],
            cwd=tmp_path,
            env=os.environ | env,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            encoding="utf-8",
            timeout=timeout,
            check=False,
        )
        assert done.returncode == 0, done.stderr or done.stdout
        return done.stdout

    return run
