from __future__ import annotations

import threading
import time

import numpy as np
import pytest

from treewright import RandomForestClassifier
from treewright._utils.cancellation import CanceledError, CancelFlag, cancelable, check_canceled


def test_a_flag_stops_only_its_own_thread() -> None:
    flag = CancelFlag()
    flag.cancel()
    check_canceled()
    with cancelable(flag), pytest.raises(CanceledError, match="stopped"):
        check_canceled()
    check_canceled()


@pytest.mark.slow
def test_a_fit_on_another_thread_is_stopped_at_once() -> None:
    X = np.random.default_rng(0).normal(size=(20_000, 20))
    y = X[:, 0] * X[:, 1] > X[:, 2]
    flag, ended = CancelFlag(), []

    def fit() -> None:
        with cancelable(flag):
            try:
                RandomForestClassifier(n_estimators=2000, random_state=0).fit(X, y)
            except CanceledError:
                ended.append(time.perf_counter())

    thread = threading.Thread(target=fit)
    thread.start()
    time.sleep(0.2)
    start = time.perf_counter()
    flag.cancel()
    thread.join()
    assert ended
    assert ended[0] - start < 0.5
