"""The cost-complexity path: the best trees for a growing penalty per leaf, and the choice of one of them.

Glossary: the *risk* of a node is its cost as a leaf, divided by the weight of all rows: its impurity (as in
scikit-learn) or its errors (as in the CART book and rpart; for a number both are the squared error). *alpha* is the
penalty per leaf in the same unit; *relative* alpha is its fraction of the root's risk, rpart's cp. A node's *link* is
the alpha from which it becomes a leaf.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treewright import _core
from treewright._catalog import public
from treewright._model.decision import expected_costs
from treewright._pruning.trace import PruneTrace, Row
from treewright._render.document import Column, Document, Note, Table
from treewright._render.numbers import count, decimals, fixed, plural
from treewright._render.page_format import PageFormat
from treewright._render.result import Result
from treewright._utils.choices import RISKS
from treewright._utils.validation import check_choice
from treewright.tree import Tree

__all__ = ["PruningPath", "one_se", "path_of", "pruning_steps", "risk_of", "trace_of"]

Numbers = NDArray[np.float64]


def risk_of(tree: Tree, by: str) -> Numbers:
    """Return the risk of each node as a leaf."""
    total = float(tree.weight[0]) or 1.0
    if check_choice("risk", by, RISKS) == "errors" and tree.schema.classes:
        least = expected_costs(tree.value, tree.schema).min(axis=1)
        return np.ascontiguousarray(tree.weight * least / total)
    return np.ascontiguousarray(tree.cost / total)


@public
@dataclass(frozen=True, eq=False, repr=False)
class PruningPath(Result):
    """The sequence of smaller and smaller trees of cost-complexity pruning, the largest first.

    Parameters
    ----------
    risk_word : {"impurity", "errors"}
        The risk of a leaf.
    alpha : ndarray
        The penalty per leaf from which each tree is the best; 0 for the first tree. The last one is a single leaf.
    leaves : ndarray of int
        Its number of leaves.
    risk : ndarray
        The sum of the risks of its leaves, divided by the weight of all rows.
    root_risk : float
        The risk of a single leaf.
    cv_error : ndarray or None, default=None
        The cross-validated error of trees with that penalty; None without cross-validation.
    cv_deviation : ndarray or None, default=None
        Its standard error.
    link : ndarray
        The penalty from which each node of the full tree becomes a leaf; infinite for leaves.

    Examples
    --------
    >>> from treewright import C45Classifier, datasets, pruning_path
    >>> X, y = datasets.play_tennis()
    >>> path = pruning_path(C45Classifier(prune=None).fit(X, y), risk="errors")
    >>> path.leaves.tolist(), path.relative.tolist()
    ([5, 1], [0.0, 0.25])
    """

    _noun = "a pruning path"
    _file_page = PageFormat(width=100, lines=100_000)

    risk_word: str
    alpha: Numbers
    leaves: NDArray[np.int64]
    risk: Numbers
    root_risk: float
    cv_error: Numbers | None = None
    cv_deviation: Numbers | None = None
    link: Numbers = field(default_factory=lambda: np.empty(0), repr=False)

    def __len__(self) -> int:
        return len(self.alpha)

    @property
    def relative(self) -> Numbers:
        """The penalty per leaf as a fraction of the root's risk: rpart's cp."""
        return self.alpha / self.root_risk if self.root_risk > 0 else self.alpha

    @property
    def best(self) -> int:
        """The tree with the least cross-validated error; the smallest of equals."""
        return one_se(self._cv()[0], self._cv()[1], 0.0)

    @property
    def one_se(self) -> int:
        """The smallest tree whose cross-validated error is within one standard error of the least."""
        return one_se(*self._cv())

    def _cv(self) -> tuple[Numbers, Numbers]:
        if self.cv_error is None or self.cv_deviation is None:
            raise AttributeError("there was no cross-validation: pruning_path(model, X, y, cv=10)")
        return self.cv_error, self.cv_deviation

    def between(self) -> Numbers:
        """Return a typical penalty of each tree: the geometric mean of its first and last one."""
        ends = np.append(self.alpha[1:], np.inf)
        inner = np.sqrt(self.alpha * np.where(np.isfinite(ends), ends, 0))
        return np.where(np.isfinite(ends), inner, np.inf)

    def nodes(self, alpha: float) -> NDArray[np.uint32]:
        """Return the nodes that become leaves at a penalty."""
        slack = 1e-12 * abs(self.root_risk)
        return np.flatnonzero(self.link <= alpha + slack).astype(np.uint32)

    def rows(self) -> Iterator[Row]:
        """Go through the trees as plain values."""
        for i in range(len(self)):
            row: Row = {
                "alpha": float(self.alpha[i]),
                "relative": float(self.relative[i]),
                "leaves": int(self.leaves[i]),
                "risk": float(self.risk[i]),
            }
            if self.cv_error is not None and self.cv_deviation is not None:
                row["cv_error"] = float(self.cv_error[i])
                row["cv_deviation"] = float(self.cv_deviation[i])
            yield row

    def to_csv_rows(self) -> list[Row]:
        """Return the trees as plain values."""
        return list(self.rows())

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain values; with cross-validation also the rows of the two choices."""
        record = {"risk": self.risk_word, "root_risk": self.root_risk}
        choices = {} if self.cv_error is None else {"least": self.best, "one_se": self.one_se}
        return {**record, "prunings": self.to_csv_rows(), **choices, "link": self.links()}

    def links(self) -> list[float | None]:
        """Return for each node of the full tree the penalty from which it is a leaf; None where it always is."""
        return [alpha if math.isfinite(alpha) else None for alpha in self.link.tolist()]

    def _document(self, page: PageFormat) -> Document:
        choices = {} if self.cv_error is None else {self.best: "least"}
        choices |= {} if self.cv_error is None else {self.one_se: "within one standard error"}
        rows = spread_rows(len(self), page.lines, choices)
        digits = decimals(self.root_risk, 4)
        columns = [
            Column("alpha", tuple(f"{a:.6g}" for a in self.alpha[rows]), gap=0),
            Column("relative", tuple(fixed(a, 4) for a in self.relative[rows]), gap=2),
            Column("leaves", tuple(count(n) for n in self.leaves[rows]), gap=2),
            Column(self.risk_word, tuple(fixed(r, digits) for r in self.risk[rows]), gap=2),
        ]
        if self.cv_error is not None and self.cv_deviation is not None:
            scale = decimals(float(self.cv_error.max()), 4)
            error, deviation = self.cv_error[rows], self.cv_deviation[rows]
            columns += [
                Column("cross-validated", tuple(fixed(e, scale) for e in error), gap=2),
                Column("se", tuple(fixed(e, scale) for e in deviation), gap=2),
                Column("", tuple(choices.get(i, "") for i in rows), left=True, gap=2),
            ]
        left_out = len(self) - len(rows)
        notes = (Note(f"… {plural(left_out, 'more tree')}"),) if left_out else ()
        return Document((), (Table(tuple(columns)), *notes), name="cost-complexity pruning")


def spread_rows(n: int, room: int, choices: Iterable[int]) -> list[int]:
    """Return rows to print: all, or some at equal distances, and the chosen ones.

    Examples
    --------
    >>> spread_rows(100, 4, [50])
    [0, 33, 50, 66, 99]
    """
    return sorted({round(i) for i in np.linspace(0, n - 1, min(n, room))} | set(choices))


def one_se(error: Numbers, deviation: Numbers, within: float = 1.0) -> int:
    """Return the last, smallest tree whose error is within so many standard errors of the smallest error.

    Examples
    --------
    >>> one_se(np.array([0.3, 0.2, 0.22, 0.4]), np.full(4, 0.03))
    2
    """
    least = int(np.argmin(error))
    limit = error[least] + within * deviation[least]
    return int(np.flatnonzero(error <= limit + 1e-12 * abs(limit))[-1])


def path_of(tree: Tree, forest: _core.Forest, by: str, *, shallow: bool = False) -> PruningPath:
    """Return the path of a tree; ``shallow`` finds it as rpart does, which never undoes a pruning."""
    risk = risk_of(tree, by)
    path = _core.prune_path(forest, risk, shallow)
    link = np.where(tree.n_children > 0, path["link"], np.inf)
    leaves = path["leaves"].astype(np.int64)
    return PruningPath(by, path["price"], leaves, path["risk"], float(risk[0]), link=link)


def pruning_steps(tree: Tree, path: PruningPath) -> tuple[Numbers, Numbers]:
    """Return penalty and total risk after each node that becomes a leaf, one at a time, as scikit-learn lists them.

    Nodes with the same penalty follow each other from left to right; the first step is the full tree.

    Examples
    --------
    >>> from treewright import ID3Classifier, datasets, pruning_path
    >>> model = ID3Classifier().fit(*datasets.play_tennis())
    >>> alphas, risks = pruning_steps(model.tree_, pruning_path(model))
    >>> alphas.round(3).tolist(), risks.round(3).tolist()
    ([0.0, 0.235], [0.0, 0.94])
    """
    risk, parents = risk_of(tree, path.risk_word), tree.parents
    below = _sums_below(tree, risk)[0]
    # The first tree of the path in which each node is a leaf.
    step = np.full(tree.n_nodes, len(path))
    for i in range(len(path) - 1, -1, -1):
        step[path.nodes(float(path.alpha[i]))] = i
    above = np.full(tree.n_nodes, len(path))  # the first tree without the node
    for node in range(1, tree.n_nodes):  # a parent comes before its children
        above[node] = min(above[parents[node]], step[parents[node]])
    pruned = np.flatnonzero(step < above)
    pruned = pruned[np.lexsort((_places(tree)[pruned], step[pruned]))]
    alphas, risks = [0.0], [float(below[0])]
    for node in pruned.tolist():
        added = float(risk[node] - below[node])
        alphas.append(float(path.alpha[step[node]]))
        risks.append(risks[-1] + added)
        while node >= 0:
            below[node] += added
            node = int(parents[node])
    return np.array(alphas), np.array(risks)


def _places(tree: Tree) -> NDArray[np.int64]:
    """Return the place of each node in the order from left to right, a node before its children."""
    sizes = np.ones(tree.n_nodes, dtype=np.int64)
    parents = tree.parents
    for node in range(tree.n_nodes - 1, 0, -1):
        sizes[parents[node]] += sizes[node]
    places = np.zeros(tree.n_nodes, dtype=np.int64)
    for node in range(tree.n_nodes):
        place = places[node] + 1
        first = int(tree.first_child[node])
        for child in range(first, first + int(tree.n_children[node])):
            places[child] = place
            place += sizes[child]
    return places


def with_errors(path: PruningPath, error: Numbers, square: Numbers, weight: float) -> PruningPath:
    """Return the path with cross-validated errors, from sums of weighted errors and of their squares over all rows."""
    spread = np.sqrt(np.maximum(square - error**2 / weight, 0.0))
    return replace(path, cv_error=error / weight, cv_deviation=spread / weight)


def trace_of(tree: Tree, path: PruningPath, alpha: float) -> PruneTrace:
    """Return the decision at each branch for a penalty per leaf."""
    risk = risk_of(tree, path.risk_word)
    below, leaves = _sums_below(tree, risk)
    branches = np.flatnonzero(tree.n_children)[::-1]
    cut = np.zeros(tree.n_nodes, dtype=bool)
    cut[path.nodes(alpha)] = True
    columns = {
        "node": branches,
        "before": below[branches],
        "after": risk[branches],
        "leaves": leaves[branches],
        "price": path.link[branches],
        "decision": np.where(cut[branches], "leaf", "keep"),
    }
    options = {"risk": path.risk_word, "ccp_alpha": alpha}
    return PruneTrace("cost complexity", f"{path.risk_word} by row", columns, _Why(alpha), options)


def _sums_below(tree: Tree, risk: Numbers) -> tuple[Numbers, NDArray[np.int64]]:
    """Return the risk and the number of the leaves below each node."""
    ends = tree.n_children == 0
    below = np.where(ends, risk, 0.0)
    leaves = ends.astype(np.int64)
    parents = tree.parents
    for node in range(tree.n_nodes - 1, 0, -1):  # children come after their parent
        below[parents[node]] += below[node]
        leaves[parents[node]] += leaves[node]
    return below, leaves


@dataclass(frozen=True)
class _Why:
    """The reason of a decision in words, for a penalty per leaf."""

    alpha: float

    def __call__(self, row: Row) -> str:
        only = "only " if row["decision"] == "leaf" else ""
        return f"pays {only}up to alpha {row['price']:.4g}; alpha is {self.alpha:.4g}"
