"""The decisions of a pruning method with their reasons: for every branch, the cost before and after.

Glossary: *before* is the cost of the subtree of a node, *after* that of a leaf in its place; *unit* says in what.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, overload

import numpy as np
from numpy.typing import NDArray

from treewright._catalog import public
from treewright._render.document import Column, Document, Note, Table
from treewright._render.numbers import decimals, fixed, plural
from treewright._render.page_format import PageFormat
from treewright._render.result import Result
from treewright.tree import Tree

__all__ = ["PruneTrace"]

MAX_ROWS = 20
MAX_NODES = 1 << 16  # larger trees are not stored beside their pruning
Row = dict[str, Any]


@public
@dataclass(frozen=True, eq=False, repr=False)
class PruneTrace(Result, Sequence[Row]):
    """The decisions of a pruning method, in the order in which they were taken.

    Each is a dictionary of plain values: ``node`` (numbered as before the pruning), ``before``, ``after``, ``decision``
    (``"keep"``, ``"leaf"`` or ``"raise"``), ``why`` in words, and other numbers of the method.

    Parameters
    ----------
    method : str
        The pruning method.
    unit : str
        The unit of ``before`` and ``after``.
    columns : mapping of str to ndarray
        The numbers, one entry per decision.
    explain : callable
        Returns the reason of a row in words.
    options : mapping, default={}
        The parameters of the method: confidence, risk, alpha and so on.
    tree : Tree or None, default=None
        The tree before the pruning, which has the nodes of the decisions; None if it is very large.
    tally : ndarray or None, default=None
        The weight of each class among the validation rows in each node of that tree; for numbers the total weight.

    Examples
    --------
    >>> from treewright import C45Classifier, datasets
    >>> clf = C45Classifier(prune="pessimistic").fit(*datasets.golf())
    >>> first = clf.pruning_[0]
    >>> first["node"], first["decision"], round(first["before"], 2), round(first["after"], 2)
    (3, 'keep', 2.11, 3.24)
    """

    _noun = "a pruning trace"

    method: str
    unit: str
    columns: Mapping[str, NDArray[Any]]
    explain: Callable[[Row], str]
    options: Mapping[str, Any] = field(default_factory=dict)
    tree: Tree | None = None
    tally: NDArray[np.float64] | None = None

    def about(self, tree: Tree) -> PruneTrace:
        """Return the trace with the tree before the pruning."""
        return replace(self, tree=tree) if tree.n_nodes <= MAX_NODES else self

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
            raise IndexError("decision index out of range")
        row = {name: column[index].item() for name, column in self.columns.items()}
        return row | {"why": self.explain(row)}

    def __iter__(self) -> Iterator[Row]:
        return (self[i] for i in range(len(self)))

    def of(self, node: int) -> list[Row]:
        """Return the decisions about one node, the last one last."""
        return [self[int(i)] for i in np.flatnonzero(self.columns["node"] == node)]

    def to_csv_rows(self) -> list[Row]:
        """Return the decisions as plain values."""
        return list(self)

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain values."""
        return {
            "method": self.method,
            "unit": self.unit,
            "options": dict(self.options),
            "decisions": self.to_csv_rows(),
        }

    def to_frame(self) -> Any:
        """Return the decisions as a pandas DataFrame (needs pandas)."""
        import pandas as pd

        return pd.DataFrame(list(self), columns=[*self.columns, "why"])

    def _document(self, page: PageFormat) -> Document:
        pruned = int(np.count_nonzero(self.columns["decision"] != "keep"))
        title = f"{self.method}: {plural(len(self), 'branch')}, {pruned:,} pruned ({self.unit})"
        rows = self[:MAX_ROWS]
        largest = max((max(abs(row["before"]), abs(row["after"])) for row in rows), default=0.0)
        digits = max(2, decimals(largest))
        table = Table(
            (
                Column("node", tuple(f"#{row['node']}" for row in rows), left=True, gap=0),
                Column("before", tuple(fixed(row["before"], digits) for row in rows), gap=2),
                Column("after", tuple(fixed(row["after"], digits) for row in rows), gap=2),
                Column("decision", tuple(row["decision"] for row in rows), left=True, gap=2),
                Column("why", tuple(row["why"] for row in rows), left=True, gap=2),
            )
        )
        left_out = len(self) - len(rows)
        notes = (Note(f"… {left_out:,} more"),) if left_out else ()
        return Document((title,), (table, *notes) if rows else (), compact=True)
