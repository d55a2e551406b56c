"""Too little memory raises `MemoryError`, never ends the process, and the next fit works.

Each trial runs in a forked process whose address space is limited; see `tests/helpers/operations.py`.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

from helpers import operations
from helpers.soak import size

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(sys.platform != "linux", reason="limits of address space are Linux's"),
]
SCRIPT = Path(operations.__file__)
SOME = (
    "CART",
    "CARTRegressor",
    "CART surrogate",
    "C45",
    "ExtraTrees",
    "GradientBoosting",
    "KNeighbors",
)

AIMED = {
    # Counts take 16 KB per class and thread.
    "many classes": (
        """
        X = rng.standard_normal((4 * SIZE, 4)); y = np.arange(4 * SIZE) % SIZE
        operation = lambda: tw.CARTClassifier(max_depth=1).fit(X, y)
        """,
        (4_000, 50_000),
        (5, 10, 20, 40),
    ),
    # Every node has one number per class.
    "a deep tree of many classes": (
        """
        X = rng.standard_normal((2 * SIZE, 3)); y = np.arange(2 * SIZE) % SIZE
        operation = lambda: tw.CARTClassifier(n_jobs=1).fit(X, y)
        """,
        (1_000, 4_000),
        (24, 28, 32, 40),
    ),
    # Every row with a missing value goes to every branch.
    "fractions of rows": (
        """
        level = rng.integers(0, 1000, SIZE); lost = rng.random(SIZE) < 0.6
        X = {"a": [None if m else f"v{v}" for v, m in zip(level, lost)], "b": rng.standard_normal(SIZE)}
        y = (level % 2) ^ (rng.random(SIZE) < 0.05)
        operation = lambda: tw.C45Classifier(prune=None, criterion="gain").fit(X, y)
        """,
        (20_000, 200_000),
        (30, 60, 120),
    ),
    "rows that are remembered": (
        """
        X = rng.standard_normal((SIZE, 12)); y = np.where(X[:, 0] > 0, "a", "b")
        operation = lambda: tw.KNeighborsClassifier(5).fit(X, y)
        """,
        (100_000, 400_000),
        (16, 20, 24, 28, 32, 36, 40),
    ),
}
DRIVER = """
import sys, json
sys.path.insert(0, sys.argv[1])
import numpy as np, treewright as tw
from helpers.operations import survive
SIZE = int(sys.argv[2])
rng = np.random.default_rng(0)
tw.CARTClassifier().fit(np.eye(3), [0, 1, 1])
{setup}
print(json.dumps([survive(operation, int(mb) << 20) for mb in sys.argv[3:]]))
"""


@pytest.mark.parametrize("case", AIMED)
def test_memory_that_is_short_where_much_is_needed(fresh_python, case: str) -> None:
    setup, sizes, headrooms = AIMED[case]
    lines = "\n".join(line.strip() for line in setup.strip().splitlines())
    count = size(*sizes)
    grown = [str(mb * count // sizes[0]) for mb in headrooms]
    said = fresh_python(
        DRIVER.format(setup=lines), str(SCRIPT.parents[1]), str(count), *grown, timeout=600
    )
    found = Counter(json.loads(said.splitlines()[-1]))
    assert set(found) <= {"enough", "MemoryError"}, said
    assert found["MemoryError"], "there was always enough: these limits say nothing"


def test_random_limits(tmp_path: Path) -> None:
    """Every operation, with random limits of memory."""
    names = (size(0, 1) and list(operations.OPERATIONS)) or list(SOME)
    done = subprocess.run(
        [sys.executable, str(SCRIPT), "memory", "7", str(size(28, 1000)), *names],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=size(300, 7200),
        check=False,
    )
    assert done.returncode == 0, done.stderr
    results = json.loads(done.stdout.splitlines()[-1])
    wrong = [result for result in results if result[2] not in ("enough", "MemoryError")]
    assert not wrong, (wrong, done.stdout.splitlines()[:-1])
    assert any(result[2] == "MemoryError" for result in results)
