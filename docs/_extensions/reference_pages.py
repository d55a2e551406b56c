"""Pages that are made from the package: the Python reference and the commands.

They are written to ``docs/generated`` before Sphinx looks for sources. A file is written only when its text changes, so
that a second build is quick.
"""

from __future__ import annotations

import inspect
import os
import subprocess
import sys
from importlib import import_module
from pathlib import Path
from typing import Any

from treewright._catalog import LEARNERS
from treewright._public_names import OTHER_NAMES

__all__ = ["setup"]

DOCS = Path(__file__).parents[1]
GENERATED = DOCS / "generated"

# Sections of the Python reference: the functions and classes by what one does with them.
SECTIONS = {
    "Read tables": "read_table read_csv inspect Table Schema",
    "Look at a model": "show to_rules plot work explain explain_neighbors report lesson workbench Tree Rule RuleList "
    "InteractiveView Lesson Report",
    "Grow and prune": "Growing rows_of NodeRows prune pruning_path PruneTrace PruningPath",
    "Measure": "evaluate compare calibration_curve lift_curve choose_threshold complexity_curve partial_dependence "
    "permutation_importance shap_values Evaluation Comparison CalibrationCurve LiftCurve ThresholdChoice "
    "ComplexityCurve PartialDependence",
    "How far from the best": "optimality_gap rashomon smallest_tree compare_trees OptimalityGap Rashomon SmallestTree "
    "TreeComparison",
    "Choose columns": "rank_columns SelectColumns ColumnRanking nearest bootstrap",
    "Save, load, export": "save load export from_sklearn from_lightgbm from_xgboost from_onnx",
    "Errors and warnings": "TreewrightError DataError UsageError ModelFileError ColumnWarning UnseenValuesWarning",
}
MODULES = {
    "treewright.measures": "Entropy, gain, gain ratio, Gini index and related functions",
    "treewright.datasets": "Built-in tables",
    "treewright.dask": "Many machines, with Dask",
    "treewright.spark": "Many machines, with Spark",
    "treewright.reference": "ID3 in plain Python",
}


def setup(app: Any) -> dict[str, bool]:
    """Register the pages: they must exist before Sphinx looks for its sources."""
    app.connect("config-inited", write_pages)
    return {"parallel_read_safe": True, "parallel_write_safe": True}


def write_pages(_app: Any, _config: Any) -> None:
    """Write every generated page."""
    write("api.rst", describe_python())
    write("commands.md", describe_commands())


def write(name: str, text: str) -> None:
    """Write a page if its text is new."""
    path = GENERATED / name
    path.parent.mkdir(parents=True, exist_ok=True)
    if not path.exists() or path.read_text("utf-8") != text:
        path.write_text(text, "utf-8")


def describe_python() -> str:
    """Write a page for each public name, and return the page that lists them."""
    sections = {"Estimators": [("treewright", name) for name in sorted(LEARNERS)]}
    sections |= {
        title: [("treewright", name) for name in names.split()] for title, names in SECTIONS.items()
    }
    listed = {name for names in sections.values() for _, name in names}
    if rest := sorted(set(OTHER_NAMES) - listed):
        sections["Other"] = [("treewright", name) for name in rest]
    for module, title in MODULES.items():
        sections[f"{title} (``{module}``)"] = [
            (module, name) for name in import_module(module).__all__
        ]
    lines = [
        "Python",
        "======",
        "",
        "Every name of the first sections is imported from ``treewright``.",
        "",
    ]
    for title, names in sections.items():
        lines += [title, "-" * len(title), "", ".. list-table::", "   :widths: 30 70", ""]
        for module, name in names:
            value = getattr(import_module(module), name)
            write(f"api/{module}.{name}.rst", describe_name(module, name, value))
            lines += [
                f"   * - :doc:`{name} <api/{module}.{name}>`",
                f"     - {first_sentence(value)}",
            ]
        lines += ["", ".. toctree::", "   :hidden:", ""]
        lines += [f"   api/{module}.{name}" for module, name in names] + [""]
    return "\n".join(lines)


def describe_name(module: str, name: str, value: Any) -> str:
    """Return the page of one public name: its docstring, and the methods that treewright defines."""
    lines = [name, "=" * len(name), "", f".. currentmodule:: {module}", ""]
    if not inspect.isclass(value):
        kind = "autofunction" if callable(value) else "autodata"
        return "\n".join([*lines, f".. {kind}:: {name}", ""])
    lines += [f".. autoclass:: {name}", ""]
    for method in own_methods(value):
        lines += [f"   .. automethod:: {method}", ""]
    return "\n".join(lines)


def own_methods(owner: type) -> list[str]:
    """Return the public methods of a class with a docstring of this package, without those of scikit-learn."""
    return [
        name
        for name, method in inspect.getmembers(owner, inspect.isfunction)
        if not name.startswith("_")
        and method.__module__.startswith("treewright")
        and method.__doc__
    ]


def first_sentence(value: Any) -> str:
    """Return the first line of a docstring, which says what a name is for."""
    return (inspect.getdoc(value) or "").split("\n", 1)[0]


def describe_commands() -> str:
    """Return the help of every command, as a user sees it."""
    from treewright.cli.main import COMMANDS

    lines = [
        "# Commands",
        "",
        "Results go to standard output, everything else to standard error.",
        "",
    ]
    lines += ["```text", run_help(), "```", ""]
    for group, commands in COMMANDS.items():
        lines += [f"## {group}", ""]
        for name in commands:
            lines += [f"### treewright {name}", "", "```text", run_help(name), "```", ""]
    return "\n".join(lines)


def run_help(*command: str) -> str:
    """Return what ``treewright COMMAND --help`` prints."""
    environment = {**os.environ, "COLUMNS": "100", "NO_COLOR": "1"}
    run = [sys.executable, "-m", "treewright", *command, "--help"]
    answer = subprocess.run(run, capture_output=True, encoding="utf-8", env=environment, check=True)
    return answer.stdout.rstrip()
