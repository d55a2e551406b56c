"""One node of a tree as plain values, the ways out of it, and its spare questions: what views read.

Glossary: the *answer* of a node is what it predicts; *errors* is the weight of the other classes. A *competitor* is a
question that would have divided the node's rows well too; a *surrogate* imitates the node's own question for rows that
cannot answer it.
"""

from __future__ import annotations

from dataclasses import dataclass

from treewright.schema import Level, label

__all__ = ["Branch", "Competitor", "Node", "Surrogate"]


@dataclass(frozen=True, slots=True)
class Branch:
    """One way out of a node: the condition that a row must meet, and where it leads.

    Parameters
    ----------
    column : str
        The column that is asked about.
    op : {"<=", ">", "=", "in", "known", "missing"}
        How the value is compared.
    value : float, level, tuple of levels or None
        What it is compared with; None for ``"known"`` and ``"missing"``.
    child : int
        The node it leads to; -1 where it leads nowhere.
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


@dataclass(frozen=True, slots=True)
class Competitor:
    """A question that a node could have asked instead of its own.

    Parameters
    ----------
    branches : tuple of Branch
        Its two answers; they lead nowhere.
    gain : float
        What it would have saved, in the unit of the node's own gain.
    count : int
        The training rows of the node that could answer it.

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
    """A question that is asked of a row that cannot answer the node's own.

    Parameters
    ----------
    branches : tuple of Branch
        Its answers, and where they lead; an answer that leads nowhere is left to the next surrogate.
    agreement : float
        The share of the training weight that it sends where the node's own question does.
    adjusted : float
        How much better that is than sending all to the heavier child: 1 for perfect, 0 for no better.
    count : int
        The training rows that it sent on.

    Examples
    --------
    >>> Surrogate((Branch("age", "<=", 3.0, 2), Branch("age", ">", 3.0, 1)), 0.9, 0.8, 1).agreement
    0.9
    """

    branches: tuple[Branch, ...]
    agreement: float
    adjusted: float
    count: int
