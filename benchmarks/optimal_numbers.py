"""Optimal trees over all thresholds beside ConTree, and optimal regression trees beside STreeD, where installed."""

import statistics
import time
from importlib.util import find_spec

import numpy as np
from optimal_tables import number_tables, regression_tables
from timing import OURS, in_turn, report

from treewright import OptimalTreeClassifier, OptimalTreeRegressor

CONTINUOUS = 5  # ConTree divided by treewright, depth 3
REGRESSION = {3: 4, 4: 5}  # STreeD divided by treewright, every table


def compare_thresholds():
    """Write the times of trees over all thresholds of numbers."""
    times, errors = {}, {}
    for name, (X, y) in number_tables().items():
        contenders = {OURS: lambda X=X, y=y: OptimalTreeClassifier(3, n_jobs=1).fit(X, y)}
        if find_spec("pycontree"):
            import pandas as pd
            from pycontree import ConTree

            frame, labels = pd.DataFrame(X), pd.Series(y)
            contenders["pycontree"] = lambda frame=frame, labels=labels: ConTree(
                max_depth=3, time_limit=600
            ).fit(frame, labels)
        seconds, fitted = in_turn(contenders, 1, time.process_time, 2)
        for program, runs in seconds.items():
            times.setdefault(program, {})[name] = min(runs)
        errors[name] = {"best": int(fitted[OURS].errors_), "proven": fitted[OURS].proven_}
        if "pycontree" in fitted:
            predicted = np.asarray(fitted["pycontree"].predict(frame))
            errors[name]["pycontree"] = int((predicted != y).sum())
    write("optimal_numbers", "optimal trees, depth 3, all thresholds", times, CONTINUOUS, errors)


def compare_regression(depth):
    """Write the times of regression trees over columns of zeros and ones."""
    times, errors = {}, {}
    for name, (X, y) in regression_tables().items():
        contenders = {
            OURS: lambda X=X, y=y: OptimalTreeRegressor(depth, n_jobs=1).fit(X, y),
        }
        if find_spec("pystreed"):
            from pystreed import STreeDRegressor

            integers = X.astype(np.int32)
            contenders["pystreed"] = lambda integers=integers, y=y: STreeDRegressor(
                max_depth=depth, cost_complexity=0.0, time_limit=600
            ).fit(integers, y)
        seconds, fitted = in_turn(contenders, 1, time.process_time, 3 if depth < 4 else 1)
        for program, runs in seconds.items():
            times.setdefault(program, {})[name] = min(runs)
        errors[name] = {"best": float(fitted[OURS].errors_), "proven": fitted[OURS].proven_}
        if "pystreed" in fitted:
            predicted = fitted["pystreed"].predict(X.astype(np.int32))
            errors[name]["pystreed"] = float(((predicted - y) ** 2).sum())
    title = f"optimal regression trees, depth {depth}"
    write(f"optimal_regression{depth}", title, times, REGRESSION[depth], errors)


def write(task, title, times, floor, errors):
    """Write the geometric means, and the ratio of each table."""
    others = [program for program in times if program != OURS]
    ratios = {
        name: times[other][name] / times[OURS][name] for other in others for name in times[OURS]
    }
    report(
        task,
        f"{title}, {len(errors)} tables: geometric mean of the least processor time",
        {program: [statistics.geometric_mean(each.values())] for program, each in times.items()},
        dict.fromkeys(others, floor),
        errors=errors,
        ratios=ratios,
        least_ratio=min(ratios.values(), default=None),
    )


if __name__ == "__main__":
    compare_thresholds()
    for depth in REGRESSION:
        compare_regression(depth)
