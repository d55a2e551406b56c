"""Files, functions and classes stay small enough to read."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

import treewright
from treewright._catalog import LEARNERS, import_public

PACKAGE = Path(__file__).parents[2] / "python" / "treewright"
FILES = sorted(PACKAGE.rglob("*.py"))
MAX_FILE_LINES = 400
MAX_FUNCTION_LINES = 45
MAX_CLASSES = 5
MAX_PARAMETERS = 8


def function_lines(node: ast.FunctionDef | ast.AsyncFunctionDef) -> int:
    """Count the lines of a function, its signature included, its docstring and decorators left out."""
    lines = (node.end_lineno or node.lineno) - node.lineno + 1
    first = node.body[0]
    if ast.get_docstring(node) is not None:
        lines -= (first.end_lineno or first.lineno) - first.lineno + 1
    return lines


def test_function_lines_leaves_the_docstring_out() -> None:
    code = '@d\ndef f(\n    a,\n):\n    """One\n\n    two.\n    """\n    return a\n'
    function = ast.parse(code).body[0]
    assert isinstance(function, ast.FunctionDef)
    assert function_lines(function) == 4


def test_no_file_is_too_long() -> None:
    lengths = {path: len(path.read_text("utf-8").splitlines()) for path in FILES}
    bad = {p.relative_to(PACKAGE).as_posix() for p, n in lengths.items() if n > MAX_FILE_LINES}
    assert bad == set()


def test_no_function_is_too_long() -> None:
    bad = [
        f"{path.relative_to(PACKAGE)}:{node.lineno} {node.name}: {function_lines(node)} lines"
        for path in FILES
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        if function_lines(node) > MAX_FUNCTION_LINES
    ]
    assert bad == []


def test_private_functions_have_few_parameters() -> None:
    """Constructors, public functions and commands have as many as users need."""
    bad = [
        f"{path.relative_to(PACKAGE)}:{node.lineno} {node.name}"
        for path in FILES
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        if node.name not in ("__init__", "command", "fit", *treewright.__all__)
        if len([*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs]) > MAX_PARAMETERS
    ]
    assert len(bad) <= 1, bad


@pytest.mark.parametrize("name", LEARNERS)
def test_an_estimator_has_few_classes_with_methods(name: str) -> None:
    """Dataclasses of parameters do not count: they hold values and descriptions only."""
    classes = [c for c in import_public(name).__mro__ if c.__module__.startswith("treewright")]
    with_methods = [c.__name__ for c in classes if has_methods(c)]
    assert len(with_methods) <= MAX_CLASSES, with_methods


def has_methods(cls: type) -> bool:
    """Tell whether a class defines a method or a property of its own, apart from those of `dataclass`."""
    generated = {"__init__", "__repr__", "__eq__", "__post_init__", "__replace__"}
    return any(
        callable(value) or isinstance(value, property | classmethod | staticmethod)
        for name, value in vars(cls).items()
        if name not in generated and not isinstance(value, type)
    )
