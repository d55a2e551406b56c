"""Run the benchmarks, each in a process of its own, and print the table of results.

python benchmarks/run.py                   all tasks
python benchmarks/run.py exact_full ...    some tasks
python benchmarks/run.py --print           the table of the last results
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
TASKS = (
    "exact_full",
    "exact_depth8",
    "low_cardinality",
    "regression",
    "adult_c45",
    "prune",
    "large_tree",
    "one_row",
    "boosting",
    "boosting_small",
    "boosting_memory",
    "boosting_quality",
    "core_row",
    "predict_many",
    "memory",
    "small",
    "small_tables",
    "curve",
    "neighbors",
    "neighbors_mixed",
    "rank",
    "forest",
    "extra_trees",
    "adaboost",
    "unlike",
    "options",
    "kernels",
    "optimal",
    "optimal_options",
    "optimal_numbers",
)
KERNEL_TASKS = (
    "exact_full",
    "exact_depth8",
    "low_cardinality",
    "regression",
    "forest",
    "neighbors_3",
    "neighbors_8",
    "neighbors_64",
    "boosting",
    "prediction",
)
ORDER = (
    "exact_full",
    "exact_depth8",
    "low_cardinality",
    "regression",
    "adult_c45",
    "prune_adult",
    "rules_adult",
    "prune_pessimistic",
    "prune_path",
    "large_show",
    "large_explain",
    "large_json",
    "predict_row",
    "predict_one",
    "boosting",
    "boosting_small",
    "boosting_memory",
    "boosting_quality",
    "predict_core",
    "predict_many",
    "predict_row_many",
    "predict_one_many",
    "memory",
    "small",
    "small_50",
    "small_500",
    "curve",
    "neighbors_3",
    "neighbors_8",
    "neighbors_16",
    "neighbors_64",
    "neighbors_mixed",
    "rank",
    "rank_mdl",
    "forest",
    "extra_trees",
    "adaboost",
    "unlike_classes",
    "unlike_weights",
    "unlike_missing",
    "unlike_categories",
    "unlike_adult",
    "options_c45_numbers",
    "options_c45_categories",
    "options_entropy",
    "options_surrogate",
    "options_branch",
    "options_weights",
    *(f"kernels_avx2_{task}" for task in KERNEL_TASKS),
    *(f"kernels_portable_{task}" for task in KERNEL_TASKS),
    "optimal_depth2",
    "optimal_depth3",
    "optimal_depth4",
    "optimal_depth5",
    "optimal_avx2",
    "optimal_options",
    "optimal_numbers",
    "optimal_regression3",
    "optimal_regression4",
)


def main() -> int:
    words = sys.argv[1:]
    if "--print" not in words:
        unknown = [word for word in words if word not in TASKS]
        if unknown:
            print(f"unknown task: {unknown[0]}; tasks: {', '.join(TASKS)}", file=sys.stderr)
            return 2
        for task in words or TASKS:
            print(f"--- {task}", flush=True)
            subprocess.run([sys.executable, f"{task}.py"], cwd=HERE, check=False, env=os.environ)
    show()
    return 0


def show() -> None:
    """Print the results of all tasks from their files."""
    for name in ORDER:
        path = HERE / "results" / f"{name}.json"
        if path.exists():
            for line in lines(json.loads(path.read_text("utf-8"))):
                print(line)


def lines(result: dict[str, Any]) -> list[str]:
    """Return the lines of one task: treewright, then each other library with its ratio and the target."""
    floors, facts = result["floors"], result["facts"]
    medians, ratios = result["medians"], result["ratios"]
    output = [f"{result['title']}"]
    if "treewright" in medians:
        ours = medians["treewright"]
        target = floors.get("treewright")
        mark = "" if target is None else verdict(ours <= target, f"at most {span(target)}")
        output.append(f"    {'treewright':<20} {span(ours):>10}{mark}")
    for peer, ratio in ratios.items():
        target = floors.get(peer)
        mark = "" if target is None else verdict(ratio >= target, f"at least {target:g}")
        output.append(
            f"    {peer:<20} {span(medians[peer]):>10}   {ratio:8.1f} times as long{mark}"
        )
    for fact, value in facts.items():
        output.append(f"    {fact}: {rounded(value)}")
    return output


def verdict(reached: bool, target: str) -> str:
    return f"   ({'reached' if reached else 'MISSED'}: {target})"


def span(seconds: float) -> str:
    return f"{seconds:.3f} s" if seconds >= 0.01 else f"{seconds * 1e6:.1f} us"


def rounded(value: Any) -> Any:
    if isinstance(value, dict):
        return ", ".join(f"{k} {rounded(v)}" for k, v in value.items())
    return f"{value:.4g}" if isinstance(value, float) else value


if __name__ == "__main__":
    sys.exit(main())
