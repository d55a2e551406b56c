"""A tree as a document for the pages: the node table by columns, features and classes with their names.

It is ``TreeDoc`` of ``web/src/contract.ts``. Nothing in it is rounded: a page that routes a row must end in the same
probabilities as ``predict_proba``. Whole numbers are written as integers, which take fewer bytes.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treewright._input.short_numbers import write_cut
from treewright.schema import Column, Schema, label
from treewright.tree import Tree

__all__ = [
    "class_names",
    "combine_document",
    "criterion_word",
    "feature_documents",
    "plain_number",
    "plain_numbers",
    "tree_columns",
    "tree_document",
]

SAME = 1e-12  # probabilities that differ by less are equal
SURROGATE = 1  # the role of a surrogate split in the core's list of alternative splits
MAX_DECIMALS = 12
CRITERIA = ("entropy", "gini", "variance")


def tree_document(tree: Tree, criterion: str) -> dict[str, Any]:
    """Return a tree: names, classes, and the columns of its node table.

    Examples
    --------
    >>> from treewright import ID3Classifier, datasets
    >>> document = tree_document(ID3Classifier().fit(*datasets.play_tennis()).tree_, "entropy")
    >>> document["classes"], document["tree"]["value"][:4]
    (['No', 'Yes'], [5, 9, 3, 2])
    """
    return {
        "features": feature_documents(tree.schema, [tree]),
        "target": tree.schema.target or "",
        "classes": class_names(tree.schema),
        "criterion": criterion_word(tree.schema, criterion),
        "tree": tree_columns(tree),
    }


def criterion_word(schema: Schema, unit: str) -> str:
    """Return the word of the pages for the unit of a tree's costs; trees of a number have variances."""
    if not schema.classes:
        return "variance"
    return unit if unit in CRITERIA else "gini"


def class_names(schema: Schema) -> list[str] | None:
    """Return the names of the classes; None where the target is a number."""
    return [label(c) for c in schema.classes] or None


def feature_documents(schema: Schema, trees: Iterable[Tree] = ()) -> list[dict[str, Any]]:
    """Return the features of a model; the thresholds of ``trees`` decide with how many decimals they are written."""
    cuts: dict[int, set[float]] = {}
    for tree in trees:
        inner = np.flatnonzero(tree.n_children)
        for feature, cut in zip(
            tree.feature[inner].tolist(), tree.threshold[inner].tolist(), strict=True
        ):
            cuts.setdefault(feature, set()).add(cut)
    sources = list(dict.fromkeys(column.source for column in schema.columns))
    return [
        _feature(column, cuts.get(i, set()), sources.index(column.source))
        for i, column in enumerate(schema.columns)
    ]


def _feature(column: Column, cuts: set[float], source: int) -> dict[str, Any]:
    document: dict[str, Any] = {"name": column.name, "kind": column.kind, "source": source}
    if not column.missing:
        document["never_missing"] = True
    if column.kind == "categorical":
        return document | {"levels": [label(level) for level in column.levels]}
    if column.order:
        return document | {"ordered": [label(level) for level in column.order]}
    if column.is_date:
        return document | {"date": True}
    finite = [cut for cut in cuts if math.isfinite(cut)]
    written = (write_cut(cut, column).partition(".")[2] for cut in finite)
    own = column.decimals or 0
    decimals = max((len(digits) for digits in written if digits.isdigit()), default=own)
    return document | ({"decimals": decimals} if decimals <= MAX_DECIMALS else {})


def tree_columns(tree: Tree, *, compact: bool = False) -> dict[str, Any]:
    """Return the node table of a tree; ``compact`` leaves out what follows from the weights of the classes."""
    columns: dict[str, Any] = {
        name: getattr(tree, name).tolist()
        for name in ("first_child", "n_children", "feature", "route_start", "missing", "count")
    }
    columns["threshold"] = [plain_number(cut) for cut in tree.threshold.tolist()]
    columns["route"] = tree.route.tolist()
    value = _values(tree)
    if not compact:
        columns["gain"] = plain_numbers(tree.gain)
    if not compact or not tree.schema.classes:
        columns["weight"] = plain_numbers(tree.weight)
        columns["cost"] = plain_numbers(tree.cost)
    columns["value"] = plain_numbers(value)
    outputs = _other_outputs(tree, value)
    if outputs:
        columns["outputs"] = outputs
    surrogates = _surrogates(tree)
    return columns if surrogates is None else columns | {"surrogates": surrogates}


def plain_numbers(values: NDArray[np.float64]) -> list[Any]:
    """Return numbers for JSON: whole ones as integers, all others with every digit.

    Examples
    --------
    >>> plain_numbers(np.array([3.0, -0.0, 0.1]))
    [3, 0, 0.1]
    """
    numbers = values.ravel().tolist()
    return [int(x) if x.is_integer() and abs(x) < 2**53 else x for x in numbers]


def plain_number(number: float) -> float | str | None:
    """Return a number as JSON can hold it: an infinite one as a word, None for what is not a number.

    Examples
    --------
    >>> plain_number(math.inf), plain_number(math.nan), plain_number(2.5)
    ('inf', None, 2.5)
    """
    if math.isnan(number):
        return None
    if math.isinf(number):
        return "inf" if number > 0 else "-inf"
    return number


def _values(tree: Tree) -> NDArray[np.float64]:
    """Return the weight of each class in each node, or its mean."""
    if not tree.schema.classes:
        return np.asarray(tree.value)
    weights = tree.value * tree.weight[:, None]
    rounded = np.round(weights)
    near = abs(weights - rounded) <= 1e-9 + 1e-12 * abs(rounded)
    return np.asarray(np.where(near, rounded, weights))


def _other_outputs(tree: Tree, value: NDArray[np.float64]) -> dict[str, list[float]]:
    """Return what nodes predict where it does not follow from the weights of their classes."""
    outputs = tree.outputs
    if tree.schema.classes:
        total = value.sum(axis=1, keepdims=True)
        shares = np.divide(value, total, out=np.zeros_like(value), where=total > 0)
    else:
        shares = value
    differ = np.flatnonzero((abs(shares - outputs) > SAME).any(axis=1))
    return {str(node): outputs[node].tolist() for node in differ.tolist()}


def _surrogates(tree: Tree) -> dict[str, Any] | None:
    """Return the surrogate splits; None for a tree without alternative splits.

    The list may be empty: a tree with alternative splits sends an unseen category where missing values go.
    """
    spares = tree._table.spares()
    if spares is None:
        return None
    chosen = np.flatnonzero(spares["role"] == SURROGATE)
    before = np.concatenate([[0], np.cumsum(spares["role"] == SURROGATE)])
    return {
        "start": before[spares["start"]].tolist(),
        "feature": spares["feature"][chosen].tolist(),
        "threshold": [plain_number(cut) for cut in spares["threshold"][chosen].tolist()],
        "below": spares["below"][chosen].tolist(),
        "route_start": spares["route_start"][chosen].tolist(),
        "route": spares["route"].tolist(),
    }


def combine_document(combine: dict[str, Any]) -> dict[str, Any]:
    """Return how trees are combined, as plain values."""
    return {
        "how": combine["how"],
        "link": combine["link"],
        **{name: list(combine[name]) for name in ("base", "scales", "targets")},
    }
