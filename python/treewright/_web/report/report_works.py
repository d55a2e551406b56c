"""The calculations of a report: those of all nodes of a small tree, or of the nodes with the most rows."""

from __future__ import annotations

from treewright._web.report.report_subject import Subject
from treewright._work import work
from treewright._work.node_work import Work
from treewright.errors import TreewrightError

__all__ = ["find_works"]

ALL_WORKS = 60  # a tree of at most so many nodes has the calculation of all
SOME_WORKS = 24
MAX_CUTS, MIN_CUTS = 12, 3  # thresholds of a candidate
MAX_THRESHOLDS = 4000  # of all candidates of all nodes, about


def find_works(subject: Subject) -> dict[int, Work]:
    """Return the calculation of all nodes of a small tree, or of those of a larger one with the most rows."""
    tree = subject.tree
    if tree is None or subject.model._work_unit != "node":
        return {}
    order = sorted(range(tree.n_nodes), key=lambda node: (-int(tree.count[node]), node))
    chosen = order if tree.n_nodes <= ALL_WORKS else order[:SOME_WORKS]
    candidates = len(chosen) * len(subject.schema.columns)
    cuts = min(MAX_CUTS, max(MIN_CUTS, MAX_THRESHOLDS // candidates))
    rows = subject.training
    arguments = (None, None, None) if rows is None else (rows.X, rows.y, rows.weights)
    try:
        pages = work(subject.model, 0, *arguments, nodes=sorted(chosen), cuts=cuts)
        return dict(zip(pages.nodes, pages.pages, strict=True))
    except TreewrightError:  # a large model without its training rows
        return {}
