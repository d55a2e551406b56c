"""Entropy, Gini index and error rate of two classes as curves, with a node and its children on them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from treewright._draw.node_figures import class_order
from treewright._render.charts import LineChart
from treewright._render.document import Column, Document, Picture, Table
from treewright._render.formula import Number
from treewright._render.numbers import weights
from treewright._work.criteria import CRITERIA
from treewright._work.work_result import NAMES, WorkResult
from treewright.errors import UsageError
from treewright.schema import label
from treewright.tree import Tree

__all__ = ["ImpurityCurves", "curves_of"]

STEPS = 100
STAGES = ("counts", "impurity")
CURVES: dict[str, Callable[[Sequence[float]], float]] = {
    criterion.noun: criterion.impurity
    for criterion in CRITERIA.values()
    if criterion.impurity is not None
} | {"errors": min}


@dataclass(frozen=True, slots=True, repr=False)
class ImpurityCurves(WorkResult):
    """Impurity against the proportion of one of two classes, made by :func:`treewright.work` with ``what="curves"``.

    Examples
    --------
    >>> from treewright import ID3Classifier, datasets, work
    >>> curves = work(ID3Classifier().fit(*datasets.play_tennis()), 0, what="curves")
    >>> round(curves.to_dict()["nodes"][0]["entropy"], 3)
    0.94
    """

    tree: Tree
    nodes: tuple[int, ...]  # the node and its children

    def to_dict(self) -> dict[str, Any]:
        """Return the nodes and the curves as plain values."""
        shares = [i / STEPS for i in range(STEPS + 1)]
        return {
            "class": self.tree.schema.classes[self._first],
            "nodes": [{"node": node} | self._impurities(self._share(node)) for node in self.nodes],
            "curves": {
                name: [impurity((p, 1 - p)) for p in shares] for name, impurity in CURVES.items()
            }
            | {"share": shares},
        }

    @property
    def _first(self) -> int:
        return int(class_order(self.tree)[0])

    def _class(self) -> str:
        return NAMES.name(label(self.tree.schema.classes[self._first]))

    def _share(self, node: int) -> float:
        return float(self.tree.value[node, self._first])

    def _impurities(self, share: float) -> dict[str, float]:
        return {"share": share} | {
            name: impurity((share, 1 - share)) for name, impurity in CURVES.items()
        }

    def _pages(self, *, worksheet: bool = False) -> Document:
        name = self._class()
        title = f"Impurity against the proportion of {name}"
        some = tuple(i / 10 for i in range(11))
        blocks = (
            Picture(self._chart(marked=True), "impurity", self._chart(marked=False)),
            Table(self._columns(), "The node and its branches", key="nodes"),
            Table(self._impurity_columns(some, "impurity", fixed_shares=True), "The curves"),
        )
        return Document((title,), blocks, STAGES)

    def _chart(self, *, marked: bool) -> LineChart:
        # Closer together at both ends, where the curves are steep.
        shares = tuple(((1 - np.cos(np.linspace(0, np.pi, STEPS + 1))) / 2).tolist())
        lines = tuple(
            (name, tuple(impurity((p, 1 - p)) for p in shares)) for name, impurity in CURVES.items()
        )
        marks = tuple(
            (f"#{node}", self._share(node), self._impurities(self._share(node))["entropy"])
            for node in self.nodes
        )
        title = f"impurity against the proportion of {self._class()}"
        axes = (f"proportion of {self._class()}", "impurity")
        return LineChart(shares, lines, marks if marked else (), title, axes)

    def _columns(self) -> tuple[Column, ...]:
        written = weights(self.tree.weight[list(self.nodes)])
        rows = tuple(Number(text, "counts") for text in written)
        heads = tuple(f"#{node}" for node in self.nodes)
        shares = tuple(self._share(node) for node in self.nodes)
        own = self._impurity_columns(shares, "impurity", fixed_shares=False)
        return (Column("node", heads, left=True), Column("rows", rows), *own)

    def _impurity_columns(
        self, shares: tuple[float, ...], stage: str, *, fixed_shares: bool
    ) -> tuple[Column, ...]:
        numbers = [self._impurities(share) for share in shares]
        stages = {"share": "" if fixed_shares else "counts"}
        return tuple(
            self._number_column(name, stages.get(name, stage), [n[name] for n in numbers])
            for name in ("share", *CURVES)
        )


def curves_of(model: Any, node: int, **page: Any) -> ImpurityCurves:
    """Return the curves with a node and its children on them."""
    tree: Tree = model.tree_
    if len(tree.schema.classes) != 2:
        raise UsageError(
            f"the curves support two classes; this model has {len(tree.schema.classes)}",
            slug="work.classes",
        )
    first = int(tree.first_child[node])
    nodes = (node, *range(first, first + int(tree.n_children[node])))
    return ImpurityCurves(tree, nodes, **page)
