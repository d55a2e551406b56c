"""One node of a tree as plain values, its branches, and its alternative splits: what views read.

Glossary: the *answer* of a node is its prediction; *errors* is the weight of the other classes. A *competitor* is a
split that was almost as good as the chosen one; a *surrogate* imitates the chosen split for rows whose value is
missing.
"""

from __future__ import annotations

from dataclasses import dataclass

from treewright.schema import Level, label

__all__ = ["Branch", "Competitor", "Node", "Surrogate"]


@dataclass(frozen=True, slots=True)
class Branch:
    """One branch of a node: the condition that a row must meet, and the child.

    Parameters
    ----------
    column : str
        The column that is tested.
    op : {"<=", ">", "=", "in", "known", "missing"}
        How the value is compared.
    value : float, level, tuple of levels or None
        What it is compared with; None for ``"known"`` and ``"missing"``.
    child : int
        The child; -1 if there is none.
    missing : bool, default=False
        Whether missing values follow this branch too.

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
        if self.op in ("known", "missing"):
            return f"{self.column} is {self.op}"
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
        Number of splits above it.
    count : int
        Training rows that reached it.
    weight : float
        Their weight.
    value : tuple of float
        The fraction of each class, or a number.
    cost : float
        Its cost as a leaf: impurity times weight.
    gain : float
        The decrease of that cost by its split; 0 for a leaf.
    answer : level or float
        Its prediction.
    tied : bool
        Whether another class has the same weight as the predicted one.
    errors : float
        The weight of the other classes; for a number, the cost.
    branches : tuple of Branch
        Its branches; empty for a leaf.

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


@dataclass(frozen=True, slots=True)
class Competitor:
    """A split that a node could have had instead of its own.

    Parameters
    ----------
    branches : tuple of Branch
        Its two branches, without children.
    gain : float
        Its gain, in the unit of the node's own.
    count : int
        The training rows of the node with a known value.

    Examples
    --------
    >>> Competitor((Branch("age", "<=", 3.0, -1), Branch("age", ">", 3.0, -1)), 4.5, 20).gain
    4.5
    """

    branches: tuple[Branch, ...]
    gain: float
    count: int


@dataclass(frozen=True, slots=True)
class Surrogate:
    """A split that is used for rows whose value of the node's own column is missing.

    Parameters
    ----------
    branches : tuple of Branch
        Its branches; rows on a branch without a child are left to the next surrogate.
    agreement : float
        The fraction of the training weight that it sends to the same child as the node's own split.
    adjusted : float
        How much better that is than sending all rows to the heavier child: 1 for perfect, 0 for no better.
    count : int
        The training rows that it decided.

    Examples
    --------
    >>> Surrogate((Branch("age", "<=", 3.0, 2), Branch("age", ">", 3.0, 1)), 0.9, 0.8, 1).agreement
    0.9
    """

    branches: tuple[Branch, ...]
    agreement: float
    adjusted: float
    count: int
