"""Threads: never more than this process may use, whatever is asked for; forked processes have their own."""

from __future__ import annotations

import json
import os
import sys

import pytest

pytestmark = pytest.mark.slow

LINUX = pytest.mark.skipif(sys.platform != "linux", reason="threads are counted in /proc")
DATA = """
    import contextlib, json, os, signal, threading, warnings
    from pathlib import Path
    import numpy as np
    import treewright as tw
    from treewright.files import from_bytes, to_bytes

    warnings.simplefilter("ignore", DeprecationWarning)  # Python's own warning about fork
    rng = np.random.default_rng(0)
    X = rng.standard_normal((2_000, 6))
    y, z = (X[:, 0] > 0).astype(int), X[:, 1]

    def threads():
        count = 0
        for task in os.listdir("/proc/self/task"):
            with contextlib.suppress(FileNotFoundError, ProcessLookupError):  # a thread that has ended since
                count += Path(f"/proc/self/task/{task}/comm").read_text().startswith("treewright")
        return count
"""


# Thread pools stay alive: the threads of a later pool are added to those of an earlier one.
ACTS = (
    "tw.RandomForestClassifier(3, n_jobs=N).fit(X, y)",
    "tw.CARTClassifier(n_jobs=N).fit(np.tile(X, (40, 1)), np.tile(y, 40))",
    "tw.GradientBoostingClassifier(n_estimators=3, n_jobs=N).fit(np.tile(X, (40, 1)), np.tile(y, 40))",
    "tw.rank_columns(X, y, n_jobs=N)",
    "tw.KNeighborsRegressor(3, n_jobs=N).fit(X, z).predict(X)",
    "from_bytes(to_bytes(tw.KNeighborsRegressor(3, n_jobs=N).fit(X, z)))",
    "from_bytes(to_bytes(tw.RandomForestClassifier(3, n_jobs=N).fit(X, y))).predict(X)",
)


@LINUX
@pytest.mark.parametrize("count", [2**31, 2**80])
def test_no_number_of_jobs_starts_more_threads_than_there_are_processors(
    fresh_python, count: int
) -> None:
    lines = "\n".join(f"    {act}\n    counts.append(threads())" for act in ACTS)
    code = f"{DATA}\n    N, counts = {count}, []\n{lines}\n    print(json.dumps(counts))"
    counts = json.loads(fresh_python(code))
    assert max(counts) <= len(os.sched_getaffinity(0))


@LINUX
def test_an_affinity_is_respected(fresh_python) -> None:
    code = (
        DATA
        + """
    os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
    before = threads()
    tw.RandomForestClassifier(8, n_jobs=-1).fit(X, y)
    print(threads() - before)
    """
    )
    assert int(fresh_python(code)) == 0


@LINUX
def test_fits_with_different_numbers_of_jobs_do_not_start_threads_again_and_again(
    fresh_python,
) -> None:
    code = (
        DATA
        + """
    standard = to_bytes(tw.RandomForestClassifier(8, random_state=0).fit(X, y))
    wrong = []

    def work(jobs):
        for _ in range(20):
            model = tw.RandomForestClassifier(8, random_state=0, n_jobs=jobs).fit(X, y)
            if to_bytes(model.set_params(n_jobs=None)) != standard:
                wrong.append(jobs)

    both = [threading.Thread(target=work, args=(jobs,)) for jobs in (1, 2, 1, 2)]
    [thread.start() for thread in both]
    [thread.join() for thread in both]
    print(json.dumps([len(wrong), threads()]))
    """
    )
    wrong, count = json.loads(fresh_python(code, OMP_NUM_THREADS="1", OPENBLAS_NUM_THREADS="1"))
    assert wrong == 0
    assert count <= 1 + len(os.sched_getaffinity(0))


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system has no fork")
def test_a_process_that_was_forked_while_others_fit_can_fit(fresh_python) -> None:
    code = (
        DATA
        + """
    tw.RandomForestClassifier(2, n_jobs=1).fit(X[:50], y[:50])  # imports, before the fork
    done = threading.Event()

    def work(jobs):
        while not done.is_set():
            tw.RandomForestClassifier(4, n_jobs=jobs).fit(X, y)

    busy = [threading.Thread(target=work, args=(jobs,)) for jobs in (1, 2, 2)]
    [thread.start() for thread in busy]
    statuses = []
    for _ in range(15):
        child = os.fork()
        if child == 0:
            signal.alarm(20)  # a child that hangs is killed
            tw.RandomForestClassifier(4, n_jobs=2).fit(X[:500], y[:500])
            os._exit(0)
        statuses.append(os.waitpid(child, 0)[1])
    done.set()
    [thread.join() for thread in busy]
    print(json.dumps(statuses))
    """
    )
    assert set(json.loads(fresh_python(code))) == {0}
