"""Ctrl-C during the search for an optimal tree: the best tree so far is kept, with a warning."""

from __future__ import annotations

import json
import sys

import pytest


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="the signal is one of POSIX")
def test_the_best_tree_so_far_is_kept(fresh_python) -> None:
    code = """
        import json, os, signal, threading, warnings
        import numpy as np
        from treewright import OptimalTreeClassifier
        rng = np.random.default_rng(0)
        # Far more rows than leaves: no tree is without errors, so a proof takes hours.
        X = rng.integers(0, 2, size=(4000, 60)).astype(float)
        y = rng.integers(0, 2, 4000)
        OptimalTreeClassifier(1).fit(X, y)
        threading.Timer(0.3, lambda: os.kill(os.getpid(), signal.SIGINT)).start()
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            clf = OptimalTreeClassifier(8).fit(X, y)
        wrong = int((clf.predict(X) != y).sum())
        print(json.dumps([clf.proven_, clf.errors_ == wrong, clf.gap_, str(caught[0].message)]))
    """
    proven, counted, gap, message = json.loads(fresh_python(code))
    assert not proven
    assert counted
    assert gap > 0
    assert message.startswith("the search was stopped after ")
    assert "the best tree so far is kept" in message
