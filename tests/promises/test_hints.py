"""A hint can be followed where it is read: on the command line it names options that exist, in Python parameters.

Hints are data (`treewright.errors.Hint`). These tests read the sources: no hint is a flag or a call as text, and every
hint that names an option or a function names one that exists.
"""

from __future__ import annotations

import ast
import importlib
import inspect
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import click
import pytest

import treewright
from treewright.cli.app.hints import COMMANDS, find_option, hint_writer
from treewright.cli.main import NAMES
from treewright.errors import Hint

PACKAGE = Path(treewright.__file__).parent
FLAG = re.compile(r"(?<![\w-])--?[a-z][\w-]*")
CALL = re.compile(r"\b[a-z_]\w*\(|\b[a-z_]+=")
# What guard.py says about options that every command has, and shell commands that are the same for everybody.
SHELL = re.compile(r"pip install \S+( \S+)*|treewright doctor|curl -sL ")


@cache
def calls() -> list[tuple[str, ast.Call]]:
    """Return all calls in the sources, with the names of their files."""
    return [
        (path.relative_to(PACKAGE).as_posix(), node)
        for path in sorted(PACKAGE.rglob("*.py"))
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(node, ast.Call)
    ]


def texts_of_hints() -> Iterator[tuple[str, str]]:
    """Give every literal text inside the argument `hints` of a call, with its place."""
    for name, node in calls():
        for keyword in node.keywords:
            if keyword.arg == "hints":
                yield from ((f"{name}:{t.lineno}", t.value) for t in texts(keyword.value))


def texts(node: ast.AST) -> Iterator[Any]:
    """Give the literal texts of an expression, without those of a Hint inside it."""
    if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "Hint":
        return
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        yield node
    for child in ast.iter_child_nodes(node):
        yield from texts(child)


@cache
def hints() -> list[tuple[str, dict[str, Any]]]:
    """Return the arguments of every Hint in the sources, with its place; an ellipsis for what is computed."""
    named = [(f, n) for f, n in calls() if getattr(n.func, "id", "") == "Hint" and f != "errors.py"]
    return [
        (f"{file}:{node.lineno}", {str(k.arg): constant(k.value) for k in node.keywords})
        for file, node in named
    ]


def constant(node: ast.AST) -> Any:
    try:
        return ast.literal_eval(node)  # type: ignore[arg-type]
    except ValueError:
        return ...


@cache
def commands() -> dict[str, click.Command]:
    return {name: importlib.import_module(f"treewright.cli.verbs.{name}").command for name in NAMES}


def flags(command: click.Command) -> set[str]:
    return {flag for param in command.params for flag in param.opts}


def parameters() -> set[str]:
    """Return the names of all parameters of public functions and estimators."""
    known: set[str] = set()
    for name in treewright.__all__:
        public = getattr(treewright, name)
        is_class = inspect.isclass(public) and not issubclass(public, Exception)
        if is_class or inspect.isfunction(public):
            known |= set(inspect.signature(public).parameters)
    return known | {"divided", "missing"}  # of single forms of export


def test_the_sources_have_hints() -> None:
    assert len(list(hints())) > 60
    assert len(list(texts_of_hints())) > 100


def test_no_hint_is_a_flag_or_a_call_as_text() -> None:
    wrong = [
        (place, text)
        for place, text in texts_of_hints()
        if FLAG.search(SHELL.sub("", text)) or CALL.search(SHELL.sub("", text))
    ]
    assert not wrong


def test_the_core_names_no_flag() -> None:
    crates = Path(__file__).parents[2] / "crates"
    if not crates.is_dir():
        pytest.skip("the sources of the core are not here")
    for path in sorted(crates.rglob("*.rs")):
        for line in path.read_text("utf-8").splitlines():
            text = SHELL.sub("", line.partition("//")[0])
            assert not re.search(r'".*\s--[a-z]+.*"', text), (path.name, line)


def test_the_rules_about_columns_name_options_of_inspect() -> None:
    folder = Path(__file__).parents[2] / "crates" / "treewright-core" / "src" / "columns"
    if not folder.is_dir():
        pytest.skip("the sources of the core are not here")
    text = "".join(path.read_text("utf-8") for path in sorted(folder.glob("*.rs")))
    named = set(re.findall(r'(?:Hint::(?:text|column)\(|option: )"(\w+)"', text))
    assert {"keep", "numeric", "missing", "dates"} < named
    assert named <= set(inspect.signature(treewright.inspect).parameters)


def test_every_hint_names_options_that_exist() -> None:
    verbs, known = commands(), parameters()
    for place, said in hints():
        # What a target column is, is asked by the command line and by the workbench, which have the same options.
        in_cli = place.startswith(("cli/", "_reading/target_column"))
        options = [
            said.get("option"),
            *(said.get("others") or {} if said.get("others") is not ... else {}),
        ]
        for option in options:
            if option in (None, "", ...):
                continue
            if in_cli:
                assert any(find_option(c, option) for c in verbs.values()), (place, option)
            else:
                assert option in known, (place, option)
        call = said.get("call", "")
        if call in ("", ...):
            continue
        if in_cli:
            assert COMMANDS.get(call, call) in verbs, (place, call)
        else:
            assert call in treewright.__all__, (place, call)
            takes = inspect.signature(getattr(treewright, call)).parameters
            named = [a.partition("=")[0] for a in said.get("arguments", ())]
            for name in [*named, *filter(lambda o: o not in (None, "", ...), options)]:
                assert name in takes, (place, call, name)


@pytest.mark.parametrize("verb", NAMES)
def test_a_command_is_told_only_what_it_has(verb: str) -> None:
    command = commands()[verb]
    with command.make_context(verb, [], resilient_parsing=True) as ctx:
        write = hint_writer(ctx)
    for place, said in hints():
        if said.get("call") == ... or said.get("option") == ...:
            continue
        constant = {k: v for k, v in said.items() if v is not ... or k == "value"}
        words = write(Hint(**constant))
        if words is None:
            continue
        of = commands()[words.split()[1]] if constant.get("call") else command
        for flag in FLAG.findall(re.sub(r'"[^"]*"', "", words)):
            assert flag in flags(of), (place, words)
