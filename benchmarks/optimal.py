"""Optimal trees of depth 3, 4 and 5: errors of greedy and best trees, times beside STreeD and ConTree where installed.

The tables of zeros and ones are those of papers on optimal trees. They are not in the repository: `TREEWRIGHT_BINARY`
names their folder (one text file each: the class, then zeros and ones). Without it, a table with a seed stands in.
"""

import os
import statistics
from importlib.util import find_spec
from pathlib import Path

import numpy as np
from sklearn.tree import DecisionTreeClassifier
from timing import OURS, in_turn, report

from treewright import OptimalTreeClassifier

DEPTHS = {3: 5, 4: 3, 5: 1}  # and the rounds of each
FLOORS = {3: 20, 4: 30, 5: 20}  # STreeD divided by treewright, geometric mean
CONTINUOUS = 5  # ConTree divided by treewright, depth 3


def read_tables():
    """Return the tables by name."""
    folder = os.environ.get("TREEWRIGHT_BINARY")
    if folder:
        loaded = {
            path.stem: np.loadtxt(path, dtype=np.float64)
            for path in sorted(Path(folder).glob("*.txt"))
        }
        return {name: (cells[:, 1:], cells[:, 0].astype(int)) for name, cells in loaded.items()}
    print("left out: TREEWRIGHT_BINARY does not name the folder of the tables")
    rng = np.random.default_rng(0)
    X = (rng.random((800, 50)) < rng.random(50)).astype(np.float64)
    y = (X[:, 0] + X[:, 1] * X[:, 2] + X[:, 3] * (1 - X[:, 4]) + rng.normal(size=800) > 1).astype(
        int
    )
    return {"random": (X, y)}


def contenders_of(X, y, depth):
    """Return the programs that are installed."""
    contenders = {OURS: lambda: OptimalTreeClassifier(depth, n_jobs=1).fit(X, y)}
    if find_spec("pystreed"):
        from pystreed import STreeDClassifier

        integers = X.astype(np.int32)
        contenders["pystreed"] = lambda: STreeDClassifier(
            "accuracy", max_depth=depth, time_limit=600
        ).fit(integers, y)
    return contenders


def compare_depth(tables, depth, rounds):
    """Write the errors and the times of one depth."""
    errors, times, ratios = {}, {}, []
    for name, (X, y) in tables.items():
        seconds, fitted = in_turn(contenders_of(X, y, depth), rounds)
        greedy = DecisionTreeClassifier(max_depth=depth, random_state=0).fit(X, y)
        best = fitted[OURS]
        errors[name] = {
            "greedy": int((greedy.predict(X) != y).sum()),
            "best": int(best.errors_),
            "proven": best.proven_,
        }
        for program, runs in seconds.items():
            times.setdefault(program, []).append(statistics.median(runs))
        if "pystreed" in seconds:
            ratios.append(times["pystreed"][-1] / times[OURS][-1])
    mean = statistics.geometric_mean(ratios) if ratios else None
    report(
        f"optimal_depth{depth}",
        f"optimal trees, depth {depth}, {len(tables)} tables: all of them",
        {program: [sum(each)] for program, each in times.items()},
        {"pystreed": FLOORS[depth]} if ratios else {},
        errors=errors,
        ratios=dict(zip(tables, ratios, strict=False)),
        geometric_mean=mean,
    )
    for name, row in errors.items():
        print(f"depth {depth}  {name:<18} greedy {row['greedy']:>5}  best {row['best']:>5}")


def compare_numbers():
    """Write the times of trees over all thresholds of numbers."""
    rng = np.random.default_rng(1)
    X = rng.normal(size=(1500, 5))
    y = (X[:, 0] * X[:, 1] + X[:, 2] > 0.3 * rng.normal(size=1500)).astype(int)
    contenders = {OURS: lambda: OptimalTreeClassifier(3, n_jobs=1).fit(X, y)}
    if find_spec("pycontree") and find_spec("pandas"):
        import pandas as pd
        from pycontree import ConTree

        frame, labels = pd.DataFrame(X), pd.Series(y)
        contenders["pycontree"] = lambda: ConTree(max_depth=3, time_limit=600).fit(frame, labels)
    seconds, fitted = in_turn(contenders, 1)
    report(
        "optimal_numbers",
        "optimal trees, depth 3, all thresholds, 1,500 x 5",
        seconds,
        {"pycontree": CONTINUOUS} if "pycontree" in seconds else {},
        errors=int(fitted[OURS].errors_),
    )


if __name__ == "__main__":
    for depth, rounds in DEPTHS.items():
        compare_depth(read_tables(), depth, rounds)
    compare_numbers()
