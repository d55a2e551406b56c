"""The cost-complexity path: the trees that are the cheapest when each leaf has a price, and the choice of one of them.

Glossary: the *risk* of a node is what it costs as a leaf, by the weight of all rows: its impurity (as in scikit-learn)
or its errors (as in the CART book and rpart; for a number both are the squared error). *alpha* is the price of a leaf
in the same unit; *relative* alpha is its share of the root's risk, which rpart calls cp. A node's *link* is the alpha
at which it becomes a leaf.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treewright import _core
from treewright._catalog import public
from treewright._model.decision import burdens
from treewright._pruning.trace import PruneTrace, Row
from treewright._render import table_grid as grid
from treewright._render.numbers import count, decimals, fixed
from treewright._utils.validation import check_choice
from treewright.tree import Tree

__all__ = ["RISKS", "PruningPath", "one_se", "path_of", "risk_of", "trace_of"]

SHOWN = 40
RISKS = ("impurity", "errors")
Numbers = NDArray[np.float64]


def risk_of(tree: Tree, by: str) -> Numbers:
    """Return what each node costs as a leaf, by the weight of all rows."""
    total = float(tree.weight[0]) or 1.0
    if check_choice("risk", by, RISKS) == "errors" and tree.schema.classes:
        least = burdens(tree.value, tree.schema).min(axis=1)
        return np.ascontiguousarray(tree.weight * least / total)
    return np.ascontiguousarray(tree.cost / total)


@public
@dataclass(frozen=True, eq=False)
class PruningPath:
    """The trees that are the cheapest at some price of a leaf, the largest first.

    Parameters
    ----------
    risk_word : {"impurity", "errors"}
        What a leaf costs.
    alpha : ndarray
        The price at which each tree begins to be the cheapest; the first is 0, the last leaves a single leaf.
    leaves : ndarray of int
        Its leaves.
    risk : ndarray
        What its leaves cost together, by the weight of all rows.
    root_risk : float
        What a single leaf costs.
    cv_error : ndarray or None, default=None
        The error of trees of that price on rows they were not grown from, where cross-validation was asked for.
    cv_deviation : ndarray or None, default=None
        Its standard error.
    link : ndarray
        The price at which each node of the whole tree becomes a leaf; infinite for leaves.

    Examples
    --------
    >>> from treewright import C45Classifier, datasets, pruning_path
    >>> X, y = datasets.play_tennis()
    >>> path = pruning_path(C45Classifier(prune=None).fit(X, y), risk="errors")
    >>> path.leaves.tolist(), path.relative.tolist()
    ([5, 1], [0.0, 0.25])
    """

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
        """The price as a share of the root's risk: what rpart calls cp."""
        return self.alpha / self.root_risk if self.root_risk > 0 else self.alpha

    @property
    def best(self) -> int:
        """The row with the least cross-validated error; the smallest tree of equals."""
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
        """Return a typical price of each tree: the geometric mean of where it begins and where it ends."""
        ends = np.append(self.alpha[1:], np.inf)
        inner = np.sqrt(self.alpha * np.where(np.isfinite(ends), ends, 0))
        return np.where(np.isfinite(ends), inner, np.inf)

    def nodes(self, alpha: float) -> NDArray[np.uint32]:
        """Return the nodes that become leaves at a price."""
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

    def to_frame(self) -> Any:
        """Return the path as a pandas DataFrame (needs pandas)."""
        import pandas as pd

        return pd.DataFrame(list(self.rows()))

    def to_markdown(self) -> str:
        """Return the path as a Markdown table."""
        return f"{grid.markdown(self._lanes(list(range(len(self)))))}\n"

    def to_latex(self) -> str:
        """Return the path as a LaTeX table for ``booktabs``."""
        return f"{grid.latex(self._lanes(list(range(len(self)))))}\n"

    def _lanes(self, shown: list[int]) -> list[grid.TableColumn]:
        digits = decimals(self.root_risk, 4)
        lanes = [
            grid.TableColumn("alpha", [f"{a:.6g}" for a in self.alpha[shown]], gap=0),
            grid.TableColumn("relative", [fixed(a, 4) for a in self.relative[shown]], gap=2),
            grid.TableColumn("leaves", [count(n) for n in self.leaves[shown]], gap=2),
            grid.TableColumn(self.risk_word, [fixed(r, digits) for r in self.risk[shown]], gap=2),
        ]
        if self.cv_error is None or self.cv_deviation is None:
            return lanes
        scale = decimals(float(self.cv_error.max()), 4)
        marks = {self.best: "least", self.one_se: "within one standard error"}
        return [
            *lanes,
            grid.TableColumn(
                "cross-validated", [fixed(e, scale) for e in self.cv_error[shown]], gap=2
            ),
            grid.TableColumn("±", [fixed(e, scale) for e in self.cv_deviation[shown]], gap=2),
            grid.TableColumn("", [marks.get(i, "") for i in shown], left=True, gap=2),
        ]

    def _shown(self) -> list[int]:
        """Return the trees to print: all, or some of them with the choices."""
        n = len(self)
        some = {round(i) for i in np.linspace(0, n - 1, min(n, SHOWN))}
        return sorted(some if self.cv_error is None else some | {self.best, self.one_se})

    def __str__(self) -> str:
        shown = self._shown()
        lines = grid.align_columns(self._lanes(shown), grid.terminal_width())
        more = len(self) - len(shown)
        return "\n".join([*lines, f"… {more:,} more trees"] if more else lines)


def one_se(error: Numbers, deviation: Numbers, within: float = 1.0) -> int:
    """Return the smallest tree whose error is within so many deviations of the least; trees become smaller.

    Examples
    --------
    >>> one_se(np.array([0.3, 0.2, 0.22, 0.4]), np.full(4, 0.03))
    2
    """
    least = int(np.argmin(error))
    limit = error[least] + within * deviation[least]
    return int(np.flatnonzero(error <= limit + 1e-12 * abs(limit))[-1])


def path_of(tree: Tree, forest: _core.Forest, by: str, *, shallow: bool = False) -> PruningPath:
    """Return the path of a tree; ``shallow`` finds it as rpart does, which does not take cuts back."""
    risk = risk_of(tree, by)
    found = _core.prune_path(forest, risk, shallow)
    link = np.where(tree.n_children > 0, found["link"], np.inf)
    leaves = found["leaves"].astype(np.int64)
    return PruningPath(by, found["price"], leaves, found["risk"], float(risk[0]), link=link)


def with_errors(path: PruningPath, error: Numbers, square: Numbers, weight: float) -> PruningPath:
    """Return the path with its cross-validated error: sums of weighted errors and of their squares over all rows."""
    spread = np.sqrt(np.maximum(square - error**2 / weight, 0.0))
    return replace(path, cv_error=error / weight, cv_deviation=spread / weight)


def trace_of(tree: Tree, path: PruningPath, alpha: float) -> PruneTrace:
    """Return what a price decides at each question."""
    risk = risk_of(tree, path.risk_word)
    below, leaves = _sums(tree, risk)
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


def _sums(tree: Tree, risk: Numbers) -> tuple[Numbers, NDArray[np.int64]]:
    """Return the risk and the number of the leaves below each node."""
    ends = tree.n_children == 0
    below = np.where(ends, risk, 0.0)
    leaves = ends.astype(np.int64)
    parents = tree.parents
    for node in range(tree.n_nodes - 1, 0, -1):  # children stand after their parent
        below[parents[node]] += below[node]
        leaves[parents[node]] += leaves[node]
    return below, leaves


@dataclass(frozen=True)
class _Why:
    """The reason of a decision in words, at a price."""

    alpha: float

    def __call__(self, row: Row) -> str:
        pays = "pays only" if row["decision"] == "leaf" else "pays"
        return f"{pays} up to a price of {row['price']:.4g} a leaf; the price is {self.alpha:.4g}"
