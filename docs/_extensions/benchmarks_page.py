"""The page of benchmarks, made from the committed results, and their table by library."""

from __future__ import annotations

import json
from collections import defaultdict
from pathlib import Path
from statistics import median
from typing import Any

__all__ = ["setup"]

RESULTS = Path(__file__).parents[2] / "benchmarks" / "results"
# The tasks of each section begin with these words; the rest come last.
SECTIONS = {
    "Single trees": "exact low_cardinality regression unlike_categories unlike_missing unlike_weights",
    "Options of single trees, beside plain CART of treewright": "options adult prune rules",
    "Forests and boosting": "forest extra unlike_adult unlike_classes adaboost boosting",
    "Prediction": "predict",
    "Nearest neighbors, building the index included": "neighbors",
    "Processors without AVX-512, beside the same machine with it": "kernels",
    "Optimal trees": "optimal",
    "Small tables": "small",
    "Other": "",
}
HEAD = """# Benchmarks

Made from the files in `benchmarks/results`, which `make bench` writes. All libraries run side by side, in turn, and are
called from Python; the median of all runs counts. "Times as long" says how many times as long as treewright a
library takes: a number below 1 means that it is faster. A target that is missed is marked. `benchmarks/README.md` has
the method and the data.
"""
ERRORS = """Training errors of a greedy tree (scikit-learn's CART) and of the best tree of the same depth, with a proof.
[Optimal trees](../optimal-trees.md) says what that is worth.
"""
# Names of the results that are written in another way on the page.
NAMES = {
    "catboost": "CatBoost",
    "lightgbm": "LightGBM",
    "LightGBM quantised": "LightGBM, quantized gradients",
    "LightGBM 255 bins": "LightGBM (255 bins)",
    "scikit-learn-intelex 256 bins": "scikit-learn-intelex (256 bins)",
    "pystreed": "STreeD",
    "pycontree": "ConTree",
    "one-hot brute": "scikit-learn, one-hot encoded",
    "a metric function": "a metric in Python",
}
LIBRARIES = (
    "scikit-learn",
    "LightGBM",
    "XGBoost",
    "CatBoost",
    "YDF",
    "STreeD",
    "ConTree",
    "faiss",
    "pykdtree",
)


def setup(app: Any) -> dict[str, bool]:
    """Register the pages."""
    app.connect("config-inited", write_pages)
    return {"parallel_read_safe": True, "parallel_write_safe": True}


def write_pages(_app: Any, _config: Any) -> None:
    """Write ``generated/benchmarks.md`` and the table by library."""
    from optimal_errors import describe_errors
    from reference_pages import write

    results = [json.loads(path.read_text("utf-8")) for path in sorted(RESULTS.glob("*.json"))]
    timed = [result for result in results if "treewright" in result["medians"]]
    sections = sort_into_sections(timed)
    parts = [HEAD, *describe_libraries(timed)]
    for title, tasks in sections.items():
        parts += [f"## {title}", "", *describe_tasks(tasks), ""]
        if title == "Optimal trees":
            parts += [ERRORS, *describe_errors(), ""]
    parts += [*describe_quality(results), describe_machine(results), ""]
    write("benchmarks.md", "\n".join(parts))
    write("by_library.inc", "\n".join(library_table(timed)))


def sort_into_sections(results: list[dict[str, Any]]) -> dict[str, list[dict[str, Any]]]:
    """Return the results by the title of their section."""
    sections: dict[str, list[dict[str, Any]]] = {title: [] for title in SECTIONS}
    for result in results:
        fits = [
            title
            for title, words in SECTIONS.items()
            if any(result["task"].startswith(word) for word in words.split())
        ]
        sections[(fits or ["Other"])[0]].append(result)
    return {title: tasks for title, tasks in sections.items() if tasks}


def describe_tasks(results: list[dict[str, Any]]) -> list[str]:
    """Return a table with a row for each task."""
    lines = ["| task | treewright | others, times as long | target |", "| --- | ---: | --- | --- |"]
    for result in results:
        others = ", ".join(
            f"{NAMES.get(name, name)} {write_ratio(ratio)}"
            for name, ratio in sorted(result["ratios"].items())
        )
        seconds = write_seconds(result["medians"]["treewright"])
        lines.append(f"| {title_of(result)} | {seconds} | {others} | {describe_targets(result)} |")
    return lines


def title_of(result: dict[str, Any]) -> str:
    """Return what a task does, so that it can be understood alone."""
    title: str = result["title"].removesuffix(": all of them")
    return f"10 nearest rows: {title}" if result["task"].startswith("neighbors") else title


def describe_targets(result: dict[str, Any]) -> str:
    """Return the targets of a task, and whether each was met."""
    texts = []
    for name, target in sorted(result["floors"].items()):
        own = name == "treewright"
        found = result["medians"][name] if own else result["ratios"].get(name)
        if found is None:
            continue
        met = found <= target if own else found >= target
        wanted = (
            f"at most {write_seconds(target)}" if own else f"{NAMES.get(name, name)} {target:.3g}"
        )
        texts.append(f"{wanted}: {'met' if met else '**missed**'}")
    return "; ".join(texts)


def write_seconds(seconds: float) -> str:
    """Return a time with three digits and a readable unit."""
    for unit, size in (("s", 1.0), ("ms", 1e-3), ("µs", 1e-6)):
        if seconds >= size or unit == "µs":
            return f"{seconds / size:.3g} {unit}"
    raise AssertionError


def write_ratio(ratio: float) -> str:
    """Return how many times as long, with three digits."""
    return f"{ratio:.3g}" if ratio < 1000 else f"{float(f'{ratio:.3g}'):,.0f}"


def describe_libraries(results: list[dict[str, Any]]) -> list[str]:
    """Return the section by library."""
    return ["## By library", "", *library_table(results), ""]


def library_table(results: list[dict[str, Any]]) -> list[str]:
    """Return a table: on how many tasks each library was measured, and how treewright does at worst and at best."""
    found: dict[str, list[tuple[float, str]]] = defaultdict(list)
    for result in results:
        for name, ratio in result["ratios"].items():
            shown = NAMES.get(name, name)
            if library := next((word for word in LIBRARIES if shown.startswith(word)), None):
                found[library].append((ratio, title_of(result)))
    lines = [
        "| library | comparisons | times as long: median | least | most |",
        "| --- | ---: | ---: | --- | --- |",
    ]
    for library in LIBRARIES:
        ratios = sorted(found[library])
        if ratios:
            ends = [f"{write_ratio(ratio)} ({title})" for ratio, title in (ratios[0], ratios[-1])]
            middle = median(ratio for ratio, _ in ratios)
            lines.append(f"| {library} | {len(ratios)} | {middle:.3g} | {ends[0]} | {ends[1]} |")
    return lines


def describe_quality(results: list[dict[str, Any]]) -> list[str]:
    """Return what the models of the same runs are worth: a fast model must not be a worse one."""
    names = {"auc": "AUC", "area_under_the_curve": "AUC", "accuracy": "accuracy"}
    lines = [
        "## How good the models of these runs are",
        "",
        "On rows that were not used for training.",
        "",
    ]
    lines += ["| task | measure | treewright | others |", "| --- | --- | ---: | --- |"]
    for result in results:
        for key, label in names.items():
            scores = result["facts"].get(key, {})
            if "treewright" not in scores:
                continue
            others = ", ".join(
                f"{NAMES.get(name, name)} {score:.4f}"
                for name, score in sorted(scores.items())
                if name != "treewright"
            )
            lines.append(f"| {result['title']} | {label} | {scores['treewright']:.4f} | {others} |")
    return [*lines, ""]


def describe_machine(results: list[dict[str, Any]]) -> str:
    """Return one sentence about the machine of the results."""
    machine = results[-1]["machine"]
    versions = sorted(
        {pair for result in results for pair in result["machine"]["versions"].items()}
    )
    shown = ", ".join(f"{name} {version}" for name, version in versions)
    return f"Measured on {machine['cores']} cores ({machine['processor']}), Python {machine['python']}, {shown}."
