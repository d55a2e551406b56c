"""The work of a pruning decision: what a node costs as a leaf, what its subtree costs, and which of the two stays.

The figures are those of the pruners, found from the node table alone; raising a branch, which needs rows, is not a part
of it.

Glossary: *pessimistic* compares the errors to expect on new rows, *cost complexity* finds the price of a leaf up to
which the subtree pays.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from treewright._decide import burdens
from treewright._render.document import Document
from treewright._render.result import Result
from treewright.arithmetic.page_prune import prune_document
from treewright.draw.conditions import branch_words
from treewright.draw.figures import plural
from treewright.draw.names import visible
from treewright.draw.paper import Paper
from treewright.pruning import pessimistic
from treewright.pruning.cost_complexity import path_of, risk_of, trace_of
from treewright.tree import Tree

__all__ = ["PruneWork", "decided"]

GRACE = 0.1  # a leaf may be expected to err this much more often than the subtree


@dataclass(frozen=True, slots=True)
class Child:
    """A branch of the node: what leads there, what it holds, and what it is taken to cost."""

    way: str
    node: int
    weight: float
    errors: float
    cost: float
    becomes: str


@dataclass(frozen=True, slots=True, repr=False)
class PruneWork(Result):
    """The work of a pruning decision, made by :func:`treewright.work` with ``what="prune"``.

    Parameters
    ----------
    tree : Tree
        The tree.
    node : int
        The node.
    method : {"pessimistic", "cost complexity"}
        Who decides.
    figures : dict
        What was compared, by name.
    children : tuple of Child
        The branches of the node; none where it is a leaf.
    digits : int, default=3
        The decimals that are shown.
    width, ascii : int or None, bool or None, default=None
        Columns of text, and whether to write with ASCII signs only.

    Examples
    --------
    >>> from treewright import C45Classifier, datasets, work
    >>> clf = C45Classifier(prune=None, min_cases=1).fit(*datasets.play_tennis())
    >>> work(clf, 1, what="prune").to_dict()["decision"]
    'keep'
    """

    tree: Tree
    node: int
    method: str
    figures: dict[str, Any]
    children: tuple[Child, ...]
    digits: int = 3
    width: int | None = None
    ascii: bool | None = None

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain values."""
        branches = [
            {
                "way": child.way,
                "node": child.node,
                "weight": child.weight,
                "errors": child.errors,
                "cost": child.cost,
                "becomes": child.becomes,
            }
            for child in self.children
        ]
        return {"node": self.node, "method": self.method} | self.figures | {"branches": branches}

    def _document(self, *, sheet: bool = False) -> Document:
        return prune_document(self)


def decided(
    model: Any, node: int, *, digits: int = 3, width: int | None = None, ascii: bool | None = None
) -> PruneWork:
    """Return the work of a pruning decision, by the model's own method or the one that suits it."""
    tree: Tree = model.tree_
    own = getattr(model, "prune", None)
    by_price = own == "cost_complexity" or not tree.schema.classes or bool(tree.schema.costs)
    find = _priced if by_price else _expected
    method = "cost complexity" if by_price else "pessimistic"
    figures, costs, becomes = find(model, tree, node)
    kids = tuple(
        Child(
            visible(branch_words(branch, Paper(width=200))),
            branch.child,
            float(tree.weight[branch.child]),
            _errors(tree, branch.child),
            costs[branch.child],
            becomes[branch.child],
        )
        for branch in (tree.branches(node) if tree.n_children[node] else ())
    )
    return PruneWork(tree, node, method, figures, kids, digits, width, ascii)


Found = tuple[dict[str, Any], dict[int, float], dict[int, str]]


def _children(tree: Tree, node: int) -> range:
    first = int(tree.first_child[node])
    return range(first, first + int(tree.n_children[node]))


def _errors(tree: Tree, node: int) -> float:
    if not tree.schema.classes:
        return 0.0
    wrong = float(tree.weight[node] * burdens(tree.value[node : node + 1], tree.schema).min())
    near = round(wrong)  # shares times weight come back whole where they were
    return float(near) if abs(wrong - near) <= 1e-9 * max(1.0, wrong) else wrong


def _expected(model: Any, tree: Tree, node: int) -> Found:
    """Find the errors to expect, of the node and of its branches after their own pruning."""
    confidence = float(getattr(model, "confidence", 0.25))
    own = getattr(model, "variant", "c4.5")
    variant = own if own in pessimistic.VARIANTS else "c4.5"
    _, trace = pessimistic.run(model._forest, pessimistic.words(variant, confidence))
    rows = {int(n): i for i, n in enumerate(trace.columns["node"])}
    before, after, said = (trace.columns[name] for name in ("before", "after", "decision"))
    errors = _errors(tree, node)
    figures: dict[str, Any] = {"confidence": confidence, "errors": errors}
    costs: dict[int, float] = {}
    becomes: dict[int, str] = {}
    for child in _children(tree, node):
        at = rows.get(child)
        goes = at is not None and said[at] == "leaf"
        seen = min(_errors(tree, child), float(tree.weight[child]))
        if at is None:
            costs[child] = pessimistic.expected_errors(
                float(tree.weight[child]), seen, confidence, variant
            )
        else:
            costs[child] = float(after[at] if goes else before[at])
        becomes[child] = "" if at is None else "becomes a leaf" if goes else "stays"
    at = rows.get(node)
    if at is None:
        weight = float(tree.weight[node])
        figures["leaf"] = pessimistic.expected_errors(
            weight, min(errors, weight), confidence, variant
        )
        return figures | {"decision": "leaf"}, costs, becomes
    figures |= {"leaf": float(after[at]), "subtree": float(before[at]), "decision": str(said[at])}
    return figures, costs, becomes


def _priced(model: Any, tree: Tree, node: int) -> Found:
    """Find the price up to which the node's subtree pays."""
    shallow = getattr(model, "variant", None) == "rpart"
    risk = getattr(model, "ccp_risk", None) or ("errors" if shallow else "impurity")
    path = path_of(tree, model._forest, risk, shallow=shallow)
    each = risk_of(tree, risk)
    trace = trace_of(tree, path, 0.0)
    rows = {int(n): i for i, n in enumerate(trace.columns["node"])}
    figures: dict[str, Any] = {"risk": risk, "leaf": float(each[node])}
    costs = {
        child: float(trace.columns["before"][rows[child]]) if child in rows else float(each[child])
        for child in _children(tree, node)
    }
    becomes = {
        child: plural(int(trace.columns["leaves"][rows[child]]), "leaf") if child in rows else ""
        for child in costs
    }
    if node not in rows:
        return figures | {"decision": "leaf"}, costs, becomes
    at = rows[node]
    below, leaves = float(trace.columns["before"][at]), int(trace.columns["leaves"][at])
    price = (float(each[node]) - below) / (leaves - 1)
    above = [node]
    while above[-1]:
        above.append(int(tree.parents[above[-1]]))
    goes_at = min(float(path.link[one]) for one in above)
    alpha = getattr(model, "ccp_alpha", None) or 0.0
    figures |= {"subtree": below, "leaves": leaves, "price": price, "goes_at": goes_at}
    return figures | {"decision": "leaf" if goes_at <= alpha else "keep"}, costs, becomes
