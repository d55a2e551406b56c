"""The nodes of a tree and the rows of a node as documents for the pages, fitted or grown by hand.

They are ``TreeNode`` and ``NodeRows`` of ``web/src/contract.ts``.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from treewright._growing.growing import Growing
from treewright._learners.trees.leaf_reasons import leaf_reasons
from treewright._web.node_work_document import node_work_document
from treewright._web.tree_document import plain_numbers, tree_columns
from treewright._work import work
from treewright.schema import label
from treewright.table import Table
from treewright.tree import Tree

__all__ = ["node_rows_document", "tree_nodes", "work_documents"]

MAX_CUTS = 100


def tree_nodes(source: Any) -> list[dict[str, Any]]:
    """Return the nodes of a fitted tree or of a `Growing`.

    Why a leaf of a fitted tree is one is known where the model still has its training rows.

    Examples
    --------
    >>> from treewright import Growing, ID3Classifier, datasets
    >>> growing = Growing(ID3Classifier(), *datasets.play_tennis()).split()
    >>> nodes = tree_nodes(growing)
    >>> nodes[0]["children"], nodes[2]["reason"], nodes[3]["state"]
    ([1, 2, 3], 'pure', 'open')
    """
    if isinstance(source, Growing):
        marks = [(node["state"], node["reason"], node["by_hand"]) for node in source.nodes]
        return _nodes(source.tree, marks)
    tree: Tree = source.tree_
    by_hand: Mapping[int, str] = getattr(source, "by_hand_", {})
    reasons = leaf_reasons(source) or [None] * tree.n_nodes
    return _nodes(tree, [_mark(tree, n, reasons[n], by_hand.get(n)) for n in range(tree.n_nodes)])


def _mark(
    tree: Tree, node: int, reason: str | None, by_hand: str | None
) -> tuple[str, str | None, bool]:
    """Return what a node of a fitted tree is, why it is a leaf, and whether that was decided by hand."""
    if tree.n_children[node]:
        return "split", None, by_hand == "split"
    if by_hand == "open":
        return "open", None, False
    return "leaf", "by_hand" if by_hand == "leaf" else reason, by_hand == "leaf"


def _nodes(tree: Tree, marks: Sequence[tuple[str, str | None, bool]]) -> list[dict[str, Any]]:
    columns = tree_columns(tree)
    width = max(1, len(tree.schema.classes))
    nodes = []
    for node, (state, reason, by_hand) in enumerate(marks):
        first, size = columns["first_child"][node], columns["n_children"][node]
        weight = columns["weight"][node]
        record: dict[str, Any] = {
            "id": node,
            "parent": int(tree.parents[node]) if node else -1,
            "children": list(range(first, first + size)),
            "depth": int(tree.depths[node]),
            "split": _rule(tree, columns, node) if size else None,
            "gain": columns["gain"][node] / weight if weight else 0.0,
            "state": state,
            "by_hand": by_hand,
            "rows": columns["count"][node],
            "weight": weight,
            "value": columns["value"][node * width : (node + 1) * width],
            "impurity": columns["cost"][node] / weight if weight else 0.0,
        }
        nodes.append(record | ({} if reason is None else {"reason": reason}))
    return nodes


def _rule(tree: Tree, columns: Mapping[str, Any], node: int) -> dict[str, Any]:
    """Return how rows leave a node."""
    feature, missing = columns["feature"][node], columns["missing"][node]
    levels = len(tree.schema.columns[feature].levels)
    if not levels:
        return {"feature": feature, "threshold": columns["threshold"][node], "missing": missing}
    start = columns["route_start"][node]
    return {
        "feature": feature,
        "route": columns["route"][start : start + levels],
        "missing": missing,
    }


def work_documents(
    source: Any, nodes: Sequence[int], rows: Sequence[Any] = ()
) -> list[dict[str, Any]]:
    """Return the work of some nodes, computed in one pass; ``rows`` are X, y and weights where a model has none.

    Examples
    --------
    >>> from treewright import ID3Classifier, datasets
    >>> model = ID3Classifier().fit(*datasets.play_tennis())
    >>> [document["chosen"] for document in work_documents(model, [0, 2])]
    [0, None]
    """
    options: Any = {"nodes": list(nodes), "cuts": MAX_CUTS}
    by_hand = isinstance(source, Growing)
    works = source.work(**options) if by_hand else work(source, 0, *rows, **options)
    return [node_work_document(page.node) for page in works.pages]


def node_rows_document(
    growing: Growing, node: int, table: Table, offset: int = 0, limit: int = 100
) -> dict[str, Any]:
    """Return some rows of a node with their cells as text; ``table`` holds the rows of the user.

    Examples
    --------
    >>> from treewright import Growing, ID3Classifier, datasets
    >>> X, y = datasets.play_tennis()
    >>> document = node_rows_document(Growing(ID3Classifier(), X, y).split(), 1, X, limit=1)
    >>> document["total"], document["index"], document["cells"]
    (5, [0], [['Sunny', 'Hot', 'High', 'Weak']])
    """
    rows = growing.rows(node)
    listed = rows.positions[offset : offset + limit]
    columns = [series.values() for series in table[listed].series]
    cells = [
        [None if cell is None else label(cell) for cell in row]
        for row in zip(*columns, strict=True)
    ]
    return {
        "total": len(rows.positions),
        "index": [int(row) for row in listed],
        "fraction": plain_numbers(rows.fractions[offset : offset + limit]),
        "cells": cells,
    }
