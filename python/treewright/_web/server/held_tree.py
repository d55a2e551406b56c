"""A tree that grows on the server, told to the page as the contract says.

The page knows a node by an identifier that stays the same while other parts of the tree change: it belongs to the way
from the root (first child, second child, ...). The package numbers nodes in the order in which they were made.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Any

from treewright._catalog import title_and_unit
from treewright._growing.growing import Growing
from treewright._learners.trees.training_record import original_nodes
from treewright._web.server.held_table import HeldTable
from treewright._web.server.jobs import Watch
from treewright._web.tree_document import class_names, criterion_word, feature_documents
from treewright._web.tree_nodes import tree_nodes, work_documents
from treewright.errors import UsageError
from treewright.tree import Tree

__all__ = ["ConflictError", "HeldTree"]

Way = tuple[int, ...]


class ConflictError(UsageError):
    """Another page changed the tree."""

    status = 412

    def __init__(self) -> None:
        super().__init__(
            "another page changed this tree", slug="server.conflict", hints=["load the page again"]
        )


class HeldTree:
    """A tree that grows, with its table and the number of its changes."""

    def __init__(self, table: HeldTable, spec: dict[str, Any], estimator: Any) -> None:
        self.table = table
        self.spec = spec
        self.revision = 0
        self._growing = Growing(estimator, table.features, table.target)
        self._ids: dict[Way, int] = {}
        self._nodes = self._describe_nodes()

    def describe(self, number: int) -> dict[str, Any]:
        """Return the ``TreeState`` of the contract."""
        tree, is_c45 = self._growing.tree, self.spec["algorithm"] == "c45"
        features = feature_documents(tree.schema)
        places = {report.name: i for i, report in enumerate(self.table.inspection.reports)}
        for feature, column in zip(features, tree.schema.columns, strict=True):
            feature["source"] = places.get(column.source or column.name, 0)
        return {
            "id": number,
            "rev": self.revision,
            "spec": self.spec,
            "criterion": criterion_word(tree.schema, self._unit()),
            "chooses_by": "gain_ratio" if is_c45 else "gain",
            "features": features,
            "target": self.table.target.name,
            "classes": class_names(tree.schema),
            "nodes": list(self._nodes.values()),
        }

    def step(self, action: Mapping[str, Any], seen: str | None) -> dict[str, Any]:
        """Change the tree; return the ``Delta``. ``seen`` is the revision that the page has."""
        if seen is not None and seen.strip('"') != str(self.revision):
            raise ConflictError
        self._act(action)
        self.revision += 1
        before, self._nodes = self._nodes, self._describe_nodes()
        changed = [node for number, node in self._nodes.items() if before.get(number) != node]
        removed = [number for number in before if number not in self._nodes]
        return {"rev": self.revision, "changed": changed, "removed": removed}

    def _act(self, action: Mapping[str, Any]) -> None:
        growing, word = self._growing, action.get("action")
        actions: dict[str, Callable[[], Any]] = {
            "split": lambda: growing.split(self._node(action)),
            "split_on": lambda: growing.split_on(
                self._node(action), _integer(action, "feature"), action.get("threshold")
            ),
            "leaf": lambda: growing.leaf(self._node(action)),
            "grow": lambda: growing.grow(self._node(action) if "node" in action else 0),
            "prune": growing.prune,
            "undo": growing.undo,
            "redo": growing.redo,
        }
        if word not in actions:
            raise UsageError(f"there is no action {str(word)[:40]!r}", slug="server.request")
        actions[word]()

    def work(self, node: int) -> dict[str, Any]:
        """Return the ``NodeWork`` of a node."""
        (document,) = work_documents(self._growing, [self._place(node)])
        return document | {"node": node}

    def node_rows(self, node: int, offset: int, limit: int) -> dict[str, Any]:
        """Return the ``NodeRows`` of a node: some of its rows."""
        rows = self._growing.rows(self._place(node))
        part = slice(offset, offset + limit)
        index = rows.positions[part].tolist()
        return {
            "total": len(rows.positions),
            "index": index,
            "fraction": rows.fractions[part].tolist(),
            "cells": self.table.cells(index),
        }

    def curve(self, folds: int, watch: Watch) -> dict[str, Any]:
        """Return the ``Curve`` of the tree as it is now."""
        from treewright._evaluate.curve_points import errors_along
        from treewright._pruning.cross_validation import pruning_path
        from treewright._pruning.pruning_rows import read_labeled

        model, X, y = self.model(), self.table.features, self.table.target
        path = pruning_path(model, X, y, cv=folds, watch=watch)
        training = errors_along(model, path, read_labeled(model, X, y, None))
        validation, deviation = path._cv()
        last = len(path) - 1
        return {
            "leaves": path.leaves[::-1].tolist(),
            "alpha": path.alpha[::-1].tolist(),
            "training": training[::-1].tolist(),
            "validation": validation[::-1].tolist(),
            "se": deviation[::-1].tolist(),
            "best": last - path.best,
            "one_se": last - path.one_se,
            "link": self._link(model.tree_, path.link),
        }

    def _link(self, finished: Tree, link: Any) -> list[float | None]:
        """Return the penalties by the identifiers of the nodes; None where a node never becomes a leaf."""
        ids = list(self._nodes)
        places = original_nodes(self._growing.tree, finished) or []
        by_id: list[float | None] = [None] * (max(ids) + 1)
        for place, alpha in zip(places, link.tolist(), strict=True):
            by_id[ids[place]] = alpha if math.isfinite(alpha) else None
        return by_id

    def model(self) -> Any:
        """Return the tree as it is now as a fitted estimator."""
        return self._growing.model()

    def _unit(self) -> str:
        model = self._growing._prepared.model
        return title_and_unit(type(model).__name__, model.get_params(deep=False))[1]

    def _node(self, action: Mapping[str, Any]) -> int:
        return self._place(_integer(action, "node"))

    def _place(self, node: int) -> int:
        """Return the package's number of a node."""
        for place, number in enumerate(self._nodes):
            if number == node:
                return place
        raise UsageError(f"there is no node {node}", slug="server.not-there")

    def _describe_nodes(self) -> dict[int, dict[str, Any]]:
        """Return all nodes by their identifiers, in the order of the package's numbers."""
        ids = self._identify(self._growing.tree)
        nodes = tree_nodes(self._growing)
        for node in nodes:
            node["id"] = ids[node["id"]]
            node["parent"] = ids[node["parent"]] if node["parent"] >= 0 else -1
            node["children"] = [ids[child] for child in node["children"]]
        return {node["id"]: node for node in nodes}

    def _identify(self, tree: Tree) -> list[int]:
        """Return the identifier of each node; a way that was never there gets the next one."""
        ways: list[Way] = [()] * tree.n_nodes
        for place in range(tree.n_nodes):
            first = int(tree.first_child[place])
            for branch in range(int(tree.n_children[place])):
                ways[first + branch] = (*ways[place], branch)
        return [self._ids.setdefault(way, len(self._ids)) for way in ways]


def _integer(action: Mapping[str, Any], key: str) -> int:
    value = action.get(key)
    if type(value) is not int:
        raise UsageError(f"{key} is a whole number", slug="server.request")
    return value
