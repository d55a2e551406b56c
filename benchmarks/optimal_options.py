"""Optimal trees with a penalty for leaves or a minimum of rows in them, beside STreeD where it is installed."""

import statistics
import time
from importlib.util import find_spec

import numpy as np
from optimal_tables import binary_tables
from timing import OURS, in_turn, report

from treewright import OptimalTreeClassifier

DEPTHS = (2, 3, 4)
OPTIONS = (
    *({"min_samples_leaf": rows} for rows in (5, 20)),
    *({"leaf_cost": cost} for cost in (0.003, 0.01, 0.03)),
)
LARGE = ("german-credit", "kr-vs-kp")  # left out: depth 4 with a minimum takes other programs long
FLOOR = 20  # STreeD divided by treewright, geometric mean


def contenders_of(X, y, depth, options):
    """Return the programs that are installed."""
    contenders = {OURS: lambda: OptimalTreeClassifier(depth, n_jobs=1, **options).fit(X, y)}
    if find_spec("pystreed"):
        from pystreed import STreeDClassifier

        integers, cost = X.astype(np.int32), options.get("leaf_cost")
        task = "accuracy" if cost is None else "cost-complex-accuracy"
        contenders["pystreed"] = lambda: STreeDClassifier(
            task,
            max_depth=depth,
            time_limit=600,
            min_leaf_node_size=options.get("min_samples_leaf", 1),
            cost_complexity=cost or 0.0,
        ).fit(integers, y)
    return contenders


def is_equal(ours, other, X, y, leaf_cost):
    """Whether both trees have the same objective; the search rounds costs to 1/1024 of an error."""
    errors = int((other.predict(X.astype(np.int32)) != y).sum())
    objective = errors + leaf_cost * len(y) * other.get_n_leaves()
    return abs(objective - ours.objective_) < 0.02


if __name__ == "__main__":
    times, ratios, equal = {}, {}, 0
    for name, (X, y) in binary_tables().items():
        if name in LARGE:
            continue
        for depth in DEPTHS:
            for options in OPTIONS:
                contenders = contenders_of(X, y, depth, options)
                runs_in_a_row = 5 if depth < 4 else 3
                seconds, fitted = in_turn(contenders, 2, time.process_time, runs_in_a_row)
                (option, value), *_ = options.items()
                problem = f"{name}, depth {depth}, {option} {value}"
                for program, runs in seconds.items():
                    times.setdefault(program, {})[problem] = min(runs)
                if "pystreed" in seconds:
                    ratios[problem] = times["pystreed"][problem] / times[OURS][problem]
                    cost = options.get("leaf_cost", 0.0)
                    equal += is_equal(fitted[OURS], fitted["pystreed"], X, y, cost)
    report(
        "optimal_options",
        f"optimal trees with a leaf cost or a minimum leaf, {len(times[OURS])} problems: "
        "geometric mean of the least processor time",
        {program: [statistics.geometric_mean(each.values())] for program, each in times.items()},
        {"pystreed": FLOOR} if ratios else {},
        equal_objectives=equal,
        problems=len(times[OURS]),
        least_ratios=dict(sorted(ratios.items(), key=lambda pair: pair[1])[:5]),
    )
