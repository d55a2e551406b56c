"""The data of a report's page: trees, the work of nodes, the pruning curve, cases for the self-check, some rows.

It is ``ReportDoc`` of ``web/src/report/document.ts``. How much of it a report holds is decided by ``Detail``: a report
that would be too large leaves things out in a fixed order, so that the same input gives the same bytes.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from treewright._input.encoding import encode_columns
from treewright._input.short_numbers import write_value
from treewright._web.check_cases import check_cases, write_cells
from treewright._web.node_work_document import node_work_document
from treewright._web.report.report_pruning import Prunings
from treewright._web.report.report_subject import GivenRows, Subject
from treewright._web.tree_document import (
    class_names,
    combine_document,
    criterion_word,
    feature_documents,
    tree_columns,
)
from treewright._work.node_work import Work
from treewright.schema import label
from treewright.tree import Tree

__all__ = ["STEPS", "Detail", "report_document"]

MAX_CELLS_OF_ROWS = 5_000_000


@dataclass(frozen=True)
class Detail:
    """How much a report holds."""

    works: int  # nodes with their calculation
    rows: int  # rows of the data
    trees: int  # trees that can be looked at
    predicts: bool  # whether the page can predict, which needs every tree of an ensemble


# What a report leaves out, one after the other, until it is small enough: from most to least of interest at the end.
STEPS = (
    lambda detail: replace(detail, works=min(detail.works, 8)),
    lambda detail: replace(detail, rows=min(detail.rows, 200)),
    lambda detail: replace(detail, predicts=detail.predicts and detail.trees <= 1),
    lambda detail: replace(detail, trees=min(detail.trees, 3)),
    lambda detail: replace(detail, works=min(detail.works, 1)),
    lambda detail: replace(detail, trees=min(detail.trees, 1)),
)


def report_document(
    subject: Subject, works: Mapping[int, Work], prunings: Prunings | None, detail: Detail
) -> dict[str, Any]:
    """Return the data of the page."""
    document: dict[str, Any] = {
        "form": 1,
        "title": subject.caption.title(subject.schema.target),
        "kind": subject.kind,
        "algorithm": subject.caption.method,
        "target": subject.schema.target or "",
        "classes": class_names(subject.schema),
        "n_trees": subject.n_trees,
    }
    if not subject.trees:
        return document | {"features": feature_documents(subject.schema, [])}
    trees = _trees(subject, detail)
    shape = trees[0].schema  # trees that score have no classes of their own
    document |= {
        "features": feature_documents(replace(shape, columns=subject.schema.columns), trees),
        "tree_classes": class_names(shape),
        "criterion": criterion_word(shape, subject.caption.criterion),
        "chooses_by": "gain_ratio" if "gain ratio" in subject.caption.method else "gain",
        "trees": [tree_columns(tree, compact=True) for tree in trees],
        "shown": min(detail.trees, len(trees)),
        "work": {str(n): node_work_document(w.node) for n, w in _largest(works, detail.works)},
        "curve": None if prunings is None else prunings.to_dict(),
        "start": _typical_case(subject),
    }
    if subject.schema.costs:
        document["costs"] = [list(row) for row in subject.schema.costs]
    if detail.predicts:
        document["combine"] = combine_document(subject.model._forest.combine)
        document["check"] = check_cases(subject.model)
    if detail.rows and subject.described is not None:
        document["rows"] = _rows(subject, subject.described, detail.rows)
    return document


def _trees(subject: Subject, detail: Detail) -> tuple[Tree, ...]:
    """Return the trees of the document: all, if the page predicts, else those that are shown."""
    if subject.n_trees == len(subject.trees) or not detail.predicts:
        return subject.trees[: max(1, detail.trees)]
    return tuple(subject.model.trees_)


def _largest(works: Mapping[int, Work], most: int) -> list[tuple[int, Work]]:
    """Return the work of the nodes with the most rows."""
    order = sorted(works, key=lambda node: (-works[node].node.group.count, node))[:most]
    return [(node, works[node]) for node in sorted(order)]


def _typical_case(subject: Subject) -> list[Any]:
    """Return a row to begin with: the median or the most frequent category of each column."""
    rows = subject.described
    coded = None if rows is None else encode_columns(rows.X, subject.model.schema_)
    cells: list[Any] = []
    for i, column in enumerate(subject.schema.columns):
        data = np.empty(0) if coded is None else coded[i]
        if column.kind == "categorical":
            known = data[data < len(column.levels)].astype(np.int64)
            place = int(np.bincount(known).argmax()) if len(known) else 0
            cells.append(label(column.levels[place]) if column.levels else None)
            continue
        if coded is None:
            splits = [(t.n_children > 0) & (t.feature == i) for t in subject.trees]
            data = np.concatenate(
                [t.threshold[s] for t, s in zip(subject.trees, splits, strict=True)]
            )
        known = np.sort(data[np.isfinite(data)])
        middle = write_cells(column, known[(len(known) - 1) // 2 :][:1])
        cells.append(middle[0] if middle else None)
    return cells


def _rows(subject: Subject, rows: GivenRows, most: int) -> dict[str, Any]:
    """Return the first rows: their cells as the page routes them, as text, and their true values."""
    part = rows.X[
        np.arange(min(most, len(rows.X), MAX_CELLS_OF_ROWS // max(1, len(rows.X.columns))))
    ]
    coded = encode_columns(part, subject.model.schema_)
    columns = [write_cells(c, data) for c, data in zip(subject.schema.columns, coded, strict=True)]
    truth = [
        label(value) if subject.schema.classes else write_value(value)
        for value in rows.y[: len(part)]
    ]
    return {"total": len(rows.X), "title": rows.title, "cells": columns, "truth": truth}
