"""The work of a node as a value: text, Markdown, LaTeX, HTML, plain values, a file."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from treewright._render.document import Document
from treewright._work.lecture_rounding import Rounding
from treewright._work.node_model import NodeWork
from treewright._work.node_page import split_document
from treewright._work.work_result import WorkResult

__all__ = ["Work"]


@dataclass(frozen=True, slots=True, repr=False)
class Work(WorkResult):
    """The arithmetic behind a node, made by :func:`treewright.work`.

    Parameters
    ----------
    node : NodeWork
        The figures.
    column : str or None
        The candidate that is written out, ``"all"`` for every one; the chosen one where None.
    rounding : Rounding
        How many decimals, and when figures are rounded.
    digits, width, ascii : optional
        How it is written.

    Examples
    --------
    >>> from treewright import ID3Classifier, datasets, work
    >>> X, y = datasets.play_tennis()
    >>> work(ID3Classifier().fit(X, y), 0).to_dict()["chosen"]
    'Outlook'
    """

    node: NodeWork
    column: str | None
    rounding: Rounding

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain values: exact figures and whole names."""
        return self.node.to_dict()

    def _pages(self, *, worksheet: bool = False) -> Document:
        return split_document(self.node, self.rounding, self.column, worksheet=worksheet)
