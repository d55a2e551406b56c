"""Everything that takes long or much memory, as operations by name: fits with every option, and what uses a model.

Run as a program, it measures how fast an operation hears Ctrl-C, or whether it survives too little memory:
`python operations.py interrupt ROWS NAME...` and `python operations.py memory SEED LIMITS NAME...`. Both print JSON.
"""

from __future__ import annotations

import io
import json
import os
import random
import signal
import sys
import tempfile
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

import treewright as tw
from treewright.files import from_bytes, to_bytes

sys.path.insert(0, str(Path(__file__).parents[1]))
from helpers.soak import size

Operation = Callable[[], object]

COLUMNS = 28
LEVELS = 16


def numbers(rows: int, columns: int = COLUMNS, missing: float = 0.05) -> Any:
    rng = np.random.default_rng(0)
    X = rng.standard_normal((rows, columns))
    X[rng.random(X.shape) < missing] = np.nan
    return X


def classes(X: Any, count: int = 2) -> Any:
    noise = np.random.default_rng(1).standard_normal(len(X))
    score = np.nan_to_num(X[:, 0]) + 0.5 * noise
    return np.digitize(score, np.quantile(score, np.arange(1, count) / count))


def values(X: Any) -> Any:
    return np.nan_to_num(X[:, 0]) ** 2 + np.random.default_rng(2).standard_normal(len(X))


def categories(rows: int, columns: int, levels: int = LEVELS, missing: float = 0.0) -> Any:
    rng = np.random.default_rng(3)
    codes = rng.integers(0, levels, (rows, columns))
    lost = rng.random(codes.shape) < missing
    column = [
        [
            None if gone else f"l{code:04}"
            for code, gone in zip(codes[:, j], lost[:, j], strict=True)
        ]
        for j in range(columns)
    ]
    return {f"c{j}": cells for j, cells in enumerate(column)}


def fit_classes(make: Callable[[], Any], **data: Any) -> Callable[[int], Operation]:
    def prepare(rows: int) -> Operation:
        X = numbers(rows, **data)
        y = classes(X)
        return lambda: make().fit(X, y)

    return prepare


def fit_values(make: Callable[[], Any], **data: Any) -> Callable[[int], Operation]:
    def prepare(rows: int) -> Operation:
        X = numbers(rows, **data)
        y = values(X)
        return lambda: make().fit(X, y)

    return prepare


def fit_small_table(
    make: Callable[[], Any], rows: int, columns: int, levels: int, **data: Any
) -> Any:
    """A table so small that counting its cells would not say how long it takes."""

    def prepare(_: int) -> Operation:
        X = categories(rows, columns, levels, **data)
        y = np.random.default_rng(4).integers(0, 4, rows)
        return lambda: make().fit(X, y)

    return prepare


def use(
    make: Callable[[], Any], act: Callable[[Any, Any, Any], object]
) -> Callable[[int], Operation]:
    """Something that is done with a fitted model, its rows and their classes."""

    def prepare(rows: int) -> Operation:
        X = numbers(rows, 8)
        y = classes(X, 3)
        model = make().fit(X, y)
        return lambda: act(model, X, y)

    return prepare


def rpart(**options: Any) -> Any:
    return tw.CARTClassifier(variant="rpart", complexity=0.0, min_samples_split=2, **options)


def read_back(model: Any, X: Any, y: Any) -> None:
    data = to_bytes(model)
    for _ in range(20):
        from_bytes(data)


def write_often(model: Any, X: Any, y: Any) -> None:
    for _ in range(20):
        to_bytes(model)


def load_often(model: Any, X: Any, y: Any) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "model.tree"
        tw.save(model, path)
        for _ in range(20):
            tw.load(path)


def read_csv_of(rows: int) -> Operation:
    text = io.StringIO()
    np.savetxt(
        text, numbers(rows, 10, 0.0), delimiter=",", header=",".join("abcdefghij"), comments=""
    )
    with tempfile.NamedTemporaryFile("w", suffix=".csv", delete=False) as file:
        file.write(text.getvalue())
    return lambda: tw.read_csv(file.name)


FOREST = {"n_estimators": 40, "random_state": 0}
FITS: dict[str, Callable[[int], Operation]] = {
    "CART": fit_classes(tw.CARTClassifier),
    "CART branch": fit_classes(lambda: tw.CARTClassifier(missing="branch")),
    "CART surrogate": fit_classes(lambda: tw.CARTClassifier(missing="surrogate")),
    "CART rpart": fit_classes(rpart),
    "CART entropy": fit_classes(lambda: tw.CARTClassifier(criterion="entropy")),
    "CART reduced_error": fit_classes(lambda: tw.CARTClassifier(prune="reduced_error")),
    "CART cost_complexity": fit_classes(lambda: tw.CARTClassifier(prune="cost_complexity")),
    "CART pessimistic": fit_classes(lambda: tw.CARTClassifier(prune="pessimistic")),
    "CARTRegressor": fit_values(tw.CARTRegressor),
    "CARTRegressor branch": fit_values(lambda: tw.CARTRegressor(missing="branch")),
    "CARTRegressor surrogate": fit_values(lambda: tw.CARTRegressor(missing="surrogate")),
    "CARTRegressor reduced_error": fit_values(lambda: tw.CARTRegressor(prune="reduced_error")),
    "C45": fit_classes(tw.C45Classifier),
    "C45 reduced_error": fit_classes(lambda: tw.C45Classifier(prune="reduced_error")),
    "C45 cost_complexity": fit_classes(lambda: tw.C45Classifier(prune="cost_complexity")),
    "RuleSet": fit_classes(tw.RuleSetClassifier),
    "RandomForest": fit_classes(lambda: tw.RandomForestClassifier(**FOREST, oob_score=True)),
    "RandomForestRegressor": fit_values(lambda: tw.RandomForestRegressor(**FOREST)),
    "ExtraTrees": fit_classes(lambda: tw.ExtraTreesClassifier(**FOREST)),
    "ExtraTreesRegressor": fit_values(lambda: tw.ExtraTreesRegressor(**FOREST)),
    "Bagging": fit_classes(lambda: tw.BaggingClassifier(n_estimators=20, random_state=0)),
    "Bagging C45": fit_classes(lambda: tw.BaggingClassifier(tw.C45Classifier(), random_state=0)),
    "AdaBoost": fit_classes(lambda: tw.AdaBoostClassifier(n_estimators=200), missing=0.0),
    "AdaBoost CART": fit_classes(
        lambda: tw.AdaBoostClassifier(tw.CARTClassifier(max_depth=3), n_estimators=50)
    ),
    "AdaBoostRegressor": fit_values(lambda: tw.AdaBoostRegressor(n_estimators=50)),
    "GradientBoosting": fit_classes(lambda: tw.GradientBoostingClassifier(n_estimators=300)),
    "GradientBoosting exact": fit_classes(
        lambda: tw.GradientBoostingClassifier(n_estimators=50, splits="exact")
    ),
    "GradientBoostingRegressor": fit_values(
        lambda: tw.GradientBoostingRegressor(n_estimators=300, loss="absolute_error")
    ),
    "KNeighbors": fit_classes(lambda: tw.KNeighborsClassifier(5), columns=12, missing=0.0),
    "OneR": fit_classes(tw.OneRClassifier),
    "small rpart": fit_small_table(rpart, 3_000, 20, 16),
    "small CART": fit_small_table(tw.CARTClassifier, 3_000, 20, 10),
    "small C45 groups": fit_small_table(
        lambda: tw.C45Classifier(categorical="groups"), 1_500, 10, 60
    ),
}
USES: dict[str, Callable[[int], Operation]] = {
    "predict of a forest": use(
        lambda: tw.RandomForestClassifier(**FOREST),
        lambda m, X, y: [m.predict_proba(X) for _ in range(50)],
    ),
    "nearest rows": use(
        lambda: tw.KNeighborsClassifier(5), lambda m, X, y: [m.predict(X) for _ in range(20)]
    ),
    "shap_values": use(
        lambda: tw.GradientBoostingClassifier(n_estimators=50), lambda m, X, y: tw.shap_values(m, X)
    ),
    "permutation_importance": use(
        lambda: tw.RandomForestClassifier(**FOREST),
        lambda m, X, y: tw.permutation_importance(m, X, y),
    ),
    "from_bytes": use(lambda: tw.RandomForestClassifier(**FOREST), read_back),
    "to_bytes": use(lambda: tw.RandomForestClassifier(**FOREST), write_often),
    "load": use(lambda: tw.RandomForestClassifier(**FOREST), load_often),
    "export c": use(tw.CARTClassifier, lambda m, X, y: tw.export(m, "c")),
    "export python": use(tw.CARTClassifier, lambda m, X, y: tw.export(m, "python")),
    "export sql": use(tw.CARTClassifier, lambda m, X, y: tw.export(m, "sql")),
    "export json": use(tw.CARTClassifier, lambda m, X, y: tw.export(m, "json")),
    "export onnx": use(tw.CARTClassifier, lambda m, X, y: tw.export(m, "onnx")),
    "to_rules": use(tw.CARTClassifier, lambda m, X, y: tw.to_rules(m)),
    "show": use(tw.CARTClassifier, lambda m, X, y: str(tw.show(m))),
    "compare": use(tw.CARTClassifier, lambda m, X, y: tw.compare(tw.CARTClassifier(), X, y)),
    "complexity_curve": use(
        tw.CARTClassifier, lambda m, X, y: tw.complexity_curve(tw.CARTClassifier(), X, y)
    ),
    "pruning_path": use(tw.CARTClassifier, lambda m, X, y: tw.pruning_path(m, X, y)),
    "rank_columns": use(
        tw.CARTClassifier, lambda m, X, y: [tw.rank_columns(X, y, n_jobs=1) for _ in range(50)]
    ),
    "read_csv": read_csv_of,
}
OPERATIONS = FITS | USES


def interrupt(name: str, rows: int, delays: list[float]) -> dict[str, Any]:
    """How long after SIGINT an operation ended: the processor's time of all threads, and the clock's."""
    operation = OPERATIONS[name](rows)
    waits = []
    for delay in delays:
        sent: list[tuple[float, float]] = []

        def send(sent: list[tuple[float, float]] = sent) -> None:
            sent.append((time.process_time(), time.monotonic()))
            os.kill(os.getpid(), signal.SIGINT)

        timer = threading.Timer(delay, send)
        try:
            timer.start()
            operation()
            timer.cancel()
            timer.join()
            time.sleep(0.01)  # a signal that came late is heard here
        except KeyboardInterrupt:
            waits.append((time.process_time() - sent[0][0], time.monotonic() - sent[0][1]))
    return {"name": name, "heard": len(waits), "of": len(delays), "waits": waits}


def address_space() -> int:
    with open("/proc/self/statm") as pages:
        return int(pages.read().split()[0]) * os.sysconf("SC_PAGE_SIZE")


def survive(operation: Operation, headroom: int) -> str:
    """What became of a forked process that had so many bytes for an operation."""
    import resource

    child = os.fork()
    if child == 0:
        quiet = os.open(os.devnull, os.O_WRONLY)
        os.dup2(quiet, 2)
        _, most = resource.getrlimit(resource.RLIMIT_AS)
        resource.setrlimit(resource.RLIMIT_AS, (address_space() + headroom, most))
        code = 0
        try:
            operation()
        except MemoryError:
            # Whoever has memory again can go on.
            resource.setrlimit(resource.RLIMIT_AS, (most, most))
            fresh = np.arange(40.0).reshape(20, 2)
            code = 3 if tw.CARTClassifier().fit(fresh, np.arange(20) % 2).tree_.n_nodes > 1 else 5
        except BaseException as error:
            os.write(1, f"{type(error).__name__}: {error}\n".encode())
            code = 4
        os._exit(code)
    status = os.waitpid(child, 0)[1]
    words = {0: "enough", 3 << 8: "MemoryError", 4 << 8: "another error", signal.SIGABRT: "aborted"}
    return words.get(status, f"status {status}")


def starve(names: list[str], seed: int, limits: int) -> list[tuple[str, int, str]]:
    """Random limits, most of them near what an operation needs."""
    draw = random.Random(seed)
    tw.CARTClassifier().fit(np.eye(3), [0, 1, 1])
    results = []
    for i in range(limits):
        name = names[i % len(names)]
        operation = OPERATIONS[name](draw.choice((2_000, 20_000, 60_000)))
        headroom = int(2 ** draw.uniform(20, 28))
        results.append((name, headroom, survive(operation, headroom)))
    return results


def main() -> None:
    kind, number, *names = sys.argv[1:]
    if kind == "interrupt":
        delays = [0.1, 0.3, 0.6] + [0.05, 0.2, 1.0, 2.0, 5.0] * size(0, 1)
        print(json.dumps([interrupt(name, int(number), delays) for name in names]))
    else:
        print(json.dumps(starve(names[1:] or list(OPERATIONS), int(number), int(names[0]))))


if __name__ == "__main__":
    main()
