"""The table of the project's README, made from the committed results; run as a program, it writes them there.

The rows are chosen by hand: each kind of task once, those with little gain included. ``make fix`` runs this.
"""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

__all__ = ["readme_with_figures"]

ROOT = Path(__file__).parents[1]
HEADER = "| task | treewright | others, times as long |\n| --- | --- | --- |\n"
# What the row says, the results in it, and how the other programs are written.
ROWS: list[tuple[str, list[str], dict[str, str]]] = [
    (
        "exact tree, 200,000 x 28, full depth",
        ["exact_full"],
        {
            "scikit-learn": "scikit-learn",
            "XGBoost exact": "XGBoost exact",
            "LightGBM 255 bins": "LightGBM (255 bins)",
        },
    ),
    (
        "exact tree, 200,000 rows, 8 numeric and 8 categorical columns",
        ["unlike_categories"],
        {"scikit-learn": "scikit-learn, one-hot encoded,"},
    ),
    (
        "forest of 100, 100,000 x 28, exact",
        ["forest"],
        {
            "scikit-learn": "scikit-learn",
            "YDF": "YDF",
            "scikit-learn-intelex 256 bins": "scikit-learn-intelex (256 bins)",
        },
    ),
    ("100 extra trees, 100,000 x 28", ["extra_trees"], {"scikit-learn": "scikit-learn"}),
    (
        "boosting, 100 trees of 31 leaves, 1,000,000 x 28",
        ["boosting"],
        {"LightGBM": "LightGBM", "LightGBM quantised": "with quantized gradients"},
    ),
    (
        "predict 100,000 rows with 100 trees",
        ["predict_many"],
        {"catboost": "CatBoost", "lightgbm": "LightGBM"},
    ),
    (
        "predict one row: `predict`, `predict_one`",
        ["predict_row", "predict_one"],
        {"scikit-learn": "scikit-learn's `predict`"},
    ),
    (
        "10 nearest of 50,000 mixed rows with missing values",
        ["neighbors_mixed"],
        {"one-hot brute": "scikit-learn, one-hot encoded,"},
    ),
]


def readme_with_figures(text: str) -> str:
    """Return the README with the rows that the results give."""
    table = re.compile(re.escape(HEADER) + r"(?:\|.*\n)*")
    rows = "".join(map(_row, *zip(*ROWS, strict=True)))
    text, count = table.subn(lambda _: HEADER + rows, text)
    if count != 1:
        raise ValueError("README.md has no table of times, or more than one")
    return text


def _row(task: str, names: list[str], others: dict[str, str]) -> str:
    results = [_read(name) for name in names]
    times = ", ".join(_write_seconds(result["medians"]["treewright"]) for result in results)
    ratios = results[0]["ratios"]
    figures = ", ".join(f"{label} {_round(ratios[name])}" for name, label in others.items())
    return f"| {task} | {times} | {figures} |\n"


def _read(name: str) -> dict[str, Any]:
    path = ROOT / "benchmarks" / "results" / f"{name}.json"
    result: dict[str, Any] = json.loads(path.read_text("utf-8"))
    return result


def _write_seconds(seconds: float) -> str:
    for unit, size in (("s", 1.0), ("ms", 1e-3), ("µs", 1e-6)):
        if seconds >= 0.1 * size or unit == "µs":
            return f"{_round(seconds / size)} {unit}"
    raise AssertionError


def _round(number: float) -> str:
    """Write two digits, more only before the point."""
    return f"{number:.0f}" if number >= 10 else f"{number:#.2g}"


if __name__ == "__main__":
    readme = ROOT / "README.md"
    readme.write_text(readme_with_figures(readme.read_text("utf-8")), "utf-8")
