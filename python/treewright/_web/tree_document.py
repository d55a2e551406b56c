"""A tree as the pages read it: its features, and the node table by columns. Numbers keep their full precision."""

from __future__ import annotations

import math
from typing import Any

from treewright._catalog import title_and_unit
from treewright.schema import Column, Schema, label
from treewright.tree import Tree

__all__ = ["feature_documents", "plain_number", "tree_document"]

CRITERIA = ("entropy", "gini", "variance")
COUNTS = ("first_child", "n_children", "feature", "route_start", "route", "missing", "count")


def tree_document(tree: Tree, criterion: str) -> dict[str, Any]:
    """Return a tree: names, classes, and the columns of its node table.

    Examples
    --------
    >>> from treewright import ID3Classifier, datasets
    >>> document = tree_document(ID3Classifier().fit(*datasets.play_tennis()).tree_, "entropy")
    >>> document["classes"], document["tree"]["n_children"]
    (['No', 'Yes'], [3, 2, 0, 2, 0, 0, 0, 0])
    """
    schema = tree.schema
    columns: dict[str, Any] = {name: getattr(tree, name).tolist() for name in COUNTS}
    columns["threshold"] = [plain_number(cut) for cut in tree.threshold.tolist()]
    columns |= {name: getattr(tree, name).tolist() for name in ("weight", "cost", "gain")}
    columns["value"] = tree.value.ravel().tolist()
    return {
        "features": feature_documents(schema),
        "target": schema.target or "",
        "classes": [label(c) for c in schema.classes] or None,
        "criterion": criterion,
        "tree": columns,
    }


def criterion_of(model: Any) -> str:
    """Return the criterion of a tree model in the words of the pages.

    Examples
    --------
    >>> from treewright import CARTClassifier
    >>> criterion_of(CARTClassifier())
    'gini'
    """
    name = type(model).__name__
    unit = str(title_and_unit(name, model.get_params(deep=False))[1])
    return unit if unit in CRITERIA else "entropy"


def feature_documents(schema: Schema) -> list[dict[str, Any]]:
    """Return the features of a model."""
    return [_feature(column, place) for place, column in enumerate(schema.columns)]


def _feature(column: Column, place: int) -> dict[str, Any]:
    record: dict[str, Any] = {"name": column.name, "kind": column.kind, "source": place}
    if column.kind == "categorical":
        record["levels"] = [label(level) for level in column.levels]
    if column.order:
        record["ordered"] = [label(level) for level in column.order]
    if column.is_date:
        record["date"] = True
    if column.decimals is not None:
        record["decimals"] = column.decimals
    return record


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
