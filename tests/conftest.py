"""What all tests share: the settings of hypothesis, the limit of time for a test, a fresh interpreter.

Nothing here knows an estimator. A test writes its own table or takes one from `treewright.datasets`.
"""

from __future__ import annotations

import os
import subprocess
import sys
import textwrap
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

# The same examples in every run: a change that breaks a property fails for its author, not for the next
# contributor. HYPOTHESIS_PROFILE=search looks for new examples, ten times as many.
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


# A test that needs more CPU time than this must have the marker `slow`, which `make check` leaves out. Tests that
# usually need one second have it; the limit is higher, because a busy machine makes CPU time longer too.
MAX_CPU_SECONDS = 5.0
# CPU seconds of `_calibrate` on the machine for which the limit was chosen. Slower machines get a longer limit.
CALIBRATION_SECONDS = 0.06


def _cpu_seconds() -> float:
    """Return the CPU time of this process, of its threads and of its finished children."""
    return sum(os.times()[:4])


def _calibrate() -> float:
    start = time.process_time()
    sum(i * i for i in range(1_000_000))
    return time.process_time() - start


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item: pytest.Item) -> Iterator[None]:
    """Fail a test without the marker `slow` that takes too long; `--junitxml` writes the time of each test."""
    start = _cpu_seconds()
    result = yield
    used = _cpu_seconds() - start
    item.user_properties.append(("cpu_seconds", round(used, 2)))
    if used > MAX_CPU_SECONDS and item.get_closest_marker("slow") is None:
        limit = MAX_CPU_SECONDS * max(1.0, _calibrate() / CALIBRATION_SECONDS)
        if used > limit:
            pytest.fail(
                f"{used:.1f} s of CPU time: make it faster, or mark it with pytest.mark.slow"
            )
    return result


@pytest.fixture
def fresh_python(tmp_path: Path) -> FreshPython:
    """Run code in a new interpreter, in an empty folder, and return its standard output."""

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
