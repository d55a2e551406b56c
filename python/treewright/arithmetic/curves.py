"""The curves of entropy, Gini's index and the share of errors for two classes, with a node and its children on them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from treewright.arithmetic.laws import entropy_of, gini_of
from treewright.arithmetic.sheet import Part, Sheet, Shown, saved
from treewright.draw import chart
from treewright.draw.facts import class_order
from treewright.draw.figures import fixed, weights
from treewright.draw.frame import inline
from treewright.draw.grid import Lane
from treewright.draw.paper import Paper
from treewright.errors import UsageError
from treewright.schema import label
from treewright.tree import Tree

__all__ = ["ImpurityCurves", "curves_of"]

STEPS = 100
LAWS: dict[str, Callable[[Sequence[float]], float]] = {
    "entropy": entropy_of,
    "Gini index": gini_of,
    "errors": lambda shares: min(shares),
}


@dataclass(frozen=True, slots=True, repr=False)
class ImpurityCurves(Shown):
    """Impurity against the share of one of two classes, made by :func:`treewright.work` with ``what="curves"``.

    Parameters
    ----------
    tree : Tree
        The tree.
    nodes : tuple of int
        The node and its children, which stand on the curves.
    digits : int, default=3
        The decimals that are shown.
    width, ascii : int or None, bool or None, default=None
        Columns of text, and whether to write with ASCII signs only.

    Examples
    --------
    >>> from treewright import ID3Classifier, datasets, work
    >>> curves = work(ID3Classifier().fit(*datasets.play_tennis()), 0, what="curves")
    >>> round(curves.to_dict()["nodes"][0]["entropy"], 3)
    0.94
    """

    tree: Tree
    nodes: tuple[int, ...]
    digits: int = 3
    width: int | None = None
    ascii: bool | None = None

    def to_dict(self) -> dict[str, Any]:
        """Return the nodes and the curves as plain values."""
        shares = [i / STEPS for i in range(STEPS + 1)]
        return {
            "class": self.tree.schema.classes[self._first],
            "nodes": [{"node": node} | self._figures(self._share(node)) for node in self.nodes],
            "curves": {name: [law((p, 1 - p)) for p in shares] for name, law in LAWS.items()}
            | {"share": shares},
        }

    def to_svg(self) -> str:
        """Return the curves as a picture."""
        # Closer together at both ends, where the curves are steep.
        shares = ((1 - np.cos(np.linspace(0, np.pi, STEPS + 1))) / 2).tolist()
        lines = [chart.Line(name, [law((p, 1 - p)) for p in shares]) for name, law in LAWS.items()]
        marks = [
            chart.Mark(f"#{node}", self._share(node), self._figures(self._share(node))["entropy"])
            for node in self.nodes
        ]
        title = f"impurity against the share of {self._class(Paper(width=200))}"
        axes = (f"share of {self._class(Paper(width=200))}", "impurity")
        return chart.render(shares, lines, marks, title, axes, even=True)

    def to_html(self) -> str:
        """Return the picture and the figures as an HTML fragment without scripts."""
        return f"<div>{inline(self.to_svg())}{self._sheet(Paper(width=200)).html()}</div>"

    def save(self, path: str | Path) -> None:
        """Write the curves to a file; its suffix says how: .svg, .txt, .md, .tex, .html or .json."""
        saved(self, path, "impurity", {".svg": lambda: self.to_svg() + "\n"})

    @property
    def _first(self) -> int:
        return int(class_order(self.tree)[0])

    def _class(self, paper: Paper) -> str:
        return paper.name(label(self.tree.schema.classes[self._first]))

    def _share(self, node: int) -> float:
        return float(self.tree.value[node, self._first])

    def _figures(self, share: float) -> dict[str, float]:
        return {"share": share} | {name: law((share, 1 - share)) for name, law in LAWS.items()}

    def _sheet(self, paper: Paper) -> Sheet:
        def lanes(heads: list[str], shares: list[float], rows: list[str]) -> list[Lane]:
            found = [self._figures(share) for share in shares]
            first = [Lane("node", heads, left=True, gap=0), Lane("rows", rows)] if rows else []
            return [
                *first,
                *(
                    Lane(name, [fixed(f[name], self.digits) for f in found], gap=3 if rows else 0)
                    if i == 0
                    else Lane(name, [fixed(f[name], self.digits) for f in found])
                    for i, name in enumerate(("share", *LAWS))
                ),
            ]

        rows = weights(self.tree.weight[list(self.nodes)])
        heads = [f"#{node}" for node in self.nodes]
        own = lanes(heads, [self._share(node) for node in self.nodes], rows)
        some = lanes([], [i / 10 for i in range(11)], [])
        title = f"Impurity against the share of {self._class(paper)}"
        return Sheet(title, [Part("The node and its branches", own), Part("The curves", some)])


def curves_of(
    model: Any, node: int, *, digits: int = 3, width: int | None = None, ascii: bool | None = None
) -> ImpurityCurves:
    """Return the curves with a node and its children on them."""
    tree: Tree = model.tree_
    if len(tree.schema.classes) != 2:
        raise UsageError(
            f"the curves are drawn for two classes; this model has {len(tree.schema.classes)}",
            slug="work.classes",
        )
    first = int(tree.first_child[node])
    nodes = (node, *range(first, first + int(tree.n_children[node])))
    return ImpurityCurves(tree, nodes, digits, width, ascii)
