"""What a pruner did and why: for every question, the figures before and after, and the decision.

Glossary: *before* is what the subtree of a node costs, *after* what a leaf in its place would; *unit* says in what.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, overload

import numpy as np
from numpy.typing import NDArray

from treewright._catalog import public
from treewright._render import table_grid as grid
from treewright._render.numbers import decimals, fixed, plural
from treewright.tree import Tree

__all__ = ["PruneTrace"]

SHOWN = 20
MOST_NODES = 1 << 16  # of a tree that is kept beside its pruning
Row = dict[str, Any]


@public
@dataclass(frozen=True, eq=False, repr=False)
class PruneTrace(Sequence[Row]):
    """The decisions of a pruner, in the order in which they were taken.

    Each is a dictionary of plain values: ``node`` (numbered as before the pruning), ``before``, ``after``, ``decision``
    (``"keep"``, ``"leaf"`` or ``"raise"``), ``why`` in words, and what else the method looked at.

    Parameters
    ----------
    method : str
        The pruner.
    unit : str
        What ``before`` and ``after`` count.
    columns : mapping of str to ndarray
        The figures, one entry a decision.
    explain : callable
        Gives the reason of a row in words.
    options : mapping, default={}
        What the method was told: confidence, risk, price and so on.
    tree : Tree or None, default=None
        The tree before the pruning, whose nodes the decisions are about; None of a very large one.
    tally : ndarray or None, default=None
        What the validation rows are in each node of that tree: the weight of each class; of numbers the weight.

    Examples
    --------
    >>> from treewright import C45Classifier, datasets
    >>> clf = C45Classifier(prune="pessimistic").fit(*datasets.golf())
    >>> first = clf.pruning_[0]
    >>> first["node"], first["decision"], round(first["before"], 2), round(first["after"], 2)
    (3, 'keep', 2.11, 3.24)
    """

    method: str
    unit: str
    columns: Mapping[str, NDArray[Any]]
    explain: Callable[[Row], str]
    options: Mapping[str, Any] = field(default_factory=dict)
    tree: Tree | None = None
    tally: NDArray[np.float64] | None = None

    def about(self, tree: Tree) -> PruneTrace:
        """Return the trace with the tree that it is about."""
        return replace(self, tree=tree) if tree.n_nodes <= MOST_NODES else self

    def __len__(self) -> int:
        return len(self.columns["node"])

    @overload
    def __getitem__(self, index: int) -> Row: ...
    @overload
    def __getitem__(self, index: slice) -> list[Row]: ...
    def __getitem__(self, index: int | slice) -> Row | list[Row]:
        if isinstance(index, slice):
            return [self[i] for i in range(*index.indices(len(self)))]
        if not -len(self) <= index < len(self):
            raise IndexError("there is no such decision")
        row = {name: column[index].item() for name, column in self.columns.items()}
        return row | {"why": self.explain(row)}

    def __iter__(self) -> Iterator[Row]:
        return (self[i] for i in range(len(self)))

    def of(self, node: int) -> list[Row]:
        """Return the decisions about one node, the last one last."""
        return [self[int(i)] for i in np.flatnonzero(self.columns["node"] == node)]

    def to_frame(self) -> Any:
        """Return the decisions as a pandas DataFrame (needs pandas)."""
        import pandas as pd

        return pd.DataFrame(list(self), columns=[*self.columns, "why"])

    def __str__(self) -> str:
        changed = int(np.count_nonzero(self.columns["decision"] != "keep"))
        head = f"{self.method}: {plural(len(self), 'question')} looked at, {changed:,} given up"
        shown = self[:SHOWN]
        largest = max((max(abs(row["before"]), abs(row["after"])) for row in shown), default=0.0)
        digits = max(2, decimals(largest))
        lanes = [
            grid.TableColumn("node", [f"#{row['node']}" for row in shown], left=True, gap=0),
            grid.TableColumn("before", [fixed(row["before"], digits) for row in shown], gap=2),
            grid.TableColumn("after", [fixed(row["after"], digits) for row in shown], gap=2),
            grid.TableColumn("decision", [row["decision"] for row in shown], left=True, gap=2),
            grid.TableColumn("why", [row["why"] for row in shown], left=True, gap=2),
        ]
        more = len(self) - len(shown)
        return "\n".join(
            [
                f"{head} ({self.unit})",
                *(grid.align_columns(lanes, grid.terminal_width()) if shown else []),
            ]
            + ([f"… {more:,} more"] if more else [])
        )

    __repr__ = __str__
