"""Names say what they hold: no word that hides it, no file name that occurs twice."""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parents[2] / "python" / "treewright"
FILES = sorted(PACKAGE.rglob("*.py"))
# They fit any value, so they name none.
BANNED = {"said", "told", "found", "given", "shown", "made", "whole"}
# An attribute and a parameter that are public, and a key of the core.
ALLOWED = {
    ("_evaluate/curve.py", "whole"),
    ("measures/information.py", "given"),
    ("_learners/ensembles/sampling.py", "given"),
}
CRATES = Path(__file__).parents[2] / "crates"
RUST_FILES = sorted(
    path
    for path in CRATES.glob("*/src/**/*.rs")
    if "tests" not in path.parts and path.stem != "tests"
)
# A variable, a parameter, a field or a function; tests at the end of a file are left out.
RUST_NAME = re.compile(
    r"\b(?:let|fn|mut|for|const|static)\s+\(?(?:mut\s+)?(\w+)|[(,|{]\s*(\w+):(?!:)|^\s*(?:pub\s+)?(\w+): "
)
# Folders in which files are named after what all of them have: sibling languages, commands.
SAME_NAMES = ("_export/", "cli/verbs/")


def defined_names(tree: ast.AST) -> Iterator[tuple[int, str]]:
    """Give the line and the name of every variable, parameter, function and import alias."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            yield node.lineno, node.id
        elif isinstance(node, ast.arg):
            yield node.lineno, node.arg
        elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            yield node.lineno, node.name
        elif isinstance(node, ast.alias) and node.asname:
            yield node.lineno, node.asname


def rust_names(text: str) -> Iterator[tuple[int, str]]:
    """Give the line and the name of what a file in Rust defines before its tests."""
    for number, line in enumerate(text.split("#[cfg(test)]")[0].splitlines(), 1):
        for groups in RUST_NAME.findall(line.split("//")[0]):
            yield from ((number, name) for name in groups if name)


def test_defined_names_sees_every_kind() -> None:
    code = (
        "import a as b\ndef c(d, *e, f=1, **g):\n    h = [i for i in d]\n    for j, k in e: pass\n"
    )
    assert {name for _, name in defined_names(ast.parse(code))} == set("bcdefghijk")


@pytest.mark.parametrize("folder", sorted({f.relative_to(PACKAGE).parts[0] for f in FILES}))
def test_no_name_that_fits_any_value(folder: str) -> None:
    bad = [
        f"{path.relative_to(PACKAGE)}:{line} {name}"
        for path in FILES
        if path.relative_to(PACKAGE).parts[0] == folder
        for line, name in defined_names(ast.parse(path.read_text("utf-8")))
        if name.strip("_") in BANNED
        if (path.relative_to(PACKAGE).as_posix(), name) not in ALLOWED
    ]
    assert bad == []


@pytest.mark.parametrize("crate", sorted({f.relative_to(CRATES).parts[0] for f in RUST_FILES}))
def test_no_name_in_rust_that_fits_any_value(crate: str) -> None:
    bad = [
        f"{path.relative_to(CRATES)}:{number} {name}"
        for path in RUST_FILES
        if path.relative_to(CRATES).parts[0] == crate
        for number, name in rust_names(path.read_text("utf-8"))
        if name in BANNED
    ]
    assert bad == []


def test_rust_names_sees_every_kind() -> None:
    code = """
/// found: a comment
pub fn a(b: u8, c: &str) {
    let d = 1;
    let (mut e, _) = (2, 3);
    for f in 0..3 {}
    each(|g: u8| g);
}
struct S {
    pub h: u8,
}
#[cfg(test)]
mod tests {
    fn found() {}
}
"""
    assert {name for _, name in rust_names(code)} >= set("abcdefgh")
    assert "found" not in {name for _, name in rust_names(code)}


def test_a_file_name_occurs_once() -> None:
    names = Counter(
        path.stem
        for path in FILES
        if not path.relative_to(PACKAGE).as_posix().startswith(SAME_NAMES)
        and path.stem not in ("__init__", "__main__")
    )
    assert [name for name, n in names.items() if n > 1] == []


def test_warnings_name_the_line_of_the_user() -> None:
    """A number of frames is right for one caller only; `_utils.user_warnings` finds the caller's line."""
    bad = [
        path.relative_to(PACKAGE).as_posix()
        for path in FILES
        if re.search(r"\bstacklevel\s*=", path.read_text("utf-8"))
    ]
    assert bad in ([], ["_utils/user_warnings.py"])
