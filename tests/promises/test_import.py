"""Importing treewright is fast and has no side effects: no threads, sockets, files or signal handlers."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from treewright import ID3Classifier, datasets, save

QUIET = """
    import json, os, signal, sys, threading
    import sklearn.base, sklearn.utils.validation  # their side effects are not ours

    HEAVY = {"click", "rich", "pandas", "polars", "pyarrow", "matplotlib"}

    def tasks():
        return len(os.listdir("/proc/self/task")) if os.path.isdir("/proc/self/task") else threading.active_count()

    def handlers():
        return {s: signal.getsignal(s) for s in signal.valid_signals()}

    seen = []

    def watch(event, args):
        if event == "open":
            path, mode, flags = args
            writes = os.O_WRONLY | os.O_RDWR | os.O_CREAT
            if any(c in (mode or "") for c in "wax+") or (flags or 0) & writes:
                seen.append(f"open {path}")
        elif event.split(".")[0] in ("socket", "subprocess", "urllib", "http", "shutil", "tempfile"):
            seen.append(event)
        elif event in ("os.fork", "os.exec", "os.system", "os.mkdir", "os.putenv", "signal.signal"):
            seen.append(event)

    before, held, loaded = tasks(), handlers(), set(sys.modules)
    sys.addaudithook(watch)
    from treewright import *
    import treewright
    for name in treewright.__all__:
        getattr(treewright, name)
    print(json.dumps({
        "threads": tasks() - before,
        "handlers": handlers() == held,
        "seen": seen,
        "heavy": sorted(HEAVY & (set(sys.modules) - loaded)),
    }))
"""


@pytest.mark.slow
def test_importing_starts_nothing_and_writes_nothing(fresh_python, tmp_path: Path) -> None:
    home = str(tmp_path)
    out = fresh_python(
        QUIET, PYTHONDONTWRITEBYTECODE="1", HOME=home, TMPDIR=home, XDG_CACHE_HOME=home
    )
    assert json.loads(out) == {"threads": 0, "handlers": True, "seen": [], "heavy": []}
    assert list(tmp_path.iterdir()) == []


@pytest.mark.slow
def test_importing_a_learner_adds_at_most_100_ms_to_scikit_learn(fresh_python) -> None:
    code = """
        import time
        import sklearn.base, sklearn.utils.validation
        start = time.process_time()
        from treewright import ID3Classifier, load, save, show
        print(time.process_time() - start)
    """
    # CPU time, and one good run is enough: other programs can only make it longer.
    assert any(float(fresh_python(code)) < 0.1 for _ in range(5))


def test_importing_the_package_alone_imports_no_numpy(fresh_python) -> None:
    assert fresh_python("import treewright, sys; print('numpy' in sys.modules)") == "False\n"


@pytest.mark.parametrize("arguments", [["--help"], ["--version"], ["fit", "--help"]])
def test_help_imports_nothing_heavy(fresh_python, arguments: list[str]) -> None:
    code = """
        import sys
        from treewright.cli import main
        sys.argv = ["treewright", *sys.argv[1:]]
        try:
            main()
        except SystemExit as end:
            heavy = {"numpy", "scipy", "sklearn", "narwhals", "rich", "pandas"} & set(sys.modules)
            print("ended", end.code or 0, sorted(heavy))
    """
    assert fresh_python(code, *arguments).splitlines()[-1] == "ended 0 []"


@pytest.mark.slow
def test_drawing_a_model_file_needs_no_scikit_learn(fresh_python, tmp_path: Path) -> None:
    path = tmp_path / "m.tree"
    save(ID3Classifier().fit(*datasets.play_tennis()), path)
    code = """
        import sys, time
        from treewright.cli import main
        sys.argv = ["treewright", "show", *sys.argv[1:]]
        try:
            main()
        except SystemExit as end:
            heavy = {"scipy", "sklearn", "narwhals", "rich", "pandas"} & set(sys.modules)
            print("ended", end.code or 0, sorted(heavy), time.process_time())
    """
    ends = [fresh_python(code, str(path)).splitlines()[-1].rpartition(" ") for _ in range(3)]
    assert {end[0] for end in ends} == {"ended 0 []"}
    assert any(float(end[2]) < 0.3 for end in ends)


def test_help_takes_at_most_150_ms(fresh_python) -> None:
    code = """
        import sys, time
        from treewright.cli import main
        sys.argv = ["treewright", "--help"]
        try:
            main()
        except SystemExit:
            print(time.process_time())  # the interpreter's own start included
    """
    assert any(float(fresh_python(code).splitlines()[-1]) < 0.15 for _ in range(5))
