"""The native core and its process: Ctrl-C, the GIL, fork, panics and too little memory.

Each trial runs in a process of its own, on a table that takes a second or more to fit.
"""

from __future__ import annotations

import json
import os
import sys

import pytest

# A million rows of noise: the tree grows until every path has tested all columns.
LARGE = """
    import hashlib, json, os, signal, threading, time
    import numpy as np
    from treewright import ID3Classifier, Table, datasets
    from treewright.files import to_bytes
    from treewright.table import Series

    def noise(rows, columns=20, levels=6):
        rng = np.random.default_rng(7)
        names = [f"c{i}" for i in range(columns)]
        codes = rng.integers(0, levels, (columns, rows), dtype=np.uint32)
        labels = tuple("abcdef"[:levels])
        X = Table([Series(n, "categorical", c, labels, True) for n, c in zip(names, codes)])
        return X, rng.integers(0, 2, rows)
"""


@pytest.mark.slow
def test_ctrl_c_is_heard_within_200_ms_and_changes_nothing(fresh_python) -> None:
    code = (
        LARGE
        + """
    X, y = noise(1_000_000)
    small = datasets.play_tennis()
    fresh, fitted = ID3Classifier(), ID3Classifier().fit(*small)
    standard = to_bytes(fitted)
    sent = ()

    def interrupt():
        global sent
        sent = time.monotonic(), time.process_time()
        os.kill(os.getpid(), signal.SIGINT)

    waits = []
    for model, delay in ((fresh, 0.1), (fitted, 0.3), (fitted, 0.5)):
        before = dict(vars(model))
        threading.Timer(delay, interrupt).start()
        try:
            model.fit(X, y)
            raise SystemExit("the fit ended before the interrupt: it needs more rows")
        except KeyboardInterrupt:
            # CPU time, because the machine may be busy with other tests.
            waits.append(min(time.monotonic() - sent[0], time.process_time() - sent[1]))
        assert vars(model) == before
    assert to_bytes(fitted) == standard
    assert to_bytes(fresh.fit(*small)) == standard
    print(json.dumps(waits))
    """
    )
    waits = json.loads(fresh_python(code))
    assert sorted(waits)[1] < 0.2
    assert max(waits) < 0.5


@pytest.mark.slow
def test_other_threads_run_while_a_tree_grows(fresh_python) -> None:
    code = (
        LARGE
        + """
    X, y = noise(500_000)
    beats, done = [], threading.Event()

    def heart():
        while not done.is_set():
            beats.append(time.monotonic())
            time.sleep(0.005)

    thread = threading.Thread(target=heart)
    thread.start()
    start = time.monotonic()
    ID3Classifier().fit(X, y)
    end = time.monotonic()
    done.set()
    thread.join()
    inside = [t for t in beats if start <= t <= end]
    gaps = [b - a for a, b in zip([start, *inside], [*inside, end])]
    print(json.dumps([end - start, len(inside), max(gaps)]))
    """
    )
    seconds, beats, longest = json.loads(fresh_python(code))
    assert seconds > 0.2
    # If the GIL were held, there would be one gap nearly as long as the fit; a busy machine makes many short ones.
    assert beats > 10
    assert longest < seconds / 2


@pytest.mark.slow
@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system has no fork")
def test_a_forked_child_learns_the_same_bytes(fresh_python) -> None:
    code = (
        LARGE
        + """
    import warnings
    warnings.simplefilter("ignore", DeprecationWarning)  # Python's own warning about fork
    X, y = noise(20_000)

    def learn():
        model = ID3Classifier(max_depth=4).fit(X, y)
        answers = model.predict(X).tobytes()
        return hashlib.sha256(to_bytes(model) + answers).hexdigest()

    digests = [learn()]
    for _ in range(5):
        read, write = os.pipe()
        child = os.fork()
        if child == 0:
            signal.alarm(20)  # a child that hangs is killed and sends nothing
            os.write(write, learn().encode())
            os._exit(0)
        os.close(write)
        digests.append(os.read(read, 64).decode())
        os.close(read)
        assert os.waitpid(child, 0)[1] == 0
    assert learn() == digests[0]
    print(json.dumps(digests))
    """
    )
    digests = json.loads(fresh_python(code))
    assert len(digests) == 6
    assert len(set(digests)) == 1


@pytest.mark.parametrize("cells", [0, 1 << 20], ids=["calling thread", "watched thread"])
def test_a_panic_is_an_ordinary_exception_and_the_next_call_works(capfd, cells: int) -> None:
    from treewright import ID3Classifier, _core, datasets
    from treewright.errors import InternalError

    with pytest.raises(InternalError, match="a panic on request; this is a defect of treewright"):
        _core._panic(cells)
    assert issubclass(InternalError, Exception)
    assert "panicked" in capfd.readouterr().err
    assert ID3Classifier().fit(*datasets.play_tennis()).tree_.n_nodes == 8


@pytest.mark.slow
def test_threads_that_share_a_model_do_not_disturb_each_other(fresh_python) -> None:
    code = (
        LARGE
        + """
    from concurrent.futures import ThreadPoolExecutor
    X, y = noise(20_000, columns=8)
    shared = ID3Classifier(max_depth=3).fit(X, y)
    standard = shared.predict(X).tobytes(), to_bytes(shared)

    def work(i):
        mine = ID3Classifier(max_depth=3).fit(X, y)
        return shared.predict(X).tobytes(), to_bytes(mine if i % 2 else shared)

    with ThreadPoolExecutor(8) as pool:
        print(all(result == standard for result in pool.map(work, range(32))))
    """
    )
    assert fresh_python(code) == "True\n"


def test_the_core_and_the_recipes_know_the_same_words() -> None:
    from treewright import _core
    from treewright._utils.validation import WORDS

    core = {part: sorted(words) for part, words in _core.words().items()}
    assert core == {part: sorted(words) for part, words in WORDS.items()}


def test_the_trials_run_on_what_is_tested(fresh_python) -> None:
    import treewright

    assert (
        fresh_python("import treewright; print(treewright.__file__)").strip() == treewright.__file__
    )


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="limits of address space are Linux's")
@pytest.mark.parametrize("learner", ["CARTClassifier()", "CARTRegressor()", "C45Classifier()"])
def test_too_little_memory_is_a_memory_error_and_changes_nothing(
    fresh_python, learner: str
) -> None:
    code = f"""
    import resource
    import numpy as np
    from treewright import C45Classifier, CARTClassifier, CARTRegressor

    rng = np.random.default_rng(0)
    X = rng.normal(size=(400_000, 28))
    y = (X[:, 0] * X[:, 1] > 0).astype(int)
    model = {learner}.fit(X[:300], y[:300])
    before, sure = dict(vars(model)), model.predict(X[:300]).tolist()
    with open("/proc/self/statm") as pages:
        used = int(pages.read().split()[0]) * resource.getpagesize()
    resource.setrlimit(resource.RLIMIT_AS, (used + 2**24, resource.RLIM_INFINITY))
    try:
        model.fit(X, y)
        raise SystemExit("16 MB were enough: it needs more rows")
    except MemoryError:
        assert vars(model) == before
    resource.setrlimit(resource.RLIMIT_AS, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
    assert model.fit(X[:300], y[:300]).predict(X[:300]).tolist() == sure
    """
    fresh_python(code)


REGRESSORS = (
    "CARTRegressor()",
    "RandomForestRegressor(3)",
    "ExtraTreesRegressor(3)",
    "BaggingRegressor(n_estimators=3)",
    "AdaBoostRegressor(n_estimators=3)",
    "GradientBoostingRegressor(n_estimators=3)",
    "GradientBoostingRegressor(n_estimators=3, loss='absolute_error')",
    "ZeroRRegressor()",
)


@pytest.mark.parametrize("learner", REGRESSORS)
def test_a_target_that_is_too_large_to_add_up_is_a_fault_of_the_data(learner: str) -> None:
    import numpy as np

    import treewright
    from treewright import DataError

    X = np.arange(40.0).reshape(20, 2)
    y = np.where(np.arange(20) % 3 == 0, 1.7e308, -1.7e308)
    with pytest.raises(DataError) as error:
        eval(f"treewright.{learner}", {"treewright": treewright}).fit(X, y)
    assert error.value.slug == "data.large-numbers"


@pytest.mark.slow
def test_numbers_that_change_during_a_fit_never_look_like_a_bad_file(fresh_python) -> None:
    code = """
    import threading, time
    import numpy as np
    import treewright as tw

    rng = np.random.default_rng(0)
    X = np.round(rng.standard_normal((8_000, 4)), 2)
    y = (X[:, 0] > 0).astype(int)
    odd, done = np.array([0.0, np.nan, np.inf, 1e300, -3.25]), threading.Event()

    def disturb():
        r = np.random.default_rng(1)
        while not done.is_set():
            X[r.integers(0, len(X), 500), r.integers(0, 4, 500)] = odd[r.integers(0, len(odd), 500)]

    thread = threading.Thread(target=disturb)
    thread.start()
    try:
        for i in range(30):
            make = (tw.CARTClassifier, tw.CARTRegressor, lambda: tw.RandomForestClassifier(2))[i % 3]
            try:
                make().fit(X, y)
            except (tw.DataError, ValueError):
                pass  # an error about the data is correct here
    finally:
        done.set()
        thread.join()
    """
    fresh_python(code)


def test_numbers_at_odd_addresses_are_read_as_any_others() -> None:
    import numpy as np

    from treewright import CARTClassifier
    from treewright.files import to_bytes

    X = np.random.default_rng(0).standard_normal((60, 3))
    odd = np.frombuffer(b"x" + X.tobytes(), dtype=X.dtype, offset=1).reshape(X.shape)
    assert not odd.flags.aligned
    y = np.arange(60) % 2
    assert to_bytes(CARTClassifier().fit(odd, y)) == to_bytes(CARTClassifier().fit(X, y))
    assert (CARTClassifier().fit(X, y).predict(odd) == CARTClassifier().fit(X, y).predict(X)).all()
