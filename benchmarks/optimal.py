"""Optimal trees of depth 2 to 5: errors of greedy and best trees, times beside STreeD where it is installed.

`TREEWRIGHT_SIMD=avx2` measures depth 4 alone, as on a processor without AVX-512.
"""

import os
import statistics
import time
from importlib.util import find_spec

import numpy as np
from optimal_tables import binary_tables
from sklearn.tree import DecisionTreeClassifier
from timing import OURS, in_turn, report

from treewright import OptimalTreeClassifier

DEPTHS = {2: (5, 8), 3: (5, 8), 4: (3, 2), 5: (1, 1)}  # turns, and runs in a row
FLOORS = {3: 20, 4: 30, 5: 20}  # STreeD divided by treewright, geometric mean
AVX2_FLOOR = 10


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


def compare_depth(tables, depth, rounds, task, floor):
    """Write the errors and the times of one depth."""
    errors, times, ratios, cold_ratios = {}, {}, {}, {}
    turns, repeats = rounds
    for name, (X, y) in tables.items():
        contenders = contenders_of(X, y, depth)
        seconds, fitted = in_turn(contenders, turns, time.process_time, repeats)
        greedy = DecisionTreeClassifier(max_depth=depth, random_state=0).fit(X, y)
        best = fitted[OURS]
        errors[name] = {
            "rows": len(y),
            "greedy": int((greedy.predict(X) != y).sum()),
            "best": int(best.errors_),
            "proven": best.proven_,
        }
        for program, runs in seconds.items():
            times.setdefault(program, {})[name] = min(runs)
        if "pystreed" in seconds:
            ratios[name] = times["pystreed"][name] / times[OURS][name]
            firsts = [min(seconds[program][::repeats]) for program in ("pystreed", OURS)]
            cold_ratios[name] = firsts[0] / firsts[1]
    # The geometric mean counts: a sum would be the time of the slowest table.
    means = {program: [statistics.geometric_mean(each.values())] for program, each in times.items()}
    report(
        task,
        f"optimal trees, depth {depth}, {len(tables)} tables: geometric mean of the least processor time",
        means,
        {"pystreed": floor} if ratios and floor else {},
        errors=errors,
        ratios=ratios,
        least_ratio=min(ratios.values(), default=None),
        ratios_of_first_runs=cold_ratios,
        longest_seconds=max(times[OURS].values()),
    )
    for name, row in errors.items():
        print(f"depth {depth}  {name:<18} greedy {row['greedy']:>5}  best {row['best']:>5}")


if __name__ == "__main__":
    if os.environ.get("TREEWRIGHT_SIMD") == "avx2":
        compare_depth(binary_tables(), 4, DEPTHS[4], "optimal_avx2", AVX2_FLOOR)
    else:
        for depth, rounds in DEPTHS.items():
            task = f"optimal_depth{depth}"
            compare_depth(binary_tables(), depth, rounds, task, FLOORS.get(depth))
