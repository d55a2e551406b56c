"""A reader of models as JSON, written from schema/model.schema.json: it needs nothing but the document and `exp`.

It asks no surrogates. The exponential function is the one that the exports carry, whose bits are the core's.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

STOP, SHARE = 65534, 65535


class Reader:
    """One document."""

    def __init__(self, document: Mapping[str, Any], exp: Callable[[float], float]) -> None:
        self.document, self.exp = document, exp
        self.columns = document["schema"]["columns"]
        self.classes = document["schema"].get("classes", [])
        trees = document["trees"]
        plain = {"how": "mean", "link": "identity", "base": [], "scales": [], "targets": []}
        self.combine = document.get("combine", plain)
        self.scales = self.combine["scales"] or [1.0] * len(trees)

    def says(self, row: Mapping[str, Any]) -> list[float]:
        """Return what the model says of a row."""
        how, trees = self.combine["how"], self.document["trees"]
        outputs = len(trees[0]["value"][0])
        if how == "median":
            said = [(self.said(tree, row)[0], i) for i, tree in enumerate(trees)]
            return [self.middle(sorted(said))]
        sums = list(self.combine["base"]) or [0.0] * outputs
        for i, tree in enumerate(trees):
            if how == "vote":
                own = self.said(tree, row)
                sums[own.index(max(own))] += self.scales[i]
                continue
            first = (self.combine["targets"] or [0] * len(trees))[i]
            for node, part in self.ends(tree, row):
                for k, value in enumerate(tree["value"][node], first):
                    sums[k] += part * self.scales[i] * value
        return self.linked(self.settled(sums, len(trees)))

    def settled(self, sums: list[float], trees: int) -> list[float]:
        if self.combine["how"] == "mean":
            return [total / trees for total in sums]
        if self.combine["how"] == "sum":
            return sums
        whole = 0.0
        for scale in self.scales:
            whole += scale
        return [(v - (whole - v) / (len(sums) - 1)) / whole for v in sums]

    def linked(self, sums: list[float]) -> list[float]:
        link = self.combine["link"]
        if link == "identity":
            return sums
        if link == "exp":
            return [self.exp(total) for total in sums]
        if link == "logistic":
            share = 1 / (1 + self.exp(-sums[0]))
            return [1 - share, share]
        part = len(sums) - 1 if self.combine["how"] == "vote" else 1
        raised = [self.exp((total - max(sums)) / part) for total in sums]
        whole = 0.0
        for one in raised:
            whole += one
        return [one / whole for one in raised]

    def middle(self, said: list[tuple[float, int]]) -> float:
        reached, steps = 0.0, []
        for value, tree in said:
            reached += self.scales[tree]
            steps.append((value, reached))
        return next(value for value, step in steps if step >= 0.5 * reached)

    def said(self, tree: Mapping[str, Any], row: Mapping[str, Any]) -> list[float]:
        own = [0.0] * len(tree["value"][0])
        for node, part in self.ends(tree, row):
            own = [x + part * value for x, value in zip(own, tree["value"][node], strict=True)]
        return own

    def ends(self, tree: Mapping[str, Any], row: Mapping[str, Any]) -> Iterator[tuple[int, float]]:
        """Give the nodes where the parts of a row end, with their shares."""
        assert "spare_role" not in tree
        open_ = [(0, 1.0)]
        while open_:
            node, part = open_.pop()
            first, n = tree["first_child"][node], tree["n_children"][node]
            child = self.child(tree, node, row) if n else STOP
            if child == SHARE:
                weight = tree["weight"]
                shared = [c for c in reversed(range(first, first + n)) if weight[c] > 0]
                open_ += [(c, part * weight[c] / weight[node]) for c in shared]
            elif child == STOP:
                yield node, part
            else:
                open_.append((first + child, part))

    def child(self, tree: Mapping[str, Any], node: int, row: Mapping[str, Any]) -> int:
        column = self.columns[tree["feature"][node]]
        value, missing = row[column["name"]], int(tree["missing"][node])
        if value is None:
            return missing
        if column["kind"] == "numeric":
            cut = tree["threshold"][node]
            return int(cut is not None and value > cut)
        if value not in column["levels"]:
            return SHARE if missing == SHARE else STOP
        return int(tree["route"][tree["route_start"][node] + column["levels"].index(value)])
