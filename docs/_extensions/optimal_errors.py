"""The errors of greedy and of best trees, from the committed results: a table on two pages."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

__all__ = ["describe_errors", "setup"]

RESULTS = Path(__file__).parents[2] / "benchmarks" / "results"


def setup(app: Any) -> dict[str, bool]:
    """Register the table: it must exist before Sphinx reads the page that includes it."""
    app.connect("config-inited", write_table)
    return {"parallel_read_safe": True, "parallel_write_safe": True}


def write_table(_app: Any, _config: Any) -> None:
    """Write ``generated/optimal_errors.inc``."""
    from reference_pages import write

    write("optimal_errors.inc", "\n".join([*describe_errors(), ""]))


def describe_errors() -> list[str]:
    """Return a Markdown table: a row for each table, a column for each depth."""
    errors = {
        path.stem.removeprefix("optimal_depth"): json.loads(path.read_text("utf-8"))["facts"][
            "errors"
        ]
        for path in sorted(RESULTS.glob("optimal_depth*.json"))
    }
    lines = [
        "| table | rows |" + "".join(f" depth {depth} |" for depth in errors),
        "| --- | ---: |" + " ---: |" * len(errors),
    ]
    for name, facts in next(iter(errors.values())).items():
        cells = [f"{each[name]['greedy']} / {_best(each[name])}" for each in errors.values()]
        lines.append(f"| {name} | {facts['rows']:,} | {' | '.join(cells)} |")
    return lines


def _best(facts: dict[str, Any]) -> str:
    return str(facts["best"]) if facts["proven"] else f"{facts['best']} (not proven)"
