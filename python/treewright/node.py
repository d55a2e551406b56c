"""One node of a tree as plain values, and the ways out of it: what views read.

Glossary: the *answer* of a node is what it predicts; *errors* is the weight of the other classes.
"""

from __future__ import annotations

from dataclasses import dataclass

from treewright.schema import Level, label

__all__ = ["Branch", "Node"]


@dataclass(frozen=True, slots=True)
class Branch:
    """One way out of a node: the condition that a row must meet, and where it leads.

    Parameters
    ----------
    column : str
        The column that is asked about.
    op : {"<=", ">", "=", "in", "missing"}
        How the value is compared.
    value : float, level, tuple of levels or None
        What it is compared with; None for ``"missing"``.
    child : int
        The node it leads to.
    missing : bool, default=False
        Whether missing values take this way too.

    Examples
    --------
    >>> str(Branch("age", "<=", 45.0, 1))
    'age <= 45'
    """

    column: str
    op: str
    value: float | Level | tuple[Level, ...] | None
    child: int
    missing: bool = False

    def __str__(self) -> str:
        if self.op == "missing":
            return f"{self.column} is missing"
        if isinstance(self.value, tuple):
            return f"{self.column} in {{{', '.join(label(v) for v in self.value)}}}"
        return f"{self.column} {self.op} {label(self.value)}"  # type: ignore[arg-type]


@dataclass(frozen=True, slots=True)
class Node:
    """One node as plain values.

    Parameters
    ----------
    id : int
        Its row in the node table; the number used everywhere.
    parent : int or None
        The node above it.
    depth : int
        Questions on the way to it.
    count : int
        Training rows that came here.
    weight : float
        Their weight.
    value : tuple of float
        What it says: the share of each class, or a number.
    cost : float
        What it costs as a leaf: criterion times weight.
    gain : float
        What its question saves in the same unit; 0 for a leaf.
    answer : level or float
        What it predicts.
    tied : bool
        Whether another class weighs as much as the answer.
    errors : float
        The weight of the other classes; for a number, the cost.
    branches : tuple of Branch
        The ways out; empty for a leaf.

    Examples
    --------
    >>> from treewright import ID3Classifier, datasets
    >>> clf = ID3Classifier().fit(*datasets.play_tennis())
    >>> root = next(clf.tree_.nodes())
    >>> root.count, root.branches[0].column
    (14, 'Outlook')
    """

    id: int
    parent: int | None
    depth: int
    count: int
    weight: float
    value: tuple[float, ...]
    cost: float
    gain: float
    answer: Level
    tied: bool
    errors: float
    branches: tuple[Branch, ...]
