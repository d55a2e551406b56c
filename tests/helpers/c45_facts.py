"""What C4.5, C4.5rules and J48 answer: trees and rules of the sets in `tests/data`, and of more where they are found.

The trees are kept short: a leaf is `[class, cases, errors]`, a branch `{attribute: [[how, value, node], ...]}`.
"""

from __future__ import annotations

import json
from functools import cache
from typing import Any

import pytest

from helpers import golden

NAMES = [name for name in golden.NAMES if name not in ("cpu", "abalone")]
TESTED = ["crx", "hypothyroid", "monk1", "adult"]
# The options of the program, and what they are called here.
OPTIONS: dict[tuple[str, ...], dict[str, Any]] = {
    (): {},
    ("-g",): {"criterion": "gain"},
    ("-m", "5"): {"min_cases": 5},
    ("-c", "10"): {"confidence": 0.1},
    ("-s",): {"categorical": "groups"},
}


@cache
def facts(name: str) -> dict[str, Any]:
    """Return the answers on a set, or skip the test."""
    _, folder = golden.place(name)
    if name not in golden.OUTSIDE:
        found: dict[str, Any] = json.loads((golden.OWN / "c45" / f"{name}.json").read_text("utf-8"))
        return found
    document = json.loads((folder / f"{name}.json").read_text("utf-8"))
    runs = [
        run | {kind: _short(run[kind]) for kind in ("unpruned", "pruned")}
        for run in document["c45"]
    ]
    j48 = {
        key: run | {"tree": _short(run["tree"])}
        for key, run in document["weka"].items()
        if key.startswith("J48")
    }
    return {"c45": runs, "c45rules": document.get("c45rules"), "j48": j48}


def run(name: str, options: tuple[str, ...]) -> dict[str, Any]:
    """Return one run of C4.5, or skip the test."""
    return next(run for run in facts(name)["c45"] if tuple(run["options"]) == options)


def short(model: Any) -> Any:
    """Return a model's tree in the short form."""
    return _short(model.tree_.nested())


def _short(tree: dict[str, Any] | None) -> Any:
    if tree is None:
        return None
    if "class" in tree:
        return [tree["class"], tree["cases"], tree["errors"]]
    branches = [
        [how, value, _short(node)] for test, node in tree["branches"] for how, value in test.items()
    ]
    return {tree["attribute"]: branches}


def size(tree: Any) -> int:
    """Return the number of nodes."""
    if isinstance(tree, list):
        return 1
    (branches,) = tree.values()
    return 1 + sum(size(node) for _, _, node in branches)


def differences(ours: Any, theirs: Any, digits: float, *, errors: bool) -> list[tuple[Any, Any]]:
    """Return the nodes where two trees part; below such a node nothing is compared.

    Cases and errors agree to the printed digit, thresholds to six significant ones; ``errors`` says whether the leaves
    of the other program show the errors seen, not those expected.
    """
    found: list[tuple[Any, Any]] = []
    open_nodes = [(ours, theirs)]
    while open_nodes:
        one, other = open_nodes.pop()
        if isinstance(one, list) or isinstance(other, list):
            if not _same_leaf(one, other, digits, errors):
                found.append((one, other))
            continue
        ((asked, ways),), ((also, others),) = one.items(), other.items()
        same = len(ways) == len(others) and all(map(_same_way, ways, others))
        if asked != also or not same:
            found.append((asked, also))
            continue
        open_nodes += [(a[2], b[2]) for a, b in zip(ways, others, strict=True)]
    return found


def _same_leaf(one: Any, other: Any, digits: float, errors: bool) -> bool:
    if not isinstance(one, list) or not isinstance(other, list):
        return False
    near = abs(one[1] - other[1]) <= digits and (not errors or abs(one[2] - other[2]) <= digits)
    return bool(one[0] == other[0] and near)


def _same_way(one: Any, other: Any) -> bool:
    if one[0] in ("<=", ">"):
        return bool(one[0] == other[0] and one[1] == pytest.approx(other[1], rel=1.01e-5))
    return _levels(one) == _levels(other)


def _levels(way: Any) -> list[Any]:
    return list(way[1]) if way[0] == "in" else [way[1]]
