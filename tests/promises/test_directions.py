"""Imports follow the layers: a folder imports only what is lower.

A module may import modules of lower layers and of its own folder. Imports inside functions and for types count too.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[2]
PYTHON = ROOT / "python" / "treewright"
CORE = ROOT / "crates" / "treewright-core" / "src"

# Each layer is a line of the map in CONTRIBUTING.md. "a < b" means that b may import a; "a + b" import each other.
LAYERS = """
_core, reference, _public_names < _catalog < errors
schema < measures, _utils
table + _input
tree + _model, datasets
_render
_draw, _reading
_estimator
_pruning
_learners
_evaluate, selection
_show < files, _cluster < dask, spark
_explain, _export, _interchange < _work < _growing < _optimal < _web < _lesson
__init__
cli
__main__
"""
RANK: dict[str, tuple[int, int]] = {}
UNIT: dict[str, str] = {}
for rank, layer in enumerate(LAYERS.strip().splitlines()):
    for step, names in enumerate(layer.split("<")):
        for unit in names.split(","):
            for name in unit.split("+"):
                RANK[name.strip()], UNIT[name.strip()] = (rank, step), unit.strip()


def modules() -> Iterator[tuple[str, Path]]:
    """Give each source file with its place: the module or folder at the root of the package."""
    for path in sorted(PYTHON.rglob("*.py")):
        parts = path.relative_to(PYTHON).with_suffix("").parts
        yield parts[0], path


def imports(path: Path) -> Iterator[tuple[int, str]]:
    """Give the line and the place of every import from the package."""
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
    return first if first in RANK else "__init__"  # a public name, taken from the package itself


def test_every_module_has_a_layer() -> None:
    homeless = {home for home, _ in modules()} - set(RANK)
    assert not homeless, "give it a place in LAYERS, and a line in the map of CONTRIBUTING.md"


def test_imports_go_one_way() -> None:
    upward = [
        f"{path.relative_to(PYTHON)}:{line} imports {target}"
        for home, path in modules()
        for line, target in imports(path)
        if home in RANK and UNIT[target] != UNIT[home] and RANK[target] >= RANK[home]
    ]
    assert upward == []


def test_there_are_at_most_15_layers() -> None:
    assert len(LAYERS.strip().splitlines()) <= 15


def test_drawings_know_trees_and_not_learners() -> None:
    known = {target for home, path in modules() if home == "_draw" for _, target in imports(path)}
    assert known <= {
        *(
            "_catalog",
            "_draw",
            "_input",
            "_model",
            "_render",
            "_utils",
            "errors",
            "schema",
            "tree",
            "_core",
            "measures",
        )
    }


# Private folders that the command line may import.
CLI_MAY_USE = (
    "_catalog",
    "_input",
    "_render",
    "_utils",
    "_reading",
    "_evaluate",
    "_export",
    "_web",
)


def test_the_command_line_uses_public_names() -> None:
    private = [
        f"{path.name}:{line} {target}"
        for home, path in modules()
        if home == "cli"
        for line, target in imports(path)
        if target.startswith("_") and target not in ("__init__", *CLI_MAY_USE)
    ]
    assert private == []


def test_the_slow_twin_needs_nothing_but_python() -> None:
    assert list(imports(PYTHON / "reference.py")) == []


# Folders and files at the root of the core: a line may use itself and the lines above it.
RUST_LAYERS = """
error tolerance
sys simd peers
rng
data
columns
codes
model neighbors
stats
split
rows
grow
prune loss discretize
recipe
ensemble boost rules
words
prelude
"""
RUST = {
    name: rank for rank, line in enumerate(RUST_LAYERS.strip().split("\n")) for name in line.split()
}
# Engines that run the loop themselves.
RUN_THE_LOOP = {
    ("rows/columns/plan.rs", "grow"),
    ("rows/sorted/mod.rs", "grow"),
    ("rows/surrogates/mod.rs", "grow"),
}
# Files outside ``words`` that read text: tables, model files, and the variable that chooses a processor tier.
READ_TEXT = ("words/", "data/csv", "columns/", "model/", "simd/isa.rs")
ALGORITHMS = re.compile(
    r"(?i)\b(id3|c45|c4_5|cart|j48|rpart|weka|samme)\b|\bpyo3\b|--(?!upgrade)[a-z]"
)
# Small constants that are no tolerances: rules of an algorithm, limits of a type, and errors of tables of numbers.
NOT_TOLERANCES = {
    "boost/packing.rs",
    "loss/groups.rs",
    "neighbors/boxes.rs",
    "neighbors/careful.rs",
    "rows/bins/filter.rs",
    "rows/sorted/logarithms.rs",
    "rows/surrogates/estimates.rs",
    "split/groups.rs",
    "split/priced_threshold.rs",
}
SMALL_CONSTANT = re.compile(r"\bconst \w+: f(?:32|64) = [^;]*\d[eE]-\d")
COMPARES_TEXT = re.compile(r'[=!]= &?"|"[^"]*" *(\| *"[^"]*" *)*(if [^=]*)?=>|\.as_str\(\)')


def rust_files() -> Iterator[tuple[str, str]]:
    """Give the path and the code of each file of the core, without comments and tests."""
    for path in sorted(CORE.rglob("*.rs")):
        name = path.relative_to(CORE).as_posix()
        if name.startswith("lib.") or "tests" in name:
            continue
        code = re.split(r"#\[cfg\(test\)\]\s*mod \w+ \{", path.read_text("utf-8"))[0]
        yield name, re.sub(r"(?m)(?<!:)//.*$", "", code)


def test_every_folder_of_the_core_has_a_layer() -> None:
    homes = {name.split("/")[0].removesuffix(".rs") for name, _ in rust_files()}
    assert homes == set(RUST), "give it a line in RUST_LAYERS and in the table of lib.rs"


def test_the_core_imports_one_way() -> None:
    upward = [
        f"{name} uses {target}"
        for name, code in rust_files()
        for target in re.findall(r"\bcrate::(\w+)", code)
        if RUST.get(target, 0) > RUST[name.split("/")[0].removesuffix(".rs")]
        and (name, target) not in RUN_THE_LOOP
    ]
    assert upward == []


def test_the_core_knows_no_algorithm_and_no_flag() -> None:
    named = [
        (name, found.group()) for name, code in rust_files() for found in ALGORITHMS.finditer(code)
    ]
    assert named == []


def test_words_decide_in_one_folder() -> None:
    compared = [
        (name, found.group())
        for name, code in rust_files()
        if not name.startswith(READ_TEXT)
        for found in COMPARES_TEXT.finditer(code)
    ]
    assert compared == []


def test_tolerances_stand_in_one_file() -> None:
    elsewhere = {name for name, code in rust_files() if SMALL_CONSTANT.search(code)}
    assert elsewhere == {"tolerance.rs", *NOT_TOLERANCES}
