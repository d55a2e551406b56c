"""Imports go one way, so that a reader can start anywhere below and never meet what is above.

LAYERS is the map of CONTRIBUTING.md: a module may import modules of the layers before its own, and
those of its own package. An import inside a function or for types only counts as well; the few that
look upwards on purpose are listed with their reason.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[2]
PYTHON = ROOT / "python" / "treewright"
CORE = ROOT / "crates" / "treewright-core" / "src"

LAYERS: list[set[str]] = [
    {"_core", "reference"},
    {"errors"},
    {
        "schema",
        "measures",
        "splitting",
        "_recipe",
        "_atomic",
        "_titles",
        "_documented",
        "_boost_params",
    },
    {"_bag", "_boost_rounds"},
    {"node", "table", "_decide"},
    {"_values"},
    {"_dataframe"},
    {"_frame", "_target", "datasets"},
    {"_encode", "_input", "_quick", "row_order"},
    {"tree", "_build", "_classes", "_boost_lesson"},
    {"grove", "_ranges"},
    {"draw", "paths", "_one_rule", "_cart_recipe"},
    {"rulelist", "_boost_recipe"},
    {"_document"},
    {"_estimator"},
    {"_ensemble", "importances", "_boost_start"},
    {"pruning", "_started"},
    {"_kept", "_boosting"},
    {"trees", "c45", "cart", "boosting", "baselines"},
    {"ruleset", "choosing", "neighbors", "selection", "_forest", "_members"},
    {"forests", "_adaboost", "_bagging"},
    {"adaboost", "bagging"},
    {"files", "views", "reading"},
    {"rules"},
    {"exports", "reasons", "arithmetic"},
    {""},  # __init__: the public names
    {"cli"},
    {"__main__"},
]
UPWARD = {
    ("table", "_values"): "Series.of makes a column from values",
    ("_values", "_dataframe"): "a column may come out of a data frame",
    ("_document", ""): "a file names an estimator: only public ones are looked up",
    ("_document", "_estimator"): "for types only",
    ("_members", ""): "a file names a learner: only trees of ours are looked up",
}
RANK = {name: rank for rank, names in enumerate(LAYERS) for name in names}


def modules() -> Iterator[tuple[str, Path]]:
    """Give each source file with its place: the module, or the package that holds it."""
    for path in sorted(PYTHON.rglob("*.py")):
        parts = path.relative_to(PYTHON).with_suffix("").parts
        yield ("" if parts == ("__init__",) else parts[0]), path


def imports(path: Path) -> Iterator[tuple[int, str]]:
    """Give the line and the place of everything that a file imports from the package."""
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path.name}:{node.lineno}: imports are absolute"
            base = node.module or ""
            names = [f"{base}.{a.name}" if base == "treewright" else base for a in node.names]
        else:
            continue
        for name in names:
            package, _, rest = name.partition(".")
            if package == "treewright":
                yield node.lineno, place(rest)


def place(dotted: str) -> str:
    first = dotted.split(".")[0]
    return first if first in RANK else ""  # a public name, taken from the package itself


def test_every_module_has_a_layer() -> None:
    homeless = {home for home, _ in modules()} - set(RANK)
    assert not homeless, "give it a place in LAYERS, and a line in the map of CONTRIBUTING.md"


def test_imports_go_one_way() -> None:
    upward = [
        f"{path.relative_to(PYTHON)}:{line} imports {target or 'treewright'}"
        for home, path in modules()
        for line, target in imports(path)
        if home in RANK
        and target != home
        and RANK[target] >= RANK[home]
        and (home, target) not in UPWARD
    ]
    assert upward == []


def test_reasons_are_still_needed() -> None:
    seen = {(home, target) for home, path in modules() for _, target in imports(path)}
    assert set(UPWARD) <= seen


def test_views_know_trees_and_not_learners() -> None:
    known = {target for home, path in modules() if home == "draw" for _, target in imports(path)}
    assert known <= {"draw", "errors", "schema", "node", "tree", "grove", "_atomic"}


def test_the_command_line_uses_public_names() -> None:
    private = [
        f"{path.name}:{line} {target}"
        for home, path in modules()
        if home == "cli"
        for line, target in imports(path)
        if target.startswith("_") and target != "_atomic"  # results are files as whole as models
    ]
    assert private == []


def test_the_slow_twin_needs_nothing_but_python() -> None:
    assert list(imports(PYTHON / "reference.py")) == []


# Inside the core: error, pool <- data <- model <- learn.
RUST = {"error": 0, "pool": 1, "data": 2, "model": 3, "neighbors": 3, "learn": 4}


def test_the_core_imports_one_way() -> None:
    upward = [
        f"{path.relative_to(CORE)} uses {target}"
        for path in sorted(CORE.rglob("*.rs"))
        for target in re.findall(r"\bcrate::(\w+)", path.read_text("utf-8"))
        if RUST.get(target, 0) > RUST.get(path.relative_to(CORE).with_suffix("").parts[0], 9)
    ]
    assert upward == []


def test_the_core_has_no_python_and_no_names_of_algorithms() -> None:
    for path in CORE.rglob("*.rs"):
        code = re.sub(r"//.*", "", path.read_text("utf-8"))
        assert not re.search(r"\bpyo3\b|\bid3\b|\bc45\b|\bcart\b", code, re.IGNORECASE), path.name
