"""The public names: sorted, equal to the snapshot, each with a docstring and an example.

The snapshot is every public name with its signature. A difference is a change of the interface: it
needs a fragment in changelog.d, and then `pytest tests/promises/test_api.py --snapshot-update`. `make test` runs all
examples as doctests.
"""

from __future__ import annotations

import doctest
import importlib
import inspect
import re
from collections.abc import Iterator
from typing import Any

import pytest

import treewright

# The modules that users import from.
MODULES = ["treewright"] + [
    f"treewright.{name}"
    for name in (
        "dask",
        "datasets",
        "errors",
        "files",
        "measures",
        "reference",
        "schema",
        "spark",
        "table",
        "tree",
    )
]


def public_objects() -> Iterator[tuple[str, Any]]:
    """Give every class and function in the `__all__` of a public module once, by its full name."""
    for module in map(importlib.import_module, MODULES):
        for name in module.__all__:
            thing = getattr(module, name)
            if inspect.isclass(thing) or inspect.isfunction(thing):
                yield f"{thing.__module__}.{thing.__qualname__}", thing


OBJECTS = dict(sorted(public_objects()))
each_object = pytest.mark.parametrize("name", OBJECTS)


def own_members(kind: type) -> Iterator[tuple[str, Any]]:
    """Give the public members of a class that this package defines, inherited ones included."""
    for name, _ in inspect.getmembers(kind):
        owner = next((c for c in kind.__mro__ if name in vars(c)), kind)
        ours = owner.__module__.startswith("treewright")
        # scikit-learn puts its set_..._request methods into every class.
        if ours and not re.fullmatch(r"_.*|set_\w+_request", name):
            yield name, vars(owner)[name]


def signature(thing: Any) -> str:
    """Return the signature of a class or function; an exception without its own __init__ takes a message."""
    try:
        return str(inspect.signature(thing))
    except ValueError:
        return "(*args)"


def signatures() -> Iterator[str]:
    for name, thing in OBJECTS.items():
        yield f"{name}{signature(thing)}"
        if inspect.isclass(thing):
            for member, _ in own_members(thing):
                call = getattr(thing, member)
                yield f"    .{member}{signature(call) if callable(call) else ''}"


@pytest.mark.parametrize("module", MODULES)
def test_names_are_sorted_and_exist(module: str) -> None:
    loaded = importlib.import_module(module)
    assert list(loaded.__all__) == sorted(set(loaded.__all__))
    assert all(hasattr(loaded, name) for name in loaded.__all__)
    assert loaded.__doc__


def test_dir_shows_the_public_names() -> None:
    assert dir(treewright) == treewright.__all__
    with pytest.raises(AttributeError, match="has no attribute 'ID4Classifier'"):
        treewright.ID4Classifier  # noqa: B018


def test_the_interface_is_the_agreed_one(snapshot: Any) -> None:
    assert "\n".join(["treewright.__all__:", *treewright.__all__, "", *signatures()]) == snapshot


@each_object
def test_it_is_explained_with_an_example(name: str) -> None:
    text = inspect.getdoc(OBJECTS[name]) or ""
    summary, _, rest = text.partition("\n")
    assert summary.endswith("."), "opens with one sentence on one line"
    assert not rest or rest.startswith("\n")
    assert "\nExamples\n--------\n" in text
    assert doctest.DocTestParser().get_examples(text)


PARAMETERS = re.compile(r"^Parameters\n-+\n(.*?)(?=^\S[^\n]*\n-+\n|\Z)", re.M | re.S)


@each_object
def test_its_parameters_are_the_documented_ones(name: str) -> None:
    section = PARAMETERS.search(inspect.getdoc(OBJECTS[name]) or "")
    if section is None:
        return
    heads = re.findall(r"^(\S.*?)(?: :|$)", section[1], re.M)
    documented = [each.strip(" *") for head in heads for each in head.split(",")]
    assert sorted(documented) == sorted(inspect.signature(OBJECTS[name]).parameters)


@each_object
def test_its_members_are_explained(name: str) -> None:
    thing = OBJECTS[name]
    if not inspect.isclass(thing):
        return
    fields = getattr(thing, "__dataclass_fields__", {})
    bare = [
        member
        for member, value in own_members(thing)
        if member not in fields and not inspect.getdoc(getattr(value, "__func__", value))
    ]
    assert bare == []
